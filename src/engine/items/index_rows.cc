#include "engine/items/index_rows.h"

#include <algorithm>

#include "engine/items/key.h"

namespace keyfold::engine {
namespace {

bool IsProjected(const Table& table, const Index& index, std::string_view attribute) {
  if (table.key.Names(attribute) || index.key.Names(attribute)) return true;
  return std::find(index.included.begin(), index.included.end(), attribute) != index.included.end();
}

std::vector<std::string_view> ProjectedNames(const Table& table, const Index& index) {
  std::vector<std::string_view> names(index.included.begin(), index.included.end());
  for (const KeySchema* key : {&table.key, &index.key}) {
    for (const KeyAttribute& part : key->attributes()) names.push_back(part.name);
  }
  return names;
}

// An item as it is stored in an index.
struct IndexCopy {
  ItemView whole;
  std::optional<Item> projected;  // nullopt for ProjectionKind::kAll, which stores the item itself
  size_t bytes = 0;

  // Not cached: the bytes of a small projection move when the struct is moved.
  ItemView shown() const { return projected ? projected->view() : whole; }
};

IndexCopy MakeCopy(const Table& table, const Index& index, const SizedItem& item) {
  IndexCopy copy{item.view, std::nullopt, item.bytes};
  if (index.projection == ProjectionKind::kAll) return copy;
  copy.projected = ProjectForIndex(table, index, item.view);
  copy.bytes = ItemSize(*copy.projected);
  return copy;
}

bool SameValues(const std::vector<KeyAttribute>& side, ItemView a, ItemView b) {
  return std::all_of(side.begin(), side.end(),
                     [&](const KeyAttribute& part) { return a.Find(part.name) == b.Find(part.name); });
}

// An item's row keys in an index before and after a change. Most updates do not change the key; it is then made once.
struct Places {
  Places(const Table& table, const Index& index, std::optional<ItemView> before, std::optional<ItemView> after) {
    if (after) to = IndexRowKeyOf(table, index, *after);
    unmoved = before && after && SameValues(index.key.partition, *before, *after) &&
              SameValues(index.key.sort, *before, *after);
    if (before && !unmoved) from = IndexRowKeyOf(table, index, *before);
    if (from && to && *from == *to) unmoved = true;
    existed = unmoved ? to.has_value() : from.has_value();
  }

  std::optional<store::RowKey> to;
  std::optional<store::RowKey> from;  // set if it differs
  bool unmoved;
  bool existed;
};

}  // namespace

Item ProjectForIndex(const Table& table, const Index& index, ItemView item) {
  if (index.projection == ProjectionKind::kAll) return Item(item);
  if (item.bytes().size() >= KeyAttributes::kLargeItemBytes) return WithAttributes(item, ProjectedNames(table, index));
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

IndexUpdate UpdateIndexRows(const Table& table, const std::optional<SizedItem>& before,
                            const std::optional<SizedItem>& after, store::Changes& changes) {
  IndexUpdate result;
  if (table.indexes.empty() || (before && after && before->view == after->view)) return result;
  std::optional<KeyAttributes> from, to;
  if (before) from.emplace(table, before->view);
  if (after) to.emplace(table, after->view);
  for (const Index& index : table.indexes) {
    if (!index.IsMaintained()) continue;
    Places places(table, index, from ? std::optional(from->view()) : std::nullopt,
                  to ? std::optional(to->view()) : std::nullopt);
    std::optional<IndexCopy> old_copy, new_copy;
    if (places.existed) old_copy = MakeCopy(table, index, *before);
    if (places.to) new_copy = MakeCopy(table, index, *after);
    IndexRowChange change{.existed = places.existed, .exists = places.to.has_value()};
    if (old_copy) change.bytes_before = old_copy->bytes;
    if (new_copy) change.bytes_after = new_copy->bytes;
    change.same_key = old_copy && new_copy && places.unmoved;
    change.same_content = change.same_key && old_copy->shown() == new_copy->shown();

    const double units = IndexWriteUnits(change);
    if (units > 0) result.units.AddIndex(index.id, units);
    const int64_t grown = static_cast<int64_t>(change.bytes_after) - static_cast<int64_t>(change.bytes_before);
    changes.AddTally(table.id, index.id, int{change.exists} - int{change.existed}, grown);
    if (!index.global) {
      result.local_bytes += grown;
      result.local_bytes_after += change.bytes_after;
    }
    if (old_copy && !change.same_key) changes.Delete(std::move(*places.from));
    if (new_copy && !change.same_content) changes.Put(std::move(*places.to), std::string(new_copy->shown().bytes()));
  }
  return result;
}

}  // namespace keyfold::engine
