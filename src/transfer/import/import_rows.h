// ImportRows: the records of an import's files as rows of its table, in the order of their keys. One thread reads and
// decompresses, two parse, check and sort; what does not fit in memory goes to the scratch folder.
//
// A record that is no item of its format ends its file, as on AWS: it counts as one error, and what is behind it is not
// looked at. An item that does not fit the table (keys, size) is an error by itself.
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

namespace keyfold {

// One thread at a time.
class ImportRows {
 public:
  // Once. An error is one of transfer/bucket/source_fault.h where it is the source's. `scratch` has nothing else in it.
  // It is one step of `job`.
  static Result<std::unique_ptr<ImportRows>> Read(Bucket& bucket, const std::vector<SourceFile>& files,
                                                  const ImportOrder& order, const Table& table, const Folder& scratch,
                                                  FunctionRef<bool()> stop, Job& job);

  // `place`: the item's RowKey::bytes() behind the table's id; ascending, none twice. Of the records of one key it is
  // the last that counts, of changes the latest. False: there are no more. The views live until the next call.
  Result<bool> Next(std::string_view& place, ItemView& item);

  const ImportTally& tally() const { return sum_.tally; }
  const std::vector<ImportFault>& faults() const { return sum_.faults; }

 private:
  struct Input {
    std::unique_ptr<RecordSource> source;
    std::string_view key, value;
    bool live = true;
  };
  ImportRows(std::vector<Input> inputs, ImportLedger::Sum sum) : inputs_(std::move(inputs)), sum_(std::move(sum)) {}
  Status Advance(Input& input);
  bool IsDropped(std::string_view key) const;

  std::vector<Input> inputs_;
  const ImportLedger::Sum sum_;
  Input* shown_ = nullptr;  // its record was, or was passed over: it moves on at the next call
  std::string place_;       // of the last record that counted
};

}  // namespace keyfold
