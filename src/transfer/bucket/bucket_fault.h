// Bucket errors in S3's terms, so that a folder and a service fail alike.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace keyfold::transfer {

// "NoSuchKey: The specified key does not exist (s3://bucket/key)". kRetried: retrying did not help.
enum class FaultIs : uint8_t { kFinal, kRetried };
Error BucketFault(std::string_view code, std::string_view message, std::string_view where, FaultIs is);

Error NoSuchBucket(std::string_view bucket);  // for buckets that are folders
Error NoSuchKey(std::string_view bucket, std::string_view key);

}  // namespace keyfold::transfer
