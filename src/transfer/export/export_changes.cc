#include "transfer/export/export_changes.h"

#include <string>

#include "base/background_task.h"
#include "base/bytes.h"
#include "base/stopping.h"
#include "engine/items/change_record.h"
#include "engine/items/key.h"
#include "files/sorter.h"
#include "store/rules.h"

namespace keyfold::transfer {
namespace {

constexpr size_t kSorterBytes = 32 << 20;
constexpr size_t kCommitTimeBytes = 8;
constexpr size_t kRecordsPerLook = 1024;  // between two checks of stop()

// Adds the log's records of the period to the sorter, by row key; the value is a record's time and body.
Status SortChanges(store::Store& store, const engine::Table& table, store::LogPosition start, Micros end,
                   FunctionRef<bool()> stop, files::Sorter& sorter) {
  Status status;
  bool past_end = false;
  size_t records = 0;
  std::string value;
  const auto add = [&](const store::LogView& record) {
    past_end = record.time >= end;
    if (past_end) return false;
    const std::optional<engine::ItemChange> change = engine::DecodeChange(record.body);
    if (!change) {
      status = store::kStoreFailure();
    } else if (++records % kRecordsPerLook == 0 && stop()) {
      status = kStopping();
    } else {
      value.clear();
      AppendU64(value, static_cast<uint64_t>(record.time));
      value.append(record.body);
      status = sorter.Add(engine::RowKeyOf(table, change->before ? *change->before : *change->after).bytes(), value);
    }
    return status.ok();
  };
  const store::LogPosition log_end = store::LogPosition::AfterCommit(store.LogEnd());
  for (store::LogPosition read_to = start; status.ok() && !past_end && read_to < log_end;) {
    ASSIGN_OR_RETURN(read_to, store.ReadLog({.table = table.id, .after = read_to, .through = log_end.commit}, add));
  }
  return status;
}

// The changes of one key, in order. Used by one thread at a time.
class KeyHistory {
 public:
  bool IsOf(std::string_view key) const { return !first_.empty() && key_ == key; }
  void Begin(std::string_view key, std::string_view value) {
    key_ = key;
    first_ = last_ = value;
  }
  void Continue(std::string_view value) { last_ = value; }

  // Skips an item that was created at `always_until` or later and deleted again.
  Status Show(Micros always_until, VisitChange visit) const {
    if (first_.empty()) return Ok();
    const engine::ItemChange first = *engine::DecodeChange(std::string_view(first_).substr(kCommitTimeBytes));
    NetChange change;
    change.row_key = key_;
    change.written = static_cast<Micros>(LoadU64(last_.data()));
    change.before = first.before;
    change.after = engine::DecodeChange(std::string_view(last_).substr(kCommitTimeBytes))->after;
    change.some = first.before ? *first.before : *first.after;
    const bool early = static_cast<Micros>(LoadU64(first_.data())) < always_until;
    return change.before || change.after || early ? visit(change) : Ok();
  }

 private:
  std::string key_, first_, last_;  // first_ and last_ are encoded by SortChanges
};

}  // namespace

Status VisitNetChanges(store::Store& store, const engine::Table& table, store::LogPosition start, Micros from,
                       Micros end, const files::Folder& scratch, FunctionRef<bool()> stop, VisitChange visit) {
  files::Sorter sorter(scratch, "changes", kSorterBytes);
  RETURN_IF_ERROR(SortChanges(store, table, start, end, stop, sorter));
  ASSIGN_OR_RETURN(const std::unique_ptr<files::RecordSource> changes, sorter.Finish());
  KeyHistory history;
  const Micros always_until = from + kSecond;
  std::string_view key, value;
  for (size_t records = 1;; ++records) {
    if (records % kRecordsPerLook == 0 && stop()) return kStopping();
    ASSIGN_OR_RETURN(const bool more, changes->Next(key, value));
    if (!more) return history.Show(always_until, visit);
    if (history.IsOf(key)) {
      history.Continue(value);
      continue;
    }
    RETURN_IF_ERROR(history.Show(always_until, visit));
    history.Begin(key, value);
  }
}

}  // namespace keyfold::transfer
