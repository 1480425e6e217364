#include "model/check/sarif.h"

#include <map>

#include "base/text/ascii.h"
#include "base/text/hex.h"
#include "base/version.h"
#include "json/writer.h"
#include "model/check/rule.h"

namespace keyfold::model {
namespace {

using check::LintRule;

std::string_view LevelOf(Severity severity) { return severity == Severity::kInfo ? "note" : NameOf(severity); }

// A path as a URI reference: everything except letters, digits and kPlain is percent-encoded.
std::string UriOf(std::string_view path) {
  constexpr std::string_view kPlain = "-._~/!$&'()*+,;=@";
  while (path.starts_with("./")) path.remove_prefix(2);
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    if (IsLetterOrDigit(c) || kPlain.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      AppendUpperHex(uri += '%', static_cast<uint8_t>(c));
    }
  }
  return uri;
}

void WriteTextObject(json::Writer& w, std::string_view name, std::string_view text) {
  w.Key(name);
  w.BeginObject();
  w.Member("text", text);
  w.EndObject();
}

void WriteRule(json::Writer& w, const LintRule& rule) {
  w.BeginObject();
  w.Member("id", rule.id);
  WriteTextObject(w, "shortDescription", rule.title);
  WriteTextObject(w, "fullDescription", rule.why);
  std::string text(rule.why);
  (text += "\n\n") += rule.fix;
  std::string markdown = text;
  if (!rule.bad.empty()) {
    ((markdown += "\n\nReported:\n\n```yaml\n") += rule.bad) += "```\n\nMended:\n\n```yaml\n";
    (markdown += rule.good) += "```\n";
  }
  w.Key("help");
  w.BeginObject();
  w.Member("text", text);
  w.Member("markdown", markdown);
  w.EndObject();
  w.Key("defaultConfiguration");
  w.BeginObject();
  w.Member("level", LevelOf(rule.severity));
  w.EndObject();
  w.EndObject();
}

void WriteLocation(json::Writer& w, const std::string& file, const Finding& one) {
  w.Key("locations");
  w.BeginArray();
  w.BeginObject();
  w.Key("physicalLocation");
  w.BeginObject();
  w.Key("artifactLocation");
  w.BeginObject();
  w.Member("uri", UriOf(file));
  w.EndObject();
  w.Key("region");
  w.BeginObject();
  w.Member("startLine", one.mark.line > 0 ? one.mark.line : 1u);
  if (one.mark.column > 0) w.Member("startColumn", one.mark.column);
  w.EndObject();
  w.EndObject();
  w.EndObject();
  w.EndArray();
}

void WriteResult(json::Writer& w, const std::string& file, const Finding& one, size_t rule, size_t repeat) {
  w.BeginObject();
  w.Member("ruleId", one.rule);
  w.Member("ruleIndex", rule);
  w.Member("level", LevelOf(one.severity));
  WriteTextObject(w, "message", one.example.empty() ? one.Message() : one.Message() + "\nExample: " + one.example);
  WriteLocation(w, file, one);
  w.Key("partialFingerprints");
  w.BeginObject();
  w.Member("primaryLocationLineHash", FingerprintOf(file, one) + ":" + std::to_string(repeat));
  w.EndObject();
  w.Key("properties");
  w.BeginObject();
  w.Member("problem", one.problem);
  w.Member("remedy", one.remedy);
  w.EndObject();
  if (!one.accepted.empty()) {
    w.Key("suppressions");
    w.BeginArray();
    w.BeginObject();
    w.Member("kind", "inSource");
    w.Member("justification", one.accepted);
    w.EndObject();
    w.EndArray();
  }
  w.EndObject();
}

void WriteDriver(json::Writer& w, const std::vector<const LintRule*>& rules) {
  w.Key("tool");
  w.BeginObject();
  w.Key("driver");
  w.BeginObject();
  w.Member("name", "keyfold");
  w.Member("version", kVersion);
  w.Key("rules");
  w.BeginArray();
  for (const LintRule* rule : rules) WriteRule(w, *rule);
  w.EndArray();
  w.EndObject();
  w.EndObject();
}

}  // namespace

std::string FindingsSarif(std::span<const FileFindings> files) {
  std::string out;
  json::Writer w(out);
  w.BeginObject();
  w.Member("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
  w.Member("version", "2.1.0");
  w.Key("runs");
  w.BeginArray();
  w.BeginObject();
  const std::vector<const LintRule*> rules = check::LintRules();
  WriteDriver(w, rules);
  w.Member("columnKind", "unicodeCodePoints");
  w.Key("results");
  w.BeginArray();
  std::map<std::string, size_t> repeats;
  for (const FileFindings& file : files) {
    for (const Finding& one : file.findings) {
      size_t at = 0;
      while (rules[at]->id != one.rule) ++at;
      WriteResult(w, file.file, one, at, ++repeats[FingerprintOf(file.file, one)]);
    }
  }
  w.EndArray();
  w.EndObject();
  w.EndArray();
  w.EndObject();
  return out += '\n';
}

}  // namespace keyfold::model
