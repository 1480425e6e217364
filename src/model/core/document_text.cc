#include "model/core/document_text.h"

#include <algorithm>
#include <charconv>

#include "base/text/base64.h"
#include "base/text/utf8.h"
#include "json/document.h"
#include "json/writer.h"

namespace keyfold::model {
namespace {

constexpr StoredType kStoredTypes[] = {StoredType::kS,    StoredType::kN,  StoredType::kB,
                                       StoredType::kBool, StoredType::kL,  StoredType::kM,
                                       StoredType::kSS,   StoredType::kNS, StoredType::kBS};

bool IsSetType(StoredType type) { return type >= StoredType::kSS; }

void AppendJson(std::string& out, json::Value value) {
  json::Writer writer(out);
  switch (value.type()) {
    case json::Type::kNull:
      return writer.Null();
    case json::Type::kBool:
      return writer.Bool(value.AsBool());
    case json::Type::kString:
      return writer.String(value.AsString());
    case json::Type::kArray:
      writer.BeginArray();
      for (const json::Value one : value.elements()) AppendJson(writer.BeginRaw(), one);
      return writer.EndArray();
    case json::Type::kObject:
      writer.BeginObject();
      for (const json::Member one : value.members()) {
        writer.Key(one.name);
        AppendJson(writer.BeginRaw(), one.value);
      }
      return writer.EndObject();
    default:
      return writer.Raw(value.NumberText());
  }
}

std::string JsonText(json::Value value) {
  std::string out;
  AppendJson(out, value);
  return out;
}

// {"S":"text"}
std::optional<InnerValue> InnerOf(json::Value typed) {
  if (!typed.is_object()) return {};
  for (const json::Member one : typed.members()) {
    for (const StoredType type : kStoredTypes) {
      if (NameOf(type) != one.name) continue;
      if (type == StoredType::kBool) return InnerValue{type, one.value.AsBool() ? "true" : "false"};
      if (type == StoredType::kB) {
        InnerValue bytes{type, ""};
        if (!AppendFromBase64(bytes.text, one.value.AsString())) return {};
        return bytes;
      }
      return InnerValue{type, one.value.is_string() ? std::string(one.value.AsString()) : JsonText(one.value)};
    }
  }
  return {};
}

// A step of a path: a name, or the position of an element.
struct Step {
  std::string_view name;
  std::optional<size_t> position;
};

std::vector<Step> StepsOf(std::string_view path) {
  std::vector<Step> steps;
  while (!path.empty()) {
    const size_t end = std::min(path.find_first_of(".[", 1), path.size());
    Step& step = steps.emplace_back();
    if (path[0] == '.') {
      step.name = path.substr(1, end - 1);
    } else {
      size_t position = 0;
      std::from_chars(path.data() + 1, path.data() + end, position);
      step.position = position;
    }
    path.remove_prefix(end);
  }
  return steps;
}

// The content of a list or map, its entries as typed values.
struct Content {
  json::Parser parser;
  std::vector<std::pair<std::string, std::string>> entries;  // the name, empty in a list, and the JSON of the value

  bool Read(std::string_view document) {
    const std::optional<json::Value> value = parser.Parse(std::string(document));
    if (!value) return false;
    if (value->is_object()) {
      for (const json::Member one : value->members()) entries.emplace_back(one.name, JsonText(one.value));
    } else if (value->is_array()) {
      for (const json::Value one : value->elements()) entries.emplace_back("", JsonText(one));
    }
    return true;
  }

  size_t Find(const Step& step) const {
    if (step.position) return std::min(*step.position, entries.size());
    const auto it =
        std::find_if(entries.begin(), entries.end(), [&](const auto& one) { return one.first == step.name; });
    return static_cast<size_t>(it - entries.begin());
  }

