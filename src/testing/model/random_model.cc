#include "testing/model/random_model.h"

#include <algorithm>
#include <iterator>
#include <span>

namespace keyfold::model {
namespace {

// Every entity declares an attribute of a name in the same way. `formats` are separated by spaces.
struct Kind {
  std::string_view name, type, formats;
};
constexpr Kind kKinds[] = {
    {"a", "string", "lower upper"},
    {"b", "string", "lower upper"},
    {"c", "string", "lower"},
    {"e", "[x, y, xy]", "upper"},
    {"f", "['1', '2', '12']", ""},
    {"g", "bool", ""},
    {"n", "number", "pad2 pad4"},
    {"m", "decimal", ""},
    {"t", "time", "iso_s iso_ms year month day hour"},
    {"s", "time_s", "iso_s month day hour"},
    {"d", "date", "year month day"},
    {"w", "time_us", "iso_us iso_ms iso_s hour"},
    {"p", "epoch_s", "pad10"},
    {"q", "epoch_ms", "pad13"},
    {"i", "ulid", ""},
    {"k", "ksuid", ""},
    {"v", "uuid7", ""},
    {"z", "binary", ""},
};
constexpr std::string_view kLiterals[] = {"A", "B", "AB", "U", "x", "X", "1", "12", "2024", "2024-01", "META", "true"};

template <typename T, size_t n>
const T& OneOf(Random& random, const T (&all)[n]) {
  return all[random.Below(n)];
}

const Kind& KindOf(std::string_view name) {
  return *std::find_if(std::begin(kKinds), std::end(kKinds), [&](const Kind& kind) { return kind.name == name; });
}

std::vector<std::string_view> Words(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

// A part of a template: a literal, a placeholder's attribute with its format, or the shard.
struct Part {
  std::string literal;
  std::string attribute, format;

  std::string Text() const {
    if (attribute.empty()) return literal;
    return '{' + attribute + (format.empty() ? "" : '|' + format) + '}';
  }
};
struct RandomTemplate {
  std::vector<Part> parts;
  std::vector<std::string> joints;  // between them

  std::string Text() const {
    std::string text;
    for (size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? "" : joints[i - 1]) + parts[i].Text();
    return text;
  }
  void AddAttributesTo(std::vector<std::string>& names) const {
    for (const Part& part : parts) {
      const bool there = std::find(names.begin(), names.end(), part.attribute) != names.end();
      if (!part.attribute.empty() && part.attribute != "shard" && !there) names.push_back(part.attribute);
    }
  }
};

struct RandomKey {
  std::string attribute;
  RandomTemplate value;
};
struct RandomEntity {
  std::vector<RandomKey> keys;
  std::vector<RandomKey> variant;  // its index keys, if there is one
  std::string variant_when, when;
  std::string shard;  // "{n: 3, by: random}"
};

// Used by one thread at a time.
class Maker {
 public:
  explicit Maker(Random& random) : random_(random) {
    constexpr std::string_view kSeparators[] = {"#", "#", "#", "-", "::", "|"};
    separator_ = OneOf(random_, kSeparators);
    has_sort_ = !random_.OneIn(6);
    const uint64_t indexes = random_.Below(3);
    for (uint64_t i = 1; i <= indexes; ++i) {
      const std::string name = std::to_string(i);
      Index& index = indexes_.emplace_back();
      index.name = 'G' + name;
      index.pk = {random_.OneIn(5) ? std::string(OneOf(random_, kKinds).name) : "P" + name};
      if (!random_.OneIn(5)) index.sk = {random_.OneIn(5) ? std::string(OneOf(random_, kKinds).name) : "S" + name};
      if (index.pk[0] == "g") index.pk[0] = "a";  // a bool is not a key
      if (random_.OneIn(8)) index.pk.push_back("e");
      if (random_.OneIn(8) && !index.sk.empty()) index.sk.push_back("n");
      for (KeySide* side : {&index.pk, &index.sk}) side->erase(std::unique(side->begin(), side->end()), side->end());
      const auto in_pk = [&](const std::string& one) { return Contains(index.pk, one) || one == "g"; };
      index.sk.erase(std::remove_if(index.sk.begin(), index.sk.end(), in_pk), index.sk.end());
    }
  }

  std::string Run() {
    const uint64_t count = 2 + random_.Below(5);
    for (uint64_t i = 0; i < count; ++i) entities_.push_back(MakeEntity());
    std::string text = "model: 1\ntable: {name: T, key: {pk: PK";
    text += has_sort_ ? ", sk: SK}" : "}";
    text += ", separator: '" + separator_ + "'}\n";
    if (!indexes_.empty()) {
      text += "indexes:\n";
      for (const Index& index : indexes_) {
        text += "  " + index.name + ": {pk: " + List(index.pk) + (index.sk.empty() ? "" : ", sk: " + List(index.sk)) +
                "}\n";
      }
    }
    text += "entities:\n";
    for (size_t i = 0; i < entities_.size(); ++i) text += EntityText(i);
    text += "patterns:\n";
    const uint64_t patterns = 1 + random_.Below(5);
    for (uint64_t i = 0; i < patterns; ++i) text += "  p" + std::to_string(i) + ": " + PatternText() + '\n';
    return text;
  }

 private:
  static std::string List(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return '[' + text + ']';
  }

  Part MakePlaceholder() {
    Part part;
    do part.attribute = random_.OneIn(2) ? OneOf(random_, kKinds).name : kKinds[random_.Below(3)].name;
    while (part.attribute == "z");
    const std::vector<std::string_view> formats = Words(KindOf(part.attribute).formats);
    if (!formats.empty() && random_.OneIn(2)) part.format = formats[random_.Below(formats.size())];
    return part;
  }
  Part MakePart() {
    Part part;
    if (random_.OneIn(2)) return MakePlaceholder();
    part.literal = OneOf(random_, kLiterals);
    return part;
  }
  std::string MakeJoint() {
    if (!random_.OneIn(8)) return separator_;
    constexpr std::string_view kJoints[] = {"", "-", ".", "##"};
    return std::string(OneOf(random_, kJoints));
  }

  RandomTemplate MakeTemplate() {
    RandomTemplate made;
    if (random_.OneIn(12)) {  // a lone attribute, perhaps a binary one
      const std::string_view name = OneOf(random_, kKinds).name;
      if (name != "g") {
        made.parts.push_back({"", std::string(name), ""});
        return made;
      }
    }
    const uint64_t count = 1 + random_.Below(4);
    for (uint64_t i = 0; i < count; ++i) {
      if (i > 0) made.joints.push_back(MakeJoint());
      made.parts.push_back(MakePart());
    }
    return made;
  }

  // Another entity's template, perhaps with another part.
  RandomTemplate Mutated(RandomTemplate whole) {
    const bool lone_binary = whole.parts.size() == 1 && whole.parts[0].attribute == "z";
    if (random_.OneIn(2) || lone_binary) return whole;
    Part& part = whole.parts[random_.Below(whole.parts.size())];
    if (random_.OneIn(6)) {
      whole.joints.push_back(MakeJoint());
      whole.parts.push_back(MakePart());
    } else if (part.attribute.empty() && random_.OneIn(2)) {
      part.literal = OneOf(random_, kLiterals);
    } else if (part.attribute != "shard") {
      part = MakePart();
    }
    return whole;
  }

  RandomTemplate TemplateLike(std::string_view attribute) {
    if (!entities_.empty() && !random_.OneIn(3)) {
      const RandomEntity& other = entities_[random_.Below(entities_.size())];
      for (const RandomKey& key : other.keys) {
        if (key.attribute == attribute) return Mutated(key.value);
      }
    }
    return MakeTemplate();
  }

  RandomEntity MakeEntity() {
    RandomEntity entity;
    std::vector<std::string> names = {"PK"};
    if (has_sort_) names.emplace_back("SK");
    for (const Index& index : indexes_) {
      for (const std::string& name : KeysOf(index)) {
        if ((name[0] == 'P' || name[0] == 'S') && !random_.OneIn(4)) names.push_back(name);
      }
    }
    for (const std::string& name : names) entity.keys.push_back({name, TemplateLike(name)});
    bool sharded = random_.OneIn(7);
    for (RandomKey& key : entity.keys) {
      const bool lone = key.value.parts.size() == 1 && !key.value.parts[0].attribute.empty();
      if (sharded && !lone && key.attribute[0] == 'P' && random_.OneIn(2)) {
        key.value.joints.push_back(separator_);
        key.value.parts.push_back({"", "shard", ""});
      }
    }
    sharded = false;
    for (const RandomKey& key : entity.keys) {
      for (const Part& part : key.value.parts) sharded |= part.attribute == "shard";
    }
    constexpr std::string_view kBys[] = {"random", "hash(a)", "hash(n)", "hash(c)"};
    if (sharded) {
      entity.shard =
          "{n: " + std::to_string(2 + random_.Below(11)) + ", by: '" + std::string(OneOf(random_, kBys)) + "'}";
    }
    if (names.size() > 2 && random_.OneIn(3)) AddVariant(entity);
    constexpr std::string_view kWhens[] = {"e = x", "n > 5 or exists(c)", "not begins_with(a, '1')"};
    if (!indexes_.empty() && random_.OneIn(5)) entity.when = OneOf(random_, kWhens);
    return entity;
  }

  void AddVariant(RandomEntity& entity) {
    for (const RandomKey& key : entity.keys) {
      if (key.attribute == "PK" || key.attribute == "SK" || random_.OneIn(3)) continue;
      entity.variant.push_back({key.attribute, random_.OneIn(2) ? MakeTemplate() : Mutated(key.value)});
      for (Part& part : entity.variant.back().value.parts) {
        if (part.attribute == "shard") part = {"S", "", ""};
      }
    }
    constexpr std::string_view kWhens[] = {"exists(c)", "e = y", "n <= 7 and not g = true"};
    if (!entity.variant.empty()) entity.variant_when = OneOf(random_, kWhens);
  }

  static std::string KeysText(const std::vector<RandomKey>& keys) {
    std::string text;
    for (const RandomKey& key : keys)
      text += (text.empty() ? "" : ", ") + key.attribute + ": '" + key.value.Text() + '\'';
    return '{' + text + '}';
  }

  std::string EntityText(size_t at) const {
    const RandomEntity& entity = entities_[at];
    std::vector<std::string> names = {"a", "c", "e", "g", "n"};  // conditions and shards use them
    for (const auto* keys : {&entity.keys, &entity.variant}) {
      for (const RandomKey& key : *keys) key.value.AddAttributesTo(names);
    }
    for (const Index& index : indexes_) {
      // Two of three entities have the index's own attributes.
      for (const std::string& name : KeysOf(index)) {
        if (name[0] != 'P' && name[0] != 'S' && at % 3 != 0 && !Contains(names, name)) names.push_back(name);
      }
    }
    std::string text = "  E" + std::to_string(at) + ":\n    keys: " + KeysText(entity.keys) + '\n';
    if (!entity.variant.empty()) {
      text += "    variants: {V: {when: \"" + entity.variant_when + "\", keys: " + KeysText(entity.variant) + "}}\n";
    }
    if (!entity.when.empty()) text += "    when: {" + indexes_[0].name + ": \"" + entity.when + "\"}\n";
    if (!entity.shard.empty()) text += "    shard: " + entity.shard + '\n';
    text += "    attributes: {";
    for (size_t i = 0; i < names.size(); ++i) {
      const std::string type(KindOf(names[i]).type);
      text += (i == 0 ? "" : ", ") + names[i] + ": ";
      text += names[i] == "c" ? "{type: string, optional: true}" : type;
    }
    return text + "}\n";
  }

  // A read by the attributes of a key, perhaps with a range of the next one.
  std::string PatternText() {
    const size_t at = random_.Below(entities_.size());
    const RandomEntity& entity = entities_[at];
    const bool by_index = !indexes_.empty() && random_.OneIn(2);
    const Index* index = by_index ? &indexes_[random_.Below(indexes_.size())] : nullptr;
    const bool variant = !entity.variant.empty() && random_.OneIn(2);
    std::vector<std::string> partition, sort;
    const auto add = [&](const KeySide& side, std::vector<std::string>& out) {
      for (const std::string& name : side) AddPlaceholders(entity, variant, name, out);
    };
    add(index ? index->pk : KeySide{"PK"}, partition);
    add(index ? index->sk : has_sort_ ? KeySide{"SK"} : KeySide{}, sort);
    std::vector<std::string> by = partition;
    size_t given = random_.Below(sort.size() + 1);
    for (size_t i = 0; i < given; ++i) {
      if (!Contains(by, sort[i])) by.push_back(sort[i]);
    }
    std::string text = "query: E" + std::to_string(at);
    const size_t other = random_.Below(entities_.size());
    if (other != at && random_.OneIn(3)) text = "query: [E" + std::to_string(at) + ", E" + std::to_string(other) + "]";
    if (!by.empty()) text += ", by: " + List(by);
    if (index) text += ", index: " + index->name;
    const bool ranges = given < sort.size() && !Contains(by, sort[given]) && sort[given] != "z" && sort[given] != "g";
    if (ranges && !random_.OneIn(3)) text += RangeText(sort[given]);
    return '{' + text + ", fanout: shard, limit: 9}";
  }

  void AddPlaceholders(const RandomEntity& entity, bool variant, const std::string& name,
                       std::vector<std::string>& out) {
    for (const auto* keys : {variant ? &entity.variant : &entity.keys, &entity.keys}) {
      for (const RandomKey& key : *keys) {
        if (key.attribute == name) return key.value.AddAttributesTo(out);
      }
    }
    const bool own = name[0] != 'P' && name[0] != 'S';
    if (own && !Contains(out, name) && Contains({"a", "c", "e", "g", "n"}, name)) out.push_back(name);
  }

  std::string RangeText(const std::string& name) {
    const std::string_view type = KindOf(name).type;
    const bool text = type == "string" || type == "ulid" || type == "ksuid" || type == "uuid7";
    switch (random_.Below(6)) {
      case 0:
        return ", between: {" + name + ": [from, to]}";
      case 1:
        if (text) return ", begins: {" + name + ": start}";
        return ", between: {" + name + ": [from, to]}";
      case 2:
        return ", where: \"" + name + " >= from\"";
      case 3:
        return ", where: \"" + name + " < to\"";
      case 4:
        return ", where: \"" + name + " > from and " + name + " <= to\"";
      default:
        return ", where: \"" + name + " >= from and " + name + " < to\"";
    }
  }

  Random& random_;
  std::string separator_;
  bool has_sort_ = true;
  std::vector<Index> indexes_;
  std::vector<RandomEntity> entities_;
};

constexpr std::string_view kStrings[] = {"a",    "A",    "B",         "ab", "AB", "x",    "X",       "y",
                                         "xy",   "1",    "2",         "12", "01", "0012", "U",       "u",
                                         "META", "meta", "true",      "-1", ".5", "2024", "2024-01", "2024-01-15",
                                         "S.A",  "1-2",  "x\xC3\xA9", "0",  "E",  "7"};
constexpr std::string_view kIntegers[] = {"1", "2", "12", "7", "0", "99"};
constexpr std::string_view kDecimals[] = {"1", "2", "12", "-1", "0.5", "2024", "1.2"};
constexpr std::string_view kTimes[] = {"2024-01-15T10:30:00", "2024-01-15T10:30:01", "2024-01-01T00:00:00",
                                       "2024-02-15T10:00:00", "2023-12-31T23:59:59"};
constexpr std::string_view kEpochs[] = {"1", "12", "2024", "1705314600"};
constexpr std::string_view kUlids[] = {"01HM5S3GZK0000000000000000", "01HM5S3GZK0000000000000001"};
constexpr std::string_view kKsuids[] = {"2aX4Fy000000000000000000001", "2aX4Fy00000000000000000000z"};
constexpr std::string_view kUuids[] = {"018d0b6c-1c5e-7000-8000-000000000001", "018d0b6c-1c5e-7000-8000-0000000000ab"};

std::vector<std::string> Times(std::string_view behind, std::string_view other) {
  std::vector<std::string> times;
  for (const std::string_view time : kTimes) times.push_back(std::string(time) + std::string(behind));
  if (!other.empty()) times.push_back(std::string(kTimes[0]) + std::string(other));
  return times;
}

}  // namespace

std::vector<std::string> CommonValues(AttributeType type, const std::vector<std::string>& choices,
                                      std::string_view separator) {
  const auto all = [](std::span<const std::string_view> texts) {
    return std::vector<std::string>(texts.begin(), texts.end());
  };
  std::vector<std::string> values;
  switch (type) {
    case AttributeType::kEnum:
      return choices;
    case AttributeType::kBool:
      return {"false", "true"};
    case AttributeType::kNumber:
      return all(kIntegers);
    case AttributeType::kDecimal:
      return all(kDecimals);
    case AttributeType::kDate:
      return {"2024-01-15", "2024-01-01", "2024-02-15", "2023-12-31"};
    case AttributeType::kTimeSeconds:
      return Times("Z", "");
    case AttributeType::kTime:
      return Times(".000Z", ".120Z");
    case AttributeType::kTimeMicros:
      return Times(".000000Z", ".120000Z");
    case AttributeType::kEpochSeconds:
    case AttributeType::kEpochMillis:
      return all(kEpochs);
    case AttributeType::kUlid:
      return all(kUlids);
    case AttributeType::kKsuid:
      return all(kKsuids);
    case AttributeType::kUuid7:
      return all(kUuids);
    case AttributeType::kBinary:
      return {"a", "1", std::string("\x00\xFF", 2)};
    default:
      values = all(kStrings);
  }
  std::erase_if(values, [&](const std::string& value) { return value.find(separator) != std::string::npos; });
  return values;
}

std::string RandomModelText(Random& random) { return Maker(random).Run(); }

}  // namespace keyfold::model
