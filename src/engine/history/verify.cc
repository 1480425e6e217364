#include "engine/history/verify.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/background_task.h"
#include "base/hash.h"
#include "base/stopping.h"
#include "engine/history/log_chain.h"
#include "engine/items/change_record.h"
#include "engine/items/index_rows.h"
#include "engine/items/key.h"

namespace keyfold::engine {
namespace {

constexpr size_t kVerifyChunkRows = 500, kFaultsKept = 100;
constexpr size_t kLoggedKeysMax = 1 << 20;  // keys followed in one pass over a log

bool HasReadableIndex(const Table& table) {
  return std::any_of(table.indexes.begin(), table.indexes.end(), [](const Index& i) { return i.IsReadable(); });
}

// Verifies one table: a pass that reads and counts the rows of each index at one moment, a second pass that compares
// items and index rows, and the log. Used by one thread at a time.
class TableCheck {
 public:
  TableCheck(const Database& db, const Table& table, VerifyProgress progress, Verification& found)
      : db_(db), table_(table), progress_(progress), found_(found) {}

  Status Run() {
    RETURN_IF_ERROR(CheckRows(nullptr));
    for (const Index& index : table_.indexes) {
      if (index.IsReadable()) RETURN_IF_ERROR(CheckRows(&index));
    }
    if (HasReadableIndex(table_)) {
      RETURN_IF_ERROR(Walk(nullptr, [this](const Rows& rows) { CheckItems(rows); }));
    }
    for (const Index& index : table_.indexes) {
      if (!index.IsReadable()) continue;
      RETURN_IF_ERROR(Walk(&index, [&](const Rows& rows) { CheckIndexRows(index, rows); }));
    }
    return CheckLog();
  }

 private:
  using Rows = std::vector<std::pair<std::string, std::string>>;
  // A change that does not begin with what the key's previous change left.
  struct Break {
    std::string key;
    store::CommitNumber before, commit;
  };

  static store::IndexId IdOf(const Index* index) { return index ? index->id : store::kBaseTable; }

  // A table or index that is being removed cannot be verified: its rows disappear in any order, and writes no longer
  // maintain them. The catalog is updated before the first such row can be read, so a check after reading is
  // sufficient.
  bool IsThere(const Index* index) const {
    const TablePtr now = db_.catalog.Current()->Find(table_.name);
    if (!now || now->id != table_.id || now->deleting) return false;
    const Index* same = index ? now->FindIndex(index->name) : nullptr;
    return !index || (same && same->id == index->id && same->IsReadable());
  }
  void Fault(const Index* index, std::string_view what) {
    if (!IsThere(index)) return;
    const std::string part = index ? fmt::format("index {}: ", index->name) : "";
    found_.AddFault(fmt::format("table {}: {}{}", table_.name, part, what));
  }

  // Checks that every row is as it was written, that it has the right key, and that the row count matches the tally.
  Status CheckRows(const Index* index) {
    store::Tally seen;
    bool stopped = false;
    const auto visit = [&](const store::RowView& row) {
      seen.bytes += static_cast<int64_t>(ItemSize(ItemView(row.value)));
      CheckPlace(index, row);
      ++found_.done;
      ++(index ? found_.index_rows : found_.items);
      if (++seen.rows % kVerifyChunkRows == 0) stopped = !progress_(found_);
      return !stopped;
    };
    if (!progress_(found_)) return kStopping();
    store::Horizon horizon;
    const Result<store::Tally> counted = db_.store.ScanWithTally(table_.id, IdOf(index), visit, {.horizon = horizon});
    if (stopped) return kStopping();
    if (!counted.ok()) {
      readable_ = false;
      Fault(index, fmt::format("a row cannot be read: {}", counted.error().message()));
    } else if (counted->rows != seen.rows) {
      Fault(index, fmt::format("the tally is {} items, the actual count is {}", counted->rows, seen.rows));
    } else if (counted->bytes != seen.bytes) {
      Fault(index, fmt::format("the tally is {} bytes, the actual size is {}", counted->bytes, seen.bytes));
    }
    return Ok();
  }

