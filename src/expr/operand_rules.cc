#include "expr/operand_rules.h"

#include <algorithm>

namespace keyfold::expr {
namespace {

constexpr Rule<
    "The first operand must be distinct from the remaining operands for this operator or function; operator: {}, "
    "first operand: {}">
    kDistinctOperands{"condition-distinct-operands", Kind::kValidation};
constexpr Rule<
    "The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {}, "
    "upper bound operand: AttributeValue: {}">
    kBetweenTypes{"condition-between-types", Kind::kValidation};
constexpr Rule<
    "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: "
    "AttributeValue: {}, upper bound operand: AttributeValue: {}">
    kBetweenOrder{"condition-between-order", Kind::kValidation};
constexpr Rule<
    "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: {}, path two: {}">
    kOverlap{"expression-paths-overlap", Kind::kValidation};
constexpr Rule<
    "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: {}, path two: "
    "{}">
    kConflict{"expression-paths-conflict", Kind::kValidation};

bool HasOrder(Type type) { return type == Type::kS || type == Type::kN || type == Type::kB; }

enum class Relation : uint8_t { kApart, kOverlap, kConflict };

// If the paths first differ by names or by indexes, they are apart; if one has a name where the other has an index,
// they conflict; if one is a prefix of the other, they overlap.
Relation Relate(const Path& a, const Path& b) {
  if (a.root != b.root) return Relation::kApart;
  const size_t common = std::min(a.steps.size(), b.steps.size());
  for (size_t i = 0; i < common; ++i) {
    if (a.steps[i].is_index != b.steps[i].is_index) return Relation::kConflict;
    if (a.steps[i] != b.steps[i]) return Relation::kApart;
  }
  return Relation::kOverlap;
}

// If two paths are not apart, sorting by PathPrecedes yields two neighbors that are not.
bool AllApart(std::vector<const Path*> paths) {
  std::sort(paths.begin(), paths.end(), PathPrecedes);
  return std::adjacent_find(paths.begin(), paths.end(), [](const Path* a, const Path* b) {
           return Relate(*a, *b) != Relation::kApart;
         }) == paths.end();
}

}  // namespace

std::optional<Type> KnownType(const Operand& operand) {
  switch (operand.kind) {
    case Operand::Kind::kValue:
      return operand.value.type();
    case Operand::Kind::kSize:
    case Operand::Kind::kSizeOfValue:
      return Type::kN;
    case Operand::Kind::kPath:
      return std::nullopt;
  }
  return std::nullopt;
}

Status OperandsAreDistinct(std::string_view name, const std::vector<Operand>& operands) {
  if (operands.size() != 2) return Ok();
  for (const Operand& operand : operands) {
    if (operand.kind != Operand::Kind::kPath) return Ok();
  }
  if (operands[0].path != operands[1].path) return Ok();
  return kDistinctOperands(name, operands[0].path.ToString());
}

Status OperandsHaveOrder(std::string_view name, const std::vector<Operand>& operands) {
  for (const Operand& operand : operands) {
    const auto type = KnownType(operand);
    if (type && !HasOrder(*type)) return kOperandType(name, *type);
  }
  return Ok();
}

Status OperandsAreTexts(std::string_view name, const std::vector<Operand>& operands) {
  for (const Operand& operand : operands) {
    const auto type = KnownType(operand);
    if (type && *type != Type::kS && *type != Type::kB) return kOperandType(name, *type);
  }
  return Ok();
}

Status OperandHasSize(std::string_view name, const Operand& operand) {
  const auto type = KnownType(operand);
  if (type == Type::kN || type == Type::kBool || type == Type::kNull) return kOperandType(name, *type);
  return Ok();
}

Status BoundsAreInOrder(const Operand& lower, const Operand& upper) {
  if (lower.kind != Operand::Kind::kValue || upper.kind != Operand::Kind::kValue) return Ok();
  const ValueView low = lower.value, high = upper.value;
  if (!HasOrder(low.type()) || !HasOrder(high.type())) return Ok();
  if (low.type() != high.type()) return kBetweenTypes(BracedScalar(low), BracedScalar(high));
  if (*CompareValues(low, high) > 0) return kBetweenOrder(BracedScalar(low), BracedScalar(high));
  return Ok();
}

bool PathPrecedes(const Path* a, const Path* b) {
  if (a->root != b->root) return a->root < b->root;
  return std::lexicographical_compare(a->steps.begin(), a->steps.end(), b->steps.begin(), b->steps.end(),
                                      [](const PathStep& x, const PathStep& y) {
                                        if (x.is_index != y.is_index) return x.is_index;
                                        return x.is_index ? x.index < y.index : x.name < y.name;
                                      });
}

Status PathsAreApart(const std::vector<const Path*>& paths) {
  if (AllApart(paths)) return Ok();
  Status conflict;
  for (size_t j = 1; j < paths.size(); ++j) {
    for (size_t i = 0; i < j; ++i) {
      const Relation relation = Relate(*paths[i], *paths[j]);
      if (relation == Relation::kOverlap) return kOverlap(paths[i]->ToString(), paths[j]->ToString());
      if (relation == Relation::kConflict && conflict.ok()) {
        conflict = kConflict(paths[i]->ToString(), paths[j]->ToString());
      }
    }
  }
  return conflict;
}

}  // namespace keyfold::expr
