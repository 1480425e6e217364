// Whether an address, or the name localhost, refers to this machine.
#pragma once

#include <string>

namespace keyfold::server {

bool IsLoopback(const std::string& host);

}  // namespace keyfold::server
