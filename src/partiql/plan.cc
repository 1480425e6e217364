// Finds in a WHERE clause the keys it confines its items to. A clause is taken as a conjunction; where one of its terms
// is an OR whose every branch names a partition, each branch becomes a query of its own.
#include "partiql/plan.h"

#include <algorithm>
#include <string>
#include <utility>

namespace keyfold::partiql {
namespace {

constexpr Rule<
    "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE keys.">
    kMultiAttribute{"partiql-multi-attribute", Kind::kValidation};
constexpr Rule<"Key attribute's data type should match its data type in table's schema: Key {}"> kKeyType{
    "partiql-key-type", Kind::kValidation};
constexpr Rule<"Where clause does not contain a mandatory equality on all key attributes"> kIncompleteKey{
    "partiql-incomplete-key", Kind::kValidation};
constexpr Rule<"Overlapping conditions with range keys are not supported in where clause"> kOverlapping{
    "partiql-overlapping", Kind::kValidation};
constexpr Rule<"The IN operator is provided with too many operands; number of operands: {}"> kTooManyPartitions{
    "partiql-too-many-partitions", Kind::kValidation};
constexpr Rule<"Must have WHERE clause in the statement when using ORDER BY clause."> kOrderNeedsWhere{
    "partiql-order-where", Kind::kValidation};
constexpr Rule<"Attribute {} in ORDER BY clause must be part of the primary key"> kOrderAttribute{
    "partiql-order-attribute", Kind::kValidation};
constexpr Rule<"Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.">
    kOrderNeedsPartition{"partiql-order-partition", Kind::kValidation};
constexpr Rule<"Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE clause.">
    kOrderNamesPartition{"partiql-order-names-partition", Kind::kValidation};
constexpr Rule<"EXISTS() must contain a single item read with additional condition"> kExistsForm{"partiql-exists",
                                                                                                 Kind::kValidation};
constexpr Rule<"Select statements within {} must specify the primary key in the where clause."> kReadForm{
    "partiql-read-key", Kind::kValidation};

constexpr size_t kPartitionsMax = 50;

using Op = Condition::Op;
using Conjuncts = std::vector<const Condition*>;

// What all has to hold, as separate conditions.
void CollectConjuncts(const Condition& where, Conjuncts& out) {
  if (where.op == Op::kTrue) return;
  if (where.op != Op::kAnd) {
    out.push_back(&where);
    return;
  }
  for (const Condition& child : where.children) CollectConjuncts(child, out);
}

Condition AllOf(const Conjuncts& conjuncts) {
  if (conjuncts.empty()) return Condition();
  if (conjuncts.size() == 1) return *conjuncts[0];
  Condition all;
  all.op = Op::kAnd;
  for (const Condition* conjunct : conjuncts) all.children.push_back(*conjunct);
  return all;
}

bool IsAttribute(const Operand& operand, std::string_view name) {
  return operand.kind == Operand::Kind::kPath && operand.path.steps.empty() && operand.path.root == name;
}

bool IsValueOperand(const Operand& operand) { return operand.kind == Operand::Kind::kValue; }

bool Names(const Condition& condition, std::string_view attribute) {
  std::vector<std::string_view> names;
  CollectAttributes(condition, names);
  return std::find(names.begin(), names.end(), attribute) != names.end();
}

// The value of `attribute = value`, either way round; null for anything else.
const Value* EqualValue(const Condition& condition, std::string_view attribute) {
  if (condition.op != Op::kEq) return nullptr;
  const Operand &left = condition.operands[0], &right = condition.operands[1];
  if (IsAttribute(left, attribute) && IsValueOperand(right)) return &right.value;
  if (IsAttribute(right, attribute) && IsValueOperand(left)) return &left.value;
  return nullptr;
}

bool IsMembership(const Condition& condition, std::string_view attribute) {
  return condition.op == Op::kIn && condition.operands.size() > 1 && IsAttribute(condition.operands[0], attribute) &&
         std::all_of(condition.operands.begin() + 1, condition.operands.end(), IsValueOperand);
}

// `mirrored`: the attribute stands on the right.
std::optional<KeyTerm::Op> TermOpOf(Op op, bool mirrored) {
  switch (op) {
    case Op::kEq:
      return KeyTerm::Op::kEq;
    case Op::kLt:
      return mirrored ? KeyTerm::Op::kGt : KeyTerm::Op::kLt;
    case Op::kLe:
      return mirrored ? KeyTerm::Op::kGe : KeyTerm::Op::kLe;
    case Op::kGt:
      return mirrored ? KeyTerm::Op::kLt : KeyTerm::Op::kGt;
    case Op::kGe:
      return mirrored ? KeyTerm::Op::kLe : KeyTerm::Op::kGe;
    case Op::kBetween:
      return mirrored ? std::nullopt : std::optional(KeyTerm::Op::kBetween);
    case Op::kBeginsWith:
      return mirrored ? std::nullopt : std::optional(KeyTerm::Op::kBeginsWith);
    default:
      return std::nullopt;
  }
}

Status CheckType(const KeyAttribute& attribute, const Value& value) {
  return value.type() == attribute.type ? Ok() : kKeyType(attribute.name);
}

// The condition as one on a sort key; none where no range of sort keys is what it says.
Result<std::optional<KeyTerm>> TermOf(const Condition& condition, const KeyAttribute& attribute) {
  std::optional<KeyTerm> none;
  const std::vector<Operand>& operands = condition.operands;
  if (operands.size() < 2) return none;
  const bool mirrored = !IsAttribute(operands[0], attribute.name);
  const auto op = TermOpOf(condition.op, mirrored);
  if (!op || !IsAttribute(operands[mirrored ? 1 : 0], attribute.name)) return none;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (i == (mirrored ? 1u : 0u)) continue;
    if (!IsValueOperand(operands[i])) return none;
    RETURN_IF_ERROR(CheckType(attribute, operands[i].value));
  }
  KeyTerm term;
  term.attribute = attribute.name;
  term.op = *op;
  term.first = operands[mirrored ? 0 : 1].value;
  if (term.op == KeyTerm::Op::kBetween) term.second = operands[2].value;
  return std::optional(std::move(term));
}

// The sort keys a term allows.
struct Interval {
  std::optional<Value> low, high;
  bool low_open = false, high_open = false;
};

// The first text behind all that start with a prefix; none where there is no such text.
std::optional<Value> BehindPrefix(ValueView prefix) {
  std::string text(prefix.AsText());
  while (!text.empty() && static_cast<uint8_t>(text.back()) == 0xFF) text.pop_back();
  if (text.empty()) return std::nullopt;
  text.back() = static_cast<char>(static_cast<uint8_t>(text.back()) + 1);
  std::string bytes;
  ValueWriter writer(bytes);
  prefix.type() == Type::kS ? writer.String(text) : writer.Binary(text);
  return Value(std::move(bytes));
}

Interval IntervalOf(const KeyTerm& term) {
  switch (term.op) {
    case KeyTerm::Op::kEq:
      return {term.first, term.first};
    case KeyTerm::Op::kLt:
      return {std::nullopt, term.first, false, true};
    case KeyTerm::Op::kLe:
      return {std::nullopt, term.first};
    case KeyTerm::Op::kGt:
      return {term.first, std::nullopt, true, false};
    case KeyTerm::Op::kGe:
      return {term.first, std::nullopt};
    case KeyTerm::Op::kBetween:
      return {term.first, term.second};
    case KeyTerm::Op::kBeginsWith:
      return {term.first, BehindPrefix(term.first), false, true};
    case KeyTerm::Op::kNotIndexable:
      break;
  }
  return {};
}

bool EndsBefore(const Interval& a, const Interval& b) {
  if (!a.high || !b.low) return false;
  const int order = *CompareValues(*a.high, *b.low);
  return order < 0 || (order == 0 && (a.high_open || b.low_open));
}

// One way to satisfy a clause: a partition, and the range of sort keys it asks for there.
struct Branch {
  Value partition;
  std::optional<KeyTerm> sort;
  bool other_sort_condition = false;  // one that is no range: <>, NOT, IN, …
};

// Splits a clause into branches. One thread at a time; the clause and the key outlive it.
class Partitions {
 public:
  explicit Partitions(const KeySchema& key)
      : partition_(key.partition[0]), sort_(key.HasSort() ? &key.sort[0] : nullptr) {}

