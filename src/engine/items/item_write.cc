#include "engine/items/item_write.h"

#include <algorithm>
#include <vector>

#include "base/bytes.h"
#include "base/stopping.h"
#include "engine/items/backfill.h"
#include "engine/items/cancellation.h"
#include "engine/items/change_record.h"
#include "engine/items/expiry.h"
#include "engine/items/index_rows.h"
#include "engine/items/key.h"
#include "engine/items/request_observer.h"
#include "store/rules.h"
#include "value/error_detail.h"
#include "value/item_limit.h"
#include "value/limits.h"

namespace keyfold::engine {
namespace {

constexpr Rule<"The conditional request failed"> kConditionFailed{"condition-failed", Kind::kConditionalCheckFailed};
constexpr Rule<"Duplicate primary key exists in table"> kDuplicate{"duplicate-item", Kind::kDuplicateItem};
constexpr Rule<"The items are changing too fast to process this request. Try again."> kContended{"items-contended",
                                                                                                 Kind::kThrottling};
constexpr Rule<"Collection size exceeded."> kCollectionSize{"collection-size", Kind::kItemCollectionSizeLimitExceeded};

// The arguments of WriteItems or WriteTransaction. Used by one thread at a time.
struct WriteRequest {
  std::span<const ItemWrite> writes;
  std::span<WriteOutcome> outcomes;
  bool transaction = false;             // failures cancel it, and it costs double
  const RequestToken* token = nullptr;  // a transaction's idempotency token, or null
  RequestObserver* observer = nullptr;  // null: no observer
  Pace* pace = nullptr;                 // null: no limit
  bool ahead = false;                   // the decision runs without row locks, so it may yield its turn
  bool replay = false;                  // result: the token was seen before
};

// The rows that a set of writes declares: one per item, then one per item collection, then the token's; and which
// collection row belongs to each write.
struct Plan {
  std::vector<store::RowKey> keys;
  std::vector<size_t> collection_of;  // per write: position in keys, or kNone
  size_t collections_end = 0;
  static constexpr size_t kNone = ~size_t{0};
};

// Checks an update before its item is read: it must not change the key, must not use paths into key attributes, and
// must set index key attributes to values that fit.
Status UpdateFitsTable(const Table& table, const expr::Update& update) {
  RETURN_IF_ERROR(expr::UpdateLeavesKeyAlone(update, table.key));
  for (const expr::Update::Set& set : update.sets) {
    if (!set.path.steps.empty()) {
      RETURN_IF_ERROR(PathStaysOutOfKeys(table, set.path.root));
    } else if (set.operand.kind == expr::UpdateOperand::Kind::kValue) {
      RETURN_IF_ERROR(ValueFitsIndexes(table, set.path.root, set.operand.value));
    }
  }
  for (const expr::Update::Change& add : update.adds) {
    if (add.path.steps.empty()) RETURN_IF_ERROR(ValueFitsIndexes(table, add.path.root, add.value));
  }
  return Ok();
}

Status WriteFitsTable(const Table& table, const ItemWrite& write) {
  if (write.action == ItemWrite::Action::kPut) {
    RETURN_IF_ERROR(ItemFitsTable(table, write.item));
    return ItemFitsIndexes(table, write.item);
  }
  RETURN_IF_ERROR(KeyFitsTable(table, write.item));
  if (write.update) RETURN_IF_ERROR(UpdateFitsTable(table, *write.update));
  return Ok();
}

// In a transaction, an item that is too large is a failure of its action. Single writes are checked before this point.
Status FitsTransaction(const Table& table, const ItemWrite& write) {
  if (write.action == ItemWrite::Action::kPut && ExceedsItemLimit(write.item)) return kItemSize();
  return WriteFitsTable(table, write);
}

// Adds the items' rows. All tables are looked up before any item is checked. The first item that does not fit cancels a
// transaction.
Status PlanItems(const Database& db, const CatalogSnapshot& snapshot, const WriteRequest& request, Plan& plan) {
  for (size_t i = 0; i < request.writes.size(); ++i) {
    ASSIGN_OR_RETURN(request.outcomes[i].table, UsableTable(db, snapshot, request.writes[i].table));
  }
  for (size_t i = 0; i < request.writes.size(); ++i) {
    const Table& table = *request.outcomes[i].table;
    Status fits =
        request.transaction ? FitsTransaction(table, request.writes[i]) : WriteFitsTable(table, request.writes[i]);
    if (!fits.ok() && request.transaction) return CancelledBy(request.writes.size(), i, std::move(fits).TakeError());
    RETURN_IF_ERROR(fits);
    plan.keys.push_back(RowKeyOf(table, request.writes[i].item));
  }
  return request.transaction ? ItemsAreDistinct(plan.keys) : Ok();
}

// Adds the rows of the items' collections, each once.
void PlanCollections(const WriteRequest& request, Plan& plan) {
  const size_t items = request.writes.size();
  plan.collection_of.assign(items, Plan::kNone);
  for (size_t i = 0; i < items; ++i) {
    const Table& table = *request.outcomes[i].table;
    if (!table.HasLocalIndexes()) continue;
    store::RowKey collection(table.id, kCollectionIndex, plan.keys[i].partition(), {});
    const auto first = plan.keys.begin() + static_cast<std::ptrdiff_t>(items);
    const auto it = std::find(first, plan.keys.end(), collection);
    plan.collection_of[i] = static_cast<size_t>(it - plan.keys.begin());
    if (it == plan.keys.end()) plan.keys.push_back(std::move(collection));
  }
  plan.collections_end = plan.keys.size();
}

Result<Plan> MakePlan(const Database& db, const CatalogSnapshot& snapshot, const WriteRequest& request) {
  Plan plan;
  plan.keys.reserve(request.writes.size());
  RETURN_IF_ERROR(PlanItems(db, snapshot, request, plan));
  PlanCollections(request, plan);
  if (request.token) plan.keys.push_back(TokenRowKey(request.token->token()));
  return plan;
}

// Returns the item after the write, computed from the old item; nullopt if there is none.
Result<std::optional<Item>> NewItem(const Table& table, const ItemWrite& write, std::optional<ItemView> old) {
  switch (write.action) {
    case ItemWrite::Action::kDelete:
    case ItemWrite::Action::kExpire:
      return std::optional<Item>();
    case ItemWrite::Action::kCheck:
      return old ? std::optional<Item>(Item(*old)) : std::nullopt;
    case ItemWrite::Action::kPut:
      return std::optional<Item>(Item(write.item));
    case ItemWrite::Action::kUpdate:
      break;
  }
  if (!old && write.update && write.update->OnlyTakesAway()) return std::optional<Item>();
  const ItemView base = old ? *old : write.item;
  Item updated;
  if (write.update) {
    ASSIGN_OR_RETURN(updated, expr::ApplyUpdate(*write.update, base));
    if (ExceedsItemLimit(updated)) return expr::kUpdatedItemSize();
  } else {
    updated = Item(base);
  }
  RETURN_IF_ERROR(UpdatedItemFitsIndexes(table, old, updated));
  return std::optional<Item>(std::move(updated));
}

bool IsExpired(const Table& table, std::optional<ItemView> item, Micros now) {
  if (!table.expiry.enabled || !item) return false;
  const std::optional<uint64_t> expiry = ExpiryOf(table, *item);
  return expiry && IsDue(*expiry, now);
}

// Adds the item, its expiry row and its log record to `changes`, unless the item stays the same.
void ChangeItem(const Table& table, const ItemWrite& write, const store::RowKey& key, std::optional<ItemView> old,
                std::optional<Item> made, store::Changes& changes) {
  const std::optional<ItemView> after = made ? std::optional(made->view()) : std::nullopt;
  if (old.has_value() == after.has_value() && (!old || *old == *after)) return;
  UpdateExpiryRow(table, key, old, after, changes);
  if (table.IsLogged()) {
    const bool expired = write.action == ItemWrite::Action::kExpire;
    changes.Log({table.id, key.slot(), EncodeChange({old, after, expired})});
  }
  if (made) {
    changes.Put(key, std::move(*made).TakeBytes());
  } else {
    changes.Delete(key);
  }
}

// Decides one write: adds its rows to `changes` and fills its outcome. `collection_bytes` is the size of its collection
// so far; null if it has none.
Status DecideOne(Micros now, const WriteRequest& request, size_t position, const store::RowKey& key,
                 const store::Row& row, int64_t* collection_bytes, store::Changes& changes) {
  const ItemWrite& write = request.writes[position];
  WriteOutcome& outcome = request.outcomes[position];
  outcome = WriteOutcome{.table = std::move(outcome.table)};  // discards the results of an earlier run
  const Table& table = *outcome.table;
  const std::optional<ItemView> old = row.exists ? std::optional(ItemView(row.value)) : std::nullopt;
  if (write.must_be_new && old) return kDuplicate();
  if (write.condition &&
      !expr::Test(*write.condition, old.value_or(ItemView()), request.ahead ? request.pace : nullptr)) {
    Error error = kConditionFailed();
    if (!write.failed_item || !old) return error;
    return std::move(error).WithDetail(std::make_unique<FailedItem>(Item(*old)));
  }
  if (write.action == ItemWrite::Action::kExpire && !IsExpired(table, old, now)) return Ok();
  ASSIGN_OR_RETURN(std::optional<Item> made, NewItem(table, write, old));
  const std::optional<SizedItem> before = old ? std::optional(SizedItem(*old)) : std::nullopt;
  const std::optional<SizedItem> after = made ? std::optional(SizedItem(*made)) : std::nullopt;
  const size_t bytes_before = before ? before->bytes : 0;
  const size_t bytes_after = after ? after->bytes : 0;
  outcome.existed = row.exists;
  outcome.exists = made.has_value();
  if (old && write.keep_old) outcome.old_item = Item(*old);

  if (request.observer) {
    const std::optional<ItemView> item = made ? std::optional(made->view()) : std::nullopt;
    RETURN_IF_ERROR(request.observer->Decided(position, write, table, old, item, bytes_after));
  }
  IndexUpdate update = UpdateIndexRows(table, before, after, changes);
  if (bytes_after + update.local_bytes_after > kItemBytesMax) return kItemSize();
  if (write.action != ItemWrite::Action::kExpire) {
    outcome.units = std::move(update.units);
    outcome.units.table = WriteUnits(bytes_before, bytes_after);
  }

  const int64_t grown = static_cast<int64_t>(bytes_after) - static_cast<int64_t>(bytes_before);
  changes.AddTally(table.id, store::kBaseTable, int{outcome.exists} - int{outcome.existed}, grown);
  if (collection_bytes) {
    *collection_bytes += grown + update.local_bytes;
    if (grown + update.local_bytes > 0 && *collection_bytes > static_cast<int64_t>(kItemCollectionBytesMax))
      return kCollectionSize();
  }
  if (made && write.keep_new) outcome.new_item = *made;
  ChangeItem(table, write, key, old, std::move(made), changes);
  return Ok();
}

int64_t ReadCollection(const store::Row& row) {
  return row.exists ? static_cast<int64_t>(LoadU64(row.value.data())) : 0;
}

void WriteCollection(const store::RowKey& key, const store::Row& row, int64_t bytes, store::Changes& changes) {
  if (bytes == ReadCollection(row)) return;
  if (bytes == 0) return changes.Delete(key);
  std::string value;
  AppendU64(value, static_cast<uint64_t>(bytes));
  changes.Put(key, std::move(value));
}

// Decides all writes. A transaction continues after a failure, so that its error has the reasons of all actions.
Status DecideItems(Micros now, const WriteRequest& request, const Plan& plan, std::span<const store::Row> rows,
                   std::span<int64_t> collections, store::Changes& changes) {
  const size_t items = request.writes.size();
  std::optional<Cancellation> cancellation;
  for (size_t i = 0; i < items; ++i) {
    const bool has_collection = plan.collection_of[i] != Plan::kNone;
    int64_t* bytes = has_collection ? &collections[plan.collection_of[i] - items] : nullptr;
    if (request.ahead && request.pace != nullptr && request.pace->stopping()) return kStopping();
    Status status = DecideOne(now, request, i, plan.keys[i], rows[i], bytes, changes);
    if (status.ok()) {
      if (request.transaction) request.outcomes[i].units.InTransaction();
      continue;
    }
    if (!request.transaction || !Cancellation::IsOfAction(status.kind())) return status;
    if (!cancellation) cancellation.emplace(items);
    cancellation->Add(i, std::move(status).TakeError());
  }
  if (cancellation) return std::move(*cancellation).ToError();
  return Ok();
}

// Returns an error if the items that a transaction's conditions test and its updates change exceed its limit in total,
// whatever the size of the request. Items that it only removes or replaces do not count.
Status TestedItemsFit(const WriteRequest& request, std::span<const store::Row> rows) {
  const auto is_tested = [](const ItemWrite& write) { return write.condition || write.update; };
  size_t stored = 0;
  for (size_t i = 0; i < request.writes.size(); ++i) {
    if (is_tested(request.writes[i])) stored += rows[i].value.size();
  }
  if (kSizePerStoredByteMax * stored <= kTransactionBytesMax) return Ok();
  size_t bytes = 0;
  for (size_t i = 0; i < request.writes.size(); ++i) {
    if (is_tested(request.writes[i]) && rows[i].exists) bytes += ItemSize(ItemView(rows[i].value));
  }
  return TransactionFits(bytes);
}

Status DecideAll(Micros now, const WriteRequest& request, const Plan& plan, std::span<const store::Row> rows,
                 store::Changes& changes) {
  const size_t items = request.writes.size();
  if (request.transaction) RETURN_IF_ERROR(TestedItemsFit(request, rows));
  std::vector<int64_t> collections;
  for (size_t i = items; i < plan.collections_end; ++i) collections.push_back(ReadCollection(rows[i]));
  RETURN_IF_ERROR(DecideItems(now, request, plan, rows, collections, changes));
  for (size_t i = 0; i < items; ++i) {
    if (plan.collection_of[i] != Plan::kNone)
      request.outcomes[i].collection_bytes = collections[plan.collection_of[i] - items];
  }
  for (size_t i = 0; i < collections.size(); ++i) {
    WriteCollection(plan.keys[items + i], rows[items + i], collections[i], changes);
  }
  if (request.token) KeepToken(*request.token, rows.back(), now, changes);
  return Ok();
}

// Fills the outcomes of a transaction that was applied before: the items as they are now, at the cost of reading them.
void AnswerAgain(const WriteRequest& request, const Plan& plan, std::span<const store::Row> rows) {
  for (size_t i = 0; i < request.writes.size(); ++i) {
    WriteOutcome& outcome = request.outcomes[i];
    outcome = WriteOutcome{.table = std::move(outcome.table)};
    outcome.existed = outcome.exists = rows[i].exists;
    outcome.units.table = ReadUnits(rows[i].exists ? ItemSize(ItemView(rows[i].value)) : 0, ReadKind::kTransactional);
    if (plan.collection_of[i] != Plan::kNone) outcome.collection_bytes = ReadCollection(rows[plan.collection_of[i]]);
  }
}

// Estimates the steps of the decision: the bytes read and written, once per index and per operator that uses them.
uint64_t StepsOf(const WriteRequest& request, std::span<const store::Row> rows) {
  uint64_t steps = 0;
  for (size_t i = 0; i < request.writes.size(); ++i) {
    const ItemWrite& write = request.writes[i];
    const uint64_t old_bytes = rows[i].value.size(), item_bytes = write.item.bytes().size();
    steps += (old_bytes + item_bytes) * (1 + request.outcomes[i].table->indexes.size());
    if (write.condition) steps += old_bytes * expr::CountOperators(*write.condition);
    if (write.update) steps += old_bytes * expr::CountOperators(*write.update);
  }
  return steps;
}

Status Decide(Micros now, WriteRequest& request, const Plan& plan, std::span<const store::Row> rows,
              store::Changes& changes) {
  request.replay = false;
  if (request.token) {
    ASSIGN_OR_RETURN(const TokenState state, LookUpToken(*request.token, rows.back(), now));
    request.replay = state == TokenState::kSeen;
  }
  if (!request.replay) return DecideAll(now, request, plan, rows, changes);
  AnswerAgain(request, plan, rows);
  return Ok();
}

// Must run before an item of a table with a new index changes: see engine/items/backfill.h.
Status ReconcileAll(const Database& db, store::CatalogVersion version, const Plan& plan, const WriteRequest& request,
                    store::Access access) {
  for (size_t i = 0; i < request.outcomes.size(); ++i) {
    const Table& table = *request.outcomes[i].table;
    using Action = ItemWrite::Action;
    access.for_delete = request.writes[i].action == Action::kDelete || request.writes[i].action == Action::kExpire;
    if (table.HasBackfillingIndex()) RETURN_IF_ERROR(ReconcileItem(db, version, table, plan.keys[i], access));
  }
  return Ok();
}

// Returns true if no row has changed between the two reads.
bool AreSame(std::span<const store::Row> a, std::span<const store::Row> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const store::Row& one, const store::Row& other) {
    return one.exists == other.exists && one.commit == other.commit;
  });
}

