#include "copy/plan.h"

#include <gtest/gtest.h>

namespace keyfold::copy {
namespace {

std::string Planned(const std::vector<std::string>& sources, const std::vector<std::string>& renames,
                    bool same_place = false) {
  const Result<Renames> parsed = ParseRenames(renames);
  if (!parsed.ok()) return parsed.error().message();
  const auto tables = PlanTables(sources, *parsed, same_place);
  if (!tables.ok()) return tables.error().message();
  std::string text;
  for (const TablePlan& table : *tables) text += table.source + ">" + table.target + " ";
  return text;
}

TEST(CopyPlan, TablesUnderTheirNewNames) {
  EXPECT_EQ(Planned({"a", "b"}, {}), "a>a b>b ");
  EXPECT_EQ(Planned({"a", "b"}, {"b=c"}), "a>a b>c ");
  EXPECT_EQ(Planned({"a", "b"}, {"a=b", "b=a"}), "a>b b>a ");
  EXPECT_EQ(Planned({"a", "b"}, {"a=b", "b=a"}, true), "a>b b>a ");
  EXPECT_EQ(Planned({}, {}), "");
}

TEST(CopyPlan, RefusesContradictoryPlans) {
  for (const char* bad : {"a", "=b", "a=", "="}) {
    EXPECT_EQ(Planned({"a"}, {bad}), std::string("--rename takes OLD=NEW, not ") + bad);
  }
  EXPECT_EQ(Planned({"a"}, {"a=b", "a=c"}), "--rename names a twice");
  EXPECT_EQ(Planned({"a"}, {"b=c"}), "--rename names b, which is not copied");
  EXPECT_EQ(Planned({"a", "a"}, {}), "a is named twice");
  EXPECT_EQ(Planned({"a/b"}, {}), "a/b is not a valid table name");
  EXPECT_EQ(Planned({"a"}, {"a=x=y"}), "x=y is not a valid table name");
  EXPECT_EQ(Planned({"a", "b"}, {"a=b"}), "two tables would be named b");
  EXPECT_EQ(Planned({"a"}, {}, true),
            "a would be copied to itself: give another endpoint with --to, or another name with --rename");
}

TEST(CopyPlan, SegmentsBySizeAndThreads) {
  constexpr uint64_t kGb = uint64_t{1} << 30;
  struct Row {
    uint64_t bytes;
    uint32_t threads, segments;
  };
  const Row rows[] = {{0, 1, 8},   {kGb, 8, 8},         {2 * kGb + 1, 8, 9},
                      {0, 32, 32}, {100 * kGb, 8, 400}, {uint64_t{1} << 60, 8, 4096}};
  for (const Row& row : rows) EXPECT_EQ(SegmentsFor(row.bytes, row.threads), row.segments) << row.bytes;
}

}  // namespace
}  // namespace keyfold::copy
