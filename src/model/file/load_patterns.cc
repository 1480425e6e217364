// Loads the patterns of a model file: the verb and its entities or actions, what the caller gives, what is read and how
// often.
#include <algorithm>

#include "model/core/names.h"
#include "model/file/fields.h"
#include "model/file/loader.h"

namespace keyfold::model {
namespace {

constexpr Rule<"{} is allowed only for {}"> kFieldUse{"pattern-field-use", Kind::kValidation};
constexpr Rule<"batch_write takes put and delete without conditions; use transact for {}"> kBatchWrite{
    "pattern-batch-write", Kind::kValidation};
constexpr Rule<"{} has no actions"> kNoActions{"pattern-actions", Kind::kValidation};
constexpr Rule<"{} is given twice; name each attribute once"> kGivenTwice{"pattern-by-twice", Kind::kValidation};
constexpr Rule<"{} must be one of several entities that {} queries, the one whose item the read starts at"> kFrom{
    "pattern-from", Kind::kValidation};

struct NamedVerb {
  std::string_view name;
  Verb verb;
};
constexpr NamedVerb kVerbs[] = {
    {"get", Verb::kGet},
    {"query", Verb::kQuery},
    {"scan", Verb::kScan},
    {"put", Verb::kPut},
    {"update", Verb::kUpdate},
    {"delete", Verb::kDelete},
    {"batch_get", Verb::kBatchGet},
    {"batch_write", Verb::kBatchWrite},
    {"transact", Verb::kTransact},
    {"transact_get", Verb::kTransactGet},
};

Operand OperandOf(const Node& node) {
  return BoundOperand(node.text, node.kind == Node::Kind::kInteger || node.kind == Node::Kind::kFloat);
}

}  // namespace

Fault Loader::ReadPatterns(const Node& node) {
  for (const Node& child : node.children) {
    if (Fault fault = ReadPattern(child, model_.patterns.emplace_back())) return fault;
  }
  for (PatternId id = 0; id < model_.patterns.size(); ++id) model_.pattern_ids.emplace(model_.patterns[id].name, id);
  return {};
}

Fault Loader::ReadPattern(const Node& node, Pattern& out) {
  out.name = node.key;
  out.mark = node.key_mark;
  if (Fault fault = ReadVerb(node, out)) return fault;
  if (Fault fault = CheckFieldUse(node, out)) return fault;
  if (Fault fault = ReadSelection(node, out)) return fault;
  if (Fault fault = ReadRange(node, out)) return fault;
  ReadPlain(node, out);
  return {};
}

Fault Loader::ReadVerb(const Node& node, Pattern& out) {
  for (const NamedVerb& one : kVerbs) {
    const Node* value = node.Find(one.name);
    if (value == nullptr) continue;
    out.verb = one.verb;
    out.verb_mark = value->key_mark;
    if (!out.Reads()) {
      if (Fault fault = ReadActions(*value, out)) return fault;
      return ReadStandalone(node, out);
    }
    for (const Phrase& name : PhrasesOf(*value)) {
      if (Fault fault = FindEntity(model_, name, out.entities.emplace_back())) return fault;
    }
  }
  return {};
}

Fault Loader::ReadActions(const Node& node, Pattern& out) {
  const bool list = out.verb == Verb::kTransact || out.verb == Verb::kBatchWrite;
  if (!list) return ParseActionOf(out.verb, node.phrase(), model_, out.actions.emplace_back());
  if (node.children.empty()) return Unreadable(node.mark, kNoActions(out.name));
  for (const Node& child : node.children) {
    Action& action = out.actions.emplace_back();
    if (Fault fault = ParseAction(child.phrase(), model_, action)) return fault;
    const bool plain =
        (action.verb == Verb::kPut || action.verb == Verb::kDelete) && !action.if_new && action.condition.empty();
    if (out.verb == Verb::kBatchWrite && !plain) return Unreadable(action.mark, kBatchWrite(child.text));
  }
  return {};
}

// Reads set, remove and if of a standalone put, update or delete.
Fault Loader::ReadStandalone(const Node& node, Pattern& out) {
  const bool single = out.verb == Verb::kPut || out.verb == Verb::kUpdate || out.verb == Verb::kDelete;
  if (!single) return {};
  Action& action = out.actions[0];
  if (const Node* set = node.Find("set")) {
    for (const Phrase& one : PhrasesOf(*set)) {
      if (Fault fault = ParseAssignment(one, model_, action.entity, action.set.emplace_back())) return fault;
    }
    if (Fault fault = CheckAssignments(action)) return fault;
  }
  if (const Node* remove = node.Find("remove")) {
    for (const Phrase& one : PhrasesOf(*remove)) {
      if (Fault fault = CheckRemoved(one, model_, action.entity)) return fault;
      action.remove.emplace_back(one.text);
    }
  }
  const Node* condition = node.Find("if");
  if (condition == nullptr) return {};
  action.condition = {};
  return ParseCondition(condition->phrase(), AttributeScope(model_.entities[action.entity]), action.condition);
}

Fault Loader::CheckFieldUse(const Node& node, const Pattern& pattern) const {
  const auto only = [&](std::string_view field, bool fits, std::string_view verbs) -> Fault {
    const Node* value = node.Find(field);
    if (value == nullptr || fits) return {};
    return Unreadable(value->key_mark, kFieldUse(field, verbs));
  };
  const bool update = pattern.verb == Verb::kUpdate;
  if (Fault fault = only("set", update, "update")) return fault;
  if (Fault fault = only("remove", update, "update")) return fault;
  if (Fault fault = only("from", pattern.verb == Verb::kQuery, "query")) return fault;
  const bool write = update || pattern.verb == Verb::kPut || pattern.verb == Verb::kDelete;
  if (Fault fault = only("if", write, "put, update and delete")) return fault;
  return only("token", pattern.verb == Verb::kTransact, "transact");
}

Fault Loader::ReadNames(const Node* node, const Pattern& pattern, std::vector<std::string>& out) const {
  if (node == nullptr) return {};
  const AttributeScope scope(model_, pattern);
  for (const Phrase& name : PhrasesOf(*node)) {
    if (scope.Find(name.text) == nullptr) return scope.Missing(name.mark, name.text);
    out.emplace_back(name.text);
  }
  return {};
}

Fault Loader::ReadBy(const Node& node, Pattern& out) const {
  const Node* by = node.Find("by");
  if (by == nullptr) return {};
  out.by_mark = by->key_mark;
  for (const Phrase& one : PhrasesOf(*by)) {
    Binding given;
    if (Fault fault = ParseGiven(one, model_, out, given)) return fault;
    const auto same = [&](const Binding& other) {
      return other.attribute == given.attribute && other.entity == given.entity;
    };
    if (std::any_of(out.by.begin(), out.by.end(), same)) return Unreadable(given.mark, kGivenTwice(given.attribute));
    out.by.push_back(std::move(given));
  }
  return {};
}

Fault Loader::ReadFrom(const Node& node, Pattern& out) const {
  const Node* from = node.Find("from");
  if (from == nullptr) return {};
  out.from_mark = from->mark;
  if (Fault fault = FindEntity(model_, from->phrase(), out.from.emplace())) return fault;
  const bool wanted = std::find(out.entities.begin(), out.entities.end(), *out.from) != out.entities.end();
  if (!wanted || out.entities.size() < 2) return Unreadable(from->mark, kFrom(from->text, out.name));
  return {};
}

Fault Loader::ReadSelection(const Node& node, Pattern& out) {
  if (Fault fault = ReadBy(node, out)) return fault;
  if (const Node* needs = node.Find("needs")) {
    if (Fault fault = ReadNames(needs, out, out.needs.emplace())) return fault;
  }
  if (const Node* merge = node.Find("merge")) {
    if (Fault fault = ReadNames(merge, out, out.merge.emplace())) return fault;
  }
  if (const Node* index = node.Find("index")) {
    out.index_mark = index->mark;
    if (Fault fault = FindIndex(model_, index->phrase(), out.index.emplace())) return fault;
  }
  if (Fault fault = ReadFrom(node, out)) return fault;
  const Node* where = node.Find("where");
  if (where == nullptr) return {};
  return ParseCondition(where->phrase(), AttributeScope(model_, out), out.where);
}

Fault Loader::ReadRange(const Node& node, Pattern& out) {
  const AttributeScope scope(model_, out);
  if (const Node* between = node.Find("between")) {
    const Node& one = between->children[0];
    if (scope.Find(one.key) == nullptr) return scope.Missing(one.key_mark, one.key);
    out.between = Between{one.key, one.key_mark, OperandOf(one.children[0]), OperandOf(one.children[1])};
  }
  if (const Node* begins = node.Find("begins")) {
    const Node& one = begins->children[0];
    if (scope.Find(one.key) == nullptr) return scope.Missing(one.key_mark, one.key);
    out.begins = Begins{one.key, one.key_mark, OperandOf(one)};
  }
  return {};
}

void Loader::ReadPlain(const Node& node, Pattern& out) {
  const auto number = [](const Node* from, std::string_view field) {
    const Node* value = from != nullptr ? from->Find(field) : nullptr;
    return value != nullptr ? std::optional(value->Number()) : std::nullopt;
  };
  out.description = TextOr(node, "description");
  const std::string order = TextOr(node, "order");
  out.order = order.empty() ? Order::kUnsaid : order == "asc" ? Order::kAscending : Order::kDescending;
  if (const auto limit = number(&node, "limit")) out.limit = static_cast<uint64_t>(*limit);
  out.paginate = node.Find("paginate") != nullptr;
  out.fanout = node.Find("fanout") != nullptr;
  const std::string consistent = TextOr(node, "consistent", "eventual");
  out.consistent = consistent == "eventual" ? Consistency::kEventual
                   : consistent == "strong" ? Consistency::kStrong
                                            : Consistency::kTransactional;
  out.token = TextOr(node, "token");
  out.returns_items = number(node.Find("returns"), "items");
  out.entry_size = number(node.Find("returns"), "entry_size");
  out.rps_avg = number(node.Find("rps"), "avg").value_or(0);
  out.rps_peak = number(node.Find("rps"), "peak").value_or(out.rps_avg);
}

}  // namespace keyfold::model
