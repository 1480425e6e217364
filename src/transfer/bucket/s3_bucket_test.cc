// Checks the requests sent to an S3 service one by one, against a server with scripted responses; s3_service_test.cc
// uses a real service.
#include "transfer/bucket/s3_bucket.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>

#include "base/background_task.h"
#include "base/stopping.h"
#include "testing/http/script_server.h"
#include "testing/transfer/bucket.h"

namespace keyfold::transfer {
namespace {

const std::string kEmptyListing = "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>";

std::string Refusal(const std::string& code, const std::string& message = "why") {
  return "<Error><Code>" + code + "</Code><Message>" + message + "</Message></Error>";
}

// Opens a bucket "exports" and records the requests sent after that.
class Scripted {
 public:
  explicit Scripted(std::vector<http::ScriptTurn> turns)
      : server_(WithOpening(std::move(turns))), bucket_(*OpenBucket(Settings(server_), "exports")) {}

  static BucketSettings Settings(const http::ScriptServer& server) {
    BucketSettings settings;
    settings.endpoint = server.url();
    settings.credentials = {"ID", "secret", ""};
    settings.retry_base = std::chrono::milliseconds(0);
    return settings;
  }

  Bucket& bucket() { return *bucket_; }
  std::vector<http::ScriptRequest> requests() const {
    std::vector<http::ScriptRequest> all = server_.requests();
    all.erase(all.begin());
    return all;
  }
  // "GET /exports/a|PUT /exports/b"
  std::string Asked() const {
    std::string asked;
    for (const http::ScriptRequest& request : requests()) {
      asked.append(asked.empty() ? "" : "|").append(request.method).append(" ").append(request.target);
    }
    return asked;
  }

 private:
  static std::vector<http::ScriptTurn> WithOpening(std::vector<http::ScriptTurn> turns) {
    turns.insert(turns.begin(), http::ScriptTurn{http::AnswerOf(200, kEmptyListing)});
    return turns;
  }

