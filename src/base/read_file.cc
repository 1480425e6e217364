#include "base/read_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

namespace keyfold {
namespace {

struct Closing {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

constexpr Rule<"{}"> kUnreadableFile{"file-unreadable", Kind::kInternal};

Error UnreadableFile() { return kUnreadableFile(std::error_code(errno, std::generic_category()).message()); }

}  // namespace

Result<std::string> ReadFile(const std::string& path, size_t bytes_max) {
  const std::unique_ptr<std::FILE, Closing> file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr) return UnreadableFile();
  std::string bytes;
  char buffer[64 * 1024];
  while (bytes.size() <= bytes_max) {
    const size_t wanted = std::min(sizeof buffer, bytes_max + 1 - bytes.size());
    const size_t got = std::fread(buffer, 1, wanted, file.get());
    bytes.append(buffer, got);
    if (got < wanted) break;
  }
  if (std::ferror(file.get()) != 0) return UnreadableFile();
  return bytes;
}

}  // namespace keyfold
