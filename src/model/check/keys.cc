// Rules about keys: whether what templates write can be distinguished, sorted and read back.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/text/ascii.h"
#include "model/check/put.h"
#include "model/check/rule.h"
#include "model/check/subject.h"
#include "model/core/calendar.h"
#include "model/core/figures.h"
#include "model/keys/key_automaton.h"
#include "value/limits.h"

namespace keyfold::model::check {
namespace {

constexpr Wording<"{} and {} can have the same key, so one overwrites the other.",
                  "Put the entity's name in one of the two keys of {}.">
    kCollision{"L03"};
constexpr Wording<
    "{} and {} can have the same key, and every put of both is on the condition that the key is new, so the second "
    "of the two is refused.",
    "Nothing is overwritten; keep it if the two share their names on purpose, otherwise put the entity's name in one "
    "of the two keys of {}.">
    kSharedKey{"L03"};
constexpr Wording<"{} of {} is {}, and {} can contain the separator {}, so the key cannot be parsed.",
                  "Use values without it, or another separator.">
    kSeparatorInside{"L06"};
constexpr Wording<
    "{} of {} is {}, and {} can contain the separator {}, so it depends on its values whether the key can be parsed; "
    "with these it can.",
    "Use values without it, or another separator.">
    kSeparatorParsed{"L06"};
constexpr Wording<"{} of {} is {}, which can be parsed in two ways.", "Put the separator {} between its placeholders.">
    kTwoReadings{"L06"};
constexpr Wording<"{} of {} sorts {} as text, but {}.", "{}."> kNumberAsText{"L07"};
constexpr Wording<"{} of {} pads {} to {} digits without a declared max.", "Declare max to prove the width."> kNoMax{
    "L07"};
constexpr Wording<"{} of {} has the time {} without a format, so its precision depends on the writer.",
                  "Write {{}|iso_s} or {{}|iso_ms}.">
    kBareTime{"L08"};
constexpr Wording<"{} is in {} by {}, which is optional and has a default, so every item is in the index.",
                  "Drop the default for a sparse index, or drop optional.">
    kNeverSparse{"L29"};
constexpr Wording<"{} is {} in {} and {} in {}, but a key attribute has only one type.",
                  "Give both the same type, or use two indexes.">
    kTwoTypes{"L30"};
constexpr Wording<"{} of {} is {}, whose default is empty, but DynamoDB refuses an empty key.", "Drop the default.">
    kEmptyKey{"L30"};
constexpr Wording<"{} of {} has {}, which is optional, but an item needs its whole key.", "Make it required.">
    kOptionalInKey{"L30"};
constexpr Wording<"{} of {} has type {}, but a key must be S, N or B.", "Use another attribute."> kNoKeyType{"L30"};
constexpr Wording<"{} of {} can have {} bytes, but DynamoDB allows at most {}.",
                  "Lower max_length of its parts, or hash the long one.">
    kKeyTooLong{"L32"};
constexpr Wording<"The name {} has {} bytes, but DynamoDB allows at most 255.", "Shorten it."> kNameTooLong{"L32"};
constexpr Wording<"{} is not a valid name of {}: DynamoDB takes 3 to 255 letters, digits, _, - and dots.",
                  "Call it {}, for example.">
    kBadName{"L32"};
constexpr Wording<"{} is not the name of an AWS Region.", "Write a name such as eu-central-1."> kBadRegion{"L32"};
constexpr Wording<
    "{} is written as {} in {} of {} and as {} in {} of {}, so a key built from one does not find the other.",
    "Use one format.">
    kTwoEncodings{"L42"};
constexpr Wording<"The key of {} has no placeholder, so its {} items are one item, and each put overwrites it.",
                  "Put what identifies an item into {}, such as {}.">
    kOneKey{"L52"};
constexpr Wording<"{} of {} is {}, where the $ before the placeholder is a part of every key.",
                  "Write {}: a placeholder needs no $.">
    kStrayDollar{"L53"};
constexpr Wording<"{} of {} is {}, where {} is plain text that is the same in every key.",
                  "Write {} if it is a placeholder.">
    kAngled{"L53"};

Place PlaceOf(const Subject& subject, EntityId entity, const KeyTemplate& key) {
  Place place{key.mark, entity};
  const Model& model = subject.model();
  if (model.IsBaseKey(key.attribute)) return place;
  for (IndexId id = 0; id < model.indexes.size() && !place.index; ++id) {
    if (Contains(KeysOf(model.indexes[id]), key.attribute)) place.index = id;
  }
  return place;
}

void CheckCollisions(const Subject& subject, Report& report) {
  const Model& model = subject.model();
  for (const Coverage::Collision& one : subject.coverage().Collisions()) {
    const Entity& second = subject.entity(one.second);
    const std::string& first = subject.entity(one.first).name;
    const std::string& last = model.table.sk.empty() ? model.table.pk.back() : model.table.sk.back();
    const bool guarded = PutsAreNew(subject, one.first) && PutsAreNew(subject, one.second);
    report.AddPair(guarded ? Severity::kInfo : Severity::kError, {second.FindKey(last)->mark}, one.first, one.second,
                   guarded ? kSharedKey(first, second.name, second.name) : kCollision(first, second.name, second.name),
                   KeyText(one.example));
  }
}

std::string ReadingsText(const TwoReadings& two, const Template& whole) {
  const auto reported = [&](const std::vector<std::string>& texts) {
    std::string text;
    for (size_t i = 0; i < texts.size(); ++i) {
      if (whole.parts[i].IsLiteral()) continue;
      text += (text.empty() ? "" : ", ") + whole.parts[i].text + " = " + texts[i];
    }
    return text;
  };
  return two.text + " is " + reported(two.first) + " or " + reported(two.second);
}

void CheckReadableTemplate(const Subject& subject, EntityId id, const KeyTemplate& key, Report& report) {
  const Place place = PlaceOf(subject, id, key);
  const std::string& name = subject.entity(id).name;
  const auto two = FindTwoReadings(key.value);
  const TemplatePart* known = nullptr;
  for (const TemplatePart& part : key.value.parts) {
    const auto inside = part.IsLiteral() ? std::nullopt : FindSeparatorInside(part, key.value.separator);
    if (!inside) continue;
    // All values of an enum are known, and so is a default. If they leave the key one reading, that is a proof.
    if (!two && !part.values.empty()) {
      if (known == nullptr) known = &part;
      continue;
    }
    report.Add(Severity::kError, place,
               kSeparatorInside(key.attribute, name, key.value.text, part.text, key.value.separator),
               part.text + " = " + *inside);
    return;
  }
  if (known != nullptr) {
    report.Add(Severity::kInfo, place,
               kSeparatorParsed(key.attribute, name, key.value.text, known->text, key.value.separator),
               known->text + " = " + *FindSeparatorInside(*known, key.value.separator));
  }
  if (two) {
    report.Add(Severity::kError, place, kTwoReadings(key.attribute, name, key.value.text, key.value.separator),
               ReadingsText(*two, key.value));
  }
}

void CheckReadable(const Subject& subject, Report& report) {
  for (EntityId id = 0; id < subject.model().entities.size(); ++id) {
    for (const KeyTemplate& key : subject.entity(id).keys) {
      // A key of one placeholder is the value itself: there is nothing to separate.
      if (key.value.parts.size() > 1) CheckReadableTemplate(subject, id, key, report);
    }
  }
}

int DigitsOf(double value) { return value < 1 ? 1 : static_cast<int>(std::floor(std::log10(value))) + 1; }

void CheckNumberPart(const Place& place, const Entity& entity, const KeyTemplate& key, const TemplatePart& part,
                     Report& report) {
  const Attribute& attribute = *entity.Find(part.text);
  const auto wrong = [&](std::string_view why, std::string_view what, std::string example) {
    report.Add(Severity::kError, place, kNumberAsText(key.attribute, entity.name, part.text, why, what),
               std::move(example));
  };
  if (attribute.type == AttributeType::kDecimal)
    return wrong("decimals do not sort as text", "Store a whole number of the smallest unit and pad it",
                 "10.5 sorts before 9.5");
  if (attribute.min && *attribute.min < 0)
    return wrong("its min is negative", "Add an offset so that no value is below zero, and pad it",
                 "-2 sorts after -1");
  if (!IsPadded(part.format))
    return wrong("it has no fixed width", "Write {" + part.text + "|padN}", "9 sorts after 10");
  if (attribute.type == AttributeType::kEpochSeconds && !attribute.max) {
    if (part.width >= 10) return;
    return wrong("seconds since 1970 have 10 digits", "Use " + FormatName(part.format, 10), "9999999999 does not fit");
  }
  if (!attribute.max) {
    report.Add(Severity::kInfo, place, kNoMax(key.attribute, entity.name, part.text, static_cast<int>(part.width)));
    return;
  }
  const int digits = DigitsOf(*attribute.max);
  if (digits <= part.width) return;
  wrong("its max has " + std::to_string(digits) + " digits",
        "Use " + FormatName(part.format, static_cast<uint8_t>(digits)),
        Figure(*attribute.max) + " sorts before " + std::string(part.width, '2'));
}

void CheckNumbers(const Subject& subject, Report& report) {
  const Model& model = subject.model();
  std::vector<std::string> sort_keys = model.table.sk;
  for (const Index& index : model.indexes) sort_keys.insert(sort_keys.end(), index.sk.begin(), index.sk.end());
  for (EntityId id = 0; id < model.entities.size(); ++id) {
    for (const KeyTemplate& key : subject.entity(id).keys) {
      if (key.value.IsLone() || !Contains(sort_keys, key.attribute)) continue;
      for (const TemplatePart& part : key.value.parts) {
        const bool number = part.kind == TemplatePart::Kind::kAttribute && StoredAs(part.type) == StoredType::kN;
        if (number) CheckNumberPart(PlaceOf(subject, id, key), subject.entity(id), key, part, report);
      }
    }
  }
}

void CheckTimes(const Subject& subject, Report& report) {
  for (EntityId id = 0; id < subject.model().entities.size(); ++id) {
    for (const KeyTemplate& key : subject.entity(id).keys) {
      for (const TemplatePart& part : key.value.parts) {
        const bool bare = part.kind == TemplatePart::Kind::kAttribute && part.type == AttributeType::kTime &&
                          part.format == Format::kPlain;
        if (!bare) continue;
        report.Add(Severity::kError, PlaceOf(subject, id, key),
                   kBareTime(key.attribute, subject.entity(id).name, part.text, part.text, part.text),
                   "2024-01-15T10:30:29Z sorts after 2024-01-15T10:30:29.017Z");
      }
    }
  }
}

// Reports a key attribute of an index that is always present because of a default.
void CheckSparseKey(const Subject& subject, EntityId id, IndexId index, const KeyTemplate& key, Report& report) {
  const Entity& entity = subject.entity(id);
  for (const TemplatePart& part : key.value.parts) {
    const Attribute* attribute = part.IsLiteral() ? nullptr : entity.Find(part.text);
    if (attribute == nullptr || !attribute->optional || !attribute->default_value) continue;
    report.Add(Severity::kWarning, {key.mark, id, {}, index},
               kNeverSparse(entity.name, subject.model().indexes[index].name, part.text));
  }
}

void CheckSparse(const Subject& subject, Report& report) {
  const Model& model = subject.model();
  for (EntityId id = 0; id < model.entities.size(); ++id) {
    for (IndexId index = 0; index < model.indexes.size(); ++index) {
      for (const std::string& name : KeysOf(model.indexes[index])) {
        const KeyTemplate* key = model.IsBaseKey(name) ? nullptr : subject.entity(id).FindKey(name);
        if (key != nullptr) CheckSparseKey(subject, id, index, *key, report);
      }
    }
  }
}

void CheckKeyParts(const Subject& subject, EntityId id, const KeyTemplate& key, Report& report) {
  const Entity& entity = subject.entity(id);
  const Place place = PlaceOf(subject, id, key);
  const StoredType type = key.value.type;
  if (type != StoredType::kS && type != StoredType::kN && type != StoredType::kB) {
    report.Add(Severity::kError, place, kNoKeyType(key.attribute, entity.name, type));
  }
  for (const TemplatePart& part : key.value.parts) {
    const Attribute* attribute = part.kind == TemplatePart::Kind::kAttribute ? entity.Find(part.text) : nullptr;
    if (attribute == nullptr) continue;
    if (attribute->optional && subject.model().IsBaseKey(key.attribute)) {
      report.Add(Severity::kError, place, kOptionalInKey(key.attribute, entity.name, part.text));
    }
    const bool empty = attribute->default_value && attribute->default_value->text.empty();
    if (empty && key.value.parts.size() == 1) {
      report.Add(Severity::kError, place, kEmptyKey(key.attribute, entity.name, part.text), key.attribute + " = \"\"");
    }
  }
}

void CheckKeyTypes(const Subject& subject, Report& report) {
  std::map<std::string, std::pair<StoredType, EntityId>> first;
  for (EntityId id = 0; id < subject.model().entities.size(); ++id) {
    const Entity& entity = subject.entity(id);
    for (const auto* keys : {&entity.keys, &entity.native_keys}) {
      for (const KeyTemplate& key : *keys) {
        CheckKeyParts(subject, id, key, report);
        const auto [it, added] = first.try_emplace(key.attribute, key.value.type, id);
        if (added || it->second.first == key.value.type) continue;
        report.AddPair(Severity::kError, PlaceOf(subject, id, key), it->second.second, id,
                       kTwoTypes(key.attribute, it->second.first, subject.entity(it->second.second).name,
                                 key.value.type, entity.name));
      }
    }
  }
}

// Maximum bytes of a part, as far as they are declared.
uint64_t BytesMaxOf(const Entity& entity, const TemplatePart& part) {
  if (part.IsLiteral()) return part.text.size();
  if (part.kind == TemplatePart::Kind::kShard) return std::to_string(part.shards - 1).size();
  if (IsPadded(part.format)) return part.width;
  if (!LayoutOf(part.format).empty()) return LayoutOf(part.format).size();
  uint64_t longest = 0;
  for (const std::string& value : part.values) longest = std::max<uint64_t>(longest, value.size());
  return std::max(longest, entity.Find(part.text)->max_length.value_or(0));
}

void CheckKeyLengths(const Subject& subject, EntityId id, const KeySide& side, uint64_t most, Report& report) {
  const Entity& entity = subject.entity(id);
  for (const std::string& attribute : side) {
    const KeyTemplate* key = entity.FindKey(attribute);
    if (key == nullptr) continue;
    uint64_t bytes = 0;
    std::string sum;
    for (const TemplatePart& part : key->value.parts) {
      const uint64_t one = BytesMaxOf(entity, part);
      bytes += one;
      sum += (sum.empty() ? "" : " + ") + std::to_string(one);
    }
    if (bytes <= most) continue;
    report.Add(Severity::kError, PlaceOf(subject, id, *key), kKeyTooLong(attribute, entity.name, bytes, most),
               sum + " = " + std::to_string(bytes) + " bytes");
  }
}

constexpr size_t kNameCharactersMin = 3;
constexpr size_t kNameCharactersMax = 255;

// The name with every character that DynamoDB refuses in a table's or an index's name replaced.
std::string ValidName(std::string name) {
  for (char& c : name) {
    if (!IsLetterOrDigit(c) && std::string_view("_.-").find(c) == std::string_view::npos) c = '-';
  }
  if (name.size() < kNameCharactersMin) return "My" + name + "Name";
  return name.substr(0, kNameCharactersMax);
}

// "us-east-1", "us-gov-west-1": words of lower-case letters, then a number.
bool IsRegionName(std::string_view name) {
  size_t words = 0;
  for (size_t dash; (dash = name.find('-')) != std::string_view::npos; ++words) {
    const auto lower = [](char c) { return c >= 'a' && c <= 'z'; };
    if (dash == 0 || !std::all_of(name.begin(), name.begin() + static_cast<ptrdiff_t>(dash), lower)) return false;
    name.remove_prefix(dash + 1);
  }
  return words >= 2 && !name.empty() && std::all_of(name.begin(), name.end(), IsDigit);
}

void CheckResourceNames(const Subject& subject, Report& report) {
  const Model& model = subject.model();
  const auto check = [&](const std::string& name, std::string_view what, const Place& place) {
    const std::string valid = ValidName(name);
    if (valid != name) report.Add(Severity::kError, place, kBadName(name.empty() ? "\"\"" : name, what, valid));
  };
  check(model.table.name, "a table", {model.table.mark});
  for (IndexId id = 0; id < model.indexes.size(); ++id)
    check(model.indexes[id].name, "an index", {model.indexes[id].mark, {}, {}, id});
  if (!IsRegionName(model.table.region))
    report.Add(Severity::kError, {model.table.mark}, kBadRegion(model.table.region));
}

void CheckLengths(const Subject& subject, Report& report) {
  CheckResourceNames(subject, report);
  const Model& model = subject.model();
  const auto check_name = [&](const std::string& name, const Place& place) {
    if (name.size() > kKeyAttributeNameBytesMax) report.Add(Severity::kError, place, kNameTooLong(name, name.size()));
  };
  for (const KeySide* side : {&model.table.pk, &model.table.sk}) {
    for (const std::string& name : *side) check_name(name, {model.table.mark});
  }
  for (IndexId id = 0; id < model.indexes.size(); ++id) {
    for (const std::string& name : KeysOf(model.indexes[id])) check_name(name, {model.indexes[id].mark, {}, {}, id});
  }
  for (EntityId id = 0; id < model.entities.size(); ++id) {
    for (const Attribute& attribute : subject.entity(id).attributes) check_name(attribute.name, {attribute.mark, id});
    std::optional<IndexId> place;
    for (size_t i = 0; i <= model.indexes.size(); ++i) {
      CheckKeyLengths(subject, id, model.PartitionKey(place), kPartitionKeyBytesMax, report);
      CheckKeyLengths(subject, id, model.SortKey(place), kSortKeyBytesMax, report);
      place = static_cast<IndexId>(i);
    }
  }
}

// The number of an entity's items, as far as the model says that there are several; otherwise 1.
double DeclaredItems(const Subject& subject, EntityId id) {
  const Entity& entity = subject.entity(id);
  double items = subject.Count(id).value_or(1);
  for (const Per& per : entity.per) items = std::max({items, per.avg, per.max.value_or(0)});
  for (const Pattern& pattern : subject.model().patterns) {
    for (const Action& action : pattern.actions) {
      if (action.entity == id && action.verb == Verb::kPut) items = std::max<double>(items, action.times);
    }
  }
  return items;
}

void CheckConstantKeys(const Subject& subject, Report& report) {
  const Model& model = subject.model();
  for (EntityId id = 0; id < model.entities.size(); ++id) {
    const Entity& entity = subject.entity(id);
    bool constant = true;
    for (const KeySide* side : {&model.table.pk, &model.table.sk}) {
      for (const std::string& name : *side) {
        for (const TemplatePart& part : entity.FindKey(name)->value.parts) constant &= part.IsLiteral();
      }
    }
    const double items = constant ? DeclaredItems(subject, id) : 1;
    if (items <= 1) continue;
    const KeyTemplate& key = *entity.FindKey(model.table.pk[0]);
    const std::string identity = entity.attributes.empty() ? "id" : entity.attributes[0].name;
    const std::string example = key.value.text + key.value.separator + "{" + identity + "}";
    report.Add(Severity::kError, {key.mark, id}, kOneKey(entity.name, Figure(items), key.attribute, example),
               key.attribute + " = " + key.value.text + " is the same for every " + entity.name);
  }
}

// The name in the first `<name>` of a literal; empty if there is none.
std::string AngledName(std::string_view literal) {
  for (size_t at = literal.find('<'); at != std::string_view::npos; at = literal.find('<', at + 1)) {
    const size_t end = literal.find('>', at);
    if (end == std::string_view::npos) return "";
    const std::string_view name = literal.substr(at + 1, end - at - 1);
    const auto in_name = [](char c) { return IsLetterOrDigit(c) || c == '_'; };
    if (!name.empty() && std::all_of(name.begin(), name.end(), in_name)) return std::string(name);
  }
  return "";
}

void CheckNotation(const Subject& subject, EntityId id, const KeyTemplate& key, Report& report) {
  const Entity& entity = subject.entity(id);
  const std::vector<TemplatePart>& parts = key.value.parts;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (!parts[i].IsLiteral()) continue;
    if (parts[i].text.ends_with('$') && i + 1 < parts.size()) {
      std::string without = key.value.text;
      for (size_t at; (at = without.find("${")) != std::string::npos;) without.erase(at, 1);
      report.Add(Severity::kWarning, PlaceOf(subject, id, key),
                 kStrayDollar(key.attribute, entity.name, key.value.text, without));
      return;
    }
    const std::string name = AngledName(parts[i].text);
    if (name.empty()) continue;
    report.Add(entity.Find(name) != nullptr ? Severity::kError : Severity::kWarning, PlaceOf(subject, id, key),
               kAngled(key.attribute, entity.name, key.value.text, "<" + name + ">", "{" + name + "}"));
    return;
  }
}

void CheckNotations(const Subject& subject, Report& report) {
  for (EntityId id = 0; id < subject.model().entities.size(); ++id) {
    for (const KeyTemplate& key : subject.entity(id).keys) CheckNotation(subject, id, key, report);
  }
}

// One use of an attribute in a template.
struct Use {
  EntityId entity = 0;
  const KeyTemplate* key = nullptr;
  const TemplatePart* part = nullptr;
};

std::string FormatText(const TemplatePart& part) {
  const std::string name = FormatName(part.format, part.width);
  return name.empty() ? "plain text" : name;
}

void ReportEncodings(const Subject& subject, const Use& a, const Use& b, Report& report) {
  const Entity& first = subject.entity(a.entity);
  const Entity& second = subject.entity(b.entity);
  Place place = PlaceOf(subject, b.entity, *b.key);
  if (a.entity != b.entity) place.related = a.entity;
  const AttributeType type = a.part->type;
  const bool number = StoredAs(type) == StoredType::kN;
  const std::string time = FormatTime(StoredFormat(type), "2024-01-15T10:30:00.000000Z");
  const std::string value = number ? "7" : IsTimeText(type) ? time : "aB";
  report.Add(Severity::kError, place,
             kTwoEncodings(a.part->text, FormatText(*a.part), a.key->attribute, first.name, FormatText(*b.part),
                           b.key->attribute, second.name),
             a.part->text + " " + value + ": " + FormatValue(a.part->format, a.part->width, type, value) + " and " +
                 FormatValue(b.part->format, b.part->width, type, value));
}

// Scopes in which one attribute name means the same thing: an entity, a copy and its source, or the same key prefix.
std::vector<std::string> ScopesOf(const Subject& subject, const Use& use) {
  EntityId root = use.entity;
  while (subject.entity(root).copy_of) root = subject.entity(root).copy_of->source;
  // A number that counts down has another text on purpose, to sort the other way.
  const bool down = use.part->format == Format::kDesc;
  std::vector<std::string> scopes{"entity " + std::to_string(root) + (down ? " downwards" : "")};
  const auto at = static_cast<size_t>(use.part - use.key->value.parts.data());
  const bool worded = at > 0 && std::any_of(use.key->value.parts[at - 1].text.begin(),
                                            use.key->value.parts[at - 1].text.end(), IsLetter);
  if (worded && !IsTimeText(use.part->type)) scopes.push_back("prefix " + use.key->value.parts[at - 1].text);
  return scopes;
}

// The first use of each attribute in each scope.
using FirstUses = std::map<std::string, Use>;

void CheckEncoding(const Subject& subject, const Use& use, FirstUses& first, Report& report) {
  for (const std::string& scope : ScopesOf(subject, use)) {
    const auto [it, added] = first.try_emplace(scope + "\n" + use.part->text, use);
    const TemplatePart& before = *it->second.part;
    if (added || before.type != use.part->type) continue;
    if (before.format == use.part->format && before.width == use.part->width) continue;
    return ReportEncodings(subject, it->second, use, report);
  }
}

void CheckEncodings(const Subject& subject, Report& report) {
  FirstUses first;
  for (EntityId id = 0; id < subject.model().entities.size(); ++id) {
    for (const KeyTemplate& key : subject.entity(id).keys) {
      if (key.value.IsLone()) continue;
      for (const TemplatePart& part : key.value.parts) {
        if (part.kind != TemplatePart::Kind::kAttribute || IsBucket(part.format)) continue;
        CheckEncoding(subject, {id, &key, &part}, first, report);
      }
    }
  }
}

constexpr LintRule kKeyRuleRows[] = {
    {"L03", Severity::kError, "Two entities can have the same key",
     "A put replaces any item with the same key. If the keys of two entities can be equal, writing one silently "
     "destroys the other. If every put of both is on the condition that the key is new (if_new), the second put is "
     "refused instead: two entities can share their names in this way, and the finding is only an info.",
     "Start one of the keys with the entity's own prefix, so that no value makes them equal.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  User: {keys: {PK: "USER#{userId}", SK: PROFILE}, attributes: {userId: string}}
  Setting: {keys: {PK: "USER#{userId}", SK: "{name}"}, attributes: {userId: string, name: string}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  User: {keys: {PK: "USER#{userId}", SK: PROFILE}, attributes: {userId: string}}
  Setting: {keys: {PK: "USER#{userId}", SK: "SETTING#{name}"}, attributes: {userId: string, name: string}}
)yaml",
     CheckCollisions},
    {"L06", Severity::kError, "A key cannot be split into its parts",
     "Tools, streams and people recover values from keys. If a value can contain the separator, or two values of "
     "variable width are adjacent, one key has two meanings, and two different items can get the same key.",
     "Put the separator between placeholders, and choose one that no value contains.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Seat: {keys: {PK: "HALL#{hall}", SK: "SEAT#{row}{place}"}, attributes: {hall: string, row: string, place: string}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Seat: {keys: {PK: "HALL#{hall}", SK: "SEAT#{row}#{place}"}, attributes: {hall: string, row: string, place: string}}
)yaml",
     CheckReadable},
    {"L07", Severity::kError, "A number in a sort key does not sort as a number",
     "Keys of type S compare byte by byte: \"10\" comes before \"9\", and \"-2\" after \"-10\". Ranges and "
     "latest-first reads then return the wrong items, without an error.",
     "Pad to a fixed width that holds the declared max ({n|pad8}), or make the number alone the key of type N.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Version: {keys: {PK: "DOC#{doc}", SK: "V#{version}"}, attributes: {doc: string, version: {type: number, max: 999999}}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Version: {keys: {PK: "DOC#{doc}", SK: "V#{version|pad6}"}, attributes: {doc: string, version: {type: number, max: 999999}}}
)yaml",
     CheckNumbers},
    {"L08", Severity::kError, "A time in a key has no fixed format",
     "Libraries print times with and without fractions or zones. Two writers that use different formats sort equal "
     "times differently.",
     "Name the format in the template: {at|iso_s} or {at|iso_ms}; both are UTC and of fixed width.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Event: {keys: {PK: "USER#{userId}", SK: "EVENT#{at}"}, attributes: {userId: string, at: time}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Event: {keys: {PK: "USER#{userId}", SK: "EVENT#{at|iso_ms}"}, attributes: {userId: string, at: time}}
)yaml",
     CheckTimes},
    {"L29", Severity::kWarning, "A sparse index that is never sparse",
     "An item stays out of an index if a part of the key is missing. A default fills in the part, so every item is in "
     "the index and paid for.",
     "Drop the default if the index is meant to be sparse, or drop optional if it is not.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
indexes: {GSI1: {pk: GSI1PK, sk: GSI1SK}}
entities:
  Task:
    keys: {PK: "TASK#{taskId}", SK: TASK, GSI1PK: "FLAG#{flag}", GSI1SK: "TASK#{taskId}"}
    attributes: {taskId: string, flag: {type: string, optional: true, default: none}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
indexes: {GSI1: {pk: GSI1PK, sk: GSI1SK}}
entities:
  Task:
    keys: {PK: "TASK#{taskId}", SK: TASK, GSI1PK: "FLAG#{flag}", GSI1SK: "TASK#{taskId}"}
    attributes: {taskId: string, flag: {type: string, optional: true}}
)yaml",
     CheckSparse},
    {"L30", Severity::kError, "A key attribute has the wrong type or can be empty",
     "A table fixes the type of each key attribute. A write with another type, with an empty string or without the "
     "attribute is refused.",
     "Give every entity that uses a key attribute the same type for it, always with a value.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
indexes: {GSI1: {pk: GSI1PK}}
entities:
  User: {keys: {PK: "USER#{userId}", SK: USER, GSI1PK: "{email}"}, attributes: {userId: string, email: string}}
  Order: {keys: {PK: "ORDER#{orderId}", SK: ORDER, GSI1PK: "{number}"}, attributes: {orderId: string, number: number}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
indexes: {GSI1: {pk: GSI1PK}}
entities:
  User: {keys: {PK: "USER#{userId}", SK: USER, GSI1PK: "EMAIL#{email}"}, attributes: {userId: string, email: string}}
  Order: {keys: {PK: "ORDER#{orderId}", SK: ORDER, GSI1PK: "NUMBER#{number}"}, attributes: {orderId: string, number: number}}
)yaml",
     CheckKeyTypes},
    {"L32", Severity::kError, "A key or a name that DynamoDB refuses",
     "A partition key has at most 2,048 bytes, a sort key 1,024, an attribute's name 255. A longer write fails in "
     "production, when the first long value appears. Names of tables and indexes have 3 to 255 letters, digits, _, - "
     "and dots; with another name, the table cannot be created.",
     "Lower max_length, or put a hash of the long value in the key. Choose a name that DynamoDB takes.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  File: {keys: {PK: "DISK#{disk}", SK: "FILE#{path}"}, attributes: {disk: string, path: {type: string, max_length: 4096}}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  File: {keys: {PK: "DISK#{disk}", SK: "FILE#{path}"}, attributes: {disk: string, path: {type: string, max_length: 1000}}}
)yaml",
     CheckLengths},
    {"L42", Severity::kError, "One id is written in two ways",
     "A key built from {orderId|pad8} is not found by one built from {orderId}. Each reader then needs to know which "
     "form each key uses.",
     "Write the id in one format everywhere.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
indexes: {GSI1: {pk: GSI1PK, sk: GSI1SK}}
entities:
  Order:
    keys: {PK: "USER#{userId}", SK: "ORDER#{orderId|pad8}", GSI1PK: "ORDER#{orderId}", GSI1SK: ORDER}
    attributes: {userId: string, orderId: {type: number, max: 99999999}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
indexes: {GSI1: {pk: GSI1PK, sk: GSI1SK}}
entities:
  Order:
    keys: {PK: "USER#{userId}", SK: "ORDER#{orderId|pad8}", GSI1PK: "ORDER#{orderId|pad8}", GSI1SK: ORDER}
    attributes: {userId: string, orderId: {type: number, max: 99999999}}
)yaml",
     CheckEncodings},
    {"L52", Severity::kError, "All items of an entity have one key",
     "A key without a placeholder is the same for every item, so there is only one item, which each put overwrites.",
     "Put what identifies an item into its key, as a placeholder.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  User: {keys: {PK: USER, SK: PROFILE}, attributes: {userId: string, name: string}, count: 1000}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  User: {keys: {PK: "USER#{userId}", SK: PROFILE}, attributes: {userId: string, name: string}, count: 1000}
)yaml",
     CheckConstantKeys},
    {"L53", Severity::kError, "A template in the notation of another tool",
     "A placeholder is {name}. In ${name} the $ is plain text, which every key then has; <name> is plain text as a "
     "whole, so the key does not have the value at all.",
     "Write {name}. If the text is meant, accept the finding.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  User: {keys: {PK: "USER#${userId}", SK: PROFILE}, attributes: {userId: string}}
  Order: {keys: {PK: "USER#{userId}", SK: "ORDER#<orderId>"}, attributes: {userId: string, orderId: string}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  User: {keys: {PK: "USER#{userId}", SK: PROFILE}, attributes: {userId: string}}
  Order: {keys: {PK: "USER#{userId}", SK: "ORDER#{orderId}"}, attributes: {userId: string, orderId: string}}
)yaml",
     CheckNotations},
};

}  // namespace

const std::span<const LintRule> kKeyRules = kKeyRuleRows;

}  // namespace keyfold::model::check