  http::ScriptServer server_;
  std::unique_ptr<Bucket> bucket_;
};

TEST(S3Bucket, OpeningSendsARequest) {
  const struct {
    int status;
    std::string answer, reported, code;
  } rows[] = {
      {200, kEmptyListing, "ok", ""},
      {404, Refusal("NoSuchBucket", "The specified bucket does not exist"),
       "NoSuchBucket: The specified bucket does not exist (s3://exports)", "NoSuchBucket"},
      {403, Refusal("SignatureDoesNotMatch", "Check your key"), "SignatureDoesNotMatch: Check your key (s3://exports)",
       "SignatureDoesNotMatch"},
      // Credentials that may not list may still be allowed to write.
      {403, Refusal("AccessDenied"), "ok", ""},
      {403, "<html>no</html>", "HTTP 403: The service gave no reason (s3://exports)", "HTTP 403"},
      {200, "<html>hello</html>", "The response about s3://exports is invalid: it is not a listing", ""},
  };
  for (const auto& row : rows) {
    http::ScriptServer server({{http::AnswerOf(row.status, row.answer)}});
    const auto opened = OpenBucket(Scripted::Settings(server), "exports");
    EXPECT_EQ(Describe(opened), row.reported);
    EXPECT_EQ(opened.ok() ? "" : BucketFaultCode(opened.error()), row.code);
    EXPECT_EQ(server.requests().size(), 1u);
  }
}

TEST(S3Bucket, RequestsAreSigned) {
  http::ScriptServer server({{http::AnswerOf(200, kEmptyListing)}});
  BucketSettings settings = Scripted::Settings(server);
  settings.credentials.session_token = "token";
  settings.region = "eu-north-1";
  ASSERT_TRUE(OpenBucket(settings, "exports").ok());
  const http::ScriptRequest request = server.requests()[0];
  EXPECT_EQ(request.target, "/exports?list-type=2&encoding-type=url&max-keys=1&prefix=");
  EXPECT_EQ(request.Find("X-Amz-Content-Sha256"), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(request.Find("X-Amz-Security-Token"), "token");
  EXPECT_NE(request.Find("Authorization")
                .find("/eu-north-1/s3/aws4_request, SignedHeaders=host;x-amz-content-sha256;"
                      "x-amz-date;x-amz-security-token, "),
            std::string::npos);
}

TEST(S3Bucket, WithoutCredentialsRequestsAreNotSigned) {
  http::ScriptServer server({{http::AnswerOf(200, kEmptyListing)}});
  BucketSettings settings = Scripted::Settings(server);
  settings.credentials = {};
  ASSERT_TRUE(OpenBucket(settings, "exports").ok());
  EXPECT_EQ(server.requests()[0].Find("Authorization"), "");
}

TEST(S3Bucket, ListsPageByPage) {
  Scripted s({{http::AnswerOf(200,
                              "<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>true</IsTruncated>"
                              "<NextContinuationToken>a/+=</NextContinuationToken>"
                              "<Contents><Key>p/b+c</Key><Size>2</Size></Contents></ListBucketResult>")},
              {http::AnswerOf(200,
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
  Scripted s({{http::AnswerOf(200, page)}, {http::AnswerOf(200, page)}, {http::AnswerOf(200, page)}});
  EXPECT_EQ(ListObjects(s.bucket(), ""), "The response about s3://exports is invalid: the listing does not end");
}

std::string RangeAnswer(const std::string& body, const std::string& range, const std::string& etag) {
  return http::AnswerOf(206, body, "Content-Range: bytes " + range + "\r\nETag: \"" + etag + "\"\r\n");
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
  const std::string big(kS3RangeBytes, 'a'), not_understood = "The response about s3://exports/k is invalid: ";
  const struct {
    std::vector<http::ScriptTurn> turns;
    std::string reported;
  } rows[] = {
      {{{RangeAnswer("hello", "0-4/5", "e")}}, "hello"},
      {{{http::AnswerOf(416, Refusal("InvalidRange"))}}, ""},
      {{{http::AnswerOf(200, "whole")}}, "whole"},
      {{{http::AnswerOf(404, Refusal("NoSuchKey"))}}, "NoSuchKey: why (s3://exports/k)"},
      {{{http::AnswerOf(206, "hello")}}, not_understood + "it does not give the object's length"},
      {{{RangeAnswer("hello", "0-4/*", "e")}}, not_understood + "it does not give the object's length"},
      {{{RangeAnswer("hell", "0-4/5", "e")}}, not_understood + "it is not the requested range"},
      {{{http::AnswerOf(200, big + "b")}}, "s3://exports/k cannot be reached: the response was abandoned"},
      // Another object replaced it.
      {{{RangeAnswer(big, "0-8388607/8388609", "e")}, {http::AnswerOf(412, Refusal("PreconditionFailed"))}},
       "PreconditionFailed: why (s3://exports/k)"},
      {{{RangeAnswer(big, "0-8388607/8388609", "e")}, {RangeAnswer("xy", "8388608-8388609/8388610", "e")}},
       not_understood + "the object's length has changed"},
  };
  for (const auto& row : rows) {
    Scripted s(row.turns);
    EXPECT_EQ(GetObject(s.bucket(), "k"), row.reported);
  }
}

TEST(S3Bucket, TransientFailuresAreRetried) {
  const std::string good = RangeAnswer("hello", "0-4/5", "e");
  const struct {
    std::vector<http::ScriptTurn> turns;
    std::string reported;
    size_t requests;
  } rows[] = {
      {{{http::AnswerOf(503, Refusal("SlowDown"))}, {http::AnswerOf(500, "")}, {http::AnswerOf(429, "")}, {good}},
       "hello",
       4},
      {{{http::AnswerOf(400, Refusal("RequestTimeout"))}, {good}}, "hello", 2},
      {{{"", http::ScriptTurn::Then::kClose}, {good}}, "hello", 2},
      // The connection closes after part of the body: that part is discarded.
      {{{good.substr(0, good.size() - 2), http::ScriptTurn::Then::kClose}, {good}}, "hello", 2},
      {std::vector<http::ScriptTurn>(6, {http::AnswerOf(503, Refusal("SlowDown"))}), "SlowDown: why (s3://exports/k)",
       6},
      {{{http::AnswerOf(403, Refusal("AccessDenied"))}, {good}}, "AccessDenied: why (s3://exports/k)", 1},
      {{{http::AnswerOf(400, Refusal("InvalidArgument"))}, {good}}, "InvalidArgument: why (s3://exports/k)", 1},
  };
  for (const auto& row : rows) {
    Scripted s(row.turns);
    EXPECT_EQ(GetObject(s.bucket(), "k"), row.reported);
    EXPECT_EQ(s.requests().size(), row.requests) << row.reported;
  }
  Scripted s(std::vector<http::ScriptTurn>(6, {http::AnswerOf(503, Refusal("SlowDown"))}));
  const auto unavailable = s.bucket().Read("k");
  ASSERT_FALSE(unavailable.ok());
  EXPECT_EQ(unavailable.error().kind(), Kind::kUnavailable);
  EXPECT_EQ(unavailable.error().rule(), "bucket-unavailable");
}

TEST(S3Bucket, SmallObjectsAreSentInOneRequest) {
  Scripted s({{http::AnswerOf(200, "", "ETag: \"5d41\"\r\n")}, {http::AnswerOf(200, "", "ETag: \"d41d\"\r\n")}});
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

TEST(S3Bucket, LargeObjectsAreSentInParts) {
  Scripted s({{http::AnswerOf(200, kUploadBegun)},
              {http::AnswerOf(200, "", "ETag: \"e1\"\r\n")},
              {http::AnswerOf(200, "", "ETag: \"e2\"\r\n")},
              {http::AnswerOf(200,
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
  http::ScriptServer server({{http::AnswerOf(200, kEmptyListing)},
                             {http::AnswerOf(200, kUploadBegun)},
                             {http::AnswerOf(200, "", "ETag: \"e1\"\r\n")},
                             {http::AnswerOf(204, "")}});
  BucketSettings settings = Scripted::Settings(server);
  settings.limits.parts_max = 1;
  const auto bucket = *OpenBucket(settings, "exports");
  EXPECT_EQ(PutObject(*bucket, "k", std::string(kS3PartBytes, 'a') + "xyz"),
            "s3://exports/k needs more than the 1 parts that an object may have");
  EXPECT_EQ(server.requests().back().method, "DELETE") << "the upload is aborted";
}

TEST(S3Bucket, AnUploadThatIsNotCompletedIsAborted) {
  const std::string part = http::AnswerOf(200, "", "ETag: \"e\"\r\n"), gone = http::AnswerOf(204, "");
  const std::string content(kS3PartBytes + 1, 'a');
  const struct {
    std::vector<http::ScriptTurn> turns;
    std::string reported;
  } rows[] = {
      // A failure reported in a response with status 200.
      {{{http::AnswerOf(200, kUploadBegun)}, {part}, {part}, {http::AnswerOf(200, Refusal("InternalError"))}, {gone}},
       "InternalError: why (s3://exports/k)"},
      {{{http::AnswerOf(200, kUploadBegun)}, {part}, {http::AnswerOf(403, Refusal("AccessDenied"))}, {gone}},
       "AccessDenied: why (s3://exports/k)"},
      {{{http::AnswerOf(200, kUploadBegun)}, {http::AnswerOf(200, "")}, {gone}},
       "The response about s3://exports/k is invalid: it has no ETag for a part"},
  };
  for (const auto& row : rows) {
    Scripted s(row.turns);
    EXPECT_EQ(PutObject(s.bucket(), "k", content), row.reported);
    EXPECT_TRUE(s.Asked().ends_with("|DELETE /exports/k?uploadId=u%2F1")) << s.Asked();
    EXPECT_EQ(s.requests().size(), row.turns.size());
  }
  Scripted s({{http::AnswerOf(200, kUploadBegun)}, {part}, {gone}});
  {
    std::unique_ptr<files::ByteSink> sink = *s.bucket().Write("k", nullptr);
    EXPECT_EQ(Describe(sink->Write(content)), "ok");
  }
  EXPECT_EQ(s.Asked(),
            "POST /exports/k?uploads=|PUT /exports/k?partNumber=1&uploadId=u%2F1|DELETE /exports/k?uploadId=u%2F1");
}

TEST(S3Bucket, LeftoversOfADeadProcessAreRemoved) {
  const auto page = [](const std::string& inside) {
    return http::AnswerOf(200, "<ListMultipartUploadsResult>" + inside + "</ListMultipartUploadsResult>");
  };
  const std::string gone = http::AnswerOf(204, "");
  Scripted s({{page("<IsTruncated>true</IsTruncated><NextKeyMarker>a/1</NextKeyMarker>"
                    "<NextUploadIdMarker>u1</NextUploadIdMarker>"
                    "<Upload><Key>a/1</Key><UploadId>u1</UploadId></Upload>")},
              {gone},
              {page("<Upload><Key>a/2</Key><UploadId>u2</UploadId></Upload>")},
              {http::AnswerOf(404, Refusal("NoSuchUpload"))}});
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
  return http::AnswerOf(200, body + "</ListBucketResult>");
}

// The token always changes, so every page looks like a new one.
TEST(S3Bucket, AnEndlessListingIsAbandoned) {
  const struct {
    const char *name, *why;
    std::function<std::vector<std::string>(int page)> keys;
    size_t asked;
  } rows[] = {
      {"empty pages", "its pages make no progress", [](int) { return std::vector<std::string>{}; }, 4},
      {"the same keys", "its pages make no progress",
       [](int) {
         return std::vector<std::string>{"a", "b"};
       },
       5},
      {"backwards", "its pages make no progress",
       [](int page) { return std::vector<std::string>{std::to_string(9000 - page)}; }, 5},
      {"ever new keys", "it has too many pages",
       [](int page) { return std::vector<std::string>{std::to_string(1000 + page)}; }, 11},
      {"long keys", "it has too many keys",
       [](int page) { return std::vector<std::string>{std::to_string(1000 + page) + std::string(60, 'x')}; }, 4},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    std::vector<http::ScriptTurn> turns{{http::AnswerOf(200, kEmptyListing)}};
    for (int page = 0; page < 50; ++page) turns.push_back({ListingPage(page, row.keys(page))});
    const http::ScriptServer server(std::move(turns));
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

TEST(S3Bucket, AnEndlessListOfUploadsIsAbandoned) {
  std::vector<http::ScriptTurn> turns{{http::AnswerOf(200, kEmptyListing)}};
  for (int page = 0; page < 50; ++page) {
    turns.push_back({http::AnswerOf(200, "<ListMultipartUploadsResult><IsTruncated>true</IsTruncated><NextKeyMarker>" +
                                             std::to_string(page) + "</NextKeyMarker></ListMultipartUploadsResult>")});
  }
  const http::ScriptServer server(std::move(turns));
  BucketSettings settings = Scripted::Settings(server);
  settings.limits.idle_pages_max = 3;
  const Status removed = (*OpenBucket(settings, "exports"))->RemoveUnfinished("a/");
  ASSERT_FALSE(removed.ok());
  EXPECT_TRUE(removed.message().starts_with("The listing of s3://exports was abandoned")) << removed.message();
  EXPECT_EQ(server.requests().size(), 5u);
}

// The server never responds. Without stop, the idle timeout of 30 seconds would pass six times.
TEST(S3Bucket, IsStoppedWhileAServiceIsSilent) {
  const http::ScriptServer server({{http::AnswerOf(200, kEmptyListing)}, {"", http::ScriptTurn::Then::kHold}});
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
  // The listing request may already have been sent when the stop came; the upload is never sent.
  EXPECT_LE(server.requests().size(), 2u);
  for (const http::ScriptRequest& request : server.requests()) EXPECT_NE(request.method, "PUT");
}

TEST(S3Bucket, IsStoppedBetweenAttempts) {
  const http::ScriptServer server({{http::AnswerOf(200, kEmptyListing)}, {http::AnswerOf(503, Refusal("SlowDown"))}});
  BucketSettings settings = Scripted::Settings(server);
  settings.retry_base = std::chrono::minutes(10);
  settings.stop = [&] { return server.requests().size() >= 2; };
  const auto listed = (*OpenBucket(settings, "exports"))->List("");
  ASSERT_FALSE(listed.ok());
  EXPECT_EQ(listed.error().rule(), "stopping");
  EXPECT_EQ(server.requests().size(), 2u);
}

// Requests to a silent service end: each has a timeout, and the number of attempts is limited.
TEST(S3Bucket, ARequestTimesOut) {
  const http::ScriptServer server(
      {{http::AnswerOf(200, kEmptyListing)}, {"HTTP/1.1 200 x\r\n", http::ScriptTurn::Then::kHold}});
  BucketSettings settings = Scripted::Settings(server);
  settings.limits.attempts_max = 1;
  settings.limits.request_timeout = std::chrono::milliseconds(50);
  settings.limits.bytes_per_second_min = 1 << 30;
  const auto listed = (*OpenBucket(settings, "exports"))->List("");
  ASSERT_FALSE(listed.ok());
  EXPECT_EQ(listed.error().rule(), "s3-unreachable");
  EXPECT_TRUE(listed.error().message().ends_with(" did not respond within 50 ms")) << listed.error().message();
}

TEST(S3Bucket, WhatAServiceSaysIsOneShortLine) {
  const std::string forged = "no\n2026-01-01T00:00:00.000Z critical forged\x1b[2J";
  const http::ScriptServer server({{http::AnswerOf(403, Refusal("AccessDenie\nd", forged + std::string(5000, 'x')))}});
  const auto opened = OpenBucket(Scripted::Settings(server), "exports");
  ASSERT_FALSE(opened.ok());
  const std::string reported = opened.error().message();
  EXPECT_TRUE(reported.starts_with("AccessDenie\\nd: no\\n2026-01-01T00:00:00.000Z critical forged\\u001b[2Jxxx"))
      << reported;
  EXPECT_LT(reported.size(), 1300u);
}

TEST(S3Bucket, KeysThatWouldLeaveTheBucket) {
  Scripted s({});
  EXPECT_EQ(Describe(s.bucket().Remove("")), "An object's key is empty");
  for (const std::string key : {"..", "../other/k", "a/../../other", "a/.", "./a"}) {
    const std::string reported = "The key " + key + " has '.' or '..' as a part";
    EXPECT_EQ(PutObject(s.bucket(), key, "x"), reported);
    EXPECT_EQ(GetObject(s.bucket(), key), reported);
    EXPECT_EQ(Describe(s.bucket().Remove(key)), reported);
  }
  EXPECT_EQ(s.Asked(), "");
}

TEST(S3Bucket, Endpoints) {
  const struct {
    std::string endpoint, reported;
  } rows[] = {
      {"ftp://x", "The S3 endpoint ftp://x is not a valid address: it does not begin with http:// or https://"},
      {"http://x:y", "The S3 endpoint http://x:y is not a valid address: its host or port is malformed"},
      {"http://x/y", "The S3 endpoint http://x/y is not a valid address: it must not have a path"},
  };
  for (const auto& row : rows) {
    BucketSettings settings;
    settings.endpoint = row.endpoint;
    EXPECT_EQ(Describe(OpenBucket(settings, "exports")), row.reported);
  }
  BucketSettings settings;
  settings.retry_base = std::chrono::milliseconds(0);
  settings.endpoint = http::ScriptServer({}).url();  // the URL of a server that no longer exists
  const auto opened = OpenBucket(settings, "exports");
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().kind(), Kind::kUnavailable);
  EXPECT_TRUE(opened.error().message().starts_with("s3://exports cannot be reached: ")) << opened.error().message();
}

}  // namespace
}  // namespace keyfold::transfer