  // What a conjunction comes to.
  struct Found {
    std::vector<Branch> branches;  // none: items of any partition may satisfy it
    std::optional<KeyTerm> sort;   // of the conjunction itself
    bool other_sort_condition = false;
    Conjuncts rest;  // what these say nothing of; all of it where a branch has conditions of its own
  };

  Result<Found> Find(const Condition& where) const {
    Conjuncts conjuncts;
    CollectConjuncts(where, conjuncts);
    Found found;
    bool plain = true;
    ASSIGN_OR_RETURN(const Condition* const pin, FindPin(conjuncts, found.branches, plain));
    for (const Condition* conjunct : conjuncts) {
      if (conjunct == pin && plain) continue;
      ASSIGN_OR_RETURN(const bool taken, TakeSort(*conjunct, conjunct != pin && !found.branches.empty(), found));
      if (!taken || !plain) found.rest.push_back(conjunct);
    }
    return found;
  }

 private:
  // Equalities first, then lists, then alternatives. `plain`: it only names partitions.
  Result<const Condition*> FindPin(const Conjuncts& conjuncts, std::vector<Branch>& out, bool& plain) const {
    for (const Condition* conjunct : conjuncts) {
      const Value* value = EqualValue(*conjunct, partition_.name);
      if (value == nullptr) continue;
      RETURN_IF_ERROR(AddBranch(*value, out));
      return conjunct;
    }
    for (const Condition* conjunct : conjuncts) {
      if (!IsMembership(*conjunct, partition_.name)) continue;
      RETURN_IF_ERROR(AddBranches(*conjunct, out));
      return conjunct;
    }
    for (const Condition* conjunct : conjuncts) {
      if (conjunct->op != Op::kOr) continue;
      ASSIGN_OR_RETURN(const bool every, AddAlternatives(*conjunct, out, plain));
      if (every) return conjunct;
      out.clear();
      plain = true;
    }
    return nullptr;
  }

