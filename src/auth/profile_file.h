// Parses the AWS tools' profile files (~/.aws/credentials, ~/.aws/config) into sections and their settings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace keyfold::auth {

struct ProfileSetting {
  std::string name;
  std::string value;
  std::string parent;  // the setting it is nested in, as endpoint_url in dynamodb; usually empty
};

struct ProfileSection {
  std::string name;  // as between the brackets: "default", "profile x", "services y"
  std::vector<ProfileSetting> settings;

  // Returns the last setting with that name; null if there is none.
  const std::string* Find(std::string_view setting, std::string_view parent = "") const;
};

inline constexpr Rule<"cannot be read: {}"> kProfileUnreadable{"profile-file-unreadable", Kind::kValidation};

// Returns the sections in file order. The error for a malformed text names the line, but no values.
Result<std::vector<ProfileSection>> ParseProfileFile(std::string_view text);

// Returns the file's text, or kProfileUnreadable.
Result<std::string> ReadProfileFile(const std::string& path);

}  // namespace keyfold::auth
