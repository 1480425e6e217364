// Finds the keys to which a WHERE clause restricts its items. A clause that names a partition in every way it can be
// satisfied is divided into those ways, as in DynamoDB: each alternative of an OR that involves keys, and each element
// of a list of keys, is a branch, and each branch becomes a separate query.
#include "partiql/plan.h"

#include <algorithm>
#include <string>
#include <utility>

#include "partiql/where.h"

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
constexpr Rule<"Too many decomposed read operations for a given query."> kTooManyBranches{"partiql-too-many-branches",
                                                                                          Kind::kValidation};
constexpr Rule<"Multiple conditions on same key {}. Only single item Update/Insert/Delete are supported">
    kSeveralValues{"partiql-several-values", Kind::kValidation};
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

constexpr Rule<"Reads on indices are not supported within transactions."> kIndexInTransaction{
    "partiql-index-in-transaction", Kind::kValidation};

constexpr size_t kBranchesMax = 50;

using Conjuncts = std::vector<const expr::Condition*>;

// Collects the conditions that must all hold.
void CollectConjuncts(const expr::Condition& where, Conjuncts& out) {
  if (where.op == ConditionOp::kTrue) return;
  if (where.op != ConditionOp::kAnd) {
    out.push_back(&where);
    return;
  }
  for (const expr::Condition& child : where.children) CollectConjuncts(child, out);
}

expr::Condition AllOf(const Conjuncts& conjuncts) {
  if (conjuncts.empty()) return expr::Condition();
  if (conjuncts.size() == 1) return *conjuncts[0];
  expr::Condition all;
  all.op = ConditionOp::kAnd;
  for (const expr::Condition* conjunct : conjuncts) all.children.push_back(*conjunct);
  return all;
}

bool IsAttribute(const expr::Operand& operand, std::string_view name) {
  return operand.kind == expr::Operand::Kind::kPath && operand.path.steps.empty() && operand.path.root == name;
}

bool IsValueOperand(const expr::Operand& operand) { return operand.kind == expr::Operand::Kind::kValue; }

bool Names(const expr::Condition& condition, std::string_view attribute) {
  std::vector<std::string_view> names;
  expr::CollectAttributes(condition, names);
  return std::find(names.begin(), names.end(), attribute) != names.end();
}

// The value of `attribute = value`, in either order; null for anything else.
const Value* EqualValue(const expr::Condition& condition, std::string_view attribute) {
  if (condition.op != ConditionOp::kEq) return nullptr;
  const expr::Operand &left = condition.operands[0], &right = condition.operands[1];
  if (IsAttribute(left, attribute) && IsValueOperand(right)) return &right.value;
  if (IsAttribute(right, attribute) && IsValueOperand(left)) return &left.value;
  return nullptr;
}

bool IsMembership(const expr::Condition& condition, std::string_view attribute) {
  return condition.op == ConditionOp::kIn && condition.operands.size() > 1 &&
         IsAttribute(condition.operands[0], attribute) &&
         std::all_of(condition.operands.begin() + 1, condition.operands.end(), IsValueOperand);
}

// `mirrored`: the attribute is on the right.
std::optional<expr::KeyTerm::Op> TermOpOf(ConditionOp op, bool mirrored) {
  switch (op) {
    case ConditionOp::kEq:
      return expr::KeyTerm::Op::kEq;
    case ConditionOp::kLt:
      return mirrored ? expr::KeyTerm::Op::kGt : expr::KeyTerm::Op::kLt;
    case ConditionOp::kLe:
      return mirrored ? expr::KeyTerm::Op::kGe : expr::KeyTerm::Op::kLe;
    case ConditionOp::kGt:
      return mirrored ? expr::KeyTerm::Op::kLt : expr::KeyTerm::Op::kGt;
    case ConditionOp::kGe:
      return mirrored ? expr::KeyTerm::Op::kLe : expr::KeyTerm::Op::kGe;
    case ConditionOp::kBetween:
      return mirrored ? std::nullopt : std::optional(expr::KeyTerm::Op::kBetween);
    case ConditionOp::kBeginsWith:
      return mirrored ? std::nullopt : std::optional(expr::KeyTerm::Op::kBeginsWith);
    default:
      return std::nullopt;
  }
}

// The range of sort keys that a term allows.
struct Interval {
  std::optional<Value> low, high;
  bool low_open = false, high_open = false;
};

// The first text after all that start with a prefix; nullopt if there is none.
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

