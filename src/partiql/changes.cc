// Turns assignments into the sections of an update, with the checks that update expressions have.
#include "partiql/changes.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "expr/operand_rules.h"

namespace keyfold::partiql {
namespace {

constexpr Rule<"{} must have exactly two arguments at {}"> kTwoArguments{"partiql-two-arguments", Kind::kValidation};
constexpr Rule<"The first argument to {} must equal the assignment value at {}"> kFirstArgument{
    "partiql-first-argument", Kind::kValidation};
constexpr Rule<"The second argument to {} must be a value with type SET at {}"> kSecondArgument{
    "partiql-second-argument", Kind::kValidation};
constexpr Rule<"Unsupported operator in Update Expression. Operator: {}"> kUpdateOperator{"partiql-update-operator",
                                                                                          Kind::kValidation};

Status CheckAllApart(const expr::Update& update) {
  std::vector<const expr::Path*> paths;
  for (const expr::Update::Set& set : update.sets) paths.push_back(&set.path);
  for (const expr::Path& path : update.removes) paths.push_back(&path);
  for (const auto* changes : {&update.adds, &update.deletes}) {
    for (const expr::Update::Change& change : *changes) paths.push_back(&change.path);
  }
  std::stable_sort(paths.begin(), paths.end(), expr::PathPrecedes);
  return expr::PathsAreApart(paths);
}

// Lowers one UPDATE. Used by one thread at a time.
class ChangeLowering {
 public:
  explicit ChangeLowering(const BoundTree& bound) : bound_(bound) {}

  Result<expr::Update> Lower() {
    for (const SyntaxTree::Change& change : bound_.tree.changes) {
      ASSIGN_OR_RETURN(expr::Path path, LowerPath(bound_, change.path));
      if (change.value == 0) {
        update_.removes.push_back(std::move(path));
      } else {
        RETURN_IF_ERROR(LowerAssignment(std::move(path), change.value));
      }
    }
    RETURN_IF_ERROR(CheckAllApart(update_));
    return std::move(update_);
  }

 private:
  Status LowerAssignment(expr::Path path, NodeId value) {
    if (bound_[value].kind == NodeKind::kCall) {
      const std::string name = FunctionOf(bound_, value);
      if (name == "set_add") return LowerSetChange("SET_ADD", std::move(path), value, update_.adds);
      if (name == "set_delete") return LowerSetChange("SET_DELETE", std::move(path), value, update_.deletes);
    }
    ASSIGN_OR_RETURN(expr::UpdateOperand operand, LowerOperand(value));
    update_.sets.push_back({std::move(path), std::move(operand)});
    return Ok();
  }

  Status LowerSetChange(std::string_view name, expr::Path path, NodeId call, std::vector<expr::Update::Change>& out) {
    if (bound_[call].count != 2) return kTwoArguments(name, bound_.tree.Position(call));
    const NodeId first = bound_[call].first, second = bound_[call].last;
    if (!IsPath(bound_[first].kind)) return kFirstArgument(name, bound_.tree.Position(call));
    ASSIGN_OR_RETURN(const expr::Path argument, LowerPath(bound_, first));
    if (argument != path) return kFirstArgument(name, bound_.tree.Position(call));
    if (!IsValue(bound_[second].kind)) return kSecondArgument(name, bound_.tree.Position(first));
    ASSIGN_OR_RETURN(Value value, LowerValue(bound_, second));
    if (!IsSet(value.type())) return kSecondArgument(name, bound_.tree.Position(first));
    out.push_back({std::move(path), std::move(value)});
    return Ok();
  }

  Result<expr::UpdateOperand> LowerOperand(NodeId id) {
    const NodeKind kind = bound_[id].kind;
    expr::UpdateOperand operand;
    if (IsPath(kind)) {
      operand.kind = expr::UpdateOperand::Kind::kPath;
      ASSIGN_OR_RETURN(operand.path, LowerPath(bound_, id));
      return operand;
    }
    if (IsValue(kind)) {
      ASSIGN_OR_RETURN(operand.value, LowerValue(bound_, id));
      return operand;
    }
    if (kind == NodeKind::kPlus || kind == NodeKind::kMinus) {
      operand.kind = kind == NodeKind::kPlus ? expr::UpdateOperand::Kind::kPlus : expr::UpdateOperand::Kind::kMinus;
      RETURN_IF_ERROR(LowerChildren(id, SignOf(kind), Type::kN, operand));
      return operand;
    }
    if (kind == NodeKind::kCall) return LowerListAppend(id);
    if (!SignOf(kind).empty()) return kUpdateOperator(SignOf(kind));
    return kUnsupportedOperation(NameOf(kind));
  }

  Result<expr::UpdateOperand> LowerListAppend(NodeId call) {
    const std::string name = FunctionOf(bound_, call);
    if (name != "list_append") return UnrecognizedFunction(bound_, call);
    if (bound_[call].count != 2) return expr::kOperandCount(name, bound_[call].count);
    expr::UpdateOperand operand;
    operand.kind = expr::UpdateOperand::Kind::kListAppend;
    RETURN_IF_ERROR(LowerChildren(call, name, Type::kL, operand));
    return operand;
  }

  // Checks the types of values; those of paths are not known before the item is.
  Status LowerChildren(NodeId id, std::string_view name, Type wanted, expr::UpdateOperand& out) {
    for (NodeId child = bound_[id].first; child != 0; child = bound_[child].next) {
      ASSIGN_OR_RETURN(expr::UpdateOperand operand, LowerOperand(child));
      if (operand.kind == expr::UpdateOperand::Kind::kValue && operand.value.type() != wanted) {
        return expr::kOperandType(name, operand.value.type());
      }
      out.children.push_back(std::move(operand));
    }
    return Ok();
  }

  const BoundTree& bound_;
  expr::Update update_;
};

}  // namespace

Result<expr::Update> LowerChanges(const BoundTree& bound) { return ChangeLowering(bound).Lower(); }

}  // namespace keyfold::partiql
