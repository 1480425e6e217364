// Fills a new index while writes continue. The index is first added to the catalog, whose new version fences all
// writers, so every later write maintains the index row of its item. Only the rows of items not written since are
// missing. An item is *reconciled* when its index row exists exactly if it should. Backfill reconciles every item, and
// a writer reconciles the item it is about to change. From then on, what a writer computes from the old item is what
// the index holds, so rows and tallies stay exact.
#pragma once

#include "base/function_ref.h"
#include "engine/catalog/database.h"
#include "engine/items/chunked_fill.h"

namespace keyfold::engine {

// Reconciles every item of the table. Returns false if the index is no longer being filled or `stop` returns true.
// Running it again adds nothing.
Result<bool> BackfillIndex(const Database& db, const IndexTask& task, FunctionRef<bool()> stop);

// Reconciles the item at `base_key` in all indexes of `table` that are being filled. Returns kStale if the catalog has
// a later version.
Status ReconcileItem(const Database& db, store::CatalogVersion version, const Table& table,
                     const store::RowKey& base_key, store::Access access);

}  // namespace keyfold::engine
