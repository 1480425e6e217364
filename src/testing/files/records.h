// Records of record files and sorters, for tests.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace keyfold::files {

using Records = std::vector<std::pair<std::string, std::string>>;  // keys and values

}  // namespace keyfold::files
