// A database in the process that can be closed and reopened, and whose requests are run as server/dispatch.cc runs
// them: first where they may not block, then where they may.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "embedded/embedded_database.h"

namespace keyfold::embedded {

// Whether a response of TestEngine::Run is an error.
inline bool IsError(const std::string& answer) { return !answer.empty() && answer[0] != '{'; }

// Used by one thread at a time.
class TestEngine {
 public:
  // Initially closed. Empty `folder`: the memory store, which survives closing.
  TestEngine(std::string folder, const Clock& clock);
  ~TestEngine();

  // The path in `options` is replaced by the engine's own. Engines opened with equal seeds give tables equal ids.
  void Open(const store::RocksdbOptions& options, uint64_t seed);
  void Close();

  // Returns the response's JSON, or an error's HTTP status and body. A request that would block is run again where it
  // may, and a throttled one is retried until it succeeds, as a client would.
  std::string Run(const ops::Operation& operation, const std::string& request);

  // Does the work left by table operations: filling and removing indexes, removing rows. It is done only here, so that
  // responses do not depend on a thread's progress.
  void FinishWork();
  // Does it on its own thread while requests continue; FinishWork waits for it.
  void BeginWork();

  // From now on, requests run with a Pace: first with at most `steps`, and if that is not enough, in turns, giving way
  // at every row and deciding every write before its rows are locked.
  void RunPaced(uint64_t steps) { steps_ = steps; }

  engine::SnapshotPtr catalog() const { return database_->catalog(); }
  store::Store& store() { return database_->store(); }
  int64_t blocked() const { return blocked_; }
  int64_t throttled() const { return throttled_; }

 private:
  Status RunOnce(const ops::Operation& operation, const std::string& request, store::Wait wait, Pace* pace,
                 std::string& answer);
  Status RunWhereItMay(const ops::Operation& operation, const std::string& request, std::string& answer);

  const std::string folder_;
  const Clock& clock_;
  const std::unique_ptr<store::Store> memory_;  // null with a folder
  std::unique_ptr<EmbeddedDatabase> database_;  // null while closed
  std::thread worker_;
  std::optional<uint64_t> steps_;
  int64_t calls_ = 0, blocked_ = 0, throttled_ = 0;
};

}  // namespace keyfold::embedded
