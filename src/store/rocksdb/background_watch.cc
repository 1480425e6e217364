#include "store/rocksdb/background_watch.h"

#include <algorithm>

#include "base/log.h"
#include "store/rocksdb/end_process.h"

namespace keyfold::store {
namespace {

using Reason = rocksdb::BackgroundErrorReason;

constexpr uint64_t kMuchMoreBytes = uint64_t{32} << 20;

std::string_view WorkOf(Reason reason) {
  switch (reason) {
    case Reason::kFlush:
    case Reason::kFlushNoWAL:
      return "flushing a write buffer";
    case Reason::kCompaction:
      return "a compaction";
    case Reason::kWriteCallback:
    case Reason::kMemTable:
      return "writing the log";
    case Reason::kManifestWrite:
    case Reason::kManifestWriteNoWAL:
      return "writing the manifest";
  }
  return "background work";
}

bool IsOfLog(Reason reason) { return reason == Reason::kWriteCallback || reason == Reason::kMemTable; }

}  // namespace

void BackgroundWatch::Attach(DataFolder& folder, const Committer& committer, std::function<void()> wake) {
  MutexLock lock(mutex_);
  folder_ = &folder;
  committer_ = &committer;
  wake_ = std::move(wake);
}

void BackgroundWatch::Detach() {
  MutexLock lock(mutex_);
  folder_ = nullptr;
  committer_ = nullptr;
  wake_ = nullptr;
}

std::string BackgroundWatch::error() const {
  MutexLock lock(mutex_);
  return error_;
}

void BackgroundWatch::OnFlushBegin(rocksdb::DB*, const rocksdb::FlushJobInfo&) {
  MutexLock lock(mutex_);
  if (folder_ == nullptr) return;
  const rocksdb::Status s = folder_->RaiseMark(committer_->CurrentMark());
  if (!s.ok()) LogWarning("{}: cannot write MARK: {}", folder_->path(), s.ToString());
}

void BackgroundWatch::OnBackgroundError(Reason reason, rocksdb::Status* status) {
  MutexLock lock(mutex_);
  const bool attached = folder_ != nullptr;
  // A failed log write ends the process, whatever the cause. So does any other I/O error.
  const bool no_room = status->IsNoSpace() && !IsOfLog(reason);
  if (attached && !no_room && !status->IsCorruption()) EndProcess(WorkOf(reason), *status);
  // A repeated error is logged only once.
  if (error_.empty()) LogError("{} failed: {}; writes are refused", WorkOf(reason), status->ToString());
  error_ = status->ToString();
  if (!no_room) return;
  wants_room_.store(true);
  if (wake_) wake_();
}

void BackgroundWatch::TryToResume(rocksdb::DB& db, uint64_t free_bytes, std::chrono::steady_clock::time_point now) {
  {
    MutexLock lock(mutex_);
    if (now - tried_ > 4 * kPauseMax) pause_ = std::chrono::milliseconds(0);  // the last failure is long past
    const bool rests = pause_.count() > 0 && now - tried_ < pause_ && free_bytes < free_when_tried_ + kMuchMoreBytes;
    if (!wants_room_.load() || rests) return;
    tried_ = now;
    free_when_tried_ = free_bytes;
    wants_room_.store(false);  // a failure during Resume sets it again
  }
  const rocksdb::Status s = db.Resume();
  MutexLock lock(mutex_);
  // The work may fail again only later, in a compaction that starts after the resume, so the pause is kept until then.
  pause_ = std::clamp(2 * pause_, kPauseMin, kPauseMax);
  if (!s.ok()) {
    wants_room_.store(true);
    return;
  }
  if (wants_room_.load()) return;
  error_.clear();
  LogWarning("flushes and compactions have resumed");
}

}  // namespace keyfold::store
