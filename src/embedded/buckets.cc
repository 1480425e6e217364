#include "embedded/buckets.h"

#include <cstdlib>

#include "auth/credentials.h"

namespace keyfold::embedded {
namespace {

constexpr Rule<"--s3-endpoint needs --s3-credentials, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"> kNoCredentials{
    "buckets-no-credentials", Kind::kValidation};
constexpr Rule<"{} has {} access keys; it must have exactly one"> kNotOneKey{"buckets-not-one-key", Kind::kValidation};

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

Result<auth::Credentials> ReadCredentials(const std::string& file) {
  if (file.empty()) {
    auth::Credentials credentials{Variable("AWS_ACCESS_KEY_ID"), Variable("AWS_SECRET_ACCESS_KEY"),
                                  Variable("AWS_SESSION_TOKEN")};
    if (credentials.access_key_id.empty()) return kNoCredentials();
    return credentials;
  }
  ASSIGN_OR_RETURN(const auth::CredentialSet set, auth::LoadCredentials(file));
  if (set.size() != 1) return kNotOneKey(file, set.size());
  return set.begin()->second;
}

}  // namespace

Result<transfer::BucketSettings> ReadBucketSettings(const BucketOptions& options, const std::string& folder) {
  transfer::BucketSettings settings;
  settings.endpoint = options.endpoint;
  settings.region = options.region;
  if (options.endpoint.empty()) {
    settings.root = options.root;
    if (settings.root.empty() && !folder.empty()) settings.root = folder + "/s3";
  } else {
    ASSIGN_OR_RETURN(settings.credentials, ReadCredentials(options.credentials));
  }
  return settings;
}

}  // namespace keyfold::embedded
