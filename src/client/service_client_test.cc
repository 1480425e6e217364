#include "client/service_client.h"

#include <gtest/gtest.h>

#include "auth/gate.h"
#include "base/checksum.h"
#include "http/compression.h"
#include "http/server.h"
#include "testing/client/home.h"
#include "testing/http/script_server.h"
#include "testing/http/test_server.h"

namespace keyfold::client {
namespace {

constexpr Micros kNow = 1'714'564'800'000'000;
constexpr char kThrottled[] =
    R"({"__type":"com.amazonaws.dynamodb.v20120810#ThrottlingException","message":"Slow down"})";

// Its waits are recorded instead of waited for.
struct Opened {
  std::unique_ptr<ServiceClient> client;
  std::vector<Micros> waits;
  ManualClock clock{kNow};

  explicit Opened(const std::string& endpoint, AwsService service = AwsService::kDynamoDb,
                  ClientSettings settings = {}) {
    const HomeForTest home;
    settings.endpoint = endpoint;
    ServiceClientOptions options;
    options.clock = &clock;
    options.sleep = [this](Micros time) {
      waits.push_back(time);
      clock.Advance(time);
    };
    options.seed = 1;
    options.retry.attempts_max = 4;
    options.http.idle_timeout = std::chrono::seconds(20);
    auto made = ServiceClient::Open(settings, home.With({}), service, options);
    EXPECT_TRUE(made.ok()) << made.error().message();
    if (made.ok()) client = *std::move(made);
  }
  std::string Ask(std::string_view operation = "ListTables", std::string_view body = "{}") const {
    const Result<std::string> answer = client->Call(operation, body);
    return answer.ok() ? *answer : answer.error().message();
  }
};

std::string Fault(int status, const std::string& type, const std::string& message) {
  return http::AnswerOf(status, R"({"__type":"x#)" + type + R"(","message":")" + message + R"("})");
}

TEST(ServiceClient, SendsASignedCall) {
  const http::ScriptServer server({{http::AnswerOf(200, R"({"TableNames":[]})")}, {http::AnswerOf(200, "{}")}});
  EXPECT_EQ(Opened(server.url()).Ask("ListTables", R"({"Limit":1})"), R"({"TableNames":[]})");
  EXPECT_EQ(Opened(server.url(), AwsService::kDynamoDbStreams).Ask("ListStreams"), "{}");
  const auto requests = server.requests();
  ASSERT_EQ(requests.size(), 2u);
  EXPECT_EQ(requests[0].method + requests[0].target + requests[0].body, R"(POST/{"Limit":1})");
  EXPECT_EQ(requests[0].Find("x-amz-target"), "DynamoDB_20120810.ListTables");
  EXPECT_EQ(requests[0].Find("content-type"), "application/x-amz-json-1.0");
  EXPECT_EQ(requests[0].Find("x-amz-date"), "20240501T120000Z");
  EXPECT_EQ(requests[0]
                .Find("authorization")
                .find("AWS4-HMAC-SHA256 Credential=local/20240501/us-east-1/dynamodb/aws4_request, "
                      "SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature="),
            0u)
      << requests[0].Find("authorization");
  EXPECT_EQ(requests[0].Find("user-agent").find("keyfold/"), 0u);
  EXPECT_EQ(requests[1].Find("x-amz-target"), "DynamoDBStreams_20120810.ListStreams");
}

// How the server's own gate judges a call, with the signature fully verified.
TEST(ServiceClient, IsUnderstoodByTheGate) {
  const HomeForTest home;
  const std::string keys =
      home.Write("keys", "[a]\naws_access_key_id=AKID\naws_secret_access_key=s3cret\naws_session_token=tok\n");
  const auto gate = auth::Gate::Open({"123456789012", keys, "eu-west-1", true});
  ASSERT_TRUE(gate.ok()) << gate.error().message();
  http::ServerOptions options;
  options.port = 0, options.loops = 1;
  options.crc32_header = "x-amz-crc32";
  options.compress_min_bytes = 10;
  const auto server = http::StartServer(options, [&](http::Request& request, http::Responder responder) {
    const auth::SignedParts parts{request.method, request.path, request.query, request.headers, request.body};
    const auto passed = (*gate)->Check(parts, kNow);
    responder.Send({.body = passed.ok() ? passed->access_key_id() + std::string(100, '!') : passed.error().message()});
  });
  ASSERT_NE(server, nullptr);
  const std::string url = "http://127.0.0.1:" + std::to_string(server->port());
  ClientSettings settings{.region = "eu-west-1", .credentials = auth::Credentials{"AKID", "s3cret", "tok"}};
  EXPECT_EQ(Opened(url, AwsService::kDynamoDb, settings).Ask("PutItem", R"({"a":"é"})"),
            "AKID" + std::string(100, '!'));
  EXPECT_EQ(Opened(url + "/below/it", AwsService::kDynamoDb, settings).Ask(), "AKID" + std::string(100, '!'));
  settings.credentials->secret_access_key = "other";
  EXPECT_EQ(
      Opened(url, AwsService::kDynamoDb, settings).Ask().find("The request signature we calculated does not match"),
      0u);
}

struct ScriptRow {
  const char* name;
  std::vector<http::ScriptTurn> script;
  std::string outcome;
  size_t attempts;
};

std::string WithCrc(const std::string& body, const std::string& of) {
  return http::AnswerOf(200, body, "x-amz-crc32: " + std::to_string(Crc32(of)) + "\r\n");
}

const http::ScriptTurn kThrottle{http::AnswerOf(400, kThrottled)};
const http::ScriptTurn kDone{http::AnswerOf(200, "done")};
const http::ScriptTurn kGone{"", http::ScriptTurn::Then::kClose};

const ScriptRow kScriptRows[] = {
    {"throttled", {kThrottle, kThrottle, kDone}, "done", 3},
    {"throttled for long",
     {kThrottle, kThrottle, kThrottle, kThrottle, kDone},
     "ListTables: ThrottlingException: Slow down",
     4},
    {"a broken server", {{Fault(500, "InternalServerError", "Oops")}, kDone}, "done", 2},
    {"a proxy in between", {{http::AnswerOf(502, "<html>")}, kDone}, "done", 2},
    {"a lost connection", {kGone, kGone, kDone}, "done", 3},
    {"refused", {{Fault(400, "ValidationException", "No")}, kDone}, "ListTables: ValidationException: No", 1},
    {"not the service at all",
     {{http::AnswerOf(404, "<html>")}, kDone},
     "ListTables: not a DynamoDB response: status 404",
     1},
    {"without a message",
     {{http::AnswerOf(400, R"({"__type":"SerializationException"})")}},
     "ListTables: SerializationException: status 400",
     1},
    {"with a capital",
     {{http::AnswerOf(400, R"({"__type":"a#AccessDeniedException","Message":"Not you"})")}},
     "ListTables: AccessDeniedException: Not you",
     1},
    {"whole", {{WithCrc("done", "done")}}, "done", 1},
    {"damaged", {{WithCrc("dane", "done")}, {WithCrc("done", "done")}}, "done", 2},
};

TEST(ServiceClient, RetriesIfThatMayHelp) {
  for (const ScriptRow& row : kScriptRows) {
    SCOPED_TRACE(row.name);
    const http::ScriptServer server(row.script);
    const Opened opened(server.url());
    EXPECT_EQ(opened.Ask(), row.outcome);
    EXPECT_EQ(server.requests().size(), row.attempts);
    EXPECT_EQ(opened.waits.size(), row.attempts - 1);
    EXPECT_EQ(opened.client->retries(), row.attempts - 1);
  }
}

TEST(ServiceClient, WaitsAsAskedAndSignsEachAttemptAnew) {
  const http::ScriptServer server({{http::AnswerOf(503, "", "Retry-After: 10\r\n")}, kDone});
  const Opened opened(server.url());
  EXPECT_EQ(opened.Ask(), "done");
  EXPECT_EQ(opened.waits, std::vector<Micros>{10'000'000});
  const auto requests = server.requests();
  ASSERT_EQ(requests.size(), 2u);
  EXPECT_EQ(requests[0].Find("x-amz-date"), "20240501T120000Z");
  EXPECT_EQ(requests[1].Find("x-amz-date"), "20240501T120010Z");
}

TEST(ServiceClient, GivesUpSoonIfNothingListens) {
  uint16_t port;
  {
    const http::ScriptServer server({});
    port = server.port();
  }
  const std::string where = "127.0.0.1:" + std::to_string(port);
  const Opened opened("http://" + where);
  EXPECT_EQ(opened.Ask(), "ListTables: could not connect to " + where + ": connection refused");
  EXPECT_EQ(opened.waits.size(), 2u);
}

TEST(ServiceClient, ErrorsKeepTheResponse) {
  struct Expected {
    int status;
    const char* type;
    Kind kind;
  };
  const Expected rows[] = {
      {400, "ResourceNotFoundException", Kind::kResourceNotFound},
      {400, "ResourceInUseException", Kind::kResourceInUse},
      {400, "ConditionalCheckFailedException", Kind::kConditionalCheckFailed},
      {400, "ExpiredTokenException", Kind::kValidation},
      {503, "", Kind::kUnavailable},
  };
  for (const Expected& row : rows) {
    const std::string answer = Fault(row.status, row.type, "Why");
    const http::ScriptServer server({{answer}, {answer}, {answer}, {answer}});
    const Opened opened(server.url());
    const Result<std::string> result = opened.client->Call("GetItem", "{}");
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().kind(), row.kind) << row.type;
    const ServiceFault* fault = FaultOf(result.error());
    ASSERT_NE(fault, nullptr);
    EXPECT_EQ(fault->status, row.status);
    EXPECT_EQ(fault->type, row.type);
    EXPECT_EQ(fault->message, "Why");
    EXPECT_EQ(fault->body, answer.substr(answer.find('{')));
  }
  const Opened nobody("http://no-such-host.invalid", AwsService::kDynamoDb,
                      {.region = "x", .credentials = auth::Credentials{"a", "b", ""}});
  const Result<std::string> result = nobody.client->Call("GetItem", "{}");
  EXPECT_EQ(FaultOf(result.error()), nullptr);
  EXPECT_EQ(result.error().kind(), Kind::kUnavailable);
}

TEST(ServiceClient, OpenSaysWhatIsMissing) {
  const HomeForTest home;
  const auto message = [&](const ClientSettings& settings) {
    const auto made = ServiceClient::Open(settings, home.With({}));
    return made.ok() ? "" : made.error().message();
  };
  EXPECT_EQ(message({}).find("no endpoint and no region"), 0u);
  EXPECT_EQ(message({.endpoint = "https://db.example", .region = "x"}).find("no credentials"), 0u);
  EXPECT_EQ(message({.endpoint = "http://127.0.0.1:1", .profile = "p"}).find("there is no profile p"), 0u);
}

}  // namespace
}  // namespace keyfold::client
