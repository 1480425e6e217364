// Reads a whole file.
#pragma once

#include <cstddef>
#include <string>

#include "base/error.h"

namespace keyfold {

// Returns the file's bytes, or the first `bytes_max` + 1 bytes of a longer file. If the file cannot be read, or is a
// folder, the error's message is the system's reason alone, e.g. "No such file or directory".
Result<std::string> ReadFile(const std::string& path, size_t bytes_max);

}  // namespace keyfold
