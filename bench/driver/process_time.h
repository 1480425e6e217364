// What processes have used, out of /proc.
#pragma once

#include <cstdint>
#include <vector>

namespace keyfold::bench {

double ProcessTimeUs(const std::vector<int>& pids);  // user and system, all threads; to 10 ms or so
uint64_t ResidentBytes(const std::vector<int>& pids);

}  // namespace keyfold::bench
