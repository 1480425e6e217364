// PartitionPrefix: defines for RocksDB which part of a row's key is its partition, so that a Query skips files and
// write buffers whose filter excludes the partition.
//
// It looks at bytes only. The prefix of a row's key ends with the first 00 00 after the header, which is where a
// partition key of type S or B ends. A number need not contain 00 00: then the prefix reaches into the sort key, or
// there is none, and iterations over such a partition do not use prefixes (Names).
#pragma once

#include <rocksdb/slice_transform.h>

#include <string_view>

namespace keyfold::store {

// Immutable. Files store its prefixes under its name: a different way to cut keys needs a different name.
class PartitionPrefix final : public rocksdb::SliceTransform {
 public:
  // Returns whether all keys that start with `partition`, a row's key without its sort part, have the same prefix.
  static bool Names(std::string_view partition);

  const char* Name() const override { return "keyfold.partition.1"; }
  rocksdb::Slice Transform(const rocksdb::Slice& key) const override;
  bool InDomain(const rocksdb::Slice& key) const override;
};

}  // namespace keyfold::store
