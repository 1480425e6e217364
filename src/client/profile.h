// Profile: one profile of the AWS tools, from ~/.aws/credentials and ~/.aws/config together.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "auth/profile_file.h"
#include "base/error.h"
#include "client/environment.h"

namespace keyfold {

// Immutable.
class Profile {
 public:
  // `chosen`, else AWS_PROFILE, else "default". An error where a file is malformed, or a profile that was named is in
  // neither; files that are not there are empty.
  static Result<Profile> Load(const Environment& environment, const std::string& chosen);

  const std::string& name() const { return name_; }
  // Of the credentials file, else of the configuration file; empty where it is not set.
  std::string_view operator[](std::string_view setting) const;
  // The endpoint_url below `service` in the [services] section that the profile names; empty for none.
  std::string_view ServiceEndpoint(std::string_view service) const;

 private:
  std::string name_;
  std::vector<ProfileSection> own_;       // those of this profile, the weightiest first
  std::vector<ProfileSection> services_;  // the [services …] it names
};

}  // namespace keyfold
