// The prices for a `keyfold model` command. A failure is reported in one line on standard error, and the command ends
// with kExitUsage.
#pragma once

#include <optional>
#include <string>

#include "model/core/model.h"
#include "model/price/price_file.h"
#include "terminal/console.h"

namespace keyfold::cli {

// The prices in the file, or without a path the built-in ones. They must be those of the model's Region.
std::optional<model::PriceFile> PricesFor(const std::string& path, const model::Model&, terminal::Console&);

}  // namespace keyfold::cli
