// Files that hold secrets: credentials, and the private key of TLS. They are for their owner's eyes.
#pragma once

#include <string>
#include <string_view>

#include "server/config/config.h"

namespace keyfold {

// One line that names the file, its mode and what to do, where the file's group or everyone may read it. Empty where
// only the owner can, and where there is no such file: whoever reads it reports that. `what` is "credentials file".
std::string FindExposure(std::string_view what, const std::string& path);

// The same for each file that the configuration names, unless --credentials-mode=any.
std::string FindExposedCredentials(const Config& config);
std::string FindExposedTlsKey(const Config& config);

}  // namespace keyfold
