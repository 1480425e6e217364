#include "model/import/inference.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "model/core/template.h"
#include "model/import/grouping.h"
#include "model/import/key_inference.h"

namespace keyfold::model {
namespace {

constexpr size_t kCertain = 5;            // with fewer items, no sparse rule is inferred
constexpr uint64_t kCardinalityMax = 50;  // most distinct values for which a cardinality is declared
constexpr uint32_t kShardsTried = 64;     // shard counts tried with hash()

std::string Share(size_t part, size_t whole) {
  const double share = whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  return fmt::format("{} %", share == 100 || share == 0 ? fmt::format("{:.0f}", share) : fmt::format("{:.1f}", share));
}

// Infers one entity from the items of one group. Used by one thread at a time.
class EntityInference {
 public:
  EntityInference(const TableDefinition& table, const Grouping& grouping, const ItemGroup& group)
      : table_(table), grouping_(grouping), group_(group) {}

  DraftEntity Infer() {
    InferKeys();
    InferShard();
    InferWhen();
    InferAttributes();
    InferSize();
    Comment();
    return std::move(out_);
  }

  const std::vector<KeyGuess>& guesses() const { return guesses_; }

 private:
  void InferKeys() {
    AddKeys(table_.key, true);
    for (const IndexDefinition& index : table_.indexes) AddKeys(index.key, false);
    for (const KeyGuess& guess : guesses_) {
      const bool base = guess.native && IsBase(guess.attribute);
      if (base || !guess.native) out_.keys.emplace_back(guess.attribute, guess.Text());
    }
  }

  void AddKeys(const KeyDefinition& key, bool base) {
    for (const auto* side : {&key.pk, &key.sk}) {
      for (const KeyAttribute& each : *side) {
        if (Find(each.name) != nullptr) continue;
        KeyGuess guess = InferKey({each.name, grouping_.separator, &grouping_.keys, side->size() > 1}, group_.items);
        if (base || guess.having > 0) guesses_.push_back(std::move(guess));
      }
    }
  }

  const KeyGuess* Find(std::string_view attribute) const {
    for (const KeyGuess& guess : guesses_) {
      if (guess.attribute == attribute) return &guess;
    }
    return nullptr;
  }

  bool IsBase(std::string_view name) const {
    const auto is = [&](const KeyAttribute& each) { return each.name == name; };
    return std::any_of(table_.key.pk.begin(), table_.key.pk.end(), is) ||
           std::any_of(table_.key.sk.begin(), table_.key.sk.end(), is);
  }

  // Returns the shard number in the item's key, if the key has one.
  std::optional<std::string> ShardOfItem(const SampledItem& item) const {
    for (const KeyGuess& guess : guesses_) {
      const SampledValue* value = guess.HasShard() ? item.Find(guess.attribute) : nullptr;
      if (value == nullptr) continue;
      const std::vector<std::string_view> tokens = SplitKey(value->text, grouping_.separator);
      for (size_t i = 0; i < tokens.size(); ++i) {
        const bool here = i * 2 < guess.parts.size() && guess.parts[i * 2].kind == GuessedPart::Kind::kShard;
        if (here) return std::string(tokens[i]);
      }
    }
    return {};
  }

  void InferShard() {
    uint32_t most = 0;
    std::vector<std::pair<const SampledItem*, std::string>> shards;
    for (const SampledItem* item : group_.items) {
      std::optional<std::string> shard = ShardOfItem(*item);
      if (!shard || !IsDigits(*shard) || shard->size() > 5) continue;
      most = std::max(most, static_cast<uint32_t>(std::stoul(*shard)));
      shards.emplace_back(item, *std::move(shard));
    }
    if (shards.empty()) return;
    out_.shard = DraftShard{most + 1, "random"};
    if (!FindHash(shards)) {
      doubts_.push_back(
          fmt::format("the highest shard seen is {}, so {} shards are assumed; how a shard is chosen was "
                      "not found",
                      most, most + 1));
    }
  }

