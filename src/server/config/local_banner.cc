#include "server/config/local_banner.h"

#include <fmt/format.h>

#include "base/version.h"

namespace keyfold::server {

std::string LocalBanner(const Config& config, uint16_t port) {
  const std::string path = config.in_memory ? "null" : config.data;
  const std::string origins =
      config.allow_origins.empty() ? "null" : fmt::format("{}", fmt::join(config.allow_origins, ","));
  return fmt::format(
      "Initializing DynamoDB Local with the following configuration:\n"
      "Port:\t{}\nInMemory:\t{}\nVersion:\tKeyfold {}\nDbPath:\t{}\nSharedDb:\ttrue\n"
      "shouldDelayTransientStatuses:\t{}\nCorsParams:\t{}\n\n",
      port, config.in_memory, kVersion, path, config.index_delay_ms > 0, origins);
}

}  // namespace keyfold::server
