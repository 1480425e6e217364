#include "store/rocksdb/commit_batch.h"

#include <array>

#include "base/check.h"
#include "base/checksum.h"

namespace keyfold::store {
namespace {

constexpr std::string_view kRowHead{&kRowSpace, 1};
constexpr std::string_view kZeros{"\0\0\0\0\0\0\0\0", 8};

rocksdb::Slice SliceOf(std::string_view s) { return {s.data(), s.size()}; }

size_t VarintBytes(size_t n) {
  size_t bytes = 1;
  for (; n >= 0x80; n >>= 7) ++bytes;
  return bytes;
}

size_t BytesOf(const Changes& changes) {
  constexpr size_t kRecordBytes = 16;  // tags and lengths
  size_t bytes = kCommitStampBytes + kRecordBytes;
  for (const auto& w : changes.writes) {
    bytes += w.key.bytes().size() + w.value.size() + kStampedOverheadBytes + kRecordBytes;
  }
  for (const auto& r : changes.log) bytes += kLogKeyBytes + r.body.size() + kLogOverheadBytes + kRecordBytes;
  return bytes + changes.counts.size() * 64;
}

}  // namespace

CommitBatch::CommitBatch(size_t bytes_expected) : batch_(bytes_expected) {
  const std::array<char, kCommitStampBytes> blank{};
  CHECK(batch_.PutLogData({blank.data(), blank.size()}).ok());
  stamp_end_ = batch_.GetDataSize();
}

void CommitBatch::NoteRecord(size_t value_bytes, uint32_t crc, bool log) {
  unstamped_.push_back({batch_.GetDataSize(), value_bytes, crc, log});
}

void CommitBatch::Put(std::string_view head, std::string_view tail, std::string_view value) {
  const rocksdb::Slice key[] = {SliceOf(head), SliceOf(tail)};
  const rocksdb::Slice parts[] = {{&kRowFormat, 1}, SliceOf(kZeros), SliceOf(value), SliceOf(kZeros.substr(0, 4))};
  CHECK(batch_.Put(rocksdb::SliceParts(key, 2), rocksdb::SliceParts(parts, 4)).ok());
  NoteRecord(value.size() + kStampedOverheadBytes, BeginStampedCrc(Crc32c(tail, Crc32c(head)), value), false);
}

void CommitBatch::Delete(std::string_view head, std::string_view tail) {
  const rocksdb::Slice key[] = {SliceOf(head), SliceOf(tail)};
  CHECK(batch_.Delete(rocksdb::SliceParts(key, 2)).ok());
}

void CommitBatch::Log(const LogRecord& record) {
  CHECK(log_records_ < UINT16_MAX);
  const std::string key = LogKey(record.table, 0, log_records_++, record.slot);
  const rocksdb::Slice whole_key(key);
  const rocksdb::Slice parts[] = {
      {&kRowFormat, 1}, SliceOf(kZeros), SliceOf(record.body), SliceOf(kZeros.substr(0, 4))};
  CHECK(batch_.Put(rocksdb::SliceParts(&whole_key, 1), rocksdb::SliceParts(parts, 4)).ok());
  NoteRecord(record.body.size() + kLogOverheadBytes, BeginLogCrc(record.body), true);
}

CommitBatch::CommitBatch(const Changes& changes) : CommitBatch(BytesOf(changes)) {
  unstamped_.reserve(changes.writes.size() + changes.log.size() + changes.counts.size());
  for (const auto& write : changes.writes) {
    if (write.put) {
      Put(kRowHead, write.key.bytes(), write.value);
    } else {
      Delete(kRowHead, write.key.bytes());
    }
  }
  for (const auto& record : changes.log) Log(record);
}

void CommitBatch::Stamp(CommitStamp stamp) {
  // WriteBatch exposes its bytes only as const. It owns them and nothing has read them yet, so writing to them is safe.
  char* const bytes = const_cast<char*>(batch_.Data().data());
  StoreU64(bytes + stamp_end_ - 16, stamp.commit);
  StoreU64(bytes + stamp_end_ - 8, static_cast<uint64_t>(stamp.time));
  for (const auto& record : unstamped_) {
    char* const value = bytes + record.end - record.value_bytes;
    uint32_t crc = record.crc;
    if (record.log) {
      // A record is tag, key length, key, value length, value. All log keys have the same length.
      char* const key = value - VarintBytes(record.value_bytes) - kLogKeyBytes;
      StoreU64(key + 5, stamp.commit);
      StoreU64(value + 1, static_cast<uint64_t>(stamp.time));
      crc = FinishLogCrc(crc, {key, kLogKeyBytes}, stamp.time);
    } else {
      StoreU64(value + 1, stamp.commit);
      crc = FinishStampedCrc(crc, stamp.commit);
    }
    StoreU32(bytes + record.end - 4, crc);
  }
}

namespace {

// Stops at the first entry of the batch: Keyfold's batches start with the stamp.
struct StampReader final : rocksdb::WriteBatch::Handler {
  void LogData(const rocksdb::Slice& blob) override {
    done = true;
    if (blob.size() != kCommitStampBytes) return;
    found = true;
    stamp = {LoadU64(blob.data()), static_cast<Micros>(LoadU64(blob.data() + 8))};
  }
  rocksdb::Status PutCF(uint32_t, const rocksdb::Slice&, const rocksdb::Slice&) override { return Other(); }
  rocksdb::Status DeleteCF(uint32_t, const rocksdb::Slice&) override { return Other(); }
  rocksdb::Status DeleteRangeCF(uint32_t, const rocksdb::Slice&, const rocksdb::Slice&) override { return Other(); }
  bool Continue() override { return !done; }
  rocksdb::Status Other() {
    done = true;
    return rocksdb::Status::OK();
  }
  bool done = false;
  bool found = false;
  CommitStamp stamp;
};

}  // namespace

bool ReadCommitStamp(const rocksdb::WriteBatch& batch, CommitStamp& stamp) {
  StampReader reader;
  if (!batch.Iterate(&reader).ok() || !reader.found) return false;
  stamp = reader.stamp;
  return true;
}

}  // namespace keyfold::store
