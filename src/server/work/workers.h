// The threads beside the event loops, in two lanes. Quick work waits rather than computes: a read from disk, a change
// of the catalog. Heavy work takes long: pages with filters, large bodies. Heavy threads run below the priority of all
// others, as many at a time as there are processors and two more (for those that wait for the disk), and take turns.
#pragma once

#include <functional>

#include "server/work/turn_queue.h"
#include "server/work/worker_pool.h"

namespace keyfold {

enum class Lane : uint8_t { kQuick, kHeavy };

struct WorkersOptions {
  size_t quick_threads = 4;
  size_t heavy_threads = 16;  // most of them wait for their turn
  size_t heavy_at_once = 4;
  size_t queue_max = 1024;  // of each lane
};

// Thread-safe.
class Workers {
 public:
  // Without threads Submit itself runs the work.
  explicit Workers(const WorkersOptions& options)
      : turns_(options.heavy_at_once),
        quick_(options.quick_threads, options.queue_max),
        heavy_(options.heavy_threads, options.queue_max, kHeavyNice) {}

  // False: the lane's queue is full, and `work` was not taken.
  [[nodiscard]] bool Submit(Lane lane, std::function<void()> work) {
    if (lane == Lane::kQuick) return quick_.Submit(std::move(work));
    return heavy_.Submit([this, work = std::move(work)] {
      const TurnQueue::Turn turn(turns_);
      work();
    });
  }

  // Of heavy work, for its pace.
  Turns& turns() { return turns_; }
  // From here on heavy work that can be abandoned is.
  void BeginStop() { turns_.BeginStop(); }

 private:
  static constexpr int kHeavyNice = 5;

  TurnQueue turns_;
  WorkerPool quick_, heavy_;
};

}  // namespace keyfold
