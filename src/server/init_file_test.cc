// --init: what a file creates, what it leaves unchanged, and that a faulty one leaves nothing.
#include "server/init_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "embedded/embedded_database.h"

namespace keyfold::server {
namespace {

constexpr Micros kNow = 1'700'000'000'000'000;

std::string TableRequest(const std::string& name) {
  return R"({"TableName":")" + name +
         R"(","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],)"
         R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST","DeletionProtectionEnabled":true})";
}

class InitFile : public ::testing::Test {
 protected:
  InitFile() : path_(std::filesystem::temp_directory_path() / ("keyfold-init-test-" + std::to_string(getpid()))) {}
  ~InitFile() override { std::filesystem::remove(path_); }

  std::string Load(const std::string& text) {
    std::ofstream(path_, std::ios::trunc) << text;
    return LoadFrom(path_);
  }
  // Returns the error; empty on success.
  std::string LoadFrom(const std::string& path) {
    const Status status = LoadInitFile(path, database_->caller());
    return status.ok() ? "" : status.message();
  }
  std::vector<std::string> Tables() const {
    std::vector<std::string> names;
    for (const auto& [name, table] : database_->catalog()->tables) names.push_back(name);
    return names;
  }
  int64_t RowsOf(const std::string& table) const {
    return database_->store().ReadTally(database_->catalog()->Find(table)->id, store::kBaseTable).rows;
  }

  const std::filesystem::path path_;
  const ManualClock clock_{kNow};
  const std::unique_ptr<embedded::EmbeddedDatabase> database_ = embedded::EmbeddedDatabase::InMemory(clock_, 1);
};

TEST_F(InitFile, CreatesTablesAndItems) {
  const std::string text = R"({"tables":[)" + TableRequest("one") + "," + TableRequest("two") +
                           R"(],"items":{"one":[{"pk":{"S":"a"}},{"pk":{"S":"b"}}],"two":[]}})";
  EXPECT_EQ(Load(text), "");
  EXPECT_EQ(Tables(), (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(RowsOf("one"), 2);
  EXPECT_EQ(RowsOf("two"), 0);
}

TEST_F(InitFile, LeavesATableThatExistsAlone) {
  EXPECT_EQ(Load(R"({"tables":[)" + TableRequest("one") + R"(],"items":{"one":[{"pk":{"S":"a"}}]}})"), "");
  const store::TableId id = database_->catalog()->Find("one")->id;
  EXPECT_EQ(Load(R"({"tables":[)" + TableRequest("one") + "," + TableRequest("two") +
                 R"(],"items":{"one":[{"pk":{"S":"b"}}],"two":[{"pk":{"S":"c"}}]}})"),
            "");
  EXPECT_EQ(database_->catalog()->Find("one")->id, id);
  EXPECT_EQ(RowsOf("one"), 1);
  EXPECT_EQ(RowsOf("two"), 1);
}

TEST_F(InitFile, BothMembersAreOptional) {
  EXPECT_EQ(Load("{}"), "");
  EXPECT_EQ(Load(R"({"tables":[)" + TableRequest("one") + "]}"), "");
  EXPECT_EQ(Load(R"({"items":{"one":[{"pk":{"S":"a"}}]}})"), "");
  EXPECT_EQ(RowsOf("one"), 0) << "the table was there before";
}

TEST_F(InitFile, FaultsNameTheFileAndLeaveNothing) {
  const std::string tables = R"("tables":[)" + TableRequest("one") + "]";
  const std::pair<std::string, const char*> rows[] = {
      {"", "cannot be read"},
      {"{", " is not a JSON object"},
      {"[]", " is not a JSON object"},
      {R"({"tabels":[]})", ": \"tabels\" is neither \"tables\" nor \"items\""},  // init-member
      {R"({"tables":{}})", ": \"tables\" is not a list"},
      {R"({"tables":[5]})", "a table has no TableName"},
      {R"({"tables":[{"TableName":7}]})", "TableName"},
      {R"({"tables":[)" + TableRequest("one") + R"(,{"TableName":"two"}]})", "table two: "},
      {"{" + tables + R"(,"items":[]})", ": \"items\" is not an object of lists"},
      {"{" + tables + R"(,"items":{"two":[]}})", "items for two, which is not a table"},
      {"{" + tables + R"(,"items":{"one":{}}})", "the items of one are not a list"},
      {"{" + tables + R"(,"items":{"one":[{"pk":{"S":"a"}},"b"]}})", "an item of one is not an object"},
      {"{" + tables + R"(,"items":{"one":[{"pk":{"S":"a"}},{"pk":{"N":"1"}}]}})", "an item of one: "},
      {"{" + tables + R"(,"items":{"one":[{"pk":{"S":"a"},"n":{"N":"x"}}]}})", "an item of one: "},
      {"{" + tables + R"(,"items":{"one":[{"pk":"a"}]}})", "an item of one: "},
  };
  for (const auto& [text, part] : rows) {
    SCOPED_TRACE(text);
    const std::string error = Load(text);
    EXPECT_NE(error.find(part), std::string::npos) << error;
    EXPECT_EQ(error.find(path_.string()), 0u) << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
    EXPECT_EQ(Tables(), std::vector<std::string>());
  }
}

TEST_F(InitFile, MissingFile) {
  const std::string error = LoadFrom(path_.string() + ".none");
  EXPECT_EQ(error, path_.string() + ".none cannot be read, or is empty");
}

TEST_F(InitFile, TheNextStartLoadsTheCorrectedFile) {
  const std::string tables = R"({"tables":[)" + TableRequest("one") + R"(],"items":{"one":)";
  EXPECT_NE(Load(tables + R"([{"pk":{"S":"a"}},{}]}})"), "");
  EXPECT_EQ(Load(tables + R"([{"pk":{"S":"a"}},{"pk":{"S":"b"}}]}})"), "");
  EXPECT_EQ(RowsOf("one"), 2);
}

}  // namespace
}  // namespace keyfold::server
