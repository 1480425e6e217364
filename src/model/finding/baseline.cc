#include "model/finding/baseline.h"

#include <algorithm>

#include "json/document.h"
#include "json/writer.h"

namespace keyfold::model {
namespace {

// Written once per finding, so that each can be reviewed and removed from the file by hand.
void WriteEntry(json::Writer& w, const std::string& file, const Finding& one) {
  w.BeginObject();
  w.Member("fingerprint", FingerprintOf(file, one));
  w.Member("file", file);
  w.Member("rule", one.rule);
  if (!one.entity.empty()) w.Member("entity", one.entity);
  if (!one.pattern.empty()) w.Member("pattern", one.pattern);
  if (!one.index.empty()) w.Member("index", one.index);
  w.EndObject();
}

}  // namespace

std::string Baseline::Write(std::span<const FileFindings> files) {
  std::string out = "{\"baseline\":1,\"findings\":[";
  bool first = true;
  for (const FileFindings& file : files) {
    for (const Finding& one : file.findings) {
      if (!one.accepted.empty()) continue;
      out += first ? "\n" : ",\n";
      first = false;
      json::Writer w(out);
      WriteEntry(w, file.file, one);
    }
  }
  return out += "\n]}\n";
}

std::optional<Baseline> Baseline::Read(const std::string& text) {
  json::Parser parser;
  const auto root = parser.Parse(text);
  if (!root || !root->is_object()) return {};
  Baseline baseline;
  bool marked = false;
  for (const json::Member& member : root->members()) {
    marked |= member.name == "baseline";
    if (member.name != "findings" || !member.value.is_array()) continue;
    for (const json::Value& one : member.value.elements()) {
      if (!one.is_object()) return {};
      for (const json::Member& field : one.members()) {
        if (field.name == "fingerprint" && field.value.is_string())
          ++baseline.known_[std::string(field.value.AsString())];
      }
    }
  }
  if (!marked) return {};
  return baseline;
}

void Baseline::Remove(FileFindings& file) {
  const auto known = [&](const Finding& one) {
    const auto it = known_.find(FingerprintOf(file.file, one));
    if (it == known_.end() || it->second == 0) return false;
    --it->second;
    return true;
  };
  std::erase_if(file.findings, known);
}

}  // namespace keyfold::model
