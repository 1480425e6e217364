// The threads besides the event loops, in two lanes. Quick work blocks rather than computes: a read from disk, a change
// of the catalog. Heavy work takes long: pages with filters, large bodies. Heavy threads have a lower priority than all
// others, and as many run at a time as there are processors plus two (for those that wait for the disk), in turns.
#pragma once

#include <functional>

#include "server/work/turn_queue.h"
#include "server/work/worker_pool.h"

namespace keyfold::server {

enum class Lane : uint8_t { kQuick, kHeavy };

struct WorkersOptions {
  size_t quick_threads = 4;
  size_t heavy_threads = 16;  // most of them wait for their turn
  size_t heavy_at_once = 4;
  size_t queue_max = 1024;  // for each lane
};

// Thread-safe.
class Workers {
 public:
  // With 0 threads, Submit runs the work itself.
  explicit Workers(const WorkersOptions& options)
      : turns_(options.heavy_at_once),
        quick_(options.quick_threads, options.queue_max),
        heavy_(options.heavy_threads, options.queue_max, kHeavyNice) {}

  // Returns false if the lane's queue is full; `work` was not taken.
  [[nodiscard]] bool Submit(Lane lane, std::function<void()> work) {
    if (lane == Lane::kQuick) return quick_.Submit(std::move(work));
    return heavy_.Submit([this, work = std::move(work)] {
      const TurnQueue::Turn turn(turns_);
      work();
    });
  }

  // The turns of heavy work, for its Pace.
  Turns& turns() { return turns_; }
  // From now on, heavy work that can be abandoned is abandoned.
  void BeginStop() { turns_.BeginStop(); }

 private:
  static constexpr int kHeavyNice = 5;

  TurnQueue turns_;
  WorkerPool quick_, heavy_;
};

}  // namespace keyfold::server
