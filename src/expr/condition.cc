// Tests conditions against items in place: operands are views of the item or of the condition's own values. A test uses
// one ItemLookup for everything, so that many operands on a large item cost little more than one.
#include "expr/condition.h"

#include <algorithm>

#include "base/text/distinct_texts.h"
#include "expr/item_lookup.h"
#include "value/number.h"

namespace keyfold::expr {
namespace {

using Op = Condition::Op;

// The value of an operand for one item. The value of size() is created here and fits the small-string buffer, so
// nothing is allocated.
class Evaluated {
 public:
  Evaluated(const Operand& operand, ItemLookup& lookup) {
    switch (operand.kind) {
      case Operand::Kind::kValue:
        value_ = operand.value.view();
        return;
      case Operand::Kind::kPath:
        value_ = lookup.Resolve(operand.path);
        return;
      case Operand::Kind::kSize:
        if (const auto value = lookup.Resolve(operand.path)) SetSize(*value, lookup);
        return;
      case Operand::Kind::kSizeOfValue:
        SetSize(operand.value.view(), lookup);
        return;
    }
  }
  Evaluated(const Evaluated&) = delete;
  Evaluated& operator=(const Evaluated&) = delete;

  bool missing() const { return !value_; }
  ValueView value() const { return *value_; }

 private:
  void SetSize(ValueView of, ItemLookup& lookup) {
    const auto size = lookup.SizeOf(of);
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

bool IsEqual(const Evaluated& a, const Evaluated& b, ItemLookup& lookup) {
  return !a.missing() && !b.missing() && lookup.AreEqual(a.value(), b.value());
}

template <typename CompareBytes>
std::optional<int> CompareBy(ValueView a, ValueView b, const CompareBytes& compare) {
  if (a.type() != b.type()) return std::nullopt;
  switch (a.type()) {
    case Type::kS:
    case Type::kB:
      return compare(a.AsText(), b.AsText());
    case Type::kN:
      return a.AsEncodedNumber().compare(b.AsEncodedNumber());
    default:
      return std::nullopt;
  }
}

std::optional<int> Compare(const Evaluated& a, const Evaluated& b, ItemLookup& lookup) {
  if (a.missing() || b.missing()) return std::nullopt;
  return CompareBy(a.value(), b.value(),
                   [&](std::string_view x, std::string_view y) { return lookup.CompareBytes(x, y); });
}

bool TestOrder(const Condition& condition, ItemLookup& lookup) {
  const Evaluated a(condition.operands[0], lookup), b(condition.operands[1], lookup);
  const auto order = Compare(a, b, lookup);
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

bool TestBetween(const Condition& condition, ItemLookup& lookup) {
  const Evaluated value(condition.operands[0], lookup);
  const Evaluated lower(condition.operands[1], lookup), upper(condition.operands[2], lookup);
  const auto above = Compare(value, lower, lookup), below = Compare(value, upper, lookup);
  return above && below && *above >= 0 && *below <= 0;
}

bool TestIn(const Condition& condition, ItemLookup& lookup) {
  const Evaluated value(condition.operands[0], lookup);
  if (value.missing()) return false;
  return std::any_of(condition.operands.begin() + 1, condition.operands.end(),
                     [&](const Operand& operand) { return IsEqual(value, Evaluated(operand, lookup), lookup); });
}

bool BeginsWith(ValueView value, ValueView prefix) {
  if (value.type() != prefix.type() || (value.type() != Type::kS && value.type() != Type::kB)) return false;
  return value.AsText().substr(0, prefix.AsText().size()) == prefix.AsText();
}

bool TestFunction(const Condition& condition, ItemLookup& lookup) {
  const Evaluated first(condition.operands[0], lookup);
  if (condition.op == Op::kAttributeExists) return !first.missing();
  if (condition.op == Op::kAttributeNotExists) return first.missing();
  const Evaluated second(condition.operands[1], lookup);
  if (first.missing() || second.missing()) return false;
  switch (condition.op) {
    case Op::kAttributeType:
      return NameOf(first.value().type()) == second.value().AsText();
    case Op::kBeginsWith:
      return BeginsWith(first.value(), second.value());
    case Op::kContains:
      return lookup.Contains(first.value(), second.value());
    default:
      return !lookup.Contains(first.value(), second.value());  // kLegacyNotContains
  }
}

bool TestWith(const Condition& condition, ItemLookup& lookup, Pace* pace) {
  const auto test = [&](const Condition& child) { return TestWith(child, lookup, pace); };
  if (pace && condition.children.empty()) pace->Work(CountOperators(condition) * lookup.item().bytes().size());
  switch (condition.op) {
    case Op::kAnd:
      return std::all_of(condition.children.begin(), condition.children.end(), test);
    case Op::kOr:
      return std::any_of(condition.children.begin(), condition.children.end(), test);
    case Op::kNot:
      return !TestWith(condition.children[0], lookup, pace);
    case Op::kEq:
      return IsEqual(Evaluated(condition.operands[0], lookup), Evaluated(condition.operands[1], lookup), lookup);
    case Op::kNe:
      return !IsEqual(Evaluated(condition.operands[0], lookup), Evaluated(condition.operands[1], lookup), lookup);
    case Op::kLt:
    case Op::kLe:
    case Op::kGt:
    case Op::kGe:
      return TestOrder(condition, lookup);
    case Op::kBetween:
      return TestBetween(condition, lookup);
    case Op::kIn:
      return TestIn(condition, lookup);
    case Op::kAttributeExists:
    case Op::kAttributeNotExists:
    case Op::kAttributeType:
    case Op::kBeginsWith:
    case Op::kContains:
    case Op::kLegacyNotContains:
      return TestFunction(condition, lookup);
    case Op::kTrue:
      return true;
  }
  return false;
}

void CollectUnseen(const Condition& condition, DistinctTexts& seen, std::vector<std::string_view>& out) {
  for (const Condition& child : condition.children) CollectUnseen(child, seen, out);
  for (const Operand& operand : condition.operands) {
    const bool reads_item = operand.kind == Operand::Kind::kPath || operand.kind == Operand::Kind::kSize;
    if (reads_item && seen.Add(operand.path.root)) out.push_back(operand.path.root);
  }
}

}  // namespace

std::optional<int> CompareValues(ValueView a, ValueView b) {
  return CompareBy(a, b, [](std::string_view x, std::string_view y) { return x.compare(y); });
}

uint64_t CountOperators(const Condition& condition) {
  uint64_t count = condition.children.empty() ? std::max<size_t>(condition.operands.size(), 2) - 1 : 0;
  for (const Condition& child : condition.children) count += CountOperators(child);
  return count;
}

bool Test(const Condition& condition, ItemView item, Pace* pace) {
  ItemLookup lookup(item);
  return TestWith(condition, lookup, pace);
}

void CollectAttributes(const Condition& condition, std::vector<std::string_view>& out) {
  DistinctTexts seen;
  CollectUnseen(condition, seen, out);
}

}  // namespace keyfold::expr
