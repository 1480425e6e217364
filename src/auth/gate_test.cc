#include "auth/gate.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <type_traits>

namespace keyfold::auth {
namespace {

constexpr Micros kSecond = 1'000'000;
constexpr int64_t kSigned = 1769903998;  // 20260131T235958Z
constexpr Micros kNow = kSigned * kSecond;

static_assert(!std::is_constructible_v<Authenticated, std::string_view, std::string_view>);
static_assert(!std::is_default_constructible_v<Authenticated>);

// A request that owns its parts, so that tests can change them.
struct TestRequest {
  std::string method = "POST";
  std::string path = "/";
  std::string query = {};
  std::vector<OwnedHeader> headers = {};
  std::string body = {};

  Result<Authenticated> CheckedBy(const Gate& gate, Micros now = kNow) const {
    std::vector<Header> views;
    for (const OwnedHeader& header : headers) views.push_back({header.name, header.value});
    return gate.Check({method, path, query, views, body}, now);
  }
  std::string* Find(std::string_view name) {
    for (OwnedHeader& header : headers) {
      if (EqualsIgnoringCase(header.name, name)) return &header.value;
    }
    return nullptr;
  }
};

class GateTest : public testing::Test {
 protected:
  void SetUp() override {
    path_ = testing::TempDir() + "keyfold_gate_" + std::to_string(getpid());
    Write(
        "[default]\naws_access_key_id = AKIDEXAMPLE\naws_secret_access_key = wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY\n"
        "[temporary]\naws_access_key_id = ASIATEMPORARY\naws_secret_access_key = temporarysecret/abc+def\n"
        "aws_session_token = IQoJb3JpZ2luX2VjEXAMPLE//token==\n");
  }
  void TearDown() override { unlink(path_.c_str()); }

  void Write(const std::string& text) {
    std::ofstream(path_) << text;
    ASSERT_EQ(chmod(path_.c_str(), 0600), 0);
  }
  std::unique_ptr<Gate> Open(GateOptions options) {
    auto gate = Gate::Open(std::move(options));
    CHECK(gate.ok());
    return *std::move(gate);
  }
  std::unique_ptr<Gate> Local() { return Gate::OpenLocal("123456789012"); }
  std::unique_ptr<Gate> Verified() { return Open({.account = "123456789012", .credentials_file = path_}); }

