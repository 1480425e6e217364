// Reading a file whole.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace keyfold {

// The file's bytes, of a longer one the first `bytes_max` and one more. Nothing, and why, as "No such file or
// directory", where it cannot be read; a folder cannot.
std::optional<std::string> ReadFile(const std::string& path, size_t bytes_max, std::string& why);

}  // namespace keyfold
