#include "model/sample/sample.h"

#include <algorithm>

#include "base/text/ascii.h"
#include "model/core/calendar.h"

namespace keyfold::model {
namespace {

constexpr uint64_t kRoots = 10;          // per entity without a parent, if no number of items is requested
constexpr uint64_t kChildrenMany = 12;   // minimum for the first parent
constexpr uint64_t kChildrenMost = 60;   // maximum for the first parent
constexpr uint64_t kChildrenFew = 4;     // maximum for the others
constexpr int kPasses = 4;               // to approach the requested number of items
constexpr uint64_t kAttemptsMax = 40;    // to find a distinct object
constexpr uint64_t kLaterOrdinal = 300;  // first ordinal of objects made by MakeOne
constexpr uint64_t kOptionalEvery = 5;
constexpr uint64_t kDefaultEvery = 3;

// The attributes in one side of an entity's key, without duplicates.
std::vector<std::string> AttributesIn(const Entity& entity, const KeySide& side) {
  std::vector<std::string> all;
  for (const std::string& name : side) {
    for (const TemplatePart& part : entity.FindKey(name)->value.parts) {
      if (part.kind == TemplatePart::Kind::kAttribute && !Contains(all, part.text)) all.push_back(part.text);
    }
  }
  return all;
}

std::vector<std::string> KeyAttributes(const Model& model, const Entity& entity) {
  std::vector<std::string> all = AttributesIn(entity, model.table.pk);
  for (std::string& name : AttributesIn(entity, model.table.sk)) {
    if (!Contains(all, name)) all.push_back(std::move(name));
  }
  return all;
}

// The finest format of a time in the base key, if all its formats there are calendar buckets; otherwise nullopt.
std::optional<Format> KeyBucketOf(const Model& model, const Entity& entity, std::string_view attribute) {
  std::optional<Format> finest;
  for (const KeySide* side : {&model.table.pk, &model.table.sk}) {
    for (const std::string& name : *side) {
      for (const TemplatePart& part : entity.FindKey(name)->value.parts) {
        if (part.kind != TemplatePart::Kind::kAttribute || part.text != attribute) continue;
        if (!IsBucket(part.format)) return {};
        finest = std::max(finest.value_or(part.format), part.format);
      }
    }
  }
  return finest;
}

// The start of the bucket that contains a time.
std::string Truncated(Format bucket, std::string_view iso_ms) {
  std::string start = FormatTime(bucket, iso_ms);
  const std::string_view first = "0000-01-01T00:00:00.000Z";
  return start.size() < first.size() ? start + std::string(first.substr(start.size())) : start;
}

size_t SizeOf(const SampleItem& item) {
  size_t bytes = 0;
  for (const ItemAttribute& one : item) {
    bytes += one.name.size() + (one.type == StoredType::kN ? one.text.size() / 2 + 1 : one.text.size());
  }
  return bytes;
}

}  // namespace

Sampler::Sampler(const Model& model, const SampleOptions& options)
    : model_(model), options_(options), values_(options.seed, model.table.separator, options.now_ms) {
  kinds_.resize(model.entities.size());
  for (const Entity& entity : model.entities) {
    for (const Attribute& attribute : entity.attributes) {
      if (attribute.unique) kinds_[*attribute.unique].guard = true;
    }
  }
  FindOwners();
  for (EntityId id = 0; id < model.entities.size(); ++id) FindSources(id);
  OrderEntities();
  Reset();
}

void Sampler::Reset() {
  values_ = SampleValues(options_.seed, model_.table.separator, options_.now_ms);
  made_.clear();
  counters_.clear();
  uniques_.clear();
  by_entity_.assign(model_.entities.size(), {});
  identities_.assign(model_.entities.size(), {});
}

// An attribute's owner is the first entity that has it in its key or in a copy's key: there it is an identity,
// elsewhere a reference.
void Sampler::FindOwners() {
  for (EntityId id = 0; id < model_.entities.size(); ++id) {
    const Entity& entity = model_.entities[id];
    EntityId at = id;
    while (model_.entities[at].copy_of) at = model_.entities[at].copy_of->source;
    if (kinds_[id].guard) continue;
    for (const std::string& name : KeyAttributes(model_, entity)) {
      const auto [it, added] = owners_.emplace(name, at);
      if (!added) it->second = std::min(it->second, at);
      const Entity& source = model_.entities[at];
      const bool apart = source.Find(name) != nullptr && !Contains(KeyAttributes(model_, source), name);
      if (at != id && apart) kinds_[at].raw_identity = true;
    }
  }
}

// Returns true if the attribute alone is the partition of another entity, so that no two of the owner's objects can
// share a value.
bool Sampler::IsCounted(EntityId owner, const std::string& attribute) const {
  const Entity& entity = model_.entities[owner];
  const std::vector<std::string> own = AttributesIn(entity, model_.table.pk);
  if (own.size() == 1 && own[0] == attribute && entity.FirstParent() == nullptr &&
      KeyAttributes(model_, entity).size() == 1) {
    return true;
  }
  for (EntityId id = 0; id < model_.entities.size(); ++id) {
    const std::vector<std::string> other = AttributesIn(model_.entities[id], model_.table.pk);
    if (id == owner || !Contains(other, attribute)) continue;
    const auto in_other = [&](const std::string& name) { return Contains(other, name); };
    if (!std::all_of(own.begin(), own.end(), in_other)) return true;
  }
  return false;
}

// Returns true if the entity has the keys of another one and does not belong to it: the two share their names.
bool Sampler::IsPeer(EntityId owner, EntityId id) const {
  const Entity& entity = model_.entities[id];
  if (!entity.per.empty() || entity.copy_of || kinds_[id].guard) return false;
  for (const KeySide* side : {&model_.table.pk, &model_.table.sk}) {
    for (const std::string& name : *side) {
      if (entity.FindKey(name)->value.text != model_.entities[owner].FindKey(name)->value.text) return false;
    }
  }
  return true;
}

// Returns true if the entity's objects are made for those of the ancestor, so the ancestor cannot refer to them.
bool Sampler::IsBelow(EntityId id, EntityId ancestor) const {
  const std::vector<Per>& all = model_.entities[id].per;
  return std::any_of(all.begin(), all.end(), [&](const Per& per) {
    return per.parent && (*per.parent == ancestor || IsBelow(*per.parent, ancestor));
  });
}

// Returns true if the entity has another name for the attribute of its parent, and so an attribute of its own under
// this name.
bool Sampler::HasOwn(const Entity& entity, EntityId parent, const std::string& attribute) const {
  const bool child =
      std::any_of(entity.per.begin(), entity.per.end(), [&](const Per& per) { return per.parent == parent; });
  if (!child) return false;
  const std::map<std::string, std::string> names = NamesInChild(model_.entities[parent], entity);
  const auto it = names.find(attribute);
  return it != names.end() && it->second != attribute;
}

void Sampler::FindSources(EntityId id) {
  const Entity& entity = model_.entities[id];
  const std::vector<std::string> key = KeyAttributes(model_, entity);
  Kind& kind = kinds_[id];
  for (const Attribute& attribute : entity.attributes) {
    const auto owner = owners_.find(attribute.name);
    const bool time = IsTimeText(attribute.type);
    const Attribute* owned = owner == owners_.end() ? nullptr : model_.entities[owner->second].Find(attribute.name);
    const bool refers = owned != nullptr && owner->second != id && !IsBelow(owner->second, id) &&
                        !HasOwn(entity, owner->second, attribute.name) && attribute.type != AttributeType::kEnum &&
                        attribute.type == owned->type && !IsPeer(owner->second, id);
    Source source = Source::kAny;
    if (attribute.name == model_.table.ttl) {
      source = Source::kExpiry;
    } else if (time) {  // NOLINT(bugprone-branch-clone): the order of the cases is their precedence
      source = Source::kNth;
    } else if (attribute.unique || (owner != owners_.end() && owner->second == id && IsCounted(id, attribute.name))) {
      source = Source::kCounted;
    } else if (refers) {
      source = Source::kRefers;
    } else if (Contains(key, attribute.name)) {
      source = Source::kNth;
    }
    uint64_t start = 0;
    for (size_t i = 0; i < kind.sources.size(); ++i) {
      start += kind.sources[i] == source && entity.attributes[i].type == attribute.type ? 1 : 0;
    }
    kind.sources.push_back(source);
    kind.starts.push_back(start);
  }
  // Without a parent, several objects share a partition if the sort key can distinguish them.
  const std::vector<std::string> sort = AttributesIn(entity, model_.table.sk);
  for (const std::string& name : AttributesIn(entity, model_.table.pk)) {
    if (!sort.empty() && !Contains(sort, name)) kind.group.push_back(name);
  }
}

void Sampler::OrderEntities() {
  std::vector<uint8_t> state(model_.entities.size(), 0);
  for (EntityId id = 0; id < model_.entities.size(); ++id) Visit(id, state);
}

void Sampler::Visit(EntityId id, std::vector<uint8_t>& state) {
  if (state[id] != 0) return;
  state[id] = 1;
  const Entity& entity = model_.entities[id];
  for (const Per& per : entity.per) {
    if (per.parent) Visit(*per.parent, state);
  }
  if (entity.copy_of) Visit(entity.copy_of->source, state);
  for (EntityId other = 0; kinds_[id].guard && other < model_.entities.size(); ++other) {
    for (const Attribute& attribute : model_.entities[other].attributes) {
      if (attribute.unique == id) Visit(other, state);
    }
  }
  for (size_t i = 0; i < entity.attributes.size(); ++i) {
    if (kinds_[id].sources[i] == Source::kRefers) Visit(owners_.at(entity.attributes[i].name), state);
  }
  order_.push_back(id);
}

std::vector<SampleObject> Sampler::MakeAll() {
  uint64_t roots = kRoots;
  for (int pass = 0; pass < kPasses; ++pass) {
    Reset();
    for (const EntityId id : order_) MakeEntity(id, roots);
    if (!options_.items || made_.empty()) break;
    if (pass + 1 < kPasses) roots = std::max<uint64_t>(1, roots * *options_.items / made_.size());
  }
  return made_;
}

void Sampler::MakeEntity(EntityId id, uint64_t roots) {
  const Entity& entity = model_.entities[id];
  if (entity.copy_of && (entity.FirstParent() == nullptr || !HasOwnAttributes(entity))) return MakeCopies(id);
  if (kinds_[id].guard) return MakeGuards(id);
  entity.FirstParent() == nullptr ? MakeRoots(id, roots) : MakeChildren(id);
}

// Returns true if the copy has attributes that its source lacks, such as the recipient of the copy.
bool Sampler::HasOwnAttributes(const Entity& copy) const {
  const Entity& source = model_.entities[copy.copy_of->source];
  return std::any_of(copy.attributes.begin(), copy.attributes.end(),
                     [&](const Attribute& attribute) { return source.Find(attribute.name) == nullptr; });
}

// Adds the values that a copy takes from a random source object, without replacing those it has.
void Sampler::AddFromSource(const Entity& copy, InputValues& given) {
  const std::vector<size_t>& sources = by_entity_[copy.copy_of->source];
  if (sources.empty()) return;
  const SampleObject& source = made_[sources[values_.random().Below(sources.size())]];
  for (const Attribute& attribute : copy.attributes) {
    if (const auto value = source.Find(attribute.name)) given.emplace(attribute.name, *value);
  }
}

void Sampler::MakeRoots(EntityId id, uint64_t roots) {
  const Entity& entity = model_.entities[id];
  const Kind& kind = kinds_[id];
  if (kind.group.empty()) {
    for (uint64_t i = 0; i < roots; ++i) {
      if (auto object = Make(id, {}, i)) Keep(*std::move(object));
    }
    return;
  }
  for (uint64_t group = 0; group < (roots + 1) / 2; ++group) {
    InputValues shared;
    for (size_t i = 0; i < entity.attributes.size(); ++i) {
      if (!Contains(kind.group, entity.attributes[i].name)) continue;
      if (auto value = MakeValue(id, i, group, 0)) shared[entity.attributes[i].name] = *std::move(value);
    }
    const uint64_t count = group == 0 ? ManyOf(id, kChildrenMost) : 1 + values_.random().Below(kChildrenFew);
    for (uint64_t i = 0; i < count; ++i) {
      if (auto object = Make(id, shared, i)) Keep(*std::move(object));
    }
  }
}

// More than any pattern's limit if possible, so that the limit takes effect.
uint64_t Sampler::ManyOf(EntityId id, double most) const {
  uint64_t many = kChildrenMany;
  for (const Pattern& pattern : model_.patterns) {
    const bool reads = std::find(pattern.entities.begin(), pattern.entities.end(), id) != pattern.entities.end();
    if (reads && pattern.limit) many = std::max(many, *pattern.limit + 4);
  }
  return std::min({many, kChildrenMost, static_cast<uint64_t>(std::max(1.0, most))});
}

void Sampler::MakeChildren(EntityId id) {
  const Entity& entity = model_.entities[id];
  const Per& per = *entity.FirstParent();
  const std::vector<size_t> parents = by_entity_[*per.parent];
  const auto few = std::clamp<uint64_t>(static_cast<uint64_t>(per.avg), 1, kChildrenFew);
  for (size_t p = 0; p < parents.size(); ++p) {
    const double most = per.max.value_or(std::max<double>(per.avg, kChildrenMany));
    const uint64_t count = p == 0 ? ManyOf(id, most) : p == 1 ? 0 : 1 + values_.random().Below(few);
    for (uint64_t i = 0; i < count; ++i) {
      InputValues given = FromParent(made_[parents[p]], entity);
      if (entity.copy_of) AddFromSource(entity, given);
      if (auto object = Make(id, given, i)) Keep(*std::move(object));
    }
  }
}

// The child's names for the attributes of the parent's partition key, if both have the same template.
std::map<std::string, std::string> Sampler::NamesInChild(const Entity& parent, const Entity& child) const {
  const std::vector<TemplatePart>& theirs = parent.FindKey(model_.table.pk[0])->value.parts;
  const std::vector<TemplatePart>& own = child.FindKey(model_.table.pk[0])->value.parts;
  const auto alike = [](const TemplatePart& a, const TemplatePart& b) {
    return a.kind == b.kind && a.format == b.format && a.type == b.type && (!a.IsLiteral() || a.text == b.text);
  };
  std::map<std::string, std::string> names;
  if (!std::equal(theirs.begin(), theirs.end(), own.begin(), own.end(), alike)) return names;
  for (size_t i = 0; i < own.size(); ++i) {
    if (own[i].kind == TemplatePart::Kind::kAttribute) names.emplace(theirs[i].text, own[i].text);
  }
  return names;
}

// The values that identify the parent: matched by position if both partition keys have the same template, else by name.
InputValues Sampler::FromParent(const SampleObject& parent, const Entity& child) const {
  const Entity& entity = model_.entities[parent.entity];
  const std::map<std::string, std::string> names = NamesInChild(entity, child);
  InputValues given;
  for (const std::string& name : KeyAttributes(model_, entity)) {
    const auto renamed = names.find(name);
    const std::string& own = renamed == names.end() ? name : renamed->second;
    const auto value = parent.Find(name);
    if (value && child.Find(own) != nullptr) given.emplace(own, *value);
  }
  return given;
}

void Sampler::MakeCopies(EntityId id) {
  const Entity& entity = model_.entities[id];
  const std::vector<size_t> sources = by_entity_[entity.copy_of->source];
  for (auto it = sources.rbegin(); it != sources.rend(); ++it) {  // if sources share a copy, the last one wins
    InputValues given;
    bool whole = true;
    for (const Attribute& attribute : entity.attributes) {
      const auto value = made_[*it].Find(attribute.name);
      if (value) given[attribute.name] = *value;
      whole &= value.has_value() || attribute.optional;
    }
    if (!whole && HasOwnAttributes(entity)) {
      if (auto object = Make(id, given, *it)) Keep(*std::move(object));
    }
    if (!whole) continue;
    SampleObject copy;
    copy.entity = id;
    copy.values = std::move(given);
    if (entity.shard) copy.shard = static_cast<uint32_t>(values_.random().Below(entity.shard->n));
    if (identities_[id].count(IdentityOf(copy)) != 0) continue;
    Pad(copy);
    Keep(std::move(copy));
  }
}

void Sampler::MakeGuards(EntityId id) {
  for (EntityId guarded = 0; guarded < model_.entities.size(); ++guarded) {
    for (const Attribute& attribute : model_.entities[guarded].attributes) {
      if (attribute.unique == id) MakeGuardsOf(id, guarded, attribute);
    }
  }
}

void Sampler::MakeGuardsOf(EntityId id, EntityId guarded, const Attribute& attribute) {
  const Entity& guard = model_.entities[id];
  const std::vector<std::string> key = KeyAttributes(model_, guard);
  for (const size_t at : std::vector<size_t>(by_entity_[guarded])) {
    const auto value = made_[at].Find(attribute.name);
    if (!value) continue;
    InputValues given;
    for (const auto& [name, shared] : made_[at].values) {
      if (guard.Find(name) != nullptr) given[name] = shared;
    }
    if (guard.Find(attribute.name) == nullptr && key.size() == 1) given.emplace(key[0], *value);
    if (auto object = Make(id, given, at)) Keep(*std::move(object));
  }
}

std::optional<SampleObject> Sampler::MakeOne(EntityId id, const InputValues& given, bool replace) {
  const Entity& entity = model_.entities[id];
  const uint64_t ordinal = kLaterOrdinal + later_++;
  InputValues all = given;
  const Per* per = entity.FirstParent();
  const std::vector<size_t> parents = per == nullptr ? std::vector<size_t>() : by_entity_[*per->parent];
  // Find a parent that agrees with the given values, starting at a random one.
  const size_t start = parents.empty() ? 0 : values_.random().Below(parents.size());
  for (size_t i = 0; i < parents.size(); ++i) {
    const InputValues from = FromParent(made_[parents[(start + i) % parents.size()]], entity);
    const auto agrees = [&](const auto& one) { return !given.count(one.first) || given.at(one.first) == one.second; };
    if (!std::all_of(from.begin(), from.end(), agrees)) continue;
    all.insert(from.begin(), from.end());
    break;
  }
  std::optional<SampleObject> object = Make(id, all, ordinal, replace);
  if (!object) return {};
  object->padding.clear();
  identities_[id].insert(IdentityOf(*object));
  for (std::string& unique : UniquesOf(*object)) uniques_.insert(std::move(unique));
  return object;
}

std::optional<SampleObject> Sampler::Make(EntityId id, const InputValues& given, uint64_t ordinal, bool replace) {
  const Entity& entity = model_.entities[id];
  for (uint64_t attempt = 0; attempt < kAttemptsMax; ++attempt) {
    SampleObject object;
    object.entity = id;
    for (size_t i = 0; i < entity.attributes.size(); ++i) {
      const std::string& name = entity.attributes[i].name;
      std::optional<std::string> value;
      if (const auto it = given.find(name); it != given.end()) value = it->second;
      if (!value) value = MakeValue(id, i, ordinal, attempt);
      if (value) object.values[name] = *std::move(value);
    }
    if (entity.shard) object.shard = static_cast<uint32_t>(values_.random().Below(entity.shard->n));
    bool distinct = identities_[id].count(IdentityOf(object)) == 0;
    for (const std::string& unique : UniquesOf(object)) distinct &= uniques_.count(unique) == 0;
    if (!distinct && !(replace && attempt + 1 == kAttemptsMax)) continue;
    Pad(object);
    return object;
  }
  return {};
}

std::optional<std::string> Sampler::MakeValue(EntityId id, size_t i, uint64_t ordinal, uint64_t attempt) {
  const Entity& entity = model_.entities[id];
  const Attribute& attribute = entity.attributes[i];
  const Source source = kinds_[id].sources[i];
  const uint64_t n = ordinal + attempt * 101;
  const uint64_t start = kinds_[id].starts[i];
  const bool in_key = Contains(KeyAttributes(model_, entity), attribute.name);
  if (source == Source::kExpiry) {
    return values_.Expiry(attribute.type, n, entity.ttl_after_s.value_or(3600), options_.expired);
  }
  // Numbers start at 8, so that one of the first three has more digits.
  const uint64_t first = StoredAs(attribute.type) == StoredType::kN ? 7 : 0;
  if (source == Source::kCounted) return values_.Nth(attribute, first + start + counters_[attribute.name]++);
  if (attribute.optional && !in_key && n % kOptionalEvery == kOptionalEvery - 1) return {};
  if (source == Source::kRefers) {
    const std::vector<size_t>& owners = by_entity_[owners_.at(attribute.name)];
    // An entity that another one's key identifies alone can have that name for an id of its own.
    const bool own = in_key && entity.per.empty() && KeyAttributes(model_, entity).size() == 1;
    if (!owners.empty() && !(own && attempt >= kAttemptsMax / 2)) {
      const uint64_t bound = 1 + values_.random().Below(owners.size());
      return made_[owners[values_.random().Below(bound)]].Find(attribute.name);
    }
  }
  if (attribute.default_value && !in_key && n % kDefaultEvery == 0) return attribute.default_value->text;
  if (source != Source::kNth && !(source == Source::kRefers && in_key)) return values_.Any(attribute);
  std::string value = values_.Nth(attribute, n + start);
  const std::optional<Format> bucket = KeyBucketOf(model_, entity, attribute.name);
  const bool truncate = bucket && IsTimeText(attribute.type) && !kinds_[id].raw_identity;
  return truncate ? FormatTime(StoredFormat(attribute.type), Truncated(*bucket, value)) : value;
}

// What distinguishes two objects of an entity: their keys or, with raw_identity, the values in their keys.
std::string Sampler::IdentityOf(const SampleObject& object) const {
  const Entity& entity = model_.entities[object.entity];
  std::string identity;
  if (kinds_[object.entity].raw_identity) {
    for (const std::string& name : KeyAttributes(model_, entity)) identity += object.Find(name).value_or("") + '\0';
    return identity;
  }
  for (const KeySide* side : {&model_.table.pk, &model_.table.sk}) {
    for (const std::string& name : *side) {
      identity += KeyTextOf(model_, object, entity.FindKey(name)->value).value_or("") + '\0';
    }
  }
  return identity;
}

std::vector<std::string> Sampler::UniquesOf(const SampleObject& object) const {
  std::vector<std::string> all;
  for (const Attribute& attribute : model_.entities[object.entity].attributes) {
    const auto value = attribute.unique ? object.Find(attribute.name) : std::nullopt;
    if (value) all.push_back(std::to_string(*attribute.unique) + ' ' + Lowercase(*value));
  }
  return all;
}

void Sampler::Pad(SampleObject& object) const {
  const Entity& entity = model_.entities[object.entity];
  if (entity.Find(kPaddingAttribute) != nullptr) return;
  const double wanted = std::min(entity.size_avg, static_cast<double>(options_.item_bytes_max));
  const size_t bytes = SizeOf(ItemOf(model_, object, options_.now_ms)) + kPaddingAttribute.size();
  if (wanted > static_cast<double>(bytes)) object.padding.assign(static_cast<size_t>(wanted) - bytes, '.');
}

void Sampler::Keep(SampleObject object) {
  identities_[object.entity].insert(IdentityOf(object));
  for (std::string& unique : UniquesOf(object)) uniques_.insert(std::move(unique));
  by_entity_[object.entity].push_back(made_.size());
  made_.push_back(std::move(object));
}

}  // namespace keyfold::model
