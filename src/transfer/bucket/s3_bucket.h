// A bucket of an S3-compatible service: listings page by page, objects read in ranges and written in parts, so that one
// of any size takes a few megabytes of memory.
#pragma once

#include <memory>
#include <string_view>

#include "transfer/bucket/bucket.h"

namespace keyfold {

inline constexpr size_t kS3RangeBytes = 8 * 1024 * 1024;
// S3 takes parts of at least 5 MB, but for the last.
inline constexpr size_t kS3PartBytes = 16 * 1024 * 1024;

// Asks the service for it: it is there, and the credentials hold.
Result<std::unique_ptr<Bucket>> OpenS3Bucket(const BucketSettings& settings, std::string_view name);

}  // namespace keyfold
