// Texts of values that contain others. In a model's tools the value of a list, a map or a set is a text: the JSON of
// its content as DynamoDB writes it, such as {"city":{"S":"Bern"}} of a map or ["a","b"] of a set.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/core/type.h"

namespace keyfold::model {

// A value inside a document. `path` is relative: ".city", "[0].name".
struct InnerValue {
  StoredType type = StoredType::kS;
  std::string text;
};
std::optional<InnerValue> ValueInside(std::string_view document, StoredType type, std::string_view path);

// The same document with the value at the path replaced or, if there is none, removed. Returns nullopt if the path's
// parent does not exist, as DynamoDB then refuses the update.
std::optional<std::string> WithInside(std::string_view document, StoredType type, std::string_view path,
                                      const std::optional<InnerValue>& value);

// The elements of a set, and the text of the set of some elements: sorted, each once. Empty if there are none, which
// no item can store.
std::vector<std::string> ElementsOfSet(std::string_view set);
std::string SetOf(std::vector<std::string> elements);

// The names of the entries of a map.
std::vector<std::string> NamesInMap(std::string_view map);

// What DynamoDB's size() returns.
uint64_t SizeOfText(StoredType, std::string_view text);
// What DynamoDB's contains() returns: a part of a string, an element of a set or a list.
bool ContainsText(StoredType, std::string_view text, std::string_view operand);

// Appends {"S":"text"}.
void AppendValue(std::string& out, StoredType, std::string_view text);

}  // namespace keyfold::model
