// Index rows, tallies and units, from an item before and after.
#include "engine/items/index_rows.h"

#include <gtest/gtest.h>

#include "engine/items/key.h"
#include "testing/engine/test_database.h"

namespace keyfold::engine {
namespace {

// The result as text: "+g {row}" or "-g", then tallies as "g rows bytes" and units as "g units".
std::string DescribeUpdate(const Table& table, const IndexUpdate& result, const store::Changes& changes) {
  std::string rows, tallies, units;
  const auto name = [&](store::IndexId id) { return table.indexes[id - 1u].name; };
  const auto number = [](double v) { return std::to_string(static_cast<int64_t>(v)); };
  for (const auto& write : changes.writes) {
    rows += (write.put ? "+" : "-") + name(write.key.index()) + (write.put ? Print(ItemView(write.value)) : "") + " ";
  }
  for (const auto& count : changes.counts) {
    tallies += name(count.index) + " " + number(static_cast<double>(count.by.rows)) + " " +
               number(static_cast<double>(count.by.bytes)) + "; ";
  }
  for (const auto& of : result.units.indexes) units += name(of.index) + " " + number(of.units) + "; ";
  return rows + "| " + tallies + "| " + units;
}

struct IndexRowsCase {
  const char* what;
  const char *before, *after;  // empty: no item
  const char* expected;
};

void CheckIndexRows(const Table& table, const IndexRowsCase& c) {
  const Item before = *c.before ? ItemOf(c.before) : Item(), after = *c.after ? ItemOf(c.after) : Item();
  store::Changes changes;
  const IndexUpdate result = UpdateIndexRows(table, *c.before ? std::optional(SizedItem(before)) : std::nullopt,
                                             *c.after ? std::optional(SizedItem(after)) : std::nullopt, changes);
  EXPECT_EQ(DescribeUpdate(table, result, changes), c.expected) << c.what;
  for (const auto& write : changes.writes) {
    EXPECT_EQ(write.key, *IndexRowKeyOf(table, table.indexes[write.key.index() - 1u], write.put ? after : before))
        << c.what;
  }
}

Table WithIndexes(std::string_view key, std::vector<Index> indexes) {
  store::IndexId id = 0;
  for (Index& index : indexes) index.id = ++id;
  Table table = TableOfText("t", key, std::move(indexes));
  table.id = 1;
  return table;
}

// A projection this short is stored inside its string object, so a view of it would not survive a move.
TEST(IndexRows, TheShortestProjectionIsStoredWhole) {
  const Table table = WithIndexes("p:S", {Global("keys", "p:S", ProjectionKind::kKeysOnly)});
  CheckIndexRows(table, {"one attribute of one byte", "", "{p='k', x=1}", "+keys{p='k'} | keys 1 2; | keys 1; "});
}

TEST(IndexRows, FollowsTheItem) {
  const Table table = WithIndexes("p:S", {Global("all", "a:S"), Global("keys", "a:S/n:N", ProjectionKind::kKeysOnly),
                                          Global("some", "n:N", ProjectionKind::kInclude, {"x", "y"})});
  const IndexRowsCase cases[] = {
      {"nothing to nothing", "", "", "| | "},
      {"in no index", "", "{p='k', x=1}", "| | "},
      {"in one of three: sparse", "", "{p='k', a='v', x=1}", "+all{a='v', p='k', x=1} | all 1 7; | all 1; "},
      {"a new item in all", "", "{p='k', a='v', n=1, x=1, z=1}",
       "+all{a='v', n=1, p='k', x=1, z=1} +keys{a='v', n=1, p='k'} +some{n=1, p='k', x=1} | all 1 13; keys 1 7; some 1 "
       "8; | all 1; keys 1; some 1; "},
      {"a deleted item", "{p='k', a='v', n=1, x=1, z=1}", "",
       "-all -keys -some | all -1 -13; keys -1 -7; some -1 -8; | all 1; keys 1; some 1; "},
      {"no change", "{p='k', a='v', n=1}", "{p='k', a='v', n=1}", "| | "},
      {"an attribute only ALL projects", "{p='k', a='v', n=1}", "{p='k', a='v', n=1, z=1}",
       "+all{a='v', n=1, p='k', z=1} | all 0 3; | all 1; "},
      {"an included attribute", "{p='k', a='v', n=1}", "{p='k', a='v', n=1, y=1}",
       "+all{a='v', n=1, p='k', y=1} +some{n=1, p='k', y=1} | all 0 3; some 0 3; | all 1; some 1; "},
      {"the key changes", "{p='k', a='v', n=1}", "{p='k', a='ww', n=1}",
       "-all +all{a='ww', n=1, p='k'} -keys +keys{a='ww', n=1, p='k'} | all 0 1; keys 0 1; | all 2; keys 2; "},
      {"a key attribute goes", "{p='k', a='v', n=1}", "{p='k', n=1}",
       "-all -keys | all -1 -7; keys -1 -7; | all 1; keys 1; "},
      {"a key attribute comes", "{p='k', a='v'}", "{p='k', a='v', n=1}",
       "+all{a='v', n=1, p='k'} +keys{a='v', n=1, p='k'} +some{n=1, p='k'} | all 0 3; keys 1 7; some 1 5; | all 1; "
       "keys 1; some 1; "},
      {"out of an index it never fitted", "{p='k', a=5}", "{p='k', a='v'}", "+all{a='v', p='k'} | all 1 4; | all 1; "},
      {"stays out of an index it does not fit", "{p='k', a=5}", "{p='k', a=5, x=1}", "| | "},
  };
  for (const IndexRowsCase& c : cases) CheckIndexRows(table, c);
}

// Large items take a different code path than small ones, with the same result.
TEST(IndexRows, FollowsALargeItem) {
  const Table table = WithIndexes("p:S", {Global("keys", "a:S/n:N", ProjectionKind::kKeysOnly),
                                          Global("some", "n:N", ProjectionKind::kInclude, {"x", "gone", "a1000"})});
  std::string many;
  for (int i = 1000; i < 3000; ++i) many += "a" + std::to_string(i) + "=1, ";
  const std::string before = "{p='k', a='v', n=1, x=1, " + many + "}", after = "{p='k', a='w', n=1, x=2, " + many + "}";
  CheckIndexRows(
      table, {"put", "", before.c_str(),
              "+keys{a='v', n=1, p='k'} +some{a1000=1, n=1, p='k', x=1} | keys 1 7; some 1 15; | keys 1; some 1; "});
  CheckIndexRows(table, {"change", before.c_str(), after.c_str(),
                         "-keys +keys{a='w', n=1, p='k'} +some{a1000=1, n=1, p='k', x=2} | | keys 2; some 1; "});
  CheckIndexRows(table, {"delete", after.c_str(), "", "-keys -some | keys -1 -7; some -1 -15; | keys 1; some 1; "});
}

TEST(IndexRows, KeysOfFourAndFourAttributesAndOverloadedOnes) {
  const Table table =
      WithIndexes("p:S/s:S", {Global("wide", "a:S,b:N,c:B,d:S/e:N,f:S,g:B,s:S", ProjectionKind::kKeysOnly),
                              Global("inverse", "s:S/p:S", ProjectionKind::kKeysOnly)});
  const IndexRowsCase cases[] = {
      {"all eight there", "", "{p='k', s='t', a='a', b=1, c=x'01', d='d', e=2, f='f', g=x'02', x=1}",
       "+wide{a='a', b=1, c=x'01', d='d', e=2, f='f', g=x'02', p='k', s='t'} +inverse{p='k', s='t'} | wide 1 20; "
       "inverse 1 4; | wide 1; inverse 1; "},
      {"one of eight missing", "", "{p='k', s='t', a='a', b=1, c=x'01', d='d', e=2, f='f'}",
       "+inverse{p='k', s='t'} | inverse 1 4; | inverse 1; "},
      {"the last of eight changes", "{p='k', s='t', a='a', b=1, c=x'01', d='d', e=2, f='f', g=x'02'}",
       "{p='k', s='t', a='a', b=1, c=x'01', d='d', e=2, f='f', g=x'03'}",
       "-wide +wide{a='a', b=1, c=x'01', d='d', e=2, f='f', g=x'03', p='k', s='t'} | | wide 2; "},
  };
  for (const IndexRowsCase& c : cases) CheckIndexRows(table, c);
}

TEST(IndexRows, LocalRowsGrowTheCollection) {
  const Table table = WithIndexes(
      "p:S/s:S", {Local("l", "p:S/a:S", ProjectionKind::kKeysOnly), Local("m", "p:S/b:N"), Global("g", "a:S")});
  struct LocalCase {
    const char *before, *after;
    int64_t bytes;
    size_t bytes_after;
  };
  const LocalCase cases[] = {
      {"", "{p='k', s='t', x=1}", 0, 0},
      {"", "{p='k', s='t', a='v', x=1}", 6, 6},                            // l: p k s t a v
      {"", "{p='k', s='t', a='v', b=1, x=1}", 18, 18},                     // m: all of it, 12
      {"{p='k', s='t', a='v', b=1, x=1}", "{p='k', s='t', b=1}", -11, 7},  // l goes, m shrinks
      {"{p='k', s='t', a='v', b=1, x=1}", "", -18, 0},                     //
  };
  for (const LocalCase& c : cases) {
    const Item before = *c.before ? ItemOf(c.before) : Item(), after = *c.after ? ItemOf(c.after) : Item();
    store::Changes changes;
    const IndexUpdate result = UpdateIndexRows(table, *c.before ? std::optional(SizedItem(before)) : std::nullopt,
                                               *c.after ? std::optional(SizedItem(after)) : std::nullopt, changes);
    EXPECT_EQ(result.local_bytes, c.bytes) << c.before << " -> " << c.after;
    EXPECT_EQ(result.local_bytes_after, c.bytes_after) << c.before << " -> " << c.after;
  }
}

TEST(IndexRows, AnIndexBeingDeletedIsLeftAlone) {
  Table table = WithIndexes("p:S", {Global("going", "a:S"), Global("coming", "a:S")});
  table.indexes[0].status = IndexStatus::kDeleting;
  table.indexes[1].status = IndexStatus::kCreating;
  CheckIndexRows(table, {"", "", "{p='k', a='v'}", "+coming{a='v', p='k'} | coming 1 4; | coming 1; "});
}

}  // namespace
}  // namespace keyfold::engine
