// Sorter: an external merge sort. It fills a buffer, writes it in sorted order as a run (a record file), and merges the
// runs at the end. Records that fit in the buffer never go to disk. The sort is stable.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "files/folder.h"
#include "files/record_file.h"

namespace keyfold::files {

// Used by one thread at a time.
class Sorter {
 public:
  // Runs are files named PREFIX-N in `scratch`, where no other file may have such a name. They are removed with the
  // sorter and its source. `memory_bytes` should be 1 MB or more, and more than the largest record; with less, merging
  // uses as much as it needs.
  Sorter(Folder scratch, std::string prefix, size_t memory_bytes);
  ~Sorter();

  Status Add(std::string_view key, std::string_view value);
  // Returns all records in ascending byte order of their keys. Call it once; nothing may be added afterwards. The
  // source may outlive the sorter, and reading it also stays within `memory_bytes`.
  Result<std::unique_ptr<RecordSource>> Finish();

 private:
  struct Rep;
  std::unique_ptr<Rep> rep_;
};

}  // namespace keyfold::files
