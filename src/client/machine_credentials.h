// Credentials that the machine hands out: to a container through an address in its variables, to an EC2 instance
// through its metadata service (IMDSv2).
#pragma once

#include <optional>

#include "auth/credentials.h"
#include "base/clock.h"
#include "base/error.h"
#include "client/environment.h"

namespace keyfold {

struct TemporaryCredentials {
  Credentials credentials;
  std::optional<Micros> expires;
};

// Nothing where no variable names an address; an error where one does and it hands out none.
Result<std::optional<TemporaryCredentials>> AskContainer(const Environment& environment);

// Nothing where there is no such service, it has no role, or AWS_EC2_METADATA_DISABLED says not to ask. Gives up after
// a second: elsewhere than on EC2 nobody answers.
Result<std::optional<TemporaryCredentials>> AskInstance(const Environment& environment);

}  // namespace keyfold
