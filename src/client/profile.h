// Profile: one profile of the AWS tools, merged from ~/.aws/credentials and ~/.aws/config.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "auth/profile_file.h"
#include "base/error.h"
#include "client/environment.h"

namespace keyfold::client {

// Immutable.
class Profile {
 public:
  // Loads `chosen`, or AWS_PROFILE, or "default". Returns an error if a file is malformed, or if a profile named
  // explicitly is in neither file; missing files count as empty.
  static Result<Profile> Load(const Environment& environment, const std::string& chosen);

  const std::string& name() const { return name_; }
  // From the credentials file, otherwise from the configuration file; empty if it is not set.
  std::string_view operator[](std::string_view setting) const;
  // The endpoint_url below `service` in the [services] section that the profile names; empty if there is none.
  std::string_view ServiceEndpoint(std::string_view service) const;

 private:
  std::string name_;
  std::vector<auth::ProfileSection> own_;       // those of this profile, highest precedence first
  std::vector<auth::ProfileSection> services_;  // the [services …] sections it names
};

}  // namespace keyfold::client
