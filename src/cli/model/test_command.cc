// `keyfold model test`: runs the model's patterns on sample data inside the process.
#include <string>

#include "cli/model/commands.h"
#include "cli/model/model_file.h"
#include "cli/shell/options.h"
#include "model_test/trial.h"

namespace keyfold::cli {

int RunModelTest(const Arguments& arguments, terminal::Console& console) {
  std::string file;
  std::string format = "text";
  model_test::TrialOptions options;
  OptionParser parser(
      "keyfold model test",
      "Runs every pattern of a model on sample data, in memory, and reports whether it returns the right items");
  parser.Text("FILE", file, "The model").Required();
  parser.Number("--seed", options.seed, "Seed of the sample data").ShowDefault();
  parser.Text("--format", format, "Format of the report; calls prints every call with its inputs and its right result")
      .OneOf({"text", "json", "calls"})
      .ShowDefault();
  if (const std::optional<int> code = parser.Parse(arguments, console)) return *code;
  const std::optional<model::Model> model = ReadModelFile(file, console);
  if (!model) return kExitUsage;
  options.record_calls = format == "calls";
  const model_test::TrialReport report = model_test::RunTrial(*model, options);
  if (report.ok() && options.record_calls) {
    console.Print(report.calls);
    return kExitOk;
  }
  console.Print(format == "json" ? model_test::TrialJson(*model, report) : model_test::TrialText(*model, report));
  return report.ok() ? kExitOk : kExitFailure;
}

}  // namespace keyfold::cli
