// RequestObserver: told what a request reads and writes, row by row, where somebody watches a table (Access::witness);
// the one door through which the model's observer sees the engine. A write can be refused by it.
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

namespace keyfold {

// Of one run of one request. One thread at a time. What it was told is void if the run ends in kWouldBlock.
class RequestObserver {
 public:
  virtual ~RequestObserver() = default;

  // A row that a Query or Scan returns, before its projection.
  virtual void PageRow(const Table& table, ItemView row) = 0;
  // The page behind those rows; `query` is null for a Scan.
  virtual void PageRead(const PageRequest& request, const KeyQuery* query, bool forward,
                        const QueryOutcome& outcome) = 0;
  virtual void ItemsRead(const Table& table, std::span<const ItemView> keys, std::span<const Row> rows) = 0;
  virtual void TransactionRead(std::span<const TransactRead> reads, std::span<const TransactReadOutcome> outcomes) = 0;

  // Write number `position` would make `made` of `old`. May be told again, with other items; an error refuses it.
  virtual Status Decided(size_t position, const ItemWrite& write, const Table& table, std::optional<ItemView> old,
                         std::optional<ItemView> made, size_t bytes_after) = 0;
  // All of them are applied; of a replayed transaction nothing was decided.
  virtual void Wrote(std::span<const ItemWrite> writes, std::span<const WriteOutcome> outcomes, bool transaction) = 0;
};

}  // namespace keyfold
