// Files that hold secrets: credentials and the TLS private key. Only their owner may read them.
#pragma once

#include <string>
#include <string_view>

#include "server/config/config.h"

namespace keyfold::server {

// If the file's group or everyone can read it, returns one line that names the file, its mode and what to do. Empty if
// only the owner can, and if there is no such file: the code that reads it reports that. `what` is for example
// "credentials file".
std::string FindExposure(std::string_view what, const std::string& path);

// The same check for each file that the configuration names, unless --credentials-mode=any.
std::string FindExposedCredentials(const Config& config);
std::string FindExposedTlsKey(const Config& config);

}  // namespace keyfold::server
