#include "auth/sigv4.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>

#include "base/random.h"

namespace keyfold::auth {
namespace {

constexpr std::string_view kSecret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

TEST(Sha256, KnownDigests) {
  const Sha256 sha;
  EXPECT_EQ(Hex(sha.Hash({})), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Hex(sha.Hash({"a", "", "bc"})), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  // RFC 4231, cases 2 and 6 (a key longer than a block).
  EXPECT_EQ(Hex(sha.Hmac("Jefe", "what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(Hex(sha.Hmac(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First")),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

// The key in the example of AWS's documentation.
TEST(SigV4, SigningKey) {
  EXPECT_EQ(Hex(SigningKey(Sha256(), kSecret, {"20150830", "us-east-1", "iam"})),
            "c4afb1cc5771d871763a393e44b703571b55cc28424d1a5e86da6ed3c154a4b9");
}

struct Vector {
  const char* name;
  const char* method;
  const char* path;
  const char* query;
  std::vector<Header> headers;  // besides Host and X-Amz-Date
  const char* body;
  const char* signature;
};

// AWS's published test suite: 20150830T123600Z, us-east-1, service "service", host example.amazonaws.com.
const Vector kVectors[] = {
    {"get-vanilla", "GET", "/", "", {}, "", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
    {"get-vanilla-query-order-key-case",
     "GET",
     "/",
     "Param2=value2&Param1=value1",
     {},
     "",
     "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"},
    {"get-header-key-duplicate",
     "GET",
     "/",
     "",
     {{"My-Header1", "value2"}, {"My-Header1", "value2"}, {"My-Header1", "value1"}},
     "",
     "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"},
    {"get-header-value-trim",
     "GET",
     "/",
     "",
     {{"My-Header1", " value1"}, {"My-Header2", " \"a   b   c\""}},
     "",
     "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"},
    {"get-utf8", "GET", "/\u1234", "", {}, "", "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"},
    {"get-space",
     "GET",
     "/example space/",
     "",
     {},
     "",
     "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741"},
    {"get-relative",
     "GET",
     "/example/..",
     "",
     {},
     "",
     "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
    {"get-slashes",
     "GET",
     "//example//",
     "",
     {},
     "",
     "9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84"},
    {"post-vanilla", "POST", "/", "", {}, "", "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"},
    {"post-x-www-form-urlencoded",
     "POST",
     "/",
     "",
     {{"Content-Type", "application/x-www-form-urlencoded"}},
     "Param1=value1",
     "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"},
};

TEST(SigV4, PublishedVectors) {
  constexpr Micros kNow = 1440938160'000'000;
  const Credentials credentials{"AKIDEXAMPLE", std::string(kSecret), ""};
  for (const Vector& row : kVectors) {
    SCOPED_TRACE(row.name);
    std::vector<Header> headers{{"Host", "example.amazonaws.com"}};
    headers.insert(headers.end(), row.headers.begin(), row.headers.end());
    const SignedParts parts{row.method, row.path, row.query, headers, row.body};
    const auto made = Sign(parts, credentials, "us-east-1", "service", kNow);
    ASSERT_EQ(made.size(), 2u);
    EXPECT_EQ(made[0].value, "20150830T123600Z");
    EXPECT_EQ(made[1].value.substr(made[1].value.rfind('=') + 1), row.signature);
  }
}

TEST(SigV4, Dates) {
  EXPECT_EQ(AmzDate(0).text(), "19700101T000000Z");
  EXPECT_EQ(AmzDate(1440938160).text(), "20150830T123600Z");
  EXPECT_EQ(AmzDate(1440938160).day(), "20150830");
  struct Row {
    const char* text;
    int64_t seconds;  // -1 if refused
  };
  const Row rows[] = {
      {"19700101T000000Z", 0},
      {"20150830T123600Z", 1440938160},
      {"20240229T235959Z", 1709251199},
      {"20230229T000000Z", -1},
      {"20150832T123600Z", -1},
      {"20151330T123600Z", -1},
      {"20150830T243600Z", -1},
      {"20150830T126000Z", -1},
      {"20150830T123660Z", -1},
      {"20150830 123600Z", -1},
      {"20150830T123600", -1},
      {"2015083OT123600Z", -1},
      {"20150830T123600ZZ", -1},
      {"", -1},
      {"Sun, 30 Aug 2015", -1},
      {"-0150830T123600Z", -1},
      {"201508/0T123600Z", -1},
      {"30200101T010101Z", 33134749261},
      {"20000229T000000Z", 951782400},
      {"21000229T000000Z", -1},
      {"20150830T12360\x80Z", -1},
      {"09990101T000000Z", -1},
      {"99991231T235959Z", 253402300799},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(ParseAmzDate(row.text).value_or(-1), row.seconds) << row.text;
  }
}

TEST(SigV4, DatesAreThoseOfTheCLibrary) {
  Random random(3);
  for (int i = 0; i < 2000; ++i) {
    const auto seconds = static_cast<time_t>(random.Below(253'402'300'800));  // through the end of 9999
    std::tm utc{};
    gmtime_r(&seconds, &utc);
    char text[32];
    const std::string_view expected(text, std::strftime(text, sizeof text, "%Y%m%dT%H%M%SZ", &utc));
    ASSERT_EQ(AmzDate(seconds).text(), expected) << seconds;
    ASSERT_EQ(ParseAmzDate(expected), seconds);
  }
}

TEST(SigV4, PercentDecoding) {
  EXPECT_EQ(PercentDecoded("a%2Fb%2fc+%41"), "a/b/c+A");
  EXPECT_EQ(PercentDecoded("100%"), "100%");
  EXPECT_EQ(PercentDecoded("%4"), "%4");
  EXPECT_EQ(PercentDecoded("%zz%"), "%zz%");
}

TEST(SigV4, SignsSessionTokens) {
  const Header host{"Host", "localhost"};
  const auto made = Sign({"POST", "/", "", {&host, 1}, "{}"}, {"ID", "secret", "token"}, "us-east-1", "dynamodb", 0);
  ASSERT_EQ(made.size(), 3u);
  EXPECT_EQ(made[1].name, "X-Amz-Security-Token");
  EXPECT_EQ(made[1].value, "token");
  EXPECT_NE(made[2].value.find("SignedHeaders=host;x-amz-date;x-amz-security-token,"), std::string::npos);
}

// The examples of S3's own documentation: the path is as sent, and the body's hash is among the headers.
TEST(SigV4, S3Examples) {
  const Credentials credentials{"AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", ""};
  const std::string empty = Hex(Sha256().Hash({})), welcome = Hex(Sha256().Hash({"Welcome to Amazon S3."}));
  const struct {
    std::string_view method, path, query;
    std::vector<Header> headers;  // besides Host and the hash
    std::string_view hash, signature;
  } rows[] = {
      {"GET",
       "/test.txt",
       "",
       {{"Range", "bytes=0-9"}},
       empty,
       "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"},
      {"PUT",
       "/test%24file.text",
       "",
       {{"Date", "Fri, 24 May 2013 00:00:00 GMT"}, {"x-amz-storage-class", "REDUCED_REDUNDANCY"}},
       welcome,
       "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"},
      {"GET", "/", "lifecycle", {}, empty, "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"},
      {"GET",
       "/",
       "max-keys=2&prefix=J",
       {},
       empty,
       "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"},
  };
  for (const auto& row : rows) {
    std::vector<Header> headers = row.headers;
    headers.push_back({"Host", "examplebucket.s3.amazonaws.com"});
    headers.push_back({"x-amz-content-sha256", row.hash});
    const SignedParts parts{row.method, row.path, row.query, headers, "not hashed again", /*path_as_sent=*/true};
    const auto made = Sign(parts, credentials, "us-east-1", "s3", 1'369'353'600'000'000, row.hash);
    EXPECT_TRUE(made.back().value.ends_with("Signature=" + std::string(row.signature))) << row.path << row.query;
  }
}

TEST(SigV4, PercentEncoding) {
  const struct {
    std::string_view text;
    Slash slash;
    std::string_view encoded;
  } rows[] = {{"aZ0-._~", Slash::kEncoded, "aZ0-._~"},
              {"a/b c", Slash::kEncoded, "a%2Fb%20c"},
              {"a/b+%", Slash::kKept, "a/b%2B%25"},
              {"\xC3\xA4", Slash::kKept, "%C3%A4"}};
  for (const auto& row : rows) {
    std::string out;
    AppendPercentEncoded(out, row.text, row.slash);
    EXPECT_EQ(out, row.encoded);
    EXPECT_EQ(PercentDecoded(out), row.text);
  }
}

}  // namespace
}  // namespace keyfold::auth
