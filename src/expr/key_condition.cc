// Converts a parsed condition into key terms, and matches key terms with a key schema.
#include "expr/key_condition.h"

#include <algorithm>

#include "value/limits.h"

namespace keyfold::expr {
namespace {

constexpr Rule<"Invalid operator used in KeyConditionExpression: {}"> kOperator{"key-condition-operator",
                                                                                Kind::kValidation};
constexpr Rule<"KeyConditionExpressions cannot contain nested operations"> kNestedOperation{
    "key-condition-nested-operation", Kind::kValidation};
constexpr Rule<
    "Invalid condition in KeyConditionExpression: {} operator must have the key attribute as its first operand">
    kFirstOperand{"key-condition-first-operand", Kind::kValidation};
constexpr Rule<"Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition">
    kManyAttributes{"key-condition-many-attributes", Kind::kValidation};
constexpr Rule<"KeyConditionExpressions cannot have conditions on nested attributes"> kNestedAttribute{
    "key-condition-nested-attribute", Kind::kValidation};
constexpr Rule<"Invalid condition in KeyConditionExpression: No key attribute specified"> kNoAttribute{
    "key-condition-no-attribute", Kind::kValidation};
constexpr Rule<"KeyConditionExpressions must only contain one condition per key"> kOneCondition{
    "key-condition-one-per-key", Kind::kValidation};

constexpr Rule<"Query key condition not supported"> kNotSupported{"key-condition-not-supported", Kind::kValidation};
constexpr Rule<"Query condition missed key schema element: {}"> kMissed{"key-condition-missed", Kind::kValidation};
constexpr Rule<"Attempted conditional constraint is not an indexable operation"> kNotIndexable{
    "key-condition-not-indexable", Kind::kValidation};
constexpr Rule<"One or more parameter values were invalid: Condition parameter type does not match schema type">
    kParameterType{"key-condition-type", Kind::kValidation};
// For keys with several partition or sort attributes; DynamoDB's wording for them is not documented.
constexpr Rule<"Query key condition not supported: every HASH key attribute must have an equality condition: {}">
    kEveryPartitionEqual{"key-condition-every-hash-equal", Kind::kValidation};
constexpr Rule<
    "Query key condition not supported: RANGE key attributes must be used from left to right, all before the last with "
    "an equality condition: {}">
    kSortFromTheLeft{"key-condition-range-from-the-left", Kind::kValidation};

std::string_view NameOfOp(Condition::Op op) {
  switch (op) {
    case Condition::Op::kOr:
      return "OR";
    case Condition::Op::kNot:
      return "NOT";
    case Condition::Op::kNe:
      return "<>";
    case Condition::Op::kIn:
      return "IN";
    case Condition::Op::kBetween:
      return "BETWEEN";
    case Condition::Op::kBeginsWith:
      return "begins_with";
    case Condition::Op::kAttributeExists:
      return "attribute_exists";
    case Condition::Op::kAttributeNotExists:
      return "attribute_not_exists";
    case Condition::Op::kAttributeType:
      return "attribute_type";
    case Condition::Op::kContains:
      return "contains";
    default:
      return {};
  }
}

// The operator that is equivalent after swapping the operands.
KeyTerm::Op Mirrored(KeyTerm::Op op) {
  switch (op) {
    case KeyTerm::Op::kLt:
      return KeyTerm::Op::kGt;
    case KeyTerm::Op::kLe:
      return KeyTerm::Op::kGe;
    case KeyTerm::Op::kGt:
      return KeyTerm::Op::kLt;
    case KeyTerm::Op::kGe:
      return KeyTerm::Op::kLe;
    default:
      return op;
  }
}

Result<KeyTerm::Op> TermOpOf(Condition::Op op) {
  switch (op) {
    case Condition::Op::kEq:
      return KeyTerm::Op::kEq;
    case Condition::Op::kLt:
      return KeyTerm::Op::kLt;
    case Condition::Op::kLe:
      return KeyTerm::Op::kLe;
    case Condition::Op::kGt:
      return KeyTerm::Op::kGt;
    case Condition::Op::kGe:
      return KeyTerm::Op::kGe;
    case Condition::Op::kBetween:
      return KeyTerm::Op::kBetween;
    case Condition::Op::kBeginsWith:
      return KeyTerm::Op::kBeginsWith;
    default:
      return kOperator(NameOfOp(op));
  }
}

// Returns the position of the only attribute among a condition's operands.
Result<size_t> FindAttribute(const std::vector<Operand>& operands) {
  std::optional<size_t> found;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].kind == Operand::Kind::kValue) continue;
    if (operands[i].kind != Operand::Kind::kPath) return kNestedOperation();
    if (found) return kManyAttributes();
    if (!operands[i].path.steps.empty()) return kNestedAttribute();
    found = i;
  }
  if (!found) return kNoAttribute();
  return *found;
}

