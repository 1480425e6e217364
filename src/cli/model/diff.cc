// keyfold model diff: the steps from one model to another, for a table in use.
#include "cli/model/commands.h"
#include "cli/model/model_file.h"
#include "cli/model/model_prices.h"
#include "cli/model/prose.h"
#include "cli/shell/options.h"
#include "model/diff/migration.h"

namespace keyfold::cli {
int RunModelDiff(const Arguments& arguments, terminal::Console& console) {
  std::string old_file, new_file, price_file, format = "text";
  OptionParser parser(
      "keyfold model diff",
      "Prints the steps that lead from one model to another on a table in use, in order, with their cost");
  parser.Text("OLD", old_file, "The current model").Required();
  parser.Text("NEW", new_file, "The new model").Required();
  parser.Text("--prices", price_file, "Price file (default: built-in prices of the model's Region)");
  parser.Text("--format", format, "text or json").OneOf({"text", "json"}).ShowDefault();
  if (const std::optional<int> code = parser.Parse(arguments, console)) return *code;
  const std::optional<model::Model> before = ReadModelFile(old_file, console);
  if (!before) return kExitUsage;
  const std::optional<model::Model> after = ReadModelFile(new_file, console);
  if (!after) return kExitUsage;
  const std::optional<model::PriceFile> prices = PricesFor(price_file, *after, console);
  if (!prices) return kExitUsage;
  const model::Migration migration = MigrationFrom(*before, *after, *prices);
  format == "json" ? console.Print(MigrationJson(migration)) : PrintProse(MigrationText(migration), console);
  return kExitOk;
}

}  // namespace keyfold::cli
