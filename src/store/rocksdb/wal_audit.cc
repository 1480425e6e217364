#include "store/rocksdb/wal_audit.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace keyfold::store {
namespace {

// In the log, a batch starts with its first sequence number, little-endian.
uint64_t SequenceOf(const rocksdb::WriteBatch& batch) {
  static_assert(std::endian::native == std::endian::little);
  uint64_t sequence;
  std::memcpy(&sequence, batch.Data().data(), sizeof sequence);
  return sequence;
}

}  // namespace

void WalAudit::ColumnFamilyLogNumberMap(const std::map<uint32_t, uint64_t>& first_logs,
                                        const std::map<std::string, uint32_t>&) {
  const auto less = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto least = std::min_element(first_logs.begin(), first_logs.end(), less);
  if (least != first_logs.end()) first_log_ = least->second;
}

rocksdb::WalFilter::WalProcessingOption WalAudit::LogRecordFound(unsigned long long, const std::string&,
                                                                 const rocksdb::WriteBatch& batch, rocksdb::WriteBatch*,
                                                                 bool*) {
  const auto passed =
      mode_ == Mode::kReplay ? WalProcessingOption::kContinueProcessing : WalProcessingOption::kIgnoreCurrentRecord;
  if (broken_) return WalProcessingOption::kStopReplay;
  // RocksDB marks the end of a recovery by a record without writes.
  if (batch.Count() == 0) return passed;
  const uint64_t sequence = SequenceOf(batch);
  if (anchored_ && sequence != last_ + 1) {
    broken_ = true;
    return WalProcessingOption::kStopReplay;
  }
  if (first_ == 0) first_ = sequence;
  anchored_ = true;
  last_ = sequence + batch.Count() - 1;
  CommitStamp stamp;
  if (ReadCommitStamp(batch, stamp)) stamp_ = stamp;
  return passed;
}

}  // namespace keyfold::store
