#include "client/credential_chain.h"

namespace keyfold::client {
namespace {

constexpr Rule<"{} is set without {}"> kHalfGiven{"credentials-half", Kind::kValidation};
constexpr Rule<"profile {} needs both aws_access_key_id and aws_secret_access_key"> kHalfProfile{"profile-half",
                                                                                                 Kind::kValidation};
constexpr Rule<
    "profile {} gets its credentials by {}, which is not supported here; get them with: "
    "eval \"$(aws configure export-credentials --profile {} --format env)\"">
    kProfileKind{"profile-kind", Kind::kValidation};
constexpr Rule<
    "AWS_WEB_IDENTITY_TOKEN_FILE asks for a role to be assumed, which is not supported here; set AWS_ACCESS_KEY_ID, "
    "AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN">
    kWebIdentity{"web-identity", Kind::kValidation};
constexpr Rule<
    "no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or choose a profile with --profile or "
    "AWS_PROFILE">
    kNone{"credentials-missing", Kind::kMissingAuthenticationToken};

// As in the SDKs: well before they expire, so that a request signed now is still valid when it arrives.
constexpr Micros kRenewBefore = 5 * 60 * 1'000'000LL;

// A profile with one of these settings gets its credentials from elsewhere. The first takes precedence even over the
// profile's own keys.
constexpr std::string_view kElsewhere[] = {
    "role_arn", "sso_session", "sso_start_url", "credential_process", "web_identity_token_file", "login_session"};

auth::Credentials Placeholders() { return {"local", "local", ""}; }

}  // namespace

Result<const auth::Credentials*> CredentialChain::Current(Micros system_now) {
  const bool usable = found_ && (!found_->expires || *found_->expires - kRenewBefore > system_now);
  if (!usable) {
    ASSIGN_OR_RETURN(found_, Find());
  }
  return const_cast<const auth::Credentials*>(&found_->credentials);
}

Result<TemporaryCredentials> CredentialChain::Find() const {
  if (settings_.credentials) return TemporaryCredentials{*settings_.credentials, {}};
  Result<std::optional<auth::Credentials>> given = FindGiven();
  const bool any_will_do = loopback_ && settings_.profile.empty();
  if (given.ok() && *given) return TemporaryCredentials{**std::move(given), {}};
  if (!given.ok() && !any_will_do) return std::move(given).TakeError();
  Result<std::optional<TemporaryCredentials>> handed_out = AskContainer(environment_);
  if (handed_out.ok() && !*handed_out && !loopback_) handed_out = AskInstance(environment_);
  if (handed_out.ok() && *handed_out) return **std::move(handed_out);
  if (any_will_do) return TemporaryCredentials{Placeholders(), {}};
  if (!handed_out.ok()) return std::move(handed_out).TakeError();
  return kNone();
}

Result<std::optional<auth::Credentials>> CredentialChain::FindGiven() const {
  const std::string& id = environment_["AWS_ACCESS_KEY_ID"];
  const std::string& secret = environment_["AWS_SECRET_ACCESS_KEY"];
  if (settings_.profile.empty() && !(id.empty() && secret.empty())) {
    if (id.empty()) return kHalfGiven("AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID");
    if (secret.empty()) return kHalfGiven("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY");
    return std::optional(auth::Credentials{id, secret, environment_["AWS_SESSION_TOKEN"]});
  }
  const std::string_view profile_id = profile_["aws_access_key_id"];
  const std::string_view profile_secret = profile_["aws_secret_access_key"];
  const bool has_keys = !profile_id.empty() && !profile_secret.empty();
  for (const std::string_view setting : kElsewhere) {
    const bool counts = setting == kElsewhere[0] || !has_keys;
    if (counts && !profile_[setting].empty()) return kProfileKind(profile_.name(), setting, profile_.name());
  }
  if (has_keys) {
    return std::optional(auth::Credentials{std::string(profile_id), std::string(profile_secret),
                                           std::string(profile_["aws_session_token"])});
  }
  if (!profile_id.empty() || !profile_secret.empty()) return kHalfProfile(profile_.name());
  if (settings_.profile.empty() && !environment_["AWS_WEB_IDENTITY_TOKEN_FILE"].empty()) return kWebIdentity();
  return std::optional<auth::Credentials>();
}

}  // namespace keyfold::client
