// What is asked of an S3 service, request by request, against a server that answers from a script; s3_service_test.cc
// asks a real one.
#include "transfer/bucket/s3_bucket.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>

#include "base/background_task.h"
#include "base/stopping.h"
#include "testing/http/script_server.h"
#include "testing/transfer/bucket.h"

namespace keyfold {
namespace {

const std::string kEmptyListing = "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>";

std::string Refusal(const std::string& code, const std::string& message = "why") {
  return "<Error><Code>" + code + "</Code><Message>" + message + "</Message></Error>";
}

// A bucket "exports", opened, and what it asked for after that.
class Scripted {
 public:
  explicit Scripted(std::vector<ScriptTurn> turns)
      : server_(WithOpening(std::move(turns))), bucket_(*OpenBucket(Settings(server_), "exports")) {}

  static BucketSettings Settings(const ScriptServer& server) {
    BucketSettings settings;
    settings.endpoint = server.url();
    settings.credentials = {"ID", "secret", ""};
    settings.retry_base = std::chrono::milliseconds(0);
    return settings;
  }

  Bucket& bucket() { return *bucket_; }
  std::vector<ScriptRequest> requests() const {
    std::vector<ScriptRequest> all = server_.requests();
    all.erase(all.begin());
    return all;
  }
  // "GET /exports/a|PUT /exports/b"
  std::string Asked() const {
    std::string asked;
    for (const ScriptRequest& request : requests()) {
      asked.append(asked.empty() ? "" : "|").append(request.method).append(" ").append(request.target);
    }
    return asked;
  }

 private:
  static std::vector<ScriptTurn> WithOpening(std::vector<ScriptTurn> turns) {
    turns.insert(turns.begin(), ScriptTurn{AnswerOf(200, kEmptyListing)});
    return turns;
  }

