// Reads a whole file.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace keyfold {

// Returns the file's bytes, or the first `bytes_max` + 1 bytes of a longer file. If the file cannot be read, or is a
// folder, returns nullopt and sets `why` to the reason, e.g. "No such file or directory".
std::optional<std::string> ReadFile(const std::string& path, size_t bytes_max, std::string& why);

}  // namespace keyfold
