#include "auth/credentials.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "auth/profile_file.h"

namespace keyfold::auth {
namespace {

constexpr Rule<"profile {} needs both aws_access_key_id and aws_secret_access_key"> kHalfAKey{"credentials-incomplete",
                                                                                              Kind::kValidation};
constexpr Rule<"profile {} repeats an access key id with a different secret"> kTwoSecrets{"credentials-two-secrets",
                                                                                          Kind::kValidation};
constexpr Rule<"it contains no credentials"> kNoCredentials{"credentials-none", Kind::kValidation};
constexpr Rule<"it is writable by everyone; remove that permission (chmod o-w)"> kWritableByAll{
    "credentials-writable-by-all", Kind::kValidation};

// Fails if a profile is incomplete or contradicts another.
Status Enter(const ProfileSection& profile, CredentialSet& set) {
  const auto value = [&](std::string_view name) {
    const std::string* found = profile.Find(name);
    return found == nullptr ? std::string() : *found;
  };
  const Credentials entry{value("aws_access_key_id"), value("aws_secret_access_key"), value("aws_session_token")};
  if (entry.access_key_id.empty() && entry.secret_access_key.empty()) return Ok();
  if (entry.access_key_id.empty() || entry.secret_access_key.empty()) return kHalfAKey(profile.name);
  const auto [known, fresh] = set.try_emplace(entry.access_key_id, entry);
  if (!fresh && known->second.secret_access_key != entry.secret_access_key) return kTwoSecrets(profile.name);
  return Ok();
}

Status NotWritableByAll(const std::string& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) return kProfileUnreadable(std::strerror(errno));
  if ((about.st_mode & S_IWOTH) != 0) return kWritableByAll();
  return Ok();
}

Result<CredentialSet> LoadFile(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string text, ReadProfileFile(path));
  RETURN_IF_ERROR(NotWritableByAll(path));
  return ParseCredentials(text);
}

}  // namespace

Result<CredentialSet> ParseCredentials(std::string_view text) {
  ASSIGN_OR_RETURN(const std::vector<ProfileSection> profiles, ParseProfileFile(text));
  CredentialSet set;
  for (const ProfileSection& profile : profiles) RETURN_IF_ERROR(Enter(profile, set));
  if (set.empty()) return kNoCredentials();
  return set;
}

Result<CredentialSet> LoadCredentials(const std::string& path) {
  Result<CredentialSet> set = LoadFile(path);
  if (!set.ok()) return std::move(set).TakeError().WithPrefix("credentials file " + path + ": ");
  return set;
}

}  // namespace keyfold::auth
