// Files that `keyfold model` commands are given: read whole and bounded, and where that fails complained of in one
// line on standard error, after which the command ends with kExitUsage.
#pragma once

#include <optional>
#include <string>

#include "model/core/model.h"
#include "terminal/console.h"

namespace keyfold {

// "-" is standard input. A file of over `bytes_max` is cut one byte behind that.
std::optional<std::string> ReadTextFile(const std::string& path, size_t bytes_max, Console& console);

// "FILE:LINE:COLUMN: message" where the file is there, but no model.
std::optional<model::Model> ReadModelFile(const std::string& path, Console& console);

}  // namespace keyfold
