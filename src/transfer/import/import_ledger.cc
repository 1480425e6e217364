#include "transfer/import/import_ledger.h"

#include <algorithm>

namespace keyfold::transfer {

uint32_t ImportLedger::Begin(size_t file, uint64_t bytes) {
  MutexLock lock(mutex_);
  blocks_.push_back({.file = file, .bytes = bytes, .outcome = {}});
  return static_cast<uint32_t>(blocks_.size() - 1);
}

void ImportLedger::End(uint32_t block, BlockOutcome outcome) {
  MutexLock lock(mutex_);
  if (outcome.ends_file()) ended_at_.emplace_back(blocks_[block].file, block);
  blocks_[block].outcome = std::move(outcome);
}

bool ImportLedger::HasEnded(size_t file, uint32_t block) const {
  return std::any_of(ended_at_.begin(), ended_at_.end(),
                     [&](const auto& end) { return end.first == file && end.second <= block; });
}

bool ImportLedger::IsOver(uint32_t block) const {
  MutexLock lock(mutex_);
  return HasEnded(blocks_[block].file, block);
}

bool ImportLedger::IsFileOver(size_t file) const {
  MutexLock lock(mutex_);
  return HasEnded(file, UINT32_MAX);
}

ImportLedger::Sum ImportLedger::MakeSum(const std::vector<SourceFile>& files) const {
  MutexLock lock(mutex_);
  Sum sum;
  sum.dropped.resize(blocks_.size());
  uint64_t records = 0;  // records in the current file
  bool over = false;
  for (size_t i = 0; i < blocks_.size(); ++i) {
    const auto& [file, bytes, outcome] = blocks_[i];
    if (i == 0 || file != blocks_[i - 1].file) {
      records = 0;
      over = false;
    }
    sum.dropped[i] = over;
    if (over) continue;
    sum.tally.bytes += static_cast<int64_t>(bytes);
    sum.tally.processed += static_cast<int64_t>(outcome.records_);
    sum.tally.errors += static_cast<int64_t>(outcome.errors_);
    for (const auto& [record, reason] : outcome.faults_) {
      if (sum.faults.size() == kImportFaultsListed) break;
      const bool last = outcome.ends_file_ && record == outcome.records_;
      sum.faults.push_back({files[file].key, records + record, reason, last});
    }
    records += outcome.records_;
    over = outcome.ends_file_;
  }
  sum.tally.imported = sum.tally.processed - sum.tally.errors;
  return sum;
}

}  // namespace keyfold::transfer
