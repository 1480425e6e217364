// Whether an address, or the name localhost, is this machine itself.
#pragma once

#include <string>

namespace keyfold {

bool IsLoopback(const std::string& host);

}  // namespace keyfold
