// Signs: resources that can run out, and how much of each is used. A resource near its limit appears in /health and
// once in the log; its use is always in /metrics.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "json/writer.h"

namespace keyfold::server {

// What is left of a resource that must not fall below a reserve. All zero: unknown.
struct Left {
  uint64_t free = 0;
  uint64_t reserve = 0;
};

struct Usage {
  uint64_t used = 0;
  uint64_t limit = 0;  // 0: unknown
};

// Watch must be called before everything else; after that it is thread-safe.
class Signs {
 public:
  static constexpr uint64_t kNearPercent = 80, kFarPercent = 70;

  // `name` is for example "connections": the metrics are then keyfold_connections and keyfold_connections_limit. `what`
  // ends the sentence "380 of 446 ...", and `advice` says what to do. `look` may be called on any thread.
  void Watch(std::string name, std::string what, std::string advice, std::function<Usage()> look);

  // Watches a resource that others use too, so that only the remainder is known: the metrics are
  // keyfold_NAME_free_bytes and keyfold_NAME_reserve_bytes. It is near its limit if less than twice the reserve plus
  // kLeftMargin is free. `what` follows the number of free bytes: "123 bytes are free on the disk".
  static constexpr uint64_t kLeftMargin = uint64_t{128} << 20;
  void WatchLeft(std::string name, std::string what, std::string advice, std::function<Left()> look);

  // Logs a warning for each resource that came near its limit since it was last far from it. Call it every second or
  // so.
  void Check();
  // Appends a member "warnings" with the resources near their limits; nothing if there are none.
  void AppendHealth(json::Writer& out) const;
  // Appends gauges in Prometheus' text format.
  void AppendMetrics(std::string& out) const;

 private:
  struct Resource {
    std::string name, what, advice;
    std::function<Usage()> look;
    bool warned = false;  // used under mutex_
  };

  struct Remainder {
    std::string name, what, advice;
    std::function<Left()> look;
    bool warned = false;  // used under mutex_
  };

  void CheckLeft() REQUIRES(mutex_);
  void AppendLeft(bool& any, json::Writer& out) const;

  std::vector<Resource> resources_;
  std::vector<Remainder> remainders_;
  Mutex mutex_;
};

}  // namespace keyfold::server
