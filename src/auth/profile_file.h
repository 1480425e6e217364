// Parses the AWS tools' profile files (~/.aws/credentials, ~/.aws/config) into sections and their settings.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

// Returns the sections in file order; nullopt, with one line in `error` (without values), if the text is malformed.
std::optional<std::vector<ProfileSection>> ParseProfileFile(std::string_view text, std::string& error);

// Returns the file's text; nullopt, with the reason in `error`, if it cannot be read.
std::optional<std::string> ReadProfileFile(const std::string& path, std::string& error);

}  // namespace keyfold::auth