  std::string Write(StoredType type) const {
    std::string out;
    json::Writer writer(out);
    type == StoredType::kM ? writer.BeginObject() : writer.BeginArray();
    for (const auto& [name, value] : entries) {
      if (type == StoredType::kM) writer.Key(name);
      writer.Raw(value);
    }
    type == StoredType::kM ? writer.EndObject() : writer.EndArray();
    return out;
  }
};

std::optional<InnerValue> EntryAt(const Content& content, size_t at) {
  json::Parser parser;
  const std::optional<json::Value> value = parser.Parse(content.entries[at].second);
  return value ? InnerOf(*value) : std::nullopt;
}

}  // namespace

std::optional<InnerValue> ValueInside(std::string_view document, StoredType type, std::string_view path) {
  InnerValue at{type, std::string(document)};
  for (const Step& step : StepsOf(path)) {
    const bool fits = step.position ? at.type == StoredType::kL : at.type == StoredType::kM;
    Content content;
    if (!fits || !content.Read(at.text)) return {};
    const size_t found = content.Find(step);
    if (found == content.entries.size()) return {};
    std::optional<InnerValue> inner = EntryAt(content, found);
    if (!inner) return {};
    at = *std::move(inner);
  }
  return at;
}

std::optional<std::string> WithInside(std::string_view document, StoredType type, std::string_view path,
                                      const std::optional<InnerValue>& value) {
  const std::vector<Step> steps = StepsOf(path);
  // From the inside outwards: the text of each document on the way, with the one below it replaced.
  std::vector<std::pair<Content, StoredType>> way(steps.size());
  InnerValue at{type, std::string(document)};
  for (size_t i = 0; i < steps.size(); ++i) {
    const bool fits = steps[i].position ? at.type == StoredType::kL : at.type == StoredType::kM;
    if (!fits || !way[i].first.Read(at.text)) return {};
    way[i].second = at.type;
    if (i + 1 == steps.size()) break;
    const size_t found = way[i].first.Find(steps[i]);
    std::optional<InnerValue> inner;
    if (found < way[i].first.entries.size()) inner = EntryAt(way[i].first, found);
    if (!inner) return {};
    at = *std::move(inner);
  }
  std::optional<InnerValue> below = value;
  for (size_t i = steps.size(); i-- > 0;) {
    Content& content = way[i].first;
    const size_t found = content.Find(steps[i]);
    if (!below) {
      if (found < content.entries.size())
        content.entries.erase(content.entries.begin() + static_cast<ptrdiff_t>(found));
    } else {
      if (found == content.entries.size()) content.entries.emplace_back(steps[i].name, "");
      content.entries[found].second.clear();
      AppendValue(content.entries[found].second, below->type, below->text);
    }
    below = InnerValue{way[i].second, content.Write(way[i].second)};
  }
  return below ? below->text : std::string(document);
}

std::vector<std::string> ElementsOfSet(std::string_view set) {
  std::vector<std::string> elements;
  json::Parser parser;
  const std::optional<json::Value> value = parser.Parse(std::string(set));
  if (!value || !value->is_array()) return elements;
  for (const json::Value one : value->elements()) {
    if (one.is_string()) elements.emplace_back(one.AsString());
  }
  return elements;
}

std::string SetOf(std::vector<std::string> elements) {
  std::sort(elements.begin(), elements.end());
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  if (elements.empty()) return {};
  std::string out;
  json::Writer writer(out);
  writer.BeginArray();
  for (const std::string& one : elements) writer.String(one);
  writer.EndArray();
  return out;
}

std::vector<std::string> NamesInMap(std::string_view map) {
  std::vector<std::string> names;
  Content content;
  if (!content.Read(map)) return names;
  for (auto& [name, unused] : content.entries) names.push_back(std::move(name));
  return names;
}

uint64_t SizeOfText(StoredType type, std::string_view text) {
  if (IsSetType(type)) return ElementsOfSet(text).size();
  if (type == StoredType::kS) return CountUtf16Units(text);
  if (type != StoredType::kL && type != StoredType::kM) return text.size();
  Content content;
  return content.Read(text) ? content.entries.size() : 0;
}

bool ContainsText(StoredType type, std::string_view text, std::string_view operand) {
  if (IsSetType(type)) {
    const std::vector<std::string> all = ElementsOfSet(text);
    return std::find(all.begin(), all.end(), operand) != all.end();
  }
  if (type != StoredType::kL) return text.find(operand) != std::string_view::npos;
  Content content;
  if (!content.Read(text)) return false;
  for (size_t i = 0; i < content.entries.size(); ++i) {
    const std::optional<InnerValue> element = EntryAt(content, i);
    if (element && element->text == operand) return true;
  }
  return false;
}

void AppendValue(std::string& out, StoredType type, std::string_view text) {
  json::Writer writer(out);
  writer.BeginObject();
  writer.Key(NameOf(type));
  if (type == StoredType::kBool || type == StoredType::kL || type == StoredType::kM || IsSetType(type)) {
    writer.Raw(text);
  } else if (type == StoredType::kB) {
    std::string encoded;
    AppendBase64(encoded, text);
    writer.String(encoded);
  } else {
    writer.String(text);
  }
  writer.EndObject();
}

}  // namespace keyfold::model
