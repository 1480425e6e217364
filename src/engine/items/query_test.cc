// Query and Scan, page by page: which items are found, in which order, where pages end and start, and what a page
// costs.
#include "engine/items/query.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "engine/items/key.h"
#include "testing/engine/test_database.h"
#include "testing/expr/value_notation.h"
#include "value/limits.h"

namespace keyfold::engine {
namespace {

std::string ItemsText(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) out += (out.empty() ? "" : " ") + item;
  return out;
}
std::string Found(const Result<QueryAnswer>& page) {
  return page.ok() ? ItemsText(page->items) : page.error().message();
}

class PageTest : public OnEachStore {
 protected:
  // Reads all pages of a query or scan, by LastEvaluatedKey.
  std::vector<std::string> All(DatabaseForTest& test, std::string_view table, PageText text, bool query) {
    std::vector<std::string> items;
    do {
      const Result<QueryAnswer> page = query ? test.Query(table, text) : test.Scan(table, text);
      EXPECT_TRUE(page.ok()) << DatabaseForTest::Message(page);
      if (!page.ok()) break;
      items.insert(items.end(), page->items.begin(), page->items.end());
      text.start = page->last_key;
    } while (!text.start.empty());
    return items;
  }
};
INSTANTIATE_TEST_SUITE_P(Stores, PageTest, EachStore(), NameOfStore);

TEST_P(PageTest, KeyConditions) {
  DatabaseForTest test(GetParam());
  test.Create(TableOfText("n", "p:S/s:N"));
  test.Create(TableOfText("t", "p:N/s:S"));
  test.Create(TableOfText("b", "p:B/s:B"));
  test.Create(TableOfText("h", "p:S"));
  for (const char* s : {"-20.5", "-3", "0", "0.5", "7", "1E20"})
    test.PutAll("n", {std::string("{p='k', s=") + s + "}"});
  test.PutAll("n", {"{p='j', s=1}", "{p='kk', s=1}"});
  for (const char* s : {"a", "ab", "abc", "b", "\xC3\xA9"}) test.PutAll("t", {std::string("{p=1, s='") + s + "'}"});
  test.PutAll("t", {"{p=2, s='a'}"});
  test.PutAll("b", {"{p=x'00', s=x'00'}", "{p=x'00', s=x'0000'}", "{p=x'00', s=x'ff'}", "{p=x'00', s=x'ffff'}",
                    "{p=x'0000', s=x'01'}"});
  test.PutAll("h", {"{p='k'}", "{p='l'}"});
  struct Case {
    const char *table, *key, *values, *sorts;  // sorts: sort keys found, ascending
  };
  const Case cases[] = {
      {"h", "p = :p", "{:p='k'}", "-"},
      {"h", "p = :p", "{:p='none'}", ""},
      {"n", "p = :p", "{:p='k'}", "-20.5 -3 0 0.5 7 100000000000000000000"},
      {"n", "p = :p", "{:p='none'}", ""},
      {"n", "p = :p AND s = :s", "{:p='k', :s=-3.0}", "-3"},
      {"n", "p = :p AND s = :s", "{:p='k', :s=1}", ""},
      {"n", "p = :p AND s < :s", "{:p='k', :s=0}", "-20.5 -3"},
      {"n", "p = :p AND s <= :s", "{:p='k', :s=0}", "-20.5 -3 0"},
      {"n", "p = :p AND s > :s", "{:p='k', :s=0}", "0.5 7 100000000000000000000"},
      {"n", "p = :p AND s >= :s", "{:p='k', :s=0}", "0 0.5 7 100000000000000000000"},
      {"n", "p = :p AND s BETWEEN :s AND :t", "{:p='k', :s=-3, :t=0.5}", "-3 0 0.5"},
      {"n", "p = :p AND s BETWEEN :s AND :t", "{:p='k', :s=1, :t=2}", ""},
      {"n", "p = :p AND s < :s", "{:p='k', :s=-100}", ""},
      {"n", "p = :p AND s > :s", "{:p='k', :s=1E21}", ""},
      {"t", "p = :p", "{:p=1}", "a ab abc b \xC3\xA9"},
      {"t", "p = :p AND begins_with(s, :s)", "{:p=1, :s='a'}", "a ab abc"},
      {"t", "p = :p AND begins_with(s, :s)", "{:p=1, :s='ab'}", "ab abc"},
      {"t", "p = :p AND begins_with(s, :s)", "{:p=1, :s='c'}", ""},
      {"t", "p = :p AND s = :s", "{:p=1, :s='ab'}", "ab"},
      {"t", "p = :p AND s > :s", "{:p=1, :s='ab'}", "abc b \xC3\xA9"},
      {"t", "p = :p AND s <= :s", "{:p=1, :s='ab'}", "a ab"},
      {"b", "p = :p", "{:p=x'00'}", "00 0000 ff ffff"},
      {"b", "p = :p AND begins_with(s, :s)", "{:p=x'00', :s=x'ff'}", "ff ffff"},
      {"b", "p = :p AND begins_with(s, :s)", "{:p=x'00', :s=x'00'}", "00 0000"},
      {"b", "p = :p AND s > :s", "{:p=x'00', :s=x'00'}", "0000 ff ffff"},
      {"b", "p = :p AND s < :s", "{:p=x'00', :s=x'ff'}", "00 0000"},
  };
  const auto sorts = [](const std::vector<std::string>& items) {
    std::string out;
    for (const std::string& text : items) {
      const Item item = ItemOf(text);
      const auto sort = item.Find("s");
      std::string shown = sort ? expr::ValueNotation::Print(*sort) : "-";
      shown.erase(std::remove(shown.begin(), shown.end(), '\''), shown.end());
      if (sort && sort->type() == Type::kB) shown.erase(0, 1);
      out += (out.empty() ? "" : " ") + shown;
    }
    return out;
  };
  for (const Case& c : cases) {
    PageText text{.key = c.key, .values = c.values};
    Result<QueryAnswer> page = test.Query(c.table, text);
    ASSERT_EQ(DatabaseForTest::Message(page), "") << c.key;
    EXPECT_EQ(sorts(page->items), c.sorts) << c.table << " " << c.key << " " << c.values;
    EXPECT_EQ(page->last_key, "");
    text.forward = false;
    page = test.Query(c.table, text);
    std::reverse(page->items.begin(), page->items.end());
    EXPECT_EQ(sorts(page->items), c.sorts) << c.table << " backwards: " << c.key << " " << c.values;
  }
}

TEST_P(PageTest, KeyConditionsOfSeveralAttributes) {
  DatabaseForTest test(GetParam());
  test.Create(TableOfText("t", "id:N", {Global("g", "a:S,b:N/c:S,d:N,e:S")}));
  int id = 0;
  for (const char* rest :
       {"b=1, c='x', d=1, e='a'", "b=1, c='x', d=1, e='b'", "b=1, c='x', d=2, e='a'", "b=1, c='xy', d=0, e='a'",
        "b=1, c='y', d=1, e='a'", "b=2, c='x', d=1, e='a'", "b=1, c='x', d=1"}) {
    test.PutAll("t", {"{id=" + std::to_string(++id) + ", a='k', " + rest + "}"});
  }
  struct Case {
    const char *key, *values, *ids;
  };
  const Case cases[] = {
      {"a = :a AND b = :b", "{:a='k', :b=1}", "1 2 3 4 5"},
      {"b = :b AND a = :a", "{:a='k', :b=2}", "6"},
      {"a = :a AND b = :b AND c = :c", "{:a='k', :b=1, :c='x'}", "1 2 3"},
      {"a = :a AND b = :b AND begins_with(c, :c)", "{:a='k', :b=1, :c='x'}", "1 2 3 4"},
      {"a = :a AND b = :b AND c > :c", "{:a='k', :b=1, :c='x'}", "4 5"},
      {"a = :a AND b = :b AND c <= :c", "{:a='k', :b=1, :c='x'}", "1 2 3"},
      {"a = :a AND b = :b AND c = :c AND d = :d", "{:a='k', :b=1, :c='x', :d=1}", "1 2"},
      {"a = :a AND b = :b AND c = :c AND d > :d", "{:a='k', :b=1, :c='x', :d=1}", "3"},
      {"a = :a AND b = :b AND c = :c AND d >= :d", "{:a='k', :b=1, :c='x', :d=1}", "1 2 3"},
      {"a = :a AND b = :b AND c = :c AND d < :d", "{:a='k', :b=1, :c='x', :d=2}", "1 2"},
      {"a = :a AND b = :b AND c = :c AND d BETWEEN :d AND :e", "{:a='k', :b=1, :c='x', :d=1, :e=2}", "1 2 3"},
      {"a = :a AND b = :b AND c = :c AND d = :d AND e = :e", "{:a='k', :b=1, :c='x', :d=1, :e='b'}", "2"},
      {"a = :a AND b = :b AND c = :c AND d = :d AND begins_with(e, :e)", "{:a='k', :b=1, :c='x', :d=1, :e='a'}", "1"},
      {"a = :a AND b = :b AND c = :c AND d = :d AND e < :e", "{:a='k', :b=1, :c='x', :d=1, :e='b'}", "1"},
  };
  for (const Case& c : cases) {
    PageText text{.index = "g", .key = c.key, .projection = "id", .values = c.values};
    std::string ids;
    for (const bool forward : {true, false}) {
      text.forward = forward;
      std::vector<std::string> items = All(test, "t", text, true);
      if (!forward) std::reverse(items.begin(), items.end());
      ids.clear();
      for (const std::string& item : items) ids += (ids.empty() ? "" : " ") + item.substr(4, item.size() - 5);
      EXPECT_EQ(ids, c.ids) << c.key << " " << c.values << (forward ? "" : " backwards");
    }
  }
}

struct RandomRows {
  DatabaseForTest& test;
  std::vector<std::string> items;

