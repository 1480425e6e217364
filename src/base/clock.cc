#include "base/clock.h"

#include <chrono>

namespace keyfold {

Micros SystemClock::Now() const {
  using std::chrono::duration_cast, std::chrono::microseconds, std::chrono::system_clock;
  return duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
}

}  // namespace keyfold
