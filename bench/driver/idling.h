// Connections that are held open and do nothing: what does one cost the server?
#pragma once

#include <vector>

#include "bench/driver/sender.h"

namespace keyfold::bench {

struct IdleOptions {
  Target target;
  size_t connections = 5'000;
  double seconds = 3;            // held
  std::vector<int> server_pids;  // whose memory is taken
};

// The exit code; prints one line of JSON.
int RunIdle(const IdleOptions& options);

}  // namespace keyfold::bench
