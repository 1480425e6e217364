// Credentials, and the file they come from: the AWS tools' shared credentials file.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace keyfold::auth {

struct Credentials {
  std::string access_key_id;
  std::string secret_access_key;
  std::string session_token;  // empty for long-term credentials
};

// By access key id. Immutable after loading.
using CredentialSet = std::map<std::string, Credentials, std::less<>>;

// Returns nullopt, with one line in `error` (without secrets), if the text is malformed or has no credentials.
std::optional<CredentialSet> ParseCredentials(std::string_view text, std::string& error);

// As ParseCredentials; also nullopt if the file cannot be read, or is writable by others than its owner and group.
std::optional<CredentialSet> LoadCredentials(const std::string& path, std::string& error);

}  // namespace keyfold::auth
