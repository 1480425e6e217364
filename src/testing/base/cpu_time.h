// CPU time of the calling thread, for tests of cost: other programs on the machine hardly affect it.
#pragma once

#include <ctime>

namespace keyfold {

inline double ThreadCpuSeconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

}  // namespace keyfold
