// Loads the entities of a model file: attributes, copies, key templates, sparse rules, shards, amounts.
#include <algorithm>
#include <charconv>

#include "model/core/names.h"
#include "model/core/path.h"
#include "model/file/fields.h"
#include "model/file/loader.h"
#include "value/number.h"

namespace keyfold::model {
namespace {

constexpr Rule<"{} has no key attribute {}{}; keys are those of the table and its indexes"> kNoKey{"entity-key",
                                                                                                   Kind::kValidation};
constexpr Rule<"{} has no {}: give it a template in keys, or an attribute of that name"> kNoBaseKey{"entity-base-key",
                                                                                                    Kind::kValidation};
constexpr Rule<"copy_of forms a cycle: {}"> kCopyCycle{"entity-copy-cycle", Kind::kValidation};
constexpr Rule<"per forms a cycle: {}"> kPerCycle{"entity-per-cycle", Kind::kValidation};
constexpr Rule<"shard.by must be hash(attribute) or random, not {}"> kShardBy{"entity-shard", Kind::kValidation};
constexpr Rule<"a duration must be an integer followed by s, m, h, d or w, such as 30d, not {}"> kDuration{
    "entity-duration", Kind::kValidation};
constexpr Rule<"{} is of type {}, so its default must be {}"> kDefault{"entity-default", Kind::kValidation};
constexpr Rule<"{} is not a value of {}"> kDefaultChoice{"entity-default-choice", Kind::kValidation};
constexpr Rule<"a list, a map or a set cannot have a default"> kDefaultDocument{"entity-default-document",
                                                                                Kind::kValidation};
constexpr Rule<"a lock must be a number; {} is of type {}"> kLockType{"entity-lock", Kind::kValidation};
constexpr Rule<"{} appears twice in the list"> kValueTwice{"entity-value-twice", Kind::kValidation};
constexpr Rule<"a value of an enum is empty"> kEmptyValue{"entity-value-empty", Kind::kValidation};
constexpr Rule<"fields are those of a map; {} is of type {}"> kFieldsType{"entity-fields", Kind::kValidation};
constexpr Rule<"values are those of a map; {} is of type {}"> kValuesType{"entity-values", Kind::kValidation};
constexpr Rule<"{} cannot have {}; it is for attributes of the item"> kFieldOption{"entity-field-option",
                                                                                   Kind::kValidation};
constexpr Rule<"{} is part of the table's key, which is the same in every variant"> kVariantBaseKey{
    "entity-variant-base-key", Kind::kValidation};
constexpr Rule<"{} has no template for {} that the variant could replace; declare it in keys as well"> kVariantKey{
    "entity-variant-key", Kind::kValidation};
constexpr Rule<"{} would be an input, but this condition is on the item alone; quote it if it is a string: '{}'">
    kItemInput{"entity-when-input", Kind::kValidation};
constexpr Rule<"{} would be an input, but this condition is on the item alone; name the entry"> kItemPath{
    "entity-when-path", Kind::kValidation};
constexpr Rule<"max is below {}"> kMaxBelow{"entity-max", Kind::kValidation};

bool IsTrue(const Node* node) { return node != nullptr && (node->text[0] == 't' || node->text[0] == 'T'); }

std::optional<double> NumberOf(const Node& node, std::string_view field) {
  const Node* value = node.Find(field);
  if (value == nullptr) return {};
  return value->Number();
}

std::optional<uint64_t> CountOf(const Node& node, std::string_view field) {
  const std::optional<double> value = NumberOf(node, field);
  if (!value) return {};
  return static_cast<uint64_t>(*value);
}

Fault ReadType(const Node& node, Attribute& out) {
  if (node.kind != Node::Kind::kSequence) {
    const auto it = std::find(kAttributeTypeNames.begin(), kAttributeTypeNames.end(), node.text);
    out.type = static_cast<AttributeType>(it - kAttributeTypeNames.begin());
    return {};
  }
  out.type = AttributeType::kEnum;
  out.values = TextsOf(node);
  std::vector<std::string> sorted = out.values;
  std::sort(sorted.begin(), sorted.end());
  if (sorted.empty() || sorted.front().empty()) return Unreadable(node.mark, kEmptyValue());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) return Unreadable(node.mark, kValueTwice(*twice));
  return {};
}

Fault ReadDefault(const Node& node, Attribute& out) {
  const bool number = node.kind == Node::Kind::kInteger || node.kind == Node::Kind::kFloat;
  const auto wrong = [&](std::string_view what) { return Unreadable(node.mark, kDefault(out.name, out.type, what)); };
  switch (StoredAs(out.type)) {
    case StoredType::kN:
      if (!number || !Number::Parse(node.text).ok()) return wrong("a number");
      out.default_value = Operand{Operand::Kind::kNumber, node.text};
      return {};
    case StoredType::kBool:
      if (node.kind != Node::Kind::kBool) return wrong("true or false");
      out.default_value = Operand{Operand::Kind::kBool, IsTrue(&node) ? "true" : "false"};
      return {};
    case StoredType::kL:
    case StoredType::kM:
    case StoredType::kSS:
    case StoredType::kNS:
    case StoredType::kBS:
      return Unreadable(node.mark, kDefaultDocument());
    default:
      if (node.kind != Node::Kind::kString) return wrong("a string");
      if (out.type == AttributeType::kEnum &&
          std::find(out.values.begin(), out.values.end(), node.text) == out.values.end()) {
        return Unreadable(node.mark, kDefaultChoice(node.text, out.name));
      }
      out.default_value = Operand{Operand::Kind::kString, node.text};
      return {};
  }
}

Fault ReadDuration(const Node& node, uint64_t& seconds) {
  constexpr std::pair<char, uint64_t> kUnits[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}, {'w', 604800}};
  uint64_t count = 0;
  const std::string& text = node.text;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), count);
  const bool one_more = end.ec == std::errc() && end.ptr + 1 == text.data() + text.size();
  for (const auto& [unit, factor] : kUnits) {
    if (!one_more || *end.ptr != unit || count > 1'000'000'000) continue;
    seconds = count * factor;
    return {};
  }
  return Unreadable(node.mark, kDuration(text));
}

}  // namespace

