#include "engine/streams/stream_read.h"

#include <algorithm>

#include "engine/catalog/rules.h"
#include "engine/items/change_record.h"
#include "store/rules.h"
#include "value/limits.h"

namespace keyfold::engine {
namespace {

constexpr Rule<"A change record of the table {} is damaged"> kDamagedRecord{"change-record-damaged", Kind::kInternal};

Item KeysOf(const KeySchema& key, ItemView item) {
  std::string bytes;
  ValueWriter writer(bytes);
  writer.BeginItem();
  for (const KeyAttribute& attribute : key.attributes()) {
    writer.Name(attribute.name);
    writer.Copy(*item.Find(attribute.name));
  }
  writer.EndMap();
  return Item(std::move(bytes));
}

// Converts a log record to the stream's view. `keys` owns the keys that the result borrows.
StreamRecord ThroughView(const Stream& stream, const store::LogView& logged, const ItemChange& change, Item& keys) {
  using Event = StreamRecord::Event;
  StreamRecord record;
  record.event = !change.before ? Event::kInsert : change.after ? Event::kModify : Event::kRemove;
  record.expired = change.expired;
  record.at = logged.at;
  record.time = logged.time;
  keys = KeysOf(stream.key, change.before ? *change.before : *change.after);
  record.keys = keys;
  const bool both = stream.view_type == StreamViewType::kNewAndOldImages;
  if (both || stream.view_type == StreamViewType::kOldImage) record.old_image = change.before;
  if (both || stream.view_type == StreamViewType::kNewImage) record.new_image = change.after;
  record.bytes = ItemSize(record.keys);
  if (record.old_image) record.bytes += ItemSize(*record.old_image);
  if (record.new_image) record.bytes += ItemSize(*record.new_image);
  return record;
}

// Takes records until the page is full. Used by one thread at a time.
class PageOfRecords {
 public:
  PageOfRecords(const Stream& stream, Micros horizon, size_t limit, EmitRecord emit)
      : stream_(stream), horizon_(horizon), limit_(limit), emit_(emit) {}

  // Returns false if the page has no room for the record.
  bool Take(const store::LogView& logged) {
    if (logged.time < horizon_) return true;
    if (count_ == limit_) return false;
    const std::optional<ItemChange> change = DecodeChange(logged.body);
    if (!change) return !(damaged_ = true);
    Item keys;
    const StreamRecord record = ThroughView(stream_, logged, *change, keys);
    if (count_ > 0 && bytes_ + record.bytes > kPageBytesMax) return false;
    emit_(stream_, record);
    bytes_ += record.bytes;
    ++count_;
    return true;
  }
  bool damaged() const { return damaged_; }

 private:
  const Stream& stream_;
  const Micros horizon_;
  const size_t limit_;
  const EmitRecord emit_;
  size_t count_ = 0, bytes_ = 0;
  bool damaged_ = false;
};

}  // namespace

Result<ShardPage> ReadShard(const Database& db, const ShardCursor& cursor, size_t limit, EmitRecord emit,
                            store::Access access) {
  // Read before the snapshot: writes after a shard closes are planned under a snapshot in which it is closed, so this
  // snapshot knows of every record up to `log_end` that belongs to a child.
  const store::CommitNumber log_end = db.store.LogEnd();
  const SnapshotPtr snapshot = db.catalog.Current();
  const auto it = snapshot->streams.find(cursor.stream);
  if (it == snapshot->streams.end() || it->second->table_id != cursor.table_id) return kResourceNotFound();
  const Stream& stream = *it->second;
  const Shard* shard = stream.Find(cursor.shard);
  if (!shard) return kDataTrimmed();
  store::LogRange range{.table = stream.table_id, .first = shard->first, .last = shard->last};
  range.after = std::max(cursor.after, store::LogPosition::AfterCommit(shard->start.commit));
  range.through = shard->closed ? std::min(shard->end.commit - 1, log_end) : log_end;
  ShardPage page{.reached = range.after};
  if (range.after < store::LogPosition::AfterCommit(range.through)) {
    if (access.wait == store::Wait::kNever) return store::kNotInMemory();
    PageOfRecords records(stream, db.clock.Now() - kStreamRetention, limit, emit);
    const auto take = [&](const store::LogView& logged) { return records.Take(logged); };
    ASSIGN_OR_RETURN(page.reached, db.store.ReadLog(range, take));
    if (records.damaged()) return kDamagedRecord(stream.table);
  }
  page.ended = shard->closed && page.reached >= store::LogPosition::AfterCommit(shard->end.commit - 1);
  return page;
}

}  // namespace keyfold::engine
