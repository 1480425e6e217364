// A bucket of an S3-compatible service: listings are read page by page, objects are read in ranges and written in
// parts, so an object of any size takes a few megabytes of memory.
#pragma once

#include <memory>
#include <string_view>

#include "transfer/bucket/bucket.h"

namespace keyfold::transfer {

inline constexpr size_t kS3RangeBytes = 8 * 1024 * 1024;
// S3 allows 10,000 parts, each of at least 5 MB except the last.
inline constexpr size_t kS3PartBytes = 16 * 1024 * 1024;

// Sends a request to check that the bucket exists and the credentials are valid.
Result<std::unique_ptr<Bucket>> OpenS3Bucket(const BucketSettings& settings, std::string_view name);

}  // namespace keyfold::transfer
