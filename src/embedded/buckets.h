// Where the buckets of exports and imports are.
#pragma once

#include <string>

#include "base/error.h"
#include "transfer/bucket/bucket.h"

namespace keyfold::embedded {

// The options of these names of `keyfold serve`, and of commands with --data.
struct BucketOptions {
  std::string root = {};  // empty: s3 in the data folder
  std::string endpoint = {}, region = "us-east-1", credentials = {};
};

// Credentials come from the file that the options name, or from the AWS tools' environment variables. Without an
// endpoint none are needed. `folder` is the data folder; if it is empty, there is no default root.
Result<transfer::BucketSettings> ReadBucketSettings(const BucketOptions& options, const std::string& folder);

}  // namespace keyfold::embedded
