// The screen of `keyfold model watch`: shows the report of an attached model as a table of its patterns, findings and
// hot keys.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "json/document.h"
#include "terminal/console.h"

namespace keyfold::cli {

struct WatchView {
  std::string sort = "cost";  // calls, units, cost, latency or name
  size_t patterns = 40;       // maximum number of pattern lines
  size_t findings = 12;
  size_t hot_keys = 5;  // for the table and for each index
};

// The previous report, from which rates are computed. Used by one thread at a time.
struct WatchMemory {
  double seconds = 0;
  std::map<std::string, double> calls;  // by pattern
};

// `report` is the response of /_keyfold/models/TABLE. Rates are those since the report in `memory`, or since the start
// if it is empty; `memory` is then replaced by this report.
std::string WatchScreen(json::Value report, const WatchView& view, const terminal::Console& console,
                        WatchMemory& memory);

}  // namespace keyfold::cli
