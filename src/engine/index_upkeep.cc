#include "engine/index_upkeep.h"

#include <algorithm>

#include "engine/key.h"

namespace keyfold {
namespace {

bool IsProjected(const Table& table, const Index& index, std::string_view attribute) {
  if (table.key.Names(attribute) || index.key.Names(attribute)) return true;
  return std::find(index.included.begin(), index.included.end(), attribute) != index.included.end();
}

struct IndexRow {
  RowKey key;
  ItemView whole;                 // the item
  std::optional<Item> projected;  // none for ProjectionKind::kAll, where the item itself is shown
  size_t bytes = 0;

  // Made when asked for: the bytes of a small projection move with the row.
  ItemView shown() const { return projected ? projected->view() : whole; }
};

std::optional<IndexRow> MakeRow(const Table& table, const Index& index, std::optional<ItemView> item) {
  if (!item) return std::nullopt;
  std::optional<RowKey> key = IndexRowKeyOf(table, index, *item);
  if (!key) return std::nullopt;
  IndexRow row{*std::move(key), *item, std::nullopt, 0};
  if (index.projection != ProjectionKind::kAll) row.projected = ProjectForIndex(table, index, *item);
  row.bytes = ItemSize(row.shown());
  return row;
}

}  // namespace

Item ProjectForIndex(const Table& table, const Index& index, ItemView item) {
  if (index.projection == ProjectionKind::kAll) return Item(item);
  std::string bytes;
  ValueWriter writer(bytes);
  writer.BeginItem();
  for (const Entry e : item.entries()) {
    if (!IsProjected(table, index, e.name)) continue;
    writer.Name(e.name);
    writer.Copy(e.value);
  }
  writer.EndMap();
  return Item(std::move(bytes));
}

UpkeepResult UpkeepIndexes(const Table& table, std::optional<ItemView> before, std::optional<ItemView> after,
                           Changes& changes) {
  UpkeepResult result;
  if (before && after && *before == *after) return result;
  for (const Index& index : table.indexes) {
    if (!index.IsMaintained()) continue;
    std::optional<IndexRow> old_row = MakeRow(table, index, before);
    std::optional<IndexRow> new_row = MakeRow(table, index, after);
    IndexRowChange change{.existed = old_row.has_value(), .exists = new_row.has_value()};
    if (old_row) change.bytes_before = old_row->bytes;
    if (new_row) change.bytes_after = new_row->bytes;
    change.same_key = old_row && new_row && old_row->key == new_row->key;
    change.same_content = change.same_key && old_row->shown() == new_row->shown();

    const double units = IndexWriteUnits(change);
    if (units > 0) result.units.AddIndex(index.id, units);
    const int64_t grown = static_cast<int64_t>(change.bytes_after) - static_cast<int64_t>(change.bytes_before);
    changes.Tallied(table.id, index.id, int{change.exists} - int{change.existed}, grown);
    if (!index.global) {
      result.local_bytes += grown;
      result.local_bytes_after += change.bytes_after;
    }
    if (old_row && !change.same_key) changes.Delete(std::move(old_row->key));
    if (new_row && !change.same_content) changes.Put(std::move(new_row->key), std::string(new_row->shown().bytes()));
  }
  return result;
}

}  // namespace keyfold
