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
  if (access_.fetches) WriteText("Select", "ALL_ATTRIBUTES");
  if (!access_.forward && access_.operation == Operation::kQuery) WriteFlag("ScanIndexForward", false);
  if (pattern_.limit) WriteCount("Limit", *pattern_.limit);
  if (IsStrong()) WriteFlag("ConsistentRead", true);
}

void PatternFunction::WriteExpressions(const model::Write& write) {
  const auto value = [&](std::string_view name) { return InputOf(&write, name); };
  const bool depends = std::any_of(write.clauses.begin(), write.clauses.end(),
                                   [](const Clause& one) { return !one.guards.empty() || !one.given.empty(); });
  if (depends) return WriteGuardedUpdate(write, GuardedUpdateOf(write));
  const UpdateText text = UpdateOf(write);
  if (!text.update.empty()) WriteText("UpdateExpression", text.update);
  if (!write.condition.empty()) WriteText("ConditionExpression", write.condition);
  WriteAliases(text.aliases, {value});
}

const Input* PatternFunction::FindInputOf(const model::Write& write, std::string_view name) const {
  const Input* each = FindInput(write.each, name);
  return each != nullptr ? each : FindInput(access_.inputs, name);
}

// A condition on the item after the update, with the values that the program knows of it.
std::string PatternFunction::GuardOf(const model::Write& write, const Guard& guard) const {
  const Entity& entity = model_.entities[write.entity];
  const auto value = [&](std::string_view attribute) -> std::string {
    for (const KnownValue& one : write.known) {
      if (one.attribute != attribute) continue;
      const AttributeType type = entity.Find(attribute)->type;
      if (one.value.kind == Operand::Kind::kNow) return target_.Now(type);
      return one.value.IsLiteral() ? target_.TypedLiteral(type, one.value.text) : GivenInput(&write, one.value.text);
    }
    return "";
  };
  const std::string test = target_.Condition(*guard.condition, entity, value);
  return guard.holds ? test : target_.Not(test);
}

PatternFunction::GuardedUpdate PatternFunction::GuardedUpdateOf(const model::Write& write) const {
  constexpr std::pair<Clause::Kind, std::string_view> kWords[] = {{Clause::Kind::kSet, "SET"},
                                                                  {Clause::Kind::kRemove, "REMOVE"},
                                                                  {Clause::Kind::kAdd, "ADD"},
                                                                  {Clause::Kind::kDelete, "DELETE"}};
  GuardedUpdate update;
  for (const auto& [kind, word] : kWords) {
    ClauseList list{word, {}};
    for (const Clause& one : write.clauses) {
      if (one.kind != kind) continue;
      std::string test;
      for (const std::string& name : one.given) test = target_.Both(test, target_.IsThere(GivenInput(&write, name)));
      for (const Guard& guard : one.guards) test = target_.Both(test, GuardOf(write, guard));
      list.clauses.push_back({test, one.text});
    }
    if (!list.clauses.empty()) update.lists.push_back(std::move(list));
  }
  const std::vector<Assignment>& set = write.action->set;
  const bool patch = !set.empty() && write.action->remove.empty() &&
                     std::all_of(set.begin(), set.end(), [](const Assignment& one) { return one.optional; });
  for (const Clause& one : write.clauses) {
    for (const std::string& name : one.given) {
      const std::string input = GivenInput(&write, name);
      if (patch && !Contains(update.optional, input)) update.optional.push_back(input);
    }
  }
  return update;
}

std::string PatternFunction::GivenTest(const model::Write& write, const Formula& formula) const {
  std::string test;
  for (const Piece& piece : formula.pieces) {
    if (piece.kind != Piece::Kind::kInput && piece.kind != Piece::Kind::kShardOfHash) continue;
    const Input* input = FindInputOf(write, piece.text);
    if (input != nullptr && InputMayMiss(*input))
      test = target_.Both(test, target_.IsThere(GivenInput(&write, piece.text)));
  }
  return test;
}

