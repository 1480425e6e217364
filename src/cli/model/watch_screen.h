// The screen of `keyfold model watch`: a report of an attached model as a table of its patterns, findings and hot keys.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "json/document.h"
#include "terminal/console.h"

namespace keyfold {

struct WatchView {
  std::string sort = "cost";  // calls, units, cost, latency or name
  size_t patterns = 40;       // lines of them, at most
  size_t findings = 12;
  size_t hot_keys = 5;  // of the table and of each index
};

// What rates are worked out from: the report before. One thread at a time.
struct WatchMemory {
  double seconds = 0;
  std::map<std::string, double> calls;  // by pattern
};

// `report` is what /_keyfold/models/TABLE answers. Rates are those since the report that `memory` keeps, or of the
// whole time where there is none; it keeps this one then.
std::string WatchScreen(json::Value report, const WatchView& view, const Console& console, WatchMemory& memory);

}  // namespace keyfold
