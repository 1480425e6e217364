// A timed run: a workload on some connections for some seconds, and the line of JSON that says how it went.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/driver/sender.h"
#include "bench/driver/workload.h"

namespace keyfold::bench {

struct RunOptions {
  Target target;
  std::string table = "orders";
  std::string workload = "get";
  uint64_t items = 50'000;
  uint64_t tables = 1;
  size_t comment_bytes = kCommentBytes;
  size_t connections = 64, threads = 2;
  double seconds = 5, warm_up_seconds = 1;
  double rate = 0;  // requests a second in all; 0: as many as are answered
  uint64_t seed = 1;
  bool any_answer = false;       // what the answer says does not matter: the fixed one of a limit
  std::vector<int> server_pids;  // whose processor time is taken
};

// The exit code; prints one line of JSON.
int RunTimed(const RunOptions& options);

}  // namespace keyfold::bench
