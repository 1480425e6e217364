// The parameters that expressions replaced, translated into the same trees: Expected, QueryFilter, ScanFilter,
// KeyConditions, AttributeUpdates.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "expr/condition.h"
#include "expr/key_condition.h"
#include "expr/update.h"

namespace keyfold::expr {

// One attribute of Expected, with either Value/Exists or ComparisonOperator/AttributeValueList.
struct LegacyExpected {
  std::string attribute;
  std::optional<Value> value;
  std::optional<bool> exists;
  std::optional<std::string> comparison;
  std::optional<std::vector<Value>> values;
};
// One attribute of QueryFilter, ScanFilter or KeyConditions.
struct LegacyCondition {
  std::string attribute;
  std::string comparison;  // EQ NE LE LT GE GT NOT_NULL NULL CONTAINS NOT_CONTAINS BEGINS_WITH IN BETWEEN
  std::vector<Value> values;
};
struct LegacyUpdate {
  std::string attribute;
  std::optional<std::string> action;  // PUT (default), ADD, DELETE
  std::optional<Value> value;
};

enum class LegacyJoin : uint8_t { kAnd, kOr };

Result<Condition> ConditionOfExpected(const std::vector<LegacyExpected>& expected, LegacyJoin join);
Result<Condition> ConditionOfFilter(const std::vector<LegacyCondition>& filter, LegacyJoin join);
Result<KeyCondition> KeyConditionOfLegacy(const std::vector<LegacyCondition>& conditions);
Result<Update> UpdateOfLegacy(const std::vector<LegacyUpdate>& updates);

}  // namespace keyfold::expr
