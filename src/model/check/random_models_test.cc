// Compares the checker's proofs with sample items on random models: entities that it proves apart never have an item
// with the same key, every collision that it reports can happen, and a read returns only items of entities that it
// says the read covers.
//   KEYFOLD_RANDOM_MODELS   number of models
//   KEYFOLD_SEED            repeats a run
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "base/text/ascii.h"
#include "model/check/check.h"
#include "model/core/calendar.h"
#include "model/core/sortable_id.h"
#include "model/keys/coverage.h"
#include "model/sample/sample.h"
#include "testing/model/model.h"
#include "testing/model/random_model.h"
#include "value/number.h"

namespace keyfold::model {
namespace {

constexpr uint64_t kModelsDefault = 100;
constexpr uint64_t kObjectsPerEntity = 80;
constexpr int kCallsPerPattern = 12;
constexpr size_t kFaultsMax = 5;  // shown
constexpr int64_t kPresentMs = kSamplePresentMs;

uint64_t FromEnvironment(const char* name, uint64_t otherwise) {
  const char* text = getenv(name);
  return text == nullptr ? otherwise : strtoull(text, nullptr, 10);
}

// Finds an object of an entity that has given key texts, by trying all ways to read them. Used by one thread at a time.
class KeyReverser {
 public:
  KeyReverser(const Model& model, EntityId entity) : model_(model), entity_(model.entities[entity]), id_(entity) {}

  // The texts are those of the templates, in their order.
  std::optional<SampleObject> Find(const std::vector<const Template*>& keys, const std::vector<std::string>& texts) {
    keys_ = &keys;
    texts_ = &texts;
    steps_ = 0;
    written_.clear();
    return From(0, 0, 0);
  }

 private:
  static constexpr int kStepsMax = 200'000;
  // The texts of one attribute at its places.
  using Places = std::vector<std::pair<const TemplatePart*, std::string>>;

  std::optional<SampleObject> From(size_t key, size_t part, size_t at) {
    if (++steps_ > kStepsMax) return {};
    if (key == keys_->size()) return Build();
    const Template& whole = *(*keys_)[key];
    const std::string& text = (*texts_)[key];
    if (part == whole.parts.size()) return at == text.size() ? From(key + 1, 0, 0) : std::nullopt;
    const TemplatePart& one = whole.parts[part];
    if (one.IsLiteral()) {
      return text.compare(at, one.text.size(), one.text) == 0 ? From(key, part + 1, at + one.text.size())
                                                              : std::nullopt;
    }
    const std::string name = one.kind == TemplatePart::Kind::kShard ? "{shard}" : one.text;
    for (size_t bytes = 1; at + bytes <= text.size(); ++bytes) {
      const std::string piece = text.substr(at, bytes);
      if (!Fits(one, whole.separator, piece)) continue;
      written_[name].emplace_back(&one, piece);
      std::optional<SampleObject> object;
      if (Agreed(name)) object = From(key, part + 1, at + bytes);
      written_[name].pop_back();
      if (object) return object;
    }
    return {};
  }

  bool Agreed(const std::string& name) { return name == "{shard}" || !CandidatesOf(name).empty(); }

  // The values that write all texts of the attribute.
  std::vector<std::string> CandidatesOf(const std::string& name) {
    const Places& places = written_[name];
    const Attribute& attribute = *entity_.Find(name);
    std::vector<std::string> values = attribute.values;
    if (attribute.type == AttributeType::kBool) values = {"false", "true"};
    for (const auto& [part, text] : places) AddValues(attribute.type, text, values);
    std::erase_if(values, [&](const std::string& value) {
      if (!IsValue(attribute, value)) return true;
      return !std::all_of(places.begin(), places.end(), [&](const auto& place) {
        return FormatValue(place.first->format, place.first->width, attribute.type, value) == place.second;
      });
    });
    return values;
  }