  ScriptServer server_;
  std::unique_ptr<Bucket> bucket_;
};

TEST(S3Bucket, IsAskedForWhenItIsOpened) {
  const struct {
    int status;
    std::string answer, told, code;
  } rows[] = {
      {200, kEmptyListing, "ok", ""},
      {404, Refusal("NoSuchBucket", "The specified bucket does not exist"),
       "NoSuchBucket: The specified bucket does not exist (s3://exports)", "NoSuchBucket"},
      {403, Refusal("SignatureDoesNotMatch", "Check your key"), "SignatureDoesNotMatch: Check your key (s3://exports)",
       "SignatureDoesNotMatch"},
      // Who may not list may still write.
      {403, Refusal("AccessDenied"), "ok", ""},
      {403, "<html>no</html>", "HTTP 403: The service gave no reason (s3://exports)", "HTTP 403"},
      {200, "<html>hello</html>", "The answer about s3://exports cannot be understood: it is no listing", ""},
  };
  for (const auto& row : rows) {
    ScriptServer server({{AnswerOf(row.status, row.answer)}});
    const auto opened = OpenBucket(Scripted::Settings(server), "exports");
    EXPECT_EQ(Describe(opened), row.told);
    EXPECT_EQ(opened.ok() ? "" : BucketFaultCode(opened.error()), row.code);
    EXPECT_EQ(server.requests().size(), 1u);
  }
}

TEST(S3Bucket, RequestsAreSigned) {
  ScriptServer server({{AnswerOf(200, kEmptyListing)}});
  BucketSettings settings = Scripted::Settings(server);
  settings.credentials.session_token = "token";
  settings.region = "eu-north-1";
  ASSERT_TRUE(OpenBucket(settings, "exports").ok());
  const ScriptRequest request = server.requests()[0];
  EXPECT_EQ(request.target, "/exports?list-type=2&encoding-type=url&max-keys=1&prefix=");
  EXPECT_EQ(request.Find("X-Amz-Content-Sha256"), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(request.Find("X-Amz-Security-Token"), "token");
  EXPECT_NE(request.Find("Authorization")
                .find("/eu-north-1/s3/aws4_request, SignedHeaders=host;x-amz-content-sha256;"
                      "x-amz-date;x-amz-security-token, "),
            std::string::npos);
}

TEST(S3Bucket, WithoutCredentialsRequestsAreNotSigned) {
  ScriptServer server({{AnswerOf(200, kEmptyListing)}});
  BucketSettings settings = Scripted::Settings(server);
  settings.credentials = {};
  ASSERT_TRUE(OpenBucket(settings, "exports").ok());
  EXPECT_EQ(server.requests()[0].Find("Authorization"), "");
}

TEST(S3Bucket, ListsPageByPage) {
  Scripted s({{AnswerOf(200,
                        "<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>true</IsTruncated>"
                        "<NextContinuationToken>a/+=</NextContinuationToken>"
                        "<Contents><Key>p/b+c</Key><Size>2</Size></Contents></ListBucketResult>")},
              {AnswerOf(200,
                        "<ListBucketResult><IsTruncated>false</IsTruncated>"
                        "<Contents><Key>p/a</Key><Size>1</Size></Contents></ListBucketResult>")}});
  EXPECT_EQ(ListObjects(s.bucket(), "p/ +"), "p/a:1 p/b c:2 ");
  EXPECT_EQ(s.Asked(),
            "GET /exports?list-type=2&encoding-type=url&max-keys=1000&prefix=p%2F%20%2B|"
            "GET /exports?list-type=2&encoding-type=url&max-keys=1000&prefix=p%2F%20%2B&continuation-token=a%2F%2B%3D");
}

TEST(S3Bucket, AListingThatDoesNotEnd) {
  const std::string page =
      "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>"
      "</ListBucketResult>";
  Scripted s({{AnswerOf(200, page)}, {AnswerOf(200, page)}, {AnswerOf(200, page)}});
  EXPECT_EQ(ListObjects(s.bucket(), ""),
            "The answer about s3://exports cannot be understood: the listing does not end");
}

std::string RangeAnswer(const std::string& body, const std::string& range, const std::string& etag) {
  return AnswerOf(206, body, "Content-Range: bytes " + range + "\r\nETag: \"" + etag + "\"\r\n");
}

TEST(S3Bucket, ReadsInRanges) {
  const std::string first(kS3RangeBytes, 'a');
  Scripted s({{RangeAnswer(first, "0-8388607/8388610", "e")}, {RangeAnswer("xy", "8388608-8388609/8388610", "e")}});
  EXPECT_EQ(GetObject(s.bucket(), "a b/+%\u00e4"), first + "xy");
  EXPECT_EQ(s.Asked(), "GET /exports/a%20b/%2B%25%C3%A4|GET /exports/a%20b/%2B%25%C3%A4");
  EXPECT_EQ(s.requests()[0].Find("Range"), "bytes=0-8388607");
  EXPECT_EQ(s.requests()[0].Find("If-Match"), "");
  EXPECT_EQ(s.requests()[0].Find("Accept-Encoding"), "identity");
  EXPECT_EQ(s.requests()[1].Find("Range"), "bytes=8388608-16777215");
  EXPECT_EQ(s.requests()[1].Find("If-Match"), "\"e\"");
}

TEST(S3Bucket, ReadsOneRange) {
  const std::string big(kS3RangeBytes, 'a'), not_understood = "The answer about s3://exports/k cannot be understood: ";
  const struct {
    std::vector<ScriptTurn> turns;
    std::string told;
  } rows[] = {
      {{{RangeAnswer("hello", "0-4/5", "e")}}, "hello"},
      {{{AnswerOf(416, Refusal("InvalidRange"))}}, ""},
      {{{AnswerOf(200, "whole")}}, "whole"},
      {{{AnswerOf(404, Refusal("NoSuchKey"))}}, "NoSuchKey: why (s3://exports/k)"},
      {{{AnswerOf(206, "hello")}}, not_understood + "it does not say how long the object is"},
      {{{RangeAnswer("hello", "0-4/*", "e")}}, not_understood + "it does not say how long the object is"},
      {{{RangeAnswer("hell", "0-4/5", "e")}}, not_understood + "it is not the range that was asked for"},
      {{{AnswerOf(200, big + "b")}}, "s3://exports/k cannot be reached: the answer was abandoned"},
      // Another object came in its place.
      {{{RangeAnswer(big, "0-8388607/8388609", "e")}, {AnswerOf(412, Refusal("PreconditionFailed"))}},
       "PreconditionFailed: why (s3://exports/k)"},
      {{{RangeAnswer(big, "0-8388607/8388609", "e")}, {RangeAnswer("xy", "8388608-8388609/8388610", "e")}},
       not_understood + "the object's length has changed"},
  };
  for (const auto& row : rows) {
    Scripted s(row.turns);
    EXPECT_EQ(GetObject(s.bucket(), "k"), row.told);
  }
}

TEST(S3Bucket, WhatMayPassIsAskedAgain) {
  const std::string good = RangeAnswer("hello", "0-4/5", "e");
  const struct {
    std::vector<ScriptTurn> turns;
    std::string told;
    size_t requests;
  } rows[] = {
      {{{AnswerOf(503, Refusal("SlowDown"))}, {AnswerOf(500, "")}, {AnswerOf(429, "")}, {good}}, "hello", 4},
      {{{AnswerOf(400, Refusal("RequestTimeout"))}, {good}}, "hello", 2},
      {{{"", ScriptTurn::Then::kClose}, {good}}, "hello", 2},
      // Half a body, then the rest of the connection's life is over: none of it counts.
      {{{good.substr(0, good.size() - 2), ScriptTurn::Then::kClose}, {good}}, "hello", 2},
      {std::vector<ScriptTurn>(6, {AnswerOf(503, Refusal("SlowDown"))}), "SlowDown: why (s3://exports/k)", 6},
      {{{AnswerOf(403, Refusal("AccessDenied"))}, {good}}, "AccessDenied: why (s3://exports/k)", 1},
      {{{AnswerOf(400, Refusal("InvalidArgument"))}, {good}}, "InvalidArgument: why (s3://exports/k)", 1},
  };
  for (const auto& row : rows) {
    Scripted s(row.turns);
    EXPECT_EQ(GetObject(s.bucket(), "k"), row.told);
    EXPECT_EQ(s.requests().size(), row.requests) << row.told;
  }
  Scripted s(std::vector<ScriptTurn>(6, {AnswerOf(503, Refusal("SlowDown"))}));
  const auto unavailable = s.bucket().Read("k");
  ASSERT_FALSE(unavailable.ok());
  EXPECT_EQ(unavailable.error().kind(), Kind::kUnavailable);
  EXPECT_EQ(unavailable.error().rule(), "bucket-unavailable");
}

TEST(S3Bucket, SmallObjectsGoInOnePiece) {
  Scripted s({{AnswerOf(200, "", "ETag: \"5d41\"\r\n")}, {AnswerOf(200, "", "ETag: \"d41d\"\r\n")}});
  std::string etag;
  EXPECT_EQ(PutObject(s.bucket(), "a/b c", "hello", &etag), "ok");
  EXPECT_EQ(etag, "5d41");
  EXPECT_EQ(PutObject(s.bucket(), "empty", ""), "ok");
  EXPECT_EQ(s.Asked(), "PUT /exports/a/b%20c|PUT /exports/empty");
  EXPECT_EQ(s.requests()[0].body, "hello");
  EXPECT_EQ(s.requests()[0].Find("X-Amz-Content-Sha256"),
            "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
}

const std::string kUploadBegun =
    "<InitiateMultipartUploadResult><UploadId>u/1</UploadId></InitiateMultipartUploadResult>";

TEST(S3Bucket, OthersGoInParts) {
  Scripted s({{AnswerOf(200, kUploadBegun)},
              {AnswerOf(200, "", "ETag: \"e1\"\r\n")},
              {AnswerOf(200, "", "ETag: \"e2\"\r\n")},
              {AnswerOf(200,
                        "<CompleteMultipartUploadResult><ETag>&quot;e-2&quot;</ETag>"
                        "</CompleteMultipartUploadResult>")}});
  std::string etag;
  EXPECT_EQ(PutObject(s.bucket(), "k", std::string(kS3PartBytes, 'a') + "xyz", &etag), "ok");
  EXPECT_EQ(etag, "e-2");
  EXPECT_EQ(s.Asked(),
            "POST /exports/k?uploads=|PUT /exports/k?partNumber=1&uploadId=u%2F1|"
            "PUT /exports/k?partNumber=2&uploadId=u%2F1|POST /exports/k?uploadId=u%2F1");
  EXPECT_EQ(s.requests()[1].body.size(), kS3PartBytes);
  EXPECT_EQ(s.requests()[2].body, "xyz");
  EXPECT_NE(s.requests()[3].body.find("<PartNumber>2</PartNumber><ETag>&quot;e2&quot;</ETag>"), std::string::npos);
}

TEST(S3Bucket, AnObjectHasSoManyPartsAndNoMore) {
  ScriptServer server({{AnswerOf(200, kEmptyListing)},
                       {AnswerOf(200, kUploadBegun)},
                       {AnswerOf(200, "", "ETag: \"e1\"\r\n")},
                       {AnswerOf(204, "")}});
  BucketSettings settings = Scripted::Settings(server);
  settings.limits.parts_max = 1;
  const auto bucket = *OpenBucket(settings, "exports");
  EXPECT_EQ(PutObject(*bucket, "k", std::string(kS3PartBytes, 'a') + "xyz"),
            "s3://exports/k is longer than the 1 parts that an object may have");
  EXPECT_EQ(server.requests().back().method, "DELETE") << "the upload is aborted";
}

TEST(S3Bucket, AnUploadThatIsNotCompletedIsAborted) {
  const std::string part = AnswerOf(200, "", "ETag: \"e\"\r\n"), gone = AnswerOf(204, "");
  const std::string content(kS3PartBytes + 1, 'a');
  const struct {
    std::vector<ScriptTurn> turns;
    std::string told;
  } rows[] = {
      // A failure told behind a 200.
      {{{AnswerOf(200, kUploadBegun)}, {part}, {part}, {AnswerOf(200, Refusal("InternalError"))}, {gone}},
       "InternalError: why (s3://exports/k)"},
      {{{AnswerOf(200, kUploadBegun)}, {part}, {AnswerOf(403, Refusal("AccessDenied"))}, {gone}},
       "AccessDenied: why (s3://exports/k)"},
      {{{AnswerOf(200, kUploadBegun)}, {AnswerOf(200, "")}, {gone}},
       "The answer about s3://exports/k cannot be understood: it has no ETag of a part"},
  };
  for (const auto& row : rows) {
    Scripted s(row.turns);
    EXPECT_EQ(PutObject(s.bucket(), "k", content), row.told);
    EXPECT_TRUE(s.Asked().ends_with("|DELETE /exports/k?uploadId=u%2F1")) << s.Asked();
    EXPECT_EQ(s.requests().size(), row.turns.size());
  }
  Scripted s({{AnswerOf(200, kUploadBegun)}, {part}, {gone}});
  {
    std::unique_ptr<ByteSink> sink = *s.bucket().Write("k", nullptr);
    EXPECT_EQ(Describe(sink->Write(content)), "ok");
  }
  EXPECT_EQ(s.Asked(),
            "POST /exports/k?uploads=|PUT /exports/k?partNumber=1&uploadId=u%2F1|DELETE /exports/k?uploadId=u%2F1");
}

TEST(S3Bucket, WhatADeadProcessLeftIsTakenAway) {
  const auto page = [](const std::string& inside) {
    return AnswerOf(200, "<ListMultipartUploadsResult>" + inside + "</ListMultipartUploadsResult>");
  };
  const std::string gone = AnswerOf(204, "");
  Scripted s({{page("<IsTruncated>true</IsTruncated><NextKeyMarker>a/1</NextKeyMarker>"
                    "<NextUploadIdMarker>u1</NextUploadIdMarker>"
                    "<Upload><Key>a/1</Key><UploadId>u1</UploadId></Upload>")},
              {gone},
              {page("<Upload><Key>a/2</Key><UploadId>u2</UploadId></Upload>")},
              {AnswerOf(404, Refusal("NoSuchUpload"))}});
  EXPECT_EQ(Describe(s.bucket().RemoveUnfinished("a/")), "ok");
  EXPECT_EQ(s.Asked(),
            "GET /exports?uploads=&encoding-type=url&prefix=a%2F|DELETE /exports/a/1?uploadId=u1|"
            "GET /exports?uploads=&encoding-type=url&prefix=a%2F&key-marker=a%2F1&upload-id-marker=u1|"
            "DELETE /exports/a/2?uploadId=u2");
}

std::string ListingPage(int page, const std::vector<std::string>& keys) {
  std::string body = "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>" + std::to_string(page) +
                     "</NextContinuationToken>";
  for (const std::string& key : keys) body += "<Contents><Key>" + key + "</Key><Size>1</Size></Contents>";
  return AnswerOf(200, body + "</ListBucketResult>");
}

// The token always changes, so each page is another one.
TEST(S3Bucket, AListingThatDoesNotEndIsGivenUp) {
  const struct {
    const char *name, *why;
    std::function<std::vector<std::string>(int page)> keys;
    size_t asked;
  } rows[] = {
      {"empty pages", "its pages do not go on", [](int) { return std::vector<std::string>{}; }, 4},
      {"the same keys", "its pages do not go on",
       [](int) {
         return std::vector<std::string>{"a", "b"};
       },
       5},
      {"backwards", "its pages do not go on",
       [](int page) { return std::vector<std::string>{std::to_string(9000 - page)}; }, 5},
      {"ever new keys", "it has too many pages",
       [](int page) { return std::vector<std::string>{std::to_string(1000 + page)}; }, 11},
      {"long keys", "it has too many keys",
       [](int page) { return std::vector<std::string>{std::to_string(1000 + page) + std::string(60, 'x')}; }, 4},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    std::vector<ScriptTurn> turns{{AnswerOf(200, kEmptyListing)}};
    for (int page = 0; page < 50; ++page) turns.push_back({ListingPage(page, row.keys(page))});
    const ScriptServer server(std::move(turns));
    BucketSettings settings = Scripted::Settings(server);
    settings.limits.pages_max = 10;
    settings.limits.idle_pages_max = 3;
    settings.limits.key_bytes_max = 200;
    const auto bucket = *OpenBucket(settings, "exports");
    const auto listed = bucket->List("");
    ASSERT_FALSE(listed.ok());
    EXPECT_EQ(listed.error().rule(), "s3-listing-endless");
    EXPECT_NE(listed.error().message().find(row.why), std::string::npos) << listed.error().message();
    EXPECT_EQ(server.requests().size(), row.asked + 1);
  }
}

TEST(S3Bucket, AListOfUploadsThatDoesNotEndIsGivenUp) {
  std::vector<ScriptTurn> turns{{AnswerOf(200, kEmptyListing)}};
  for (int page = 0; page < 50; ++page) {
    turns.push_back({AnswerOf(200, "<ListMultipartUploadsResult><IsTruncated>true</IsTruncated><NextKeyMarker>" +
                                       std::to_string(page) + "</NextKeyMarker></ListMultipartUploadsResult>")});
  }
  const ScriptServer server(std::move(turns));
  BucketSettings settings = Scripted::Settings(server);
  settings.limits.idle_pages_max = 3;
  const Status removed = (*OpenBucket(settings, "exports"))->RemoveUnfinished("a/");
  ASSERT_FALSE(removed.ok());
  EXPECT_TRUE(removed.message().starts_with("The listing of s3://exports was given up")) << removed.message();
  EXPECT_EQ(server.requests().size(), 5u);
}

// The answers are silence; the idle timeout is half a minute and would be waited for six times.
TEST(S3Bucket, IsStoppedWhileAServiceIsSilent) {
  const ScriptServer server({{AnswerOf(200, kEmptyListing)}, {"", ScriptTurn::Then::kHold}});
  BucketSettings settings = Scripted::Settings(server);
  std::atomic<bool> opened = false;
  std::atomic<int> looks = 0;
  settings.stop = [&] { return opened && ++looks > 3; };
  const auto bucket = *OpenBucket(settings, "exports");
  opened = true;
  const auto begun = std::chrono::steady_clock::now();
  const auto listed = bucket->List("");
  ASSERT_FALSE(listed.ok());
  EXPECT_EQ(listed.error().rule(), "stopping");
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(20));
  EXPECT_EQ(PutObject(*bucket, "k", "x"), Describe(Status(kStopping())));
  // The listing may have been on its way when it was stopped; the upload is not sent at all.
  EXPECT_LE(server.requests().size(), 2u);
  for (const ScriptRequest& request : server.requests()) EXPECT_NE(request.method, "PUT");
}

// Between two attempts too.
TEST(S3Bucket, IsStoppedBetweenAttempts) {
  const ScriptServer server({{AnswerOf(200, kEmptyListing)}, {AnswerOf(503, Refusal("SlowDown"))}});
  BucketSettings settings = Scripted::Settings(server);
  settings.retry_base = std::chrono::minutes(10);
  settings.stop = [&] { return server.requests().size() >= 2; };
  const auto listed = (*OpenBucket(settings, "exports"))->List("");
  ASSERT_FALSE(listed.ok());
  EXPECT_EQ(listed.error().rule(), "stopping");
  EXPECT_EQ(server.requests().size(), 2u);
}

// A silent service is given up in the end: each request has its time, and so many are made.
TEST(S3Bucket, ARequestHasItsTime) {
  const ScriptServer server({{AnswerOf(200, kEmptyListing)}, {"HTTP/1.1 200 x\r\n", ScriptTurn::Then::kHold}});
  BucketSettings settings = Scripted::Settings(server);
  settings.limits.attempts_max = 1;
  settings.limits.request_timeout = std::chrono::milliseconds(50);
  settings.limits.bytes_per_second_min = 1 << 30;
  const auto listed = (*OpenBucket(settings, "exports"))->List("");
  ASSERT_FALSE(listed.ok());
  EXPECT_EQ(listed.error().rule(), "s3-unreachable");
  EXPECT_TRUE(listed.error().message().ends_with(" did not answer within 50 ms")) << listed.error().message();
}

TEST(S3Bucket, WhatAServiceSaysIsOneShortLine) {
  const std::string forged = "no\n2026-01-01T00:00:00.000Z critical forged\x1b[2J";
  const ScriptServer server({{AnswerOf(403, Refusal("AccessDenie\nd", forged + std::string(5000, 'x')))}});
  const auto opened = OpenBucket(Scripted::Settings(server), "exports");
  ASSERT_FALSE(opened.ok());
  const std::string told = opened.error().message();
  EXPECT_TRUE(told.starts_with("AccessDenie\\nd: no\\n2026-01-01T00:00:00.000Z critical forged\\u001b[2Jxxx")) << told;
  EXPECT_LT(told.size(), 1300u);
}

TEST(S3Bucket, KeysThatWouldLeaveTheBucket) {
  Scripted s({});
  EXPECT_EQ(Describe(s.bucket().Remove("")), "An object's key is empty");
  for (const std::string key : {"..", "../other/k", "a/../../other", "a/.", "./a"}) {
    const std::string told = "The key " + key + " has '.' or '..' as a part";
    EXPECT_EQ(PutObject(s.bucket(), key, "x"), told);
    EXPECT_EQ(GetObject(s.bucket(), key), told);
    EXPECT_EQ(Describe(s.bucket().Remove(key)), told);
  }
  EXPECT_EQ(s.Asked(), "");
}

TEST(S3Bucket, Endpoints) {
  const struct {
    std::string endpoint, told;
  } rows[] = {
      {"ftp://x", "The S3 endpoint ftp://x is no address: it does not begin with http:// or https://"},
      {"http://x:y", "The S3 endpoint http://x:y is no address: its host or port is malformed"},
      {"http://x/y", "The S3 endpoint http://x/y is no address: it has a path, which has no place here"},
  };
  for (const auto& row : rows) {
    BucketSettings settings;
    settings.endpoint = row.endpoint;
    EXPECT_EQ(Describe(OpenBucket(settings, "exports")), row.told);
  }
  BucketSettings settings;
  settings.retry_base = std::chrono::milliseconds(0);
  settings.endpoint = ScriptServer({}).url();  // of a server that is gone
  const auto opened = OpenBucket(settings, "exports");
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().kind(), Kind::kUnavailable);
  EXPECT_TRUE(opened.error().message().starts_with("s3://exports cannot be reached: ")) << opened.error().message();
}

}  // namespace
}  // namespace keyfold