  std::string path_;
};

constexpr char kTarget[] = "DynamoDB_20120810.PutItem";
constexpr char kJson[] = "application/x-amz-json-1.0";

// Signed by botocore 1.29.27 (Debian's python3-botocore) with its clock at kSigned.
const TestRequest kBotocore[] = {
    {.headers = {{"Host", "127.0.0.1:8000"},
                 {"X-Amz-Target", kTarget},
                 {"Content-Type", kJson},
                 {"X-Amz-Date", "20260131T235958Z"},
                 {"Authorization",
                  "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260131/us-east-1/dynamodb/aws4_request, "
                  "SignedHeaders=content-type;host;x-amz-date;x-amz-target, "
                  "Signature=a41a8b68c2d539083b796f6d423dc32c445c81f634b6576c6cb30cf3240aca18"}},
     .body = "{\"TableName\":\"t\",\"Item\":{\"p\":{\"S\":\"\xc3\xa4\"}}}"},
    {.headers = {{"Host", "dynamodb.eu-central-1.amazonaws.com"},
                 {"X-Amz-Target", kTarget},
                 {"Content-Type", kJson},
                 {"X-Amz-Date", "20260131T235958Z"},
                 {"Authorization",
                  "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260131/eu-central-1/dynamodb/aws4_request, "
                  "SignedHeaders=content-type;host;x-amz-date;x-amz-target, "
                  "Signature=c02e6596013208fa776c9f46142f03f61b6fea01726a2dcce173c93bc3fdf9cc"}}},
    {.headers = {{"Host", "localhost:8000"},
                 {"X-Amz-Target", kTarget},
                 {"Content-Type", kJson},
                 {"X-Amz-Date", "20260131T235958Z"},
                 {"X-Amz-Security-Token", "IQoJb3JpZ2luX2VjEXAMPLE//token=="},
                 {"Authorization",
                  "AWS4-HMAC-SHA256 Credential=ASIATEMPORARY/20260131/us-east-1/dynamodb/aws4_request, "
                  "SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target, "
                  "Signature=e524adbbbc05256076dc4ceca814be153a8a511eec5d9949983bbf30d76fd511"}},
     .body = "{}"},
    {.headers = {{"Host", "localhost:8000"},
                 {"X-Amz-Target", kTarget},
                 {"Content-Type", kJson},
                 {"Meerkat", "  Hello   big   world "},
                 {"Accept-Encoding", "gzip"},
                 {"Accept-Encoding", "deflate"},
                 {"X-Amz-Date", "20260131T235958Z"},
                 {"Authorization",
                  "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260131/us-east-1/dynamodb/aws4_request, "
                  "SignedHeaders=accept-encoding;content-type;host;meerkat;x-amz-date;x-amz-target, "
                  "Signature=f518d608c71eedada59317c8d98f3e13e74eb965eccbd0f42a773d6cd7d1cc62"}},
     .body = "{}"},
    {.path = "/a%20b/./c//d/../e~/",
     .query = "z=1&a=%2F&a=%20x&flag",
     .headers = {{"Host", "localhost:8000"},
                 {"X-Amz-Target", kTarget},
                 {"Content-Type", kJson},
                 {"X-Amz-Date", "20260131T235958Z"},
                 {"Authorization",
                  "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260131/us-east-1/dynamodb/aws4_request, "
                  "SignedHeaders=content-type;host;x-amz-date;x-amz-target, "
                  "Signature=f9456d14eda65eec013acf22a05e4550b51957f1454abb5159bcf856067e9311"}},
     .body = "{}"},
    {.query =
         "TableName=t&X-Amz-Algorithm=AWS4-HMAC-SHA256"
         "&X-Amz-Credential=AKIDEXAMPLE%2F20260131%2Fus-east-1%2Fdynamodb%2Faws4_request&X-Amz-Date=20260131T235958Z"
         "&X-Amz-Expires=300&X-Amz-SignedHeaders=content-type%3Bhost%3Bx-amz-target"
         "&X-Amz-Signature=f158eb4523f3352b22f3f3707d841151a30a2f4dd337d7d3203ba695006a49d4",
     .headers = {{"Host", "localhost:8000"}, {"X-Amz-Target", kTarget}, {"Content-Type", kJson}}},
    {.query =
         "X-Amz-Algorithm=AWS4-HMAC-SHA256"
         "&X-Amz-Credential=ASIATEMPORARY%2F20260131%2Fus-east-1%2Fdynamodb%2Faws4_request&X-Amz-Date=20260131T235958Z"
         "&X-Amz-Expires=3600&X-Amz-SignedHeaders=content-type%3Bhost%3Bx-amz-target"
         "&X-Amz-Security-Token=IQoJb3JpZ2luX2VjEXAMPLE%2F%2Ftoken%3D%3D"
         "&X-Amz-Signature=05af8ef447c5e28238f2e392dc3e459c54975436ecd95c97c5a2ac3ff85157a3",
     .headers = {{"Host", "localhost:8000"}, {"X-Amz-Target", kTarget}, {"Content-Type", kJson}}},
};

TEST_F(GateTest, AcceptsBotocore) {
  const auto verified = Verified();
  const auto local = Local();
  for (const TestRequest& row : kBotocore) {
    const auto who = row.CheckedBy(*verified);
    ASSERT_TRUE(who.ok()) << who.error().message();
    EXPECT_TRUE(who->access_key_id() == "AKIDEXAMPLE" || who->access_key_id() == "ASIATEMPORARY");
    EXPECT_EQ(who->account(), "123456789012");
    EXPECT_TRUE(row.CheckedBy(*local).ok());
  }
}

TEST_F(GateTest, AcceptsOwnSignatures) {
  const auto verified = Verified();
  TestRequest request{.query = "b=2&a=1", .headers = {{"Host", "h"}, {"X-Amz-Target", kTarget}}, .body = "{}"};
  std::vector<Header> views;
  for (const OwnedHeader& header : request.headers) views.push_back({header.name, header.value});
  const auto made = Sign({request.method, request.path, request.query, views, request.body},
                         {"ASIATEMPORARY", "temporarysecret/abc+def", "IQoJb3JpZ2luX2VjEXAMPLE//token=="}, "us-east-1",
                         "dynamodb", kNow);
  request.headers.insert(request.headers.end(), made.begin(), made.end());
  EXPECT_TRUE(request.CheckedBy(*verified).ok());
}

// Changes that a proxy may make to a request without breaking its signature.
TEST_F(GateTest, AcceptsHarmlessChanges) {
  const auto verified = Verified();
  {
    TestRequest request = kBotocore[3];
    std::reverse(request.headers.begin(), request.headers.begin() + 4);
    for (OwnedHeader& header : request.headers) {
      std::transform(header.name.begin(), header.name.end(), header.name.begin(), toupper);
    }
    *request.Find("meerkat") = "Hello big world";
    *request.Find("content-type") = std::string(kJson) + "   ";
    request.headers.push_back({"Via", "1.1 proxy"});
    EXPECT_TRUE(request.CheckedBy(*verified).ok());
  }
  {
    TestRequest request = kBotocore[0];
    std::string& authorization = *request.Find("authorization");
    const size_t first = authorization.find(' ') + 1;
    std::string parts = authorization.substr(first);
    parts.erase(std::remove(parts.begin(), parts.end(), ' '), parts.end());
    authorization = authorization.substr(0, first) + parts;
    EXPECT_TRUE(request.CheckedBy(*verified).ok());
    std::replace(authorization.begin(), authorization.end(), ',', ' ');
    EXPECT_TRUE(request.CheckedBy(*verified).ok());
  }
}

size_t MutateBytes(const Gate& gate, const TestRequest& original, std::string TestRequest::*part) {
  size_t mutants = 0;
  for (size_t i = 0; i < (original.*part).size(); ++i) {
    for (const int bit : {0x01, 0x02, 0x04, 0x20, 0x80}) {
      TestRequest mutant = original;
      (mutant.*part)[i] = static_cast<char>((mutant.*part)[i] ^ bit);
      const bool hex_case = bit == 0x20 && part == &TestRequest::query && i >= 1 && isalpha((original.*part)[i]) != 0 &&
                            ((original.*part)[i - 1] == '%' || (i >= 2 && (original.*part)[i - 2] == '%'));
      if (hex_case) continue;  // the same escape in the other case
      ++mutants;
      EXPECT_FALSE(mutant.CheckedBy(gate).ok()) << i << ' ' << bit << ' ' << mutant.*part;
    }
  }
  return mutants;
}

size_t MutateHeaders(const Gate& gate, const TestRequest& original) {
  size_t mutants = 0;
  for (size_t h = 0; h < original.headers.size(); ++h) {
    const std::string& value = original.headers[h].value;
    for (size_t i = 0; i < value.size(); ++i) {
      if (value[i] == ' ' || value[i] == ',') continue;  // runs of these may change
      for (const int bit : {0x01, 0x02, 0x04, 0x10, 0x20, 0x40, 0x80}) {
        const char changed = static_cast<char>(value[i] ^ bit);
        const bool blank = changed == ' ' || changed == '\t';
        const bool name_case = bit == 0x20 && original.headers[h].name == "Authorization" && isalpha(value[i]) != 0 &&
                               value.rfind("SignedHeaders=", i) != std::string::npos &&
                               value.find(", Signature=", i) != std::string::npos;
        if (blank || name_case) continue;
        TestRequest mutant = original;
        mutant.headers[h].value[i] = changed;
        ++mutants;
        EXPECT_FALSE(mutant.CheckedBy(gate).ok()) << mutant.headers[h].name << ": " << mutant.headers[h].value;
      }
    }
    TestRequest removed = original;
    removed.headers.erase(removed.headers.begin() + static_cast<ptrdiff_t>(h));
    EXPECT_FALSE(removed.CheckedBy(gate).ok());
    TestRequest repeated = original;
    repeated.headers.push_back(original.headers[h]);
    if (original.headers[h].name != "Authorization") {
      EXPECT_FALSE(repeated.CheckedBy(gate).ok());
    }
    mutants += 2;
  }
  return mutants;
}

TEST_F(GateTest, RefusesEveryMutant) {
  const auto verified = Verified();
  size_t mutants = 0;
  for (const TestRequest& row : kBotocore) {
    mutants += MutateBytes(*verified, row, &TestRequest::method);
    mutants += MutateBytes(*verified, row, &TestRequest::query);
    mutants += MutateBytes(*verified, row, &TestRequest::body);
    mutants += MutateHeaders(*verified, row);
    for (const char* more : {"x", "%2F", "..x", "x/"}) {
      TestRequest mutant = row;
      mutant.path += more;
      EXPECT_FALSE(mutant.CheckedBy(*verified).ok());
      ++mutants;
    }
    TestRequest longer = row;
    longer.body += ' ';
    EXPECT_FALSE(longer.CheckedBy(*verified).ok());
  }
  RecordProperty("mutants", static_cast<int>(mutants));
  EXPECT_GE(mutants, 5000u);
}

TEST_F(GateTest, AHeaderSignsTheWholeQuery) {
  const auto gate = Verified();
  TestRequest request = kBotocore[0];
  ASSERT_TRUE(request.CheckedBy(*gate).ok());
  request.query = "X-Amz-Signature=0";  // excluded only if it carries the signature
  EXPECT_FALSE(request.CheckedBy(*gate).ok());
}

struct Refusal {
  const char* name;
  const char* query;
  const char* authorization;  // null if absent
  const char* date;           // X-Amz-Date; null if absent
  Kind kind;
  const char* message;
};

constexpr char kGood[] =
    "AWS4-HMAC-SHA256 Credential=a/20260131/r/dynamodb/aws4_request, SignedHeaders=host, Signature=b";
constexpr char kAt[] = "20260131T235958Z";

const Refusal kRefusals[] = {
    {"nothing", "", nullptr, kAt, Kind::kMissingAuthenticationToken, "Request is missing Authentication Token"},
    {"not ours", "", "Bearer x", kAt, Kind::kMissingAuthenticationToken, "Request is missing Authentication Token"},
    {"cut off", "", "AWS4", kAt, Kind::kMissingAuthenticationToken, "Request is missing Authentication Token"},
    {"query without algorithm", "X-Amz-Credential=a&X-Amz-Signature=b&X-Amz-SignedHeaders=c&X-Amz-Date=d", nullptr, kAt,
     Kind::kMissingAuthenticationToken, "Request is missing Authentication Token"},
    {"both", "X-Amz-Algorithm", "X", kAt, Kind::kInvalidSignature,
     "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header."},
    {"nothing but the prefix", "", "AWS4-", nullptr, Kind::kIncompleteSignature,
     "Authorization header requires 'Credential' parameter. Authorization header requires 'Signature' parameter. "
     "Authorization header requires 'SignedHeaders' parameter. Authorization header requires existence of either a "
     "'X-Amz-Date' or a 'Date' header. Authorization=AWS4-"},
    {"spaces", "", "AWS4- Signature=b Credential=a", kAt, Kind::kIncompleteSignature,
     "Authorization header requires 'SignedHeaders' parameter. Authorization=AWS4- Signature=b Credential=a"},
    {"comma", "", "AWS4- Signature=b,Credential=a", kAt, Kind::kIncompleteSignature,
     "Authorization header requires 'SignedHeaders' parameter. Authorization=AWS4- Signature=b,Credential=a"},
    {"comma and space", "", "AWS4- Signature=b, Credential=a", kAt, Kind::kIncompleteSignature,
     "Authorization header requires 'SignedHeaders' parameter. Authorization=AWS4- Signature=b, Credential=a"},
    {"no equal sign", "", "AWS4-HMAC-SHA256 Signature=b,    Credential,    SignedHeaders", kAt,
     Kind::kIncompleteSignature,
     "'Credential' not a valid key=value pair (missing equal-sign) in Authorization header: 'AWS4-HMAC-SHA256 "
     "Signature=b,    Credential,    SignedHeaders'."},
    {"empty query form", "X-Amz-Algorithm", nullptr, nullptr, Kind::kIncompleteSignature,
     "AWS query-string parameters must include 'X-Amz-Algorithm'. AWS query-string parameters must include "
     "'X-Amz-Credential'. AWS query-string parameters must include 'X-Amz-Signature'. AWS query-string parameters must "
     "include 'X-Amz-SignedHeaders'. AWS query-string parameters must include 'X-Amz-Date'. Re-examine the "
     "query-string parameters."},
    {"one parameter missing", "X-Amz-Algorithm=a&X-Amz-Credential=b&X-Amz-Signature=c&X-Amz-Date=d", nullptr, nullptr,
     Kind::kIncompleteSignature,
     "AWS query-string parameters must include 'X-Amz-SignedHeaders'. Re-examine the query-string parameters."},
    {"date", "", kGood, "201", Kind::kIncompleteSignature,
     "Date must be in ISO-8601 'basic format'. Got '201'. See http://en.wikipedia.org/wiki/ISO_8601"},
    {"expired, before anything in the credential", "",
     "AWS4-HMAC-SHA256 Credential=cassandra/2/3/4/aws4_request SignedHeaders=x-amz-date;host Signature=123",
     "20170101T010101Z", Kind::kInvalidSignature,
     "Signature expired: 20170101T010101Z is now earlier than 20260131T234458Z (20260131T235958Z - 15 min.)"},
    {"future", "",
     "AWS4-HMAC-SHA256 Credential=cassandra/2/3/4/aws4_request SignedHeaders=x-amz-date;host Signature=123",
     "30200101T010101Z", Kind::kInvalidSignature,
     "Signature not yet current: 30200101T010101Z is still later than 20260201T001458Z (20260131T235958Z + 15 min.)"},
    {"host not signed", "", "AWS4-HMAC-SHA256 Credential=a/b/c/d/e, SignedHeaders=, Signature=b", kAt,
     Kind::kInvalidSignature, "'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization."},
    {"host not signed, only nearly", "",
     "AWS4-HMAC-SHA256 Credential=a/b/c/d/e, SignedHeaders=hosts;xhost, Signature=b", kAt, Kind::kInvalidSignature,
     "'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization."},
    {"algorithm", "", "AWS4-HMAC-SHA25 Credential=a/b/c/d, SignedHeaders=Host, Signature=b", kAt,
     Kind::kIncompleteSignature, "Unsupported AWS 'algorithm': 'AWS4-HMAC-SHA25' (only AWS4-HMAC-SHA256 for now). "},
    {"four parts", "", "AWS4-HMAC-SHA256 Credential=a/b/c/d, SignedHeaders=host, Signature=b", kAt,
     Kind::kIncompleteSignature,
     "Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got 'a/b/c/d'"},
    {"six parts", "", "AWS4-HMAC-SHA256 Credential=a/b/c/d/e/f, SignedHeaders=host, Signature=b", kAt,
     Kind::kIncompleteSignature,
     "Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got 'a/b/c/d/e/f'"},
    {"scope", "", "AWS4-HMAC-SHA256 Credential=a/b/c/d/e, SignedHeaders=host, Signature=b", kAt,
     Kind::kInvalidSignature,
     "Credential should be scoped to correct service: 'dynamodb'. Credential should be scoped with a valid terminator: "
     "'aws4_request', not 'e'. Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from "
     "HTTP: 'b' != '20260131', from '20260131T235958Z'."},
};

TEST_F(GateTest, Wording) {
  const auto local = Local();
  for (const Refusal& row : kRefusals) {
    SCOPED_TRACE(row.name);
    TestRequest request{.query = row.query, .headers = {{"Host", "localhost"}}};
    if (row.authorization != nullptr) request.headers.push_back({"Authorization", row.authorization});
    if (row.date != nullptr) request.headers.push_back({"X-Amz-Date", row.date});
    const auto result = request.CheckedBy(*local);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().kind(), row.kind);
    EXPECT_EQ(result.error().message(), row.message);
  }
}

TEST_F(GateTest, LocalModeTakesAnyKeyAndRegion) {
  const auto local = Local();
  TestRequest request{.headers = {{"Host", "localhost"}, {"X-Amz-Date", kAt}, {"Authorization", kGood}}};
  const auto who = request.CheckedBy(*local);
  ASSERT_TRUE(who.ok()) << who.error().message();
  EXPECT_EQ(who->access_key_id(), "a");
  *request.Find("authorization") += "/";  // changes the signature, which is not checked
  EXPECT_TRUE(request.CheckedBy(*local).ok());
}

TEST_F(GateTest, TimeWindow) {
  struct Row {
    int64_t off_seconds;
    bool accepted;
  };
  const Row rows[] = {{0, true}, {900, true}, {901, false}, {-900, true}, {-901, false}, {86400 * 365, false}};
  const auto gate = Verified();
  const auto timeless = Open({.credentials_file = path_, .check_time = false});
  for (const Row& row : rows) {
    EXPECT_EQ(kBotocore[0].CheckedBy(*gate, kNow + row.off_seconds * kSecond).ok(), row.accepted) << row.off_seconds;
    EXPECT_TRUE(kBotocore[0].CheckedBy(*timeless, kNow + row.off_seconds * kSecond).ok()) << row.off_seconds;
  }
  // X-Amz-Expires of 300 and of 3600 seconds.
  EXPECT_TRUE(kBotocore[5].CheckedBy(*gate, kNow + 300 * kSecond).ok());
  EXPECT_FALSE(kBotocore[5].CheckedBy(*gate, kNow + 301 * kSecond).ok());
  EXPECT_TRUE(kBotocore[6].CheckedBy(*gate, kNow + 3600 * kSecond).ok());
  EXPECT_EQ(kBotocore[6].CheckedBy(*gate, kNow + 3601 * kSecond).error().message(),
            "Signature expired: 20260131T235958Z is now earlier than 20260131T235959Z (20260201T005959Z - 60 min.)");
}

TEST_F(GateTest, DateHeaderOfHttp) {
  const auto local = Local();
  TestRequest request{.headers = {{"Host", "h"}, {"Date", "Sat, 31 Jan 2026 23:59:58 GMT"}, {"Authorization", kGood}}};
  EXPECT_TRUE(request.CheckedBy(*local).ok());
  *request.Find("date") = "yesterday";
  EXPECT_EQ(request.CheckedBy(*local).error().message(),
            "Date must be in ISO-8601 'basic format'. Got 'yesterday'. See http://en.wikipedia.org/wiki/ISO_8601");
}

constexpr char kMismatchText[] =
    "The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key "
    "and signing method. Consult the service documentation for details.";

TEST_F(GateTest, VerifiedWording) {
  const auto gate = Open({.credentials_file = path_, .region = "us-east-1"});
  const auto message = [&](const TestRequest& request) { return request.CheckedBy(*gate).error().message(); };
  EXPECT_EQ(message(kBotocore[1]), "Credential should be scoped to a valid region, not 'eu-central-1'. ");

  TestRequest request = kBotocore[0];
  request.body += ' ';
  EXPECT_EQ(message(request), kMismatchText);

  request = kBotocore[0];
  request.headers.push_back({"x-amz-content-sha256", "UNSIGNED-PAYLOAD"});
  EXPECT_EQ(message(request), kMismatchText);

  request = kBotocore[0];
  std::string& authorization = *request.Find("authorization");
  authorization.replace(authorization.find("AKIDEXAMPLE"), 11, "AKIDUNKNOWN");
  EXPECT_EQ(request.CheckedBy(*gate).error().kind(), Kind::kUnrecognizedClient);
  EXPECT_EQ(message(request), "The security token included in the request is invalid.");

  request = kBotocore[0];
  request.headers.push_back({"X-Amz-Security-Token", "more than needed"});
  EXPECT_EQ(message(request), "The security token included in the request is invalid.");

  request = kBotocore[0];
  std::string& unsigned_target = *request.Find("authorization");
  unsigned_target.erase(unsigned_target.find(";x-amz-target"), 13);
  EXPECT_EQ(message(request), "'X-Amz-Target' must be a 'SignedHeader' in the AWS Authorization.");

  request = kBotocore[0];
  std::string& unsigned_date = *request.Find("authorization");
  unsigned_date.erase(unsigned_date.find(";x-amz-date"), 11);
  EXPECT_EQ(message(request), "'X-Amz-Date' must be a 'SignedHeader' in the AWS Authorization.");
}

TEST_F(GateTest, Reload) {
  const auto gate = Verified();
  Write("nonsense");
  EXPECT_FALSE(gate->Reload().ok());
  EXPECT_TRUE(kBotocore[0].CheckedBy(*gate).ok());  // the old credentials remain in use
  Write("[default]\naws_access_key_id = AKIDEXAMPLE\naws_secret_access_key = another\n");
  ASSERT_TRUE(gate->Reload().ok());
  EXPECT_EQ(kBotocore[0].CheckedBy(*gate).error().message(), kMismatchText);
  EXPECT_EQ(kBotocore[2].CheckedBy(*gate).error().kind(), Kind::kUnrecognizedClient);
}

TEST_F(GateTest, OpenFails) {
  const auto gate = Gate::Open({.credentials_file = path_ + ".none"});
  ASSERT_FALSE(gate.ok());
  EXPECT_EQ(gate.error().message(), "credentials file " + path_ + ".none: cannot be read: No such file or directory");
}

}  // namespace
}  // namespace keyfold::auth
