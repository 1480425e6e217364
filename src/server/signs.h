// Signs: resources that can run out, and how much of each is used. Near its limit a resource is in /health and in the
// log, once; how much is used is in /metrics at any time.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "json/writer.h"

namespace keyfold {

// How much is left of what must not fall below a reserve. All zero: not known.
struct Left {
  uint64_t free = 0;
  uint64_t reserve = 0;
};

struct Usage {
  uint64_t used = 0;
  uint64_t limit = 0;  // 0: not known
};

// Watch comes before everything else; from then on it is thread-safe.
class Signs {
 public:
  static constexpr uint64_t kNearPercent = 80, kFarPercent = 70;

  // `name` is as in "connections": the metrics are keyfold_connections and keyfold_connections_limit. `what` ends the
  // sentence "380 of 446 ...", and `advice` says what to do. `look` may be called on any thread.
  void Watch(std::string name, std::string what, std::string advice, std::function<Usage()> look);

  // Of something that others use up too, so that only what is left of it is known: the metrics are
  // keyfold_NAME_free_bytes and keyfold_NAME_reserve_bytes. It is near its limit where less than twice the reserve and
  // kLeftMargin is free. `what` follows the number of free bytes: "123 bytes are free on the disk".
  static constexpr uint64_t kLeftMargin = uint64_t{128} << 20;
  void WatchLeft(std::string name, std::string what, std::string advice, std::function<Left()> look);

  // Warns of each resource that has come near its limit since it was last far from it. Call it every second or so.
  void Check();
  // A member "warnings" with the resources near their limits now; nothing where there are none.
  void AppendHealth(json::Writer& out) const;
  // Gauges, in Prometheus' text format.
  void AppendMetrics(std::string& out) const;

 private:
  struct Resource {
    std::string name, what, advice;
    std::function<Usage()> look;
    bool warned = false;  // under mutex_
  };

  struct Remainder {
    std::string name, what, advice;
    std::function<Left()> look;
    bool warned = false;  // under mutex_
  };

  void CheckLeft();  // under mutex_
  void AppendLeft(bool& any, json::Writer& out) const;

  std::vector<Resource> resources_;
  std::vector<Remainder> remainders_;
  std::mutex mutex_;
};

}  // namespace keyfold
