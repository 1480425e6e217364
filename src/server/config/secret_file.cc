#include "server/config/secret_file.h"

#include <fmt/format.h>
#include <sys/stat.h>

namespace keyfold::server {
namespace {

constexpr Rule<
    "{} {}: other users can read it (mode {}); run chmod 600 {}, or give --credentials-mode=any if that is intended (as "
    "in a container)">
    kSecretExposed{"secret-file-exposed", Kind::kValidation};

bool IsStrict(const Config& config) { return config.credentials_mode == "strict"; }

}  // namespace

Status CheckSecretFile(std::string_view what, const std::string& path) {
  struct stat about {};
  if (path.empty() || ::stat(path.c_str(), &about) != 0 || !S_ISREG(about.st_mode)) return Ok();
  if ((about.st_mode & (S_IRGRP | S_IROTH)) == 0) return Ok();
  return kSecretExposed(what, path, fmt::format("{:04o}", about.st_mode & 07777), path);
}

Status CheckCredentialsFiles(const Config& config) {
  if (!IsStrict(config)) return Ok();
  RETURN_IF_ERROR(CheckSecretFile("credentials file", config.credentials));
  return CheckSecretFile("credentials file", config.s3_credentials);
}

Status CheckTlsKeyFile(const Config& config) {
  return IsStrict(config) ? CheckSecretFile("TLS key", config.tls_key) : Ok();
}

}  // namespace keyfold::server
