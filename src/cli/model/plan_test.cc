#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "cli/model/commands.h"
#include "testing/base/repository.h"
#include "testing/terminal/console.h"

namespace keyfold::cli {
namespace {

// Files for the duration of a test.
class ModelPlan : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }
  const std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) / ("plan-" + std::to_string(getpid()));
};

constexpr char kServed[] =
    "model: 1\ntable: {name: T, key: {pk: PK, sk: SK}}\nentities: {A: {keys: {PK: 'A#{id}', SK: A}, attributes: {id: "
    "string, x: string}}}\npatterns: {p: {get: A, by: [id], rps: {avg: 1}}}\n";
constexpr char kUnserved[] =
    "model: 1\ntable: {name: T, key: {pk: PK, sk: SK}}\nentities: {A: {keys: {PK: 'A#{id}', SK: A}, attributes: {id: "
    "string, x: string}}}\npatterns: {p: {get: A, by: [x], rps: {avg: 1}}}\n";

std::string EuropeanPrices() {
  terminal::TestConsole console;
  EXPECT_EQ(RunModelPrices({RepositoryPath("tests/model/plan/price_list.json")}, console.console()), 0);
  EXPECT_EQ(console.err(), "");
  return console.out();
}

TEST_F(ModelPlan, ExitsWithWhatItFound) {
  const std::string served = Write("served.yaml", kServed);
  const std::string unserved = Write("unserved.yaml", kUnserved);
  const std::string broken = Write("broken.yaml", "model: [");
  const std::string prices = Write("prices.json", "{\"rows\": 1}");
  std::string far = kServed;
  far.replace(far.find("name: T"), 7, "name: T, billing: {region: eu-central-1}");
  const std::string elsewhere = Write("elsewhere.yaml", far);
  const std::string european = Write("european.json", EuropeanPrices());
  const struct {
    Arguments arguments;
    int code;
    const char* out;
    const char* err;
  } kRows[] = {
      {{served}, 0, "GetItem", ""},
      {{served, "--format", "json"}, 0, "\"operation\":\"GetItem\"", ""},
      {{served, served, "--format", "json"}, 0, "{\"files\":[", ""},
      {{served, "--format", "html"}, 0, "<!doctype html>", ""},
      {{served, "--free-tier"}, 0, "with the free tier", ""},
      {{unserved}, 1, "not served", ""},
      {{unserved, "--format", "json"}, 1, "\"operation\":null", ""},
      {{served, unserved}, 1, "per month for 2 tables", ""},
      {{served, "--prices", RepositoryPath("prices/aws-us-east-1-2024-10.json")}, 0, "2024-10", "ended on 2024-11-01"},
      {{elsewhere}, 2, "", "there are no built-in prices for eu-central-1; make a price file"},
      {{elsewhere, "--prices", european}, 0, "published 2026-10-30", ""},
      {{served, "--prices", european},
       2,
       "",
       "are for eu-central-1, but the table is in us-east-1; pass the prices for"},
      {{served, elsewhere, "--prices", european}, 2, "", "served.yaml: the prices in"},
      {{broken}, 2, "", "broken.yaml:2:1: "},
      {{folder_ / "none.yaml"}, 2, "", "none.yaml"},
      {{served, "--prices", prices}, 2, "", "prices.json: rows is not an array"},
      {{served, "--format", "xml"}, 2, "", "--format"},
      {{}, 2, "", "FILE"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(::testing::PrintToString(row.arguments));
    terminal::TestConsole console;
    EXPECT_EQ(RunModelPlan(row.arguments, console.console()), row.code);
    EXPECT_NE(console.out().find(row.out), std::string::npos) << console.out();
    EXPECT_NE(console.err().find(row.err), std::string::npos) << console.err();
    if (row.code == 2) {
      EXPECT_EQ(console.out(), "");
    }
  }
}

TEST_F(ModelPlan, RefusesOtherPriceLists) {
  const struct {
    Arguments arguments;
    const char* err;
  } kRows[] = {
      {{Write("other.json", "{\"offerCode\":\"AmazonS3\"}")},
       "it is not AWS's price list of DynamoDB: offerCode is AmazonS3, not AmazonDynamoDB"},
      {{Write("list.json", "[1]")}, "list.json: it is not AWS's price list, which is a JSON object"},
      {{folder_ / "none.json"}, "none.json"},
      {{}, "FILE"},
  };
  for (const auto& row : kRows) {
    terminal::TestConsole console;
    EXPECT_EQ(RunModelPrices(row.arguments, console.console()), 2);
    EXPECT_EQ(console.out(), "");
    EXPECT_NE(console.err().find(row.err), std::string::npos) << console.err();
  }
}

}  // namespace
}  // namespace keyfold::cli
