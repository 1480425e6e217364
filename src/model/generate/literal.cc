#include "model/generate/literal.h"

#include <algorithm>

#include "base/check.h"
#include "base/text/ascii.h"
#include "json/document.h"
#include "json/writer.h"

namespace keyfold::model {
namespace {

constexpr size_t kLineMax = 100;  // shorter values stay on one line

std::string Spaces(int depth) { return std::string(static_cast<size_t>(depth) * 2, ' '); }

// Returns true if the text needs no quotes. Words that YAML would read as something else, and everything that is not a
// plain name, need them.
bool IsPlainYaml(std::string_view text) {
  if (text.empty() || IsDigit(text[0])) return false;
  for (const std::string_view word :
       {"true", "false", "null", "yes", "no", "on", "off",  "y",     "n",    "True", "False", "Null",
        "Yes",  "No",    "On",   "Off", "Y",  "N",  "TRUE", "FALSE", "NULL", "YES",  "NO"})
    if (text == word) return false;
  return std::all_of(text.begin(), text.end(), [](char c) { return IsLetterOrDigit(c) || c == '_'; });
}

std::string Scalar(json::Value value, Layout layout) {
  const bool python = layout == Layout::kPython;
  switch (value.type()) {
    case json::Type::kString: {
      if (layout == Layout::kYaml && IsPlainYaml(value.AsString())) return std::string(value.AsString());
      std::string out;
      json::AppendQuoted(out, value.AsString());
      return out;
    }
    case json::Type::kBool:
      if (value.AsBool()) return python ? "True" : "true";
      return python ? "False" : "false";
    case json::Type::kNull:
      return python ? "None" : "null";
    default:
      return value.NumberText();
  }
}

std::string JsonQuoted(std::string_view text) {
  std::string out;
  json::AppendQuoted(out, text);
  return out;
}

std::string OneLine(json::Value value, Layout layout) {
  if (!value.is_array() && !value.is_object()) return Scalar(value, layout);
  std::string out;
  if (value.is_array()) {
    for (const json::Value each : value.elements()) (out += out.empty() ? "" : ", ") += OneLine(each, layout);
    return '[' + out + ']';
  }
  for (const json::Member each : value.members()) {
    (out += out.empty() ? "" : ", ") += JsonQuoted(each.name) + ": " + OneLine(each.value, layout);
  }
  return out.empty() ? "{}" : "{" + out + "}";
}

std::string Braced(json::Value value, Layout layout, int depth) {
  std::string line = OneLine(value, layout);
  if ((!value.is_array() && !value.is_object()) || line.size() + static_cast<size_t>(depth) * 2 <= kLineMax)
    return line;
  std::string out;
  const std::string before = '\n' + Spaces(depth + 1);
  if (value.is_array()) {
    for (const json::Value each : value.elements())
      (out += out.empty() ? "" : ",") += before + Braced(each, layout, depth + 1);
    return '[' + out + '\n' + Spaces(depth) + ']';
  }
  for (const json::Member each : value.members()) {
    (out += out.empty() ? "" : ",") += before + JsonQuoted(each.name) + ": " + Braced(each.value, layout, depth + 1);
  }
  return '{' + out + '\n' + Spaces(depth) + '}';
}

// What follows "name:" or "-": a space and a scalar, or a block below.
std::string YamlBlock(json::Value value, int depth, bool in_list) {
  if (!value.is_array() && !value.is_object()) return ' ' + Scalar(value, Layout::kYaml);
  if (value.CountElements() == 0) return value.is_array() ? " []" : " {}";
  std::string out;
  if (value.is_array()) {
    for (const json::Value each : value.elements()) {
      out += '\n' + Spaces(depth) + '-' + YamlBlock(each, depth + 1, true);
    }
    return out;
  }
  for (const json::Member each : value.members()) {
    const std::string name = IsPlainYaml(each.name) ? std::string(each.name) : JsonQuoted(each.name);
    const bool first_of_list = in_list && out.empty();
    out += (first_of_list ? " " : '\n' + Spaces(depth)) + name + ':' + YamlBlock(each.value, depth + 1, false);
  }
  return out;
}

}  // namespace

std::string QuotedText(std::string_view text) {
  constexpr std::string_view kLast = "\xEF\xBF\xBF";
  std::string out = JsonQuoted(text);
  for (size_t at = out.find(kLast); at != std::string::npos; at = out.find(kLast)) out.replace(at, 3, "\\uffff");
  return out;
}

std::string LaidOut(const std::string& text, Layout layout, int indent) {
  json::Parser parser;
  const auto parsed = parser.Parse(text);
  CHECK(parsed.has_value());
  if (layout == Layout::kYaml) {
    const std::string block = YamlBlock(*parsed, indent, false);
    return block.substr(1);
  }
  return Braced(*parsed, layout, indent);
}

}  // namespace keyfold::model
