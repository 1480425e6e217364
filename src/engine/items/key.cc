#include "engine/items/key.h"

#include <algorithm>

#include "expr/key_condition.h"
#include "store/key_encoding.h"
#include "value/limits.h"

namespace keyfold::engine {
namespace {

constexpr Rule<"One or more parameter values were invalid: Missing the key {} in the item"> kKeyMissing{
    "key-missing", Kind::kValidation};
constexpr Rule<"One or more parameter values were invalid: Type mismatch for key {} expected: {} actual: {}"> kKeyType{
    "key-type", Kind::kValidation};
constexpr Rule<
    "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes">
    kPartitionKeySize{"partition-key-size", Kind::kValidation};
constexpr Rule<
    "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 "
    "bytes">
    kSortKeySize{"sort-key-size", Kind::kValidation};
constexpr Rule<
    "One or more parameter values were invalid: Type mismatch for Index Key {} Expected: {} Actual: {} IndexName: {}">
    kIndexKeyType{"index-key-type", Kind::kValidation};
constexpr Rule<"The update expression attempted to update the secondary index key to unsupported type">
    kIndexKeyTypeUpdated{"index-key-type-updated", Kind::kValidation};
constexpr Rule<
    "One or more parameter values are not valid. A value specified for a secondary index key is not supported. The "
    "AttributeValue for a key attribute cannot contain an empty {} value. IndexName: {}, IndexKey: {}">
    kIndexKeyEmpty{"index-key-empty", Kind::kValidation};
constexpr Rule<
    "The update expression attempted to update a secondary index key to a value that is not supported. The "
    "AttributeValue for a key attribute cannot contain an empty {} value.">
    kIndexKeyEmptyUpdated{"index-key-empty-updated", Kind::kValidation};

constexpr Rule<"Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: {}: {}">
    kNestedKey{"nested-key", Kind::kValidation};

size_t KeyBytes(ValueView value) { return value.type() == Type::kN ? 0 : value.AsText().size(); }
bool IsEmptyText(ValueView value) { return value.type() != Type::kN && value.AsText().empty(); }
std::string_view Noun(Type type) { return type == Type::kS ? "string" : "binary"; }

Status SideIsShort(size_t bytes, bool is_partition) {
  if (is_partition && bytes > kPartitionKeyBytesMax) return kPartitionKeySize();
  if (!is_partition && bytes > kSortKeyBytesMax) return kSortKeySize();
  return Ok();
}

// Checks one side of a key: no value is empty, and the side is not too long. All attributes are present and have the
// right type.
Status SideIsInBounds(const std::vector<KeyAttribute>& side, ItemView item, bool is_partition) {
  size_t bytes = 0;
  for (const KeyAttribute& part : side) {
    const ValueView value = *item.Find(part.name);
    if (IsEmptyText(value)) return expr::kKeyEmpty(Noun(part.type), part.name);
    bytes += KeyBytes(value);
  }
  return SideIsShort(bytes, is_partition);
}

Status KeyIsInBounds(const KeySchema& key, ItemView item) {
  RETURN_IF_ERROR(SideIsInBounds(key.partition, item, true));
  return SideIsInBounds(key.sort, item, false);
}

// Checks that `item` has the table's key attributes and that they fit. Its error does not name the attribute that is
// missing or has another type.
Status HasKeyOfTable(const Table& table, ItemView item) {
  for (const KeyAttribute& part : table.key.attributes()) {
    const auto value = item.Find(part.name);
    if (!value || value->type() != part.type) return kKeyMismatch();
  }
  return KeyIsInBounds(table.key, item);
}

enum class Wording : uint8_t { kPut, kUpdate };

Status IndexAttributeFits(const Index& index, const KeyAttribute& part, ValueView value, Wording wording) {
  const bool updated = wording == Wording::kUpdate;
  if (value.type() != part.type) {
    if (updated) return kIndexKeyTypeUpdated();
    return kIndexKeyType(part.name, part.type, value.type(), index.name);
  }
  if (IsEmptyText(value)) {
    if (updated) return kIndexKeyEmptyUpdated(Noun(part.type));
    return kIndexKeyEmpty(Noun(part.type), index.name, part.name);
  }
  return Ok();
}

// Checks one side of an index's key: the attributes that differ from `before` and, if there are any, the side's total
// size.
Status IndexSideFits(const Index& index, bool is_partition, ItemView item, std::optional<ItemView> before,
                     Wording wording) {
  size_t bytes = 0;
  bool changed = false;
  for (const KeyAttribute& part : is_partition ? index.key.partition : index.key.sort) {
    const auto value = item.Find(part.name);
    if (!value) continue;
    if (!before || before->Find(part.name) != value) {
      RETURN_IF_ERROR(IndexAttributeFits(index, part, *value, wording));
      changed = true;
    }
    if (value->type() == part.type) bytes += KeyBytes(*value);
  }
  return changed ? SideIsShort(bytes, is_partition) : Ok();
}

Status AttributesFitIndexes(const Table& table, ItemView whole, std::optional<ItemView> whole_before, Wording wording) {
  if (table.indexes.empty()) return Ok();
  const KeyAttributes item(table, whole);
  std::optional<KeyAttributes> old;
  if (whole_before) old.emplace(table, *whole_before);
  const std::optional<ItemView> before = old ? std::optional(old->view()) : std::nullopt;
  for (const Index& index : table.indexes) {
    if (!index.IsMaintained()) continue;
    RETURN_IF_ERROR(IndexSideFits(index, true, item.view(), before, wording));
    RETURN_IF_ERROR(IndexSideFits(index, false, item.view(), before, wording));
  }
  return Ok();
}

bool AppendIfFits(const std::vector<KeyAttribute>& side, ItemView item, size_t bytes_max, std::string& out) {
  size_t bytes = 0;
  for (const KeyAttribute& part : side) {
    const auto value = item.Find(part.name);
    if (!value || value->type() != part.type || IsEmptyText(*value)) return false;
    bytes += KeyBytes(*value);
    store::AppendKeyPart(out, *value);
  }
  return bytes <= bytes_max;
}

}  // namespace

Status KeyFitsTable(const Table& table, ItemView key) {
  if (key.count() != table.key.attributes().size()) return kKeyMismatch();
  return HasKeyOfTable(table, key);
}

Status ItemFitsTable(const Table& table, ItemView item) {
  for (const KeyAttribute& part : table.key.attributes()) {
    const auto value = item.Find(part.name);
    if (!value) return kKeyMissing(part.name);
    if (value->type() != part.type) return kKeyType(part.name, part.type, value->type());
    if (IsEmptyText(*value)) return expr::kKeyEmpty(Noun(part.type), part.name);
  }
  return KeyIsInBounds(table.key, item);
}

Status BatchItemFitsTable(const Table& table, ItemView item) { return HasKeyOfTable(table, item); }

Status KeepsKeysWhole(const Table& table, const expr::Projection& projection) {
  for (const expr::Path& path : projection.paths) {
    if (!path.steps.empty()) RETURN_IF_ERROR(PathStaysOutOfKeys(table, path.root));
  }
  return Ok();
}

Status KeepsKeysWhole(const Table& table, const expr::Condition& condition) {
  for (const expr::Condition& child : condition.children) RETURN_IF_ERROR(KeepsKeysWhole(table, child));
  for (const expr::Operand& operand : condition.operands) {
    if (!operand.path.steps.empty()) RETURN_IF_ERROR(PathStaysOutOfKeys(table, operand.path.root));
  }
  return Ok();
}

Status ItemFitsIndexes(const Table& table, ItemView item) {
  return AttributesFitIndexes(table, item, std::nullopt, Wording::kPut);
}

Status UpdatedItemFitsIndexes(const Table& table, std::optional<ItemView> before, ItemView item) {
  return AttributesFitIndexes(table, item, before, Wording::kUpdate);
}

Status ValueFitsIndexes(const Table& table, std::string_view name, ValueView value) {
  for (const Index& index : table.indexes) {
    if (!index.IsMaintained() || table.key.Names(name)) continue;
    for (const auto* side : {&index.key.partition, &index.key.sort}) {
      for (const KeyAttribute& part : *side) {
        if (part.name != name) continue;
        RETURN_IF_ERROR(IndexAttributeFits(index, part, value, Wording::kPut));
        RETURN_IF_ERROR(SideIsShort(KeyBytes(value), side == &index.key.partition));
      }
    }
  }
  return Ok();
}

Status PathStaysOutOfKeys(const Table& table, std::string_view root) {
  if (table.key.Names(root)) return kNestedKey(std::string_view("Key"), root);
  for (const Index& index : table.indexes) {
    if (index.key.Names(root)) return kNestedKey(std::string_view("IndexKey"), root);
  }
  return Ok();
}

std::string EncodeAttributes(const std::vector<KeyAttribute>& attributes, ItemView item) {
  std::string out;
  for (const KeyAttribute& part : attributes) store::AppendKeyPart(out, *item.Find(part.name));
  return out;
}

store::RowKey RowKeyOf(const Table& table, ItemView item) {
  return store::RowKey(table.id, store::kBaseTable, EncodeAttributes(table.key.partition, item),
                       EncodeAttributes(table.key.sort, item));
}

std::optional<store::RowKey> IndexRowKeyOf(const Table& table, const Index& index, ItemView item) {
  std::string partition, sort;
  if (!AppendIfFits(index.key.partition, item, kPartitionKeyBytesMax, partition)) return std::nullopt;
  if (!AppendIfFits(index.key.sort, item, kSortKeyBytesMax, sort)) return std::nullopt;
  if (index.global) sort += EncodeAttributes(table.key.partition, item);
  sort += EncodeAttributes(table.key.sort, item);
  return store::RowKey(table.id, index.id, partition, sort);
}

Item KeyPart(const Table& table, const Index* index, ItemView item) {
  std::string bytes;
  ValueWriter writer(bytes);
  writer.BeginItem();
  for (const Entry e : item.entries()) {
    if (!table.key.Names(e.name) && !(index && index->key.Names(e.name))) continue;
    writer.Name(e.name);
    writer.Copy(e.value);
  }
  writer.EndMap();
  return Item(std::move(bytes));
}

Item WithAttributes(ItemView item, std::vector<std::string_view> names) {
  std::sort(names.begin(), names.end());
  std::string bytes;
  ValueWriter writer(bytes);
  writer.BeginItem();
  auto name = names.begin();
  for (const Entry& e : item.entries()) {
    int order = -1;
    while (name != names.end() && (order = name->compare(e.name)) < 0) ++name;
    if (name == names.end()) break;
    if (order > 0) continue;
    writer.Name(e.name);
    writer.Copy(e.value);
  }
  writer.EndMap();
  return Item(std::move(bytes));
}

void KeyAttributes::Keep(const Table& table) {
  std::vector<std::string_view> names;
  const auto add = [&](const KeySchema& key) {
    for (const KeyAttribute& part : key.attributes()) names.push_back(part.name);
  };
  add(table.key);
  for (const Index& index : table.indexes) add(index.key);
  kept_ = WithAttributes(item_, std::move(names));
}

}  // namespace keyfold::engine
