// CredentialChain: the credentials to sign with, found as the AWS SDKs find them and renewed before they expire.
#pragma once

#include <optional>

#include "base/error.h"
#include "client/environment.h"
#include "client/machine_credentials.h"
#include "client/profile.h"
#include "client/settings.h"

namespace keyfold::client {

// Sources in order: explicit settings; AWS_ACCESS_KEY_ID and related variables; the profile; the container's service;
// the instance's service. A loopback endpoint's server rarely checks credentials, so for it the instance is not asked,
// and placeholders are used if nothing is found and the settings name no profile. No secret ever appears in an error.
// Used by one thread at a time.
class CredentialChain {
 public:
  CredentialChain(ClientSettings settings, const Environment& environment, Profile profile, bool loopback)
      : settings_(std::move(settings)), environment_(environment), profile_(std::move(profile)), loopback_(loopback) {}

  // The result is valid until the next call. Searches again when the credentials found are about to expire.
  Result<const auth::Credentials*> Current(Micros system_now);

 private:
  Result<TemporaryCredentials> Find() const;
  // Searches variables and the profile; nullopt if they have none.
  Result<std::optional<auth::Credentials>> FindGiven() const;

  const ClientSettings settings_;
  const Environment environment_;
  const Profile profile_;
  const bool loopback_;
  std::optional<TemporaryCredentials> found_;
};

}  // namespace keyfold::client
