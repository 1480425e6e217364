// Undo: the images of items before their first change since a moment, by row key. It takes changes in commit order and
// returns them in key order; the two can be interleaved. It limits its memory by writing runs to disk. If a key has
// several changes, the first one counts.
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

namespace keyfold::engine {

// Used by one thread at a time.
class Undo {
 public:
  Undo(files::Folder scratch, size_t memory_bytes);
  ~Undo();

  // nullopt means that there was no item.
  Status Add(std::string_view key, std::optional<ItemView> before);

  // Returns the smallest key, or nullopt if it is empty. Valid until the next call.
  std::optional<std::string_view> LeastKey() const;
  // Removes the smallest key and returns its item before the change.
  Status TakeLeast(std::optional<Item>& before);

 private:
  // A run on disk and its next record.
  struct Run {
    std::string name;
    std::unique_ptr<files::RecordFileReader> reader;
    std::string key, value;
    bool ended = false;
  };
  using Images = std::map<std::string, std::string, std::less<>>;  // first byte of the value: whether there was an item

  Status WriteRun();
  static Status Advance(Run& run);

  const files::Folder scratch_;
  const size_t memory_bytes_;
  Images images_;
  size_t bytes_ = 0;       // size of images_
  std::vector<Run> runs_;  // oldest first
  size_t runs_written_ = 0;
};

}  // namespace keyfold::engine
