// GetItem, BatchGetItem and TransactGetItems: items by key.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "engine/catalog/database.h"
#include "engine/catalog/table.h"
#include "engine/items/request_context.h"
#include "expr/projection.h"
#include "store/store.h"

namespace keyfold::engine {

struct ItemsRead {
  TablePtr table;
  std::vector<store::Row> rows;  // one per key; a Row's value is the item
};

// Reads keys of one table, each independently. The caller applies the projection; it is only checked against the table
// here.
Result<ItemsRead> ReadItems(const Database& db, std::string_view table, std::span<const ItemView> keys,
                            const expr::Projection& projection, RequestContext context);

// One item of a transaction. Borrows everything from the request.
struct TransactRead {
  std::string_view table;
  ItemView key;
  const expr::Projection* projection = nullptr;  // null: all attributes
};
struct TransactReadOutcome {
  TablePtr table;
  store::Row row;  // its value is the item
};

// Reads all items at one moment. A key that does not fit its table yields kTransactionCanceled with
// CancellationReasons.
Result<std::vector<TransactReadOutcome>> ReadTransaction(const Database& db, std::span<const TransactRead> reads,
                                                         RequestContext context);

}  // namespace keyfold::engine
