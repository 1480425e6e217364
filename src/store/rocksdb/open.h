// The durable store: RocksDB in one folder. docs/design/durability.md describes how a write becomes durable and
// visible.
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

namespace keyfold::store {

struct RocksdbOptions {
  std::string path = {};
  bool relaxed = false;  // responses do not wait for the disk
  uint64_t cache_bytes = uint64_t{256} << 20;
  int open_files_max = 512;       // for tables; the process needs some dozens of descriptors more
  bool accept_data_loss = false;  // open even if the log ends before the high-water mark or has an unexplained hole
  std::optional<Micros> ahead_max = {};  // how far the last commit may be ahead of the clock; nullopt: no limit
  rocksdb::Env* env = nullptr;           // tests: a file system that loses unsynced data
  std::string app_version = {};          // recorded in FORMAT
  uint64_t write_buffer_bytes = uint64_t{64} << 20;
  uint32_t keep_period_ms = 1000;                 // period of writing the high-water mark and checking free space
  std::optional<Surroundings> surroundings = {};  // tests: replaces the machine's own
};

// Opens the store. Returns an error with a one-line message if the folder is not Keyfold's, has a newer format, is
// locked by another process, is read-only, has a log that ends before its high-water mark, reads differently each time
// or has a hole that no power cut explains, or is further ahead of the clock than `ahead_max`. After such an error
// everything is still there for a later opening.
Result<std::unique_ptr<Store>> OpenRocksdbStore(const RocksdbOptions& options, const Clock& clock);

}  // namespace keyfold::store