  void CheckPlace(const Index* index, const store::RowView& row) {
    const ItemView item(row.value);
    if (!index) {
      const bool fits = ItemFitsTable(table_, item).ok() && RowKeyOf(table_, item).bytes() == row.key;
      if (!fits) Fault(index, "an item is stored under the wrong key");
      return;
    }
    if (!ItemFitsTable(table_, item).ok()) return Fault(index, "a row lacks the key of its item");
    const std::optional<store::RowKey> own = IndexRowKeyOf(table_, *index, item);
    if (!own || own->bytes() != row.key) Fault(index, "a row is stored under the wrong key");
  }

  // Reads all rows in chunks, so that `check` can read more between them. Stops at a row that does not match its
  // checksum, because the rows after it cannot be reached.
  Status Walk(const Index* index, FunctionRef<void(const Rows&)> check) {
    std::string after;
    for (bool more = true; more;) {
      if (!progress_(found_)) return kStopping();
      Rows rows;
      store::Horizon horizon;
      const auto visit = [&](const store::RowView& row) {
        rows.emplace_back(row.key, row.value);
        return rows.size() < kVerifyChunkRows;
      };
      const store::SlotRange range{.table = table_.id, .index = IdOf(index), .after = after, .passing = true};
      const Status read = db_.store.ScanSlots(range, visit, {.horizon = horizon});
      check(rows);
      found_.done += rows.size();
      if (!read.ok()) CannotRead(index, read.message());
      more = read.ok() && rows.size() == kVerifyChunkRows && IsThere(index);
      if (more) after = rows.back().first;
    }
    return Ok();
  }

  // Reported only once, even if the first pass could not read the row either.
  void CannotRead(const Index* index, std::string_view why) {
    if (readable_) Fault(index, fmt::format("a row cannot be read: {}", why));
    readable_ = false;
  }

  void CheckItems(const Rows& rows) {
    for (const auto& [key, bytes] : rows) {
      const ItemView item(bytes);
      if (ItemFitsTable(table_, item).ok()) CheckIndexesOf(item);
    }
  }

  // Reads the item and its index rows again, at one moment.
  void CheckIndexesOf(ItemView item) {
    std::vector<store::RowKey> keys{RowKeyOf(table_, item)};
    std::vector<const Index*> indexes;
    for (const Index& index : table_.indexes) {
      if (!index.IsReadable()) continue;
      if (std::optional<store::RowKey> key = IndexRowKeyOf(table_, index, item)) {
        keys.push_back(*std::move(key));
        indexes.push_back(&index);
      }
    }
    if (indexes.empty()) return;
    store::Horizon horizon;
    std::vector<store::Row> rows;
    const Status read = db_.store.GetAtomic(keys, rows, {.horizon = horizon});
    if (!read.ok()) return CannotRead(nullptr, read.message());
    if (!rows[0].exists || ItemView(rows[0].value) != item) return;  // it has changed in the meantime
    for (size_t i = 0; i < indexes.size(); ++i) {
      const store::Row& row = rows[i + 1];
      if (!row.exists) {
        Fault(indexes[i], "an item is missing");
      } else if (ItemView(row.value) != ProjectForIndex(table_, *indexes[i], item).view()) {
        Fault(indexes[i], "an item differs from the table's");
      }
    }
  }

  void CheckIndexRows(const Index& index, const Rows& rows) {
    for (const auto& [key, bytes] : rows) {
      const ItemView shown(bytes);
      if (!ItemFitsTable(table_, shown).ok()) continue;
      const std::optional<store::RowKey> own = IndexRowKeyOf(table_, index, shown);
      if (!own || own->bytes() != key) continue;
      const store::RowKey keys[] = {*own, RowKeyOf(table_, shown)};
      store::Horizon horizon;
      std::vector<store::Row> now;
      const Status read = db_.store.GetAtomic(keys, now, {.horizon = horizon});
      if (!read.ok()) return CannotRead(&index, read.message());
      if (!now[0].exists) continue;  // it has been removed in the meantime
      if (!now[1].exists || IndexRowKeyOf(table_, index, ItemView(now[1].value)) != own) {
        Fault(&index, "a row belongs to an item that is not in the table");
      }
    }
  }

