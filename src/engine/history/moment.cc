#include "engine/history/moment.h"

#include <vector>

#include "base/background_task.h"
#include "base/stopping.h"
#include "engine/history/undo.h"
#include "engine/items/change_record.h"
#include "engine/items/key.h"
#include "store/rules.h"

namespace keyfold::engine {
namespace {

constexpr size_t kMomentChunkBytes = 1 << 20;
constexpr size_t kUndoBytes = 32 << 20;

// A chunk of current rows, in key order.
class Chunk {
 public:
  // Reads the rows after `after`.
  Status Read(store::Store& store, const Table& table, const std::string& after);
  // Returns true if there are no rows after this chunk.
  bool last() const { return last_; }
  size_t count() const { return rows_.size(); }
  std::string_view key(size_t i) const { return {bytes_.data() + rows_[i].start, rows_[i].key_bytes}; }
  ItemView item(size_t i) const {
    const Place& row = rows_[i];
    return ItemView(std::string_view(bytes_).substr(row.start + row.key_bytes, row.item_bytes));
  }

 private:
  struct Place {
    size_t start, key_bytes, item_bytes;
  };
  std::string bytes_;
  std::vector<Place> rows_;
  bool last_ = true;
};

Status Chunk::Read(store::Store& store, const Table& table, const std::string& after) {
  bytes_.clear();
  rows_.clear();
  last_ = true;
  store::Horizon horizon;
  const auto visit = [&](const store::RowView& row) {
    if (bytes_.size() >= kMomentChunkBytes) {
      last_ = false;
      return false;
    }
    rows_.push_back({bytes_.size(), row.key.size(), row.value.size()});
    bytes_.append(row.key).append(row.value);
    return true;
  };
  RETURN_IF_ERROR(store.ScanSlots({.table = table.id, .after = after, .passing = true}, visit, {.horizon = horizon}));
  store.WaitUntilDurable(horizon.number());  // so that the log has every change that the rows show
  return Ok();
}

// Adds the log up to now to `undo`, except changes of keys up to and including `passed`.
Status ReadChanges(store::Store& store, const Table& table, std::string_view passed, store::LogPosition& read_to,
                   Undo& undo) {
  Status status;
  const auto visit = [&](const store::LogView& record) {
    const std::optional<ItemChange> change = DecodeChange(record.body);
    if (!change) {
      status = store::kStoreFailure();
      return false;
    }
    const store::RowKey key = RowKeyOf(table, change->before ? *change->before : *change->after);
    if (key.bytes() > passed) status = undo.Add(key.bytes(), change->before);
    return status.ok();
  };
  const store::LogPosition end = store::LogPosition::AfterCommit(store.LogEnd());
  while (status.ok() && read_to < end) {
    ASSIGN_OR_RETURN(read_to, store.ReadLog({.table = table.id, .after = read_to, .through = end.commit}, visit));
  }
  return status;
}

// Visits the chunk's items as they were, and items removed since then, up to the chunk's end. For the last chunk, also
// visits everything that is left in `undo`.
Status VisitChunk(const Chunk& chunk, Undo& undo, VisitItem visit) {
  size_t next = 0;
  std::optional<Item> before;
  for (auto key = undo.LeastKey(); key; key = undo.LeastKey()) {
    for (; next < chunk.count() && chunk.key(next) < *key; ++next) {
      RETURN_IF_ERROR(visit(chunk.key(next), chunk.item(next)));
    }
    const bool in_chunk = next < chunk.count();
    if (!in_chunk && !chunk.last()) break;
    if (in_chunk && chunk.key(next) == *key) ++next;
    const std::string name(*key);
    RETURN_IF_ERROR(undo.TakeLeast(before));
    if (before) RETURN_IF_ERROR(visit(name, *before));
  }
  for (; next < chunk.count(); ++next) RETURN_IF_ERROR(visit(chunk.key(next), chunk.item(next)));
  return Ok();
}

}  // namespace

Result<store::LogPosition> MomentAt(store::Store& store, store::TableId table, Micros time) {
  store::CommitNumber before = 0,
                      behind = store.LogEnd();  // commits in (0, before] are in; commits after `behind` are not
  while (before < behind) {
    const store::CommitNumber middle = before + (behind - before) / 2;
    bool found = false, in = false;
    store::CommitNumber commit = 0;
    const auto look = [&](const store::LogView& record) {
      found = true;
      in = record.time <= time;
      commit = record.at.commit;
      return false;
    };
    const store::LogRange range{.table = table, .after = store::LogPosition::AfterCommit(middle), .through = behind};
    RETURN_IF_ERROR(store.ReadLog(range, look));
    if (found && in) {
      before = commit;
    } else {
      behind = middle;
    }
  }
  return store::LogPosition::AfterCommit(before);
}

Status VisitMoment(store::Store& store, const Table& table, store::LogPosition moment, const files::Folder& scratch,
                   FunctionRef<bool()> stop, VisitItem visit) {
  Undo undo(scratch, kUndoBytes);
  store::LogPosition read_to = moment;
  RETURN_IF_ERROR(ReadChanges(store, table, {}, read_to, undo));
  std::string passed;
  Chunk chunk;
  do {
    if (stop()) return kStopping();
    RETURN_IF_ERROR(chunk.Read(store, table, passed));
    RETURN_IF_ERROR(ReadChanges(store, table, passed, read_to, undo));
    RETURN_IF_ERROR(VisitChunk(chunk, undo, visit));
    if (!chunk.last()) passed = chunk.key(chunk.count() - 1);
  } while (!chunk.last());
  return Ok();
}

}  // namespace keyfold::engine
