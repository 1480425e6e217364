#include "server/config/secret_file.h"

#include <fmt/format.h>
#include <sys/stat.h>

namespace keyfold::server {
namespace {

bool IsStrict(const Config& config) { return config.credentials_mode == "strict"; }

}  // namespace

std::string FindExposure(std::string_view what, const std::string& path) {
  struct stat about {};
  if (path.empty() || ::stat(path.c_str(), &about) != 0 || !S_ISREG(about.st_mode)) return "";
  if ((about.st_mode & (S_IRGRP | S_IROTH)) == 0) return "";
  return fmt::format(
      "{} {}: other users can read it (mode {:04o}); run chmod 600 {}, or give --credentials-mode=any if that is "
      "intended (as in a container)",
      what, path, about.st_mode & 07777, path);
}

std::string FindExposedCredentials(const Config& config) {
  if (!IsStrict(config)) return "";
  std::string found = FindExposure("credentials file", config.credentials);
  return found.empty() ? FindExposure("credentials file", config.s3_credentials) : found;
}

std::string FindExposedTlsKey(const Config& config) {
  return IsStrict(config) ? FindExposure("TLS key", config.tls_key) : "";
}

}  // namespace keyfold::server
