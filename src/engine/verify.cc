#include "engine/verify.h"

#include <fmt/format.h>

#include <unordered_map>

#include "base/hash.h"
#include "engine/change_record.h"
#include "engine/index_upkeep.h"
#include "engine/key.h"

namespace keyfold {
namespace {

constexpr Rule<"Stopping. Try again."> kStopping{"verify-stopping", Kind::kUnavailable};

constexpr size_t kChunkRows = 500, kFaultsKept = 100;

// One table's verification. One thread at a time.
class TableCheck {
 public:
  TableCheck(const Database& db, const Table& table, VerifyProgress progress, Verification& found)
      : db_(db), table_(table), progress_(progress), found_(found) {}

  Status Run() {
    RETURN_IF_ERROR(Walk(kBaseTable, [this](const Rows& rows) { return CheckItems(rows); }));
    for (const Index& index : table_.indexes) {
      if (!index.IsReadable()) continue;
      RETURN_IF_ERROR(Walk(index.id, [&](const Rows& rows) { return CheckIndexRows(index, rows); }));
    }
    return CheckLog();
  }

 private:
  using Rows = std::vector<std::pair<std::string, std::string>>;

  void Fault(std::string what) {
    ++found_.faults;
    if (found_.first_faults.size() < kFaultsKept) {
      found_.first_faults.push_back(fmt::format("table {}: {}", table_.name, what));
    }
  }

  // A row that does not match its checksum ends the walk of its index: what is behind it cannot be reached.
  Status Walk(IndexId index, FunctionRef<Status(const Rows&)> check) {
    std::string after;
    for (bool more = true; more;) {
      if (!progress_(found_)) return kStopping();
      Rows rows;
      Horizon horizon;
      const auto visit = [&](const RowView& row) {
        rows.emplace_back(row.key, row.value);
        return rows.size() < kChunkRows;
      };
      const SlotRange range{.table = table_.id, .index = index, .after = after, .passing = true};
      const Status read = db_.store.ScanSlots(range, visit, {.horizon = horizon});
      RETURN_IF_ERROR(check(rows));
      if (!read.ok()) {
        Fault(fmt::format("index {}: a row cannot be read: {}", index, read.message()));
        return Ok();
      }
      more = rows.size() == kChunkRows;
      if (more) after = rows.back().first;
    }
    return Ok();
  }

  Status CheckItems(const Rows& rows) {
    for (const auto& [key, bytes] : rows) {
      ++found_.items;
      const ItemView item(bytes);
      if (!ItemFitsTable(table_, item).ok() || RowKeyOf(table_, item).bytes() != key) {
        Fault("an item does not stand where its key says");
        continue;
      }
      RETURN_IF_ERROR(CheckIndexesOf(item));
    }
    return Ok();
  }

  // Item and index rows are read again, at one moment.
  Status CheckIndexesOf(ItemView item) {
    std::vector<RowKey> keys{RowKeyOf(table_, item)};
    std::vector<const Index*> indexes;
    for (const Index& index : table_.indexes) {
      if (!index.IsReadable()) continue;
      if (std::optional<RowKey> key = IndexRowKeyOf(table_, index, item)) {
        keys.push_back(*std::move(key));
        indexes.push_back(&index);
      }
    }
    if (indexes.empty()) return Ok();
    Horizon horizon;
    std::vector<Row> rows;
    RETURN_IF_ERROR(db_.store.GetAtomic(keys, rows, {.horizon = horizon}));
    if (!rows[0].exists || ItemView(rows[0].value) != item) return Ok();  // it has changed since
    for (size_t i = 0; i < indexes.size(); ++i) {
      const Row& row = rows[i + 1];
      if (!row.exists) {
        Fault(fmt::format("index {}: an item is missing", indexes[i]->name));
      } else if (ItemView(row.value) != ProjectForIndex(table_, *indexes[i], item).view()) {
        Fault(fmt::format("index {}: an item is not what the table has", indexes[i]->name));
      }
    }
    return Ok();
  }

  Status CheckIndexRows(const Index& index, const Rows& rows) {
    for (const auto& [key, bytes] : rows) {
      ++found_.index_rows;
      const ItemView shown(bytes);
      if (!ItemFitsTable(table_, shown).ok()) {
        Fault(fmt::format("index {}: a row without the key of its item", index.name));
        continue;
      }
      const std::optional<RowKey> own = IndexRowKeyOf(table_, index, shown);
      if (!own || own->bytes() != key) {
        Fault(fmt::format("index {}: a row does not stand where its key says", index.name));
        continue;
      }
      const RowKey keys[] = {*own, RowKeyOf(table_, shown)};
      Horizon horizon;
      std::vector<Row> now;
      RETURN_IF_ERROR(db_.store.GetAtomic(keys, now, {.horizon = horizon}));
      if (!now[0].exists) continue;  // it has gone since
      if (!now[1].exists || IndexRowKeyOf(table_, index, ItemView(now[1].value)) != own) {
        Fault(fmt::format("index {}: a row of an item that the table does not have", index.name));
      }
    }
    return Ok();
  }

  // Each change of an item begins with what the change before left, as far back as nothing is missing between.
  Status CheckLog() {
    std::unordered_map<uint64_t, uint64_t> images;  // by key: the last one, both as hashes
    const CommitNumber whole_from = table_.recovery.enabled ? table_.recovery.since.commit : db_.store.LogEnd();
    LogPosition at, end = LogPosition::AfterCommit(db_.store.LogEnd());
    const auto visit = [&](const LogView& record) {
      CheckRecord(record, whole_from, images);
      return true;
    };
    while (at < end) {
      if (!progress_(found_)) return kStopping();
      Result<LogPosition> read = db_.store.ReadLog({.table = table_.id, .after = at, .through = end.commit}, visit);
      if (!read.ok()) {
        Fault("the log cannot be read on: " + std::string(read.error().message()));
        return Ok();
      }
      at = *read;
    }
    return Ok();
  }

  void CheckRecord(const LogView& record, CommitNumber whole_from, std::unordered_map<uint64_t, uint64_t>& images) {
    ++found_.log_records;
    const std::optional<ItemChange> change = DecodeChange(record.body);
    if (!change) return Fault(fmt::format("the log's record of commit {} cannot be read", record.at.commit));
    if (record.at.commit <= whole_from) return;
    const auto hash_of = [](std::optional<ItemView> image) { return image ? Hash64(image->bytes()) : 0; };
    const uint64_t key = Hash64(RowKeyOf(table_, change->before ? *change->before : *change->after).bytes());
    const auto [last, fresh] = images.try_emplace(key, hash_of(change->after));
    if (fresh) return;
    if (last->second != hash_of(change->before)) {
      Fault(fmt::format("the log's record of commit {} does not go on from the one before", record.at.commit));
    }
    last->second = hash_of(change->after);
  }

  const Database& db_;
  const Table& table_;
  const VerifyProgress progress_;
  Verification& found_;
};

}  // namespace

Status VerifyTable(const Database& db, const Table& table, VerifyProgress progress, Verification& found) {
  return TableCheck(db, table, progress, found).Run();
}

}  // namespace keyfold