  Status AddBranch(const Value& value, std::vector<Branch>& out) const {
    RETURN_IF_ERROR(CheckType(partition_, value));
    out.push_back({value, std::nullopt, false});
    return Ok();
  }

  Status AddBranches(const Condition& membership, std::vector<Branch>& out) const {
    for (size_t i = 1; i < membership.operands.size(); ++i) {
      const Value& value = membership.operands[i].value;
      const bool seen = std::any_of(out.begin(), out.end(),
                                    [&](const Branch& branch) { return branch.partition.view() == value.view(); });
      if (!seen) RETURN_IF_ERROR(AddBranch(value, out));
    }
    return Ok();
  }

  // False where an alternative leaves the partition open.
  Result<bool> AddAlternatives(const Condition& either, std::vector<Branch>& out, bool& plain) const {
    for (const Condition& child : either.children) {
      ASSIGN_OR_RETURN(Found found, Find(child));
      if (found.branches.empty()) return false;
      plain = plain && found.rest.empty() && !found.sort && !found.other_sort_condition;
      for (Branch& branch : found.branches) {
        if (!branch.sort) branch.sort = found.sort;
        branch.other_sort_condition = branch.other_sort_condition || found.other_sort_condition;
        plain = plain && !branch.sort && !branch.other_sort_condition;
        out.push_back(std::move(branch));
      }
    }
    return true;
  }

