#include "model/observe/ready_condition.h"

#include <algorithm>
#include <charconv>

#include "expr/condition.h"
#include "expr/item_lookup.h"
#include "model/compile/expression.h"
#include "value/number.h"

namespace keyfold::model {
namespace {

// A value of a scalar type; no other type has literals.
Value StoredValue(StoredType type, std::string_view text) {
  std::string bytes, number;
  ValueWriter writer(bytes);
  if (type == StoredType::kN) {
    Result<Number> parsed = Number::Parse(text);
    if (!parsed.ok()) return Value();  // null, which equals no number
    parsed->EncodeTo(number);
    writer.EncodedNumber(number);
  } else if (type == StoredType::kBool) {
    writer.Bool(text == "true");
  } else if (type == StoredType::kB) {
    writer.Binary(text);
  } else {
    writer.String(text);
  }
  return Value(std::move(bytes));
}

Value SizeValue(uint64_t size) { return StoredValue(StoredType::kN, std::to_string(size)); }

bool BeginsWith(ValueView value, ValueView prefix) {
  const bool text = value.tag() == Tag::kS || value.tag() == Tag::kB;
  return text && value.tag() == prefix.tag() && value.AsText().starts_with(prefix.AsText());
}

bool StandsTo(Comparator comparator, ValueView left, ValueView right) {
  if (comparator == Comparator::kEqual || comparator == Comparator::kIn) return left == right;
  if (comparator == Comparator::kNotEqual) return left != right;
  if (comparator == Comparator::kBeginsWith) return BeginsWith(left, right);
  const std::optional<int> order = expr::CompareValues(left, right);
  if (!order) return false;
  switch (comparator) {
    case Comparator::kLess:
      return *order < 0;
    case Comparator::kLessEqual:
      return *order <= 0;
    case Comparator::kGreater:
      return *order > 0;
    default:
      return *order >= 0;
  }
}

// Returns empty bytes if there is nothing at the steps.
ValueView Inside(ValueView value, std::span<const expr::PathStep> steps) {
  for (const expr::PathStep& step : steps) {
    if (value.bytes().empty() || value.tag() != (step.is_index ? Tag::kL : Tag::kM)) return {};
    value = (step.is_index ? value.At(step.index) : value.Find(step.name)).value_or(ValueView());
  }
  return value;
}

}  // namespace

std::vector<expr::PathStep> StepsBelow(std::string_view path, std::string_view head) {
  std::vector<expr::PathStep> steps;
  std::string_view rest = path.substr(head.size());
  while (!rest.empty()) {
    const size_t end = std::min(rest.find_first_of(".[", 1), rest.size());
    expr::PathStep& step = steps.emplace_back();
    step.is_index = rest[0] == '[';
    if (step.is_index) {
      std::from_chars(rest.data() + 1, rest.data() + end, step.index);
    } else {
      step.name = rest.substr(1, end - 1);
    }
    rest.remove_prefix(end);
  }
  return steps;
}

ReadyCondition::ReadyCondition(const Condition& condition, const Entity& entity, const NameTable& names) {
  for (const Comparison& one : condition.all) all_.push_back({{}, TestOf(one, entity, names), {}});
  for (const ConditionNode& one : condition.other) all_.push_back(NodeOf(one, entity, names));
}

ReadyCondition::Node ReadyCondition::NodeOf(const ConditionNode& node, const Entity& entity, const NameTable& names) {
  Node made;
  made.kind = node.kind;
  if (node.kind == ConditionNode::Kind::kComparison) made.test = TestOf(node.comparison, entity, names);
  for (const ConditionNode& part : node.parts) made.parts.push_back(NodeOf(part, entity, names));
  return made;
}

ReadyCondition::Test ReadyCondition::TestOf(const Comparison& one, const Entity& entity, const NameTable& names) {
  const Attribute* of = OperandAttribute(one, entity.FindPath(one.path));
  Test test;
  test.name = names.Find(one.attribute);
  test.steps = StepsBelow(one.path, one.attribute);
  test.comparator = one.comparator;
  test.size = one.size;
  for (const Operand& operand : one.operands()) {
    const Formula formula = OperandFormula(operand, of);
    if (operand.IsLiteral()) test.operands.push_back(StoredValue(formula.type, operand.text));
    if (operand.kind != Operand::Kind::kNow) continue;
    test.now = true;
    test.number = formula.type == StoredType::kN;
    test.now_type = formula.pieces[0].type;
  }
  return test;
}

bool ReadyCondition::Holds(std::span<const ValueView> values, int64_t now_ms) const {
  return std::all_of(all_.begin(), all_.end(), [&](const Node& node) { return Holds(node, values, now_ms); });
}

bool ReadyCondition::Holds(const Node& node, std::span<const ValueView> values, int64_t now_ms) {
  const auto holds = [&](const Node& part) { return Holds(part, values, now_ms); };
  switch (node.kind) {
    case ConditionNode::Kind::kComparison:
      return Holds(node.test, values, now_ms);
    case ConditionNode::Kind::kAnd:
      return std::all_of(node.parts.begin(), node.parts.end(), holds);
    case ConditionNode::Kind::kOr:
      return std::any_of(node.parts.begin(), node.parts.end(), holds);
    default:
      return !holds(node.parts[0]);
  }
}

bool ReadyCondition::Holds(const Test& test, std::span<const ValueView> values, int64_t now_ms) {
  const ValueView left = test.name == kNoName ? ValueView() : Inside(values[test.name], test.steps);
  const bool missing = left.bytes().empty();
  if (test.comparator == Comparator::kExists) return !missing;
  if (test.comparator == Comparator::kMissing) return missing;
  if (missing) return test.comparator == Comparator::kNotEqual && !test.size;
  if (test.IsPlain()) {
    return std::any_of(test.operands.begin(), test.operands.end(),
                       [&](ValueView operand) { return StandsTo(test.comparator, left, operand); });
  }
  expr::ItemLookup lookup{ItemView()};
  Value measured;
  if (test.size) {
    const std::optional<uint64_t> size = lookup.SizeOf(left);
    if (!size) return false;
    measured = SizeValue(*size);
  }
  const ValueView compared = test.size ? measured.view() : left;
  const auto holds_with = [&](ValueView operand) {
    if (test.comparator == Comparator::kContains) return lookup.Contains(compared, operand);
    return StandsTo(test.comparator, compared, operand);
  };
  if (test.now) {
    const StoredType type = test.number ? StoredType::kN : StoredType::kS;
    return holds_with(StoredValue(type, NowAs(test.now_type, now_ms)));
  }
  return std::any_of(test.operands.begin(), test.operands.end(), holds_with);
}

}  // namespace keyfold::model
