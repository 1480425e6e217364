// The format of keys and values in RocksDB. There is one column family; the first byte of a key is its key space. All
// integers are big-endian.
//
//   rows     'r' | RowKey                                        -> stamped value
//   log      'l' | u32 table | u64 commit | u16 ordinal | u16 slot -> u8 format | i64 time | body | u32 crc
//   catalog  'm' 'c' | name                                      -> stamped value
//   version  'm' 'v'                                             -> stamped u64
//   tallies  'm' 't' | u32 table | u16 index                     -> stamped i64 rows | i64 bytes
//
//   stamped value: u8 format | u64 commit | value | u32 crc
//
// Every value has a CRC-32C of its key and itself. The parts known only at commit (number, time, log key) enter the
// checksum last, so that only a few bytes of it are computed under the log-order lock. The log of a table is in commit
// order. A shard is a range of slots, and tables have few shards, so skipping the records of other shards costs less
// than merging thousands of slots.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "store/store.h"

namespace keyfold::store {

inline constexpr char kRowSpace = 'r';
inline constexpr char kLogSpace = 'l';
inline constexpr char kMetaSpace = 'm';

inline constexpr char kRowFormat = 1;
inline constexpr size_t kStampedOverheadBytes = 1 + 8 + 4;
inline constexpr size_t kLogKeyBytes = 1 + 4 + 8 + 2 + 2;
inline constexpr size_t kLogOverheadBytes = 1 + 8 + 4;

std::string CatalogKey(std::string_view name);
std::string CatalogVersionKey();
std::string TallyKey(TableId table, IndexId index);
// The common prefix of the keys of all catalog entries, and of all tallies.
std::string_view CatalogPrefix();
std::string_view TallyPrefix();

// The checksum of a stamped value in two steps: the part that does not depend on the commit number, and the rest.
uint32_t BeginStampedCrc(uint32_t crc_of_key, std::string_view value);
uint32_t FinishStampedCrc(uint32_t begun, CommitNumber commit);
// Returns false if `stored` is not what was written under `key`.
[[nodiscard]] bool ReadStamped(std::string_view key, std::string_view stored, std::string_view& value,
                               CommitNumber& commit);

uint32_t BeginLogCrc(std::string_view body);
uint32_t FinishLogCrc(uint32_t begun, std::string_view key, Micros time);
std::string LogKey(TableId table, CommitNumber commit, uint16_t ordinal, Slot slot);
// Returns false if `stored` is not what was written under `key`.
[[nodiscard]] bool ReadLogRecord(std::string_view key, std::string_view stored, LogView& record);

// Size of the CommitStamp at the start of every batch. It exists only in the log, for recovery.
inline constexpr size_t kCommitStampBytes = 16;

void StoreU64(char* to, uint64_t value);

}  // namespace keyfold::store
