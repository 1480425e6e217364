// Keys of items: whether a key or an item fits its table, and where its rows stand.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "engine/catalog/table.h"
#include "expr/condition.h"
#include "expr/projection.h"
#include "store/row_key.h"
#include "value/item.h"

namespace keyfold {

inline constexpr Rule<"The provided key element does not match the schema"> kKeyMismatch{"key-mismatch",
                                                                                         Kind::kValidation};

// `key` has just the table's key attributes, of their types, not empty, not too long.
Status KeyFitsTable(const Table& table, ItemView key);

// `item` has the table's key attributes, of their types, not empty, not too long.
Status ItemFitsTable(const Table& table, ItemView item);

// The same in a batch, whose wording knows no details.
Status BatchItemFitsTable(const Table& table, ItemView item);

// An attribute that is a key of an index has the index's type and is not empty, and no side of the index's key is too
// long; absent is fine.
Status ItemFitsIndexes(const Table& table, ItemView item);
// The same for one value that is to become attribute `name`.
Status ValueFitsIndexes(const Table& table, std::string_view name, ValueView value);
// The same for what came out of an update of `before`, with an update's wording; an attribute it left alone is not
// looked at, since it may be older than the index.
Status UpdatedItemFitsIndexes(const Table& table, std::optional<ItemView> before, ItemView item);

// Key attributes, of the table and of its indexes, are scalars: no path leads into them.
Status PathStaysOutOfKeys(const Table& table, std::string_view root);

// The same for every path of a projection or condition.
Status KeepsKeysWhole(const Table& table, const Projection& projection);
Status KeepsKeysWhole(const Table& table, const Condition& condition);

// The row of an item in its table; the item fits it.
RowKey RowKeyOf(const Table& table, ItemView item);

// The row of an item in an index: partition by the index's partition attributes; sort by its sort attributes, then by
// the base key, which makes it unique (a local index shares the table's partition, so only the base sort key follows).
// Nothing where the item lacks one of the index's key attributes, or one does not fit: then it is not in the index.
std::optional<RowKey> IndexRowKeyOf(const Table& table, const Index& index, ItemView item);

// Encodings strung together; every attribute is present and fits.
std::string EncodeAttributes(const std::vector<KeyAttribute>& attributes, ItemView item);

// Just the key attributes: of the table, or for an index of both (LastEvaluatedKey).
Item KeyPart(const Table& table, const Index* index, ItemView item);

// The attributes of an item that have one of the names, found in one walk.
Item WithAttributes(ItemView item, std::vector<std::string_view> names);

// What of an item the keys of its table and of its indexes can name. It is asked for several times for each index,
// which is a walk over the item each time, so that of a large item only these attributes are kept. Borrows the item.
class KeyAttributes {
 public:
  static constexpr size_t kLargeItemBytes = 4096;

  KeyAttributes(const Table& table, ItemView item) : item_(item) {
    if (item.bytes().size() >= kLargeItemBytes) Keep(table);
  }
  ItemView view() const { return kept_ ? kept_->view() : item_; }

 private:
  void Keep(const Table& table);

  ItemView item_;
  std::optional<Item> kept_;  // of a large item
};

// All item rows that share a partition key count towards one collection when the table has local indexes; this row
// keeps its size.
inline constexpr IndexId kCollectionIndex = 0xFFFF;

}  // namespace keyfold