// Reads names and attributes first, since keys, conditions and copies of any entity can refer to them.
Fault Loader::ReadEntities(const Node& node) {
  for (const Node& child : node.children) {
    Entity& entity = model_.entities.emplace_back();
    entity.name = child.key;
    entity.mark = child.key_mark;
    entity.description = TextOr(child, "description");
    entity_nodes_.push_back(&child);
  }
  for (EntityId id = 0; id < model_.entities.size(); ++id) model_.entity_ids.emplace(model_.entities[id].name, id);
  const auto for_each = [&](Fault (Loader::*read)(const Node&, Entity&)) -> Fault {
    for (EntityId id = 0; id < model_.entities.size(); ++id) {
      if (Fault fault = (this->*read)(*entity_nodes_[id], model_.entities[id])) return fault;
    }
    return {};
  };
  for (const auto read : {&Loader::ReadAttributes, &Loader::ReadCopy}) {
    if (Fault fault = for_each(read)) return fault;
  }
  if (Fault fault = CompleteCopies()) return fault;
  for (const auto read :
       {&Loader::ReadKeys, &Loader::ReadVariants, &Loader::ReadWhen, &Loader::ReadAmounts, &Loader::ReadPer}) {
    if (Fault fault = for_each(read)) return fault;
  }
  return CheckCycles(
      [](const Entity& entity) {
        std::vector<EntityId> parents;
        for (const Per& per : entity.per) {
          if (per.parent) parents.push_back(*per.parent);
        }
        return parents;
      },
      [](const Entity& entity, const std::string& circle) {
        return Unreadable(entity.FirstParent()->mark, kPerCycle(circle));
      });
}

