#include "http/url.h"

#include <arpa/inet.h>

#include <charconv>

#include "base/header.h"
#include "http/field.h"

namespace keyfold::http {
namespace {

constexpr Rule<"it does not begin with http:// or https://"> kUrlScheme{"url-scheme", Kind::kValidation};
constexpr Rule<"it has a user name, which is not supported"> kUrlUser{"url-user", Kind::kValidation};
constexpr Rule<"its host or port is malformed"> kUrlHost{"url-host", Kind::kValidation};
constexpr Rule<"its path has a byte that must be percent-encoded"> kUrlPath{"url-path", Kind::kValidation};

constexpr uint16_t kHttpPort = 80, kHttpsPort = 443;

std::string Bracketed(const std::string& host) { return host.find(':') == std::string::npos ? host : "[" + host + "]"; }

bool TakeScheme(std::string_view& text, bool& tls) {
  for (const bool with_tls : {false, true}) {
    const std::string_view scheme = with_tls ? "https://" : "http://";
    if (text.size() < scheme.size() || !EqualsIgnoringCase(text.substr(0, scheme.size()), scheme)) continue;
    text.remove_prefix(scheme.size());
    tls = with_tls;
    return true;
  }
  return false;
}

bool ParsePort(std::string_view text, uint16_t& port) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size() && port != 0;
}

// "host", "host:8000", "[::1]", "[::1]:8000"
bool ParseAuthority(std::string_view authority, Url& url) {
  std::string_view rest;
  if (authority.starts_with('[')) {
    const size_t end = authority.find(']');
    if (end == std::string_view::npos) return false;
    url.host = authority.substr(1, end - 1);
    in6_addr address;
    if (inet_pton(AF_INET6, url.host.c_str(), &address) != 1) return false;
    rest = authority.substr(end + 1);
  } else {
    url.host = authority.substr(0, authority.find(':'));
    rest = authority.substr(url.host.size());
    if (url.host.empty() || url.host.find_first_of("[]%") != std::string::npos || !AllAre(url.host, ByteClass::kHost)) {
      return false;
    }
  }
  return rest.empty() || (rest.front() == ':' && ParsePort(rest.substr(1), url.port));
}

}  // namespace

std::string Url::HostHeader() const { return port == (tls ? kHttpsPort : kHttpPort) ? Bracketed(host) : HostAndPort(); }

std::string Url::HostAndPort() const { return Bracketed(host) + ":" + std::to_string(port); }

Result<Url> ParseUrl(std::string_view text) {
  Url url;
  if (!TakeScheme(text, url.tls)) return kUrlScheme();
  url.port = url.tls ? kHttpsPort : kHttpPort;
  const std::string_view authority = text.substr(0, text.find_first_of("/?#"));
  text.remove_prefix(authority.size());
  if (authority.find('@') != std::string_view::npos) return kUrlUser();
  if (!ParseAuthority(authority, url)) return kUrlHost();
  if (!text.empty() && !AllAre(text, ByteClass::kTarget)) return kUrlPath();
  url.target = text.starts_with('/') ? std::string(text) : "/" + std::string(text);
  return url;
}

bool IsLoopbackHost(const std::string& host) {
  in_addr v4;
  in6_addr v6;
  if (inet_pton(AF_INET, host.c_str(), &v4) == 1) return ntohl(v4.s_addr) >> 24 == 127;
  if (inet_pton(AF_INET6, host.c_str(), &v6) == 1) return IN6_IS_ADDR_LOOPBACK(&v6);
  return host == "localhost";
}

}  // namespace keyfold::http
