#include "model/price/price_file.h"

#include <gtest/gtest.h>

#include "model/core/calendar.h"

namespace keyfold::model {
namespace {

std::string FileText(const std::string& rows, const std::string& more = "") {
  return R"({"retrieved": "2026-01-01", "region": "us-east-1", )" + more + R"("rows": [
      {"usage_type": "WriteRequestUnits", "unit": "u", "from": 0, "to": null, "usd": 0.000001},
      {"usage_type": "ReadRequestUnits", "unit": "u", "from": 0, "to": null, "usd": 0.0000001},
      {"usage_type": "TimedStorage-ByteHrs", "unit": "GB-Mo", "from": 25, "to": null, "usd": 0.25},
      {"usage_type": "TimedStorage-ByteHrs", "unit": "GB-Mo", "from": 0, "to": 25, "usd": 0})" +
         rows + "]}";
}

PriceFile Read(const std::string& text) {
  Result<PriceFile> read = ReadPriceFile("p.json", text);
  EXPECT_TRUE(read.ok()) << (read.ok() ? "" : read.error().message());
  return read.ok() ? *std::move(read) : PriceFile();
}

TEST(PriceFile, ChargesByBands) {
  const PriceFile file = Read(FileText(R"(,
      {"usage_type": "T", "unit": "x", "from": 0, "to": 10, "usd": 2},
      {"usage_type": "T", "unit": "x", "from": 10, "to": null, "usd": 1},
      {"usage_type": "D", "unit": "x", "from": 0, "to": null, "usd": 2, "discount": 0.25},
      {"usage_type": "R", "term": "1yr", "unit": "Quantity", "usd": 150})"));
  const struct {
    const char* usage_type;
    double quantity;
    bool free_tier;
    std::optional<double> usd;
  } kRows[] = {
      {"T", 4, false, 8},
      {"T", 10, false, 20},
      {"T", 15, false, 25},
      {"D", 2, false, 3},
      {"TimedStorage-ByteHrs", 30, true, 1.25},
      {"TimedStorage-ByteHrs", 20, true, 0},
      {"TimedStorage-ByteHrs", 30, false, 7.5},
      {"TimedStorage-ByteHrs", 20, false, 5},
      {"R", 1, false, std::nullopt},  // its row has a term
      {"none", 1, false, std::nullopt},
  };
  for (const auto& row : kRows) {
    const std::optional<double> usd = file.Charge(row.usage_type, row.quantity, row.free_tier);
    ASSERT_EQ(usd.has_value(), row.usd.has_value()) << row.usage_type;
    EXPECT_DOUBLE_EQ(usd.value_or(0), row.usd.value_or(0)) << row.usage_type << ' ' << row.quantity;
  }
  EXPECT_DOUBLE_EQ(*file.UnitPrice("TimedStorage-ByteHrs"), 0.25);
  EXPECT_DOUBLE_EQ(*file.UnitPrice("D"), 1.5);
  EXPECT_DOUBLE_EQ(*file.TermPrice("R", "1yr", "Quantity"), 150);
}

TEST(PriceFile, RefusesWhatItDoesNotKnow) {
  const struct {
    std::string text;
    const char* message;
  } kRows[] = {
      {"nonsense", "it is not a JSON object"},
      {"[]", "it is not a JSON object"},
      {R"({"rows": []})", "retrieved, the date of these prices, is missing"},
      {R"({"retrieved": "yesterday"})", "retrieved is not a date like 2024-11-01"},
      {R"({"retrieved": "2026-01-01", "rows": []})", "rows has no price for WriteRequestUnits"},
      {FileText("", R"("speed": 1, )"), "there is no field speed in a price file"},
      {FileText("", R"("rules": {"page": 1}, )"), "there is no field page in rules"},
      {FileText("", R"("rules": {"page_bytes": 0}, )"), "page_bytes must be above zero"},
      {FileText("", R"("rules": {"page_bytes": "1 MB"}, )"), "page_bytes is not a number of zero or more"},
      {FileText("", R"("month_hours": 0, )"), "month_hours must be above zero"},
      {FileText(R"(, {"usd": 1})"), "usage_type of a row is missing"},
      {FileText(R"(, {"usage_type": "a", "usd": -1})"), "usd is not a number of zero or more"},
      {FileText(R"(, {"usage_type": "a", "discount": 2})"), "the discount of a is above 1"},
      {FileText(R"(, {"usage_type": "a", "from": 5, "to": 5})"), "a band of a ends at or before its start"},
  };
  for (const auto& row : kRows) {
    const Result<PriceFile> read = ReadPriceFile("p.json", row.text);
    ASSERT_FALSE(read.ok()) << row.text;
    EXPECT_EQ(read.error().message(), row.message);
  }
}

TEST(PriceFile, TakesRulesFromTheFile) {
  const PriceFile file = Read(FileText("", R"("month_hours": 720, "rules": {"index_transactional_factor": 2}, )"));
  EXPECT_DOUBLE_EQ(file.MonthSeconds(), 2592000);
  EXPECT_DOUBLE_EQ(file.rules.index_transactional_factor, 2);
  EXPECT_DOUBLE_EQ(file.rules.read_unit_bytes, 4096);
}

TEST(PriceFile, WarnsOfOldPrices) {
  PriceFile file = Read(FileText(""));
  file.source_url = "https://prices";
  EXPECT_EQ(AgeWarning(file, *EpochMillis("2026-06-30T00:00:00Z")), "");
  EXPECT_EQ(AgeWarning(file, *EpochMillis("2026-07-01T00:00:00Z")),
            "the prices in p.json are from 2026-01-01, 181 days ago; check them against https://prices");
  file.superseded = "2026-03-01";
  EXPECT_EQ(AgeWarning(file, *EpochMillis("2026-02-28T00:00:00Z")), "");
  EXPECT_EQ(AgeWarning(file, *EpochMillis("2026-03-01T00:00:00Z")),
            "the prices in p.json ended on 2026-03-01; newer prices have applied since");
}

TEST(EmbeddedPrices, AreCompleteAndReadable) {
  ASSERT_GE(AllEmbeddedPrices().size(), 2u);
  for (const EmbeddedPrices& one : AllEmbeddedPrices()) {
    const PriceFile file = Read(std::string(one.text));
    for (const char* usage : {"WriteCapacityUnit-Hrs", "ReadCapacityUnit-Hrs", "TimedPITRStorage-ByteHrs"}) {
      EXPECT_TRUE(file.UnitPrice(usage)) << one.name << ' ' << usage;
    }
  }
  EXPECT_DOUBLE_EQ(*BuiltInPrices("us-east-1")->UnitPrice("WriteRequestUnits"), 0.625e-6);
  EXPECT_FALSE(BuiltInPrices("eu-west-1").has_value());
}

}  // namespace
}  // namespace keyfold::model