Interval IntervalOf(const expr::KeyTerm& term) {
  switch (term.op) {
    case expr::KeyTerm::Op::kEq:
      return {term.first, term.first};
    case expr::KeyTerm::Op::kLt:
      return {std::nullopt, term.first, false, true};
    case expr::KeyTerm::Op::kLe:
      return {std::nullopt, term.first};
    case expr::KeyTerm::Op::kGt:
      return {term.first, std::nullopt, true, false};
    case expr::KeyTerm::Op::kGe:
      return {term.first, std::nullopt};
    case expr::KeyTerm::Op::kBetween:
      return {term.first, term.second};
    case expr::KeyTerm::Op::kBeginsWith:
      return {term.first, BehindPrefix(term.first), false, true};
    case expr::KeyTerm::Op::kNotIndexable:
      break;
  }
  return {};
}

bool EndsBefore(const Interval& a, const Interval& b) {
  if (!a.high || !b.low) return false;
  const std::optional<int> order = expr::CompareValues(*a.high, *b.low);
  if (!order) return true;  // different types
  return *order < 0 || (*order == 0 && (a.high_open || b.low_open));
}

// One way to satisfy a clause: a partition, a range of sort keys in it, and the remaining conditions.
struct Branch {
  const Value* partition = nullptr;
  std::optional<expr::KeyTerm> sort;
  const expr::Condition* sort_source = nullptr;
  bool other_sort_condition = false;  // one that is not a range (<>, NOT, …), or a second one
  bool two_partitions = false;        // required at the same time
  bool never = false;                 // requires two sort keys at the same time
  Conjuncts rest;
};

// Divides clauses into branches. Immutable; the clause and the key must outlive it and its branches.
class Decomposition {
 public:
  enum class Types : uint8_t { kChecked, kFree };

  Decomposition(const KeySchema& key, Types types)
      : partition_(key.partition[0]), sort_(key.HasSort() ? &key.sort[0] : nullptr), types_(types) {}

  // Returns an empty list if items of any partition may satisfy the clause.
  Result<std::vector<Branch>> Decompose(const expr::Condition& where) const {
    std::vector<Branch> branches;
    const Extent extent = Measure(where);
    if (!extent.keyed) return branches;
    if (extent.branches > kBranchesMax) return kTooManyBranches();
    ASSIGN_OR_RETURN(branches, Expand(where));
    const auto two_partitions = [](const Branch& branch) { return branch.two_partitions; };
    if (std::any_of(branches.begin(), branches.end(), two_partitions)) branches.clear();
    return branches;
  }

 private:
  // The size of a condition's decomposition, computed without decomposing it: there may be any number of branches.
  struct Extent {
    bool keyed = false;  // each branch names a partition
    size_t branches = 1;
  };

  Extent Measure(const expr::Condition& condition) const {
    if (condition.op == ConditionOp::kAnd) {
      Extent all;
      for (const expr::Condition& child : condition.children) {
        const Extent extent = Measure(child);
        all.keyed = all.keyed || extent.keyed;
        all.branches = std::min(all.branches * extent.branches, kBranchesMax + 1);
      }
      return all;
    }
    if (IsSplit(condition)) {
      Extent any{true, 0};
      for (const expr::Condition& child : condition.children) {
        const Extent extent = Measure(child);
        any.keyed = any.keyed && extent.keyed;
        any.branches = std::min(any.branches + extent.branches, kBranchesMax + 1);
      }
      return any;
    }
    if (IsMembership(condition, partition_.name)) return {true, condition.operands.size() - 1};
    if (sort_ && IsMembership(condition, sort_->name)) return {false, condition.operands.size() - 1};
    return {EqualValue(condition, partition_.name) != nullptr, 1};
  }

  bool IsSplit(const expr::Condition& condition) const {
    return condition.op == ConditionOp::kOr &&
           (Names(condition, partition_.name) || (sort_ && Names(condition, sort_->name)));
  }

  Result<std::vector<Branch>> Expand(const expr::Condition& condition) const {
    if (condition.op == ConditionOp::kAnd) return ExpandAll(condition);
    std::vector<Branch> branches;
    if (IsSplit(condition)) {
      for (const expr::Condition& child : condition.children) {
        ASSIGN_OR_RETURN(std::vector<Branch> ways, Expand(child));
        for (Branch& way : ways) branches.push_back(std::move(way));
      }
      return branches;
    }
    const bool partitions = IsMembership(condition, partition_.name);
    if (partitions || (sort_ && IsMembership(condition, sort_->name))) {
      for (size_t i = 1; i < condition.operands.size(); ++i) {
        ASSIGN_OR_RETURN(branches.emplace_back(), OfValue(condition, condition.operands[i].value, partitions));
      }
      return branches;
    }
    ASSIGN_OR_RETURN(branches.emplace_back(), OfCondition(condition));
    return branches;
  }

