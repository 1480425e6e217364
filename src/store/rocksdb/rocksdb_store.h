// The durable store: RocksDB in one folder. docs/design/durability.md says how a write becomes durable and visible.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/clock.h"
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
  bool accept_data_loss = false;  // open although the recovered log ends before the high-water mark
  rocksdb::Env* env = nullptr;    // tests: a file system that forgets what was not synced
  std::string app_version = {};   // written into the FORMAT record
  uint64_t write_buffer_bytes = uint64_t{64} << 20;
  uint32_t keep_period_ms = 1000;  // between writes of the high-water mark and looks at the free space
};

// One clear line in the error for: a folder that is not ours, of a newer format, locked by another process, read-only,
// or short of its high-water mark; the folder is then left as it was.
Result<std::unique_ptr<Store>> OpenRocksdbStore(const RocksdbOptions& options, const Clock& clock);

}  // namespace keyfold
