#include "server/config/memory_limit.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

namespace keyfold::server {
namespace {

constexpr uint64_t kMachine = uint64_t{8} << 30;

TEST(MemoryLimit, IsTheLeastOfMachineAndGroups) {
  struct Row {
    const char* name;
    std::vector<std::pair<std::string, std::string>> files;
    uint64_t bytes;
  };
  const std::string v2 = "/sys/fs/cgroup", v1 = "/sys/fs/cgroup/memory";
  const Row rows[] = {
      {"no groups", {}, kMachine},
      {"without a limit", {{"/proc/self/cgroup", "0::/\n"}, {v2 + "/memory.max", "max\n"}}, kMachine},
      {"a container", {{"/proc/self/cgroup", "0::/\n"}, {v2 + "/memory.max", "536870912\n"}}, 536870912},
      {"a service",
       {{"/proc/self/cgroup", "0::/system.slice/keyfold.service\n"},
        {v2 + "/system.slice/keyfold.service/memory.max", "1073741824\n"}},
       1073741824},
      {"the group above",
       {{"/proc/self/cgroup", "0::/a/b\n"}, {v2 + "/a/b/memory.max", "max\n"}, {v2 + "/a/memory.max", "2097152\n"}},
       2097152},
      {"more than the machine has",
       {{"/proc/self/cgroup", "0::/\n"}, {v2 + "/memory.max", "99999999999999\n"}},
       kMachine},
      {"version 1",
       {{"/proc/self/cgroup", "12:cpu,cpuacct:/x\n7:memory:/docker/1\n"},
        {v1 + "/docker/1/memory.limit_in_bytes", "268435456\n"}},
       268435456},
      {"version 1 in a container",
       {{"/proc/self/cgroup", "7:hugetlb,memory:/docker/1\n0::/docker/1\n"},
        {v1 + "/memory.limit_in_bytes", "268435456\n"}},
       268435456},
      {"garbage", {{"/proc/self/cgroup", "no colons\n:\n0::\n"}, {v2 + "/memory.max", "?\n"}}, kMachine},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const std::string root = testing::TempDir() + "keyfold_memory_" + std::to_string(getpid());
    std::filesystem::remove_all(root);
    for (const auto& [path, text] : row.files) {
      std::filesystem::create_directories(std::filesystem::path(root + path).parent_path());
      std::ofstream(root + path) << text;
    }
    EXPECT_EQ(FindMemoryLimit(kMachine, root), row.bytes);
    std::filesystem::remove_all(root);
  }
}

TEST(MemoryLimit, ShareForRequests) {
  const std::pair<uint64_t, int64_t> rows[] = {{0, 64}, {128, 64}, {256, 64}, {512, 128}, {2048, 512}, {1 << 20, 512}};
  for (const auto& [memory_mb, wanted] : rows) EXPECT_EQ(DefaultInFlightMb(memory_mb << 20), wanted) << memory_mb;
  EXPECT_GT(FindMemoryLimit(MachineMemory()), uint64_t{64} << 20);
}

}  // namespace
}  // namespace keyfold::server
