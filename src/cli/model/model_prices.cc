#include "cli/model/model_prices.h"

#include <fmt/format.h>

#include "cli/model/model_file.h"
#include "model/core/unreadable.h"

namespace keyfold::cli {
namespace {

constexpr size_t kPriceFileBytesMax = size_t{16} << 20;

std::optional<model::PriceFile> ReadPrices(const std::string& path, terminal::Console& console) {
  const std::optional<std::string> text = ReadTextFile(path, kPriceFileBytesMax, console);
  if (!text) return {};
  Result<model::PriceFile> read = model::ReadPriceFile(path, *text);
  if (read.ok()) return *std::move(read);
  console.Complain(model::Printable(fmt::format("{}: {}", path, read.error().message())));
  return {};
}

}  // namespace

std::optional<model::PriceFile> PricesFor(const std::string& path, const model::Model& model,
                                          terminal::Console& console) {
  const std::string& region = model.table.region;
  std::optional<model::PriceFile> prices = path.empty() ? model::BuiltInPrices(region) : ReadPrices(path, console);
  if (!prices && path.empty()) {
    console.Complain(model::Printable(
        fmt::format("{}: there are no built-in prices for {}; make a price file from AWS's price list with keyfold "
                    "model prices, and pass it with --prices FILE",
                    model.file, region)));
  }
  if (!prices || prices->region.empty() || prices->region == region) return prices;
  console.Complain(
      model::Printable(fmt::format("{}: the prices in {} are for {}, but the table is in {}; pass the "
                                   "prices for {} with --prices FILE",
                                   model.file, path, prices->region, region, region)));
  return {};
}

}  // namespace keyfold::cli
