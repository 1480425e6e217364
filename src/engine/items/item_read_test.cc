// Items by key: found, missing, and keys or projections that do not fit.
#include "engine/items/item_read.h"

#include <gtest/gtest.h>

#include "testing/engine/test_database.h"
#include "testing/expr/value_notation.h"

namespace keyfold::engine {
namespace {

class ItemReadTest : public OnEachStore {};
INSTANTIATE_TEST_SUITE_P(Stores, ItemReadTest, EachStore(), NameOfStore);

TEST_P(ItemReadTest, OneRowPerKeyInOrder) {
  DatabaseForTest test(GetParam());
  test.Create(TableOfText("t", "p:S/s:N"));
  test.PutAll("t", {"{p='a', s=1, x=1}", "{p='a', s=2, x=2}", "{p='b', s=1, x=3}"});
  const Item keys[] = {ItemOf("{p='b', s=1}"), ItemOf("{p='a', s=3}"), ItemOf("{p='a', s=1.0}")};
  const std::vector<ItemView> views(keys, keys + 3);
  store::Horizon horizon;
  const Result<ItemsRead> read = ReadItems(test.db(), "t", views, {}, {horizon});
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read->rows.size(), 3u);
  EXPECT_EQ(Print(ItemView(read->rows[0].value)), "{p='b', s=1, x=3}");
  EXPECT_FALSE(read->rows[1].exists);
  EXPECT_EQ(Print(ItemView(read->rows[2].value)), "{p='a', s=1, x=1}");
  EXPECT_EQ(read->table, test.Find("t"));
}

TEST(ItemRead, Refuses) {
  DatabaseForTest test;
  test.Create(TableOfText("t", "p:S", {Global("g", "a:S")}));
  struct Case {
    const char *table, *key, *projection, *message;
  };
  const Case cases[] = {
      {"none", "{p='k'}", "x", "Requested resource not found"},
      {"t", "{q='k'}", "x", "The provided key element does not match the schema"},
      {"t", "{p='k'}", "p.x",
       "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: p"},
      {"t", "{p='k'}", "a[0]",
       "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: a"},
      {"t", "{p='k'}", "x.y", ""},
  };
  for (const Case& c : cases) {
    expr::PlaceholdersForTest placeholders("{}");
    const Item key = ItemOf(c.key);
    const ItemView view = key;
    store::Horizon horizon;
    const expr::Projection projection = *expr::ParseProjection(c.projection, placeholders.get());
    EXPECT_EQ(DatabaseForTest::Message(ReadItems(test.db(), c.table, {&view, 1}, projection, {horizon})), c.message)
        << c.projection;
  }
}

}  // namespace
}  // namespace keyfold::engine
