// The single write path. PutItem, UpdateItem and DeleteItem are transactions of one item; batches, transactions and
// time to live use the same steps: name the rows, lock and read them, test, build one set of changes (item, index rows,
// expiry row, log record, collection size), commit.
#pragma once

#include <span>
#include <string_view>

#include "engine/catalog/database.h"
#include "engine/catalog/table.h"
#include "engine/items/capacity.h"
#include "engine/items/request_context.h"
#include "engine/items/request_token.h"
#include "expr/condition.h"
#include "expr/update.h"
#include "store/store.h"
#include "value/item.h"

namespace keyfold::engine {

// One item to write. Borrows everything from the request.
struct ItemWrite {
  // kCheck only tests its condition. kExpire removes the item if it is due at commit time, at no cost.
  enum class Action : unsigned char { kPut, kUpdate, kDelete, kCheck, kExpire };
  Action action = Action::kPut;
  std::string_view table;
  ItemView item;                               // kPut: the whole item; otherwise the key
  const expr::Condition* condition = nullptr;  // null: no condition
  const expr::Update* update = nullptr;        // for kUpdate
  bool must_be_new = false;                    // kPut: an existing item is a kDuplicateItem error
  bool failed_item = false;                    // the error of a failed condition includes the item
  bool keep_old = false, keep_new = false;     // which images the response needs
};

struct WriteOutcome {
  TablePtr table;
  bool existed = false, exists = false;
  Item old_item = {}, new_item = {};  // set if requested
  Consumed units = {};
  // Size of the item collection after the write; set if the table has local indexes.
  std::optional<int64_t> collection_bytes = {};
};

// All or nothing. `outcomes` has one entry per write.
Status WriteItems(const Database& db, std::span<const ItemWrite> writes, std::span<WriteOutcome> outcomes,
                  RequestContext context);

// Writes as a client's transaction. The failures of all writes are returned together, as kTransactionCanceled with
// CancellationReasons, and the table's units are twice those of single writes. If `token` (may be null) came with the
// same request before, the result is kReplay: nothing is applied, and the units are those of reading the items.
enum class Applied : unsigned char { kNow, kReplay };
Result<Applied> WriteTransaction(const Database& db, std::span<const ItemWrite> writes,
                                 std::span<WriteOutcome> outcomes, const RequestToken* token, RequestContext context);

// Returns the row that a write of a batch would change, after the checks that need its table: a batch checks all of its
// writes before it applies the first.
Result<store::RowKey> RowOfBatchWrite(const Database& db, const ItemWrite& write);

}  // namespace keyfold::engine