Fault Loader::ReadAttributes(const Node& node, Entity& out) {
  const Node* attributes = node.Find("attributes");
  if (attributes == nullptr) return {};
  for (const Node& child : attributes->children) {
    if (Fault fault = ReadAttribute(child, out.attributes.emplace_back())) return fault;
  }
  return {};
}

Fault Loader::ReadAttribute(const Node& node, Attribute& out) {
  out.name = node.key;
  out.mark = node.key_mark;
  if (node.kind != Node::Kind::kMapping) return ReadType(node, out);
  if (Fault fault = ReadType(*node.Find("type"), out)) return fault;
  return ReadAttributeRecord(node, out);
}

Fault Loader::ReadAttributeRecord(const Node& node, Attribute& out) {
  out.optional = IsTrue(node.Find("optional"));
  out.lock = IsTrue(node.Find("lock"));
  if (out.lock && out.type != AttributeType::kNumber)
    return Unreadable(node.Find("lock")->mark, kLockType(out.name, out.type));
  if (const Node* value = node.Find("default")) {
    if (Fault fault = ReadDefault(*value, out)) return fault;
  }
  if (const Node* guard = node.Find("unique")) {
    if (Fault fault = FindEntity(model_, guard->phrase(), out.unique.emplace())) return fault;
  }
  if (const Node* fields = node.Find("fields")) {
    if (Fault fault = ReadFields(*fields, out)) return fault;
  }
  if (const Node* values = node.Find("values")) {
    if (Fault fault = ReadValues(*values, out)) return fault;
  }
  out.min = NumberOf(node, "min");
  out.max = NumberOf(node, "max");
  if (out.min && out.max && *out.max < *out.min) return Unreadable(node.Find("max")->mark, kMaxBelow("min"));
  out.max_length = CountOf(node, "max_length");
  out.avg_bytes = CountOf(node, "avg_bytes");
  out.cardinality = NumberOf(node, "cardinality");
  out.top_share = NumberOf(node, "top_share");
  return {};
}

Fault Loader::ReadFields(const Node& node, Attribute& out) {
  if (out.type != AttributeType::kMap) return Unreadable(node.key_mark, kFieldsType(out.name, out.type));
  for (const Node& child : node.children) {
    for (const std::string_view option : {"unique", "lock", "default"}) {
      if (const Node* there = child.Find(option)) return Unreadable(there->key_mark, kFieldOption(child.key, option));
    }
    if (Fault fault = ReadAttribute(child, out.fields.emplace_back())) return fault;
  }
  return {};
}

// A default is what += and -= start from if the entry is missing.
Fault Loader::ReadValues(const Node& node, Attribute& out) {
  if (out.type != AttributeType::kMap) return Unreadable(node.key_mark, kValuesType(out.name, out.type));
  for (const std::string_view option : {"unique", "lock", "optional"}) {
    if (const Node* there = node.Find(option)) return Unreadable(there->key_mark, kFieldOption(node.key, option));
  }
  return ReadAttribute(node, out.entry.emplace_back());
}

Fault Loader::ReadCopy(const Node& node, Entity& out) {
  const Node* copy = node.Find("copy_of");
  if (copy == nullptr) return {};
  CopyOf& read = out.copy_of.emplace();
  read.mark = copy->key_mark;
  read.attributes = TextsOf(*copy->Find("attributes"));
  const std::string sync = TextOr(*copy, "sync", "transaction");
  read.sync = sync == "transaction" ? Sync::kTransaction : sync == "stream" ? Sync::kStream : Sync::kNone;
  return FindEntity(model_, copy->Find("entity")->phrase(), read.source);
}

const Attribute* Loader::FindInSources(const Entity& entity, std::string_view name) const {
  for (const Entity* one = &entity;;) {
    if (const Attribute* attribute = one->Find(name)) return attribute;
    if (!one->copy_of) return nullptr;
    one = &model_.entities[one->copy_of->source];
  }
}

