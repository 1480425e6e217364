// Which Host and Origin headers are accepted, so that a web page can reach the server neither by DNS rebinding nor by a
// cross-site request.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace keyfold::server {

// Immutable.
class OriginRules {
 public:
  // `hosts`: names allowed in addition to localhost and IP literals. `origins`: allowed web origins, or "*".
  OriginRules(std::vector<std::string> hosts, std::vector<std::string> origins)
      : hosts_(std::move(hosts)), origins_(std::move(origins)) {}

  // Accepts an IP literal, localhost or an allowed name, each with or without a port.
  bool AllowsHost(std::string_view host) const;
  bool AllowsOrigin(std::string_view origin) const;
  // Value of Access-Control-Allow-Origin for an allowed origin: the origin itself, or "*" if every origin is allowed.
  std::string_view AllowedOriginFor(std::string_view origin) const;

 private:
  bool AllowsEveryOrigin() const;

  std::vector<std::string> hosts_, origins_;
};

}  // namespace keyfold::server
