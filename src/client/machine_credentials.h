// Credentials provided by the machine: to a container through a URL in its variables, to an EC2 instance through its
// metadata service (IMDSv2).
#pragma once

#include <optional>

#include "auth/credentials.h"
#include "base/clock.h"
#include "base/error.h"
#include "client/environment.h"

namespace keyfold::client {

struct TemporaryCredentials {
  auth::Credentials credentials;
  std::optional<Micros> expires;
};

// Returns nullopt if no variable names a URL, and an error if one does but it provides no credentials.
Result<std::optional<TemporaryCredentials>> AskContainer(const Environment& environment);

// Returns nullopt if there is no such service, it has no role, or AWS_EC2_METADATA_DISABLED is set. Times out after a
// second: outside of EC2 nothing responds.
Result<std::optional<TemporaryCredentials>> AskInstance(const Environment& environment);

}  // namespace keyfold::client