  // True where the conjunct becomes the conjunction's range of sort keys.
  Result<bool> TakeSort(const Condition& conjunct, bool allowed, Found& found) const {
    if (sort_ == nullptr || !allowed) return false;
    if (!found.sort) {
      ASSIGN_OR_RETURN(found.sort, TermOf(conjunct, *sort_));
      if (found.sort) return true;
    }
    found.other_sort_condition = found.other_sort_condition || Names(conjunct, sort_->name);
    return false;
  }

  const KeyAttribute& partition_;
  const KeyAttribute* sort_;
};

using Group = std::vector<Branch>;  // of one partition

std::vector<Group> GroupByPartition(std::vector<Branch> branches) {
  std::vector<Group> groups;
  for (Branch& branch : branches) {
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& candidate) {
      return candidate[0].partition.view() == branch.partition.view();
    });
    if (group != groups.end()) {
      group->push_back(std::move(branch));
    } else {
      groups.emplace_back().push_back(std::move(branch));
    }
  }
  return groups;
}

// Branches of one partition must not want the same sort keys, unless none of them asks for a range, or one asks for
// something that is none.
Status CheckDisjoint(const Group& group) {
  std::vector<Interval> intervals;
  for (const Branch& branch : group) intervals.push_back(branch.sort ? IntervalOf(*branch.sort) : Interval());
  for (size_t i = 0; i < group.size(); ++i) {
    for (size_t j = i + 1; j < group.size(); ++j) {
      if (group[i].other_sort_condition || group[j].other_sort_condition) continue;
      if (!group[i].sort && !group[j].sort) continue;
      if (!EndsBefore(intervals[i], intervals[j]) && !EndsBefore(intervals[j], intervals[i])) return kOverlapping();
    }
  }
  return Ok();
}

bool StartsBefore(const Branch& a, const Branch& b) {
  const Interval left = IntervalOf(*a.sort), right = IntervalOf(*b.sort);
  if (!left.low || !right.low) return !left.low && right.low;
  return *CompareValues(*left.low, *right.low) < 0;
}

bool HasRange(const Branch& branch) { return branch.sort.has_value(); }

void AddQuery(const KeyAttribute& partition, const Value& value, const std::optional<KeyTerm>& sort, SelectPlan& out) {
  KeyCondition& query = out.queries.emplace_back();
  KeyTerm& term = query.terms.emplace_back();
  term.attribute = partition.name;
  term.first = value;
  if (sort) query.terms.push_back(*sort);
}

Status AddQueries(const KeyAttribute& partition, Group& group, const std::optional<KeyTerm>& sort, SelectPlan& out) {
  RETURN_IF_ERROR(CheckDisjoint(group));
  const bool ranges = std::all_of(group.begin(), group.end(), HasRange);
  const bool overlap =
      std::any_of(group.begin(), group.end(), [](const Branch& branch) { return branch.other_sort_condition; });
  if (!ranges || (overlap && group.size() > 1)) {
    const bool none = std::none_of(group.begin(), group.end(), HasRange);
    AddQuery(partition, group[0].partition, none ? sort : std::nullopt, out);
    return Ok();
  }
  std::sort(group.begin(), group.end(), StartsBefore);
  if (!out.forward) std::reverse(group.begin(), group.end());
  for (const Branch& branch : group) AddQuery(partition, branch.partition, branch.sort, out);
  return Ok();
}

const OrderKey* FindOrder(const Select& select, std::string_view attribute) {
  for (const OrderKey& order : select.order) {
    if (order.attribute == attribute) return &order;
  }
  return nullptr;
}

Status CheckOrder(const Select& select, const KeySchema& key, size_t partitions) {
  if (select.order.empty()) return Ok();
  if (!select.has_where) return kOrderNeedsWhere();
  for (const OrderKey& order : select.order) {
    if (!key.Names(order.attribute)) return kOrderAttribute(order.attribute);
  }
  if (partitions == 0) return kOrderNeedsPartition();
  if (partitions > 1 && FindOrder(select, key.partition[0].name) == nullptr) return kOrderNamesPartition();
  return Ok();
}

