#include "auth/profile_file.h"

#include <gtest/gtest.h>

namespace keyfold::auth {
namespace {

struct ProfileRow {
  const char* text;
  const char* meaning;  // "[section] name=value parent>name=value …", or the error
};

constexpr ProfileRow kProfileRows[] = {
    {"", ""},
    {"[default]\nregion = eu-west-1\n", "[default] region=eu-west-1 "},
    {"[ profile dev ]\r\nregion=x\r\n\r\n# c\n; c\n[b]", "[profile dev] region=x [b] "},
    {"[a]\nendpoint_url = http://h:1/?a=b\n", "[a] endpoint_url=http://h:1/?a=b "},
    {"[services s]\ndynamodb =\n  endpoint_url = http://h\ns3 =\n\tendpoint_url = http://t\n  x\n",
     "[services s] dynamodb= dynamodb>endpoint_url=http://h s3= s3>endpoint_url=http://t "},
    {"[a]\n  nested = below nothing\n", "[a] "},
    {"[a]\nb =\n[c]\n  d = e\n", "[a] b= [c] "},
    {"region = x\n", "line 1 is neither a [profile] nor a setting in one"},
    {"[a]\n\nhello\n", "line 3 is neither a [profile] nor a setting in one"},
    {"[a\n", "line 1 is not a [profile]"},
    {"[]\n", "line 1 is not a [profile]"},
};

TEST(ProfileFile, Parse) {
  for (const ProfileRow& row : kProfileRows) {
    const auto sections = ParseProfileFile(row.text);
    std::string meaning = sections.ok() ? "" : sections.error().message();
    for (const ProfileSection& section : sections.ok() ? *sections : std::vector<ProfileSection>()) {
      meaning += "[" + section.name + "] ";
      for (const ProfileSetting& one : section.settings) {
        meaning += (one.parent.empty() ? "" : one.parent + ">") + one.name + "=" + one.value + " ";
      }
    }
    EXPECT_EQ(meaning, row.meaning) << row.text;
  }
}

TEST(ProfileFile, TheLastOfANameCounts) {
  const auto sections = ParseProfileFile("[a]\nx = 1\ns =\n  x = 2\nx = 3\n");
  ASSERT_TRUE(sections.ok());
  const ProfileSection& section = sections->front();
  EXPECT_EQ(*section.Find("x"), "3");
  EXPECT_EQ(*section.Find("x", "s"), "2");
  EXPECT_EQ(section.Find("y"), nullptr);
}

}  // namespace
}  // namespace keyfold::auth
