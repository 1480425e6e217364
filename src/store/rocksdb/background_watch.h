// BackgroundWatch: handles the errors that RocksDB's flushes and compactions report.
//
// If one of them runs out of disk space nothing is lost, because the rows are in the log. RocksDB stops its background
// work and the store refuses writes until TryToResume succeeds. Any other I/O error ends the process; its last log line
// names the file and the work that failed. Corrupt tables leave a store that can only be read.
#pragma once

#include <rocksdb/db.h>
#include <rocksdb/listener.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <string>

#include "base/mutex.h"
#include "store/rocksdb/committer.h"
#include "store/rocksdb/data_folder.h"

namespace keyfold::store {

// Thread-safe.
class BackgroundWatch final : public rocksdb::EventListener {
 public:
  // From now on I/O errors end the process. `wake` is called when work fails for lack of disk space.
  void Attach(DataFolder& folder, const Committer& committer, std::function<void()> wake);
  void Detach();

  // Why RocksDB's background work has stopped; empty while it runs.
  std::string error() const;
  bool wants_room() const { return wants_room_.load(std::memory_order_relaxed); }
  // Resumes the work that failed for lack of disk space. Call it when the disk seems to have space again. After a
  // failed attempt it does nothing for a pause that doubles each time, unless much more space is free than at that
  // attempt.
  void TryToResume(rocksdb::DB& db, uint64_t free_bytes, std::chrono::steady_clock::time_point now);

  // A flush retires the log it came from. The mark is raised first, so that it always covers a retired log.
  void OnFlushBegin(rocksdb::DB* db, const rocksdb::FlushJobInfo& info) override;
  void OnBackgroundError(rocksdb::BackgroundErrorReason reason, rocksdb::Status* status) override;

 private:
  static constexpr std::chrono::milliseconds kPauseMin{1000}, kPauseMax{64'000};

  std::atomic<bool> wants_room_ = false;

  mutable Mutex mutex_;
  DataFolder* folder_ GUARDED_BY(mutex_) = nullptr;
  const Committer* committer_ GUARDED_BY(mutex_) = nullptr;
  std::function<void()> wake_ GUARDED_BY(mutex_);
  std::string error_ GUARDED_BY(mutex_);
  // The last attempt to resume.
  std::chrono::milliseconds pause_ GUARDED_BY(mutex_){0};
  std::chrono::steady_clock::time_point tried_ GUARDED_BY(mutex_);
  uint64_t free_when_tried_ GUARDED_BY(mutex_) = 0;
};

}  // namespace keyfold::store