  // Values that a text in some format may be written from: whole times that begin with it, a canonical number, texts
  // with letters in either case.
  static void AddValues(AttributeType type, const std::string& text, std::vector<std::string>& out) {
    if (StoredAs(type) == StoredType::kN) {
      const Result<Number> number = Number::Parse(text);
      return out.push_back(number.ok() ? number->ToString() : text);
    }
    out.push_back(text);
    const std::string stem = text.ends_with('Z') ? text.substr(0, text.size() - 1) : text;
    for (int n = 0; IsTimeText(type) && n < 28; ++n) {
      const std::string first = fmt::format("0000-01-{:02}T00:00:{:02}.{:03}000Z", n + 1, n, n);
      if (stem.size() >= first.size()) break;
      out.push_back(FormatTime(StoredFormat(type), stem + first.substr(stem.size())));
    }
    if (type != AttributeType::kString) return;
    const size_t from = out.size() - 1;
    for (size_t i = 0, letters = 0; i < text.size() && letters < 6; ++i) {
      if (!IsLetter(text[i])) continue;
      ++letters;
      for (size_t at = from, end = out.size(); at < end; ++at) {
        std::string other = out[at];
        other[i] = IsLower(other[i]) ? ToUpper(other[i]) : ToLower(other[i]);
        out.push_back(std::move(other));
      }
    }
  }

  bool IsValue(const Attribute& attribute, const std::string& value) const {
    if (value.empty()) return false;
    if (IsTimeText(attribute.type)) return IsWholeTime(StoredFormat(attribute.type), value);
    if (IsSortableId(attribute.type)) return IsWholeId(attribute.type, value);
    if (attribute.type == AttributeType::kEnum) return Contains(attribute.values, value);
    if (StoredAs(attribute.type) == StoredType::kN) return Number::Parse(value).ok();
    return attribute.type != AttributeType::kString || value.find(model_.table.separator) == std::string::npos;
  }

  // Checks every combination of candidates with the hashed attribute; all else follows from them.
  std::optional<SampleObject> Build() {
    SampleObject object;
    object.entity = id_;
    for (const auto& [name, places] : written_) {
      if (places.empty()) continue;
      if (name == "{shard}") {
        object.shard = static_cast<uint32_t>(strtoul(places[0].second.c_str(), nullptr, 10));
      } else {
        object.values[name] = CandidatesOf(name)[0];
      }
    }
    const std::optional<std::string>& hashed = entity_.shard ? entity_.shard->hash_of : std::nullopt;
    if (!hashed) return Writes(object) ? std::optional(object) : std::nullopt;
    const auto written = written_.find(*hashed);
    std::vector<std::string> values;
    if (written != written_.end() && !written->second.empty()) values = CandidatesOf(*hashed);
    const SampleValues any(1, model_.table.separator, kPresentMs);
    for (uint64_t n = 0; values.size() < 400 && (written == written_.end() || written->second.empty()); ++n) {
      values.push_back(any.Nth(*entity_.Find(*hashed), n));
    }
    for (const std::string& value : values) {
      object.values[*hashed] = value;
      if (Writes(object)) return object;
    }
    return {};
  }

  bool Writes(const SampleObject& object) const {
    for (size_t i = 0; i < keys_->size(); ++i) {
      if (KeyTextOf(model_, object, *(*keys_)[i]) != (*texts_)[i]) return false;
    }
    return true;
  }

  const Model& model_;
  const Entity& entity_;
  const EntityId id_;
  const std::vector<const Template*>* keys_ = nullptr;
  const std::vector<std::string>* texts_ = nullptr;
  std::map<std::string, Places> written_;
  int steps_ = 0;
};

struct Stored {
  EntityId entity = 0;
  SampleItem item;
  std::vector<bool> in;  // by index
};

// One model and its samples. Used by one thread at a time.
class ProofTrial {
 public:
  ProofTrial(const Model& model, Random& random)
      : model_(model), random_(random), coverage_(model), findings_(Check(model)) {
    Fill();
  }