// Under an ORDER BY that does not name it, DynamoDB answers the sort key in descending order.
bool IsForward(const Select& select, const KeySchema& key) {
  if (select.order.empty() || !key.HasSort()) return true;
  const OrderKey* order = FindOrder(select, key.sort[0].name);
  return order != nullptr && !order->descending;
}

void OrderGroups(const OrderKey& order, std::vector<Group>& groups) {
  std::sort(groups.begin(), groups.end(), [&](const Group& a, const Group& b) {
    const int compared = *CompareValues(a[0].partition, b[0].partition);
    return order.descending ? compared > 0 : compared < 0;
  });
}

// The key, or none where an attribute of it has no equality; `rest` is what else there is.
Result<std::optional<Item>> FindKey(const Condition& where, const KeySchema& key, Conjuncts& rest) {
  CollectConjuncts(where, rest);
  std::string bytes;
  ValueWriter writer(bytes);
  writer.BeginItem();
  for (const auto* side : {&key.partition, &key.sort}) {
    for (const KeyAttribute& attribute : *side) {
      const auto found = std::find_if(rest.begin(), rest.end(), [&](const Condition* conjunct) {
        return EqualValue(*conjunct, attribute.name) != nullptr;
      });
      if (found == rest.end()) return std::optional<Item>();
      const Value& value = *EqualValue(**found, attribute.name);
      RETURN_IF_ERROR(CheckType(attribute, value));
      writer.Name(attribute.name);
      writer.Copy(value);
      rest.erase(found);
    }
  }
  writer.EndMap();
  return std::optional(Item(std::move(bytes)));
}

}  // namespace

Result<SelectPlan> PlanSelect(const Select& select, const KeySchema& key) {
  if (key.partition.size() > 1 || key.sort.size() > 1) return kMultiAttribute();
  ASSIGN_OR_RETURN(Partitions::Found found, Partitions(key).Find(select.where));
  std::vector<Group> groups = GroupByPartition(std::move(found.branches));
  RETURN_IF_ERROR(CheckOrder(select, key, groups.size()));
  SelectPlan plan;
  plan.forward = IsForward(select, key);
  if (groups.empty()) {
    plan.filter = select.where;
    return plan;
  }
  if (groups.size() > kPartitionsMax) return kTooManyPartitions(groups.size() + 1);
  if (const OrderKey* order = FindOrder(select, key.partition[0].name)) OrderGroups(*order, groups);
  for (Group& group : groups) RETURN_IF_ERROR(AddQueries(key.partition[0], group, found.sort, plan));
  plan.filter = AllOf(found.rest);
  return plan;
}

Result<KeyedWrite> PlanWrite(const Condition& where, const KeySchema& key) {
  Conjuncts rest;
  ASSIGN_OR_RETURN(std::optional<Item> found, FindKey(where, key, rest));
  if (!found) return kIncompleteKey();
  KeyedWrite write{std::move(*found), std::nullopt};
  if (!rest.empty()) write.condition = AllOf(rest);
  return write;
}

Result<KeyedWrite> PlanExists(const Select& select, const KeySchema& key) {
  Conjuncts rest;
  ASSIGN_OR_RETURN(std::optional<Item> found, FindKey(select.where, key, rest));
  if (!found || rest.empty() || !select.index.empty()) return kExistsForm();
  return KeyedWrite{std::move(*found), AllOf(rest)};
}

Result<Item> PlanRead(const Select& select, const KeySchema& key, std::string_view operation) {
  if (!select.index.empty()) return kReadForm(operation);
  Conjuncts rest;
  ASSIGN_OR_RETURN(std::optional<Item> found, FindKey(select.where, key, rest));
  if (!found || !rest.empty()) return kReadForm(operation);
  return std::move(*found);
}

}  // namespace keyfold::partiql
