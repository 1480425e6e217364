#include "testing/embedded/table_audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/bytes.h"
#include "base/check.h"
#include "engine/items/key.h"
#include "value/item.h"
#include "value/number.h"

namespace keyfold::embedded {
namespace {

constexpr size_t kPartitionBytesMax = 2048, kSortBytesMax = 1024;

// Whether every attribute is present, has its type and is not empty, and together they are not too long.
bool HasKeySide(const std::vector<KeyAttribute>& side, ItemView item, size_t bytes_max) {
  size_t bytes = 0;
  for (const KeyAttribute& part : side) {
    const std::optional<ValueView> value = item.Find(part.name);
    if (!value || value->type() != part.type) return false;
    if (part.type == Type::kN) continue;
    if (value->AsText().empty()) return false;
    bytes += value->AsText().size();
  }
  return bytes <= bytes_max;
}

bool Shows(const engine::Table& table, const engine::Index& index, std::string_view attribute) {
  const auto& included = index.included;
  return index.projection == engine::ProjectionKind::kAll || table.key.Names(attribute) || index.key.Names(attribute) ||
         std::find(included.begin(), included.end(), attribute) != included.end();
}

// The item as the index stores it; nullopt if it is not in the index.
std::optional<std::string> ExpectedRow(const engine::Table& table, const engine::Index& index, ItemView item) {
  if (!HasKeySide(index.key.partition, item, kPartitionBytesMax)) return std::nullopt;
  if (!HasKeySide(index.key.sort, item, kSortBytesMax)) return std::nullopt;
  std::string bytes;
  ValueWriter writer(bytes);
  writer.BeginItem();
  for (const Entry e : item.entries()) {
    if (!Shows(table, index, e.name)) continue;
    writer.Name(e.name);
    writer.Copy(e.value);
  }
  writer.EndMap();
  return bytes;
}

std::vector<std::string> SortedValues(const StoredRows& rows) {
  std::vector<std::string> values;
  for (const auto& [key, value] : rows) values.push_back(value);
  std::sort(values.begin(), values.end());
  return values;
}

std::string CheckTally(store::Store& store, const engine::Table& table, store::IndexId index, const StoredRows& rows) {
  int64_t bytes = 0;
  for (const auto& [key, value] : rows) {
    if (!IsWellFormedItem(value)) return fmt::format("{} index {}: a row is not an item", table.name, index);
    bytes += static_cast<int64_t>(ItemSize(ItemView(value)));
  }
  const store::Tally tally = store.ReadTally(table.id, index);
  if (tally.rows == static_cast<int64_t>(rows.size()) && tally.bytes == bytes) return {};
  return fmt::format("{} index {}: counted {} rows of {} bytes, holds {} of {}", table.name, index, tally.rows,
                     tally.bytes, rows.size(), bytes);
}

using Collections = std::map<std::string, int64_t>;  // row key, bytes

std::string CheckIndex(store::Store& store, const engine::Table& table, const engine::Index& index,
                       const StoredRows& items, Collections& collections) {
  std::vector<std::string> expected;
  for (const auto& [key, value] : items) {
    std::optional<std::string> row = ExpectedRow(table, index, ItemView(value));
    if (!row) continue;
    if (!index.global) {
      const std::string partition = engine::EncodeAttributes(table.key.partition, ItemView(value));
      collections[store::RowKey(table.id, engine::kCollectionIndex, partition, {}).bytes()] +=
          static_cast<int64_t>(ItemSize(ItemView(*row)));
    }
    expected.push_back(*std::move(row));
  }
  std::sort(expected.begin(), expected.end());
  const StoredRows rows = ReadRows(store, table.id, index.id);
  if (SortedValues(rows) != expected) {
    return fmt::format("{} index {}: {} rows are not the {} that follow from the items", table.name, index.name,
                       rows.size(), expected.size());
  }
  return CheckTally(store, table, index.id, rows);
}

std::string CheckCollections(store::Store& store, const engine::Table& table, const StoredRows& items,
                             Collections& collections) {
  for (const auto& [key, value] : items) {
    const std::string partition = engine::EncodeAttributes(table.key.partition, ItemView(value));
    collections[store::RowKey(table.id, engine::kCollectionIndex, partition, {}).bytes()] +=
        static_cast<int64_t>(ItemSize(ItemView(value)));
  }
  Collections kept;
  for (const auto& [key, value] : ReadRows(store, table.id, engine::kCollectionIndex)) {
    kept[key] = static_cast<int64_t>(LoadU64(value.data()));
  }
  if (kept == collections) return {};
  return fmt::format("{}: sizes of item collections do not follow from the items", table.name);
}

// The second given by the attribute's value, rounded up; nullopt if the value is not a valid time.
std::optional<uint64_t> ExpectedExpiry(const engine::Table& table, ItemView item) {
  const std::optional<ValueView> value = item.Find(table.expiry.attribute);
  if (!value || value->type() != Type::kN) return std::nullopt;
  const std::string text = Number::Decode(value->AsEncodedNumber()).ToString();
  const std::string whole = text.substr(0, text.find('.'));
  if (text[0] == '-' || whole.size() > 13 || std::stoull(whole) >= uint64_t{1} << 40) return std::nullopt;
  return std::stoull(whole) + (whole == text ? 0 : 1);
}

std::string CheckExpiry(store::Store& store, const engine::Table& table, const StoredRows& items) {
  std::vector<std::string> expected, found;
  for (const auto& [key, value] : items) {
    const std::optional<uint64_t> second = ExpectedExpiry(table, ItemView(value));
    if (!second) continue;
    expected.emplace_back();
    AppendU64(expected.back(), *second);
    expected.back().append(key.substr(store::RowKey::kHeaderBytes));
  }
  for (const auto& [key, value] : ReadRows(store, table.id, table.expiry.index)) {
    found.push_back(key.substr(store::RowKey::kHeaderBytes + 1));
  }
  std::sort(expected.begin(), expected.end());
  std::sort(found.begin(), found.end());
  if (found == expected) return {};
  return fmt::format("{}: {} expiry rows are not the {} that follow from the items", table.name, found.size(),
                     expected.size());
}

}  // namespace

StoredRows ReadRows(store::Store& store, store::TableId table, store::IndexId index) {
  StoredRows rows;
  store::Horizon horizon;
  store::SlotRange range;
  range.table = table;
  range.index = index;
  const auto take = [&](const store::RowView& row) {
    rows.emplace_back(row.key, row.value);
    return true;
  };
  CHECK(store.ScanSlots(range, take, {horizon}).ok());
  return rows;
}

std::string AuditTable(store::Store& store, const engine::Table& table) {
  const StoredRows items = ReadRows(store, table.id, store::kBaseTable);
  if (std::string wrong = CheckTally(store, table, store::kBaseTable, items); !wrong.empty()) return wrong;
  Collections collections;
  for (const engine::Index& index : table.indexes) {
    if (std::string wrong = CheckIndex(store, table, index, items, collections); !wrong.empty()) return wrong;
  }
  if (table.expiry.enabled) {
    if (std::string wrong = CheckExpiry(store, table, items); !wrong.empty()) return wrong;
  }
  return table.HasLocalIndexes() ? CheckCollections(store, table, items, collections) : std::string();
}

}  // namespace keyfold::embedded
