// keyfold model diff: the steps from one model to another, for a table in use.
#include <fmt/format.h>

#include "cli/model/commands.h"
#include "cli/model/model_file.h"
#include "cli/model/prose.h"
#include "cli/shell/options.h"
#include "model/diff/migration.h"

namespace keyfold::cli {
namespace {

constexpr size_t kPriceBytesMax = size_t{16} << 20;

// Returns the prices in the file; without one, the built-in prices of the model's region.
std::optional<model::PriceFile> PricesFor(const std::string& path, const model::Model& model,
                                          terminal::Console& console) {
  if (path.empty()) return model::DefaultPrices(model.table.region);
  const std::optional<std::string> text = ReadTextFile(path, kPriceBytesMax, console);
  if (!text) return std::nullopt;
  Result<model::PriceFile> prices = model::ReadPriceFile(path, *text);
  if (prices.ok()) return *std::move(prices);
  console.Complain(model::Printable(fmt::format("{}: {}", path, prices.error().message())));
  return std::nullopt;
}

}  // namespace

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
