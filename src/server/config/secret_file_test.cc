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
    const std::string found = FindExposure("credentials file", path_);
    EXPECT_EQ(!found.empty(), exposed) << mode;
    if (!exposed) continue;
    for (const std::string& part : {path_.string(), fmt::format("{:04o}", mode), std::string("chmod 600")}) {
      EXPECT_NE(found.find(part), std::string::npos) << found;
    }
  }
}

TEST_F(SecretFile, ChecksTheTargetOfALink) {
  const std::filesystem::path link = folder_ / "link";
  std::filesystem::create_symlink("keys.ini", link);
  SetMode(0600);
  EXPECT_EQ(FindExposure("TLS key", link), "");
  SetMode(0644);
  EXPECT_NE(FindExposure("TLS key", link), "");
}

TEST_F(SecretFile, AMissingFileIsNotExposed) {
  EXPECT_EQ(FindExposure("TLS key", ""), "");
  EXPECT_EQ(FindExposure("TLS key", folder_ / "none"), "");
}

TEST_F(SecretFile, ChecksTheConfiguredFiles) {
  SetMode(0644);
  for (std::string Config::*member : {&Config::credentials, &Config::s3_credentials, &Config::tls_key}) {
    Config config;
    const auto found = [&config] { return FindExposedCredentials(config) + FindExposedTlsKey(config); };
    EXPECT_EQ(found(), "");
    config.*member = path_.string();
    EXPECT_NE(found(), "");
    config.credentials_mode = "any";
    EXPECT_EQ(found(), "");
  }
}

}  // namespace
}  // namespace keyfold::server
