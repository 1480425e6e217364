// Items as import sees them: names, types and texts of top-level attributes, and the size as DynamoDB counts it. Read
// from the JSON of a response or a file.
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
  std::string text;    // for S, N (canonical) and BOOL; otherwise empty
  bool whole = false;  // an N without a fraction

  bool IsText() const { return type == Type::kS || type == Type::kN; }
};

// Immutable after it is read.
struct SampledItem {
  std::vector<SampledValue> attributes;  // in the order of the JSON
  uint64_t bytes = 0;
  std::string hint = {};  // the entity that the source names; empty if it names none

  const SampledValue* Find(std::string_view name) const;
};

// Reads {"PK": {"S": "USER#1"}, …}. Returns nullopt if it is not an item.
std::optional<SampledItem> ReadSampledItem(json::Value item);

}  // namespace keyfold::model
