// Items as import looks at them: names, types and texts of top-level attributes, and DynamoDB's size. Read from the
// JSON of an answer or of a file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/document.h"
#include "value/item.h"

namespace keyfold::model {

struct SampledValue {
  std::string name;
  Type type = Type::kS;
  std::string text;    // of S, N (canonical) and BOOL; empty otherwise
  bool whole = false;  // an N without a fraction

  bool IsText() const { return type == Type::kS || type == Type::kN; }
};

// Immutable once read.
struct SampledItem {
  std::vector<SampledValue> attributes;  // as the JSON has them
  uint64_t bytes = 0;
  std::string hint = {};  // the entity that the source says it is of; empty: it does not say

  const SampledValue* Find(std::string_view name) const;
};

// {"PK": {"S": "USER#1"}, …}; nothing where it is no item.
std::optional<SampledItem> ReadSampledItem(json::Value item);

}  // namespace keyfold::model
