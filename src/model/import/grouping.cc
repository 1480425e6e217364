#include "model/import/grouping.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_map>

#include "base/text/ascii.h"
#include "model/core/template.h"

namespace keyfold::model {
namespace {

constexpr std::string_view kSeparators[] = {"#", "|", "::", "/", "~", "$", ":"};
// Common names of the attribute that says what an item is; compared without case, _ and -.
constexpr std::string_view kTypeNames[] = {"et",   "type",  "entitytype", "entity",   "typename",   "edbe",
                                           "kind", "model", "itemtype",   "datatype", "objecttype", "recordtype"};

std::string LowercaseLetters(std::string_view name) {
  std::string out;
  for (const char c : FormatValue(Format::kLower, 0, AttributeType::kString, name)) {
    if (IsLower(c)) out += c;
  }
  return out;
}

std::vector<std::string> AllKeys(const TableDefinition& table) {
  std::vector<std::string> names;
  const auto add = [&](const KeyDefinition& key) {
    for (const auto* side : {&key.pk, &key.sk}) {
      for (const KeyAttribute& each : *side) names.push_back(each.name);
    }
  };
  add(table.key);
  for (const IndexDefinition& index : table.indexes) add(index.key);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

// Groups one sample. Used by one thread at a time.
class Grouper {
 public:
  Grouper(const TableDefinition& table, const std::vector<SampledItem>& items)
      : table_(table), items_(items), names_(AllKeys(table)) {
    out_.sampled = items.size();
  }

  Grouping Group() {
    FindSeparator();
    FindWrittenKeys();
    for (const auto* side : {&table_.key.pk, &table_.key.sk}) {
      for (const KeyAttribute& each : *side) AddShapes(each.name);
    }
    FindTypeAttribute();
    Collect();
    return std::move(out_);
  }

 private:
  // Chooses the separator that occurs in the most base keys.
  void FindSeparator() {
    std::array<size_t, std::size(kSeparators)> counts{};
    for (const SampledItem& item : items_) {
      for (const auto* side : {&table_.key.pk, &table_.key.sk}) {
        for (const KeyAttribute& each : *side) Count(item.Find(each.name), counts);
      }
    }
    const auto most = std::max_element(counts.begin(), counts.end());
    if (*most > 0) out_.separator = kSeparators[most - counts.begin()];
  }

  static void Count(const SampledValue* value, std::array<size_t, std::size(kSeparators)>& counts) {
    if (value == nullptr || value->type != Type::kS) return;
    // The : inside a time is not a separator.
    for (size_t i = 0; i < counts.size(); ++i) {
      const bool time = kSeparators[i] == ":" && value->text.find('T') != std::string::npos;
      counts[i] += !time && value->text.find(kSeparators[i]) != std::string::npos;
    }
  }

  void FindWrittenKeys() {
    for (const std::string& name : names_) {
      const std::string letters = LowercaseLetters(name);
      size_t having = 0, separated = 0;
      for (const SampledItem& item : items_) {
        const SampledValue* value = item.Find(name);
        having += value != nullptr;
        separated +=
            value != nullptr && value->type == Type::kS && value->text.find(out_.separator) != std::string::npos;
      }
      const bool named = letters.ends_with("pk") || letters.ends_with("sk");
      if (named || (separated > 0 && separated * 2 >= having)) out_.keys.push_back(name);
    }
  }

  // Appends the shape of one key to each item's shape, position by position. A value that an attribute gives becomes
  // {}, and so do words if there are many different ones.
  void AddShapes(const std::string& name) {
    shapes_.resize(items_.size());
    std::vector<std::vector<std::string_view>> tokens(items_.size());
    size_t places = 0;
    for (size_t i = 0; i < items_.size(); ++i) {
      const SampledValue* value = items_[i].Find(name);
      if (value != nullptr && value->type == Type::kS) tokens[i] = SplitKey(value->text, out_.separator);
      places = std::max(places, tokens[i].size());
      shapes_[i] += shapes_[i].empty() ? "" : " ";
    }
    for (size_t place = 0; place < places; ++place) AddPlace(tokens, place);
  }

  void AddPlace(const std::vector<std::vector<std::string_view>>& tokens, size_t place) {
    struct Words {
      std::set<std::string_view> distinct;
      size_t items = 0;
    };
    std::unordered_map<std::string, Words> words;  // by the shape so far
    std::vector<bool> literal(items_.size());
    for (size_t i = 0; i < items_.size(); ++i) {
      if (place >= tokens[i].size()) continue;
      const std::string_view token = tokens[i][place];
      literal[i] = (IsWord(token) || IsCapitals(token)) && !IsGiven(items_[i], token);
      if (!literal[i]) continue;
      Words& here = words[shapes_[i]];
      here.distinct.insert(token);
      ++here.items;
    }
    for (size_t i = 0; i < items_.size(); ++i) {
      if (place >= tokens[i].size()) continue;
      const std::string_view token = tokens[i][place];
      const auto here = words.find(shapes_[i]);
      const bool many = here != words.end() && here->second.distinct.size() > 12 &&
                        here->second.distinct.size() * 5 > here->second.items;
      std::string added(place > 0 ? out_.separator : "");
      added += literal[i] && !many ? token : std::string_view("{}");
      next_.push_back(std::move(added));
      next_of_.push_back(i);
    }
    // Applied only now: while one position is counted, the shapes before it must not change.
    for (size_t i = 0; i < next_.size(); ++i) shapes_[next_of_[i]] += next_[i];
    next_.clear();
    next_of_.clear();
  }

  bool IsGiven(const SampledItem& item, std::string_view token) const {
    return std::any_of(item.attributes.begin(), item.attributes.end(), [&](const SampledValue& value) {
      if (!value.IsText() || std::binary_search(out_.keys.begin(), out_.keys.end(), value.name)) return false;
      // The value of a type attribute can also be a literal in the key.
      if (IsTypeName(value.name)) return false;
      const std::vector<Rendering> renderings = RenderingsOf(value, token);
      return !renderings.empty() && (value.text == token || !IsCapitals(token));
    });
  }

  static bool IsTypeName(std::string_view name) {
    return std::find(std::begin(kTypeNames), std::end(kTypeNames), LowercaseLetters(name)) != std::end(kTypeNames);
  }

  void FindTypeAttribute() {
    std::map<std::string_view, size_t> names;
    for (const SampledItem& item : items_) {
      for (const SampledValue& value : item.attributes) names[value.name] += value.type == Type::kS;
    }
    size_t best = 0;
    for (const auto& [name, count] : names) {
      const bool key = std::binary_search(names_.begin(), names_.end(), name);
      if (key || !IsTypeName(name) || !NearlyAll(count, items_.size()) || !Decides(name)) continue;
      if (count > best) best = count, out_.type_attribute = name;
    }
  }

  // Returns true if, for each value of the attribute, the items have keys of one shape.
  bool Decides(std::string_view name) const {
    std::map<std::string_view, std::map<std::string_view, size_t>> shapes;
    for (size_t i = 0; i < items_.size(); ++i) {
      if (const SampledValue* value = items_[i].Find(name)) ++shapes[value->text][shapes_[i]];
    }
    size_t fitting = 0;
    for (const auto& [value, counts] : shapes) {
      fitting += std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) {
                   return a.second < b.second;
                 })->second;
    }
    return fitting * 10 >= items_.size() * 9;
  }

