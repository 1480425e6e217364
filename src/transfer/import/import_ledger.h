// ImportLedger: the outcome of each block of an import's files. Several threads work on blocks, and only when all are
// done is it known which count: those of a file up to the record that ended it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "transfer/import/import.h"
#include "transfer/import/import_source.h"

namespace keyfold::transfer {

// A record that was not imported.
struct ImportFault {
  std::string key;      // the file's key
  uint64_t record = 0;  // number in the file, from 1
  std::string reason;
  bool ends_file = false;  // the rest of the file was not read
  bool operator==(const ImportFault&) const = default;
};

inline constexpr size_t kImportFaultsListed = 20;

// Used by one thread at a time.
class BlockOutcome {
 public:
  void AddRecord() { ++records_; }
  // Marks the record added last as a fault. A fault that ends its file must be the last.
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
  std::vector<std::pair<uint64_t, std::string>> faults_;  // the first few: record number in the block, reason
};

// Thread-safe.
class ImportLedger {
 public:
  // Adds a block of `bytes` bytes and returns its number. Blocks are added in order of their files.
  uint32_t Begin(size_t file, uint64_t bytes);
  void End(uint32_t block, BlockOutcome outcome);

  // Returns whether a record in `block`, or in an earlier block of its file, has ended the file.
  bool IsOver(uint32_t block) const;
  bool IsFileOver(size_t file) const;

  // The result after all blocks have ended, with the first few faults.
  struct Sum {
    ImportTally tally;
    std::vector<ImportFault> faults;
    std::vector<bool> dropped;  // by block number: the block is after the record that ended its file
  };
  Sum MakeSum(const std::vector<SourceFile>& files) const;

 private:
  struct Block {
    size_t file = 0;
    uint64_t bytes = 0;
    BlockOutcome outcome;
  };
  bool HasEnded(size_t file, uint32_t block) const REQUIRES(mutex_);

  mutable Mutex mutex_;
  std::vector<Block> blocks_ GUARDED_BY(mutex_);
  // A file, and a block with a record that ended it.
  std::vector<std::pair<size_t, uint32_t>> ended_at_ GUARDED_BY(mutex_);
};

}  // namespace keyfold::transfer