// A copy takes the declarations of the attributes it copies and of its key's placeholders from its source, so sources
// are completed first.
Fault Loader::CompleteCopies() {
  const auto source_of = [](const Entity& entity) {
    return entity.copy_of ? std::vector<EntityId>{entity.copy_of->source} : std::vector<EntityId>();
  };
  if (Fault fault = CheckCycles(source_of, [](const Entity& entity, const std::string& circle) {
        return Unreadable(entity.copy_of->mark, kCopyCycle(circle));
      })) {
    return fault;
  }
  std::vector<bool> complete(model_.entities.size());
  for (EntityId id = 0; id < model_.entities.size(); ++id) {
    std::vector<EntityId> chain;
    for (EntityId at = id; !complete[at]; at = model_.entities[at].copy_of->source) {
      chain.push_back(at);
      complete[at] = true;
      if (!model_.entities[at].copy_of) break;
    }
    for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
      if (Fault fault = CompleteCopy(*entity_nodes_[*it], model_.entities[*it])) return fault;
    }
  }
  return {};
}

Fault Loader::CompleteCopy(const Node& node, Entity& copy) {
  if (!copy.copy_of) return {};
  const Entity& source = model_.entities[copy.copy_of->source];
  for (const Phrase& name : PhrasesOf(*node.Find("copy_of")->Find("attributes"))) {
    const Attribute* attribute = source.Find(name.text);
    if (attribute == nullptr) return AttributeScope(source).Missing(name.mark, name.text);
    if (copy.Find(name.text) == nullptr) copy.attributes.push_back(*attribute);
  }
  const Node* keys = node.Find("keys");
  if (keys == nullptr) return {};
  for (const Node& key : keys->children) {
    Template parsed;
    if (Fault fault = ParseTemplate(key.phrase(), model_.table.separator, parsed)) return fault;
    for (const TemplatePart& part : parsed.parts) {
      if (part.IsLiteral() || copy.Find(part.text) != nullptr) continue;
      if (const Attribute* attribute = FindInSources(source, part.text)) copy.attributes.push_back(*attribute);
    }
  }
  return {};
}

Fault Loader::ReadShard(const Node& node, Entity& out) {
  Shard& shard = out.shard.emplace();
  shard.mark = node.key_mark;
  shard.n = static_cast<uint32_t>(node.Find("n")->Number());
  const Node& by = *node.Find("by");
  if (by.text == "random") return {};
  if (!by.text.starts_with("hash(") || !by.text.ends_with(')')) return Unreadable(by.mark, kShardBy(by.text));
  shard.hash_of = by.text.substr(5, by.text.size() - 6);
  if (out.Find(*shard.hash_of) == nullptr && out.copy_of) {
    const Attribute* attribute = FindInSources(out, *shard.hash_of);
    if (attribute != nullptr) out.attributes.push_back(*attribute);
  }
  if (out.Find(*shard.hash_of) != nullptr) return {};
  return AttributeScope(out).Missing(by.mark, *shard.hash_of);
}

Fault Loader::ReadKeys(const Node& node, Entity& out) {
  if (const Node* shard = node.Find("shard")) {
    if (Fault fault = ReadShard(*shard, out)) return fault;
  }
  if (const Node* keys = node.Find("keys")) {
    for (const Node& key : keys->children) {
      if (Fault fault = ReadKey(key, out, out.keys)) return fault;
    }
  }
  AddNativeKeys(out);
  if (!out.shard || !out.shard->hash_of) return CheckBaseKey(node, out);
  for (const KeyTemplate& key : out.keys) {
    for (const TemplatePart& part : key.value.parts) {
      if (part.kind != TemplatePart::Kind::kAttribute || part.text != *out.shard->hash_of) continue;
      out.shard->hash_format = part.format;
      out.shard->hash_width = part.width;
      return CheckBaseKey(node, out);
    }
  }
  return CheckBaseKey(node, out);
}

