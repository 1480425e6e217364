// PartitionPrefix: tells RocksDB which part of a row's key is its partition, so that a Query does not seek in files and
// write buffers whose filter says that the partition is not there.
//
// It goes by bytes alone: the prefix of a row's key ends with the first 00 00 behind the header, which is where a
// partition key of type S or B ends. A partition of numbers need not have one; then a key's prefix reaches into its
// sort key, or there is none, and walks over such a partition do without (Names).
#pragma once

#include <rocksdb/slice_transform.h>

#include <string_view>

namespace keyfold {

// Immutable. Its prefixes lie in files, under its name: another way to cut needs another name.
class PartitionPrefix final : public rocksdb::SliceTransform {
 public:
  // Whether all keys that start with `partition`, a row's key without its sort part, have the same prefix.
  static bool Names(std::string_view partition);

  const char* Name() const override { return "keyfold.partition.1"; }
  rocksdb::Slice Transform(const rocksdb::Slice& key) const override;
  bool InDomain(const rocksdb::Slice& key) const override;
};

}  // namespace keyfold
