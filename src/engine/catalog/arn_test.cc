// Table names: plain ones, this database's ARNs, and what is rejected.
#include "engine/catalog/arn.h"

#include <gtest/gtest.h>

namespace keyfold::engine {
namespace {

const Identity kIdentity{"eu-west-1", "111122223333"};

TEST(Arn, IsWritten) {
  EXPECT_EQ(TableArn(kIdentity, "music"), "arn:aws:dynamodb:eu-west-1:111122223333:table/music");
  EXPECT_EQ(IndexArn(kIdentity, "music", "by-year"),
            "arn:aws:dynamodb:eu-west-1:111122223333:table/music/index/by-year");
  EXPECT_EQ(StreamArn(kIdentity, "music", "2026-01-01T00:00:00.000"),
            "arn:aws:dynamodb:eu-west-1:111122223333:table/music/stream/2026-01-01T00:00:00.000");
}

TEST(Arn, IsRead) {
  struct Case {
    const char *text, *table, *message, *resource_message;  // messages for TableName and for ResourceArn
  };
  const Case cases[] = {
      {"arn:aws:dynamodb:eu-west-1:111122223333:table/music", "music", "", ""},
      {"arn:aws-cn:dynamodb:eu-west-1:111122223333:table/music", "music", "", ""},
      {"music", "music", "", "Invalid ResourceArn provided as input music: ARNs must start with 'arn:'"},
      {"arn:aws:dynamodb:eu-west-1:111122223333:table/mu", "",
       "Invalid TableArn: Invalid ResourceArn provided as input %", "Invalid ResourceArn provided as input %"},
      {"arn:aws:dynamodb:eu-west-1:111122223333:table/music/index/x", "",
       "Invalid TableArn: Invalid ResourceArn provided as input %", "Invalid ResourceArn provided as input %"},
      {"arn:aws:s3:eu-west-1:111122223333:table/music", "", "Invalid TableArn: Invalid ResourceArn provided as input %",
       "Invalid ResourceArn provided as input %"},
      {"arn:aws:dynamodb:eu-west-1", "", "Invalid TableArn: Invalid ResourceArn provided as input %",
       "Invalid ResourceArn provided as input %"},
      {"arn:aws:dynamodb:eu-west-1:000000000000:table/music", "",
       "User: arn:aws:iam::111122223333:root is not authorized to perform this operation on resource: %",
       "User: arn:aws:iam::111122223333:root is not authorized to perform this operation on resource: %"},
      {"arn:aws:dynamodb:us-east-1:111122223333:table/music", "",
       "Requested resource not found: ResourcArn: % not found",
       "Requested resource not found: ResourcArn: % not found"},
  };
  for (const Case& c : cases) {
    // Expects the table, or the message with the ARN in place of its %.
    const auto expect = [&](const Result<std::string>& result, std::string message) {
      if (const size_t at = message.find('%'); at != std::string::npos) message.replace(at, 1, c.text);
      EXPECT_EQ(result.ok() ? *result : result.error().message(), message.empty() ? c.table : message) << c.text;
    };
    expect(TableNameOf(kIdentity, c.text), c.message);
    expect(TableNameOfArn(kIdentity, c.text), c.resource_message);
  }
}

}  // namespace
}  // namespace keyfold::engine
