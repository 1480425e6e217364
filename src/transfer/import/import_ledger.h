// ImportLedger: what became of each block of an import's files. Blocks are worked on by several threads, and only when
// all are done is it known which of them count: those of a file up to the record that ended it.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "transfer/import/import.h"
#include "transfer/import/import_source.h"

namespace keyfold {

// A record that was not imported.
struct ImportFault {
  std::string key;      // of the file
  uint64_t record = 0;  // in it, from 1 on
  std::string reason;
  bool ends_file = false;  // what is behind it was not read
  bool operator==(const ImportFault&) const = default;
};

inline constexpr size_t kImportFaultsListed = 20;

// One thread at a time.
class BlockOutcome {
 public:
  void AddRecord() { ++records_; }
  // The record that was added last. One that ends its file is the last.
  void AddFault(std::string_view reason, bool ends_file) {
    ++errors_;
    ends_file_ |= ends_file;
    if (faults_.size() < kImportFaultsListed) faults_.emplace_back(records_, reason);
  }
  bool ends_file() const { return ends_file_; }

 private:
  friend class ImportLedger;
  uint64_t records_ = 0, errors_ = 0;
  bool ends_file_ = false;
  std::vector<std::pair<uint64_t, std::string>> faults_;  // the first few: the record in the block, and why
};

// Thread-safe.
class ImportLedger {
 public:
  // A block of that many bytes, behind all others, of `file` or one behind it. Answers its number.
  uint32_t Begin(size_t file, uint64_t bytes);
  void End(uint32_t block, BlockOutcome outcome);

  // A record before `block`, or in it, has ended its file.
  bool IsOver(uint32_t block) const;
  bool IsFileOver(size_t file) const;

  // When all have ended. Of faults the first few.
  struct Sum {
    ImportTally tally;
    std::vector<ImportFault> faults;
    std::vector<bool> dropped;  // by number: the block stands behind the record that ended its file
  };
  Sum MakeSum(const std::vector<SourceFile>& files) const;

 private:
  struct Block {
    size_t file = 0;
    uint64_t bytes = 0;
    BlockOutcome outcome;
  };
  bool IsOverLocked(size_t file, uint32_t block) const;

  mutable std::mutex mutex_;
  std::vector<Block> blocks_;                          // under mutex_
  std::vector<std::pair<size_t, uint32_t>> ended_at_;  // under mutex_: a file, and a block with a record that ended it
};

}  // namespace keyfold
