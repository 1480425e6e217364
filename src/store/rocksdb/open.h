// The durable store: RocksDB in one folder. docs/design/durability.md says how a write becomes durable and visible.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "store/rocksdb/surroundings.h"
#include "store/store.h"

namespace rocksdb {
class Env;
}

namespace keyfold {

struct RocksdbOptions {
  std::string path = {};
  bool relaxed = false;  // answers do not wait for the disk
  uint64_t cache_bytes = uint64_t{256} << 20;
  int open_files_max = 512;       // tables; the process must have some dozens of descriptors beside them
  bool accept_data_loss = false;  // open although the log ends before the high-water mark, or has an unexplained hole
  std::optional<Micros> ahead_max = {};  // how far the last commit may be ahead of the clock; none: any time
  rocksdb::Env* env = nullptr;           // tests: a file system that forgets what was not synced
  std::string app_version = {};          // written into the FORMAT record
  uint64_t write_buffer_bytes = uint64_t{64} << 20;
  uint32_t keep_period_ms = 1000;                 // between writes of the high-water mark and looks at the free space
  std::optional<Surroundings> surroundings = {};  // tests: instead of the machine's own
};

// One clear line in the error for: a folder that is not ours, of a newer format, locked by another process, read-only,
// short of its high-water mark, with a log that reads differently each time or has a hole that no power cut explains,
// or further ahead of the clock than `ahead_max`. A later opening then finds everything that was there.
Result<std::unique_ptr<Store>> OpenRocksdbStore(const RocksdbOptions& options, const Clock& clock);

}  // namespace keyfold
