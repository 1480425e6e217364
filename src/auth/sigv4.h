// AWS Signature Version 4: what is signed (the canonical request) and how. Used by both sides: gate.cc verifies, Sign
// signs.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "auth/credentials.h"
#include "auth/sha256.h"
#include "base/clock.h"
#include "base/header.h"

namespace keyfold::auth {

// The signed parts of a request. Views into the request.
struct SignedParts {
  std::string_view method;
  std::string_view path;   // percent-encoded, as sent
  std::string_view query;  // after '?', as sent
  std::span<const Header> headers;
  std::string_view body;  // as sent, possibly compressed
  // Every service except S3 removes "." and ".." and doubled slashes from the path and encodes it a second time.
  bool path_as_sent = false;
};

inline constexpr std::string_view kSignatureAlgorithm = "AWS4-HMAC-SHA256";
inline constexpr std::string_view kScopeTerminator = "aws4_request";

// Where and when a signature is valid. Views into the request, or into what it is signed with.
struct Scope {
  std::string_view date;  // YYYYMMDD
  std::string_view region;
  std::string_view service;
};

// `signed_headers` are lower-case and sorted. Returns nullopt if one of them is not in the request: otherwise a removed
// header could go unnoticed. X-Amz-Signature is left out of the query if that carries the signature.
std::optional<std::string> CanonicalRequest(const SignedParts& parts, std::span<const std::string_view> signed_headers,
                                            std::string_view payload_hash);

Digest SigningKey(const Sha256& sha, std::string_view secret, const Scope& scope);

// In hexadecimal. `amz_date` is the text of an AmzDate.
std::string Signature(const Sha256& sha, const Digest& signing_key, std::string_view amz_date, const Scope& scope,
                      std::string_view canonical_request);

// "20130609T094515Z", UTC: a time in whole seconds, in a year of four digits, as signatures use it. Immutable.
class AmzDate {
 public:
  explicit AmzDate(int64_t epoch_seconds);
  std::string_view text() const { return {text_, sizeof text_}; }
  std::string_view day() const { return text().substr(0, 8); }

 private:
  char text_[16];
};
std::optional<int64_t> ParseAmzDate(std::string_view text);

// Decodes "%41" to "A"; a '%' without two hex digits is kept.
std::string PercentDecoded(std::string_view text);
// Encodes all bytes except letters, digits and "-._~", and except '/' for kKept, as "%2F".
enum class Slash : uint8_t { kEncoded, kKept };
void AppendPercentEncoded(std::string& out, std::string_view text, Slash slash);

// Returns the headers that sign a request: X-Amz-Date, Authorization and, for temporary credentials,
// X-Amz-Security-Token. All of the request's own headers, which include Host, are signed. S3 also requires the hash of
// the body (hexadecimal) in a signed header: if `payload_hash` is given, the body is not hashed again.
std::vector<OwnedHeader> Sign(const SignedParts& parts, const Credentials& credentials, std::string_view region,
                              std::string_view service, Micros now, std::string_view payload_hash = {});

}  // namespace keyfold::auth
