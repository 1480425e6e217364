// Background: what goes on behind the requests, each on a thread of its own.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "engine/backups.h"
#include "engine/chore.h"
#include "engine/database.h"
#include "engine/expiry_sweep.h"
#include "engine/stream_upkeep.h"
#include "engine/table_lifecycle.h"
#include "files/folder.h"
#include "server/config.h"

namespace keyfold {

// Thread-safe.
class Background {
 public:
  // Without `folder` there are no backups.
  Background(const Database& db, const Config& config, const std::optional<Folder>& folder);

  TableLifecycle& lifecycle() { return lifecycle_; }
  Backups* backups() { return backups_.get(); }

  void Start();
  void Stop();
  // Returns once what is due at the present database time has been done.
  void Finish();

 private:
  TableLifecycle lifecycle_;
  ExpirySweep expiry_;
  StreamUpkeep streams_;
  Chore tokens_;
  std::unique_ptr<Backups> backups_;  // null: there is no folder for them
};

}  // namespace keyfold
