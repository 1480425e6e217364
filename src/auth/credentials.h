// Credentials, and the file they come from: the AWS tools' shared credentials file.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/error.h"

namespace keyfold::auth {

struct Credentials {
  std::string access_key_id;
  std::string secret_access_key;
  std::string session_token;  // empty for long-term credentials
};

// By access key id. Immutable after loading.
using CredentialSet = std::map<std::string, Credentials, std::less<>>;

// Fails, with one line without secrets, if the text is malformed or has no credentials.
Result<CredentialSet> ParseCredentials(std::string_view text);

// As ParseCredentials; also fails if the file cannot be read, or is writable by others than its owner and group. The
// error names the file.
Result<CredentialSet> LoadCredentials(const std::string& path);

}  // namespace keyfold::auth
