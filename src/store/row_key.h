// RowKey: the position of a row. It is structured (table, index, slot, partition key, sort key) and compared as bytes:
//
//   u32 table | u16 index | u16 slot | partition | sort
//
// partition and sort are key attributes in order-preserving, prefix-free encodings (store/key_encoding.h), so no row
// key is a prefix of another, and the rows of a partition are adjacent and in sort order. slot = top 16 bits of
// Hash64(partition): scan segments and simulated partitions are ranges of slots. Index 0 is the table itself. This is
// part of the data format.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/hash.h"

namespace keyfold::store {

using TableId = uint32_t;
using IndexId = uint16_t;
using Slot = uint16_t;

inline constexpr IndexId kBaseTable = 0;
inline constexpr uint32_t kSlots = 65536;

inline Slot SlotOf(std::string_view partition) { return static_cast<Slot>(Hash64(partition) >> 48); }

// A value type that owns its bytes.
class RowKey {
 public:
  static constexpr size_t kTableIdBytes = 4;  // at the start
  static constexpr size_t kHeaderBytes = 8;

  RowKey() = default;
  RowKey(TableId table, IndexId index, std::string_view partition, std::string_view sort)
      : partition_bytes_(static_cast<uint32_t>(partition.size())) {
    bytes_.reserve(kHeaderBytes + partition.size() + sort.size());
    AppendU32(bytes_, table);
    AppendU16(bytes_, index);
    AppendU16(bytes_, SlotOf(partition));
    bytes_.append(partition).append(sort);
  }

  TableId table() const { return LoadU32(bytes_.data()); }
  IndexId index() const { return LoadU16(bytes_.data() + 4); }
  Slot slot() const { return LoadU16(bytes_.data() + 6); }
  std::string_view partition() const { return std::string_view(bytes_).substr(kHeaderBytes, partition_bytes_); }
  std::string_view sort() const { return std::string_view(bytes_).substr(kHeaderBytes + partition_bytes_); }
  const std::string& bytes() const { return bytes_; }

  friend bool operator==(const RowKey& a, const RowKey& b) { return a.bytes_ == b.bytes_; }
  friend auto operator<=>(const RowKey& a, const RowKey& b) { return a.bytes_ <=> b.bytes_; }

 private:
  std::string bytes_;
  uint32_t partition_bytes_ = 0;
};

}  // namespace keyfold::store
