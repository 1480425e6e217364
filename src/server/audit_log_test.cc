// The audit log: what a line contains, that it is always one line of JSON, and what happens if it cannot be written.
#include "server/audit_log.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>
#include <vector>

#include "base/read_file.h"
#include "json/document.h"
#include "ops/operation.h"

namespace keyfold::server {
namespace {

class AuditLogTest : public testing::Test {
 protected:
  AuditLogTest() {
    std::string pattern = std::filesystem::temp_directory_path() / "keyfold-audit-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
    path_ = folder_ / "audit.jsonl";
  }
  ~AuditLogTest() override { std::filesystem::remove_all(folder_); }

  std::unique_ptr<AuditLog> Open(const std::string& path, size_t queue_bytes_max = size_t{4} << 20) {
    auto log = AuditLog::Open({path, "eu-west-1", "123456789012", queue_bytes_max});
    EXPECT_TRUE(log.ok()) << log.error().message();
    return log.ok() ? *std::move(log) : nullptr;
  }
  std::vector<std::string> Lines(const std::filesystem::path& path) const {
    const Result<std::string> read = ReadFile(path, size_t{64} << 20);
    const std::string text = read.ok() ? *read : "";
    std::vector<std::string> lines;
    for (size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
      lines.push_back(text.substr(at, end - at));
    }
    EXPECT_TRUE(text.empty() || text.back() == '\n') << text;
    return lines;
  }
  static std::string Member(const std::string& line, std::string_view name) {
    json::Parser parser;
    const auto object = parser.Parse(line);
    if (!object || !object->is_object()) return "no JSON: " + line;
    const auto found = json::Find(*object, name);
    return found && found->is_string() ? std::string(found->AsString()) : "";
  }
  template <typename Condition>
  static void Await(Condition condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!condition() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    EXPECT_TRUE(condition());
  }

