#include "model/finding/finding.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/text/wrap.h"
#include "json/writer.h"
#include "model/core/unreadable.h"

namespace keyfold::model {
namespace {

auto PositionText(const Finding& one) {
  return std::tie(one.mark.line, one.rule, one.entity, one.pattern, one.mark.column, one.index, one.related);
}

std::string_view LineAt(std::string_view text, uint32_t line) {
  for (uint32_t at = 1; at < line; ++at) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, text.find('\n'));
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

constexpr size_t kShownIndent = 4;
constexpr std::string_view kCutMark = "...";  // before a line whose start is not shown
constexpr size_t kLineCharactersMax = 160;    // shown of a line of a file

size_t CharacterBytes(std::string_view text, size_t at) {
  size_t end = at + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
  return end - at;
}

// The line with a caret below the column. Of a long line, only the part around the column.
std::string ShownLine(std::string_view line, uint32_t column, size_t characters_max) {
  std::vector<std::string_view> characters;
  for (size_t at = 0; at < line.size();) {
    const size_t bytes = CharacterBytes(line, at);
    characters.push_back(line.substr(at, bytes));
    at += bytes;
  }
  const size_t caret = column == 0 ? 0 : std::min<size_t>(column - 1, characters.size());
  const size_t from = caret > characters_max * 3 / 4 ? caret - characters_max / 2 : 0;
  std::string shown(from > 0 ? kCutMark : std::string_view());
  std::string below(shown.size(), ' ');
  for (size_t i = from; i < characters.size() && i < from + characters_max; ++i) {
    const std::string one = characters[i] == "\t" ? " " : Printable(characters[i]);
    if (i < caret) below.append(one.size() == characters[i].size() ? 1 : one.size(), ' ');
    shown += one;
  }
  if (column == 0) return fmt::format("    {}\n", shown);
  return fmt::format("    {}\n    {}^\n", shown, below);
}

// "problem remedy (accepted: reason)"
std::string MessageWithReason(const Finding& one) {
  std::string text = Printable(one.Message());
  if (!one.accepted.empty()) text += fmt::format(" (accepted: {})", Printable(one.accepted));
  return text;
}

// The problem after `start`, then the remedy, each with a hanging indent.
std::string WrappedMessage(const std::string& start, const Finding& one, size_t columns) {
  const std::string indent(kShownIndent, ' ');
  std::string text = WrapLine(start + Printable(one.problem), columns, kShownIndent) + '\n';
  text += WrapLine(indent + Printable(one.remedy), columns, kShownIndent) + '\n';
  if (one.accepted.empty()) return text;
  return text += WrapLine(fmt::format("{}accepted: {}", indent, Printable(one.accepted)), columns, kShownIndent) + '\n';
}

std::string WrappedExample(const std::string& example, std::optional<size_t> columns) {
  const std::string line = fmt::format("{:{}}example: {}", "", kShownIndent, Printable(example));
  return columns ? WrapLine(line, *columns, kShownIndent) : line;
}

std::string CountedNoun(size_t n, std::string_view noun) { return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s"); }

void WriteOrNull(json::Writer& w, std::string_view name, const std::string& text) {
  w.Key(name);
  text.empty() ? w.Null() : w.String(text);
}

void WriteFinding(json::Writer& w, const std::string& file, const Finding& one) {
  w.BeginObject();
  w.Member("rule", one.rule);
  w.Member("severity", NameOf(one.severity));
  WriteOrNull(w, "entity", one.entity);
  WriteOrNull(w, "pattern", one.pattern);
  WriteOrNull(w, "index", one.index);
  if (!one.related.empty()) w.Member("related", one.related);
  w.Member("message", one.Message());
  w.Member("problem", one.problem);
  w.Member("remedy", one.remedy);
  WriteOrNull(w, "example", one.example);
  w.Member("file", file);
  w.Member("line", one.mark.line);
  w.Member("column", one.mark.column);
  if (!one.accepted.empty()) w.Member("accepted", one.accepted);
  w.EndObject();
}

}  // namespace

std::string_view NameOf(Severity severity) {
  constexpr std::string_view kNames[] = {"error", "warning", "info"};
  return kNames[static_cast<size_t>(severity)];
}

Summary Summarize(std::span<const FileFindings> files) {
  Summary summary;
  for (const FileFindings& file : files) {
    for (const Finding& one : file.findings) {
      size_t* const counts[] = {&summary.errors, &summary.warnings, &summary.infos};
      ++*(one.accepted.empty() ? counts[static_cast<size_t>(one.severity)] : &summary.accepted);
    }
  }
  return summary;
}

void SortFindings(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return PositionText(a) < PositionText(b); });
  const auto same = [](const Finding& a, const Finding& b) { return PositionText(a) == PositionText(b); };
  findings.erase(std::unique(findings.begin(), findings.end(), same), findings.end());
}

std::string FingerprintOf(std::string_view file, const Finding& one) {
  uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  const auto add = [&](std::string_view text) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    hash = (hash ^ 0x1F) * 0x100000001b3;
  };
  for (const std::string_view text : {file, one.rule, std::string_view(one.entity), std::string_view(one.pattern),
                                      std::string_view(one.index), std::string_view(one.related)}) {
    add(text);
  }
  return fmt::format("{:016x}", hash);
}

std::string FindingsText(std::span<const FileFindings> files,
                         FunctionRef<std::string(Severity, std::string_view)> paint, std::optional<size_t> columns) {
  std::string text;
  for (const FileFindings& file : files) {
    for (const Finding& one : file.findings) {
      const std::string start = fmt::format("{}:{}:{}: {} {}: ", Printable(file.file), one.mark.line, one.mark.column,
                                            paint(one.severity, NameOf(one.severity)), one.rule);
      text += columns ? WrappedMessage(start, one, *columns) : start + MessageWithReason(one) + '\n';
      if (!one.accepted.empty()) continue;
      const size_t characters = columns ? *columns - kShownIndent - kCutMark.size() : kLineCharactersMax;
      if (one.mark.line > 0) text += ShownLine(LineAt(file.text, one.mark.line), one.mark.column, characters);
      if (!one.example.empty()) text += WrappedExample(one.example, columns) + '\n';
    }
  }
  const Summary sum = Summarize(files);
  if (!text.empty()) text += '\n';
  text += fmt::format("{}: {}, {}, {}", CountedNoun(files.size(), "model"), CountedNoun(sum.errors, "error"),
                      CountedNoun(sum.warnings, "warning"), CountedNoun(sum.infos, "info"));
  if (sum.accepted > 0) text += fmt::format(", {} accepted", sum.accepted);
  return text += '\n';
}

std::string FindingsJson(std::span<const FileFindings> files) {
  std::string out;
  json::Writer w(out);
  w.BeginObject();
  w.Key("findings");
  w.BeginArray();
  for (const FileFindings& file : files) {
    for (const Finding& one : file.findings) WriteFinding(w, file.file, one);
  }
  w.EndArray();
  const Summary sum = Summarize(files);
  w.Key("summary");
  w.BeginObject();
  w.Member("errors", sum.errors);
  w.Member("warnings", sum.warnings);
  w.Member("infos", sum.infos);
  w.Member("accepted", sum.accepted);
  w.EndObject();
  w.EndObject();
  return out += '\n';
}

}  // namespace keyfold::model
