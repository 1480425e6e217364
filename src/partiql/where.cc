// Turns the nodes of a WHERE clause into conditions, with the checks that condition expressions have.
#include "partiql/where.h"

#include <optional>
#include <string>
#include <utility>

#include "expr/operand_rules.h"
#include "value/limits.h"

namespace keyfold::partiql {
namespace {

constexpr Rule<"Unsupported operator in Condition Expression. Operator: {}"> kConditionOperator{
    "partiql-condition-operator", Kind::kValidation};
constexpr Rule<"Invalid attribute type name found; type: {}, valid types: {N,BS,L,B,NULL,M,S,SS,NS,BOOL}"> kTypeName{
    "partiql-type-name", Kind::kValidation};

struct Function {
  std::string_view name;
  ConditionOp op;
  size_t operands;
};
constexpr Function kFunctions[] = {
    {"attribute_exists", ConditionOp::kAttributeExists, 1},
    {"attribute_not_exists", ConditionOp::kAttributeNotExists, 1},
    {"attribute_type", ConditionOp::kAttributeType, 2},
    {"begins_with", ConditionOp::kBeginsWith, 2},
    {"contains", ConditionOp::kContains, 2},
};

const Function* FindFunction(std::string_view name) {
  for (const Function& function : kFunctions) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

ConditionOp OpOf(NodeKind kind) {
  switch (kind) {
    case NodeKind::kEq:
      return ConditionOp::kEq;
    case NodeKind::kNe:
      return ConditionOp::kNe;
    case NodeKind::kLt:
      return ConditionOp::kLt;
    case NodeKind::kLe:
      return ConditionOp::kLe;
    case NodeKind::kGt:
      return ConditionOp::kGt;
    default:
      return ConditionOp::kGe;
  }
}

expr::Condition Negated(expr::Condition condition) {
  expr::Condition negated;
  negated.op = ConditionOp::kNot;
  negated.children.push_back(std::move(condition));
  return negated;
}

expr::Condition OfOperands(ConditionOp op, std::vector<expr::Operand> operands) {
  expr::Condition condition;
  condition.op = op;
  condition.operands = std::move(operands);
  return condition;
}

expr::Condition OfChildren(ConditionOp op, std::vector<expr::Condition> children) {
  expr::Condition condition;
  condition.op = op;
  condition.children = std::move(children);
  return condition;
}

Value BoolValue(bool truth) {
  std::string bytes;
  ValueWriter(bytes).Bool(truth);
  return Value(std::move(bytes));
}

expr::Operand ValueOperand(Value value) {
  expr::Operand operand;
  operand.value = std::move(value);
  return operand;
}

Value TextValue(std::string_view text) {
  std::string bytes;
  ValueWriter(bytes).String(text);
  return Value(std::move(bytes));
}

// The DynamoDB types of a PartiQL type; empty if no attribute has it.
std::vector<std::string_view> TypesOf(std::string_view word) {
  struct Entry {
    std::string_view word, type;
  };
  static constexpr Entry kTypes[] = {
      {"null", "NULL"},   {"boolean", "BOOL"}, {"bool", "BOOL"},  {"string", "S"},  {"varchar", "S"},  {"char", "S"},
      {"character", "S"}, {"blob", "B"},       {"list", "L"},     {"struct", "M"},  {"tuple", "M"},    {"bag", "SS"},
      {"bag", "NS"},      {"bag", "BS"},       {"smallint", "N"}, {"int2", "N"},    {"integer2", "N"}, {"int", "N"},
      {"integer", "N"},   {"int4", "N"},       {"integer4", "N"}, {"int8", "N"},    {"integer8", "N"}, {"bigint", "N"},
      {"float", "N"},     {"real", "N"},       {"double", "N"},   {"decimal", "N"}, {"dec", "N"},      {"numeric", "N"},
  };
  std::vector<std::string_view> types;
  for (const Entry& entry : kTypes) {
    if (entry.word == word) types.push_back(entry.type);
  }
  return types;
}

// Lowers one clause. Used by one thread at a time.
class ConditionLowering {
 public:
  explicit ConditionLowering(const BoundTree& bound) : bound_(bound) {}

  Result<expr::Condition> Lower(NodeId id) {
    const Node& node = bound_[id];
    switch (node.kind) {
      case NodeKind::kAnd:
      case NodeKind::kOr:
        return LowerJunction(id);
      case NodeKind::kNot: {
        ASSIGN_OR_RETURN(expr::Condition operand, Lower(node.first));
        return Negated(std::move(operand));
      }
      case NodeKind::kEq:
      case NodeKind::kNe:
      case NodeKind::kLt:
      case NodeKind::kLe:
      case NodeKind::kGt:
      case NodeKind::kGe:
        return LowerComparison(id);
      case NodeKind::kBetween:
        return LowerBetween(id);
      case NodeKind::kIn:
        return LowerIn(id);
      case NodeKind::kIs:
        return LowerIs(id);
      case NodeKind::kCall:
        return LowerCall(id);
      default:
        if (!SignOf(node.kind).empty()) return kConditionOperator(SignOf(node.kind));
        return kUnsupportedOperation(NameOf(node.kind));
    }
  }

 private:
  Result<expr::Condition> LowerJunction(NodeId id) {
    expr::Condition condition;
    condition.op = bound_[id].kind == NodeKind::kAnd ? ConditionOp::kAnd : ConditionOp::kOr;
    condition.children.reserve(bound_[id].count);
    for (NodeId child = bound_[id].first; child != 0; child = bound_[child].next) {
      ASSIGN_OR_RETURN(condition.children.emplace_back(), Lower(child));
    }
    return condition;
  }

  Result<expr::Operand> LowerOperand(NodeId id) {
    const NodeKind kind = bound_[id].kind;
    expr::Operand operand;
    if (IsPath(kind)) {
      operand.kind = expr::Operand::Kind::kPath;
      ASSIGN_OR_RETURN(operand.path, LowerPath(bound_, id));
      return operand;
    }
    if (IsValue(kind)) {
      ASSIGN_OR_RETURN(operand.value, LowerValue(bound_, id));
      return operand;
    }
    if (kind == NodeKind::kCall) return LowerSize(id);
    if (!SignOf(kind).empty()) return kConditionOperator(SignOf(kind));
    return kUnsupportedOperation(NameOf(kind));
  }

  Result<expr::Operand> LowerSize(NodeId call) {
    const std::string name = FunctionOf(bound_, call);
    if (FindFunction(name) != nullptr) return expr::kFunctionUse(name);
    if (name != "size") return UnrecognizedFunction(bound_, call);
    if (bound_[call].count != 1) return expr::kOperandCount(name, bound_[call].count);
    ASSIGN_OR_RETURN(expr::Operand operand, LowerOperand(bound_[call].first));
    RETURN_IF_ERROR(expr::OperandHasSize(name, operand));
    operand.kind =
        operand.kind == expr::Operand::Kind::kPath ? expr::Operand::Kind::kSize : expr::Operand::Kind::kSizeOfValue;
    return operand;
  }

  // Whether a node is a condition, not a value.
  bool IsCondition(NodeId id) const {
    const NodeKind kind = bound_[id].kind;
    if (kind == NodeKind::kCall) return FindFunction(FunctionOf(bound_, id)) != nullptr;
    return kind == NodeKind::kAnd || kind == NodeKind::kOr || kind == NodeKind::kNot || kind == NodeKind::kIs ||
           kind == NodeKind::kIn || kind == NodeKind::kBetween || (kind >= NodeKind::kEq && kind <= NodeKind::kGe);
  }

  Result<expr::Condition> LowerComparison(NodeId id) {
    const NodeId left = bound_[id].first, right = bound_[id].last;
    if (IsCondition(left)) return LowerTruth(bound_[id].kind, left, right);
    if (IsCondition(right)) return LowerTruth(bound_[id].kind, right, left);
    std::vector<expr::Operand> operands;
    for (const NodeId side : {left, right}) {
      ASSIGN_OR_RETURN(operands.emplace_back(), LowerOperand(side));
    }
    const std::string_view sign = SignOf(bound_[id].kind);
    RETURN_IF_ERROR(expr::OperandsAreDistinct(sign, operands));
    if (bound_[id].kind != NodeKind::kEq && bound_[id].kind != NodeKind::kNe) {
      RETURN_IF_ERROR(expr::OperandsHaveOrder(sign, operands));
    }
    return OfOperands(OpOf(bound_[id].kind), std::move(operands));
  }

  // Compares a condition with a value: it can equal only true or false.
  Result<expr::Condition> LowerTruth(NodeKind comparison, NodeId condition, NodeId other) {
    if (comparison != NodeKind::kEq && comparison != NodeKind::kNe) {
      return expr::kOperandType(SignOf(comparison), Type::kBool);
    }
    const bool equal = comparison == NodeKind::kEq;
    if (!IsValue(bound_[other].kind)) return LowerAgreement(SignOf(comparison), condition, other, equal);
    ASSIGN_OR_RETURN(expr::Condition lowered, Lower(condition));
    ASSIGN_OR_RETURN(const Value value, LowerValue(bound_, other));
    if (value.type() != Type::kBool) return equal ? Negated(expr::Condition()) : expr::Condition();
    return value.view().AsBool() == equal ? std::move(lowered) : Negated(std::move(lowered));
  }

  // Compares two conditions, or a condition and an attribute: both are true or both are false. Each appears twice in
  // the result, so nested comparisons are refused: the size would double with every level.
  Result<expr::Condition> LowerAgreement(std::string_view sign, NodeId condition, NodeId other, bool equal) {
    if (agrees_ || !(IsCondition(other) || IsPath(bound_[other].kind))) return kConditionOperator(sign);
    agrees_ = true;
    ASSIGN_OR_RETURN(const expr::Condition left, Lower(condition));
    expr::Condition both, neither;
    if (IsCondition(other)) {
      ASSIGN_OR_RETURN(const expr::Condition right, Lower(other));
      both = OfChildren(ConditionOp::kAnd, {left, right});
      neither = OfChildren(ConditionOp::kAnd, {Negated(left), Negated(right)});
    } else {
      ASSIGN_OR_RETURN(const expr::Operand path, LowerOperand(other));
      both = OfChildren(ConditionOp::kAnd, {left, OfOperands(ConditionOp::kEq, {path, ValueOperand(BoolValue(true))})});
      neither = OfChildren(ConditionOp::kAnd,
                           {Negated(left), OfOperands(ConditionOp::kEq, {path, ValueOperand(BoolValue(false))})});
    }
    agrees_ = false;
    expr::Condition agree = OfChildren(ConditionOp::kOr, {std::move(both), std::move(neither)});
    return equal ? std::move(agree) : Negated(std::move(agree));
  }

  // Tests whether a condition is in a list of values; only true and false in it matter.
  Result<expr::Condition> LowerTruthIn(NodeId condition, NodeId list) {
    ASSIGN_OR_RETURN(expr::Condition lowered, Lower(condition));
    bool has_true = false, has_false = false;
    for (NodeId element = bound_[list].first; element != 0; element = bound_[element].next) {
      if (!IsValue(bound_[element].kind)) return kConditionOperator("IN");
      ASSIGN_OR_RETURN(const Value value, LowerValue(bound_, element));
      if (value.type() == Type::kBool) (value.view().AsBool() ? has_true : has_false) = true;
    }
    if (has_true && has_false) return expr::Condition();
    if (!has_true && !has_false) return Negated(expr::Condition());
    return has_true ? std::move(lowered) : Negated(std::move(lowered));
  }

  Result<expr::Condition> LowerBetween(NodeId id) {
    std::vector<expr::Operand> operands;
    for (NodeId child = bound_[id].first; child != 0; child = bound_[child].next) {
      if (IsCondition(child)) return expr::kOperandType("BETWEEN", Type::kBool);
      ASSIGN_OR_RETURN(operands.emplace_back(), LowerOperand(child));
    }
    RETURN_IF_ERROR(expr::OperandsHaveOrder("BETWEEN", operands));
    RETURN_IF_ERROR(expr::BoundsAreInOrder(operands[1], operands[2]));
    return OfOperands(ConditionOp::kBetween, std::move(operands));
  }

  Result<expr::Condition> LowerIn(NodeId id) {
    const NodeId list = bound_[id].last;
    if (bound_[list].kind != NodeKind::kList) return kUnsupportedOperation(NameOf(NodeKind::kIn));
    if (bound_[list].count > kExpressionInOperandsMax) return expr::kInOperands(bound_[list].count);
    if (IsCondition(bound_[id].first)) return LowerTruthIn(bound_[id].first, list);
    std::vector<expr::Operand> operands;
    operands.reserve(bound_[list].count + 1);
    ASSIGN_OR_RETURN(operands.emplace_back(), LowerOperand(bound_[id].first));
    for (NodeId element = bound_[list].first; element != 0; element = bound_[element].next) {
      ASSIGN_OR_RETURN(operands.emplace_back(), LowerOperand(element));
    }
    return OfOperands(ConditionOp::kIn, std::move(operands));
  }

  Result<expr::Condition> LowerIs(NodeId id) {
    if (!IsPath(bound_[bound_[id].first].kind)) return expr::kPathRequired("IS");
    ASSIGN_OR_RETURN(expr::Operand path, LowerOperand(bound_[id].first));
    const std::string_view word = bound_.tree.TokenOf(id).word;
    if (word == "missing") return OfOperands(ConditionOp::kAttributeNotExists, {std::move(path)});
    const std::vector<std::string_view> types = TypesOf(word);
    if (types.empty()) return kUnsupportedOperation(NameOf(NodeKind::kIs));
    expr::Condition any;
    any.op = ConditionOp::kOr;
    for (const std::string_view type : types) {
      any.children.push_back(OfOperands(ConditionOp::kAttributeType, {path, ValueOperand(TextValue(type))}));
    }
    if (any.children.size() > 1) return any;
    expr::Condition one = std::move(any.children[0]);
    return one;
  }

  Result<expr::Condition> LowerCall(NodeId id) {
    const std::string name = FunctionOf(bound_, id);
    if (name == "size") return expr::kFunctionUse(name);
    const Function* function = FindFunction(name);
    if (function == nullptr) return UnrecognizedFunction(bound_, id);
    if (bound_[id].count != function->operands) return expr::kOperandCount(name, bound_[id].count);
    std::vector<expr::Operand> operands;
    for (NodeId argument = bound_[id].first; argument != 0; argument = bound_[argument].next) {
      ASSIGN_OR_RETURN(operands.emplace_back(), LowerOperand(argument));
    }
    RETURN_IF_ERROR(CheckCall(*function, operands));
    return OfOperands(function->op, std::move(operands));
  }

  static Status CheckCall(const Function& function, const std::vector<expr::Operand>& operands) {
    RETURN_IF_ERROR(expr::OperandsAreDistinct(function.name, operands));
    if (function.op == ConditionOp::kBeginsWith) return expr::OperandsAreTexts(function.name, operands);
    if (function.op == ConditionOp::kAttributeType) return CheckTypeName(function.name, operands[1]);
    if (function.operands == 1 && operands[0].kind != expr::Operand::Kind::kPath)
      return expr::kPathRequired(function.name);
    return Ok();
  }

  static Status CheckTypeName(std::string_view name, const expr::Operand& operand) {
    const auto type = expr::KnownType(operand);
    if (type != Type::kS) return expr::kOperandType(name, type ? NameOf(*type) : expr::kAnyType);
    const std::string_view text = operand.value.view().AsText();
    if (!TypeByName(text)) return kTypeName(text);
    return Ok();
  }

  const BoundTree& bound_;
  bool agrees_ = false;  // in an operand of LowerAgreement
};

}  // namespace

Result<expr::Condition> LowerCondition(const BoundTree& bound, NodeId id) { return ConditionLowering(bound).Lower(id); }

}  // namespace keyfold::partiql