  // Looks for an attribute in the keys and a number n for which hash(attribute) modulo n is the shard of every item.
  bool FindHash(const std::vector<std::pair<const SampledItem*, std::string>>& shards) {
    std::set<std::string> tried;
    for (const KeyGuess& guess : guesses_) {
      for (const GuessedPart& part : guess.parts) {
        if (part.kind != GuessedPart::Kind::kAttribute || !tried.insert(part.text).second) continue;
        for (uint32_t n = out_.shard->n; n < out_.shard->n + kShardsTried; ++n) {
          if (!HashGives(shards, part, n)) continue;
          out_.shard = DraftShard{n, fmt::format("hash({})", part.text)};
          return true;
        }
      }
    }
    return false;
  }

  static bool HashGives(const std::vector<std::pair<const SampledItem*, std::string>>& shards, const GuessedPart& part,
                        uint32_t n) {
    for (const auto& [item, shard] : shards) {
      const SampledValue* value = item->Find(part.text);
      if (value == nullptr) return false;
      const AttributeType type = value->type == Type::kN     ? AttributeType::kNumber
                                 : IsStoredTime(value->text) ? AttributeType::kTime
                                                             : AttributeType::kString;
      const std::string text = FormatValue(part.rendering.format, part.rendering.width, type, value->text);
      if (std::to_string(ShardOf(text, n)) != shard) return false;
    }
    return true;
  }

  // For each index that holds only some of the items, looks for the rule that selects them.
  void InferWhen() {
    for (const IndexDefinition& index : table_.indexes) {
      if (index.local) continue;
      std::vector<bool> in;
      size_t count = 0;
      for (const SampledItem* item : group_.items) {
        in.push_back(IsIn(index, *item));
        count += in.back();
      }
      if (count == 0 || count == in.size() || Explained(index, in)) continue;
      const std::optional<std::string> rule = FindRule(in);
      if (rule && in.size() >= kCertain) {
        out_.when.emplace_back(index.name, *rule);
        doubts_.push_back(fmt::format("{} of the items are in {}, exactly those with {}", Share(count, in.size()),
                                      index.name, *rule));
      } else {
        doubts_.push_back(fmt::format("{} of the items are in {}; the rule that selects them was not found",
                                      Share(count, in.size()), index.name));
      }
    }
  }

  static bool IsIn(const IndexDefinition& index, const SampledItem& item) {
    const auto has = [&](const KeyAttribute& each) { return item.Find(each.name) != nullptr; };
    return std::all_of(index.key.pk.begin(), index.key.pk.end(), has) &&
           std::all_of(index.key.sk.begin(), index.key.sk.end(), has);
  }

  // Returns true if missing attributes of the key or its template explain which items are not in the index.
  bool Explained(const IndexDefinition& index, const std::vector<bool>& in) const {
    std::vector<std::string> needed;
    for (const auto* side : {&index.key.pk, &index.key.sk}) {
      for (const KeyAttribute& each : *side) {
        const KeyGuess* guess = Find(each.name);
        if (guess == nullptr || guess->native) needed.push_back(each.name);
        if (guess == nullptr) continue;
        for (const GuessedPart& part : guess->parts) {
          if (part.kind == GuessedPart::Kind::kAttribute) needed.push_back(part.text);
        }
      }
    }
    for (size_t i = 0; i < in.size(); ++i) {
      const bool lacks = std::any_of(needed.begin(), needed.end(),
                                     [&](const std::string& name) { return group_.items[i]->Find(name) == nullptr; });
      if (in[i] == lacks) return false;
    }
    return true;
  }

