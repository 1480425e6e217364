// Files that hold secrets: credentials and the TLS private key. Only their owner may read them.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "server/config/config.h"

namespace keyfold::server {

// Fails if the file's group or everyone can read it; the error names the file, its mode and what to do. Ok if there is
// no such file: the code that reads it reports that. `what` is for example "credentials file".
Status CheckSecretFile(std::string_view what, const std::string& path);

// The same check for each file that the configuration names, unless --credentials-mode=any.
Status CheckCredentialsFiles(const Config& config);
Status CheckTlsKeyFile(const Config& config);

}  // namespace keyfold::server
