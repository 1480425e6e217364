#include "store/rocksdb/partition_prefix.h"

#include "store/rocksdb/row_format.h"
#include "store/row_key.h"

namespace keyfold::store {
namespace {

constexpr std::string_view kPartitionEnd{"\0\0", 2};
constexpr size_t kStoredHeaderBytes = 1 + RowKey::kHeaderBytes;

// Returns 0 if the key has no prefix.
size_t PrefixBytes(std::string_view key) {
  if (key.size() <= kStoredHeaderBytes || key[0] != kRowSpace) return 0;
  const size_t end = key.find(kPartitionEnd, kStoredHeaderBytes);
  return end == std::string_view::npos ? 0 : end + kPartitionEnd.size();
}

size_t PrefixBytes(const rocksdb::Slice& key) { return PrefixBytes(std::string_view(key.data(), key.size())); }

}  // namespace

bool PartitionPrefix::Names(std::string_view partition) { return PrefixBytes(partition) != 0; }

rocksdb::Slice PartitionPrefix::Transform(const rocksdb::Slice& key) const { return {key.data(), PrefixBytes(key)}; }

bool PartitionPrefix::InDomain(const rocksdb::Slice& key) const { return PrefixBytes(key) != 0; }

}  // namespace keyfold::store
