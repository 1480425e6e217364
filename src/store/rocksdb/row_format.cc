#include "store/rocksdb/row_format.h"

#include "base/bytes.h"
#include "base/checksum.h"

namespace keyfold::store {
namespace {

constexpr char kCatalogPrefix[] = {kMetaSpace, 'c'};
constexpr char kVersionKey[] = {kMetaSpace, 'v'};
constexpr char kTallyPrefix[] = {kMetaSpace, 't'};
constexpr std::string_view kFormatByte{&kRowFormat, 1};

uint32_t CrcOfU64(uint64_t value, uint32_t crc) {
  char bytes[8];
  StoreU64(bytes, value);
  return Crc32c({bytes, sizeof bytes}, crc);
}

}  // namespace

void StoreU64(char* to, uint64_t value) {
  value = __builtin_bswap64(value);
  std::memcpy(to, &value, 8);
}

std::string_view CatalogPrefix() { return {kCatalogPrefix, 2}; }
std::string_view TallyPrefix() { return {kTallyPrefix, 2}; }
std::string CatalogKey(std::string_view name) { return std::string(CatalogPrefix()).append(name); }
std::string CatalogVersionKey() { return {kVersionKey, 2}; }

std::string TallyKey(TableId table, IndexId index) {
  std::string key(TallyPrefix());
  AppendU32(key, table);
  AppendU16(key, index);
  return key;
}

uint32_t BeginStampedCrc(uint32_t crc_of_key, std::string_view value) {
  return Crc32c(value, Crc32c(kFormatByte, crc_of_key));
}

uint32_t FinishStampedCrc(uint32_t begun, CommitNumber commit) { return CrcOfU64(commit, begun); }

bool ReadStamped(std::string_view key, std::string_view stored, std::string_view& value, CommitNumber& commit) {
  if (stored.size() < kStampedOverheadBytes || stored[0] != kRowFormat) return false;
  value = stored.substr(9, stored.size() - kStampedOverheadBytes);
  commit = LoadU64(stored.data() + 1);
  return FinishStampedCrc(BeginStampedCrc(Crc32c(key), value), commit) == LoadU32(stored.data() + stored.size() - 4);
}

uint32_t BeginLogCrc(std::string_view body) { return Crc32c(body, Crc32c(kFormatByte)); }

uint32_t FinishLogCrc(uint32_t begun, std::string_view key, Micros time) {
  return Crc32c(key, CrcOfU64(static_cast<uint64_t>(time), begun));
}

std::string LogKey(TableId table, CommitNumber commit, uint16_t ordinal, Slot slot) {
  std::string key(1, kLogSpace);
  AppendU32(key, table);
  AppendU64(key, commit);
  AppendU16(key, ordinal);
  AppendU16(key, slot);
  return key;
}

bool ReadLogRecord(std::string_view key, std::string_view stored, LogView& record) {
  if (key.size() != kLogKeyBytes || stored.size() < kLogOverheadBytes || stored[0] != kRowFormat) return false;
  record.at = {LoadU64(key.data() + 5), LoadU16(key.data() + 13)};
  record.slot = LoadU16(key.data() + 15);
  record.time = static_cast<Micros>(LoadU64(stored.data() + 1));
  record.body = stored.substr(9, stored.size() - kLogOverheadBytes);
  return FinishLogCrc(BeginLogCrc(record.body), key, record.time) == LoadU32(stored.data() + stored.size() - 4);
}

}  // namespace keyfold::store
