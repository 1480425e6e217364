// A table as it was at one moment, read while writes continue. Its rows are read as they are now, and later changes are
// undone from the log, which has every item's image before each change. So the table can be reconstructed at any time
// since logging began, and an interrupted reader can start again with the same moment.
#pragma once

#include <string_view>

#include "base/function_ref.h"
#include "engine/catalog/database.h"
#include "files/folder.h"
#include "value/item.h"

namespace keyfold::engine {

// Returns the position right after the last commit of the table with a time of `time` or earlier. `time` is in the
// past, so no further commit can have it.
Result<store::LogPosition> MomentAt(store::Store& store, store::TableId table, Micros time);

// Receives an item and the key of its row, RowKey::bytes(). An error ends the visit.
using VisitItem = FunctionRef<Status(std::string_view key, ItemView item)>;

// Visits every item that existed right after `moment`, in key order. The table must have been logged since then. Data
// that does not fit in memory is written to runs in `scratch`. Returns kUnavailable if `stop` returns true.
Status VisitMoment(store::Store& store, const Table& table, store::LogPosition moment, const files::Folder& scratch,
                   FunctionRef<bool()> stop, VisitItem visit);

}  // namespace keyfold::engine
