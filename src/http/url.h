// A parsed http or https URL: where to connect, and what to request there.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace keyfold::http {

struct Url {
  bool tls = false;
  std::string host;  // an IPv6 address without its brackets
  uint16_t port = 80;
  std::string target = "/";  // path and query, as written

  std::string HostHeader() const;  // includes the port only if it is not the scheme's default
  std::string HostAndPort() const;
};

// The error is a short reason for which it is not such a URL, to be quoted after the URL. User names, passwords and
// fragments are rejected: nothing here would use them.
Result<Url> ParseUrl(std::string_view text);

// Returns true for a loopback address or localhost. Does not look up names.
bool IsLoopbackHost(const std::string& host);

}  // namespace keyfold::http
