#include "cli/model/commands.h"

namespace keyfold::cli {
namespace {

// In the order in which a user needs them: check, plan, prices, test, apply, sample, diff, generate, import, watch,
// explain, schema, fmt.
constexpr Command kModelCommands[] = {
    {"check", "Find problems in models, with proofs", RunModelCheck},
    {"plan", "Show what each pattern costs and where the table gets hot", RunModelPlan},
    {"prices", "Make a price file for plan from AWS's price list", RunModelPrices},
    {"test", "Run every pattern on sample data, in memory, and check its result", RunModelTest},
    {"apply", "Create or change the table at an endpoint to match a model", RunModelApply},
    {"sample", "Print sample data, or load it into the table at an endpoint", RunModelSample},
    {"diff", "Print the steps from one model to another, in order, with their cost", RunModelDiff},
    {"generate", "Write typed code for the patterns, or the table as a definition", RunModelGenerate},
    {"import", "Write a model from another tool's file, or infer it from a live table", RunModelImport},
    {"watch", "Show what a server observes of its models, live", RunModelWatch},
    {"explain", "Explain a rule of check, with a bad and a good model", RunModelExplain},
    {"schema", "Print the JSON Schema of model files, for editors", RunModelSchema},
    {"fmt", "Format model files", RunModelFmt},
};

constexpr CommandGroup kModelGroup{"keyfold model", "Design, check and run a single-table model", kModelCommands, ""};

}  // namespace

int RunModel(const Arguments& arguments, terminal::Console& console) {
  return RunCommand(kModelGroup, arguments, console);
}

}  // namespace keyfold::cli
