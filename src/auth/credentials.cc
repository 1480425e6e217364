#include "auth/credentials.h"

#include <sys/stat.h>

#include "auth/profile_file.h"

namespace keyfold::auth {
namespace {

// Returns false, with the reason in `error`, if a profile is incomplete or contradicts another.
bool Enter(const ProfileSection& profile, CredentialSet& set, std::string& error) {
  const auto value = [&](std::string_view name) {
    const std::string* found = profile.Find(name);
    return found == nullptr ? std::string() : *found;
  };
  const Credentials entry{value("aws_access_key_id"), value("aws_secret_access_key"), value("aws_session_token")};
  if (entry.access_key_id.empty() && entry.secret_access_key.empty()) return true;
  if (entry.access_key_id.empty() || entry.secret_access_key.empty()) {
    error = "profile " + profile.name + " needs both aws_access_key_id and aws_secret_access_key";
    return false;
  }
  const auto [known, fresh] = set.try_emplace(entry.access_key_id, entry);
  if (!fresh && known->second.secret_access_key != entry.secret_access_key) {
    error = "profile " + profile.name + " repeats an access key id with a different secret";
    return false;
  }
  return true;
}

}  // namespace

std::optional<CredentialSet> ParseCredentials(std::string_view text, std::string& error) {
  const auto profiles = ParseProfileFile(text, error);
  if (!profiles) return std::nullopt;
  CredentialSet set;
  for (const ProfileSection& profile : *profiles) {
    if (!Enter(profile, set, error)) return std::nullopt;
  }
  if (set.empty()) {
    error = "it contains no credentials";
    return std::nullopt;
  }
  return set;
}

std::optional<CredentialSet> LoadCredentials(const std::string& path, std::string& error) {
  const std::string prefix = "credentials file " + path + ": ";
  std::string why;
  const std::optional<std::string> text = ReadProfileFile(path, why);
  if (!text) {
    error = prefix + why;
    return std::nullopt;
  }
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0 || (about.st_mode & S_IWOTH) != 0) {
    error = prefix + "it is writable by everyone; remove that permission (chmod o-w)";
    return std::nullopt;
  }
  std::optional<CredentialSet> set = ParseCredentials(*text, why);
  if (!set) error = prefix + why;
  return set;
}

}  // namespace keyfold::auth
