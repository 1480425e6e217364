// Parts of JSON text as they stand, without reading what is in them: items and keys of an answer go into the next
// request byte for byte, so that a copy cannot change what it does not understand. Only as much is checked as is
// needed to find a part's end; whoever takes the part checks the rest.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace keyfold {

// The value of a member, without space around it; `name` as it is written, so it has no escapes. Nothing where `object`
// is no object or has no such member.
std::optional<std::string_view> FindRaw(std::string_view object, std::string_view name);

// The same, in an object in an object and so on.
template <typename... Names>
std::optional<std::string_view> FindRaw(std::string_view object, std::string_view name, std::string_view below,
                                        Names... names) {
  const std::optional<std::string_view> inner = FindRaw(object, name);
  return inner ? FindRaw(*inner, below, names...) : std::nullopt;
}

// The elements of an array. Nothing where `array` is none.
std::optional<std::vector<std::string_view>> RawElementsOf(std::string_view array);

}  // namespace keyfold