Fault Loader::ReadVariants(const Node& node, Entity& out) {
  const Node* all = node.Find("variants");
  if (all == nullptr) return {};
  for (const Node& child : all->children) {
    Variant& variant = out.variants.emplace_back();
    variant.name = child.key;
    variant.mark = child.key_mark;
    if (Fault fault = ReadItemCondition(child.Find("when")->phrase(), out, variant.condition)) return fault;
    for (const Node& key : child.Find("keys")->children) {
      if (model_.IsBaseKey(key.key)) return Unreadable(key.key_mark, kVariantBaseKey(key.key));
      if (Fault fault = ReadKey(key, out, variant.keys)) return fault;
      const KeyTemplate* replaced = out.FindKey(key.key);
      if (replaced == nullptr || replaced->native) return Unreadable(key.key_mark, kVariantKey(out.name, key.key));
    }
  }
  return {};
}

Fault Loader::ReadKey(const Node& node, const Entity& entity, std::vector<KeyTemplate>& out) const {
  std::vector<std::string_view> known(model_.table.pk.begin(), model_.table.pk.end());
  known.insert(known.end(), model_.table.sk.begin(), model_.table.sk.end());
  for (const Index& index : model_.indexes) {
    known.insert(known.end(), index.pk.begin(), index.pk.end());
    known.insert(known.end(), index.sk.begin(), index.sk.end());
  }
  if (std::find(known.begin(), known.end(), node.key) == known.end()) {
    return Unreadable(node.key_mark, kNoKey(entity.name, node.key, DidYouMean(node.key, known)));
  }
  KeyTemplate& key = out.emplace_back();
  key.attribute = node.key;
  key.mark = node.mark;
  if (Fault fault = ParseTemplate(node.phrase(), model_.table.separator, key.value)) return fault;
  const std::optional<uint32_t> shards = entity.shard ? std::optional(entity.shard->n) : std::nullopt;
  return BindTemplate(node.phrase(), AttributeScope(entity), shards, key.value);
}

void Loader::AddNativeKeys(Entity& out) {
  const auto add = [&](const KeySide& side) {
    for (const std::string& name : side) {
      const Attribute* attribute = out.Find(name);
      if (attribute == nullptr || out.FindKey(name) != nullptr) continue;
      out.native_keys.push_back({name, attribute->mark, NativeTemplate(*attribute, model_.table.separator), true});
    }
  };
  add(model_.table.pk);
  add(model_.table.sk);
  for (const Index& index : model_.indexes) add(index.pk), add(index.sk);
}

Fault Loader::CheckBaseKey(const Node& node, const Entity& entity) const {
  for (const KeySide* side : {&model_.table.pk, &model_.table.sk}) {
    for (const std::string& name : *side) {
      if (entity.FindKey(name) == nullptr) return Unreadable(node.key_mark, kNoBaseKey(entity.name, name));
    }
  }
  return {};
}

// A condition on the item alone, which has no inputs.
Fault Loader::ReadItemCondition(Phrase phrase, const Entity& entity, Condition& out) {
  if (Fault fault = ParseCondition(phrase, AttributeScope(entity), out)) return fault;
  for (const Comparison* one : ComparisonsOf(out)) {
    for (const Operand& operand : one->operands()) {
      if (operand.kind == Operand::Kind::kInput) return Unreadable(one->mark, kItemInput(operand.text, operand.text));
    }
    const std::vector<std::string> named = InputsOfPath(one->path);
    if (!named.empty()) return Unreadable(one->mark, kItemPath(named[0]));
  }
  return {};
}

Fault Loader::ReadWhen(const Node& node, Entity& out) {
  const Node* all = node.Find("when");
  if (all == nullptr) return {};
  for (const Node& child : all->children) {
    When& when = out.when.emplace_back();
    when.mark = child.mark;
    if (Fault fault = FindIndex(model_, child.KeyPhrase(), when.index)) return fault;
    if (Fault fault = ReadItemCondition(child.phrase(), out, when.condition)) return fault;
  }
  return {};
}

