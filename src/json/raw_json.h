// Finds parts of JSON text without parsing their contents: items and keys of a response go into the next request byte
// for byte, so a copy cannot change what it does not understand. Only as much is checked as is needed to find the end
// of a part; the receiver checks the rest.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace keyfold {

// Returns the value of a member, without surrounding white space; `name` is compared as written, so it has no escapes.
// nullopt if `object` is not an object or has no such member.
std::optional<std::string_view> FindRaw(std::string_view object, std::string_view name);

// As above, in nested objects.
template <typename... Names>
std::optional<std::string_view> FindRaw(std::string_view object, std::string_view name, std::string_view below,
                                        Names... names) {
  const std::optional<std::string_view> inner = FindRaw(object, name);
  return inner ? FindRaw(*inner, below, names...) : std::nullopt;
}

// Returns the elements of an array; nullopt if `array` is not an array.
std::optional<std::vector<std::string_view>> RawElementsOf(std::string_view array);

struct RawMember {
  std::string_view name;  // as written, without its quotes
  std::string_view value;
};
// Returns the members of an object in their order; nullopt if `object` is not an object.
std::optional<std::vector<RawMember>> RawMembersOf(std::string_view object);

}  // namespace keyfold