  // Returns `a = "v"`, exists(a) or missing(a) if it holds for exactly those items.
  std::optional<std::string> FindRule(const std::vector<bool>& in) const {
    const size_t first = static_cast<size_t>(std::find(in.begin(), in.end(), true) - in.begin());
    for (const SampledValue& value : group_.items[first]->attributes) {
      if (IsKey(value.name) || value.name == grouping_.type_attribute) continue;
      const auto same = [&](const SampledItem& item) {
        const SampledValue* other = item.Find(value.name);
        return other != nullptr && other->type == value.type && other->text == value.text;
      };
      const bool plain = value.text.find_first_of("\"'\\") == std::string::npos && !value.text.empty();
      const bool scalar = value.IsText() || value.type == Type::kBool;
      if (plain && scalar && Splits(in, same)) {
        return value.type == Type::kS ? fmt::format("{} = '{}'", value.name, value.text)
                                      : fmt::format("{} = {}", value.name, value.text);
      }
      if (Splits(in, [&](const SampledItem& item) { return item.Find(value.name) != nullptr; })) {
        return fmt::format("exists({})", value.name);
      }
    }
    return {};
  }

  template <typename Holds>
  bool Splits(const std::vector<bool>& in, Holds holds) const {
    for (size_t i = 0; i < in.size(); ++i) {
      if (holds(*group_.items[i]) != in[i]) return false;
    }
    return true;
  }

  bool IsKey(std::string_view name) const {
    const KeyGuess* guess = Find(name);
    return guess != nullptr && !guess->native;
  }

  void InferAttributes() {
    std::set<std::string> done;
    const auto add = [&](const std::string& name) {
      if (IsKey(name) || name == grouping_.type_attribute || !done.insert(name).second) return;
      AddAttribute(name);
    };
    for (const KeyGuess& guess : guesses_) {
      if (guess.native) add(guess.attribute);
      for (const GuessedPart& part : guess.parts) {
        if (part.kind == GuessedPart::Kind::kAttribute) add(part.text);
        if (part.kind != GuessedPart::Kind::kInvented || !done.insert(part.text).second) continue;
        out_.attributes.push_back({part.text, part.type, false, {}});
      }
    }
    for (const SampledItem* item : group_.items) {
      for (const SampledValue& value : item->attributes) add(value.name);
    }
  }

  bool InBaseKey(std::string_view name) const {
    for (const KeyGuess& guess : guesses_) {
      if (!IsBase(guess.attribute)) continue;
      if (guess.native && guess.attribute == name) return true;
      for (const GuessedPart& part : guess.parts) {
        if (part.kind == GuessedPart::Kind::kAttribute && part.text == name) return true;
      }
    }
    return false;
  }

  // The format in a template decides the type: times have time formats, text has upper or lower case.
  bool IsTimeInKeys(std::string_view name) const {
    for (const KeyGuess& guess : guesses_) {
      for (const GuessedPart& part : guess.parts) {
        if (part.kind != GuessedPart::Kind::kAttribute || part.text != name) continue;
        if (part.rendering.format != Format::kIsoSeconds && part.rendering.format != Format::kIsoMillis &&
            !IsBucket(part.rendering.format)) {
          return false;
        }
      }
    }
    return true;
  }

