#include "server/buckets.h"

#include <fmt/format.h>

#include <cstdlib>

#include "auth/credentials.h"

namespace keyfold::server {
namespace {

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

transfer::BucketSettings BucketSettingsOf(const Config& config, std::string& error) {
  transfer::BucketSettings settings;
  settings.endpoint = config.s3_endpoint;
  settings.region = config.s3_region;
  if (config.s3_endpoint.empty()) {
    settings.root = config.s3_root;
    if (settings.root.empty() && !config.in_memory) settings.root = config.data + "/s3";
    return settings;
  }
  if (config.s3_credentials.empty()) {
    settings.credentials = {Variable("AWS_ACCESS_KEY_ID"), Variable("AWS_SECRET_ACCESS_KEY"),
                            Variable("AWS_SESSION_TOKEN")};
    if (settings.credentials.access_key_id.empty()) {
      error = "--s3-endpoint needs --s3-credentials, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";
    }
    return settings;
  }
  const Result<auth::CredentialSet> set = auth::LoadCredentials(config.s3_credentials);
  if (!set.ok()) {
    error = set.error().message();
    return settings;
  }
  if (set->size() != 1) {
    error = fmt::format("{} has {} access keys; it must have exactly one", config.s3_credentials, set->size());
    return settings;
  }
  settings.credentials = set->begin()->second;
  return settings;
}

}  // namespace keyfold::server
