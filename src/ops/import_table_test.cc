// ImportTable, DescribeImport and ListImports: what they refuse, and their responses before and after the work.
#include <gtest/gtest.h>

#include <filesystem>

#include "ops/handlers.h"
#include "testing/engine/test_database.h"
#include "testing/files/folder.h"
#include "transfer/import/import_jobs.h"

namespace keyfold::ops {
namespace {

constexpr const char* kRequest =
    R"({"ClientToken":"t","S3BucketSource":{"S3Bucket":"bucket","S3KeyPrefix":"in/","S3BucketOwner":"123456789012"},)"
    R"("InputFormat":"CSV","InputFormatOptions":{"Csv":{"Delimiter":";","HeaderList":["p","x"]}},)"
    R"("TableCreationParameters":{"TableName":"small","BillingMode":"PAY_PER_REQUEST",)"
    R"("AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"},{"AttributeName":"x","AttributeType":"N"}],)"
    R"("KeySchema":[{"AttributeName":"p","KeyType":"HASH"}],"GlobalSecondaryIndexes":[{"IndexName":"by-x",)"
    R"("KeySchema":[{"AttributeName":"x","KeyType":"HASH"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}]}})";

class ImportOperations : public testing::Test {
 protected:
  ImportOperations() {
    std::filesystem::create_directories(root.path() + "/bucket/in");
    transfer::BucketSettings buckets;
    buckets.root = root.path();
    imports =
        *transfer::ImportJobs::Open(database.db(), database.lifecycle(), identity, buckets, scratch.folder(), 5, jobs);
    gate = auth::Gate::OpenLocal(identity.account);
  }

  // The response's JSON, or the error's message.
  std::string Ask(OperationHandler handler, const std::string& request) {
    const Service service{database.db(), database.lifecycle(), identity, nullptr, nullptr, imports.get()};
    const auth::Authenticated caller = gate->Self();
    store::Horizon horizon;
    Call call{service, caller, "localhost:8000", {horizon}, {}};
    std::string answer;
    json::Writer writer(answer);
    json::Parser parser;
    const std::optional<json::Value> json = parser.Parse(request);
    CHECK(json.has_value());
    const Status status = handler(call, *json, writer);
    return status.ok() ? answer : status.message();
  }
  static std::string With(std::string_view part, std::string_view other) {
    std::string request = kRequest;
    const size_t at = request.find(part);
    CHECK(at != std::string::npos);
    return request.replace(at, part.size(), other);
  }
  static std::string Member(const std::string& answer, std::string_view name) {
    const std::string key = '"' + std::string(name) + "\":\"";
    const size_t start = answer.find(key) + key.size();
    return answer.substr(start, answer.find('"', start) - start);
  }
  static bool Has(const std::string& answer, std::string_view part) { return answer.find(part) != std::string::npos; }

