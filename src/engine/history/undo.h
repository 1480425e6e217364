// Undo: what items were before their first change since a moment, by row key. It takes changes in commit order, gives
// them back in order of key, both in turn, and keeps within its memory by writing runs to disk; of several changes of
// one key the first stands.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "files/folder.h"
#include "files/record_file.h"
#include "value/item.h"

namespace keyfold {

// One thread at a time.
class Undo {
 public:
  Undo(Folder scratch, size_t memory_bytes);
  ~Undo();

  // Absent: there was no item.
  Status Add(std::string_view key, std::optional<ItemView> before);

  // The least key there is; none: empty. Lives until the next call.
  std::optional<std::string_view> LeastKey() const;
  // Its item before, and forgets it.
  Status TakeLeast(std::optional<Item>& before);

 private:
  // A run on disk, and the record of it that is next.
  struct Run {
    std::string name;
    std::unique_ptr<RecordFileReader> reader;
    std::string key, value;
    bool ended = false;
  };
  using Images = std::map<std::string, std::string, std::less<>>;  // the value's first byte: whether there was an item

  Status WriteRun();
  static Status Advance(Run& run);

  const Folder scratch_;
  const size_t memory_bytes_;
  Images images_;
  size_t bytes_ = 0;       // of images_
  std::vector<Run> runs_;  // oldest first
  size_t runs_written_ = 0;
};

}  // namespace keyfold
