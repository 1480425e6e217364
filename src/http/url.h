// An http or https address, taken apart: where to connect, and what to ask for there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace keyfold {

struct Url {
  bool tls = false;
  std::string host;  // an IPv6 address without its brackets
  uint16_t port = 80;
  std::string target = "/";  // path and query, as written

  std::string HostHeader() const;  // the port only where it is not the scheme's own
  std::string HostAndPort() const;
};

// Nothing, and what is wrong in a few words in `error`, where it is no such address. User names, passwords and
// fragments are refused: nothing here would use them.
std::optional<Url> ParseUrl(std::string_view text, std::string& error);

// A loopback address, or localhost. Looks nothing up.
bool IsLoopbackHost(const std::string& host);

}  // namespace keyfold
