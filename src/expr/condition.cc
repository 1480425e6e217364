// Tests conditions against items in place: operands are views of the item or of the condition's own values.
#include "expr/condition.h"

#include <algorithm>

#include "value/number.h"

namespace keyfold {
namespace {

using Op = Condition::Op;

// Length of a string as DynamoDB's size() counts it: UTF-16 units.
uint64_t CountUtf16Units(std::string_view text) {
  uint64_t units = 0;
  for (const char c : text) {
    const uint8_t byte = static_cast<uint8_t>(c);
    units += (byte & 0xC0) != 0x80;  // the first byte of a character
    units += byte >= 0xF0;           // one outside the basic plane takes two
  }
  return units;
}

std::optional<uint64_t> SizeOf(ValueView value) {
  switch (value.type()) {
    case Type::kS:
      return CountUtf16Units(value.AsText());
    case Type::kB:
      return value.AsText().size();
    case Type::kSS:
    case Type::kNS:
    case Type::kBS:
    case Type::kL:
    case Type::kM:
      return value.count();
    case Type::kN:
    case Type::kNull:
    case Type::kBool:
      return std::nullopt;
  }
  return std::nullopt;
}

// What an operand is in one item. A size is made here and fits the small-string buffer, so nothing is allocated.
class Evaluated {
 public:
  Evaluated(const Operand& operand, ItemView item) {
    switch (operand.kind) {
      case Operand::Kind::kValue:
        value_ = operand.value.view();
        return;
      case Operand::Kind::kPath:
        value_ = operand.path.Resolve(item);
        return;
      case Operand::Kind::kSize:
        if (const auto value = operand.path.Resolve(item)) SetSize(*value);
        return;
      case Operand::Kind::kSizeOfValue:
        SetSize(operand.value.view());
        return;
    }
  }
  Evaluated(const Evaluated&) = delete;
  Evaluated& operator=(const Evaluated&) = delete;

  bool missing() const { return !value_; }
  ValueView value() const { return *value_; }

 private:
  void SetSize(ValueView of) {
    const auto size = SizeOf(of);
    if (!size) return;
    ValueWriter writer(size_);
    std::string number;
    Number(static_cast<int64_t>(*size)).EncodeTo(number);
    writer.EncodedNumber(number);
    value_ = ValueView(size_);
  }

