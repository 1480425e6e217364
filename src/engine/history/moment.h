// A table as it was at one moment, while writes go on. Its rows are read as they are now, and what has changed since is
// undone from the log, which has every item as it was before: so any moment from which on the table was logged can be
// had again, and a reader that was interrupted begins again with the same moment.
#pragma once

#include <string_view>

#include "base/function_ref.h"
#include "engine/catalog/database.h"
#include "files/folder.h"
#include "value/item.h"

namespace keyfold {

// Right behind the last commit of the table with a time of `time` or before. `time` is past: no commit can still come
// with it.
Result<LogPosition> MomentAt(Store& store, TableId table, Micros time);

// An item and the key of its row, RowKey::bytes(). An error ends the visit.
using VisitItem = FunctionRef<Status(std::string_view key, ItemView item)>;

// Every item there was right after `moment`, in order of key; the table has been logged from there on. Runs in
// `scratch` hold what does not fit in memory. kUnavailable where `stop` became true.
Status VisitMoment(Store& store, const Table& table, LogPosition moment, const Folder& scratch,
                   FunctionRef<bool()> stop, VisitItem visit);

}  // namespace keyfold
