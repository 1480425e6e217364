#include "engine/item_write.h"

#include <algorithm>
#include <vector>

#include "base/bytes.h"
#include "engine/backfill.h"
#include "engine/change_record.h"
#include "engine/expiry.h"
#include "engine/index_upkeep.h"
#include "engine/key.h"
#include "value/error_detail.h"
#include "value/limits.h"

namespace keyfold {
namespace {

constexpr Rule<"The conditional request failed"> kConditionFailed{"condition-failed", Kind::kConditionalCheckFailed};
constexpr Rule<"Item size to update has exceeded the maximum allowed size"> kUpdatedItemSize{"updated-item-size",
                                                                                             Kind::kValidation};
constexpr Rule<"Item size has exceeded the maximum allowed size"> kItemWithIndexesSize{"item-with-indexes-size",
                                                                                       Kind::kValidation};
constexpr Rule<"Collection size exceeded."> kCollectionSize{"collection-size", Kind::kItemCollectionSizeLimitExceeded};

// The rows a set of writes declares: one per item, then one per item collection, and where each write finds its own.
struct Plan {
  std::vector<RowKey> keys;
  std::vector<size_t> collection_of;  // per write: index into keys, or kNone
  static constexpr size_t kNone = ~size_t{0};
};

// What can be said of an update before its item is read: it leaves the key alone, looks into no key attribute, and
// gives those of indexes values that fit.
Status UpdateFitsTable(const Table& table, const Update& update) {
  RETURN_IF_ERROR(UpdateLeavesKeyAlone(update, table.key));
  for (const Update::Set& set : update.sets) {
    if (!set.path.steps.empty()) {
      RETURN_IF_ERROR(PathStaysOutOfKeys(table, set.path.root));
    } else if (set.operand.kind == UpdateOperand::Kind::kValue) {
      RETURN_IF_ERROR(ValueFitsIndexes(table, set.path.root, set.operand.value));
    }
  }
  for (const Update::Change& add : update.adds) {
    if (add.path.steps.empty()) RETURN_IF_ERROR(ValueFitsIndexes(table, add.path.root, add.value));
  }
  return Ok();
}

Status FitsTable(const Table& table, const ItemWrite& write) {
  if (write.action == ItemWrite::Action::kPut) {
    RETURN_IF_ERROR(ItemFitsTable(table, write.item));
    return ItemFitsIndexes(table, write.item);
  }
  RETURN_IF_ERROR(KeyFitsTable(table, write.item));
  if (write.update) RETURN_IF_ERROR(UpdateFitsTable(table, *write.update));
  return Ok();
}

Result<Plan> MakePlan(const Database& db, const CatalogSnapshot& snapshot, std::span<const ItemWrite> writes,
                      std::span<WriteOutcome> outcomes) {
  Plan plan;
  plan.keys.reserve(writes.size());
  for (size_t i = 0; i < writes.size(); ++i) {
    ASSIGN_OR_RETURN(outcomes[i].table, UsableTable(db, snapshot, writes[i].table));
    RETURN_IF_ERROR(FitsTable(*outcomes[i].table, writes[i]));
    plan.keys.push_back(RowKeyOf(*outcomes[i].table, writes[i].item));
  }
  plan.collection_of.assign(writes.size(), Plan::kNone);
  for (size_t i = 0; i < writes.size(); ++i) {
    const Table& table = *outcomes[i].table;
    if (!table.HasLocalIndexes()) continue;
    RowKey collection(table.id, kCollectionIndex, plan.keys[i].partition(), {});
    const auto first = plan.keys.begin() + static_cast<std::ptrdiff_t>(writes.size());
    const auto it = std::find(first, plan.keys.end(), collection);
    plan.collection_of[i] = static_cast<size_t>(it - plan.keys.begin());
    if (it == plan.keys.end()) plan.keys.push_back(std::move(collection));
  }
  return plan;
}

// The item after the write, from the one before; nullopt: there is none.
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
    ASSIGN_OR_RETURN(updated, ApplyUpdate(*write.update, base));
    if (ItemSize(updated) > kItemBytesMax) return kUpdatedItemSize();
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

// The item itself, its expiry row and its log record; none of them where nothing changes.
void ChangeItem(const Table& table, const ItemWrite& write, const RowKey& key, std::optional<ItemView> old,
                std::optional<Item> made, Changes& changes) {
  const std::optional<ItemView> after = made ? std::optional(made->view()) : std::nullopt;
  if (old.has_value() == after.has_value() && (!old || *old == *after)) return;
  UpkeepExpiry(table, key, old, after, changes);
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

// Decides one write: adds its rows to `changes` and fills its outcome; `collection_bytes` is its collection's size so
// far.
Status DecideOne(Micros now, const ItemWrite& write, const RowKey& key, const Row& row, WriteOutcome& outcome,
                 int64_t* collection_bytes, Changes& changes) {
  outcome = WriteOutcome{.table = std::move(outcome.table)};  // nothing of an earlier run stays
  const Table& table = *outcome.table;
  const std::optional<ItemView> old = row.exists ? std::optional(ItemView(row.value)) : std::nullopt;
  if (write.condition && !Test(*write.condition, old.value_or(ItemView()))) {
    Error error = kConditionFailed();
    if (!write.failed_item || !old) return error;
    return std::move(error).WithDetail(std::make_unique<FailedItem>(Item(*old)));
  }
  if (write.action == ItemWrite::Action::kExpire && !IsExpired(table, old, now)) return Ok();
  ASSIGN_OR_RETURN(std::optional<Item> made, NewItem(table, write, old));
  const size_t bytes_before = old ? ItemSize(*old) : 0;
  const size_t bytes_after = made ? ItemSize(*made) : 0;
  outcome.existed = row.exists;
  outcome.exists = made.has_value();
  if (old && write.keep_old) outcome.old_item = Item(*old);

  const std::optional<ItemView> after = made ? std::optional(made->view()) : std::nullopt;
  UpkeepResult upkeep = UpkeepIndexes(table, old, after, changes);
  if (bytes_after + upkeep.local_bytes_after > kItemBytesMax) return kItemWithIndexesSize();
  if (write.action != ItemWrite::Action::kExpire) {
    outcome.units = std::move(upkeep.units);
    outcome.units.table = WriteUnits(bytes_before, bytes_after);
  }

  const int64_t grown = static_cast<int64_t>(bytes_after) - static_cast<int64_t>(bytes_before);
  changes.Tallied(table.id, kBaseTable, int{outcome.exists} - int{outcome.existed}, grown);
  if (collection_bytes) {
    *collection_bytes += grown + upkeep.local_bytes;
    if (grown + upkeep.local_bytes > 0 && *collection_bytes > static_cast<int64_t>(kItemCollectionBytesMax))
      return kCollectionSize();
  }
  if (made && write.keep_new) outcome.new_item = *made;
  ChangeItem(table, write, key, old, std::move(made), changes);
  return Ok();
}

int64_t ReadCollection(const Row& row) { return row.exists ? static_cast<int64_t>(LoadU64(row.value.data())) : 0; }

void WriteCollection(const RowKey& key, const Row& row, int64_t bytes, Changes& changes) {
  if (bytes == ReadCollection(row)) return;
  if (bytes == 0) return changes.Delete(key);
  std::string value;
  AppendU64(value, static_cast<uint64_t>(bytes));
  changes.Put(key, std::move(value));
}

Status DecideAll(Micros now, const Plan& plan, std::span<const ItemWrite> writes, std::span<const Row> rows,
                 std::span<WriteOutcome> outcomes, Changes& changes) {
  std::vector<int64_t> collections;
  for (size_t i = writes.size(); i < rows.size(); ++i) collections.push_back(ReadCollection(rows[i]));
  for (size_t i = 0; i < writes.size(); ++i) {
    const bool has_collection = plan.collection_of[i] != Plan::kNone;
    int64_t* bytes = has_collection ? &collections[plan.collection_of[i] - writes.size()] : nullptr;
    RETURN_IF_ERROR(DecideOne(now, writes[i], plan.keys[i], rows[i], outcomes[i], bytes, changes));
  }
  for (size_t i = 0; i < writes.size(); ++i) {
    if (plan.collection_of[i] != Plan::kNone)
      outcomes[i].collection_bytes = collections[plan.collection_of[i] - writes.size()];
  }
  for (size_t i = 0; i < collections.size(); ++i) {
    WriteCollection(plan.keys[writes.size() + i], rows[writes.size() + i], collections[i], changes);
  }
  return Ok();
}

// Before an item of a table with a new index may change: see engine/backfill.h.
Status SettleAll(const Database& db, CatalogVersion version, const Plan& plan, std::span<const WriteOutcome> outcomes,
                 Access access) {
  for (size_t i = 0; i < outcomes.size(); ++i) {
    const Table& table = *outcomes[i].table;
    if (table.HasBackfillingIndex()) RETURN_IF_ERROR(SettleItem(db, version, table, plan.keys[i], access));
  }
  return Ok();
}

}  // namespace

Result<RowKey> RowOfBatchWrite(const Database& db, const ItemWrite& write) {
  ASSIGN_OR_RETURN(const TablePtr table, UsableTable(db, *db.catalog.Current(), write.table));
  if (write.action == ItemWrite::Action::kPut) RETURN_IF_ERROR(BatchItemFitsTable(*table, write.item));
  RETURN_IF_ERROR(FitsTable(*table, write));
  return RowKeyOf(*table, write.item);
}

Status WriteItems(const Database& db, std::span<const ItemWrite> writes, std::span<WriteOutcome> outcomes,
                  Access access) {
  CHECK(writes.size() == outcomes.size());
  while (true) {
    const SnapshotPtr snapshot = db.catalog.Current();
    ASSIGN_OR_RETURN(const Plan plan, MakePlan(db, *snapshot, writes, outcomes));
    const auto decide = [&](Micros now, std::span<const Row> rows, Changes& changes) {
      return DecideAll(now, plan, writes, rows, outcomes, changes);
    };
    Status status = SettleAll(db, snapshot->version, plan, outcomes, access);
    if (status.ok()) status = db.store.Mutate(snapshot->version, plan.keys, decide, access);
    if (status.ok() || status.kind() != Kind::kStale) return status;
    RETURN_IF_ERROR(AwaitLaterCatalog(db, snapshot->version, access.wait));
  }
}

}  // namespace keyfold