  std::optional<ValueView> value_;
  std::string size_;
};

bool IsEqual(const Evaluated& a, const Evaluated& b) { return !a.missing() && !b.missing() && a.value() == b.value(); }

std::optional<int> Compare(const Evaluated& a, const Evaluated& b) {
  if (a.missing() || b.missing()) return std::nullopt;
  return CompareValues(a.value(), b.value());
}

bool TestOrder(const Condition& condition, ItemView item) {
  const Evaluated a(condition.operands[0], item), b(condition.operands[1], item);
  const auto order = Compare(a, b);
  if (!order) return false;
  switch (condition.op) {
    case Op::kLt:
      return *order < 0;
    case Op::kLe:
      return *order <= 0;
    case Op::kGt:
      return *order > 0;
    default:
      return *order >= 0;
  }
}

bool TestBetween(const Condition& condition, ItemView item) {
  const Evaluated value(condition.operands[0], item);
  const Evaluated lower(condition.operands[1], item), upper(condition.operands[2], item);
  const auto above = Compare(value, lower), below = Compare(value, upper);
  return above && below && *above >= 0 && *below <= 0;
}

bool TestIn(const Condition& condition, ItemView item) {
  const Evaluated value(condition.operands[0], item);
  if (value.missing()) return false;
  return std::any_of(condition.operands.begin() + 1, condition.operands.end(),
                     [&](const Operand& operand) { return IsEqual(value, Evaluated(operand, item)); });
}

bool BeginsWith(ValueView value, ValueView prefix) {
  if (value.type() != prefix.type() || (value.type() != Type::kS && value.type() != Type::kB)) return false;
  return value.AsText().substr(0, prefix.AsText().size()) == prefix.AsText();
}

bool Contains(ValueView container, ValueView element) {
  const auto holds = [&](Type type) { return element.type() == type; };
  switch (container.type()) {
    case Type::kS:
    case Type::kB:
      return holds(container.type()) && container.AsText().find(element.AsText()) != std::string_view::npos;
    case Type::kSS:
      return holds(Type::kS) && container.Contains(element.AsText());
    case Type::kBS:
      return holds(Type::kB) && container.Contains(element.AsText());
    case Type::kNS:
      return holds(Type::kN) && container.Contains(element.AsEncodedNumber());
    case Type::kL:
      for (const ValueView value : container.values()) {
        if (value == element) return true;
      }
      return false;
    case Type::kM:
    case Type::kN:
    case Type::kNull:
    case Type::kBool:
      return false;
  }
  return false;
}

bool TestFunction(const Condition& condition, ItemView item) {
  const Evaluated first(condition.operands[0], item);
  if (condition.op == Op::kAttributeExists) return !first.missing();
  if (condition.op == Op::kAttributeNotExists) return first.missing();
  const Evaluated second(condition.operands[1], item);
  if (first.missing() || second.missing()) return false;
  switch (condition.op) {
    case Op::kAttributeType:
      return NameOf(first.value().type()) == second.value().AsText();
    case Op::kBeginsWith:
      return BeginsWith(first.value(), second.value());
    case Op::kContains:
      return Contains(first.value(), second.value());
    default:
      return !Contains(first.value(), second.value());  // kLegacyNotContains
  }
}

}  // namespace

std::optional<int> CompareValues(ValueView a, ValueView b) {
  if (a.type() != b.type()) return std::nullopt;
  switch (a.type()) {
    case Type::kS:
    case Type::kB:
      return a.AsText().compare(b.AsText());
    case Type::kN:
      return a.AsEncodedNumber().compare(b.AsEncodedNumber());
    default:
      return std::nullopt;
  }
}

uint64_t CountOperators(const Condition& condition) {
  uint64_t count = condition.children.empty() ? std::max<size_t>(condition.operands.size(), 2) - 1 : 0;
  for (const Condition& child : condition.children) count += CountOperators(child);
  return count;
}

bool Test(const Condition& condition, ItemView item, Pace* pace) {
  const auto test = [&](const Condition& child) { return Test(child, item, pace); };
  if (pace && condition.children.empty()) pace->Work(CountOperators(condition) * item.bytes().size());
  switch (condition.op) {
    case Op::kAnd:
      return std::all_of(condition.children.begin(), condition.children.end(), test);
    case Op::kOr:
      return std::any_of(condition.children.begin(), condition.children.end(), test);
    case Op::kNot:
      return !Test(condition.children[0], item, pace);
    case Op::kEq:
      return IsEqual(Evaluated(condition.operands[0], item), Evaluated(condition.operands[1], item));
    case Op::kNe:
      return !IsEqual(Evaluated(condition.operands[0], item), Evaluated(condition.operands[1], item));
    case Op::kLt:
    case Op::kLe:
    case Op::kGt:
    case Op::kGe:
      return TestOrder(condition, item);
    case Op::kBetween:
      return TestBetween(condition, item);
    case Op::kIn:
      return TestIn(condition, item);
    case Op::kAttributeExists:
    case Op::kAttributeNotExists:
    case Op::kAttributeType:
    case Op::kBeginsWith:
    case Op::kContains:
    case Op::kLegacyNotContains:
      return TestFunction(condition, item);
    case Op::kTrue:
      return true;
  }
  return false;
}

void CollectAttributes(const Condition& condition, std::vector<std::string_view>& out) {
  for (const Condition& child : condition.children) CollectAttributes(child, out);
  for (const Operand& operand : condition.operands) {
    const bool reads_item = operand.kind == Operand::Kind::kPath || operand.kind == Operand::Kind::kSize;
    if (reads_item && std::find(out.begin(), out.end(), operand.path.root) == out.end())
      out.push_back(operand.path.root);
  }
}

}  // namespace keyfold
