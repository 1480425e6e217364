// A time as a member of a response: seconds since 1970, as the API writes them.
#pragma once

#include <string_view>

#include "base/clock.h"
#include "json/writer.h"

namespace keyfold::ops {

// "name": 1700000000.123
inline void WriteTime(json::Writer& out, std::string_view name, Micros time) {
  out.Key(name);
  out.EpochSeconds(time);
}

}  // namespace keyfold::ops