  // There are few index keys for many items, so that most items share theirs with others.
  void Write(size_t count, uint64_t seed) {
    Random random(seed);
    for (size_t i = 0; i < count; ++i) {
      std::string item = "{p='" + std::to_string(random.Below(12)) + "', s=" + std::to_string(i);
      if (!random.OneIn(5)) item += ", a='" + std::to_string(random.Below(4)) + "'";
      if (!random.OneIn(5)) item += ", b=" + std::to_string(static_cast<int64_t>(random.Below(5)) - 2);
      item += ", x='" + std::string(random.Below(30), 'x') + "'}";
      items.push_back(Print(ItemOf(item)));
    }
    test.PutAll("t", items);
  }
  std::vector<std::string> Where(std::initializer_list<std::string_view> attributes) const {
    std::vector<std::string> kept;
    for (const std::string& text : items) {
      const Item item = ItemOf(text);
      if (std::all_of(attributes.begin(), attributes.end(),
                      [&](std::string_view a) { return item.Find(a).has_value(); })) {
        kept.push_back(text);
      }
    }
    std::sort(kept.begin(), kept.end());
    return kept;
  }
};

Table RowsTable() {
  return TableOfText("t", "p:S/s:N",
                     {Local("l", "p:S/b:N"), Global("g", "a:S"), Global("gb", "a:S/b:N"), Global("byb", "b:N/a:S")});
}

std::vector<std::string> Sorted(std::vector<std::string> items) {
  std::sort(items.begin(), items.end());
  return items;
}

TEST_P(PageTest, PagesTogetherAreTheWholeTableOrIndex) {
  DatabaseForTest test(GetParam());
  test.Create(RowsTable());
  RandomRows rows{test, {}};
  rows.Write(200, 1);
  struct Case {
    const char* index;
    std::vector<std::string> expected;
  };
  const Case cases[] = {{"", rows.Where({})},
                        {"l", rows.Where({"b"})},
                        {"g", rows.Where({"a"})},
                        {"gb", rows.Where({"a", "b"})},
                        {"byb", rows.Where({"a", "b"})}};
  for (const Case& c : cases) {
    for (const int64_t limit : {0, 1, 3, 7, 200, 1000}) {
      EXPECT_EQ(Sorted(All(test, "t", {.index = c.index, .limit = limit}, false)), c.expected)
          << c.index << " limit " << limit;
    }
  }
}

TEST_P(PageTest, QueriesRestartAnywhereInBothDirections) {
  DatabaseForTest test(GetParam());
  test.Create(RowsTable());
  RandomRows{test, {}}.Write(150, 2);
  struct Case {
    const char *index, *key, *values;
  };
  const Case cases[] = {{"", "p = :v", "{:v='3'}"},  {"", "p = :v AND s BETWEEN :a AND :b", "{:v='3', :a=20, :b=100}"},
                        {"l", "p = :v", "{:v='3'}"}, {"l", "p = :v AND b = :b", "{:v='3', :b=0}"},
                        {"g", "a = :v", "{:v='1'}"}, {"gb", "a = :v AND b >= :b", "{:v='1', :b=0}"},
                        {"byb", "b = :v", "{:v=-1}"}};
  for (const Case& c : cases) {
    PageText text{.index = c.index, .key = c.key, .values = c.values};
    const std::vector<std::string> whole = All(test, "t", text, true);
    EXPECT_GT(whole.size(), 2u) << c.key;
    for (const int64_t limit : {1, 2, 5}) {
      text.limit = limit;
      text.forward = true;
      EXPECT_EQ(All(test, "t", text, true), whole) << c.index << " " << c.key << " limit " << limit;
      text.forward = false;
      std::vector<std::string> back = All(test, "t", text, true);
      std::reverse(back.begin(), back.end());
      EXPECT_EQ(back, whole) << c.index << " " << c.key << " backwards, limit " << limit;
    }
  }
}

TEST_P(PageTest, SegmentsAreAPartition) {
  DatabaseForTest test(GetParam());
  test.Create(TableOfText("t", "p:S", {Global("g", "a:N")}));
  std::vector<std::string> items;
  for (int i = 0; i < 60; ++i) items.push_back("{a=" + std::to_string(i % 9) + ", p='" + std::to_string(i) + "'}");
  test.PutAll("t", items);
  for (const char* index : {"", "g"}) {
    for (const int64_t segments : {1, 2, 3, 7, 100, 70000}) {
      // With more segments than slots, some are empty. That is pure arithmetic, so one store is enough.
      if (segments > store::kSlots && GetParam() == StoreKind::kRocksdb) continue;
      std::vector<std::string> found;
      for (int64_t segment = 0; segment < segments; ++segment) {
        const PageText text{.index = index, .limit = 4, .segment = segment, .segments = segments};
        const auto part = All(test, "t", text, false);
        found.insert(found.end(), part.begin(), part.end());
      }
      EXPECT_EQ(Sorted(found), Sorted(items)) << index << " in " << segments;
    }
  }
}

TEST(Page, LimitCountsWhatIsReadAndFiltersComeAfter) {
  DatabaseForTest test;
  test.Create(TableOfText("t", "p:S/s:N"));
  for (int i = 1; i <= 5; ++i)
    test.PutAll("t", {"{p='k', s=" + std::to_string(i) + ", x=" + std::to_string(i % 2) + "}"});
  struct Case {
    int64_t limit;
    const char* filter;
    int64_t count, scanned;
    const char* last;
  };
  const Case cases[] = {
      {0, "", 5, 5, ""},
      {3, "", 3, 3, "{p='k', s=3}"},
      {5, "", 5, 5, "{p='k', s=5}"},  // the page is full, so it has a LastEvaluatedKey even though no item follows
      {6, "", 5, 5, ""},
      {0, "x = :v", 2, 5, ""},
      {3, "x = :v", 1, 3, "{p='k', s=3}"},
      {1, "x = :v", 0, 1, "{p='k', s=1}"},  // no items, but a LastEvaluatedKey
      {0, "attribute_exists(y)", 0, 5, ""},
  };
  for (const Case& c : cases) {
    PageText text{.key = "p = :p", .filter = c.filter, .values = "{:p='k', :v=0}", .limit = c.limit};
    for (const bool query : {true, false}) {
      const Result<QueryAnswer> page = query ? test.Query("t", text) : test.Scan("t", text);
      ASSERT_TRUE(page.ok());
      EXPECT_EQ(page->outcome.count, c.count) << c.limit << c.filter;
      EXPECT_EQ(static_cast<int64_t>(page->items.size()), c.count) << c.limit << c.filter;
      EXPECT_EQ(page->outcome.scanned, c.scanned) << c.limit << c.filter;
      EXPECT_EQ(page->last_key, c.last) << c.limit << c.filter;
    }
  }
}

TEST(Page, CountShowsNothing) {
  DatabaseForTest test;
  test.Create(TableOfText("t", "p:S"));
  test.PutAll("t", {"{p='1'}", "{p='2'}"});
  const Result<QueryAnswer> page = test.Scan("t", {.selection = Selection::kCount});
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(page->items.size(), 0u);
  EXPECT_EQ(page->outcome.count, 2);
}

TEST_P(PageTest, EndsAtAMegabyte) {
  DatabaseForTest test(GetParam());
  test.Create(TableOfText("t", "p:S/s:N", {Local("keys", "p:S/a:N", ProjectionKind::kKeysOnly)}));
  // p='k' has 2 bytes, s 3, a 3, x 1 + n: 256 KB per item, so that the fourth fills the page exactly.
  const std::string filling(256 * 1024 - 9, 'x');
  for (int i = 1; i <= 5; ++i) test.PutAll("t", {"{p='k', s=" + std::to_string(i) + ", a=1, x='" + filling + "'}"});
  struct Case {
    const char* what;
    PageText text;
    size_t items;
    const char* last;
  };
  const Case cases[] = {
      {"query", {.key = "p = :p", .values = "{:p='k'}"}, 4, "{p='k', s=4}"},
      {"backwards", {.key = "p = :p", .values = "{:p='k'}", .forward = false}, 4, "{p='k', s=2}"},
      {"the next page", {.key = "p = :p", .values = "{:p='k'}", .start = "{p='k', s=4}"}, 1, ""},
      {"filtered", {.key = "p = :p", .filter = "attribute_exists(y)", .values = "{:p='k'}"}, 0, "{p='k', s=4}"},
      {"index rows are small", {.index = "keys", .key = "p = :p", .values = "{:p='k'}"}, 5, ""},
      {"but the items fetched for them are not",
       {.index = "keys", .key = "p = :p", .values = "{:p='k'}", .selection = Selection::kAll},
       4,
       "{a=1, p='k', s=4}"},
  };
  for (const Case& c : cases) {
    const Result<QueryAnswer> page = test.Query("t", c.text);
    ASSERT_EQ(DatabaseForTest::Message(page), "") << c.what;
    EXPECT_EQ(page->items.size(), c.items) << c.what;
    EXPECT_EQ(page->last_key, c.last) << c.what;
  }
  EXPECT_EQ(test.Scan("t")->last_key, "{p='k', s=4}");
  EXPECT_EQ(test.Scan("t", {.index = "keys", .selection = Selection::kAll})->last_key, "{a=1, p='k', s=4}");
}

TEST_P(PageTest, WhatAnIndexShows) {
  DatabaseForTest test(GetParam());
  test.Create(TableOfText(
      "t", "p:S/s:N",
      {Local("lk", "p:S/a:S", ProjectionKind::kKeysOnly), Local("li", "p:S/a:S", ProjectionKind::kInclude, {"x"}),
       Global("gk", "a:S", ProjectionKind::kKeysOnly), Global("gi", "a:S", ProjectionKind::kInclude, {"x"}),
       Global("ga", "a:S")}));
  test.PutAll("t", {"{p='k', s=1, a='v', x=1, y=[1, {z=2}]}"});
  const std::string keys = "{a='v', p='k', s=1}", with_x = "{a='v', p='k', s=1, x=1}",
                    whole = "{a='v', p='k', s=1, x=1, y=[1, {z=2}]}";
  struct Case {
    const char *index, *projection;
    Selection selection;
    std::string found;
  };
  const Case cases[] = {
      {"", "", Selection::kDefault, whole},
      {"", "y[1].z, s", Selection::kSpecific, "{s=1, y=[{z=2}]}"},
      {"lk", "", Selection::kDefault, keys},
      {"lk", "", Selection::kAllProjected, keys},
      {"lk", "", Selection::kAll, whole},  // from the table
      {"lk", "x", Selection::kSpecific, "{x=1}"},
      {"lk", "a, s", Selection::kSpecific, "{a='v', s=1}"},
      {"li", "", Selection::kDefault, with_x},
      {"li", "y[1].z, x", Selection::kSpecific, "{x=1, y=[{z=2}]}"},
      {"gk", "", Selection::kDefault, keys},
      {"gi", "", Selection::kAllProjected, with_x},
      {"gi", "x, p", Selection::kSpecific, "{p='k', x=1}"},
      {"ga", "", Selection::kAll, whole},
      {"ga", "y[0]", Selection::kSpecific, "{y=[1]}"},
      {"gk", "", Selection::kAll,
       "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary "
       "index gk because its projection type is not ALL"},
      {"gi", "x, y, w.v", Selection::kSpecific,
       "One or more parameter values were invalid: Global secondary index gi does not project [y, w]"},
  };
  for (const Case& c : cases) {
    PageText text{.index = c.index, .projection = c.projection, .selection = c.selection};
    EXPECT_EQ(Found(test.Scan("t", text)), c.found) << "scan " << c.index << " " << c.projection;
    const bool global = c.index[0] == 'g';
    text.key = global ? "a = :v" : "p = :v";
    text.values = global ? "{:v='v'}" : "{:v='k'}";
    EXPECT_EQ(Found(test.Query("t", text)), c.found) << "query " << c.index << " " << c.projection;
  }
}

TEST(Page, Units) {
  DatabaseForTest test;
  test.Create(TableOfText("t", "p:S/s:N", {Local("keys", "p:S/a:N", ProjectionKind::kKeysOnly), Global("g", "a:N")}));
  const std::string filling(2991, 'x');  // 3,000 bytes with p, s, a and x's name
  for (int i = 1; i <= 3; ++i) test.PutAll("t", {"{p='k', s=" + std::to_string(i) + ", a=1, x='" + filling + "'}"});
  struct Case {
    const char* what;
    PageText text;
    double table, index;
  };
  const Case cases[] = {
      {"the sum of a page is rounded", {.key = "p = :v", .values = "{:v='k'}"}, 1.5, 0},
      {"consistent", {.key = "p = :v", .values = "{:v='k'}", .consistent = true}, 3, 0},
      {"nothing found", {.key = "p = :v", .values = "{:v='none'}"}, 0.5, 0},
      {"filtered out", {.key = "p = :v", .filter = "attribute_exists(y)", .values = "{:v='k'}"}, 1.5, 0},
      {"up to the limit", {.key = "p = :v", .values = "{:v='k'}", .limit = 1}, 0.5, 0},
      {"a local index", {.index = "keys", .key = "p = :v", .values = "{:v='k'}"}, 0, 0.5},
      {"a local index and an item each",
       {.index = "keys", .key = "p = :v", .values = "{:v='k'}", .selection = Selection::kAll},
       1.5,
       0.5},
      {"the same, consistent",
       {.index = "keys", .key = "p = :v", .values = "{:v='k'}", .consistent = true, .selection = Selection::kAll},
       3,
       1},
      {"a global index", {.index = "g", .key = "a = :v", .values = "{:v=1}"}, 0, 1.5},
  };
  for (const Case& c : cases) {
    const Result<QueryAnswer> page = test.Query("t", c.text);
    ASSERT_EQ(DatabaseForTest::Message(page), "") << c.what;
    EXPECT_EQ(page->outcome.units.table, c.table) << c.what;
    EXPECT_EQ(page->outcome.units.Total() - c.table, c.index) << c.what;
  }
  EXPECT_EQ(test.Scan("t")->outcome.units.table, 1.5);
}

TEST(Page, QueryRefuses) {
  DatabaseForTest test;
  test.Create(TableOfText("t", "p:S/s:N", {Local("l", "p:S/a:S"), Global("g", "a:S/s:N")}));
  test.Create(TableOfText("h", "p:S"));
  struct Case {
    const char* table;
    PageText text;
    std::string message;
  };
  const PageText by_p{.key = "p = :v", .values = "{:v='k'}"};
  const auto from = [](PageText text, const char* start) {
    text.start = start;
    return text;
  };
  const PageText by_range{.key = "p = :v AND s > :s", .values = "{:v='k', :s=5}"};
  const PageText by_a{.index = "g", .key = "a = :v", .values = "{:v='v'}"};
  const Case cases[] = {
      {"none", by_p, "Requested resource not found"},
      {"t", {.index = "x", .key = "p = :v", .values = "{:v='k'}"}, "The table does not have the specified index: x"},
      {"t",
       {.index = "g", .key = "a = :v", .values = "{:v='k'}", .consistent = true},
       "Consistent reads are not supported on global secondary indexes"},
      {"t", {.key = "s = :v", .values = "{:v=1}"}, "Query condition missed key schema element: p"},
      {"t",
       {.key = "p = :v", .filter = "s = :w", .values = "{:v='k', :w=1}"},
       "Filter Expression can only contain non-primary key attributes: Primary key attribute: s"},
      {"t", {.index = "g", .key = "a = :v", .filter = "p = :v", .values = "{:v='k'}"}, ""},  // not a key of the index
      {"t",
       {.key = "p = :v", .filter = "a.x = :v", .values = "{:v='k'}"},
       "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: a"},
      {"t", from(by_p, "{p='k', s=1}"), ""},
      {"t", from(by_p, "{p='k'}"), "The provided starting key is invalid"},
      {"t", from(by_p, "{p='k', s='1'}"), "The provided key element does not match the schema"},
      {"t", from(by_p, "{p='k', s=1, a='v'}"), "The provided starting key is invalid"},
      {"t", from(by_p, "{p='l', s=1}"),
       "The provided starting key is outside query boundaries based on provided conditions"},
      {"t", from(by_range, "{p='k', s=6}"), ""},
      {"t", from(by_range, "{p='k', s=5}"), "The provided starting key does not match the range key predicate"},
      {"t", from(by_range, "{p='l', s=6}"), "The query can return at most one row and cannot be restarted"},
      {"t", from(by_a, "{a='v', p='k', s=1}"), ""},
      {"t", from(by_a, "{p='k', s=1}"), "The provided starting key is invalid"},
      {"t", from(by_a, "{a=1, p='k', s=1}"), "The provided key element does not match the schema"},
      {"t", from(by_a, "{a='v', p=1, s=1}"),
       "The provided starting key is invalid: The provided key element does not match the schema"},
      {"h", from(by_p, "{p='k'}"),
       "The provided exclusive start key is invalid: ExclusiveStartKey: {p=AttributeValue: {S:k}}"},
  };
  for (const Case& c : cases)
    EXPECT_EQ(DatabaseForTest::Message(test.Query(c.table, c.text)), c.message) << c.text.key << " " << c.text.start;
}

TEST(Page, ScanRefuses) {
  DatabaseForTest test;
  test.Create(TableOfText("t", "p:S", {Global("g", "a:S")}));
  const auto slot = store::SlotOf(EncodeAttributes({{"p", Type::kS}}, ItemOf("{p='k'}")));
  const int64_t half = slot * 2 / store::kSlots;
  struct Case {
    PageText text;
    std::string message;
  };
  const Case cases[] = {
      {{.index = "x"}, "The table does not have the specified index: x"},
      {{.index = "g", .consistent = true}, "Consistent reads are not supported on global secondary indexes"},
      {{.start = "{p='k'}"}, ""},
      {{.start = "{q='k'}"},
       "The provided starting key is invalid: The provided key element does not match the schema"},
      {{.start = "{p=''}"},
       "The provided starting key is invalid: One or more parameter values are not valid. The AttributeValue for a key "
       "attribute cannot contain an empty string value. Key: p"},
      {{.index = "g", .start = "{p='k'}"}, "The provided starting key is invalid"},
      {{.index = "g", .start = "{a='v', p='k'}"}, ""},
      {{.segment = half, .segments = 2, .start = "{p='k'}"}, ""},
      {{.segment = 1 - half, .segments = 2, .start = "{p='k'}"},
       "The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct "
       "Segment. TotalSegments: 2 Segment: " +
           std::to_string(1 - half)},
      {{.filter = "p = :v", .values = "{:v='k'}"}, ""},  // a scan may filter on keys
  };
  for (const Case& c : cases) EXPECT_EQ(DatabaseForTest::Message(test.Scan("t", c.text)), c.message) << c.text.start;
}

TEST(Page, AnIndexIsReadOnceItIsFilled) {
  DatabaseForTest test;
  test.Create(TableOfText("t", "p:S"));
  ASSERT_TRUE(test.AddIndex("t", Global("g", "a:S")).ok());
  EXPECT_EQ(Found(test.Scan("t", {.index = "g"})), "Cannot read from backfilling global secondary index: g");
  test.RunBackgroundWork();
  EXPECT_EQ(Found(test.Scan("t", {.index = "g"})), "");
  ASSERT_TRUE(test.DropIndex("t", "g").ok());
  EXPECT_EQ(Found(test.Scan("t", {.index = "g"})), "The table does not have the specified index: g");
}

// Reads one page with a pace.
Result<QueryOutcome> ScanAt(Pace& pace, DatabaseForTest& test, const expr::Condition* filter, size_t& items) {
  ScanInput scan;
  scan.table = "t";
  scan.filter = filter;
  store::Horizon horizon;
  return RunScan(test.db(), scan, [&](ItemView) { ++items; }, {{horizon, store::Wait::kAllowed, &pace}});
}

void PutLarge(DatabaseForTest& test, int items) {
  test.Create(TableOfText("t", "p:S"));
  for (int i = 0; i < items; ++i)
    test.PutAll("t", {"{p='" + std::to_string(i) + "', a='" + std::string(300'000, 'a') + "'}"});
}

TEST_P(PageTest, IsRefusedWhereItTakesTooLong) {
  DatabaseForTest test(GetParam());
  PutLarge(test, 2);
  size_t items = 0;
  Pace few = Pace::OfSteps(500'000), many = Pace::OfSteps(50'000'000);
  const Result<QueryOutcome> refused = ScanAt(few, test, nullptr, items);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind(), Kind::kWouldBlock);
  EXPECT_TRUE(few.refused());
  items = 0;
  EXPECT_TRUE(ScanAt(many, test, nullptr, items).ok());
  EXPECT_EQ(items, 2U);
}

// One row with a filter of many operators takes long enough to yield in the middle of it.
TEST_P(PageTest, GivesWayBetweenTheOperatorsOfAFilter) {
  DatabaseForTest test(GetParam());
  PutLarge(test, 1);
  expr::PlaceholdersForTest placeholders("{:v='b'}");
  std::string text = "contains(a, :v)";
  for (int i = 0; i < 99; ++i) text += " OR contains(a, :v)";
  const expr::Condition filter = *expr::ParseCondition("FilterExpression", text, placeholders.get());
  GivesWay turns;
  Pace pace = Pace::InTurns(turns, /*slice=*/{});
  size_t items = 0;
  const Result<QueryOutcome> page = ScanAt(pace, test, &filter, items);
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(page->scanned, 1);
  EXPECT_EQ(items, 0U);
  EXPECT_GE(turns.times, 99);
}

TEST_P(PageTest, IsAbandonedAtAStop) {
  DatabaseForTest test(GetParam());
  PutLarge(test, 3);
  GivesWay turns;
  turns.stops = true;
  Pace pace = Pace::InTurns(turns, /*slice=*/{}, /*steps_per_look=*/1);
  size_t items = 0;
  const Result<QueryOutcome> page = ScanAt(pace, test, nullptr, items);
  ASSERT_FALSE(page.ok());
  EXPECT_EQ(page.error().kind(), Kind::kUnavailable);
  EXPECT_LT(items, 3U);
}

}  // namespace
}  // namespace keyfold::engine
