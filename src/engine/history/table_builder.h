// TableBuilder: fills a table that nobody can see, from its items in order of key: rows, index rows, collections and
// tallies, through the store's Ingest. Restores and imports make their tables with it.
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

namespace keyfold {

// One thread at a time. Without Finish nothing has happened.
class TableBuilder {
 public:
  // `table` outlives it. Index rows are sorted in `scratch`.
  static Result<std::unique_ptr<TableBuilder>> Begin(Store& store, const Table& table, const Folder& scratch);

  // `place`: the item's RowKey::bytes() behind the table's id, ascending, none twice.
  Status Add(std::string_view place, ItemView item);
  // What was added is the table's content, durably. A crash in it: the table's rows are to be purged and its id is
  // spent. It is the last step of `job`.
  Status Finish(Job& job);

  int64_t items() const { return tallies_.at(kBaseTable).rows; }
  int64_t bytes() const { return tallies_.at(kBaseTable).bytes; }

 private:
  TableBuilder(const Table& table, const Folder& scratch, std::unique_ptr<Ingest> ingest);
  Status AddToIndexes(ItemView item, int64_t& local_bytes);
  Status EndCollection();

  const Table& table_;
  const std::unique_ptr<Ingest> ingest_;
  Sorter index_rows_;
  std::map<IndexId, Tally> tallies_;
  std::string key_;         // of the row at hand
  std::string collection_;  // the item collection at hand: slot and partition, as in its rows' keys
  int64_t collection_bytes_ = 0;
};

}  // namespace keyfold