  void Collect() {
    std::map<std::pair<std::string, std::string>, size_t> places;
    for (size_t i = 0; i < items_.size(); ++i) {
      const SampledValue* type = out_.type_attribute.empty() ? nullptr : items_[i].Find(out_.type_attribute);
      const std::string text = type != nullptr ? type->text : items_[i].hint;
      const auto [place, fresh] = places.emplace(std::pair(text, shapes_[i]), out_.groups.size());
      if (fresh) out_.groups.push_back({text, shapes_[i], {}});
      out_.groups[place->second].items.push_back(&items_[i]);
    }
    MergeStrays();
    std::stable_sort(out_.groups.begin(), out_.groups.end(),
                     [](const auto& a, const auto& b) { return a.items.size() > b.items.size(); });
  }

  // Items with a rare shape of a type are probably malformed. They join the type's entity, which counts them as not
  // fitting.
  void MergeStrays() {
    std::map<std::string, size_t> largest;
    for (size_t i = 0; i < out_.groups.size(); ++i) {
      const auto [at, fresh] = largest.emplace(out_.groups[i].type, i);
      if (!fresh && out_.groups[i].items.size() > out_.groups[at->second].items.size()) at->second = i;
    }
    for (auto& group : out_.groups) {
      if (group.type.empty()) continue;
      auto& main = out_.groups[largest[group.type]];
      if (&group == &main || group.items.size() * 20 > main.items.size()) continue;
      main.items.insert(main.items.end(), group.items.begin(), group.items.end());
      group.items.clear();
    }
    std::erase_if(out_.groups, [](const auto& group) { return group.items.empty(); });
  }

  const TableDefinition& table_;
  const std::vector<SampledItem>& items_;
  const std::vector<std::string> names_;  // names of all key attributes, sorted
  std::vector<std::string> shapes_;       // shape of each item's base key, so far
  std::vector<std::string> next_;         // text to append for the current position; next_of_ has the items
  std::vector<size_t> next_of_;
  Grouping out_;
};

}  // namespace

Grouping GroupItems(const TableDefinition& table, const std::vector<SampledItem>& items) {
  return Grouper(table, items).Group();
}

}  // namespace keyfold::model
