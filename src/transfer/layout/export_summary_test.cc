#include "transfer/layout/export_summary.h"

#include <gtest/gtest.h>

#include "transfer/layout/export.h"

namespace keyfold::transfer {
namespace {

ExportSummary Full(Micros time, std::string table = "t") {
  ExportSummary summary;
  summary.name = "full";
  summary.table_id = std::move(table);
  summary.time = time;
  return summary;
}

// Named by its start and end in hours.
ExportSummary Changes(Micros from, Micros to, std::string table = "t") {
  ExportSummary summary = Full(to, std::move(table));
  summary.name = std::to_string(from / kHour) + "-" + std::to_string(to / kHour);
  summary.incremental = true;
  summary.from = from;
  return summary;
}

struct ChainCase {
  const char* what;
  std::optional<ExportSummary> full;
  std::vector<ExportSummary> increments;
  const char* message = "";  // empty if they follow each other
};
const ChainCase kChains[] = {
    {"no increments", Full(kHour), {}},
    {"no increments over an incremental one", Changes(0, kHour), {}},
    {"no gap", Full(kHour), {Changes(kHour, 2 * kHour), Changes(2 * kHour, 3 * kHour)}},
    {"from the second of the full one", Full(kHour + 789'000), {Changes(kHour, 2 * kHour)}},
    {"over other files", std::nullopt, {Changes(9 * kHour, 10 * kHour), Changes(10 * kHour, 11 * kHour)}},
    {"a gap after the full one",
     Full(kHour),
     {Changes(kHour + 1000, 2 * kHour)},
     "1-2 begins at 1970-01-01T01:00:00.001000Z, but full ends at 1970-01-01T01:00:00Z: changes in between would be "
     "missing"},
    {"a gap between increments",
     std::nullopt,
     {Changes(kHour, 2 * kHour), Changes(3 * kHour, 4 * kHour)},
     "3-4 begins at 1970-01-01T03:00:00Z, but 1-2 ends at 1970-01-01T02:00:00Z: changes in between would be missing"},
    {"from before the full one",
     Full(kHour),
     {Changes(0, 2 * kHour)},
     "0-2 begins at 1970-01-01T00:00:00Z, but full ends at 1970-01-01T01:00:00Z: items created in between and "
     "deleted since would reappear"},
    {"an overlap of increments",
     Full(0),
     {Changes(0, 2 * kHour), Changes(kHour, 3 * kHour)},
     "1-3 begins at 1970-01-01T01:00:00Z, but 0-2 ends at 1970-01-01T02:00:00Z: items created in between and "
     "deleted since would reappear"},
    // Its changes may be older than the items of the full export.
    {"one that ends with the full one",
     Full(kHour),
     {Changes(0, kHour)},
     "0-1 ends at 1970-01-01T01:00:00Z, but full ends at 1970-01-01T01:00:00Z: increments must be in chronological "
     "order"},
    {"the wrong order",
     Full(kHour),
     {Changes(kHour, 3 * kHour), Changes(kHour, 2 * kHour)},
     "1-2 ends at 1970-01-01T02:00:00Z, but 1-3 ends at 1970-01-01T03:00:00Z: increments must be in chronological "
     "order"},
    {"the same twice",
     Full(kHour),
     {Changes(kHour, 2 * kHour), Changes(kHour, 2 * kHour)},
     "1-2 ends at 1970-01-01T02:00:00Z, but 1-2 ends at 1970-01-01T02:00:00Z: increments must be in chronological "
     "order"},
    {"another table",
     Full(kHour),
     {Changes(kHour, 2 * kHour, "u")},
     "1-2 and full are of different tables: their tableId differs"},
    {"another table after an increment",
     Full(kHour),
     {Changes(kHour, 2 * kHour), Changes(2 * kHour, 3 * kHour, "u")},
     "2-3 and 1-2 are of different tables: their tableId differs"},
    {"a full one as an increment",
     Full(kHour),
     {Full(2 * kHour)},
     "full is not an incremental export, but an increment must be one"},
    {"a full one as an increment over files that are not an export",
     std::nullopt,
     {Full(2 * kHour)},
     "full is not an incremental export, but an increment must be one"},
    {"a full one after an increment",
     std::nullopt,
     {Changes(kHour, 2 * kHour), Full(3 * kHour)},
     "full is not an incremental export, but an increment must be one"},
    {"over an incremental one",
     Changes(0, kHour),
     {Changes(kHour, 2 * kHour)},
     "0-1 is an incremental export, but increments apply to a full one"},
};

TEST(ExportSummary, IncrementsFollowEachOther) {
  for (const ChainCase& c : kChains) {
    const Status follow = IncrementsFollow(c.full, c.increments);
    EXPECT_EQ(follow.ok() ? "" : follow.message(), c.message) << c.what;
  }
}

// "incremental of t from 1 to 2 in ION", in microseconds.
std::string DescribeSummary(const std::optional<ExportSummary>& summary) {
  if (!summary) return "none";
  const std::string format(summary->format ? NameOf(*summary->format) : "another");
  return (summary->incremental ? "incremental" : "full") + (" of " + summary->table_id) + " from " +
         std::to_string(summary->from) + " to " + std::to_string(summary->time) + " in " + format;
}

struct TextCase {
  std::string text;
  const char* reported;
};

TEST(ExportSummary, IsReadAsItIsWritten) {
  Export full;
  full.table_uuid = "t";
  full.time = 1'234'567;
  Export changes = full;
  changes.order.kind = ExportOrder::Kind::kIncremental;
  changes.order.period = ExportPeriod{};
  changes.order.format = DataFormat::kIon;
  changes.from = 1'000'999;
  const TextCase cases[] = {
      {SummaryManifest(full, {}), "full of t from 0 to 1234000 in DYNAMODB_JSON"},
      {SummaryManifest(changes, {}), "incremental of t from 1000000 to 1234000 in ION"},
      {R"({"tableId":"t","exportTime":"1970-01-01T00:00:01Z","exportType":"FULL_EXPORT"})",
       "full of t from 0 to 1000000 in another"},
      {R"({"exportTime":"1970-01-01T00:00:01.5Z","outputFormat":"PARQUET"})", "full of  from 0 to 1500000 in another"},
      {R"({"exportTime":"yesterday"})", "none"},
      {R"({"exportTime":1})", "none"},
      {R"({"exportType":"INCREMENTAL_EXPORT","exportToTime":"1970-01-01T00:00:01Z"})", "none"},
      {R"({"exportType":"INCREMENTAL_EXPORT","exportFromTime":"1970-01-01T00:00:01Z"})", "none"},
      {"{}", "none"},
      {"[]", "none"},
      {"", "none"},
      {"{", "none"},
  };
  for (const TextCase& c : cases) EXPECT_EQ(DescribeSummary(ReadExportSummary("n", c.text)), c.reported) << c.text;
}

}  // namespace
}  // namespace keyfold::transfer