// For decisions that would hold the row locks for too long: decides on the rows as they are at one moment, without
// locks, and applies the decision if the rows have not changed since.
Status DecideAhead(const Database& db, store::CatalogVersion version, WriteRequest& request, const Plan& plan,
                   store::Access access) {
  constexpr int kAttemptsMax = 8;
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    std::vector<store::Row> seen;
    RETURN_IF_ERROR(db.store.GetAtomic(plan.keys, seen, access));
    store::Changes decided;
    request.ahead = true;
    RETURN_IF_ERROR(Decide(db.clock.Now(), request, plan, seen, decided));
    if (decided.empty()) return Ok();
    bool moved = false;
    const auto apply = [&](Micros, std::span<const store::Row> rows, store::Changes& changes) -> Status {
      moved = !AreSame(rows, seen);
      if (moved) return kContended();
      changes = decided;
      return Ok();
    };
    Status status = db.store.Mutate(version, plan.keys, apply, access);
    if (!moved) return status;
    request.pace->Work(StepsOf(request, seen));
  }
  return kContended();
}

Status Mutate(const Database& db, store::CatalogVersion version, WriteRequest& request, const Plan& plan,
              store::Access access) {
  bool too_much = false;
  const auto decide = [&](Micros now, std::span<const store::Row> rows, store::Changes& changes) -> Status {
    if (request.pace) {
      const uint64_t steps = StepsOf(request, rows);
      too_much = !request.pace->MayDoLocked(steps);
      if (too_much) return store::kTooMuchHere();
      request.pace->Spend(steps);
    }
    return Decide(now, request, plan, rows, changes);
  };
  Status status = db.store.Mutate(version, plan.keys, decide, access);
  if (too_much && request.pace->takes_turns()) return DecideAhead(db, version, request, plan, access);
  return status;
}

