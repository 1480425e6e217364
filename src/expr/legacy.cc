// Checks the legacy parameters as DynamoDB does and translates them into conditions, key conditions and updates.
#include "expr/legacy.h"

#include <array>

namespace keyfold::expr {
namespace {

constexpr Rule<
    "One or more parameter values were invalid: Value and AttributeValueList cannot be used together for Attribute: {}">
    kValueAndList{"expected-value-and-list", Kind::kValidation};
constexpr Rule<
    "One or more parameter values were invalid: Exists and ComparisonOperator cannot be used together for Attribute: "
    "{}">
    kExistsAndOperator{"expected-exists-and-operator", Kind::kValidation};
constexpr Rule<
    "One or more parameter values were invalid: Value or AttributeValueList must be used with ComparisonOperator: {} "
    "for Attribute: {}">
    kOperatorAlone{"expected-operator-alone", Kind::kValidation};
constexpr Rule<
    "One or more parameter values were invalid: AttributeValueList can only be used with a ComparisonOperator for "
    "Attribute: {}">
    kListAlone{"expected-list-alone", Kind::kValidation};
constexpr Rule<"One or more parameter values were invalid: Value must be provided when Exists is {} for Attribute: {}">
    kValueMissing{"expected-value-missing", Kind::kValidation};
constexpr Rule<"One or more parameter values were invalid: Value cannot be used when Exists is false for Attribute: {}">
    kValueUnwanted{"expected-value-unwanted", Kind::kValidation};
constexpr Rule<"One or more parameter values were invalid: Invalid number of argument(s) for the {} ComparisonOperator">
    kArgumentCount{"legacy-argument-count", Kind::kValidation};
constexpr Rule<
    "One or more parameter values were invalid: AttributeValues inside AttributeValueList must be of same type">
    kSameType{"legacy-same-type", Kind::kValidation};
constexpr Rule<
    "One or more parameter values were invalid: ComparisonOperator {} is not valid for {} AttributeValue type">
    kArgumentType{"legacy-argument-type", Kind::kValidation};
constexpr Rule<"The BETWEEN condition was provided a range where the lower bound is greater than the upper bound">
    kLegacyBetweenOrder{"legacy-between-order", Kind::kValidation};
constexpr Rule<
    "One or more parameter values were invalid: Only DELETE action is allowed when no attribute value is specified">
    kOnlyDelete{"updates-only-delete", Kind::kValidation};
constexpr Rule<"One or more parameter values were invalid: DELETE action with value is not supported for the type {}">
    kDeleteType{"updates-delete-type", Kind::kValidation};
constexpr Rule<"One or more parameter values were invalid: ADD action is not supported for the type {}"> kAddType{
    "updates-add-type", Kind::kValidation};

// In a request, the shape check reports these two faults first; other callers get these messages.
constexpr Rule<"One or more parameter values were invalid: Unknown comparison operator: {}"> kUnknownComparison{
    "legacy-unknown-comparison", Kind::kValidation};
constexpr Rule<"One or more parameter values were invalid: Unknown action: {}"> kUnknownAction{"updates-unknown-action",
                                                                                               Kind::kValidation};

enum class Arguments : uint8_t { kNone, kOne, kSome, kTwo };
enum class Types : uint8_t { kAny, kOrdered, kText, kElement };

// One row per ComparisonOperator: its arguments, and what it becomes in a condition and in a key condition.
struct Comparison {
  std::string_view name;
  Arguments arguments;
  Types types;
  Condition::Op op;
  KeyTerm::Op key_op;
};

constexpr std::array<Comparison, 13> kComparisons = {{
    {"EQ", Arguments::kOne, Types::kAny, Condition::Op::kEq, KeyTerm::Op::kEq},
    {"NE", Arguments::kOne, Types::kAny, Condition::Op::kNe, KeyTerm::Op::kNotIndexable},
    {"LE", Arguments::kOne, Types::kOrdered, Condition::Op::kLe, KeyTerm::Op::kLe},
    {"LT", Arguments::kOne, Types::kOrdered, Condition::Op::kLt, KeyTerm::Op::kLt},
    {"GE", Arguments::kOne, Types::kOrdered, Condition::Op::kGe, KeyTerm::Op::kGe},
    {"GT", Arguments::kOne, Types::kOrdered, Condition::Op::kGt, KeyTerm::Op::kGt},
    {"NOT_NULL", Arguments::kNone, Types::kAny, Condition::Op::kAttributeExists, KeyTerm::Op::kNotIndexable},
    {"NULL", Arguments::kNone, Types::kAny, Condition::Op::kAttributeNotExists, KeyTerm::Op::kNotIndexable},
    {"CONTAINS", Arguments::kOne, Types::kElement, Condition::Op::kContains, KeyTerm::Op::kNotIndexable},
    {"NOT_CONTAINS", Arguments::kOne, Types::kElement, Condition::Op::kLegacyNotContains, KeyTerm::Op::kNotIndexable},
    {"BEGINS_WITH", Arguments::kOne, Types::kText, Condition::Op::kBeginsWith, KeyTerm::Op::kBeginsWith},
    {"IN", Arguments::kSome, Types::kOrdered, Condition::Op::kIn, KeyTerm::Op::kNotIndexable},
    {"BETWEEN", Arguments::kTwo, Types::kOrdered, Condition::Op::kBetween, KeyTerm::Op::kBetween},
}};

Result<const Comparison*> ComparisonByName(std::string_view name) {
  for (const Comparison& comparison : kComparisons) {
    if (comparison.name == name) return &comparison;
  }
  return kUnknownComparison(name);
}

bool Takes(Arguments arguments, size_t count) {
  switch (arguments) {
    case Arguments::kNone:
      return count == 0;
    case Arguments::kOne:
      return count == 1;
    case Arguments::kSome:
      return count > 0;
    case Arguments::kTwo:
      return count == 2;
  }
  return false;
}

bool Takes(Types types, Type type) {
  const bool text = type == Type::kS || type == Type::kB;
  switch (types) {
    case Types::kAny:
      return true;
    case Types::kText:
      return text;
    case Types::kOrdered:
      return text || type == Type::kN;
    case Types::kElement:
      return text || type == Type::kN || type == Type::kBool || type == Type::kNull;
  }
  return false;
}

Status CheckArguments(const Comparison& comparison, const std::vector<Value>& values) {
  if (!Takes(comparison.arguments, values.size())) return kArgumentCount(comparison.name);
  for (const Value& value : values) {
    if (value.type() != values[0].type()) return kSameType();
  }
  for (const Value& value : values) {
    if (!Takes(comparison.types, value.type())) return kArgumentType(comparison.name, NameOf(value.type()));
  }
  if (comparison.arguments == Arguments::kTwo && *CompareValues(values[0], values[1]) > 0) return kLegacyBetweenOrder();
  return Ok();
}

Condition MakeCondition(Condition::Op op, const std::string& attribute, const std::vector<Value>& values) {
  Condition condition;
  condition.op = op;
  condition.operands.push_back({Operand::Kind::kPath, Path{attribute, {}}, Value()});
  for (const Value& value : values) condition.operands.push_back({Operand::Kind::kValue, Path(), value});
  return condition;
}

Condition Join(std::vector<Condition> conditions, LegacyJoin join) {
  if (conditions.empty()) return Condition();
  if (conditions.size() == 1) return std::move(conditions[0]);
  Condition all;
  all.op = join == LegacyJoin::kAnd ? Condition::Op::kAnd : Condition::Op::kOr;
  all.children = std::move(conditions);
  return all;
}

// Expected with a ComparisonOperator.
Result<Condition> ConditionOfComparison(const LegacyExpected& expected) {
  ASSIGN_OR_RETURN(const Comparison* const found, ComparisonByName(*expected.comparison));
  const Comparison& comparison = *found;
  if (expected.exists) return kExistsAndOperator(expected.attribute);
  if (comparison.arguments != Arguments::kNone && !expected.values && !expected.value) {
    return kOperatorAlone(comparison.name, expected.attribute);
  }
  std::vector<Value> values = expected.values.value_or(std::vector<Value>());
  if (expected.value) values.push_back(*expected.value);
  RETURN_IF_ERROR(CheckArguments(comparison, values));
  return MakeCondition(comparison.op, expected.attribute, values);
}

// Expected with Value, Exists or both.
Result<Condition> ConditionOfValue(const LegacyExpected& expected) {
  if (expected.values) return kListAlone(expected.attribute);
  const bool exists = expected.exists.value_or(true);
  if (exists && !expected.value) return kValueMissing(expected.exists ? "true" : "null", expected.attribute);
  if (!exists && expected.value) return kValueUnwanted(expected.attribute);
  if (!exists) return MakeCondition(Condition::Op::kAttributeNotExists, expected.attribute, {});
  return MakeCondition(Condition::Op::kEq, expected.attribute, {*expected.value});
}

Status CheckUpdate(const LegacyUpdate& update, std::string_view action) {
  if (action != "PUT" && action != "ADD" && action != "DELETE") return kUnknownAction(action);
  if (!update.value) {
    if (action != "DELETE") return kOnlyDelete();
    return Ok();
  }
  const Type type = update.value->type();
  if (action == "DELETE" && !IsSet(type)) return kDeleteType(NameOf(type));
  if (action == "ADD" && !IsSet(type) && type != Type::kN && type != Type::kL) return kAddType(NameOf(type));
  return Ok();
}

}  // namespace

Result<Condition> ConditionOfExpected(const std::vector<LegacyExpected>& expected, LegacyJoin join) {
  std::vector<Condition> conditions;
  for (const LegacyExpected& one : expected) {
    if (one.value && one.values) return kValueAndList(one.attribute);
    ASSIGN_OR_RETURN(Condition condition, one.comparison ? ConditionOfComparison(one) : ConditionOfValue(one));
    conditions.push_back(std::move(condition));
  }
  return Join(std::move(conditions), join);
}

Result<Condition> ConditionOfFilter(const std::vector<LegacyCondition>& filter, LegacyJoin join) {
  std::vector<Condition> conditions;
  for (const LegacyCondition& one : filter) {
    ASSIGN_OR_RETURN(const Comparison* const comparison, ComparisonByName(one.comparison));
    RETURN_IF_ERROR(CheckArguments(*comparison, one.values));
    conditions.push_back(MakeCondition(comparison->op, one.attribute, one.values));
  }
  return Join(std::move(conditions), join);
}

Result<KeyCondition> KeyConditionOfLegacy(const std::vector<LegacyCondition>& conditions) {
  KeyCondition key_condition;
  for (const LegacyCondition& one : conditions) {
    ASSIGN_OR_RETURN(const Comparison* const comparison, ComparisonByName(one.comparison));
    RETURN_IF_ERROR(CheckArguments(*comparison, one.values));
    KeyTerm& term = key_condition.terms.emplace_back();
    term.attribute = one.attribute;
    term.op = comparison->key_op;
    if (!one.values.empty()) term.first = one.values[0];
    if (one.values.size() > 1) term.second = one.values[1];
  }
  return key_condition;
}

Result<Update> UpdateOfLegacy(const std::vector<LegacyUpdate>& updates) {
  Update update;
  update.legacy = true;
  for (const LegacyUpdate& one : updates) {
    const std::string_view action = one.action ? std::string_view(*one.action) : "PUT";
    RETURN_IF_ERROR(CheckUpdate(one, action));
    const Path path{one.attribute, {}};
    if (!one.value) {
      update.removes.push_back(path);
    } else if (action == "ADD") {
      update.adds.push_back({path, *one.value});
    } else if (action == "DELETE") {
      update.deletes.push_back({path, *one.value});
    } else {
      UpdateOperand operand;
      operand.value = *one.value;
      update.sets.push_back({path, std::move(operand)});
    }
  }
  return update;
}

}  // namespace keyfold::expr
