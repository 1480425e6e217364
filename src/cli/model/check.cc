// keyfold model check: applies every rule to models, with output for a terminal, a program or a code scanning service.
// Needs no network.
#include "model/check/check.h"

#include <fmt/format.h>

#include <fstream>

#include "cli/model/commands.h"
#include "cli/model/model_file.h"
#include "cli/model/prose.h"
#include "cli/shell/options.h"
#include "model/check/sarif.h"
#include "model/finding/baseline.h"

namespace keyfold::cli {
namespace {

constexpr size_t kBaselineBytesMax = 64 * 1024 * 1024;

struct CheckOptions {
  std::vector<std::string> files;
  std::string format = "text";
  std::string fail_on = "error";
  std::string baseline;
  std::string write_baseline;
};

terminal::Paint PaintOf(model::Severity severity) {
  constexpr terminal::Paint kPaints[] = {terminal::Paint::kRed, terminal::Paint::kYellow, terminal::Paint::kBlue};
  return kPaints[static_cast<size_t>(severity)];
}

std::string TextIn(const std::string& format, const std::vector<model::FileFindings>& files,
                   const terminal::Console& console) {
  if (format == "json") return model::FindingsJson(files);
  if (format == "sarif") return model::FindingsSarif(files);
  return model::FindingsText(
      files, [&](model::Severity severity, std::string_view word) { return console.Painted(PaintOf(severity), word); },
      ProseColumns(console));
}

bool Fails(const std::string& fail_on, const model::Summary& sum) {
  const size_t counted = sum.errors + (fail_on == "error" ? 0 : sum.warnings) + (fail_on == "info" ? sum.infos : 0);
  return counted > 0;
}

bool WriteBaseline(const std::string& path, const std::vector<model::FileFindings>& files, terminal::Console& console) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << model::Baseline::Write(files);
  out.close();
  if (out) return true;
  console.Complain(fmt::format("could not write {}", path));
  return false;
}

int CheckAll(const CheckOptions& options, terminal::Console& console) {
  std::optional<model::Baseline> baseline;
  if (!options.baseline.empty()) {
    const std::optional<std::string> text = ReadTextFile(options.baseline, kBaselineBytesMax, console);
    if (!text) return kExitUsage;
    baseline = model::Baseline::Read(*text);
    if (!baseline) return console.Complain(fmt::format("{} is not a baseline file", options.baseline)), kExitUsage;
  }
  std::vector<model::FileFindings> files;
  bool readable = true;
  for (const std::string& path : options.files) {
    std::optional<model::Model> model = ReadModelFile(path, console);
    readable = readable && model.has_value();
    if (!model) continue;
    files.push_back({path, std::move(model->text), {}});
    files.back().findings = model::Check(*model);
  }
  if (!readable) return kExitUsage;
  if (!options.write_baseline.empty() && !WriteBaseline(options.write_baseline, files, console)) return kExitUsage;
  for (model::FileFindings& file : files) {
    if (baseline) baseline->Remove(file);
  }
  console.Print(TextIn(options.format, files, console));
  // Findings that were just written to the baseline are not failures.
  if (!options.write_baseline.empty()) return kExitOk;
  return Fails(options.fail_on, model::Summarize(files)) ? kExitFailure : kExitOk;
}

}  // namespace

int RunModelCheck(const Arguments& arguments, terminal::Console& console) {
  CheckOptions options;
  OptionParser parser("keyfold model check", "Find problems in models, with proofs");
  parser.Texts("FILE", options.files, "Model files, one table each; - is standard input").Required();
  parser.Text("--format", options.format, "text, json or sarif").OneOf({"text", "json", "sarif"});
  parser
      .Text("--fail-on", options.fail_on,
            "Exit with 1 if there is a finding of this severity or above: error, warning or info")
      .OneOf({"error", "warning", "info"});
  parser.Text("--baseline", options.baseline, "Report only findings that are not in this file");
  parser.Text("--write-baseline", options.write_baseline, "Write the findings to this file, and exit with 0");
  if (const std::optional<int> code = parser.Parse(arguments, console)) return *code;
  return CheckAll(options, console);
}

}  // namespace keyfold::cli