  // Combines every branch of one child with every branch of the next.
  Result<std::vector<Branch>> ExpandAll(const expr::Condition& conjunction) const {
    std::vector<Branch> branches(1);
    for (const expr::Condition& child : conjunction.children) {
      ASSIGN_OR_RETURN(const std::vector<Branch> ways, Expand(child));
      std::vector<Branch> joined;
      for (const Branch& branch : branches) {
        for (const Branch& way : ways) joined.push_back(Join(branch, way));
      }
      branches = std::move(joined);
    }
    return branches;
  }

  Result<Branch> OfValue(const expr::Condition& source, const Value& value, bool is_partition) const {
    Branch branch;
    if (is_partition) {
      RETURN_IF_ERROR(CheckType(partition_, value));
      branch.partition = &value;
    } else {
      RETURN_IF_ERROR(CheckType(*sort_, value));
      branch.sort.emplace().attribute = sort_->name;
      branch.sort->first = value;
      branch.sort_source = &source;
    }
    return branch;
  }

  Result<Branch> OfCondition(const expr::Condition& condition) const {
    if (const Value* value = EqualValue(condition, partition_.name)) return OfValue(condition, *value, true);
    Branch branch;
    if (condition.op == ConditionOp::kTrue) return branch;
    if (sort_) {
      ASSIGN_OR_RETURN(branch.sort, TermOf(condition));
      branch.sort_source = &condition;
      if (branch.sort) return branch;
      branch.other_sort_condition = Names(condition, sort_->name);
    }
    branch.rest.push_back(&condition);
    return branch;
  }

  Branch Join(const Branch& a, const Branch& b) const {
    Branch joined = a;
    if (b.partition) {
      joined.two_partitions = joined.two_partitions || (a.partition && a.partition->view() != b.partition->view());
      joined.partition = b.partition;
    }
    joined.never = a.never || b.never;
    joined.other_sort_condition = a.other_sort_condition || b.other_sort_condition;
    joined.rest.insert(joined.rest.end(), b.rest.begin(), b.rest.end());
    if (!b.sort) return joined;
    if (a.sort) return JoinSorts(b, std::move(joined));
    joined.sort = b.sort;
    joined.sort_source = b.sort_source;
    return joined;
  }

  // Keeps one of the two as the range of sort keys, preferably an equality; the other becomes a filter.
  static Branch JoinSorts(const Branch& b, Branch joined) {
    const bool single = b.sort->op == expr::KeyTerm::Op::kEq;
    if (single && joined.sort->op == expr::KeyTerm::Op::kEq) {
      joined.never = joined.never || joined.sort->first.view() != b.sort->first.view();
      return joined;
    }
    const expr::Condition* tested = b.sort_source;
    if (single) {
      tested = joined.sort_source;
      joined.sort = b.sort;
      joined.sort_source = b.sort_source;
    }
    joined.rest.push_back(tested);
    joined.other_sort_condition = true;
    return joined;
  }

  // The condition as a term on the sort key; nullopt if it is not a range of sort keys.
  Result<std::optional<expr::KeyTerm>> TermOf(const expr::Condition& condition) const {
    std::optional<expr::KeyTerm> none;
    const std::vector<expr::Operand>& operands = condition.operands;
    if (operands.size() < 2) return none;
    const bool mirrored = !IsAttribute(operands[0], sort_->name);
    const auto op = TermOpOf(condition.op, mirrored);
    if (!op || !IsAttribute(operands[mirrored ? 1 : 0], sort_->name)) return none;
    for (size_t i = 0; i < operands.size(); ++i) {
      if (i == (mirrored ? 1u : 0u)) continue;
      if (!IsValueOperand(operands[i])) return none;
      RETURN_IF_ERROR(CheckType(*sort_, operands[i].value));
    }
    expr::KeyTerm term;
    term.attribute = sort_->name;
    term.op = *op;
    term.first = operands[mirrored ? 0 : 1].value;
    if (term.op == expr::KeyTerm::Op::kBetween) term.second = operands[2].value;
    return std::optional(std::move(term));
  }

  Status CheckType(const KeyAttribute& attribute, const Value& value) const {
    return types_ == Types::kFree || value.type() == attribute.type ? Ok() : kKeyType(attribute.name);
  }

  const KeyAttribute& partition_;
  const KeyAttribute* sort_;
  Types types_;
};

using Group = std::vector<Branch>;  // branches of one partition

