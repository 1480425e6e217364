#include "store/rocksdb/wal_audit.h"

#include <bit>

#include "base/log.h"

namespace keyfold {
namespace {

// A batch as RocksDB logs it starts with its first sequence number, little-endian.
uint64_t SequenceOf(const rocksdb::WriteBatch& batch) {
  static_assert(std::endian::native == std::endian::little);
  uint64_t sequence;
  std::memcpy(&sequence, batch.Data().data(), sizeof sequence);
  return sequence;
}

}  // namespace

rocksdb::WalFilter::WalProcessingOption WalAudit::LogRecordFound(unsigned long long log_number, const std::string&,
                                                                 const rocksdb::WriteBatch& batch, rocksdb::WriteBatch*,
                                                                 bool*) {
  const auto passed =
      mode_ == Mode::kReplay ? WalProcessingOption::kContinueProcessing : WalProcessingOption::kIgnoreCurrentRecord;
  if (broken_) return WalProcessingOption::kStopReplay;
  // RocksDB notes where a recovery ended by a record without writes.
  if (batch.Count() == 0) return passed;
  const uint64_t sequence = SequenceOf(batch);
  if (anchored_ && sequence != last_ + 1) {
    broken_ = true;
    if (mode_ == Mode::kReplay) {
      spdlog::warn("log {} has sequence {} where {} was expected; recovery ends there", log_number, sequence,
                   last_ + 1);
    }
    return WalProcessingOption::kStopReplay;
  }
  if (first_ == 0) first_ = sequence;
  anchored_ = true;
  last_ = sequence + batch.Count() - 1;
  CommitStamp stamp;
  if (ReadCommitStamp(batch, stamp)) stamp_ = stamp;
  return passed;
}

}  // namespace keyfold
