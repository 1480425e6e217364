#include "transfer/bucket/folder_bucket.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "testing/files/folder.h"
#include "testing/transfer/bucket.h"

namespace keyfold::transfer {
namespace {

namespace fs = std::filesystem;

// A root with the bucket "exports" in it.
struct FolderBucketTest : testing::Test {
  FolderBucketTest() {
    fs::create_directory(root.path() + "/exports");
    bucket = OpenBucket(settings(), "exports").operator*();
  }
  BucketSettings settings() const { return {.root = root.path(), .endpoint = ""}; }
  // All files in the bucket's folder, hidden ones too.
  size_t CountFiles() const {
    size_t count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(root.path() + "/exports")) {
      count += entry.is_regular_file();
    }
    return count;
  }

  files::FolderForTest root;
  std::unique_ptr<Bucket> bucket;
};

TEST_F(FolderBucketTest, WhatIsWrittenIsRead) {
  std::string etag;
  EXPECT_EQ(PutObject(*bucket, "a/b c+%\u00e4", "hello", &etag), "ok");
  EXPECT_EQ(etag, "5d41402abc4b2a76b9719d911017c592");
  EXPECT_EQ(GetObject(*bucket, "a/b c+%\u00e4"), "hello");
  EXPECT_EQ(root.Read("exports/a/b c+%\u00e4"), "hello");
  EXPECT_EQ(PutObject(*bucket, "a/b c+%\u00e4", ""), "ok");
  EXPECT_EQ(GetObject(*bucket, "a/b c+%\u00e4"), "");
  EXPECT_EQ(bucket->Name(), "s3://exports");
}

TEST_F(FolderBucketTest, ListsInOrderOfKeys) {
  for (const std::string_view key : {"b", "a/2", "a/10", "a-", "c/d/e"}) EXPECT_EQ(PutObject(*bucket, key, "12"), "ok");
  EXPECT_EQ(ListObjects(*bucket, ""), "a-:2 a/10:2 a/2:2 b:2 c/d/e:2 ");
  EXPECT_EQ(ListObjects(*bucket, "a"), "a-:2 a/10:2 a/2:2 ");
  EXPECT_EQ(ListObjects(*bucket, "a/"), "a/10:2 a/2:2 ");
  EXPECT_EQ(ListObjects(*bucket, "c/d/e"), "c/d/e:2 ");
  EXPECT_EQ(ListObjects(*bucket, "x"), "");
}

TEST_F(FolderBucketTest, NothingIsSeenBeforeItIsFinished) {
  EXPECT_EQ(PutObject(*bucket, "a/k", "old"), "ok");
  std::unique_ptr<files::ByteSink> sink = *bucket->Write("a/k", nullptr);
  EXPECT_EQ(Describe(sink->Write("new")), "ok");
  EXPECT_EQ(CountFiles(), 2u);
  EXPECT_EQ(ListObjects(*bucket, ""), "a/k:3 ");
  EXPECT_EQ(GetObject(*bucket, "a/k"), "old");
  EXPECT_EQ(Describe(sink->Finish()), "ok");
  EXPECT_EQ(GetObject(*bucket, "a/k"), "new");
  EXPECT_EQ(CountFiles(), 1u);
}

TEST_F(FolderBucketTest, AbandonedWritesLeaveNothing) {
  std::unique_ptr<files::ByteSink> sink = *bucket->Write("a/k", nullptr);
  EXPECT_EQ(Describe(sink->Write("new")), "ok");
  sink.reset();
  EXPECT_EQ(CountFiles(), 0u);
}

TEST_F(FolderBucketTest, LeftoversOfADeadProcessAreRemoved) {
  fs::create_directories(root.path() + "/exports/a/b");
  fs::create_directories(root.path() + "/exports/ab");
  for (const std::string name : {"a/.keyfold-unfinished-1", "a/b/.keyfold-unfinished-2", "ab/.keyfold-unfinished-3"}) {
    root.Write("exports/" + name, "x");
  }
  EXPECT_EQ(PutObject(*bucket, "a/k", "1"), "ok");
  EXPECT_EQ(ListObjects(*bucket, ""), "a/k:1 ");
  EXPECT_EQ(Describe(bucket->RemoveUnfinished("a/")), "ok");
  EXPECT_EQ(CountFiles(), 2u);
  EXPECT_EQ(Describe(bucket->RemoveUnfinished("")), "ok");
  EXPECT_EQ(CountFiles(), 1u);
  EXPECT_EQ(ListObjects(*bucket, ""), "a/k:1 ");
}

TEST_F(FolderBucketTest, Removes) {
  EXPECT_EQ(PutObject(*bucket, "a/k", "1"), "ok");
  EXPECT_EQ(Describe(bucket->Remove("a/k")), "ok");
  EXPECT_EQ(Describe(bucket->Remove("a/k")), "ok");
  EXPECT_EQ(ListObjects(*bucket, ""), "");
}

TEST_F(FolderBucketTest, KeysThatNoFileCanHave) {
  root.Write("outside", "secret");
  fs::create_symlink(root.path() + "/outside", root.path() + "/exports/link");
  fs::create_symlink(root.path(), root.path() + "/exports/up");
  for (const std::string key : {"", "/a", "a//b", "a/", "..", "../outside", "a/../b", "./a", "up/outside",
                                ".keyfold-unfinished-x", "a/.keyfold-unfinished-x"}) {
    EXPECT_NE(PutObject(*bucket, key, "1"), "ok") << key;
    EXPECT_NE(GetObject(*bucket, key), "secret") << key;
  }
  EXPECT_EQ(GetObject(*bucket, "link"), "NoSuchKey: The specified key does not exist. (s3://exports/link)");
  EXPECT_EQ(GetObject(*bucket, "../outside"), "The name ../outside contains '.' or '..' as a part");
  EXPECT_EQ(PutObject(*bucket, "a/..", "1"), "The name a/.. contains '.' or '..' as a part");
  EXPECT_EQ(PutObject(*bucket, ".keyfold-unfinished-x", "1"),
            "The key .keyfold-unfinished-x is reserved: no part of a key may start with .keyfold-unfinished-");
  // A link is replaced, not followed.
  EXPECT_EQ(PutObject(*bucket, "link", "mine"), "ok");
  EXPECT_EQ(root.Read("outside"), "secret");
  EXPECT_EQ(ListObjects(*bucket, ""), "link:4 ");
}

TEST_F(FolderBucketTest, MissingObjects) {
  const auto read = bucket->Read("a/k");
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().message(), "NoSuchKey: The specified key does not exist. (s3://exports/a/k)");
  EXPECT_EQ(read.error().rule(), "bucket-refused");
  EXPECT_EQ(BucketFaultCode(read.error()), "NoSuchKey");
  const auto opened = OpenBucket(settings(), "nope");
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().message(),
            "NoSuchBucket: The specified bucket does not exist: create the folder nope in --s3-root, which is s3 in "
            "the data folder by default (s3://nope)");
  EXPECT_EQ(opened.error().kind(), Kind::kValidation);
  EXPECT_EQ(BucketFaultCode(opened.error()), "NoSuchBucket");
  EXPECT_FALSE(fs::exists(root.path() + "/nope"));
}

