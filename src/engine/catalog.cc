#include "engine/catalog.h"

#include <algorithm>

#include "base/bytes.h"

namespace keyfold {
namespace {

constexpr Rule<"The catalog entry {} was written by a newer version of Keyfold, or is damaged"> kUnreadableEntry{
    "catalog-entry-unreadable", Kind::kInternal};

// Entry names in the store: "t/NAME" a table, "s" the state beside the tables.
constexpr std::string_view kTablePrefix = "t/";
constexpr std::string_view kStateName = "s";

std::string EncodeState(const CatalogSnapshot& snapshot) {
  std::string out;
  AppendU32(out, snapshot.next_table_id);
  for (const auto& [table, index] : snapshot.purges) {
    AppendU32(out, table);
    AppendU16(out, index);
  }
  return out;
}

bool DecodeState(std::string_view bytes, CatalogSnapshot& snapshot) {
  ByteReader in(bytes);
  snapshot.next_table_id = in.U32();
  while (in.ok() && !in.at_end()) {
    const TableId table = in.U32();
    const IndexId index = in.U16();
    snapshot.purges.emplace_back(table, index);
  }
  return in.ok();
}

// The snapshot after `edit`, and the store entries that make it so.
CatalogSnapshot Apply(const CatalogSnapshot& before, CatalogEdit edit, std::vector<CatalogChange>& changes) {
  CatalogSnapshot after = before;
  after.version = before.version + 1;
  for (const std::string& name : edit.removes) {
    after.tables.erase(name);
    changes.push_back({std::string(kTablePrefix) + name, std::nullopt});
  }
  for (Table& table : edit.puts) {
    changes.push_back({std::string(kTablePrefix) + table.name, EncodeTable(table)});
    std::string name = table.name;
    after.tables[std::move(name)] = std::make_shared<const Table>(std::move(table));
  }
  if (edit.next_table_id != 0) after.next_table_id = edit.next_table_id;
  for (const auto& purge : edit.purges_added) after.purges.push_back(purge);
  for (const auto& purge : edit.purges_done) {
    after.purges.erase(std::remove(after.purges.begin(), after.purges.end(), purge), after.purges.end());
  }
  std::string state = EncodeState(after);
  if (state != EncodeState(before)) changes.push_back({std::string(kStateName), std::move(state)});
  return after;
}

}  // namespace

Result<std::unique_ptr<Catalog>> Catalog::Open(Store& store) {
  std::unique_ptr<Catalog> catalog(new Catalog(store));
  std::lock_guard one_change(catalog->change_mutex_);
  RETURN_IF_ERROR(catalog->Load());
  return catalog;
}

Status Catalog::Load() {
  const CatalogState state = store_.ReadCatalog();
  auto snapshot = std::make_shared<CatalogSnapshot>();
  snapshot->version = state.version;
  for (const auto& [name, bytes] : state.entries) {
    if (name == kStateName) {
      if (!DecodeState(bytes, *snapshot)) return kUnreadableEntry(name);
      continue;
    }
    std::optional<Table> table = DecodeTable(bytes);
    if (!table) return kUnreadableEntry(name);
    std::string table_name = table->name;
    snapshot->tables[std::move(table_name)] = std::make_shared<const Table>(*std::move(table));
  }
  SetCurrent(std::move(snapshot));
  return Ok();
}

void Catalog::SetCurrent(SnapshotPtr snapshot) {
  std::lock_guard lock(current_mutex_);
  current_ = std::move(snapshot);
}

SnapshotPtr Catalog::Current() const {
  std::lock_guard lock(current_mutex_);
  return current_;
}

Status Catalog::Change(FunctionRef<Status(const CatalogSnapshot&, CatalogEdit&)> edit) {
  std::lock_guard one_change(change_mutex_);
  while (true) {
    const SnapshotPtr before = Current();
    CatalogEdit edited;
    RETURN_IF_ERROR(edit(*before, edited));
    std::vector<CatalogChange> changes;
    auto after = std::make_shared<const CatalogSnapshot>(Apply(*before, std::move(edited), changes));
    if (changes.empty()) return Ok();
    Status status = store_.WriteCatalog(before->version, changes);
    if (status.ok()) SetCurrent(std::move(after));
    if (status.ok() || status.kind() != Kind::kStale) return status;
    RETURN_IF_ERROR(Load());
  }
}

Status Catalog::CatchUp(CatalogVersion planned) {
  std::lock_guard one_change(change_mutex_);
  return Current()->version == planned ? Load() : Ok();
}

}  // namespace keyfold
