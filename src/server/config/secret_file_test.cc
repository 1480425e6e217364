// Which modes of a file with secrets are rejected.
#include "server/config/secret_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

namespace keyfold::server {
namespace {

class SecretFile : public testing::Test {
 protected:
  SecretFile() {
    std::string pattern = std::filesystem::temp_directory_path() / "keyfold-secret-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
    path_ = folder_ / "keys.ini";
    std::ofstream(path_) << "secret";
  }
  ~SecretFile() override { std::filesystem::remove_all(folder_); }
  void SetMode(mode_t mode) { ASSERT_EQ(::chmod(path_.c_str(), mode), 0); }

  std::filesystem::path folder_, path_;
};

TEST_F(SecretFile, IsForItsOwnerOnly) {
  const std::pair<mode_t, bool> rows[] = {{0600, false}, {0400, false}, {0700, false}, {0640, true},
                                          {0644, true},  {0604, true},  {0440, true},  {0755, true}};
  for (const auto& [mode, exposed] : rows) {
    SetMode(mode);
    const Status status = CheckSecretFile("credentials file", path_);
    EXPECT_EQ(!status.ok(), exposed) << mode;
    if (!exposed) continue;
    EXPECT_EQ(status.message(),  // secret-file-exposed
              fmt::format("credentials file {0}: other users can read it (mode {1:04o}); run chmod 600 {0}, or give "
                          "--credentials-mode=any if that is intended (as in a container)",
                          path_.string(), mode));
  }
}

TEST_F(SecretFile, ChecksTheTargetOfALink) {
  const std::filesystem::path link = folder_ / "link";
  std::filesystem::create_symlink("keys.ini", link);
  SetMode(0600);
  EXPECT_TRUE(CheckSecretFile("TLS key", link).ok());
  SetMode(0644);
  EXPECT_FALSE(CheckSecretFile("TLS key", link).ok());
}

TEST_F(SecretFile, AMissingFileIsNotExposed) {
  EXPECT_TRUE(CheckSecretFile("TLS key", "").ok());
  EXPECT_TRUE(CheckSecretFile("TLS key", folder_ / "none").ok());
}

TEST_F(SecretFile, ChecksTheConfiguredFiles) {
  SetMode(0644);
  for (std::string Config::*member : {&Config::credentials, &Config::s3_credentials, &Config::tls_key}) {
    Config config;
    const auto exposed = [&config] { return !CheckCredentialsFiles(config).ok() || !CheckTlsKeyFile(config).ok(); };
    EXPECT_FALSE(exposed());
    config.*member = path_.string();
    EXPECT_TRUE(exposed());
    config.credentials_mode = "any";
    EXPECT_FALSE(exposed());
  }
}

}  // namespace
}  // namespace keyfold::server
