#include "auth/claim.h"

#include <algorithm>
#include <charconv>
#include <ctime>

#include "base/text/scan.h"

namespace keyfold::auth {
namespace {

constexpr Rule<"Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header."> kSignedTwice{
    "signed-twice", Kind::kInvalidSignature};
constexpr Rule<"Request is missing Authentication Token"> kNotSigned{"not-signed", Kind::kMissingAuthenticationToken};
constexpr Rule<"'{}' not a valid key=value pair (missing equal-sign) in Authorization header: '{}'."> kNoEqualSign{
    "authorization-part", Kind::kIncompleteSignature};
constexpr Rule<"Authorization header requires '{}' parameter. "> kPartMissing{"authorization-part-missing",
                                                                              Kind::kIncompleteSignature};
constexpr Rule<"Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. "> kDateMissing{
    "signature-date-missing", Kind::kIncompleteSignature};
constexpr Rule<"{}Authorization={}"> kAuthorizationIncomplete{"authorization-incomplete", Kind::kIncompleteSignature};
constexpr Rule<"AWS query-string parameters must include '{}'. "> kParameterMissing{"signature-parameter-missing",
                                                                                    Kind::kIncompleteSignature};
constexpr Rule<"{}Re-examine the query-string parameters."> kQueryIncomplete{"signature-query-incomplete",
                                                                             Kind::kIncompleteSignature};
constexpr Rule<"Date must be in ISO-8601 'basic format'. Got '{}'. See http://en.wikipedia.org/wiki/ISO_8601">
    kDateMalformed{"signature-date", Kind::kIncompleteSignature};

constexpr int64_t kExpiresMax = 7 * 86400;

// Parses HTTP's Date header, for clients that send no X-Amz-Date.
std::optional<int64_t> ParseHttpDate(std::string_view text) {
  std::tm utc{};
  const std::string copy(text);
  const char* end = strptime(copy.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &utc);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return timegm(&utc);
}

Status ReadDate(Claim& claim) {
  std::optional<int64_t> date = ParseAmzDate(claim.date_text);
  if (!date && !claim.in_query && !claim.date_from_amz_header) date = ParseHttpDate(claim.date_text);
  if (!date) return kDateMalformed(claim.date_text);
  claim.date = *date;
  return Ok();
}

Status ReadAuthorizationParts(std::string_view authorization, Claim& claim) {
  const size_t space = std::min(authorization.find(' '), authorization.size());
  claim.algorithm = authorization.substr(0, space);
  std::string_view rest = authorization.substr(space);
  while (!rest.empty()) {
    const size_t end = FirstWhere(rest, [](auto c) { return (c == ',') | (c == ' '); });
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (part.empty()) continue;
    const size_t equals = part.find('=');
    if (equals == std::string_view::npos) return kNoEqualSign(part, authorization);
    const std::string_view name = part.substr(0, equals);
    const std::string_view value = part.substr(equals + 1);
    if (name == "Credential") claim.credential = value;
    if (name == "Signature") claim.signature = value;
    if (name == "SignedHeaders") claim.signed_headers = value;
  }
  return Ok();
}

Result<Claim> ReadHeaderClaim(const SignedParts& parts, std::string_view authorization) {
  Claim claim;
  RETURN_IF_ERROR(ReadAuthorizationParts(authorization, claim));
  claim.date_text = FindHeader(parts.headers, "x-amz-date");
  claim.date_from_amz_header = !claim.date_text.empty();
  if (claim.date_text.empty()) claim.date_text = FindHeader(parts.headers, "date");
  claim.security_token = FindHeader(parts.headers, "x-amz-security-token");

  std::string missing;
  if (claim.credential.empty()) missing += kPartMissing("Credential").message();
  if (claim.signature.empty()) missing += kPartMissing("Signature").message();
  if (claim.signed_headers.data() == nullptr) missing += kPartMissing("SignedHeaders").message();
  if (claim.date_text.empty()) missing += kDateMissing().message();
  if (!missing.empty()) return kAuthorizationIncomplete(missing, authorization);
  RETURN_IF_ERROR(ReadDate(claim));
  return claim;
}

// Calls `use` with the decoded name and the value as sent of each X-Amz- parameter.
template <typename Use>
void ForEachSignatureParameter(std::string_view query, Use use) {
  while (!query.empty()) {
    const size_t end = std::min(query.find('&'), query.size());
    const std::string_view parameter = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    const size_t equals = std::min(parameter.find('='), parameter.size());
    const std::string name = PercentDecoded(parameter.substr(0, equals));
    if (name.starts_with("X-Amz-")) use(name, parameter.substr(std::min(equals + 1, parameter.size())));
  }
}

Result<Claim> ReadQueryClaim(const SignedParts& parts) {
  Claim claim;
  claim.in_query = true;
  std::string_view expires;
  const std::pair<std::string_view, std::string_view*> fields[] = {
      {"X-Amz-Algorithm", &claim.algorithm},
      {"X-Amz-Credential", &claim.credential},
      {"X-Amz-Signature", &claim.signature},
      {"X-Amz-SignedHeaders", &claim.signed_headers},
      {"X-Amz-Date", &claim.date_text},
      // The remaining ones are optional.
      {"X-Amz-Expires", &expires},
      {"X-Amz-Security-Token", &claim.security_token},
  };
  ForEachSignatureParameter(parts.query, [&](std::string_view name, std::string_view value) {
    for (const auto& [field, target] : fields) {
      if (field != name) continue;
      *target = *claim.decoded.emplace_back(std::make_unique<std::string>(PercentDecoded(value)));
    }
  });
  std::string missing;
  for (const auto& [field, target] : std::span(fields).first(5)) {
    if (target->empty()) missing += kParameterMissing(field).message();
  }
  if (!missing.empty()) return kQueryIncomplete(missing);
  const auto parsed = std::from_chars(expires.data(), expires.data() + expires.size(), claim.expires_seconds);
  if (parsed.ec != std::errc() || claim.expires_seconds < 0) claim.expires_seconds = 0;
  claim.expires_seconds = std::min(claim.expires_seconds, kExpiresMax);
  RETURN_IF_ERROR(ReadDate(claim));
  return claim;
}

}  // namespace

std::string_view FindHeader(std::span<const Header> headers, std::string_view name) {
  for (const Header& header : headers) {
    if (EqualsIgnoringCase(header.name, name)) return header.value;
  }
  return {};
}

Result<Claim> ReadClaim(const SignedParts& parts) {
  const std::string_view authorization = FindHeader(parts.headers, "authorization");
  bool in_query = false;
  ForEachSignatureParameter(
      parts.query, [&](std::string_view name, std::string_view) { in_query = in_query || name == "X-Amz-Algorithm"; });
  if (in_query && !authorization.empty()) return kSignedTwice();
  if (in_query) return ReadQueryClaim(parts);
  if (!authorization.starts_with("AWS4-")) return kNotSigned();
  return ReadHeaderClaim(parts, authorization);
}

}  // namespace keyfold::auth