  void AddAttribute(const std::string& name) {
    size_t having = 0, whole = 0, times = 0;
    std::map<Type, size_t> types;
    std::set<std::string_view> distinct;
    for (const SampledItem* item : group_.items) {
      const SampledValue* value = item->Find(name);
      if (value == nullptr) continue;
      ++having;
      ++types[value->type];
      whole += value->whole;
      times += value->type == Type::kS && IsStoredTime(value->text);
      if (distinct.size() <= kCardinalityMax) distinct.insert(value->text);
    }
    if (having == 0) return;
    const auto most =
        std::max_element(types.begin(), types.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    DraftAttribute attribute;
    attribute.name = name;
    attribute.optional = having < group_.items.size() && !InBaseKey(name);
    attribute.type = TypeName(most->first, whole == having, times == having && IsTimeInKeys(name));
    if (name == table_.ttl && attribute.type == "number") attribute.type = "epoch_s";
    const bool set = most->first == Type::kS && attribute.type == "string" && distinct.size() <= kCardinalityMax &&
                     having >= distinct.size() * 10 && distinct.size() > 1;
    if (set) attribute.cardinality = distinct.size();
    if (types.size() > 1) {
      doubts_.push_back(fmt::format("{} has values of {} types; {} of them are {}", name, types.size(),
                                    Share(most->second, having), NameOf(most->first)));
    } else if (most->first == Type::kSS || most->first == Type::kNS || most->first == Type::kBS) {
      doubts_.push_back(fmt::format("{} is a set ({}), which is a list in a model", name, NameOf(most->first)));
    }
    out_.attributes.push_back(std::move(attribute));
  }

  static std::string TypeName(Type type, bool whole, bool time) {
    switch (type) {
      case Type::kN:
        return whole ? "number" : "decimal";
      case Type::kB:
        return "binary";
      case Type::kSS:
      case Type::kNS:
      case Type::kBS:
      case Type::kL:
        return "list";
      case Type::kM:
        return "map";
      case Type::kBool:
        return "bool";
      case Type::kS:
      case Type::kNull:
        break;
    }
    return time ? "time" : "string";
  }

  void InferSize() {
    uint64_t sum = 0;
    for (const SampledItem* item : group_.items) {
      sum += item->bytes;
      out_.size_max = std::max(out_.size_max, item->bytes);
    }
    out_.size_avg = std::max<uint64_t>(1, (sum + group_.items.size() / 2) / group_.items.size());
  }

  void Comment() {
    std::string fits;
    for (const KeyGuess& guess : guesses_) {
      if (guess.native) continue;
      fits += fmt::format("{}{} {}", fits.empty() ? "" : ", ", guess.attribute, Share(guess.fitting, guess.having));
    }
    out_.comments.push_back(fmt::format("{} of {} sampled items ({})", group_.items.size(), grouping_.sampled,
                                        Share(group_.items.size(), grouping_.sampled)));
    if (!fits.empty()) out_.comments.push_back("keys that match their template: " + fits);
    for (const KeyGuess& guess : guesses_) {
      for (const std::string& doubt : guess.doubts) out_.comments.push_back("guess: " + doubt);
    }
    for (const std::string& doubt : doubts_) out_.comments.push_back("guess: " + doubt);
  }

  const TableDefinition& table_;
  const Grouping& grouping_;
  const ItemGroup& group_;
  std::vector<KeyGuess> guesses_;
  std::vector<std::string> doubts_;
  DraftEntity out_;
};

// The literal words of a template, joined: "DEPT#{dept}#USER#{id}" gives DeptUser.
std::string NameOfLiterals(const KeyGuess& guess) {
  std::string out;
  for (const GuessedPart& part : guess.parts) {
    if (part.kind == GuessedPart::Kind::kLiteral) out += CamelCase(part.text, true);
  }
  return out;
}

// Infers the whole model. Used by one thread at a time.
class ModelInference {
 public:
  explicit ModelInference(const SampleOf& sample)
      : sample_(sample), grouping_(GroupItems(sample.table, sample.items)) {}

  Draft Infer() {
    draft_.table = sample_.table;
    draft_.separator = grouping_.separator;
    draft_.type_attribute = grouping_.type_attribute;
    for (const ItemGroup& group : grouping_.groups) {
      EntityInference inference(sample_.table, grouping_, group);
      DraftEntity entity = inference.Infer();
      entity.name = NameFor(group, inference.guesses());
      draft_.entities.push_back(std::move(entity));
    }
    if (draft_.entities.empty()) AddUnknown();
    for (size_t i = 0; i < grouping_.groups.size(); ++i) AddAmounts(i);
    return std::move(draft_);
  }

