#include "auth/gate.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "auth/claim.h"

namespace keyfold::auth {

// The five parts of a credential. Views into the Claim.
struct CredentialScope {
  std::string_view access_key_id;
  Scope scope;
  std::string_view terminator;
};

namespace {

constexpr Rule<"Signature expired: {} is now earlier than {} ({} - {}.)"> kExpired{"signature-expired",
                                                                                   Kind::kInvalidSignature};
constexpr Rule<"Signature not yet current: {} is still later than {} ({} + 15 min.)"> kNotYetCurrent{
    "signature-not-yet-current", Kind::kInvalidSignature};
constexpr Rule<"'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization."> kHostNotSigned{
    "host-not-signed", Kind::kInvalidSignature};
constexpr Rule<"'{}' must be a 'SignedHeader' in the AWS Authorization."> kHeaderNotSigned{"header-not-signed",
                                                                                           Kind::kInvalidSignature};
constexpr Rule<"Unsupported AWS 'algorithm': '{}' (only AWS4-HMAC-SHA256 for now). "> kAlgorithm{
    "signature-algorithm", Kind::kIncompleteSignature};
constexpr Rule<"Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got '{}'">
    kCredentialParts{"credential-parts", Kind::kIncompleteSignature};
constexpr Rule<"Credential should be scoped to a valid region, not '{}'. "> kScopeRegion{"scope-region",
                                                                                         Kind::kInvalidSignature};
constexpr Rule<"Credential should be scoped to correct service: 'dynamodb'. "> kScopeService{"scope-service",
                                                                                             Kind::kInvalidSignature};
constexpr Rule<"Credential should be scoped with a valid terminator: 'aws4_request', not '{}'. "> kScopeEnd{
    "scope-terminator", Kind::kInvalidSignature};
constexpr Rule<
    "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '{}' != '{}', from "
    "'{}'.">
    kScopeDate{"scope-date", Kind::kInvalidSignature};
constexpr Rule<"{}{}{}{}"> kScope{"scope", Kind::kInvalidSignature};
constexpr Rule<"The security token included in the request is invalid."> kUnknownClient{"unknown-client",
                                                                                        Kind::kUnrecognizedClient};
constexpr Rule<
    "The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key "
    "and signing method. Consult the service documentation for details.">
    kMismatch{"signature-mismatch", Kind::kInvalidSignature};

constexpr std::string_view kService = "dynamodb";
constexpr int64_t kWindowSeconds = 15 * 60;
constexpr size_t kSigningKeysMax = 1024;

Status CheckTime(const Claim& claim, int64_t now) {
  const int64_t window = claim.expires_seconds > 0 ? claim.expires_seconds : kWindowSeconds;
  if (claim.date < now - window) {
    const bool minutes = window % 60 == 0;
    const std::string length = std::to_string(minutes ? window / 60 : window) + (minutes ? " min" : " sec");
    return kExpired(AmzDate(claim.date).text(), AmzDate(now - window).text(), AmzDate(now).text(), length);
  }
  if (claim.date > now + kWindowSeconds) {
    return kNotYetCurrent(AmzDate(claim.date).text(), AmzDate(now + kWindowSeconds).text(), AmzDate(now).text());
  }
  return Ok();
}

// Whether `name`, lower-case, is in the semicolon-separated list.
bool IsSigned(std::string_view signed_headers, std::string_view name) {
  while (!signed_headers.empty()) {
    const size_t end = std::min(signed_headers.find(';'), signed_headers.size());
    if (EqualsIgnoringCase(signed_headers.substr(0, end), name)) return true;
    signed_headers.remove_prefix(std::min(end + 1, signed_headers.size()));
  }
  return false;
}

Result<CredentialScope> ReadScope(std::string_view credential) {
  std::string_view rest = credential;
  while (rest.ends_with('/')) rest.remove_suffix(1);
  std::array<std::string_view, 5> parts;
  size_t count = 0;
  for (bool more = true; more; ++count) {
    const size_t slash = rest.find('/');
    more = slash != std::string_view::npos;
    if (count < parts.size()) parts[count] = rest.substr(0, slash);
    if (more) rest.remove_prefix(slash + 1);
  }
  if (count != parts.size()) return kCredentialParts(credential);
  return CredentialScope{parts[0], {parts[1], parts[2], parts[3]}, parts[4]};
}

Status CheckScope(const CredentialScope& credential, const Claim& claim, std::string_view region) {
  const AmzDate date(claim.date);
  const Scope& scope = credential.scope;
  const bool region_right = !scope.region.empty() && (region.empty() || scope.region == region);
  const bool service_right = scope.service == kService;
  const bool end_right = credential.terminator == kScopeTerminator;
  const bool date_right = scope.date == date.day();
  if (region_right && service_right && end_right && date_right) return Ok();
  return kScope(region_right ? std::string() : kScopeRegion(scope.region).message(),
                service_right ? std::string() : kScopeService().message(),
                end_right ? std::string() : kScopeEnd(credential.terminator).message(),
                date_right ? std::string() : kScopeDate(scope.date, date.day(), date.text()).message());
}

// If these were unsigned, a captured signature could be used for another operation or at another time.
Status NeededHeadersAreSigned(const Claim& claim, const SignedParts& parts) {
  if (claim.date_from_amz_header && !IsSigned(claim.signed_headers, "x-amz-date"))
    return kHeaderNotSigned("X-Amz-Date");
  const bool has_target = FindHeader(parts.headers, "x-amz-target").data() != nullptr;
  if (has_target && !IsSigned(claim.signed_headers, "x-amz-target")) return kHeaderNotSigned("X-Amz-Target");
  return Ok();
}

bool SameBytes(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace

// Thread-safe.
class Gate::KeyRing {
 public:
  explicit KeyRing(CredentialSet set) : set_(std::move(set)) {}

  const Credentials* Find(std::string_view access_key_id) const {
    const auto found = set_.find(access_key_id);
    return found == set_.end() ? nullptr : &found->second;
  }
  // Used in place of unknown credentials, so that refusing them takes as long.
  const Credentials& nobody() const { return nobody_; }

  Digest SigningKeyFor(const Sha256& sha, const Credentials& credentials, const Scope& scope) const {
    const Name name{&credentials, std::string(scope.date), std::string(scope.region)};
    {
      MutexLock lock(mutex_);
      const auto found = derived_.find(name);
      if (found != derived_.end()) return found->second;
    }
    const Digest key = SigningKey(sha, credentials.secret_access_key, scope);
    MutexLock lock(mutex_);
    if (derived_.size() >= kSigningKeysMax) derived_.clear();
    derived_.emplace(name, key);
    return key;
  }

 private:
  using Name =
      std::tuple<const Credentials*, std::string, std::string>;  // with date and region; the service is always DynamoDB

  const CredentialSet set_;
  const Credentials nobody_{"", "0000000000000000000000000000000000000000", ""};
  mutable Mutex mutex_;
  mutable std::map<Name, Digest> derived_ GUARDED_BY(mutex_);
};

Gate::Gate(GateOptions options) : options_(std::move(options)) {}

Gate::~Gate() = default;

Result<std::unique_ptr<Gate>> Gate::Open(GateOptions options) {
  std::unique_ptr<Gate> gate(new Gate(std::move(options)));
  RETURN_IF_ERROR(gate->Reload());
  return gate;
}

std::unique_ptr<Gate> Gate::OpenLocal(std::string account) {
  return std::unique_ptr<Gate>(new Gate({.account = std::move(account)}));
}

Status Gate::Reload() {
  if (!verifies()) return Ok();
  ASSIGN_OR_RETURN(CredentialSet set, LoadCredentials(options_.credentials_file));
  auto fresh = std::make_shared<const KeyRing>(std::move(set));
  MutexLock lock(mutex_);
  keys_ = std::move(fresh);
  return Ok();
}

std::shared_ptr<const Gate::KeyRing> Gate::keys() const {
  MutexLock lock(mutex_);
  return keys_;
}

Result<Authenticated> Gate::Check(const SignedParts& parts, Micros system_now) const {
  ASSIGN_OR_RETURN(const Claim claim, ReadClaim(parts));
  if (options_.check_time) RETURN_IF_ERROR(CheckTime(claim, system_now / 1'000'000));
  if (!IsSigned(claim.signed_headers, "host")) return kHostNotSigned();
  if (claim.algorithm != kSignatureAlgorithm) return kAlgorithm(claim.algorithm);
  ASSIGN_OR_RETURN(const CredentialScope credential, ReadScope(claim.credential));
  RETURN_IF_ERROR(CheckScope(credential, claim, verifies() ? std::string_view(options_.region) : std::string_view()));
  if (verifies()) {
    RETURN_IF_ERROR(NeededHeadersAreSigned(claim, parts));
    RETURN_IF_ERROR(Verify(claim, parts, credential));
  }
  return Authenticated(credential.access_key_id, options_.account);
}

Status Gate::Verify(const Claim& claim, const SignedParts& parts, const CredentialScope& credential) const {
  const std::shared_ptr<const KeyRing> ring = keys();
  const Credentials* known = ring->Find(credential.access_key_id);
  const Credentials& credentials = known != nullptr ? *known : ring->nobody();

  std::string names(claim.signed_headers);
  std::transform(names.begin(), names.end(), names.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
  std::vector<std::string_view> signed_headers;
  for (std::string_view rest = names; !rest.empty();) {
    const size_t end = std::min(rest.find(';'), rest.size());
    signed_headers.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  std::sort(signed_headers.begin(), signed_headers.end());

  // The payload is always hashed here: a hash stated by the client must match, so "UNSIGNED-PAYLOAD" is never accepted.
  const std::string payload_hash = Hex(sha_.Hash({parts.body}));
  const std::string_view stated_hash = FindHeader(parts.headers, "x-amz-content-sha256");
  const bool hash_right = stated_hash.data() == nullptr || SameBytes(stated_hash, payload_hash);
  const std::optional<std::string> canonical = CanonicalRequest(parts, signed_headers, payload_hash);
  const Digest key = ring->SigningKeyFor(sha_, credentials, credential.scope);
  const std::string expected =
      Signature(sha_, key, AmzDate(claim.date).text(), credential.scope, canonical ? *canonical : std::string());
  const bool signature_right = SameBytes(claim.signature, expected);

  if (known == nullptr) return kUnknownClient();
  if (!canonical || !hash_right || !signature_right) return kMismatch();
  if (!SameBytes(claim.security_token, credentials.session_token)) return kUnknownClient();
  return Ok();
}

}  // namespace keyfold::auth
