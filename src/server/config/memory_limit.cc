#include "server/config/memory_limit.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "base/read_file.h"

namespace keyfold::server {
namespace {

constexpr size_t kFileBytesMax = 64 * 1024;

// Returns the number in a file; nullopt if there is no such file or it contains "max".
std::optional<uint64_t> NumberIn(const std::string& path) {
  const Result<std::string> text = ReadFile(path, kFileBytesMax);
  if (!text.ok()) return std::nullopt;
  const std::string_view digits = *text;
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc()) return std::nullopt;
  return number;
}

// Returns the lowest limit of a group and its ancestors. In a container the group's own path may not be visible, but
// the root is the container's.
uint64_t LeastUpwards(const std::string& mount, std::string group, std::string_view file, uint64_t bytes) {
  while (true) {
    if (group == "/") group.clear();
    if (const auto limit = NumberIn(mount + group + "/" + std::string(file))) {
      bytes = std::min(bytes, *limit);
    }
    if (group.empty()) return bytes;
    const size_t slash = group.rfind('/');
    group.resize(slash == std::string::npos ? 0 : slash);
  }
}

bool NamesMemory(std::string_view controllers) {
  while (!controllers.empty()) {
    const size_t comma = controllers.find(',');
    if (controllers.substr(0, comma) == "memory") return true;
    if (comma == std::string_view::npos) return false;
    controllers.remove_prefix(comma + 1);
  }
  return false;
}

}  // namespace

// Lines of /proc/self/cgroup are "number:controllers:group"; version 2 has a single line, without controllers.
uint64_t FindMemoryLimit(uint64_t machine_bytes, const std::string& root) {
  const Result<std::string> text = ReadFile(root + "/proc/self/cgroup", kFileBytesMax);
  if (!text.ok()) return machine_bytes;
  uint64_t bytes = machine_bytes;
  std::string_view rest = *text;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const size_t first = line.find(':');
    const size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const std::string group(line.substr(second + 1));
    if (controllers.empty()) bytes = LeastUpwards(root + "/sys/fs/cgroup", group, "memory.max", bytes);
    if (NamesMemory(controllers)) {
      bytes = LeastUpwards(root + "/sys/fs/cgroup/memory", group, "memory.limit_in_bytes", bytes);
    }
  }
  return bytes;
}

uint64_t MachineMemory() {
  return static_cast<uint64_t>(std::max(0L, sysconf(_SC_PHYS_PAGES))) *
         static_cast<uint64_t>(std::max(0L, sysconf(_SC_PAGESIZE)));
}

int64_t DefaultInFlightMb(uint64_t memory_bytes) {
  return static_cast<int64_t>(std::clamp<uint64_t>((memory_bytes >> 20) / 4, 64, 512));
}

}  // namespace keyfold::server
