// BackgroundWatch: what RocksDB's flushes and compactions report, and what follows from it.
//
// Where one finds no room on the disk nothing is lost: the rows are in the log. RocksDB stops its background work, and
// the store turns writes away, until TryToResume has found that there is room again. Any other fault of a file ends the
// process, with the file and the work that failed in its last line; damaged tables leave a store that can only be read.
#pragma once

#include <rocksdb/db.h>
#include <rocksdb/listener.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <string>

#include "store/rocksdb/committer.h"
#include "store/rocksdb/data_folder.h"

namespace keyfold {

// Thread-safe.
class BackgroundWatch final : public rocksdb::EventListener {
 public:
  // From here on faults end the process. `wake` is called when work has failed for want of room.
  void Attach(DataFolder& folder, const Committer& committer, std::function<void()> wake);
  void Detach();

  // Why RocksDB does not work in the background; empty while it does.
  std::string error() const;
  bool wants_room() const { return wants_room_.load(std::memory_order_relaxed); }
  // Takes the work up again that failed for want of room. Call it where the disk seems to have some. After an attempt
  // that failed too it waits, twice as long each time, unless much more is free than was then.
  void TryToResume(rocksdb::DB& db, uint64_t free_bytes, std::chrono::steady_clock::time_point now);

  // A flush retires the log it came from; the mark is raised first, so that a retired log is always covered by it.
  void OnFlushBegin(rocksdb::DB* db, const rocksdb::FlushJobInfo& info) override;
  void OnBackgroundError(rocksdb::BackgroundErrorReason reason, rocksdb::Status* status) override;

 private:
  static constexpr std::chrono::milliseconds kPauseMin{1000}, kPauseMax{64'000};

  std::atomic<bool> wants_room_ = false;

  mutable std::mutex mutex_;
  DataFolder* folder_ = nullptr;
  const Committer* committer_ = nullptr;
  std::function<void()> wake_;
  std::string error_;
  // The last attempt to go on that failed, where there was one.
  std::chrono::milliseconds pause_{0};
  std::chrono::steady_clock::time_point tried_;
  uint64_t free_when_tried_ = 0;
};

}  // namespace keyfold
