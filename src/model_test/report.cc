// Reports of a trial, as text and as JSON.
#include <fmt/format.h>

#include <algorithm>

#include "model/core/unreadable.h"
#include "model_test/trial.h"

namespace keyfold::model_test {
namespace {

constexpr size_t kKeysShown = 5;

double PerInvocation(const PatternTrial& trial, double units) {
  return trial.measured_invocations == 0 ? 0 : units / static_cast<double>(trial.measured_invocations);
}

std::string_view VerdictOf(const PatternTrial& trial) {
  if (!trial.ok()) return "FAIL";
  return trial.right() ? "ok" : "-";
}

void AppendKeys(std::string& out, std::string_view title, const std::vector<std::string>& keys) {
  for (size_t i = 0; i < keys.size() && i < kKeysShown; ++i) {
    out += fmt::format("          {:<11} {}\n", title, model::Printable(keys[i]));
  }
  if (keys.size() > kKeysShown) out += fmt::format("          {:<11} and {} more\n", title, keys.size() - kKeysShown);
}

void AppendFault(std::string& out, const TrialFault& fault) {
  out += "        " + model::Printable(fault.what) + '\n';
  if (!fault.call.empty()) out += "          called with " + model::Printable(fault.call) + '\n';
  AppendKeys(out, "missing", fault.missing);
  AppendKeys(out, "unexpected", fault.unexpected);
  if (fault.misplaced.size() != 2) return;
  AppendKeys(out, "came first", {fault.misplaced[0]});
  AppendKeys(out, "came next", {fault.misplaced[1]});
}

std::string FiguresOf(const PatternTrial& trial) {
  const char* kind = trial.writes ? "write" : "read";
  std::string figures = fmt::format("{} calls, {} items, {:.4g} {} units per call", trial.invocations, trial.items,
                                    PerInvocation(trial, trial.measured_units), kind);
  if (trial.planned_units) figures += fmt::format(", {:.4g} planned", PerInvocation(trial, *trial.planned_units));
  return figures;
}

void AppendPattern(std::string& out, const model::Pattern& pattern, const PatternTrial& trial, size_t width) {
  std::string line = fmt::format("{:<6}{:<{}}  ", VerdictOf(trial), pattern.name, width);
  if (!trial.unserved.empty()) {
    line += "no request serves it: " + model::Printable(trial.unserved);
  } else if (!trial.untried.empty()) {
    line += fmt::format("{:<18}  {}not tried: {}", trial.operation ? model::NameOf(*trial.operation) : "",
                        trial.ok() ? "" : "L51: ", trial.untried);
  } else if (trial.operation) {
    line += fmt::format("{:<18}  {}", model::NameOf(*trial.operation), FiguresOf(trial));
  }
  out += line + '\n';
  if (!trial.accepted.empty()) out += fmt::format("        accepted, {}\n", model::Printable(trial.accepted));
  for (const TrialFault& fault : trial.faults) AppendFault(out, fault);
  if (trial.faults_count > trial.faults.size()) {
    out += fmt::format("        and {} more\n", trial.faults_count - trial.faults.size());
  }
}

struct Summary {
  size_t right = 0;
  size_t wrong = 0;
  size_t accepted = 0;
  size_t untried = 0;  // whether accepted or not
};

Summary SummaryOf(const TrialReport& report) {
  Summary summary;
  for (const PatternTrial& trial : report.patterns) {
    ++(!trial.ok() ? summary.wrong : trial.right() ? summary.right : summary.accepted);
    summary.untried += !trial.untried.empty();
  }
  return summary;
}

void WriteFaults(json::Writer& writer, const std::vector<TrialFault>& faults) {
  const auto list = [&](std::string_view name, const std::vector<std::string>& keys) {
    writer.Key(name);
    writer.BeginArray();
    for (const std::string& key : keys) writer.String(key);
    writer.EndArray();
  };
  writer.BeginArray();
  for (const TrialFault& fault : faults) {
    writer.BeginObject();
    writer.Member("what", fault.what);
    writer.Member("call", fault.call);
    list("missing", fault.missing);
    list("unexpected", fault.unexpected);
    list("misplaced", fault.misplaced);
    writer.EndObject();
  }
  writer.EndArray();
}

void WriteText(json::Writer& writer, std::string_view name, std::string_view text) {
  writer.Key(name);
  text.empty() ? writer.Null() : writer.String(text);
}

void WritePattern(json::Writer& writer, const model::Model& model, const PatternTrial& trial) {
  const model::Pattern& pattern = model.patterns[trial.pattern];
  writer.BeginObject();
  writer.Member("name", pattern.name);
  writer.Member("ok", trial.ok());
  WriteText(writer, "operation", trial.operation ? model::NameOf(*trial.operation) : "");
  WriteText(writer, "index", pattern.index ? model.indexes[*pattern.index].name : "");
  WriteText(writer, "unserved", trial.unserved);
  WriteText(writer, "untried", trial.untried);
  WriteText(writer, "rule", trial.untried.empty() ? "" : "L51");
  WriteText(writer, "accepted", trial.accepted);
  writer.Member("invocations", trial.invocations);
  writer.Member("requests", trial.requests);
  writer.Member("items", trial.items);
  writer.Member("readUnits", trial.writes ? 0 : PerInvocation(trial, trial.measured_units));
  writer.Member("writeUnits", trial.writes ? PerInvocation(trial, trial.measured_units) : 0);
  writer.Key("plannedUnits");
  trial.planned_units ? writer.Double(PerInvocation(trial, *trial.planned_units)) : writer.Null();
  writer.Member("faultsCount", trial.faults_count);
  writer.Key("faults");
  WriteFaults(writer, trial.faults);
  writer.EndObject();
}

}  // namespace

std::string TrialText(const model::Model& model, const TrialReport& report) {
  uint64_t objects = 0;
  std::string counts;
  for (size_t i = 0; i < report.objects.size(); ++i) {
    objects += report.objects[i];
    counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", model.entities[i].name, report.objects[i]);
  }
  std::string out = fmt::format("Sample of {} items, seed {}: {}\n", objects, report.seed, counts);
  for (const TrialFault& fault : report.loading) AppendFault(out += "FAIL  loading the sample\n", fault);
  size_t width = 0;
  for (const model::Pattern& pattern : model.patterns) width = std::max(width, pattern.name.size());
  for (const PatternTrial& trial : report.patterns) {
    AppendPattern(out, model.patterns[trial.pattern], trial, width);
  }
  for (const std::string& note : report.notes) out += note + '\n';
  const Summary summary = SummaryOf(report);
  out += fmt::format("{} patterns: {} passed, {} failed", report.patterns.size(), summary.right, summary.wrong);
  if (summary.accepted != 0) out += fmt::format(", {} accepted", summary.accepted);
  return out + '\n';
}

std::string TrialJson(const model::Model& model, const TrialReport& report) {
  std::string out;
  json::Writer writer(out);
  writer.BeginObject();
  writer.Member("file", model.file);
  writer.Member("table", model.table.name);
  writer.Member("seed", report.seed);
  writer.Key("objects");
  writer.BeginObject();
  for (size_t i = 0; i < report.objects.size(); ++i) writer.Member(model.entities[i].name, report.objects[i]);
  writer.EndObject();
  writer.Key("loading");
  WriteFaults(writer, report.loading);
  writer.Key("patterns");
  writer.BeginArray();
  for (const PatternTrial& trial : report.patterns) WritePattern(writer, model, trial);
  writer.EndArray();
  writer.Key("notes");
  writer.BeginArray();
  for (const std::string& note : report.notes) writer.String(note);
  writer.EndArray();
  const Summary summary = SummaryOf(report);
  writer.Key("summary");
  writer.BeginObject();
  writer.Member("ok", report.ok());
  writer.Member("right", summary.right);
  writer.Member("wrong", summary.wrong);
  writer.Member("accepted", summary.accepted);
  writer.Member("untried", summary.untried);
  writer.EndObject();
  writer.EndObject();
  return out + '\n';
}

}  // namespace keyfold::model_test
