// Time-to-live sweep: removes expired items. It reads only the expiry rows that are due and passes each item to the
// write path (ItemWrite::Action::kExpire), which checks again under the item's lock. An item whose expiry has been
// moved in the meantime therefore stays, and the same commit removes the index rows and writes the log record.
#pragma once

#include <chrono>
#include <optional>

#include "base/background_task.h"
#include "engine/catalog/database.h"

namespace keyfold::engine {

// Thread-safe.
class ExpirySweep {
 public:
  ExpirySweep(const Database& db, std::chrono::milliseconds interval);

  void Start() { task_.Start(); }
  void Stop() { task_.Stop(); }
  // Returns when everything that was due at the time of the call is gone, provided that the store accepts writes.
  void Finish() { task_.Finish(); }

  // Sweeps all tables once on the caller's thread. Returns the delay until the next sweep.
  std::optional<std::chrono::milliseconds> WorkOnce();

 private:
  Status SweepTable(const Table& table);
  Status SweepBucket(const Table& table, uint8_t bucket);

  const Database db_;
  const std::chrono::milliseconds interval_;
  BackgroundTask task_;  // last member: its thread uses the others
};

}  // namespace keyfold::engine
