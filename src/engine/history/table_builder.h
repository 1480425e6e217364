// TableBuilder: fills an invisible table from its items in key order: rows, index rows, collections and tallies,
// through the store's Ingest. Used by restores and imports.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "engine/background/jobs.h"
#include "engine/catalog/table.h"
#include "files/folder.h"
#include "files/sorter.h"
#include "store/store.h"
#include "value/item.h"

namespace keyfold::engine {

// Used by one thread at a time. Has no effect without Finish.
class TableBuilder {
 public:
  // `table` outlives it. Index rows are sorted in `scratch`.
  static Result<std::unique_ptr<TableBuilder>> Begin(store::Store& store, const Table& table,
                                                     const files::Folder& scratch);

  // `place` is the part of the item's RowKey::bytes() after the table's id. Places are strictly ascending.
  Status Add(std::string_view place, ItemView item);
  // Makes the added items the table's content, durably. After a crash in here, the table's rows must be purged and its
  // id must not be used again. This is the last step of `job`.
  Status Finish(Job& job);

  int64_t items() const { return tallies_.at(store::kBaseTable).rows; }
  int64_t bytes() const { return tallies_.at(store::kBaseTable).bytes; }

 private:
  TableBuilder(const Table& table, const files::Folder& scratch, std::unique_ptr<store::Ingest> ingest);
  Status AddToIndexes(ItemView item, int64_t& local_bytes);
  Status EndCollection();

  const Table& table_;
  const std::unique_ptr<store::Ingest> ingest_;
  files::Sorter index_rows_;
  std::map<store::IndexId, store::Tally> tallies_;
  std::string key_;         // key of the current row
  std::string collection_;  // current item collection: slot and partition, as in its rows' keys
  int64_t collection_bytes_ = 0;
};

}  // namespace keyfold::engine
