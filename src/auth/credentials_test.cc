#include "auth/credentials.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

namespace keyfold::auth {
namespace {

struct CredentialsRow {
  const char* text;
  const char* ids;    // sorted, each followed by a space
  const char* error;  // empty if there is no error
};

constexpr CredentialsRow kCredentialsRows[] = {
    {"[default]\naws_access_key_id = A\naws_secret_access_key = s\n", "A ", ""},
    {"[default]\r\naws_access_key_id=A\r\naws_secret_access_key=s\r\n", "A ", ""},
    {"# c\n; c\n\n[default]\naws_access_key_id=A\naws_secret_access_key=s=/+#;\n[b]\naws_access_key_id=B\n"
     "aws_secret_access_key=t\naws_session_token=u",
     "A B ", ""},
    {"[default]\nregion = x\ns3 =\n  nested = 1\n[b]\naws_access_key_id=B\naws_secret_access_key=t\n", "B ", ""},
    {"[a]\naws_access_key_id=A\naws_secret_access_key=s\n[b]\naws_access_key_id=A\naws_secret_access_key=s\n", "A ",
     ""},
    {"[a]\naws_access_key_id=A\naws_secret_access_key=s\n[b]\naws_access_key_id=A\naws_secret_access_key=t\n", "",
     "profile b repeats an access key id with a different secret"},
    {"[a]\naws_access_key_id=A\n", "", "profile a needs both aws_access_key_id and aws_secret_access_key"},
    {"[a]\naws_secret_access_key=s\n[b]\n", "", "profile a needs both aws_access_key_id and aws_secret_access_key"},
    {"aws_access_key_id=A\n", "", "line 1 is neither a [profile] nor a setting in one"},
    {"[a]\nhello\n", "", "line 2 is neither a [profile] nor a setting in one"},
    {"[a\n", "", "line 1 is not a [profile]"},
    {"[]\n", "", "line 1 is not a [profile]"},
    {"", "", "it contains no credentials"},
    {"[default]\nregion = x\n", "", "it contains no credentials"},
};

TEST(Credentials, Parse) {
  for (const CredentialsRow& row : kCredentialsRows) {
    SCOPED_TRACE(row.text);
    const auto set = ParseCredentials(row.text);
    EXPECT_EQ(set.ok() ? "" : set.error().message(), row.error);
    std::string ids;
    if (set.ok()) {
      for (const auto& [id, credentials] : *set) ids += id + " ";
    }
    EXPECT_EQ(ids, row.ids);
  }
}

TEST(Credentials, KeepsSecretAndToken) {
  const auto set = ParseCredentials("[b]\naws_access_key_id=B\naws_secret_access_key= t=/+ \naws_session_token=u");
  ASSERT_TRUE(set.ok());
  EXPECT_EQ(set->at("B").secret_access_key, "t=/+");
  EXPECT_EQ(set->at("B").session_token, "u");
}

TEST(Credentials, Files) {
  const std::string path = testing::TempDir() + "keyfold_credentials_" + std::to_string(getpid());
  const auto error = [&] {
    const auto set = LoadCredentials(path);
    return set.ok() ? "" : set.error().message();
  };
  EXPECT_EQ(error(), "credentials file " + path + ": cannot be read: No such file or directory");
  std::ofstream(path) << "[a]\naws_access_key_id=A\naws_secret_access_key=s\n";
  ASSERT_EQ(chmod(path.c_str(), 0644), 0);
  EXPECT_EQ(error(), "");
  ASSERT_EQ(chmod(path.c_str(), 0646), 0);
  EXPECT_EQ(error(), "credentials file " + path + ": it is writable by everyone; remove that permission (chmod o-w)");
  ASSERT_EQ(chmod(path.c_str(), 0600), 0);
  std::ofstream(path) << "junk";
  EXPECT_EQ(error(), "credentials file " + path + ": line 1 is neither a [profile] nor a setting in one");
  unlink(path.c_str());
  EXPECT_FALSE(LoadCredentials(testing::TempDir()).ok());
}

}  // namespace
}  // namespace keyfold::auth
