// Paths of files in this repository, for tests that read fixtures.
#pragma once

#include <string>
#include <string_view>

namespace keyfold {

// Returns the absolute path of a file, given relative to the root of the repository.
inline std::string RepositoryPath(std::string_view path) {
  const std::string here = __FILE__;
  return here.substr(0, here.rfind("src/testing/base")).append(path);
}

}  // namespace keyfold
