// Credentials, and the file they come from: the AWS tools' shared credentials file.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace keyfold {

struct Credentials {
  std::string access_key_id;
  std::string secret_access_key;
  std::string session_token;  // empty for lasting credentials
};

// By access key id. Immutable once loaded.
using CredentialSet = std::map<std::string, Credentials, std::less<>>;

// Nothing, and one line in `error` (which names no secret), where the text is malformed or names no credentials.
std::optional<CredentialSet> ParseCredentials(std::string_view text, std::string& error);

// Likewise where the file cannot be read, or others than owner and group may write to it.
std::optional<CredentialSet> LoadCredentials(const std::string& path, std::string& error);

}  // namespace keyfold