 private:
  // The value of the type attribute; otherwise the literals of the sort key, or those of the partition key if the sort
  // key is constant.
  std::string NameFor(const ItemGroup& group, const std::vector<KeyGuess>& guesses) {
    std::string name = CamelCase(group.type, true);
    const KeyGuess* pk = &guesses[0];
    const KeyGuess* sk = sample_.table.key.sk.empty() ? nullptr : &guesses[1];
    if (!group.type.empty() && !name.empty()) name = group.type.find(' ') == std::string::npos ? group.type : name;
    if (name.empty() && sk != nullptr && !sk->IsLiteral()) name = NameOfLiterals(*sk);
    if (name.empty()) name = NameOfLiterals(*pk);
    if (name.empty()) name = CamelCase(sample_.table.name, true) + "Item";
    if (names_.contains(name) && sk != nullptr) name += NameOfLiterals(*sk);
    const std::string stem = name;
    for (int i = 2; !names_.insert(name).second; ++i) name = stem + std::to_string(i);
    return name;
  }

  // Only the key is known of a table without items.
  void AddUnknown() {
    DraftEntity entity;
    entity.name = CamelCase(sample_.table.name, true) + "Item";
    entity.comments.push_back("guess: there were no items to look at; name the entities and write their templates");
    for (const auto* side : {&sample_.table.key.pk, &sample_.table.key.sk}) {
      for (const KeyAttribute& each : *side) {
        entity.keys.emplace_back(each.name, fmt::format("{{{}}}", each.name));
        constexpr std::string_view kTypes[] = {"string", "number", "binary"};
        entity.attributes.push_back({each.name, std::string(kTypes[static_cast<size_t>(each.type)]), false, {}});
      }
    }
    draft_.entities.push_back(std::move(entity));
  }

  const std::string& TemplateOf(const DraftEntity& entity, size_t key) const { return entity.keys[key].second; }

  // The largest entity with the same partition key and a constant sort key: it owns the partition.
  std::optional<size_t> OwnerOf(size_t child) const {
    if (sample_.table.key.sk.empty()) return {};
    std::optional<size_t> owner;
    for (size_t i = 0; i < draft_.entities.size(); ++i) {
      const DraftEntity& entity = draft_.entities[i];
      const bool constant = TemplateOf(entity, 1).find('{') == std::string::npos;
      if (i == child || !constant || TemplateOf(entity, 0) != TemplateOf(draft_.entities[child], 0)) continue;
      if (!owner || grouping_.groups[i].items.size() > grouping_.groups[*owner].items.size()) owner = i;
    }
    const bool self = TemplateOf(draft_.entities[child], 1).find('{') == std::string::npos;
    return self ? std::nullopt : owner;
  }

  void AddAmounts(size_t at) {
    DraftEntity& entity = draft_.entities[at];
    const ItemRefs& items = grouping_.groups[at].items;
    if (const std::optional<size_t> owner = OwnerOf(at)) {
      std::map<std::string_view, size_t> per_partition;
      const std::string& pk = sample_.table.key.pk[0].name;
      for (const SampledItem* item : items) ++per_partition[item->Find(pk)->text];
      size_t most = 0;
      for (const auto& [partition, count] : per_partition) most = std::max(most, count);
      // The sample can contain items of partitions whose owner it lacks.
      const double owners = static_cast<double>(std::max(grouping_.groups[*owner].items.size(), per_partition.size()));
      entity.per =
          DraftPer{draft_.entities[*owner].name, static_cast<double>(items.size()) / owners, static_cast<double>(most)};
      return;
    }
    const bool scaled = !sample_.complete && sample_.table.items > sample_.items.size();
    entity.count = scaled ? sample_.table.items * items.size() / sample_.items.size() : items.size();
    if (scaled) entity.comments.push_back("guess: count is the sample's share of the table's item count");
  }

  const SampleOf& sample_;
  const Grouping grouping_;
  std::set<std::string> names_;
  Draft draft_;
};

}  // namespace

Draft InferModel(const SampleOf& sample) { return ModelInference(sample).Infer(); }

}  // namespace keyfold::model
