// Tests buckets of a real S3 service, which tests/transfer/s3 starts. That script passes the endpoint in
// KEYFOLD_S3_ENDPOINT and the credentials in KEYFOLD_S3_ACCESS_KEY_ID and KEYFOLD_S3_SECRET_ACCESS_KEY. The service has
// an empty bucket "exports". Skipped if the variables are not set.
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/random.h"
#include "testing/transfer/bucket.h"

namespace keyfold::transfer {
namespace {

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

struct S3Service : testing::Test {
  void SetUp() override {
    settings.endpoint = Variable("KEYFOLD_S3_ENDPOINT");
    if (settings.endpoint.empty()) GTEST_SKIP() << "KEYFOLD_S3_ENDPOINT names no service";
    settings.credentials = {Variable("KEYFOLD_S3_ACCESS_KEY_ID"), Variable("KEYFOLD_S3_SECRET_ACCESS_KEY"), ""};
    Result<std::unique_ptr<Bucket>> opened = OpenBucket(settings, "exports");
    ASSERT_EQ(Describe(opened), "ok");
    bucket = *std::move(opened);
    // Removes what an earlier test left.
    const Result<std::vector<Bucket::Object>> left = bucket->List("");
    ASSERT_EQ(Describe(left), "ok");
    for (const Bucket::Object& object : *left) EXPECT_EQ(Describe(bucket->Remove(object.key)), "ok");
  }

  BucketSettings settings;
  std::unique_ptr<Bucket> bucket;
};

TEST_F(S3Service, KeysOfAllKinds) {
  for (const std::string key : {"plain", "a b", "a+b", "a%b", "a%20b", "a=b?c#d", "\u00e4/\u65e5\u672c/\U0001F600",
                                "deep/er/and/deeper.json.gz", "t~i_l-d.e", "(a)*!$,;:@"}) {
    EXPECT_EQ(PutObject(*bucket, key, "of " + key), "ok") << key;
    EXPECT_EQ(GetObject(*bucket, key), "of " + key);
    EXPECT_EQ(ListObjects(*bucket, ""), key + ":" + std::to_string(3 + key.size()) + " ");
    EXPECT_EQ(Describe(bucket->Remove(key)), "ok");
    EXPECT_EQ(ListObjects(*bucket, ""), "");
  }
  // The service used here escapes these twice in its listings.
  for (const std::string key : {"a&b", "quote'\"<>"}) {
    EXPECT_EQ(PutObject(*bucket, key, "of " + key), "ok") << key;
    EXPECT_EQ(GetObject(*bucket, key), "of " + key);
    EXPECT_EQ(Describe(bucket->Remove(key)), "ok");
  }
}

TEST_F(S3Service, ListsMoreThanAPage) {
  constexpr size_t kObjects = 1005;
  std::string expected;
  for (size_t i = 0; i < kObjects; ++i) {
    const std::string key = "many/" + std::to_string(10'000 + i);
    ASSERT_EQ(PutObject(*bucket, key, "x"), "ok");
    expected += key + ":1 ";
  }
  ASSERT_EQ(PutObject(*bucket, "other", "x"), "ok");
  EXPECT_TRUE(ListObjects(*bucket, "many/") == expected);
  EXPECT_EQ(ListObjects(*bucket, "many/1000"), expected.substr(0, 10 * 13));
}

TEST_F(S3Service, LargeObjectsInParts) {
  std::string content(40'000'000, '\0');  // NOLINT: it is meant to be large
  Random random(7);
  for (char& c : content) c = static_cast<char>(random.Next());
  std::string etag;
  ASSERT_EQ(PutObject(*bucket, "large", content, &etag), "ok");
  EXPECT_GE(etag.size(), 32u) << etag;
  EXPECT_EQ(ListObjects(*bucket, ""), "large:40000000 ");
  EXPECT_TRUE(GetObject(*bucket, "large") == content);
}

TEST_F(S3Service, RangeSizedAndEmptyObjects) {
  std::string etag;
  EXPECT_EQ(PutObject(*bucket, "hello", "hello", &etag), "ok");
  EXPECT_EQ(etag, "5d41402abc4b2a76b9719d911017c592");
  const std::string range(8 * 1024 * 1024, 'r');
  EXPECT_EQ(PutObject(*bucket, "range", range), "ok");
  EXPECT_TRUE(GetObject(*bucket, "range") == range);
  // The service used here does not respond to a GET of an empty object as S3 does; s3_bucket_test.cc covers that.
  EXPECT_EQ(PutObject(*bucket, "empty", ""), "ok");
  EXPECT_EQ(ListObjects(*bucket, "e"), "empty:0 ");
}

TEST_F(S3Service, AnAbandonedUploadIsNotSeen) {
  {
    std::unique_ptr<files::ByteSink> sink = *bucket->Write("left", nullptr);
    EXPECT_EQ(Describe(sink->Write(std::string(17 * 1024 * 1024, 'x'))), "ok");
  }
  EXPECT_EQ(ListObjects(*bucket, ""), "");
  EXPECT_EQ(BucketFaultCode(bucket->Read("left").error()), "NoSuchKey");
}

TEST_F(S3Service, MissingObjects) {
  EXPECT_EQ(BucketFaultCode(bucket->Read("nope").error()), "NoSuchKey");
  EXPECT_EQ(Describe(bucket->Remove("nope")), "ok");
  EXPECT_EQ(BucketFaultCode(OpenBucket(settings, "no-such-bucket").error()), "NoSuchBucket");
}

TEST_F(S3Service, WrongCredentialsAreRefused) {
  BucketSettings wrong = settings;
  wrong.credentials.secret_access_key += "x";
  const auto secret = OpenBucket(wrong, "exports");
  ASSERT_FALSE(secret.ok());
  EXPECT_EQ(BucketFaultCode(secret.error()), "SignatureDoesNotMatch");
  EXPECT_TRUE(
      secret.error().message().starts_with("SignatureDoesNotMatch: The request signature we calculated does "
                                           "not match the signature you provided."))
      << secret.error().message();
  wrong.credentials.access_key_id = "NOBODY";
  const auto nobody = OpenBucket(wrong, "exports");
  ASSERT_FALSE(nobody.ok());
  EXPECT_EQ(BucketFaultCode(nobody.error()), "InvalidAccessKeyId");
}

}  // namespace
}  // namespace keyfold::transfer
