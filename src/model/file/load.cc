#include "model/file/load.h"

#include <algorithm>

#include "model/core/names.h"
#include "model/file/fields.h"
#include "model/file/loader.h"

namespace keyfold::model {
namespace {

constexpr Rule<"the separator must be 1 to 16 bytes long"> kSeparator{"model-separator", Kind::kValidation};
constexpr Rule<"{} is not a rule; rules are L01 to L53"> kNoRule{"model-no-rule", Kind::kValidation};
constexpr Rule<"the name of a key attribute is empty"> kEmptyKey{"model-key-name", Kind::kValidation};
constexpr Rule<"the key names {} twice"> kKeyAttributeTwice{"model-key-attribute-twice", Kind::kValidation};

template <typename Enum>
Enum ChoiceOf(const Node& node, std::string_view record, std::string_view field, Enum otherwise) {
  const Node* value = node.Find(field);
  if (value == nullptr) return otherwise;
  const Record* fields = record == "table" ? kModelRecord.Find("table")->record
                                           : kModelRecord.Find("table")->record->Find("billing")->record;
  const auto choices = fields->Find(field)->choices;
  return static_cast<Enum>(std::find(choices.begin(), choices.end(), value->text) - choices.begin());
}

Fault CheckKeySides(const Node& node, const KeySide& pk, const KeySide& sk) {
  std::vector<std::string> all = pk;
  all.insert(all.end(), sk.begin(), sk.end());
  std::sort(all.begin(), all.end());
  if (all.front().empty()) return Unreadable(node.mark, kEmptyKey());
  const auto twice = std::adjacent_find(all.begin(), all.end());
  if (twice != all.end()) return Unreadable(node.mark, kKeyAttributeTwice(*twice));
  return {};
}

bool IsRule(std::string_view text) {
  if (text.size() != 3 || text[0] != 'L' || text[1] < '0' || text[1] > '9' || text[2] < '0' || text[2] > '9')
    return false;
  const int number = (text[1] - '0') * 10 + text[2] - '0';
  return number >= 1 && number <= 53;
}

}  // namespace

std::vector<Phrase> PhrasesOf(const Node& node) {
  if (node.kind != Node::Kind::kSequence) return {node.phrase()};
  std::vector<Phrase> all;
  for (const Node& child : node.children) all.push_back(child.phrase());
  return all;
}

std::vector<std::string> TextsOf(const Node& node) {
  std::vector<std::string> all;
  for (const Phrase& phrase : PhrasesOf(node)) all.emplace_back(phrase.text);
  return all;
}

std::string TextOr(const Node& node, std::string_view field, std::string_view otherwise) {
  const Node* value = node.Find(field);
  return std::string(value != nullptr ? std::string_view(value->text) : otherwise);
}

Fault Loader::Read(const Node& root) {
  if (Fault fault = ReadTable(*root.Find("table"))) return fault;
  if (const Node* node = root.Find("indexes")) {
    if (Fault fault = ReadIndexes(*node)) return fault;
  }
  if (Fault fault = ReadEntities(*root.Find("entities"))) return fault;
  if (const Node* node = root.Find("patterns")) {
    if (Fault fault = ReadPatterns(*node)) return fault;
  }
  if (const Node* node = root.Find("consumers")) {
    if (Fault fault = ReadConsumers(*node)) return fault;
  }
  if (const Node* node = root.Find("accept")) return ReadAccepted(*node);
  return {};
}

Fault Loader::ReadTable(const Node& node) {
  Table& table = model_.table;
  table.mark = node.key_mark;
  table.name = node.Find("name")->text;
  table.description = TextOr(node, "description");
  const Node& key = *node.Find("key");
  table.pk = TextsOf(*key.Find("pk"));
  if (const Node* sk = key.Find("sk")) table.sk = TextsOf(*sk);
  if (Fault fault = CheckKeySides(key, table.pk, table.sk)) return fault;
  if (const Node* separator = node.Find("separator")) {
    table.separator = separator->text;
    if (table.separator.empty() || table.separator.size() > 16) return Unreadable(separator->mark, kSeparator());
  }
  table.type_attribute = TextOr(node, "type_attribute");
  table.ttl = TextOr(node, "ttl");
  if (const Node* ttl = node.Find("ttl")) table.ttl_mark = ttl->mark;
  table.stream = ChoiceOf(node, "table", "stream", Stream::kOff);
  if (const Node* billing = node.Find("billing")) {
    table.billing = ChoiceOf(*billing, "billing", "mode", BillingMode::kOnDemand);
    table.region = TextOr(*billing, "region", table.region);
    table.table_class = ChoiceOf(*billing, "billing", "class", TableClass::kStandard);
    const Node* pitr = billing->Find("pitr");
    table.pitr = pitr != nullptr && (pitr->text[0] == 't' || pitr->text[0] == 'T');
  }
  return {};
}

Fault Loader::ReadIndexes(const Node& node) {
  for (const Node& child : node.children) {
    Index index;
    index.name = child.key;
    index.mark = child.key_mark;
    index.pk = TextsOf(*child.Find("pk"));
    if (const Node* sk = child.Find("sk")) index.sk = TextsOf(*sk);
    if (Fault fault = CheckKeySides(child, index.pk, index.sk)) return fault;
    if (const Node* project = child.Find("project")) {
      const bool list = project->kind == Node::Kind::kSequence;
      index.project = list ? Project::kInclude : project->text == "keys" ? Project::kKeys : Project::kAll;
      if (list) index.included = TextsOf(*project);
    }
    const Node* local = child.Find("local");
    index.local = local != nullptr && (local->text[0] == 't' || local->text[0] == 'T');
    model_.indexes.push_back(std::move(index));
  }
  for (const Index& index : model_.indexes)
    model_.index_ids.emplace(index.name, static_cast<IndexId>(model_.index_ids.size()));
  return {};
}

Fault Loader::ReadConsumers(const Node& node) {
  for (const Node& child : node.children) {
    Consumer consumer;
    consumer.name = child.key;
    consumer.mark = child.key_mark;
    consumer.starts_with = TextOr(child, "starts_with");
    for (const Phrase& name : PhrasesOf(*child.Find("entities"))) {
      if (Fault fault = FindEntity(model_, name, consumer.entities.emplace_back())) return fault;
    }
    model_.consumers.push_back(std::move(consumer));
  }
  return {};
}

Fault Loader::ReadAccepted(const Node& node) {
  for (const Node& child : node.children) {
    Accept accept;
    accept.mark = child.mark;
    const Node& rule = *child.Find("rule");
    if (!IsRule(rule.text)) return Unreadable(rule.mark, kNoRule(rule.text));
    accept.rule = rule.text;
    accept.reason = child.Find("reason")->text;
    if (const Node* name = child.Find("entity")) {
      if (Fault fault = FindEntity(model_, name->phrase(), accept.entity.emplace())) return fault;
    }
    if (const Node* name = child.Find("pattern")) {
      if (Fault fault = FindPattern(model_, name->phrase(), accept.pattern.emplace())) return fault;
    }
    if (const Node* name = child.Find("index")) {
      if (Fault fault = FindIndex(model_, name->phrase(), accept.index.emplace())) return fault;
    }
    model_.accepted.push_back(std::move(accept));
  }
  return {};
}

std::variant<Model, Unreadable> Load(std::string file, std::string text) {
  auto tree = ReadYaml(text);
  if (auto* unreadable = std::get_if<Unreadable>(&tree)) return std::move(*unreadable);
  const Node& root = std::get<Node>(tree);
  if (Fault fault = CheckFields(root)) return *std::move(fault);
  Model model;
  if (Fault fault = Loader(model).Read(root)) return *std::move(fault);
  model.file = std::move(file);
  model.text = std::move(text);
  return model;
}

}  // namespace keyfold::model
