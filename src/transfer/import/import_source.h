// Determines which objects of a bucket an import reads. If they belong to an export in AWS's layout
// (transfer/layout/export.h), its manifests say what each must be: the manifests are checked against their checksum
// files, every data file must exist, and is checked against its MD5 as it is read. So a changed byte in an export is
// detected before any of it is in a table, and so are exports in a format other than the order's and increments that do
// not follow each other.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "transfer/bucket/bucket.h"
#include "transfer/import/import.h"

namespace keyfold::transfer {

struct SourceFile {
  std::string key;
  std::string md5;       // 16 bytes; empty if unknown
  bool changes = false;  // from an incremental export
  uint64_t bytes = 0;    // as stored
  bool operator==(const SourceFile&) const = default;
};

// Returns the files in reading order: of two items with the same key the later one is imported. Errors are those of
// transfer/bucket/source_fault.h.
Result<std::vector<SourceFile>> FindSourceFiles(Bucket& bucket, const ImportOrder& order);

}  // namespace keyfold::transfer
