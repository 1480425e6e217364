// Which objects of a bucket an import reads. Where they are those of an export in AWS's layout
// (transfer/layout/export.h), its manifests say what each must be: they are checked by their checksum files, every data
// file must be there, and is read against its MD5. So an export of which a byte has changed is found out before
// anything of it is in a table, and so are exports in another format than the order says and increments that do not
// follow each other.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "transfer/bucket/bucket.h"
#include "transfer/import/import.h"

namespace keyfold {

struct SourceFile {
  std::string key;
  std::string md5;       // 16 bytes; empty: nobody says what it must be
  bool changes = false;  // of an incremental export
  uint64_t bytes = 0;    // as it is stored
  bool operator==(const SourceFile&) const = default;
};

// In the order in which they are read: of two items of one key the later is imported. An error is one of
// transfer/bucket/source_fault.h.
Result<std::vector<SourceFile>> FindSourceFiles(Bucket& bucket, const ImportOrder& order);

}  // namespace keyfold