  engine::DatabaseForTest database;
  const engine::Identity identity;
  const files::FolderForTest root, scratch;
  engine::Jobs jobs;
  std::unique_ptr<transfer::ImportJobs> imports;
  std::unique_ptr<auth::Gate> gate;
};

struct Refusal {
  std::string_view part, other;  // text in the request, and its replacement
  std::string_view message;      // part of the error message
};

constexpr Refusal kRefusals[] = {
    {R"("ClientToken":"t",)", "", "Value null at 'clientToken' failed to satisfy constraint: Member must not be null"},
    {R"("ClientToken":"t")", R"("ClientToken":"")", "'clientToken' failed to satisfy constraint"},
    {R"("ClientToken":"t")", R"("ClientToken":"a$")", "'clientToken' failed to satisfy constraint"},
    {R"("CSV")", R"("XML")", "'inputFormat' failed to satisfy constraint"},
    {R"("InputFormat":"CSV",)", R"("InputFormat":"CSV","InputCompressionType":"BZIP2",)",
     "'inputCompressionType' failed to satisfy constraint"},
    {R"("CSV")", R"("DYNAMODB_JSON")", "InputFormatOptions must not be specified when InputFormat is DYNAMODB_JSON"},
    {R"("CSV")", R"("ION")", "InputFormatOptions must not be specified when InputFormat is ION"},
    {R"("bucket")", R"("-nope!")", "'s3BucketSource.s3Bucket' failed to satisfy constraint"},
    {R"("small")", R"("not a table name!")", "'tableCreationParameters.tableName' failed to satisfy constraint"},
    // CreateTable's own rules.
    {R"("PAY_PER_REQUEST")", R"("PROVISIONED")",
     "One or more parameter values were invalid: ReadCapacityUnits and WriteCapacityUnits must both be specified when "
     "BillingMode is PROVISIONED"},
    {R"({"AttributeName":"p","AttributeType":"S"},)", R"({"AttributeName":"q","AttributeType":"S"},)",
     "Some index key attributes are not defined in AttributeDefinitions"},
    {R"("ProjectionType":"KEYS_ONLY")", R"("NonKeyAttributes":["a"])", "Unknown ProjectionType: null"},
};

TEST_F(ImportOperations, Refusals) {
  for (const Refusal& refusal : kRefusals) {
    const std::string answer = Ask(ImportTable, With(refusal.part, refusal.other));
    EXPECT_TRUE(Has(answer, refusal.message)) << answer;
  }
  EXPECT_TRUE(transfer::AllImports(*database.catalog().Current()).empty());
  EXPECT_FALSE(database.Find("small"));
}

TEST_F(ImportOperations, ResponsesBeforeAndAfterTheWork) {
  root.Write("bucket/in/1.csv", "a;1\nb;2\n");
  const std::string begun = Ask(ImportTable, kRequest);
  const std::string arn = Member(begun, "ImportArn"), table_id = Member(begun, "TableId");
  EXPECT_TRUE(arn.starts_with("arn:aws:dynamodb:us-east-1:123456789012:table/small/import/0170")) << arn;
  const std::string order =
      R"("ClientToken":"t","InputFormatOptions":{"Csv":{"Delimiter":";","HeaderList":["p","x"]}},)"
      R"("InputCompressionType":"NONE","TableCreationParameters":{"TableName":"small",)"
      R"("AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"},{"AttributeName":"x","AttributeType":"N"}],)"
      R"("KeySchema":[{"AttributeName":"p","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST",)"
      R"("GlobalSecondaryIndexes":[{"IndexName":"by-x","KeySchema":[{"AttributeName":"x","KeyType":"HASH"}],)"
      R"("Projection":{"ProjectionType":"KEYS_ONLY"}}]})";
  const auto summary = [&](std::string_view status, std::string_view end) {
    return R"("ImportArn":")" + arn + R"(","ImportStatus":")" + std::string(status) +
           R"(","TableArn":"arn:aws:dynamodb:us-east-1:123456789012:table/small","S3BucketSource":)"
           R"({"S3BucketOwner":"123456789012","S3Bucket":"bucket","S3KeyPrefix":"in/"},"CloudWatchLogGroupArn":)"
           R"("arn:aws:logs:us-east-1:123456789012:log-group:/aws-dynamodb/imports:*","InputFormat":"CSV",)"
           R"("StartTime":1700000000.000)" +
           std::string(end);
  };
  EXPECT_EQ(begun, R"({"ImportTableDescription":{)" + summary("IN_PROGRESS", "") + R"(,"TableId":")" + table_id +
                       R"(",)" + order + R"(,"ErrorCount":0,"ProcessedItemCount":0,"ImportedItemCount":0}})");
  const std::string by_arn = R"({"ImportArn":")" + arn + R"("})";
  EXPECT_EQ(Ask(DescribeImport, by_arn), begun);
  EXPECT_EQ(Ask(ListImports, "{}"), R"({"ImportSummaryList":[{)" + summary("IN_PROGRESS", "") + "}]}");

  while (imports->WorkOnce()) {
  }
  EXPECT_EQ(Ask(DescribeImport, by_arn),
            R"({"ImportTableDescription":{)" + summary("COMPLETED", R"(,"EndTime":1700000000.000)") +
                R"(,"TableId":")" + table_id + R"(",)" + order +
                R"(,"ErrorCount":0,"ProcessedItemCount":2,"ImportedItemCount":2,"ProcessedSizeBytes":8}})");
  EXPECT_EQ(Ask(ListImports, "{}"),
            R"({"ImportSummaryList":[{)" + summary("COMPLETED", R"(,"EndTime":1700000000.000)") + "}]}");
  EXPECT_EQ(database.Find("small")->uuid, table_id);
  EXPECT_EQ(database.Get("small", "{p='b'}"), "{p='b', x=2}");
  EXPECT_EQ(Ask(ImportTable, kRequest), "Table already exists: small");
}

