// Sorter: puts more records in order than memory holds. It fills a buffer, writes it out in order as a run (a record
// file), and merges the runs at the end; what fits in the buffer never goes to disk. Records of equal keys come out in
// the order in which they went in.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "files/folder.h"
#include "files/record_file.h"

namespace keyfold {

// One thread at a time.
class Sorter {
 public:
  // Runs are named PREFIX-N in `scratch`, where nothing else may be named so, and are removed with the sorter and its
  // source. `memory_bytes`: 1 MB or more, or records are larger than that; with less, merging takes what it needs.
  Sorter(Folder scratch, std::string prefix, size_t memory_bytes);
  ~Sorter();

  Status Add(std::string_view key, std::string_view value);
  // All records in ascending order of key, compared as bytes. Once; nothing may be added any more. The source lives on
  // by itself. Memory stays within `memory_bytes` while it is read too.
  Result<std::unique_ptr<RecordSource>> Finish();

 private:
  struct Rep;
  std::unique_ptr<Rep> rep_;
};

}  // namespace keyfold
