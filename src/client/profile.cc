#include "client/profile.h"

#include <sys/stat.h>

namespace keyfold::client {
namespace {

constexpr Rule<"{}: {}"> kProfileFile{"profile-file", Kind::kValidation};
constexpr Rule<"there is no profile {} in {} or {}"> kNoProfile{"profile-missing", Kind::kValidation};

std::string PathOf(const Environment& environment, std::string_view variable, std::string_view below_home) {
  const std::string& given = environment[variable];
  if (!given.empty()) return given;
  const std::string& home = environment["HOME"];
  return home.empty() ? "" : home + "/.aws/" + std::string(below_home);
}

Result<std::vector<auth::ProfileSection>> LoadSections(const std::string& path) {
  struct stat about {};
  if (path.empty() || ::stat(path.c_str(), &about) != 0) return std::vector<auth::ProfileSection>();
  const Result<std::string> text = auth::ReadProfileFile(path);
  if (!text.ok()) return kProfileFile(path, text.error().message());
  Result<std::vector<auth::ProfileSection>> sections = auth::ParseProfileFile(*text);
  if (!sections.ok()) return kProfileFile(path, sections.error().message());
  return sections;
}

// If a section is repeated, the later one takes precedence, so it is added first.
void TakeNamed(const std::vector<auth::ProfileSection>& from, std::string_view name,
               std::vector<auth::ProfileSection>& into) {
  for (size_t i = from.size(); i-- > 0;) {
    if (from[i].name == name) into.push_back(from[i]);
  }
}

}  // namespace

Result<Profile> Profile::Load(const Environment& environment, const std::string& chosen) {
  const std::string credentials_path = PathOf(environment, "AWS_SHARED_CREDENTIALS_FILE", "credentials");
  const std::string config_path = PathOf(environment, "AWS_CONFIG_FILE", "config");
  ASSIGN_OR_RETURN(const std::vector<auth::ProfileSection> credentials, LoadSections(credentials_path));
  ASSIGN_OR_RETURN(const std::vector<auth::ProfileSection> config, LoadSections(config_path));
  const std::string& named = chosen.empty() ? environment["AWS_PROFILE"] : chosen;
  Profile profile;
  profile.name_ = named.empty() ? "default" : named;
  TakeNamed(credentials, profile.name_, profile.own_);
  TakeNamed(config, "profile " + profile.name_, profile.own_);
  if (profile.name_ == "default") TakeNamed(config, "default", profile.own_);
  if (profile.own_.empty() && !named.empty()) return kNoProfile(named, credentials_path, config_path);
  TakeNamed(config, "services " + std::string(profile["services"]), profile.services_);
  return profile;
}

std::string_view Profile::operator[](std::string_view setting) const {
  for (const auth::ProfileSection& section : own_) {
    if (const std::string* value = section.Find(setting)) return *value;
  }
  return {};
}

std::string_view Profile::ServiceEndpoint(std::string_view service) const {
  for (const auth::ProfileSection& section : services_) {
    if (const std::string* value = section.Find("endpoint_url", service)) return *value;
  }
  return {};
}

}  // namespace keyfold::client
