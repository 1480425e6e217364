// unsynced_server FOLDER PORT SEED CUT [relaxed]: the server on a file system that forgets what was not synced. Before
// the CUT-th change of a file the power goes and the process ends; 0 is never. Small buffers make it write and remove
// files all the time. What lies in FOLDER then is what a disk may be left with; the next start must make the best of
// it.
#include <rocksdb/env.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "server/serve.h"
#include "testing/store/unsynced_fs.h"

namespace {

constexpr int kExitUsage = 2, kExitCut = 42;

uint64_t NumberOf(const char* text) { return std::strtoull(text, nullptr, 10); }

}  // namespace

int main(int count, char** words) {
  const bool relaxed = count == 6 && std::string_view(words[5]) == "relaxed";
  if (count != 5 && !relaxed) {
    std::fputs("usage: unsynced_server FOLDER PORT SEED CUT [relaxed]\n", stderr);
    return kExitUsage;
  }
  const std::string folder = words[1];
  std::filesystem::create_directories(folder + "/limbo");
  const auto fs = std::make_shared<keyfold::store::UnsyncedFs>(rocksdb::FileSystem::Default(), folder + "/limbo",
                                                               NumberOf(words[3]));
  const std::unique_ptr<rocksdb::Env> env = rocksdb::NewCompositeEnv(fs);
  if (const uint64_t cut = NumberOf(words[4]); cut > 0) fs->CutAfter(cut, [] { std::_Exit(kExitCut); });
  keyfold::server::Config config;
  config.port = static_cast<uint16_t>(NumberOf(words[2]));
  config.hosts = {"127.0.0.1"};
  config.data = folder + "/data";
  config.durability = relaxed ? "relaxed" : "always";
  config.cache_mb = 1;
  // Each start is a boot of its own, as it is after a power cut.
  const keyfold::store::Surroundings surroundings{std::to_string(getpid()) + "-" + words[3] + "-" + words[4], "disk"};
  return keyfold::server::Serve(config,
                                {.env = env.get(), .write_buffer_bytes = 64 << 10, .surroundings = surroundings});
}