  // Checks that each change of an item begins with what the previous change left, as far back as the log is complete.
  Status CheckLog() {
    const store::CommitNumber end = db_.store.LogEnd();
    uint64_t from = 0;
    for (bool first = true;; first = false) {
      LogChain chain(from, kLoggedKeysMax);
      ASSIGN_OR_RETURN(const bool read, ReadLog(end, first, chain));
      if (!read || !table_.recovery.enabled || chain.last() == UINT64_MAX) return Ok();
      from = chain.last() + 1;
    }
  }

  // Returns false if the log could not be read to its end; that has then been reported.
  Result<bool> ReadLog(store::CommitNumber end, bool first, LogChain& chain) {
    const store::LogPosition last = store::LogPosition::AfterCommit(end);
    for (store::LogPosition at; at < last;) {
      if (!progress_(found_)) return kStopping();
      std::vector<Break> breaks;
      const auto visit = [&](const store::LogView& record) {
        CheckRecord(record, first, chain, breaks);
        return true;
      };
      Result<store::LogPosition> read = db_.store.ReadLog({.table = table_.id, .after = at, .through = end}, visit);
      for (const Break& found : breaks) ReportBreak(found);
      if (!read.ok()) {
        Fault(nullptr, fmt::format("the rest of the log cannot be read: {}", read.error().message()));
        return false;
      }
      at = *read;
    }
    return true;
  }

  void CheckRecord(const store::LogView& record, bool first, LogChain& chain, std::vector<Break>& breaks) {
    if (first) ++found_.log_records;
    const std::optional<ItemChange> change = DecodeChange(record.body);
    if (!change) {
      if (first) Fault(nullptr, fmt::format("the log record of commit {} cannot be read", record.at.commit));
      return;
    }
    if (!table_.recovery.enabled || record.at.commit <= table_.recovery.since.commit) return;
    const auto hash_of = [](std::optional<ItemView> image) { return image ? Hash64(image->bytes()) : 0; };
    const store::RowKey key = KeyOf(*change);
    const store::CommitNumber commit = record.at.commit;
    const auto before = chain.Add(Hash64(key.bytes()), hash_of(change->before), hash_of(change->after), commit);
    if (before) breaks.push_back({key.bytes(), *before, commit});
  }
  store::RowKey KeyOf(const ItemChange& change) const {
    return RowKeyOf(table_, change.before ? *change.before : *change.after);
  }

  // A log is trimmed from its old end, and starts again if recovery is turned off and on. Only if the previous change
  // is still there was everything after it present when the log was read.
  void ReportBreak(const Break& found) {
    const TablePtr now = db_.catalog.Current()->Find(table_.name);
    if (!now || now->recovery.since != table_.recovery.since || !IsLogged(found.key, found.before)) return;
    Fault(nullptr,
          fmt::format("the log record of commit {} does not continue from the item's previous record", found.commit));
  }
  bool IsLogged(const std::string& key, store::CommitNumber commit) {
    bool logged = false;
    const auto visit = [&](const store::LogView& record) {
      const std::optional<ItemChange> change = DecodeChange(record.body);
      logged = logged || (change && KeyOf(*change).bytes() == key);
      return true;
    };
    const store::LogRange range{
        .table = table_.id, .after = store::LogPosition::AfterCommit(commit - 1), .through = commit};
    return db_.store.ReadLog(range, visit).ok() && logged;
  }

  const Database& db_;
  const Table& table_;
  const VerifyProgress progress_;
  Verification& found_;
  bool readable_ = true;  // no row was unreadable so far
};

}  // namespace

void Verification::AddFault(std::string sentence) {
  ++faults;
  if (first_faults.size() < kFaultsKept) first_faults.push_back(std::move(sentence));
}

uint64_t RowsToVerify(const Database& db, const Table& table) {
  const auto rows_of = [&](store::IndexId index) {
    return static_cast<uint64_t>(std::max<int64_t>(db.store.ReadTally(table.id, index).rows, 0));
  };
  if (!HasReadableIndex(table)) return rows_of(store::kBaseTable);
  uint64_t rows = rows_of(store::kBaseTable);
  for (const Index& index : table.indexes) rows += index.IsReadable() ? rows_of(index.id) : 0;
  return 2 * rows;
}

Status VerifyTable(const Database& db, const Table& table, VerifyProgress progress, Verification& found) {
  return TableCheck(db, table, progress, found).Run();
}

}  // namespace keyfold::engine
