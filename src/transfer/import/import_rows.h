// ImportRows: the records of an import's files as rows of its table, in key order. One thread reads and decompresses,
// two parse, check and sort; what does not fit in memory goes to the scratch folder.
//
// As on AWS, a record that is not an item in the file's format ends the file: it counts as one error, and the rest of
// the file is ignored. An item that does not fit the table (keys, size) is an error of its own and does not end the
// file.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/function_ref.h"
#include "engine/background/jobs.h"
#include "engine/catalog/table.h"
#include "files/folder.h"
#include "files/record_file.h"
#include "transfer/bucket/bucket.h"
#include "transfer/import/import.h"
#include "transfer/import/import_ledger.h"
#include "transfer/import/import_source.h"
#include "value/item.h"

namespace keyfold::transfer {

// Used by one thread at a time.
class ImportRows {
 public:
  // Reads all files, as one step of `job`. An error of the source is one of transfer/bucket/source_fault.h. `scratch`
  // must be empty.
  static Result<std::unique_ptr<ImportRows>> Read(Bucket& bucket, const std::vector<SourceFile>& files,
                                                  const ImportOrder& order, const engine::Table& table,
                                                  const files::Folder& scratch, FunctionRef<bool()> stop,
                                                  engine::Job& job);

  // `place` is the item's RowKey::bytes() after the table's id; places ascend and are unique. Of several records with
  // the same key the last counts, of several changes the latest. Returns false if there are no more. The views are
  // valid until the next call.
  Result<bool> Next(std::string_view& place, ItemView& item);

  const ImportTally& tally() const { return sum_.tally; }
  const std::vector<ImportFault>& faults() const { return sum_.faults; }

 private:
  struct Input {
    std::unique_ptr<files::RecordSource> source;
    std::string_view key, value;
    bool live = true;
  };
  ImportRows(std::vector<Input> inputs, ImportLedger::Sum sum) : inputs_(std::move(inputs)), sum_(std::move(sum)) {}
  Status Advance(Input& input);
  bool IsDropped(std::string_view key) const;

  std::vector<Input> inputs_;
  const ImportLedger::Sum sum_;
  Input* shown_ = nullptr;  // its record was returned or skipped; the next call advances it
  std::string place_;       // where the last counted record is
};

}  // namespace keyfold::transfer
