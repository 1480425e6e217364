// The sweep of time to live: removes what has expired. It reads only expiry rows that are due and hands each item to
// the one write path (ItemWrite::Action::kExpire), which looks again under the item's lock; so an item whose expiry was
// moved in the meantime stays, and index rows and the log record go with the removal.
#pragma once

#include <chrono>
#include <optional>

#include "base/background_task.h"
#include "engine/catalog/database.h"

namespace keyfold {

// Thread-safe.
class ExpirySweep {
 public:
  ExpirySweep(const Database& db, std::chrono::milliseconds interval);

  void Start() { task_.Start(); }
  void Stop() { task_.Stop(); }
  // What is due at the time of the call is gone when this returns, where the store takes writes.
  void Finish() { task_.Finish(); }

  // One sweep over all tables, on the caller's thread. Answers when the next is due.
  std::optional<std::chrono::milliseconds> WorkOnce();

 private:
  Status SweepTable(const Table& table);
  Status SweepBucket(const Table& table, uint8_t bucket);

  const Database db_;
  const std::chrono::milliseconds interval_;
  BackgroundTask task_;  // last: its thread uses the rest
};

}  // namespace keyfold
