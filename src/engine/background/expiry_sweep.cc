#include "engine/background/expiry_sweep.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/log.h"
#include "engine/items/expiry.h"
#include "engine/items/item_write.h"
#include "engine/items/key.h"

namespace keyfold::engine {
namespace {

// Rows to read before their items are removed. Each removal is its own commit, so a request waits for at most one.
constexpr size_t kSweepChunkRows = 100;
// Delay before the next attempt after the store throttles the sweep.
constexpr std::chrono::milliseconds kSweepPause{50};

// A batch of due expiry rows: the keys of their items, and the last row's key, after which the next read starts.
struct DueRows {
  std::vector<store::RowKey> items;
  size_t rows = 0;
  std::string last;
};

Result<DueRows> ReadDueRows(const Database& db, const Table& table, const store::PartitionRange& range,
                            store::Access access) {
  DueRows due;
  const auto collect = [&](const store::RowView& row) {
    if (std::optional<store::RowKey> base = BaseOfExpiryRow(table, row)) due.items.push_back(*std::move(base));
    due.last = row.key;
    return ++due.rows < kSweepChunkRows;
  };
  RETURN_IF_ERROR(db.store.Range(range, collect, access));
  return due;
}

Status Expire(const Database& db, const Table& table, ItemView item, store::Access access) {
  const Item key = KeyPart(table, nullptr, item);
  const ItemWrite write{.action = ItemWrite::Action::kExpire, .table = table.name, .item = key};
  WriteOutcome outcome;
  return WriteItems(db, {&write, 1}, {&outcome, 1}, {access});
}

}  // namespace

ExpirySweep::ExpirySweep(const Database& db, std::chrono::milliseconds interval)
    : db_(db), interval_(interval), task_([this] { return WorkOnce(); }) {}

std::optional<std::chrono::milliseconds> ExpirySweep::WorkOnce() {
  const SnapshotPtr snapshot = db_.catalog.Current();
  for (const auto& [name, table] : snapshot->tables) {
    if (!table->expiry.enabled || !table->expiry.filled || !table->IsUsableAt(db_.clock.Now())) continue;
    const Status swept = SweepTable(*table);
    if (swept.ok() || swept.kind() == Kind::kResourceNotFound) continue;  // the table may have been deleted since
    if (swept.kind() == Kind::kThrottling) return std::min(kSweepPause, interval_);
    LogError("cannot remove expired items of table {}: {}", name, swept.message());
    return std::max(kAfterFailure, interval_);
  }
  return interval_;
}

Status ExpirySweep::SweepTable(const Table& table) {
  for (uint8_t bucket = 0; bucket < kExpiryBuckets && !task_.IsStopping(); ++bucket) {
    RETURN_IF_ERROR(SweepBucket(table, bucket));
  }
  return Ok();
}

Status ExpirySweep::SweepBucket(const Table& table, uint8_t bucket) {
  store::Horizon horizon;
  const store::Access access{horizon, store::Wait::kAllowed};
  store::PartitionRange range = DueRange(table, bucket, db_.clock.Now());
  while (!task_.IsStopping()) {
    ASSIGN_OR_RETURN(DueRows due, ReadDueRows(db_, table, range, access));
    std::vector<store::Row> items;
    RETURN_IF_ERROR(db_.store.Get(due.items, items, access));
    for (const store::Row& item : items) {
      if (item.exists) RETURN_IF_ERROR(Expire(db_, table, ItemView(item.value), access));
    }
    if (due.rows < kSweepChunkRows) break;
    range.after = std::move(due.last);
  }
  return Ok();
}

}  // namespace keyfold::engine
