// Where the buckets of exports and imports are, according to the configuration.
#pragma once

#include <string>

#include "server/config/config.h"
#include "transfer/bucket/bucket.h"

namespace keyfold::server {

// Credentials come from --s3-credentials, or from the AWS tools' environment variables. Without an endpoint none are
// needed. Sets `error` to one line if a file cannot be used.
transfer::BucketSettings BucketSettingsOf(const Config& config, std::string& error);

}  // namespace keyfold::server