std::vector<Group> GroupByPartition(std::vector<Branch> branches) {
  std::vector<Group> groups;
  for (Branch& branch : branches) {
    if (branch.never) continue;
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& candidate) {
      return candidate[0].partition->view() == branch.partition->view();
    });
    if (group != groups.end()) {
      group->push_back(std::move(branch));
    } else {
      groups.emplace_back().push_back(std::move(branch));
    }
  }
  return groups;
}

// Branches of one partition must not overlap in their sort keys, unless one of them has a condition on the sort key
// that is not a range.
Status CheckDisjoint(const Group& group) {
  std::vector<Interval> intervals;
  for (const Branch& branch : group) intervals.push_back(branch.sort ? IntervalOf(*branch.sort) : Interval());
  for (size_t i = 0; i < group.size(); ++i) {
    for (size_t j = i + 1; j < group.size(); ++j) {
      if (group[i].other_sort_condition || group[j].other_sort_condition) continue;
      if (!EndsBefore(intervals[i], intervals[j]) && !EndsBefore(intervals[j], intervals[i])) return kOverlapping();
    }
  }
  return Ok();
}

bool StartsBefore(const Branch& a, const Branch& b) {
  const Interval left = IntervalOf(*a.sort), right = IntervalOf(*b.sort);
  if (!left.low || !right.low) return !left.low && right.low;
  const int order = *expr::CompareValues(*left.low, *right.low);
  return order != 0 ? order < 0 : !left.low_open && right.low_open;
}

// Adds queries to a plan; those with the same conditions share their filter. Used by one thread at a time.
class PlanWriter {
 public:
  PlanWriter(const expr::Condition& where, const KeySchema& key, SelectPlan& plan)
      : where_(where), partition_(key.partition[0].name), plan_(plan) {}

  void AddQueries(Group& group) {
    const bool may_overlap =
        std::any_of(group.begin(), group.end(), [](const Branch& branch) { return branch.other_sort_condition; });
    if (may_overlap && group.size() > 1) return AddQuery(*group[0].partition, nullptr, {&where_});
    if (group.size() > 1) std::sort(group.begin(), group.end(), StartsBefore);
    if (!plan_.forward) std::reverse(group.begin(), group.end());
    for (const Branch& branch : group) {
      AddQuery(*branch.partition, branch.sort ? &*branch.sort : nullptr, branch.rest);
    }
  }

 private:
  void AddQuery(const Value& partition, const expr::KeyTerm* sort, const Conjuncts& tested) {
    PlannedQuery& query = plan_.queries.emplace_back();
    expr::KeyTerm& term = query.key.terms.emplace_back();
    term.attribute = partition_;
    term.first = partition;
    if (sort) query.key.terms.push_back(*sort);
    query.filter = static_cast<size_t>(std::find(filters_.begin(), filters_.end(), tested) - filters_.begin());
    if (query.filter < filters_.size()) return;
    filters_.push_back(tested);
    plan_.filters.push_back(AllOf(tested));
  }

  const expr::Condition& where_;
  const std::string& partition_;
  SelectPlan& plan_;
  std::vector<Conjuncts> filters_;  // parallel to plan_.filters
};

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

// If ORDER BY does not name the sort key, DynamoDB returns it in descending order.
bool IsForward(const Select& select, const KeySchema& key) {
  if (select.order.empty() || !key.HasSort()) return true;
  const OrderKey* order = FindOrder(select, key.sort[0].name);
  return order != nullptr && !order->descending;
}

void OrderGroups(const OrderKey& order, std::vector<Group>& groups) {
  std::sort(groups.begin(), groups.end(), [&](const Group& a, const Group& b) {
    const int compared = *expr::CompareValues(*a[0].partition, *b[0].partition);
    return order.descending ? compared > 0 : compared < 0;
  });
}

// Returns the key that a conjunction names; attributes without an equality are missing. `rest` receives the other
// conditions.
Item FindKey(const expr::Condition& where, const KeySchema& key, Conjuncts& rest) {
  CollectConjuncts(where, rest);
  std::string bytes;
  ValueWriter writer(bytes);
  writer.BeginItem();
  for (const KeyAttribute& attribute : key.attributes()) {
    const auto found = std::find_if(rest.begin(), rest.end(), [&](const expr::Condition* conjunct) {
      return EqualValue(*conjunct, attribute.name) != nullptr;
    });
    if (found == rest.end()) continue;
    writer.Name(attribute.name);
    writer.Copy(*EqualValue(**found, attribute.name));
    rest.erase(found);
  }
  writer.EndMap();
  return Item(std::move(bytes));
}