Status RunWrite(const Database& db, WriteRequest& request, store::Access access) {
  CHECK(request.writes.size() == request.outcomes.size());
  return RetryWhileStale(db, access.wait, [&](const CatalogSnapshot& snapshot) -> Status {
    ASSIGN_OR_RETURN(const Plan plan, MakePlan(db, snapshot, request));
    RETURN_IF_ERROR(ReconcileAll(db, snapshot.version, plan, request, access));
    RETURN_IF_ERROR(Mutate(db, snapshot.version, request, plan, access));
    if (request.observer) request.observer->Wrote(request.writes, request.outcomes, request.transaction);
    return Ok();
  });
}

}  // namespace

Result<store::RowKey> RowOfBatchWrite(const Database& db, const ItemWrite& write) {
  ASSIGN_OR_RETURN(const TablePtr table, UsableTable(db, *db.catalog.Current(), write.table));
  if (write.action == ItemWrite::Action::kPut) RETURN_IF_ERROR(BatchItemFitsTable(*table, write.item));
  RETURN_IF_ERROR(WriteFitsTable(*table, write));
  return RowKeyOf(*table, write.item);
}

Status WriteItems(const Database& db, std::span<const ItemWrite> writes, std::span<WriteOutcome> outcomes,
                  RequestContext context) {
  WriteRequest request{.writes = writes, .outcomes = outcomes, .observer = context.observer, .pace = context.pace};
  return RunWrite(db, request, context);
}

Result<Applied> WriteTransaction(const Database& db, std::span<const ItemWrite> writes,
                                 std::span<WriteOutcome> outcomes, const RequestToken* token, RequestContext context) {
  WriteRequest request{.writes = writes,
                       .outcomes = outcomes,
                       .transaction = true,
                       .token = token,
                       .observer = context.observer,
                       .pace = context.pace};
  RETURN_IF_ERROR(RunWrite(db, request, context));
  return request.replay ? Applied::kReplay : Applied::kNow;
}

}  // namespace keyfold::engine