  std::filesystem::path folder_, path_;
};

TEST_F(AuditLogTest, AnEventIsOneLine) {
  Open(path_)->Record({.time = 1'794'761'100'250'000,
                       .source = "dynamodb.amazonaws.com",
                       .name = "CreateTable",
                       .peer = "192.0.2.7",
                       .user_agent = "aws-cli/2",
                       .request_id = "ID",
                       .access_key = "AKID",
                       .verified = true,
                       .status = 200,
                       .parameters = R"({"tableName":"t"})"});
  const auto lines = Lines(path_);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(
      lines[0],
      R"({"eventTime":"2026-11-15T16:45:00.250Z","eventSource":"dynamodb.amazonaws.com","eventName":"CreateTable",)"
      R"("awsRegion":"eu-west-1","sourceIPAddress":"192.0.2.7","userAgent":"aws-cli/2",)"
      R"("userIdentity":{"accountId":"123456789012","accessKeyId":"AKID","verified":true},"requestID":"ID",)"
      R"("httpStatus":200,"requestParameters":{"tableName":"t"}})");
  struct stat about {};
  ASSERT_EQ(::stat(path_.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 07777, 0600u);
}

TEST_F(AuditLogTest, HostileTextsAreBoundedAndEscaped) {
  std::string everything;
  for (int c = 0; c < 256; ++c) everything.push_back(static_cast<char>(c));
  const std::string hostile = "a\n{\"b\"}\x1b[31m\xf0\x9f" + everything + std::string(100'000, 'x');
  Open(path_)->Record({.source = hostile,
                       .name = hostile,
                       .peer = hostile,
                       .user_agent = hostile,
                       .request_id = hostile,
                       .access_key = hostile,
                       .error_code = hostile});
  const auto lines = Lines(path_);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_LT(lines[0].size(), 4096u);
  EXPECT_EQ(Member(lines[0], "userAgent").substr(0, 12), "a?{\"b\"}?[31m");
  for (const char c : lines[0]) EXPECT_TRUE(c >= ' ' && c <= '~');
}

TEST_F(AuditLogTest, ParametersAreNamesOnly) {
  EXPECT_EQ(AuditedParameters(R"({"TableName":"t","Item":{"secret":{"S":"x"}},"Tags":[{"Key":"k","Value":"v"}]})"),
            R"({"tableName":"t"})");
  EXPECT_EQ(AuditedParameters(R"({"S3BucketSource":{"S3Bucket":"b","S3KeyPrefix":"p","X":"y"},)"
                              R"("TableCreationParameters":{"TableName":"t","KeySchema":[]}})"),
            R"({"s3BucketSource":{"s3Bucket":"b","s3KeyPrefix":"p"},"tableCreationParameters":{"tableName":"t"}})");
  EXPECT_EQ(AuditedParameters(R"({"TableName":["t"]})"), "{}");
  EXPECT_EQ(AuditedParameters("[1]"), "");
  EXPECT_EQ(AuditedParameters("{"), "");
  EXPECT_EQ(AuditedParameters(std::string(size_t{2} << 20, ' ')), "");
}

TEST_F(AuditLogTest, ManagementCallsAreThoseThatChangeMoreThanItems) {
  size_t count = 0;
  for (const ops::Operation& operation : ops::Operations()) {
    const std::string name(operation.name);
    const bool reads = name.starts_with("Describe") || name.starts_with("List") || name.starts_with("Get");
    const bool items = name.ends_with("Item") || name.ends_with("Items") || name == "Query" || name == "Scan" ||
                       name.find("Execute") != std::string::npos;
    EXPECT_EQ(IsManagementCall(name), !reads && !items) << name;
    count += IsManagementCall(name) ? 1 : 0;
  }
  EXPECT_GE(count, 15u);
}

TEST_F(AuditLogTest, TheClaimedKeyIsFound) {
  const std::pair<std::string, std::string> rows[] = {
      {"AWS4-HMAC-SHA256 Credential=AKID/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host", "AKID"},
      {"AWS4-HMAC-SHA256 SignedHeaders=host, Credential=AKID", "AKID"},
      {"AWS4-HMAC-SHA256 Credential=", ""},
      {"Basic dXNlcg==", ""},
  };
  for (const auto& [header, key] : rows) {
    http::Request request;
    request.headers.push_back({"authorization", header});
    EXPECT_EQ(ClaimedAccessKey(request), key) << header;
  }
  http::Request request;
  request.query = "A=b&X-Amz-Credential=AKID%2F2026&C=d";
  EXPECT_EQ(ClaimedAccessKey(request), "AKID");
}

TEST_F(AuditLogTest, ReopensForRotation) {
  const auto log = Open(path_);
  log->Record({.name = "first"});
  Await([&] { return log->written() == 1; });
  std::filesystem::rename(path_, folder_ / "old");
  EXPECT_TRUE(log->Reopen().ok());
  log->Record({.name = "second"});
  Await([&] { return log->written() == 2; });
  ASSERT_EQ(Lines(folder_ / "old").size(), 1u);
  ASSERT_EQ(Lines(path_).size(), 1u);
  EXPECT_EQ(Member(Lines(path_)[0], "eventName"), "second");
}

TEST_F(AuditLogTest, KeepsTheOldFileIfItCannotBeReopened) {
  const auto log = Open(path_);
  std::filesystem::rename(path_, folder_ / "old");
  std::filesystem::create_directory(path_);
  const Status reopened = log->Reopen();
  ASSERT_FALSE(reopened.ok());
  EXPECT_EQ(reopened.message(), "audit log " + path_.string() + ": Is a directory");
  log->Record({.name = "on"});
  Await([&] { return log->written() == 1; });
  EXPECT_EQ(Lines(folder_ / "old").size(), 1u);
}

TEST_F(AuditLogTest, AFileThatCannotBeOpenedIsRefused) {
  const std::string path = folder_ / "none" / "a";
  const auto log = AuditLog::Open({path, "r", "a"});
  ASSERT_FALSE(log.ok());
  EXPECT_EQ(log.error().message(), "audit log " + path + ": No such file or directory");
}

TEST_F(AuditLogTest, AFullDiskIsCountedAndNothingElse) {
  const auto log = Open("/dev/full");
  for (int i = 0; i < 10; ++i) log->Record({.name = "lost"});
  Await([&] { return log->failed() == 10; });
  EXPECT_EQ(log->written(), 0u);
  std::string metrics;
  log->AppendMetrics(metrics);
  EXPECT_NE(metrics.find("\nAuditLinesFailed 10\n"), std::string::npos) << metrics;
}

// A pipe that nobody reads fills up, then the queue does: further lines are dropped, and the destructor does not wait.
TEST_F(AuditLogTest, TheQueueIsBounded) {
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  const int reader = ::open(path_.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  constexpr uint64_t kLines = 20'000;
  {
    const auto log = Open(path_, size_t{64} << 10);
    for (uint64_t i = 0; i < kLines; ++i) log->Record({.name = std::string(200, 'n')});
    EXPECT_GT(log->dropped(), kLines / 2);
  }
  ::close(reader);
}

TEST_F(AuditLogTest, APipeThatIsReadLosesNothing) {
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  const int reader = ::open(path_.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  constexpr size_t kLines = 2'000;
  std::string text;
  char buffer[64 * 1024];
  {
    const auto log = Open(path_);
    for (size_t i = 0; i < kLines; ++i) log->Record({.name = std::string(200, 'n')});
    Await([&] {
      const ssize_t n = ::read(reader, buffer, sizeof buffer);
      if (n > 0) text.append(buffer, static_cast<size_t>(n));
      return log->written() == kLines && n <= 0;
    });
  }
  ::close(reader);
  EXPECT_EQ(static_cast<size_t>(std::count(text.begin(), text.end(), '\n')), kLines);
}

}  // namespace
}  // namespace keyfold::server
