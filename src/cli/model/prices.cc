// keyfold model prices: turns AWS's price list into a price file for plan and diff.
#include <fmt/format.h>

#include "cli/model/commands.h"
#include "cli/model/model_file.h"
#include "cli/shell/options.h"
#include "model/core/unreadable.h"
#include "model/price/price_list.h"

namespace keyfold::cli {
namespace {

constexpr size_t kPriceListBytesMax = size_t{64} << 20;

}  // namespace

int RunModelPrices(const Arguments& arguments, terminal::Console& console) {
  std::string path;
  OptionParser parser(
      "keyfold model prices",
      "Prints AWS's price list of DynamoDB in one Region as a price file for --prices. The list is at "
      "https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/AmazonDynamoDB/current/REGION/index.json");
  parser.Text("FILE", path, "AWS's price list, index.json; - is standard input").Required();
  if (const std::optional<int> code = parser.Parse(arguments, console)) return *code;
  const std::optional<std::string> text = ReadTextFile(path, kPriceListBytesMax, console);
  if (!text) return kExitUsage;
  const Result<std::string> converted = model::ConvertPriceList(*text);
  if (!converted.ok()) {
    console.Complain(model::Printable(fmt::format("{}: {}", path, converted.error().message())));
    return kExitUsage;
  }
  console.Print(*converted);
  return kExitOk;
}

}  // namespace keyfold::cli
