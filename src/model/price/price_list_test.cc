#include "model/price/price_list.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "model/price/price_file.h"
#include "testing/base/repository.h"

namespace keyfold::model {
namespace {

std::string SampleList() {
  std::ifstream in(RepositoryPath("tests/model/plan/price_list.json"), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string Replaced(std::string text, std::string_view what, std::string_view by) {
  const size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

TEST(PriceList, BecomesAPriceFile) {
  const Result<std::string> converted = ConvertPriceList(SampleList());
  ASSERT_TRUE(converted.ok()) << converted.error().message();
  const Result<PriceFile> read = ReadPriceFile("p.json", *converted);
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read->region, "eu-central-1");
  EXPECT_EQ(read->offer_version, "20261030120000");
  EXPECT_EQ(read->published, "2026-10-30");
  EXPECT_EQ(read->effective, "2026-10-01");  // the latest price that a plan can use
  EXPECT_EQ(read->Date(), "2026-10-30");
  EXPECT_EQ(read->source_url,
            "https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/AmazonDynamoDB/current/eu-central-1/index.json");
  EXPECT_DOUBLE_EQ(*read->UnitPrice("WriteRequestUnits"), 0.7625e-6);
  EXPECT_DOUBLE_EQ(*read->UnitPrice("ReadRequestUnits"), 0.1525e-6);
  EXPECT_DOUBLE_EQ(*read->UnitPrice("IA-WriteRequestUnits"), 0.95e-6);
  EXPECT_DOUBLE_EQ(*read->Charge("WriteCapacityUnit-Hrs", 20000, true), 1400 * 0.000793);
  EXPECT_DOUBLE_EQ(*read->Charge("TimedStorage-ByteHrs", 30, false), 30 * 0.306);
  EXPECT_DOUBLE_EQ(*read->TermPrice("HeavyUsage:dynamodb.write", "1yr", "Quantity"), 1.83);
  EXPECT_DOUBLE_EQ(*read->TermPrice("HeavyUsage:dynamodb.write", "1yr", "WriteCapacityUnit-Hrs"), 0.000156);
  EXPECT_EQ(read->rows.size(), 9u);  // without what no plan uses
}

TEST(PriceList, RefusesOtherFiles) {
  const std::string good = SampleList();
  const struct {
    std::string text;
    const char* message;
  } kRows[] = {
      {"nonsense", "it is not AWS's price list, which is a JSON object"},
      {"{}", "offerCode is missing, or has another form than in AWS's price list"},
      {Replaced(good, "\"AmazonDynamoDB\",\n \"version\"", "\"AmazonS3\",\n \"version\""),
       "it is not AWS's price list of DynamoDB: offerCode is AmazonS3, not AmazonDynamoDB"},
      {Replaced(good, "v1.0", "v2.0"), "it is not AWS's price list of DynamoDB: formatVersion is v2.0, not v1.0"},
      {Replaced(good, "publicationDate", "date"),
       "publicationDate is missing, or has another form than in AWS's price list"},
      {Replaced(good, "\"products\"", "\"things\""),
       "products is missing, or has another form than in AWS's price list"},
      {Replaced(good, "EUC1-WriteRequestUnits", "EUC1-Writes"), "it has no price of on-demand writes"},
      {Replaced(good, "EUC1-ReadRequestUnits", "EUC1-Reads"), "rows has no price for ReadRequestUnits"},
      {Replaced(Replaced(good, "EUC1-SomethingNewer", "EUW1-WriteRequestUnits"), "\"regionCode\": \"eu-central-1\"",
                "\"regionCode\": \"eu-west-1\""),
       "it has the prices of eu-west-1 and of eu-central-1; download the price list of one Region"},
      {Replaced(good, "\"USD\": \"0.0000007625\"", "\"CNY\": \"0.0000007625\""),
       "the price of WriteRequestUnits is not in USD"},
      {Replaced(good, "0.0000007625", "cheap"),
       "the price of WriteRequestUnits is missing, or has another form than in AWS's price list"},
      {Replaced(good, "\"endRange\": \"18600\"", "\"endRange\": \"many\""),
       "the range of WriteCapacityUnit-Hrs is missing, or has another form than in AWS's price list"},
  };
  for (const auto& row : kRows) {
    const Result<std::string> converted = ConvertPriceList(row.text);
    ASSERT_FALSE(converted.ok()) << row.message;
    EXPECT_EQ(converted.error().message(), row.message);
  }
}

}  // namespace
}  // namespace keyfold::model
