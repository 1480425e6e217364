// What became of each item in a period: of all the changes that the log has of a key, the item before the first and
// after the last. For incremental exports.
#pragma once

#include <optional>
#include <string_view>

#include "base/function_ref.h"
#include "engine/catalog/database.h"
#include "files/folder.h"
#include "value/item.h"

namespace keyfold {

struct NetChange {
  std::string_view row_key;
  Micros written = 0;  // the last of them
  std::optional<ItemView> before, after;
  ItemView some;  // as it was before, or first became: its keys are what never changes
};

// An error ends the visit. The change lives until it returns.
using VisitChange = FunctionRef<Status(const NetChange& change)>;

// Changes behind `start`, which is at `from`, with a time before `end`, which is past, in order of row key. An item
// that neither was there before nor is there afterwards is left out, but for those that came within the first second: a
// full export that the period is meant to follow may be of a moment in that second, since clients give whole ones, and
// has them. Runs in `scratch` hold what does not fit in memory. kUnavailable where `stop` became true.
Status VisitNetChanges(Store& store, const Table& table, LogPosition start, Micros from, Micros end,
                       const Folder& scratch, FunctionRef<bool()> stop, VisitChange visit);

}  // namespace keyfold