Fault Loader::ReadAmounts(const Node& node, Entity& out) {
  if (const Node* size = node.Find("size")) {
    out.size_mark = size->key_mark;
    out.size_max = NumberOf(*size, "max");
    if (const std::optional<double> avg = NumberOf(*size, "avg")) out.size_avg = *avg, out.size_assumed = false;
    if (out.size_max && *out.size_max < out.size_avg) return Unreadable(size->Find("max")->mark, kMaxBelow("avg"));
  }
  out.count = NumberOf(node, "count");
  if (const Node* heat = node.Find("heat")) {
    out.peak_writes_per_key = NumberOf(*heat, "peak_writes_per_key");
    out.peak_reads_per_key = NumberOf(*heat, "peak_reads_per_key");
  }
  if (const Node* ttl = node.Find("ttl")) {
    out.ttl_mark = ttl->key_mark;
    return ReadDuration(*ttl->Find("after"), out.ttl_after_s.emplace());
  }
  return {};
}

Fault Loader::ReadPer(const Node& node, Entity& out) {
  const Node* all = node.Find("per");
  if (all == nullptr) return {};
  for (const Node& child : all->children) {
    Per& per = out.per.emplace_back();
    per.mark = child.key_mark;
    if (Fault fault = ReadPerName(child.KeyPhrase(), out, per)) return fault;
    per.avg = NumberOf(child, "avg").value_or(1);
    per.max = NumberOf(child, "max");
    if (per.max && *per.max < per.avg) return Unreadable(child.Find("max")->mark, kMaxBelow("avg"));
  }
  return {};
}

// A name that is an entity is a parent. Otherwise the text lists attributes of this entity, separated by commas.
Fault Loader::ReadPerName(Phrase name, const Entity& entity, Per& out) const {
  const bool list = name.text.find(',') != std::string_view::npos;
  if (!list && entity.Find(name.text) == nullptr) return FindEntity(model_, name, out.parent.emplace());
  if (const Entity* parent = model_.FindEntity(name.text)) {
    out.parent = static_cast<EntityId>(parent - model_.entities.data());
    return {};
  }
  for (size_t at = 0; at <= name.text.size();) {
    const size_t end = std::min(name.text.find(',', at), name.text.size());
    size_t first = at;
    size_t last = end;
    while (first < last && name.text[first] == ' ') ++first;
    while (first < last && name.text[last - 1] == ' ') --last;
    const std::string_view attribute = name.text.substr(first, last - first);
    if (entity.Find(attribute) == nullptr) return AttributeScope(entity).Missing(name.At(first), attribute);
    if (!Contains(out.attributes, attribute)) out.attributes.emplace_back(attribute);
    at = end + 1;
  }
  return {};
}

// Depth-first search with an explicit stack, since chains can be as long as the file allows.
Fault Loader::CheckCycles(FunctionRef<std::vector<EntityId>(const Entity&)> next,
                          FunctionRef<Unreadable(const Entity&, std::string)> fault) const {
  enum class State : uint8_t { kNew, kOpen, kDone };
  struct Open {
    EntityId id;
    std::vector<EntityId> left;
  };
  std::vector<State> states(model_.entities.size(), State::kNew);
  for (EntityId root = 0; root < model_.entities.size(); ++root) {
    std::vector<Open> path;
    if (states[root] == State::kNew) path.push_back({root, next(model_.entities[root])});
    while (!path.empty()) {
      states[path.back().id] = State::kOpen;
      if (path.back().left.empty()) {
        states[path.back().id] = State::kDone;
        path.pop_back();
        continue;
      }
      const EntityId to = path.back().left.back();
      path.back().left.pop_back();
      if (states[to] == State::kNew) path.push_back({to, next(model_.entities[to])});
      if (states[to] != State::kOpen) continue;
      const auto from = std::find_if(path.begin(), path.end(), [&](const Open& open) { return open.id == to; });
      std::string circle;
      for (auto it = from; it != path.end(); ++it) circle += model_.entities[it->id].name + " -> ";
      return fault(model_.entities[to], circle + model_.entities[to].name);
    }
  }
  return {};
}

}  // namespace keyfold::model