  // Returns what the checker and the sample disagree on; empty if nothing.
  std::vector<std::string> Run() {
    CompareCollisions();
    for (PatternId id = 0; id < model_.patterns.size(); ++id) ComparePattern(id);
    return std::move(faults_);
  }
  bool collides() const { return collides_; }
  bool met() const { return met_; }
  uint64_t reads() const { return reads_; }
  uint64_t matches() const { return matches_; }

 private:
  void Fill() {
    for (SampleObject& object : Sampler(model_, {.seed = random_.Next(), .now_ms = kPresentMs}).MakeAll()) Add(object);
    for (EntityId id = 0; id < model_.entities.size(); ++id) {
      for (uint64_t i = 0; i < kObjectsPerEntity; ++i) Add(MakeObject(id));
    }
  }

  std::string CommonValue(const Attribute& attribute) {
    const std::vector<std::string> all = CommonValues(attribute.type, attribute.values, model_.table.separator);
    return all[random_.Below(all.size())];
  }

  SampleObject MakeObject(EntityId id) {
    SampleObject object;
    object.entity = id;
    for (const Attribute& attribute : model_.entities[id].attributes) {
      if (!attribute.optional || !random_.OneIn(3)) object.values[attribute.name] = CommonValue(attribute);
    }
    if (model_.entities[id].shard) object.shard = static_cast<uint32_t>(random_.Below(model_.entities[id].shard->n));
    return object;
  }

  void Add(const SampleObject& object) {
    Stored stored{object.entity, ItemOf(model_, object, kPresentMs), {}};
    for (const KeySide* side : {&model_.table.pk, &model_.table.sk}) {
      // Without an optional attribute of the key there is no item.
      if (!side->empty() && model::Find(stored.item, (*side)[0]) == nullptr) return;
    }
    for (IndexId id = 0; id < model_.indexes.size(); ++id)
      stored.in.push_back(IsIn(model_, id, object, stored.item, kPresentMs));
    stored_.push_back(std::move(stored));
  }

  void Fault(std::string text) { faults_.push_back(std::move(text)); }
  const std::string& NameOf(EntityId id) const { return model_.entities[id].name; }

  static std::string KeyText(const std::vector<std::pair<std::string, std::string>>& key) {
    std::string text;
    for (const auto& [name, value] : key) text += (text.empty() ? "" : ", ") + name + " = " + value;
    return text;
  }

  void CompareCollisions() {
    std::set<std::pair<EntityId, EntityId>> proven;
    for (const Coverage::Collision& one : coverage_.Collisions()) {
      proven.emplace(one.first, one.second);
      if (IsAmbiguous(one.first) || IsAmbiguous(one.second)) continue;
      for (const EntityId id : {one.first, one.second}) CheckExample(id, std::nullopt, one.example, "collide");
    }
    collides_ = !proven.empty();
    std::set<std::pair<EntityId, EntityId>> reported;
    for (const Finding& finding : findings_) {
      if (finding.rule != "L03") continue;
      const EntityId one = model_.entity_ids.at(finding.entity), other = model_.entity_ids.at(finding.related);
      reported.emplace(std::min(one, other), std::max(one, other));
    }
    if (reported != proven) Fault(fmt::format("{} pairs collide, but L03 reports {}", proven.size(), reported.size()));
    std::map<std::string, std::set<EntityId>> by_key;
    for (const Stored& one : stored_) by_key[KeyJsonOf(model_, one.item)].insert(one.entity);
    for (const auto& [key, entities] : by_key) {
      met_ |= entities.size() > 1;
      for (const EntityId second : entities) CompareWithFirst(key, entities, second, proven);
    }
  }

  // Every other entity with the key collides with this one.
  void CompareWithFirst(const std::string& key, const std::set<EntityId>& entities, EntityId second,
                        std::set<std::pair<EntityId, EntityId>>& proven) {
    for (const EntityId first : entities) {
      if (first >= second || !proven.emplace(first, second).second) continue;
      Fault(fmt::format("{} and {} have an item with the key {}, but no L03", NameOf(first), NameOf(second), key));
    }
  }