TEST_F(FolderBucketTest, NamesOfBuckets) {
  root.Write("file", "x");
  fs::create_symlink(root.path() + "/exports", root.path() + "/linked");
  for (const std::string_view name : {"", ".", "..", "exports/..", "exports/a", "/", ".hidden", "a b", "a\n"}) {
    EXPECT_EQ(Describe(OpenBucket(settings(), name)), std::string(name) + " is not a valid bucket name");
  }
  for (const std::string_view name : {"file", "linked"}) {
    const Result<std::unique_ptr<Bucket>> opened = OpenBucket(settings(), name);
    EXPECT_EQ(opened.ok() ? "" : BucketFaultCode(opened.error()), "NoSuchBucket") << name;
  }
  EXPECT_EQ(
      Describe(OpenBucket({}, "exports")),
      "NoSuchBucket: The specified bucket does not exist: neither --s3-root nor --s3-endpoint is set (s3://exports)");
}

TEST_F(FolderBucketTest, BucketsAreMadeWhereTheyAreFolders) {
  const auto make = [](const BucketSettings& settings, std::string_view name) {
    const Result<bool> made = MakeBucket(settings, name);
    return made.ok() ? (*made ? "made" : "not made") : made.error().message();
  };
  EXPECT_EQ(make(settings(), "exports"), "not made") << "it is there";
  EXPECT_EQ(make(settings(), "new"), "made");
  EXPECT_EQ(Describe(OpenBucket(settings(), "new")), "ok");
  BucketSettings deep;
  deep.root = root.path() + "/a/b";
  EXPECT_EQ(make(deep, "c"), "made");
  EXPECT_TRUE(fs::is_directory(root.path() + "/a/b/c"));
  EXPECT_EQ(make(settings(), "../x"), "../x is not a valid bucket name");
  EXPECT_EQ(make(settings(), ""), " is not a valid bucket name");
  BucketSettings service;
  service.endpoint = "http://127.0.0.1:1";
  EXPECT_EQ(make(service, "b"), "not made");
  EXPECT_EQ(make({}, "b"), "not made");
}

}  // namespace
}  // namespace keyfold::transfer
