// The net change of each item in a period: the item before the first and after the last change that the log has of its
// key. For incremental exports.
#pragma once

#include <optional>
#include <string_view>

#include "base/function_ref.h"
#include "engine/catalog/database.h"
#include "files/folder.h"
#include "value/item.h"

namespace keyfold::transfer {

struct NetChange {
  std::string_view row_key;
  Micros written = 0;  // time of the last change
  std::optional<ItemView> before, after;
  ItemView some;  // the item before, or as first written; only its key attributes never change
};

// An error ends the visit. The change is valid only during the call.
using VisitChange = FunctionRef<Status(const NetChange& change)>;

// Visits changes after `start`, which is at time `from`, and before time `end`, which is in the past, in order of row
// key. An item that exists neither before nor after is left out, unless it was created within the first second: clients
// give whole seconds, so the full export that the period follows may be of a moment within that second and contain the
// item. What does not fit in memory goes to sorted runs in `scratch`. Returns kUnavailable if `stop` returns true.
Status VisitNetChanges(store::Store& store, const engine::Table& table, store::LogPosition start, Micros from,
                       Micros end, const files::Folder& scratch, FunctionRef<bool()> stop, VisitChange visit);

}  // namespace keyfold::transfer
