#include "model/generate/pattern_function.h"

#include <algorithm>

namespace keyfold::model {

void PatternFunction::Write() {
  WriteTypes();
  switch (access_.operation) {
    case Operation::kGetItem:
      return WriteGet();
    case Operation::kTransactGetItems:
      return WriteTransactGet();
    case Operation::kBatchGetItem:
      return WriteBatchGet();
    case Operation::kQuery:
    case Operation::kScan:
      return WriteQuery();
    case Operation::kTransactWriteItems:
      return WriteTransaction();
    case Operation::kBatchWriteItem:
      return WriteBatch();
    default:
      return WriteSingle();
  }
}

void PatternFunction::WriteQueryMembers(const std::string& shard) {
  const std::vector<std::string> bounds = BoundsOf(pattern_);
  const auto value = [&](std::string_view name) { return InputOf(nullptr, name); };
  if (pattern_.index) WriteText("IndexName", model_.indexes[*pattern_.index].name);
  if (!access_.key_condition.empty()) WriteText("KeyConditionExpression", access_.key_condition);
  if (!access_.filter.empty()) WriteText("FilterExpression", access_.filter);
  WriteAliases(access_.aliases, {value, &bounds, shard});
  if (!access_.forward && access_.operation == Operation::kQuery) WriteFlag("ScanIndexForward", false);
  if (pattern_.limit) WriteCount("Limit", *pattern_.limit);
  if (IsStrong()) WriteFlag("ConsistentRead", true);
}

void PatternFunction::WriteExpressions(const model::Write& write) {
  const auto value = [&](std::string_view name) { return InputOf(&write, name); };
  const bool depends =
      std::any_of(write.clauses.begin(), write.clauses.end(), [](const Clause& one) { return !one.guards.empty(); });
  if (depends)
    return WriteGuardedUpdate(write, ClausesOf(write, Clause::Kind::kSet), ClausesOf(write, Clause::Kind::kRemove));
  const UpdateText text = UpdateOf(write);
  if (!text.update.empty()) WriteText("UpdateExpression", text.update);
  if (!write.condition.empty()) WriteText("ConditionExpression", write.condition);
  WriteAliases(text.aliases, {value});
}

// The sparse rule for the item after the update, as a condition on the values set and the inputs of the key.
std::string PatternFunction::WhenOf(const model::Write& write, const Condition& condition) const {
  const Entity& entity = model_.entities[write.entity];
  const auto value = [&](std::string_view attribute) -> std::string {
    for (const Assignment& one : write.action->set) {
      if (one.attribute != attribute) continue;
      if (one.op != Assignment::Op::kSet || one.value.kind == Operand::Kind::kNow) return "";
      if (one.value.IsLiteral()) return target_.TypedLiteral(entity.Find(attribute)->type, one.value.text);
      return InputOf(&write, one.value.text);
    }
    const bool given = FindInput(write.each, attribute) != nullptr || FindInput(access_.inputs, attribute) != nullptr;
    return given ? InputOf(&write, attribute) : "";
  };
  return target_.Condition(condition, entity, value);
}

std::vector<PatternFunction::GuardedClause> PatternFunction::ClausesOf(const model::Write& write,
                                                                       Clause::Kind kind) const {
  std::vector<GuardedClause> clauses;
  for (const Clause& one : write.clauses) {
    if (one.kind == kind)
      clauses.push_back({one.guards.empty() ? "" : WhenOf(write, *one.guards[0].condition),
                         !one.guards.empty() && !one.guards[0].holds, one.text});
  }
  return clauses;
}

std::vector<std::string> PatternFunction::About() const {
  std::vector<std::string> lines;
  if (!pattern_.description.empty()) lines.push_back(Commented(pattern_.description));
  for (const std::string& line : RequestLines(model_, access_)) lines.push_back(Commented(line));
  lines.push_back("As planned: " + program_.costs[static_cast<size_t>(&access_ - program_.accesses.data())] + '.');
  for (const model::Write& write : access_.writes) {
    for (const StaleKey& stale : write.stale) {
      lines.push_back("Leaves " + Commented(stale.key_attribute) + " unchanged: " + Commented(Joined(stale.missing)) +
                      (stale.missing.size() == 1 ? " is" : " are") + " not known.");
    }
  }
  return lines;
}

std::vector<PatternFunction::ItemSource> PatternFunction::ItemSourcesOf(const model::Write& write) const {
  std::vector<ItemSource> sources;
  for (const Attribute& attribute : model_.entities[write.entity].attributes) {
    const auto is = [&](const ItemPart& one) { return one.attribute == attribute.name && !one.value.pieces.empty(); };
    const auto part = std::find_if(write.item.begin(), write.item.end(), is);
    const bool named = part != write.item.end() && part->value.pieces[0].kind == Piece::Kind::kInput;
    const std::string& name = named ? part->value.pieces[0].text : attribute.name;
    const Input* each = FindInput(write.each, name);
    const Input* input = each != nullptr ? each : FindInput(access_.inputs, name);
    if (input != nullptr) sources.push_back({&attribute, input, each != nullptr});
  }
  return sources;
}

const Attribute* PatternFunction::HidesBy(const Returned& one) const {
  const Attribute* expiry = ExpiryOf(model_, model_.entities[one.entity]);
  if (expiry == nullptr) return nullptr;
  const bool given = std::find(one.attributes.begin(), one.attributes.end(), expiry->name) != one.attributes.end();
  const auto tests = [&](const Comparison& test) { return test.attribute == expiry->name; };
  const bool tested = std::any_of(pattern_.where.all.begin(), pattern_.where.all.end(), tests);
  return given && !tested ? expiry : nullptr;
}

bool PatternFunction::IsConditional() const {
  return std::any_of(access_.writes.begin(), access_.writes.end(),
                     [](const model::Write& one) { return !one.condition.empty(); });
}

bool PatternFunction::TestsEntities(const std::vector<Returned>& returns) const {
  return returns.size() > 1 || !program_.CoversOnlyWanted(access_.read());
}

std::string_view ElementName(Verb verb) {
  switch (verb) {
    case Verb::kPut:
      return "Put";
    case Verb::kUpdate:
      return "Update";
    case Verb::kDelete:
      return "Delete";
    default:
      return "ConditionCheck";
  }
}

std::vector<KeyPart> WholeKey(const KeyRead& read) {
  std::vector<KeyPart> key = read.partition;
  key.insert(key.end(), read.sort.begin(), read.sort.end());
  return key;
}

}  // namespace keyfold::model
