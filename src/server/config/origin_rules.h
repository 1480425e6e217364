// Which Host and Origin headers are let in, so that a web page can reach the server neither by DNS rebinding nor by a
// cross-site request.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace keyfold {

// Immutable.
class OriginRules {
 public:
  // `hosts`: names beside localhost and IP literals. `origins`: allowed web origins, or "*".
  OriginRules(std::vector<std::string> hosts, std::vector<std::string> origins)
      : hosts_(std::move(hosts)), origins_(std::move(origins)) {}

  // An IP literal, localhost, or an allowed name, each with or without a port.
  bool AllowsHost(std::string_view host) const;
  bool AllowsOrigin(std::string_view origin) const;
  // What Access-Control-Allow-Origin says to an allowed origin: itself, or "*" where every origin is allowed.
  std::string_view AllowedOriginFor(std::string_view origin) const;

 private:
  bool AllowsEveryOrigin() const;

  std::vector<std::string> hosts_, origins_;
};

}  // namespace keyfold