  // A key of the entity can be read in two ways, which is an error of its own. The checker then reports what may
  // collide, and its example may be a key that no item has.
  bool IsAmbiguous(EntityId id) const {
    return std::any_of(findings_.begin(), findings_.end(),
                       [&](const Finding& one) { return one.rule == "L06" && one.entity == NameOf(id); });
  }

  // The entity can have a key that the checker gives as an example.
  void CheckExample(EntityId id, std::optional<IndexId> index,
                    const std::vector<std::pair<std::string, std::string>>& example, std::string_view what) {
    const Entity& entity = model_.entities[id];
    const std::vector<VariantId> variants =
        index ? entity.VariantsIn(model_.indexes[*index]) : std::vector<VariantId>{kNoVariant};
    for (const VariantId variant : variants) {
      std::vector<const Template*> keys;
      std::vector<std::string> texts;
      for (const auto& [name, text] : example) {
        const KeyTemplate* key = entity.FindKey(name, variant);
        keys.push_back(&key->value);
        texts.push_back(text);
      }
      if (KeyReverser(model_, id).Find(keys, texts)) return;
    }
    Fault(fmt::format("no {} has the key {}, the example of what {}", entity.name, KeyText(example), what));
  }

  void ComparePattern(PatternId id) {
    const Compiled compiled = Compile(model_, id);
    const auto* access = std::get_if<Access>(&compiled);
    if (access == nullptr || access->operation != Operation::kQuery) return;
    const KeyRead& read = access->read();
    std::set<EntityId> covered;
    const auto is_ambiguous = [&](EntityId wanted) { return IsAmbiguous(wanted); };
    for (const Coverage::Covered& one : coverage_.Of(read)) {
      covered.insert(one.entity);
      if (IsAmbiguous(one.entity) || std::any_of(read.wanted.begin(), read.wanted.end(), is_ambiguous)) continue;
      CheckExample(one.entity, read.index, one.example, "the read " + model_.patterns[id].name + " covers");
    }
    for (int call = 0; call < kCallsPerPattern && faults_.empty(); ++call) CompareRead(*access, covered);
  }

  // The condition that one request has for a key attribute.
  struct Wanted {
    std::string attribute;
    SortRange::Op op = SortRange::Op::kNone;  // kNone: equal to `low`
    StoredType type = StoredType::kS;
    std::string low, high;
  };

  void CompareRead(const Access& access, const std::set<EntityId>& covered) {
    const KeyRead& read = access.read();
    const std::optional<std::vector<Wanted>> wanted = WantedBy(access);
    if (!wanted) return;
    ++reads_;
    for (const Stored& one : stored_) {
      if (read.index && !one.in[*read.index]) continue;
      const auto matches = [&](const Wanted& part) { return Matches(part, model::Find(one.item, part.attribute)); };
      if (!std::all_of(wanted->begin(), wanted->end(), matches)) continue;
      ++matches_;
      if (covered.count(one.entity) != 0) continue;
      std::string condition;
      for (const Wanted& part : *wanted) condition += ' ' + part.attribute + ' ' + part.low + " .. " + part.high;
      return Fault(fmt::format("{} with{} reads {}, which the checker does not list: {}",
                               model_.patterns[access.pattern].name, condition, NameOf(one.entity), JsonOf(one.item)));
    }
  }

