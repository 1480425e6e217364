// CredentialChain: the credentials to sign with, found as the AWS SDKs find them and renewed before they expire.
#pragma once

#include <optional>

#include "base/error.h"
#include "client/environment.h"
#include "client/machine_credentials.h"
#include "client/profile.h"
#include "client/settings.h"

namespace keyfold {

// Explicit settings; AWS_ACCESS_KEY_ID and its like; the profile; the container's service; the instance's. For a
// loopback endpoint, whose server rarely cares, the instance is not asked, and placeholders stand in where nothing is
// found and no profile was asked for by the settings. No secret ever appears in an error. One thread at a time.
class CredentialChain {
 public:
  CredentialChain(ClientSettings settings, const Environment& environment, Profile profile, bool loopback)
      : settings_(std::move(settings)), environment_(environment), profile_(std::move(profile)), loopback_(loopback) {}

  // Valid until the next call. Looks again once what it found is about to expire.
  Result<const Credentials*> Current(Micros system_now);

 private:
  Result<TemporaryCredentials> Find() const;
  // Of variables and the profile; nothing where they have none.
  Result<std::optional<Credentials>> FindGiven() const;

  const ClientSettings settings_;
  const Environment environment_;
  const Profile profile_;
  const bool loopback_;
  std::optional<TemporaryCredentials> found_;
};

}  // namespace keyfold
