// keyfold model plan: the cost of models and their hot spots. Needs no network.
#include <list>

#include "base/clock.h"
#include "cli/model/commands.h"
#include "cli/model/model_file.h"
#include "cli/model/model_prices.h"
#include "cli/model/prose.h"
#include "cli/shell/options.h"
#include "model/check/check.h"
#include "model/core/unreadable.h"
#include "model/plan/report.h"

namespace keyfold::cli {
namespace {

struct PlanOptions {
  std::vector<std::string> files;
  std::string prices;
  bool free_tier = false;
  std::string format = "text";
};

// A model, its plan and its findings.
struct Planned {
  model::Model model;
  model::Plan plan;
  std::vector<model::Finding> findings;
};

void Report(const std::string& format, const std::vector<model::PlannedFile>& files, terminal::Console& console) {
  if (format == "json") return console.Print(model::PlanJson(files));
  if (format == "html") return console.Print(model::PlanHtml(files));
  PrintProse(model::PlanText(files), console);
}

int PlanAll(const PlanOptions& options, terminal::Console& console) {
  const model::PlanOptions plan_options{options.free_tier, SystemClock().Now() / 1000};
  std::list<Planned> planned;  // plans hold views of their models, which must not move
  std::vector<model::PlannedFile> files;
  bool served = true;
  for (const std::string& path : options.files) {
    std::optional<model::Model> model = ReadModelFile(path, console);
    if (!model) return kExitUsage;
    Planned& one = planned.emplace_back();
    one.model = *std::move(model);
    const std::optional<model::PriceFile> prices = PricesFor(options.prices, one.model, console);
    if (!prices) return kExitUsage;
    one.plan = model::MakePlan(one.model, *prices, plan_options);
    if (options.format == "html") one.findings = model::Check(one.model);
    served = served && one.plan.all_served;
    files.push_back({&one.plan, options.format == "html" ? &one.findings : nullptr});
    const std::string age = model::AgeWarning(one.plan.prices, plan_options.now_ms);
    if (!age.empty()) console.Complain(model::Printable(age));
  }
  Report(options.format, files, console);
  return served ? kExitOk : kExitFailure;
}

}  // namespace

int RunModelPlan(const Arguments& arguments, terminal::Console& console) {
  PlanOptions options;
  OptionParser parser("keyfold model plan", "What each pattern costs, and where the table gets hot");
  parser.Texts("FILE", options.files, "Model files, one table each; - is standard input").Required();
  parser.Text("--prices", options.prices, "Price file to use instead of the built-in prices; model prices makes one");
  parser.Flag("--free-tier", options.free_tier, "Subtract the AWS free tier");
  parser.Text("--format", options.format, "text, json or html").OneOf({"text", "json", "html"});
  if (const std::optional<int> code = parser.Parse(arguments, console)) return *code;
  return PlanAll(options, console);
}

}  // namespace keyfold::cli
