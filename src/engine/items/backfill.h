// Filling a new index while writes go on. The catalog names the index first, and its version fenced every writer, so
// each write since then keeps the index row of its item; what is missing are the rows of items untouched since. An item
// is *settled* once its index row is there exactly when it should be. Backfill settles every item, a writer settles the
// one it is about to change: from then on what a writer computes from the item before is what the index holds, so that
// rows and tallies stay exact.
#pragma once

#include <string>

#include "base/function_ref.h"
#include "engine/catalog/database.h"

namespace keyfold {

// "This index of this table", as it was when work on it began.
struct IndexTask {
  std::string table;
  TableId table_id = 0;
  IndexId index_id = 0;
};

// Settles every item of the table. False where the index is no longer being filled, or `stop` said so. Running it again
// adds nothing.
Result<bool> BackfillIndex(const Database& db, const IndexTask& task, FunctionRef<bool()> stop);

// Settles the item at `base_key` in the indexes of `table` that are being filled. kStale: `table` is not of this
// version any more.
Status ReconcileItem(const Database& db, CatalogVersion version, const Table& table, const RowKey& base_key,
                     Access access);

}  // namespace keyfold