TEST_F(ImportOperations, AFailureIsReported) {
  const std::string arn = Member(Ask(ImportTable, With(R"("bucket")", R"("nowhere")")), "ImportArn");
  while (imports->WorkOnce()) {
  }
  const std::string answer = Ask(DescribeImport, R"({"ImportArn":")" + arn + R"("})");
  EXPECT_EQ(Member(answer, "ImportStatus"), "FAILED");
  EXPECT_EQ(Member(answer, "FailureCode"), "S3NoSuchBucket");
  EXPECT_TRUE(Has(Member(answer, "FailureMessage"), "The specified bucket does not exist")) << answer;
  EXPECT_FALSE(database.Find("small"));
}

struct ArnCase {
  const char* arn;
  const char* message;
};
constexpr ArnCase kArns[] = {
    {"arn:aws:dynamodb:us-east-1:123456789012:table/small/import/01658528578619-c4d4e311",
     "Import not found: arn:aws:dynamodb:us-east-1:123456789012:table/small/import/01658528578619-c4d4e311"},
    {"arn:aws:dynamodb:us-east-1:123456789012:table/x/import/01658528578619-c4d4e311", "Invalid Import ARN"},
    {"arn:aws:dynamodb:us-east-1:123456789012:table/small/export/01658528578619-c4d4e311", "Invalid Import ARN"},
    {"no arn, but as long as one of them has to be", "Invalid Import ARN"},
};

TEST_F(ImportOperations, InvalidArns) {
  for (const ArnCase& c : kArns) {
    EXPECT_EQ(Ask(DescribeImport, R"({"ImportArn":")" + std::string(c.arn) + R"("})"), c.message) << c.arn;
  }
}

TEST_F(ImportOperations, PagesOfTheList) {
  std::vector<std::string> arns;
  for (const char* table : {"small1", "small2", "small3", "small4", "small5"}) {
    std::string request = With(R"("small")", '"' + std::string(table) + '"');
    request.replace(request.find(R"("t")"), 3, '"' + std::string(table) + '"');
    arns.push_back(Member(Ask(ImportTable, request), "ImportArn"));
  }
  std::vector<std::string> listed;
  std::string token;
  do {
    const std::string page =
        Ask(ListImports, token.empty() ? R"({"PageSize":2})" : R"({"PageSize":2,"NextToken":")" + token + R"("})");
    for (size_t at = 0; (at = page.find("\"ImportArn\"", at)) != std::string::npos; ++at) {
      listed.push_back(Member(page.substr(at), "ImportArn"));
    }
    token = Has(page, "NextToken") ? Member(page, "NextToken") : "";
    EXPECT_TRUE(token.empty() || (token.size() >= 112 && token.size() % 16 == 0)) << token;
  } while (!token.empty());
  EXPECT_EQ(listed, std::vector<std::string>(arns.rbegin(), arns.rend()));

  const std::string of_one = Ask(ListImports, R"({"TableArn":"arn:aws:dynamodb:us-east-1:123456789012:table/small3"})");
  EXPECT_EQ(Member(of_one, "ImportArn"), arns[2]);
  EXPECT_FALSE(Has(of_one, arns[1]) || Has(of_one, arns[3]));
  const std::string zeros(112, '0');
  EXPECT_EQ(Ask(ListImports, R"({"NextToken":")" + zeros + R"("})"),
            "Invalid Request: Provided nextToken is invalid: " + zeros);

  while (imports->WorkOnce()) {
  }
  database.clock.Advance(Micros{90} * 24 * 3600 * 1'000'000);
  EXPECT_EQ(Ask(ListImports, "{}"), R"({"ImportSummaryList":[]})") << "of 90 days";
}

}  // namespace
}  // namespace keyfold::ops
