// Where the buckets of exports and imports are, by the configuration.
#pragma once

#include <string>

#include "server/config/config.h"
#include "transfer/bucket/bucket.h"

namespace keyfold {

// Credentials come from --s3-credentials, or from the variables the AWS tools know. Without an endpoint none are
// needed. `error`: one line, where a file cannot be used.
BucketSettings BucketSettingsOf(const Config& config, std::string& error);

}  // namespace keyfold
