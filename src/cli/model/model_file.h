// Reads the files given to `keyfold model` commands, completely and up to a limit. A failure is reported in one line on
// standard error, and the command ends with kExitUsage.
#pragma once

#include <optional>
#include <string>

#include "model/core/model.h"
#include "terminal/console.h"

namespace keyfold::cli {

// "-" is standard input. A file larger than `bytes_max` is cut one byte after that.
std::optional<std::string> ReadTextFile(const std::string& path, size_t bytes_max, terminal::Console& console);

// Reports "FILE:LINE:COLUMN: message" if the file can be read but is not a valid model.
std::optional<model::Model> ReadModelFile(const std::string& path, terminal::Console& console);

}  // namespace keyfold::cli