Status AddTerm(Condition& condition, KeyCondition& out) {
  ASSIGN_OR_RETURN(const KeyTerm::Op op, TermOpOf(condition.op));
  std::vector<Operand>& operands = condition.operands;
  const bool names_first = op == KeyTerm::Op::kBetween || op == KeyTerm::Op::kBeginsWith;
  if (names_first && operands[0].kind == Operand::Kind::kValue) return kFirstOperand(NameOfOp(condition.op));
  ASSIGN_OR_RETURN(const size_t at, FindAttribute(operands));
  const std::string& attribute = operands[at].path.root;
  for (const KeyTerm& term : out.terms) {
    if (term.attribute == attribute) return kOneCondition();
  }
  KeyTerm& term = out.terms.emplace_back();
  term.op = at == 0 ? op : Mirrored(op);
  term.first = std::move(operands[at == 0 ? 1 : 0].value);
  if (op == KeyTerm::Op::kBetween) term.second = std::move(operands[2].value);
  term.attribute = std::move(operands[at].path.root);
  return Ok();
}

Status AddTerms(Condition& condition, KeyCondition& out) {
  if (condition.op != Condition::Op::kAnd) return AddTerm(condition, out);
  for (Condition& child : condition.children) RETURN_IF_ERROR(AddTerms(child, out));
  return Ok();
}

const KeyTerm* FindTerm(const KeyCondition& condition, std::string_view attribute) {
  for (const KeyTerm& term : condition.terms) {
    if (term.attribute == attribute) return &term;
  }
  return nullptr;
}

Status CheckValue(const KeyAttribute& attribute, ValueView value) {
  if (value.type() != attribute.type) return kParameterType();
  if (attribute.type != Type::kN && value.AsText().empty()) {
    return kKeyEmpty(attribute.type == Type::kS ? "string" : "binary", attribute.name);
  }
  return Ok();
}

Status CheckTerm(const KeyAttribute& attribute, const KeyTerm& term) {
  if (term.op == KeyTerm::Op::kNotIndexable) return kNotIndexable();
  RETURN_IF_ERROR(CheckValue(attribute, term.first));
  if (term.op == KeyTerm::Op::kBetween) RETURN_IF_ERROR(CheckValue(attribute, term.second));
  return Ok();
}

Status BindPartition(const KeyCondition& condition, const KeySchema& key, KeyQuery& out) {
  const bool several = key.partition.size() > 1;
  for (const KeyAttribute& attribute : key.partition) {
    const KeyTerm* term = FindTerm(condition, attribute.name);
    if (term == nullptr) return several ? kEveryPartitionEqual(attribute.name) : kMissed(attribute.name);
    RETURN_IF_ERROR(CheckTerm(attribute, *term));
    if (term->op != KeyTerm::Op::kEq) return several ? kEveryPartitionEqual(attribute.name) : kNotSupported();
    out.partition.push_back(term->first);
  }
  return Ok();
}

Status BindSort(const KeyCondition& condition, const KeySchema& key, KeyQuery& out) {
  const size_t wanted = condition.terms.size() - key.partition.size();
  const bool several = key.sort.size() > 1;
  size_t used = 0;
  for (const KeyAttribute& attribute : key.sort) {
    if (used == wanted) break;
    const KeyTerm* term = FindTerm(condition, attribute.name);
    if (term == nullptr) return several ? kSortFromTheLeft(attribute.name) : kMissed(attribute.name);
    RETURN_IF_ERROR(CheckTerm(attribute, *term));
    if (out.range) return kSortFromTheLeft(out.range->attribute);
    if (term->op == KeyTerm::Op::kEq) {
      out.sort_equal.push_back(term->first);
    } else {
      out.range = *term;
    }
    ++used;
  }
  if (used != wanted) return kNotSupported();
  return Ok();
}

}  // namespace

Result<KeyCondition> ParseKeyCondition(std::string_view text, Placeholders& placeholders) {
  ASSIGN_OR_RETURN(Condition condition, ParseCondition("KeyConditionExpression", text, placeholders));
  KeyCondition key_condition;
  RETURN_IF_ERROR(AddTerms(condition, key_condition));
  return key_condition;
}

Result<KeyQuery> BindKeyCondition(const KeyCondition& condition, const KeySchema& key, bool) {
  const bool simple = key.partition.size() == 1 && key.sort.size() <= 1;
  if (condition.terms.empty() || (simple && condition.terms.size() > 2)) return kKeyConditionCount();
  if (simple && !key.HasSort() && condition.terms.size() > 1) return kNotSupported();
  KeyQuery query;
  RETURN_IF_ERROR(BindPartition(condition, key, query));
  RETURN_IF_ERROR(BindSort(condition, key, query));
  return query;
}

}  // namespace keyfold::expr
