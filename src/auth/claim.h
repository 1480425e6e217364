// Claim: what a request states about its own signature, in its Authorization header or its query string, parsed and
// checked for form. Nothing in it is verified.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "auth/sigv4.h"
#include "base/error.h"

namespace keyfold::auth {

// Views into the request, or into `decoded`.
struct Claim {
  std::string_view algorithm;
  std::string_view credential;  // keyid/date/region/service/terminator
  std::string_view signed_headers;
  std::string_view signature;
  std::string_view security_token;
  std::string_view date_text;   // as sent
  int64_t date = 0;             // epoch seconds
  int64_t expires_seconds = 0;  // X-Amz-Expires of a query-string signature; 0 if not given
  bool in_query = false;
  bool date_from_amz_header = false;
  std::vector<std::unique_ptr<std::string>> decoded;
};

// Returns the first header with that name; data() == nullptr if there is none.
std::string_view FindHeader(std::span<const Header> headers, std::string_view name);

// Refuses, in this order: both forms at once, neither form, a malformed part, missing parts (all are named), a
// malformed date.
Result<Claim> ReadClaim(const SignedParts& parts);

}  // namespace keyfold::auth
