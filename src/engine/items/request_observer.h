// RequestObserver: receives what a request reads and writes, row by row, if a table is watched
// (RequestContext::observer). It is the only interface through which the model's observer sees the engine. It can
// refuse writes.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "base/error.h"
#include "engine/catalog/table.h"
#include "engine/items/item_read.h"
#include "engine/items/item_write.h"
#include "engine/items/query.h"
#include "expr/key_condition.h"
#include "value/item.h"

namespace keyfold::engine {

// Observes one run of one request. Used by one thread at a time. Must discard what it received if the run ends in
// kWouldBlock.
class RequestObserver {
 public:
  virtual ~RequestObserver() = default;

  // A row that a Query or Scan returns, before its projection.
  virtual void PageRow(const Table& table, ItemView row) = 0;
  // The page that had those rows; `query` is null for a Scan.
  virtual void PageRead(const PageRequest& request, const expr::KeyQuery* query, bool forward,
                        const QueryOutcome& outcome) = 0;
  virtual void ItemsRead(const Table& table, std::span<const ItemView> keys, std::span<const store::Row> rows) = 0;
  virtual void TransactionRead(std::span<const TransactRead> reads, std::span<const TransactReadOutcome> outcomes) = 0;

  // Write number `position` would replace `old` by `made`. May be called again with other items. An error refuses the
  // write.
  virtual Status Decided(size_t position, const ItemWrite& write, const Table& table, std::optional<ItemView> old,
                         std::optional<ItemView> made, size_t bytes_after) = 0;
  // All writes are applied. Decided was not called for a replayed transaction.
  virtual void Wrote(std::span<const ItemWrite> writes, std::span<const WriteOutcome> outcomes, bool transaction) = 0;
};

}  // namespace keyfold::engine
