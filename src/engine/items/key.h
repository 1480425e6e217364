// Keys of items: whether a key or an item fits its table, and the keys of its rows.
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

namespace keyfold::engine {

inline constexpr Rule<"The provided key element does not match the schema"> kKeyMismatch{"key-mismatch",
                                                                                         Kind::kValidation};

// Checks that `key` has exactly the table's key attributes, of the right types, neither empty nor too long.
Status KeyFitsTable(const Table& table, ItemView key);

// Checks that `item` has the table's key attributes, of the right types, neither empty nor too long.
Status ItemFitsTable(const Table& table, ItemView item);

// As ItemFitsTable, with BatchWriteItem's less specific error.
Status BatchItemFitsTable(const Table& table, ItemView item);

// Checks that an attribute that is a key of an index has the index's type and is not empty, and that no side of the
// index's key is too long. The attribute may be absent.
Status ItemFitsIndexes(const Table& table, ItemView item);
// The same for one value that will become attribute `name`.
Status ValueFitsIndexes(const Table& table, std::string_view name, ValueView value);
// The same for the result of an update of `before`, with an update's wording. Attributes that it did not change are not
// checked, since they may be older than the index.
Status UpdatedItemFitsIndexes(const Table& table, std::optional<ItemView> before, ItemView item);

// Key attributes of the table and of its indexes are scalars: returns an error for a path into one.
Status PathStaysOutOfKeys(const Table& table, std::string_view root);

// The same for every path of a projection or condition.
Status KeepsKeysWhole(const Table& table, const expr::Projection& projection);
Status KeepsKeysWhole(const Table& table, const expr::Condition& condition);

// The row of an item in its table. The item must fit the table.
store::RowKey RowKeyOf(const Table& table, ItemView item);

// The row of an item in an index. Its partition is made of the index's partition attributes; its sort key of the
// index's sort attributes and then the base key, which makes it unique (a local index shares the table's partition, so
// only the base sort key follows). Returns nullopt if the item lacks one of the index's key attributes or one does not
// fit: the item is then not in the index.
std::optional<store::RowKey> IndexRowKeyOf(const Table& table, const Index& index, ItemView item);

// The concatenated encodings of the attributes, all of which must be present and fit.
std::string EncodeAttributes(const std::vector<KeyAttribute>& attributes, ItemView item);

// Only the key attributes: of the table, or of the table and `index` (LastEvaluatedKey).
Item KeyPart(const Table& table, const Index* index, ItemView item);

// The attributes of an item with the given names, found in one walk.
Item WithAttributes(ItemView item, std::vector<std::string_view> names);

// The attributes of an item that its table's and indexes' keys can name. Key lookups happen several times per index and
// walk the item each time, so for a large item only these attributes are kept. Borrows the item.
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
  std::optional<Item> kept_;  // set for a large item
};

// If the table has local indexes, all item rows that share a partition key form one collection, and a row of this index
// stores its size.
inline constexpr store::IndexId kCollectionIndex = 0xFFFF;

}  // namespace keyfold::engine
