#include "engine/items/item_read.h"

#include "engine/items/cancellation.h"
#include "engine/items/key.h"
#include "engine/items/request_observer.h"

namespace keyfold::engine {
namespace {

Status ReadFitsTable(const Table& table, const TransactRead& read) {
  RETURN_IF_ERROR(KeyFitsTable(table, read.key));
  return read.projection ? KeepsKeysWhole(table, *read.projection) : Ok();
}

Status ItemsFit(std::span<const store::Row> rows) {
  size_t bytes = 0;
  for (const store::Row& row : rows) bytes += row.exists ? ItemSize(ItemView(row.value)) : 0;
  return TransactionFits(bytes);
}

}  // namespace

Result<ItemsRead> ReadItems(const Database& db, std::string_view table, std::span<const ItemView> keys,
                            const expr::Projection& projection, RequestContext context) {
  ItemsRead read;
  ASSIGN_OR_RETURN(read.table, UsableTable(db, *db.catalog.Current(), table));
  std::vector<store::RowKey> row_keys;
  row_keys.reserve(keys.size());
  for (const ItemView key : keys) {
    RETURN_IF_ERROR(KeyFitsTable(*read.table, key));
    row_keys.push_back(RowKeyOf(*read.table, key));
  }
  RETURN_IF_ERROR(KeepsKeysWhole(*read.table, projection));
  RETURN_IF_ERROR(db.store.Get(row_keys, read.rows, context));
  if (context.observer) context.observer->ItemsRead(*read.table, keys, read.rows);
  return read;
}

Result<std::vector<TransactReadOutcome>> ReadTransaction(const Database& db, std::span<const TransactRead> reads,
                                                         RequestContext context) {
  const SnapshotPtr snapshot = db.catalog.Current();
  std::vector<TransactReadOutcome> outcomes(reads.size());
  for (size_t i = 0; i < reads.size(); ++i) {
    ASSIGN_OR_RETURN(outcomes[i].table, UsableTable(db, *snapshot, reads[i].table));
  }
  std::vector<store::RowKey> keys;
  keys.reserve(reads.size());
  for (size_t i = 0; i < reads.size(); ++i) {
    Status fits = ReadFitsTable(*outcomes[i].table, reads[i]);
    if (!fits.ok()) return CancelledBy(reads.size(), i, std::move(fits).TakeError());
    keys.push_back(RowKeyOf(*outcomes[i].table, reads[i].key));
  }
  RETURN_IF_ERROR(ItemsAreDistinct(keys));
  std::vector<store::Row> rows;
  RETURN_IF_ERROR(db.store.GetAtomic(keys, rows, context));
  RETURN_IF_ERROR(ItemsFit(rows));
  for (size_t i = 0; i < reads.size(); ++i) outcomes[i].row = std::move(rows[i]);
  if (context.observer) context.observer->TransactionRead(reads, outcomes);
  return outcomes;
}

}  // namespace keyfold::engine
