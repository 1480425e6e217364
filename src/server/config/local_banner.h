// The first lines of DynamoDB Local's output: tools that start it wait for them.
#pragma once

#include <string>

#include "server/config/config.h"

namespace keyfold::server {

std::string LocalBanner(const Config& config, uint16_t port);

}  // namespace keyfold::server