// Removes conditions from `rest` that repeat the key; another value for a key attribute is an error.
Status DropRepeatedKey(ItemView key, Conjuncts& rest) {
  for (const Entry part : key.entries()) {
    for (auto conjunct = rest.begin(); conjunct != rest.end();) {
      const Value* value = EqualValue(**conjunct, part.name);
      if (value && value->view() != part.value) return kSeveralValues(part.name);
      conjunct = value ? rest.erase(conjunct) : conjunct + 1;
    }
  }
  return Ok();
}

Status KeyHasTypes(ItemView item, const KeySchema& key) {
  for (const KeyAttribute& attribute : key.attributes()) {
    if (item.Find(attribute.name)->type() != attribute.type) return kKeyType(attribute.name);
  }
  return Ok();
}

Error ReadFormError(StatementUse use) {
  return kReadForm(std::string_view(use == StatementUse::kBatch ? "BatchExecuteStatement" : "ExecuteTransaction"));
}

}  // namespace

Result<SelectPlan> PlanSelect(const Select& select, const KeySchema& key) {
  if (key.partition.size() > 1 || key.sort.size() > 1) return kMultiAttribute();
  const Decomposition decomposition(key, Decomposition::Types::kChecked);
  ASSIGN_OR_RETURN(std::vector<Branch> branches, decomposition.Decompose(select.where));
  const auto never = [](const Branch& branch) { return branch.never; };
  if (!branches.empty() && std::all_of(branches.begin(), branches.end(), never)) {
    branches.resize(1);
    branches[0].never = false;
    branches[0].rest = {&select.where};
  }
  std::vector<Group> groups = GroupByPartition(std::move(branches));
  RETURN_IF_ERROR(CheckOrder(select, key, groups.size()));
  SelectPlan plan;
  plan.forward = IsForward(select, key);
  if (groups.empty()) {
    plan.filters.push_back(select.where);
    return plan;
  }
  if (const OrderKey* order = FindOrder(select, key.partition[0].name)) OrderGroups(*order, groups);
  PlanWriter writer(select.where, key, plan);
  for (Group& group : groups) {
    RETURN_IF_ERROR(CheckDisjoint(group));
    writer.AddQueries(group);
  }
  return plan;
}

Result<KeyedWrite> PlanWrite(const expr::Condition& where, const KeySchema& key, StatementUse use) {
  Conjuncts rest;
  KeyedWrite write{FindKey(where, key, rest), std::nullopt};
  RETURN_IF_ERROR(DropRepeatedKey(write.key, rest));
  if (use != StatementUse::kTransaction) {
    if (write.key.view().count() != key.attributes().size()) return kIncompleteKey();
    RETURN_IF_ERROR(KeyHasTypes(write.key, key));
  }
  if (!rest.empty()) write.condition = AllOf(rest);
  return write;
}

Result<KeyedWrite> PlanExists(const Select& select, const KeySchema& key) {
  Conjuncts rest;
  Item found = FindKey(select.where, key, rest);
  const bool whole = found.view().count() == key.attributes().size();
  if (!whole || rest.empty() || !select.index.empty()) return kExistsForm();
  return KeyedWrite{std::move(found), AllOf(rest)};
}

Result<Item> PlanRead(const Select& select, const KeySchema& key, StatementUse use) {
  const bool batch = use == StatementUse::kBatch;
  if (!select.index.empty()) return batch ? ReadFormError(use) : kIndexInTransaction();
  const Decomposition decomposition(key, batch ? Decomposition::Types::kChecked : Decomposition::Types::kFree);
  ASSIGN_OR_RETURN(std::vector<Branch> branches, decomposition.Decompose(select.where));
  const std::vector<Group> groups = GroupByPartition(std::move(branches));
  for (const Group& group : groups) RETURN_IF_ERROR(CheckDisjoint(group));
  if (groups.size() != 1 || groups[0].size() != 1) return ReadFormError(use);
  const Branch& branch = groups[0][0];
  const bool has_sort = branch.sort && branch.sort->op == expr::KeyTerm::Op::kEq;
  if (!branch.rest.empty() || has_sort != key.HasSort()) return ReadFormError(use);
  std::string bytes;
  ValueWriter writer(bytes);
  writer.BeginItem();
  writer.Name(key.partition[0].name);
  writer.Copy(*branch.partition);
  if (has_sort) {
    writer.Name(key.sort[0].name);
    writer.Copy(branch.sort->first);
  }
  writer.EndMap();
  return Item(std::move(bytes));
}

}  // namespace keyfold::partiql