  std::optional<std::vector<Wanted>> WantedBy(const Access& access) {
    InputValues inputs;
    for (const Input& input : access.inputs) {
      if (input.attribute == nullptr) return {};
      std::string value = CommonValue(*input.attribute);
      const bool bound = input.name == "from" || input.name == "to" || input.name == "start";
      const bool shorter = bound && (IsTimeText(input.attribute->type) || input.name == "start") && random_.OneIn(3);
      if (shorter) value.resize(std::min<size_t>(value.size(), 4 + 3 * random_.Below(4)));
      inputs[input.name] = value;
    }
    const std::string bucket =
        access.buckets
            ? FormatTime(access.buckets->format, "202" + std::to_string(3 + random_.Below(2)) + "-01-15T10:30:00Z")
            : "";
    const auto find = [&](std::string_view name) -> std::optional<std::string> {
      const auto it = inputs.find(name);
      return it == inputs.end() ? std::nullopt : std::optional(it->second);
    };
    const CallValues values{find, static_cast<uint32_t>(random_.Below(std::max(access.shards, 1u))), bucket,
                            kPresentMs};
    std::vector<Wanted> all;
    const KeyRead& read = access.read();
    for (const auto* parts : {&read.partition, &read.sort}) {
      for (const KeyPart& part : *parts) {
        const std::optional<std::string> text = Evaluate(part.value, values);
        if (!text) return {};
        all.push_back({part.attribute, SortRange::Op::kNone, part.value.type, *text, ""});
      }
    }
    if (read.range.op == SortRange::Op::kNone) return all;
    const std::optional<std::string> low = Evaluate(read.range.low, values);
    const std::optional<std::string> high = Evaluate(read.range.high, values);
    if (!low || !high) return {};
    all.push_back({read.range.attribute, read.range.op, read.range.low.type, *low, *high});
    return all;
  }

  static int Order(StoredType type, const std::string& a, const std::string& b) {
    if (type != StoredType::kN) return a.compare(b);
    return Number::Compare(*Number::Parse(a), *Number::Parse(b));
  }

  static bool Matches(const Wanted& wanted, const ItemAttribute* value) {
    if (value == nullptr || value->type != wanted.type) return false;
    const int low = Order(wanted.type, value->text, wanted.low);
    switch (wanted.op) {
      case SortRange::Op::kNone:
        return low == 0;
      case SortRange::Op::kBeginsWith:
        return value->text.starts_with(wanted.low);
      case SortRange::Op::kBetween:
        return low >= 0 && Order(wanted.type, value->text, wanted.high) <= 0;
      case SortRange::Op::kLess:
        return low < 0;
      case SortRange::Op::kLessEqual:
        return low <= 0;
      case SortRange::Op::kGreater:
        return low > 0;
      case SortRange::Op::kGreaterEqual:
        return low >= 0;
    }
    return false;
  }

  const Model& model_;
  Random& random_;
  const Coverage coverage_;
  const std::vector<Finding> findings_;
  std::vector<Stored> stored_;
  std::vector<std::string> faults_;
  bool collides_ = false, met_ = false;
  uint64_t reads_ = 0, matches_ = 0;
};

TEST(RandomModels, SamplesAgreeWithProofs) {
  const uint64_t seed = FromEnvironment("KEYFOLD_SEED", Random::SeedFromSystem());
  const uint64_t models = FromEnvironment("KEYFOLD_RANDOM_MODELS", kModelsDefault);
  fmt::print("KEYFOLD_SEED={} KEYFOLD_RANDOM_MODELS={}\n", seed, models);
  Random seeds(seed);
  uint64_t compared = 0, collided = 0, met = 0, reads = 0, matches = 0;
  size_t faults = 0;
  for (uint64_t i = 0; i < models && faults < kFaultsMax; ++i) {
    Random random(seeds.Next());
    const std::string text = RandomModelText(random);
    const Model model = LoadForTest(text);
    ASSERT_FALSE(model.entities.empty()) << "model " << i;
    ProofTrial comparison(model, random);
    const std::vector<std::string> found = comparison.Run();
    for (const std::string& fault : found) ADD_FAILURE() << "model " << i << ": " << fault;
    if (!found.empty()) fmt::print("{}\n", text);
    faults += found.size();
    ++compared;
    collided += comparison.collides() ? 1 : 0;
    met += comparison.met() ? 1 : 0;
    reads += comparison.reads();
    matches += comparison.matches();
  }
  fmt::print("{} models, {} collide, {} of them in their samples; {} reads, {} items read\n", compared, collided, met,
             reads, matches);
  EXPECT_GE(collided * 5, compared);
  EXPECT_GT(matches, reads / 10);
}

}  // namespace
}  // namespace keyfold::model
