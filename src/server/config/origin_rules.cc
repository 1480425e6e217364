#include "server/config/origin_rules.h"

#include <algorithm>
#include <cctype>

namespace keyfold::server {
namespace {

bool SameName(std::string_view a, std::string_view b) {
  const auto same = [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

bool IsIpv4(std::string_view host) {
  int parts = 0, value = -1;
  for (const char c : host) {
    if (c == '.') {
      if (value < 0) return false;
      ++parts;
      value = -1;
    } else if (c >= '0' && c <= '9') {
      value = (value < 0 ? 0 : value * 10) + (c - '0');
      if (value > 255) return false;
    } else {
      return false;
    }
  }
  return parts == 3 && value >= 0;
}

bool IsBracketedIpv6(std::string_view host) {
  if (!host.starts_with('[') || !host.ends_with(']')) return false;
  const std::string_view address = host.substr(1, host.size() - 2);
  return address.find(':') != std::string_view::npos &&
         address.find_first_not_of("0123456789abcdefABCDEF:.") == std::string_view::npos;
}

std::string_view WithoutPort(std::string_view host) {
  const size_t colon = host.rfind(':');
  if (colon == std::string_view::npos) return host;
  const std::string_view port = host.substr(colon + 1);
  const bool digits = port.find_first_not_of("0123456789") == std::string_view::npos;
  return digits ? host.substr(0, colon) : host;
}

}  // namespace

bool OriginRules::AllowsHost(std::string_view host) const {
  const std::string_view name = WithoutPort(host);
  if (IsIpv4(name) || IsBracketedIpv6(name) || SameName(name, "localhost")) return true;
  return std::any_of(hosts_.begin(), hosts_.end(),
                     [&](const std::string& h) { return SameName(h, name) || SameName(h, host); });
}

bool OriginRules::AllowsEveryOrigin() const {
  return std::find(origins_.begin(), origins_.end(), "*") != origins_.end();
}

bool OriginRules::AllowsOrigin(std::string_view origin) const {
  return AllowsEveryOrigin() ||
         std::any_of(origins_.begin(), origins_.end(), [&](const std::string& o) { return SameName(o, origin); });
}

std::string_view OriginRules::AllowedOriginFor(std::string_view origin) const {
  return AllowsEveryOrigin() ? std::string_view("*") : origin;
}

}  // namespace keyfold::server
