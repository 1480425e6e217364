#include "server/config/descriptors.h"

#include <dirent.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>

namespace keyfold::server {
namespace {

constexpr uint64_t kStoreFilesMax = 512;
constexpr uint64_t kConnectionsMax = 10'000;
constexpr uint64_t kReserveMin = 128, kReserveMax = 1024;
constexpr uint64_t kPerLoop = 2;  // its event queue and its wakeup descriptor

}  // namespace

DescriptorPlan PlanDescriptors(uint64_t limit, size_t loops) {
  const uint64_t reserve =
      std::min(std::clamp(limit / 8, kReserveMin, kReserveMax) + kPerLoop * loops, limit - kDescriptorsMin / 4);
  const uint64_t rest = limit - reserve;
  const uint64_t store = std::min(kStoreFilesMax, rest / 2);
  return {limit, static_cast<int>(store), static_cast<size_t>(std::min(kConnectionsMax, rest - store))};
}

std::optional<uint64_t> RaiseDescriptorLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return std::nullopt;
  const rlim_t before = limit.rlim_cur;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_max : before;
}

uint64_t CountDescriptors() {
  constexpr char kFolder[] = "/proc/self/fd";
  struct stat status {};
  // Since Linux 6.2, the folder's size is the count.
  if (stat(kFolder, &status) == 0 && status.st_size > 0) return static_cast<uint64_t>(status.st_size);
  DIR* const folder = opendir(kFolder);
  if (folder == nullptr) return 0;
  uint64_t entries = 0;
  while (readdir(folder) != nullptr) ++entries;
  closedir(folder);
  return entries - std::min<uint64_t>(entries, 3);  // ".", "..", and the folder itself
}

}  // namespace keyfold::server
