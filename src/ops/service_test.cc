// Operations of a server that lacks what they need: a folder to work in, background threads, time.
#include <gtest/gtest.h>

#include "ops/handlers.h"
#include "testing/engine/test_database.h"
#include "wire/target.h"

namespace keyfold::ops {
namespace {

class ServiceTest : public testing::Test {
 protected:
  ServiceTest() {
    gate_ = auth::Gate::OpenLocal(identity_.account);
    database_.Create(engine::TableOfText("small", "p:S"));
  }

  // The answer's JSON, or the error's message. Nothing of the service is there but the database.
  std::string Ask(OperationHandler handler, const std::string& request, Pace* pace = nullptr) {
    const Service service{database_.db(), database_.lifecycle(), identity_};
    const auth::Authenticated caller = gate_->Self();
    store::Horizon horizon;
    Call call{service, caller, "localhost:8000", {{horizon, store::Wait::kAllowed, pace}}, {}};
    std::string answer;
    json::Writer writer(answer);
    json::Parser parser;
    const std::optional<json::Value> json = parser.Parse(request);
    CHECK(json.has_value());
    const Status status = handler(call, *json, writer);
    return status.ok() ? answer : status.message();
  }

  engine::DatabaseForTest database_;
  const engine::Identity identity_ = {};
  std::unique_ptr<auth::Gate> gate_;
};

TEST_F(ServiceTest, WithoutAFolder) {
  EXPECT_EQ(Ask(CreateBackup, R"({"TableName":"small","BackupName":"abc"})"),
            "Backups need a folder, but this server has no writable one");
  EXPECT_EQ(Ask(ExportTableToPointInTime,
                R"({"TableArn":"arn:aws:dynamodb:us-east-1:123456789012:table/small","S3Bucket":"bucket"})"),
            "Exports need a folder, but this server has no writable one");
  EXPECT_EQ(Ask(ImportTable, R"({"ClientToken":"t","S3BucketSource":{"S3Bucket":"bucket"},"InputFormat":"ION",)"
                             R"("TableCreationParameters":{"TableName":"new","BillingMode":"PAY_PER_REQUEST",)"
                             R"("AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"}],)"
                             R"("KeySchema":[{"AttributeName":"p","KeyType":"HASH"}]}})"),
            "Imports need a folder, but this server has no writable one");
}

TEST_F(ServiceTest, WithoutBackgroundThreads) {
  EXPECT_EQ(Ask(StartVerification, "{}"), "This server has no background threads");
}

// Clients choose a request's target by these names.
TEST(KeyfoldOperations, AreThoseOfTheTable) {
  for (const Operation& operation : Operations()) {
    EXPECT_EQ(wire::IsKeyfoldOperation(operation.name), operation.api == Api::kKeyfold) << operation.name;
  }
  for (const std::string_view name : wire::kKeyfoldOperations) EXPECT_NE(FindOperation(name), nullptr) << name;
}

// Takes turns with nobody.
class Alone final : public Turns {
 public:
  void GiveWay() override {}
  bool stopping() const override { return false; }
};

TEST_F(ServiceTest, ABatchOfStatementsThatTookTooLong) {
  const std::string batch = R"({"Statements":[{"Statement":"SELECT * FROM small WHERE p = 'a'"}]})";
  Alone turns;
  Pace fresh = Pace::InTurns(turns), spent = Pace::InTurns(turns);
  EXPECT_EQ(Ask(BatchExecuteStatement, batch, &fresh), R"({"Responses":[{"TableName":"small"}]})");
  spent.Spend(uint64_t{1} << 32);
  EXPECT_EQ(Ask(BatchExecuteStatement, batch, &spent),
            R"({"Responses":[{"Error":{"Code":"ThrottlingError","Message":"The statements before this one took too )"
            R"(long. Send this one in another request."},"TableName":"small"}]})");
}

}  // namespace
}  // namespace keyfold::ops
