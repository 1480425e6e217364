// The AWS tools' files of profiles (~/.aws/credentials, ~/.aws/config), taken apart: sections and their settings.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace keyfold {

struct ProfileSetting {
  std::string name;
  std::string value;
  std::string parent;  // the setting it is nested below, as endpoint_url below dynamodb; empty for most
};

struct ProfileSection {
  std::string name;  // as between the brackets: "default", "profile x", "services y"
  std::vector<ProfileSetting> settings;

  // The last one of that name; null where there is none.
  const std::string* Find(std::string_view setting, std::string_view parent = "") const;
};

// In the order of the file. Nothing, and one line in `error` (which names no value), where the text is malformed.
std::optional<std::vector<ProfileSection>> ParseProfileFile(std::string_view text, std::string& error);

// The file's text; nothing, and why in `error`, where it cannot be read.
std::optional<std::string> ReadProfileFile(const std::string& path, std::string& error);

}  // namespace keyfold
