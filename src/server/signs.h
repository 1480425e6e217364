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

  std::vector<Resource> resources_;
  std::mutex mutex_;
};

}  // namespace keyfold