std::string PatternFunction::EmptyRangeTest() const {
  const SortRange& range = access_.read().range;
  if (range.op != SortRange::Op::kBetween || range.of.empty()) return "";
  for (const Formula* one : {&range.low, &range.high}) {
    if (one->type != StoredType::kS && one->type != StoredType::kN) return "";
    for (const Piece& piece : one->pieces) {
      if (piece.kind == Piece::Kind::kShardEach || piece.kind == Piece::Kind::kBucket) return "";
    }
  }
  const std::vector<std::string> bounds = BoundsOf(pattern_);
  const auto value = [&](std::string_view name) { return InputOf(nullptr, name); };
  const Names names{value, &bounds};
  return target_.Call("isEmptyRange", {target_.Value(range.low, names), target_.Value(range.high, names)});
}

std::string PatternFunction::OwnTests() const {
  std::string all;
  const auto input = [&](std::string_view name) { return InputOf(nullptr, name); };
  for (const OwnTest& one : OwnTestsOf(model_, access_)) {
    const Attribute* declared = model_.entities[access_.read().wanted[0]].Find(one.attribute);
    const AttributeType type = declared != nullptr ? declared->type : AttributeType::kString;
    all = target_.Both(all, target_.OwnTestOf(one, type, input));
  }
  return all;
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
  const Entity& entity = model_.entities[write.entity];
  for (const KnownValue& one : write.known) {
    ItemSource source{write.entity, entity.Find(one.attribute), nullptr, "", false};
    if (one.value.kind == Operand::Kind::kNow) {
      source.value = target_.Now(source.attribute->type);
    } else if (one.value.IsLiteral()) {
      source.value = target_.TypedLiteral(source.attribute->type, one.value.text);
    } else {
      source.input = FindInputOf(write, one.value.text);
      source.each = FindInput(write.each, one.value.text) != nullptr;
      if (source.input == nullptr) continue;
    }
    sources.push_back(std::move(source));
  }
  return sources;
}

const Attribute* PatternFunction::HidesBy(const Returned& one) const {
  const Attribute* expiry = ExpiryOf(model_, model_.entities[one.entity]);
  if (expiry == nullptr) return nullptr;
  const bool given = std::find(one.attributes.begin(), one.attributes.end(), expiry->name) != one.attributes.end();
  const std::vector<const Comparison*> tests = ComparisonsOf(pattern_.where);
  const bool tested =
      std::any_of(tests.begin(), tests.end(), [&](const Comparison* test) { return test->attribute == expiry->name; });
  return given && !tested ? expiry : nullptr;
}

bool PatternFunction::IsConditional() const {
  return std::any_of(access_.writes.begin(), access_.writes.end(),
                     [](const model::Write& one) { return !one.condition.empty(); });
}

bool PatternFunction::TestsEntities(const std::vector<Returned>& returns) const {
  return returns.size() > 1 || !program_.CoversOnlyWanted(access_.read());
}

bool PatternFunction::LeavesOut(const std::vector<Returned>& returns) const {
  return TestsEntities(returns) || HidesBy(returns[0]) != nullptr;
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

std::vector<std::pair<std::string, std::string_view>> CursorKeyOf(const Model& model, const KeyRead& read) {
  std::vector<std::pair<std::string, std::string_view>> key;
  const Entity& entity = model.entities[read.wanted[0]];
  const auto add = [&](const KeySide& side) {
    for (const std::string& name : side) {
      const auto same = [&](const auto& one) { return one.first == name; };
      if (std::none_of(key.begin(), key.end(), same)) key.emplace_back(name, NameOf(entity.FindKey(name)->value.type));
    }
  };
  add(model.table.pk);
  add(model.table.sk);
  if (read.index) add(model.indexes[*read.index].pk), add(model.indexes[*read.index].sk);
  return key;
}

}  // namespace keyfold::model
