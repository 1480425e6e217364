// JobWatch: waits for a job of a server or of a folder's background, and shows its progress: with ListJobs if the
// server has that operation, which is Keyfold's own; otherwise it reports from time to time that it is still waiting.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"
#include "base/function_ref.h"
#include "client/api_caller.h"
#include "engine/background/jobs.h"
#include "terminal/console.h"
#include "terminal/progress.h"

namespace keyfold::cli {

// The job to wait for.
struct WatchedWork {
  engine::JobKind kind = engine::JobKind::kBackup;
  std::string table;
  std::string id;     // empty: identified by its table
  std::string doing;  // for example "exporting shop"
};

// Used by one thread at a time. Everything it is given is borrowed.
class JobWatch {
 public:
  // Time and sleeping; tests supply their own.
  struct Pace {
    const Clock* clock = nullptr;            // null: the system clock
    std::function<void(Micros)> sleep = {};  // empty: actually sleeps
  };

  JobWatch(terminal::Console& console, client::ApiCaller& caller);
  JobWatch(terminal::Console& console, client::ApiCaller& caller, Pace pace);

  // Returns when `under_way` returns false, or its error.
  Status Wait(const WatchedWork& work, FunctionRef<Result<bool>()> under_way);
  // How long the last wait took.
  Micros waited() const { return waited_; }

 private:
  struct Seen {
    std::string step;
    engine::JobUnit unit = engine::JobUnit::kItems;
    uint64_t done = 0;
    std::optional<uint64_t> total;
  };
  std::optional<Seen> Look(const WatchedWork& work);
  void Show(const WatchedWork& work, const Seen& seen);
  void SayAgain(const WatchedWork& work);
  void TakeBarAway();

  terminal::Console& console_;
  client::ApiCaller& caller_;
  const Pace pace_;
  bool jobs_are_reported_ = true;  // until the server shows otherwise
  Micros began_ = 0, said_ = 0, waited_ = 0;
  Seen shown_;
  std::unique_ptr<terminal::Progress> bar_;  // shows shown_
};

}  // namespace keyfold::cli
