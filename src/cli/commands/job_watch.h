// JobWatch: waits for work that a server, or the background of a folder, does, and shows how far it is: by ListJobs
// where the server has that operation, which is Keyfold's own; elsewhere it says now and then that it still waits.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"
#include "base/function_ref.h"
#include "cli/commands/database_target.h"
#include "engine/background/jobs.h"
#include "terminal/console.h"
#include "terminal/progress.h"

namespace keyfold {

// The work that is waited for.
struct WatchedWork {
  JobKind kind = JobKind::kBackup;
  std::string table;
  std::string id;     // empty: known by its table
  std::string doing;  // "exporting shop"
};

// One thread at a time. What it is given is borrowed.
class JobWatch {
 public:
  // An operation of the API, from JSON to JSON.
  using Call = std::function<Result<std::string>(std::string_view operation, const std::string& body)>;
  // Time, and how to let it pass; tests give their own.
  struct Pace {
    const Clock* clock = nullptr;            // null: the system's
    std::function<void(Micros)> sleep = {};  // empty: really
  };

  JobWatch(Console& console, DatabaseTarget& target);
  JobWatch(Console& console, Call call, Pace pace);

  // Returns when `under_way` says that it is over, or what it failed with.
  Status Wait(const WatchedWork& work, FunctionRef<Result<bool>()> under_way);
  // How long the last wait took.
  Micros waited() const { return waited_; }

 private:
  struct Seen {
    std::string step;
    JobUnit unit = JobUnit::kItems;
    uint64_t done = 0;
    std::optional<uint64_t> total;
  };
  std::optional<Seen> Look(const WatchedWork& work);
  void Show(const WatchedWork& work, const Seen& seen);
  void SayAgain(const WatchedWork& work);
  void TakeBarAway();

  Console& console_;
  const Call call_;
  const Pace pace_;
  bool jobs_are_reported_ = true;  // as far as we know
  Micros began_ = 0, said_ = 0, waited_ = 0;
  Seen shown_;
  std::unique_ptr<Progress> bar_;  // of shown_
};

}  // namespace keyfold
