// AWS Signature Version 4: what is signed (the canonical request) and how. Both sides stand on it: gate.cc verifies,
// Sign signs.
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

namespace keyfold {

// A request as far as it is signed. Views into the request.
struct SignedParts {
  std::string_view method;
  std::string_view path;   // percent-encoded, as sent
  std::string_view query;  // behind '?', as sent
  std::span<const Header> headers;
  std::string_view body;  // as sent: compressed, if it was
  // Every service but S3 encodes the path a second time, and without "." and ".." and doubled slashes.
  bool path_as_sent = false;
};

inline constexpr std::string_view kSignatureAlgorithm = "AWS4-HMAC-SHA256";
inline constexpr std::string_view kScopeTerminator = "aws4_request";

// Where and when a signature holds. Views into the request, or into what was signed with.
struct Scope {
  std::string_view date;  // YYYYMMDD
  std::string_view region;
  std::string_view service;
};

// `signed_headers` are lower-case and sorted. Nothing where one of them is not in the request: that could only hide a
// removed header. X-Amz-Signature is left out of the query, being the signature itself.
std::optional<std::string> CanonicalRequest(const SignedParts& parts, std::span<const std::string_view> signed_headers,
                                            std::string_view payload_hash);

Digest SigningKey(const Sha256& sha, std::string_view secret, const Scope& scope);

// Hexadecimal. `amz_date` is an AmzDate's text.
std::string Signature(const Sha256& sha, const Digest& signing_key, std::string_view amz_date, const Scope& scope,
                      std::string_view canonical_request);

// "20130609T094515Z", UTC: a second of a year of four digits, as signatures have it. Immutable.
class AmzDate {
 public:
  explicit AmzDate(int64_t epoch_seconds);
  std::string_view text() const { return {text_, sizeof text_}; }
  std::string_view day() const { return text().substr(0, 8); }

 private:
  char text_[16];
};
std::optional<int64_t> ParseAmzDate(std::string_view text);

// "%41" into "A"; a '%' without two digits stays.
std::string PercentDecoded(std::string_view text);
// All but letters, digits and "-._~", and '/' where it is kept, into "%2F".
enum class Slash : uint8_t { kEncoded, kKept };
void AppendPercentEncoded(std::string& out, std::string_view text, Slash slash);

// The headers that sign a request whose own headers, Host among them, are all to be signed: X-Amz-Date, Authorization
// and, for temporary credentials, X-Amz-Security-Token. S3 also wants the hash of the body (hexadecimal) in a header,
// which is signed with the others: where it is given, the body is not hashed again.
std::vector<OwnedHeader> Sign(const SignedParts& parts, const Credentials& credentials, std::string_view region,
                              std::string_view service, Micros now, std::string_view payload_hash = {});

}  // namespace keyfold
