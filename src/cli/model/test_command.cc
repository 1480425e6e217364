// `keyfold model test`: runs the patterns of models on sample data inside the process.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "cli/model/commands.h"
#include "cli/model/model_file.h"
#include "cli/model/prose.h"
#include "cli/shell/options.h"
#include "model_test/trial.h"

namespace keyfold::cli {

int RunModelTest(const Arguments& arguments, terminal::Console& console) {
  std::vector<std::string> files;
  std::string format = "text";
  model_test::TrialOptions options;
  OptionParser parser(
      "keyfold model test",
      "Runs every pattern of models on sample data, in memory, and reports whether it returns the right items");
  parser.Texts("FILE", files, "Model files, one table each; - is standard input").Required();
  parser.Number("--seed", options.seed, "Seed of the sample data").ShowDefault();
  parser
      .Text(
          "--format", format,
          "Format of the report; json is one object per line and model, calls every call with its inputs and its right "
          "result")
      .OneOf({"text", "json", "calls"})
      .ShowDefault();
  if (const std::optional<int> code = parser.Parse(arguments, console)) return *code;
  options.record_calls = format == "calls";
  std::vector<model::Model> models;
  for (const std::string& file : files) {
    std::optional<model::Model> model = ReadModelFile(file, console);
    if (model) models.push_back(*std::move(model));
  }
  if (models.size() < files.size()) return kExitUsage;
  size_t failed = 0;
  for (const model::Model& model : models) {
    const model_test::TrialReport report = RunTrial(model, options);
    const bool unrecorded = options.record_calls && report.calls.empty();
    failed += !report.ok() || unrecorded;
    if (format == "json") {
      console.Print(TrialJson(model, report));
      continue;
    }
    if (options.record_calls && !unrecorded) {
      console.Print(report.calls);
      continue;
    }
    if (models.size() > 1) console.PrintLine(model.file);
    PrintProse(TrialText(model, report), console);
    if (models.size() > 1) console.Print("\n");
  }
  if (models.size() > 1 && format == "text") {
    console.Print(fmt::format("{} models: {} passed, {} failed\n", models.size(), models.size() - failed, failed));
  }
  return failed == 0 ? kExitOk : kExitFailure;
}

}  // namespace keyfold::cli
