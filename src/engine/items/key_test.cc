// Keys: what fits a table and its indexes, DynamoDB's messages for what does not, and row keys.
#include "engine/items/key.h"

#include <gtest/gtest.h>

#include "testing/engine/test_database.h"
#include "testing/expr/value_notation.h"

namespace keyfold::engine {
namespace {

Table Subject() {
  Table table = TableOfText("t", "p:S/s:N",
                            {Local("l", "p:S/a:B"), Global("g", "a:B,b:S/n:N,c:S"), Global("swapped", "s:N/p:S")});
  store::IndexId id = 0;
  for (Index& index : table.indexes) index.id = ++id;
  table.id = 9;
  return table;
}

// Replaces "@N" by N letters.
std::string Expand(std::string text) {
  for (size_t at; (at = text.find('@')) != std::string::npos;) {
    size_t digits = 0;
    const size_t count = std::stoul(text.substr(at + 1), &digits);
    text.replace(at, digits + 1, std::string(count, 'x'));
  }
  return text;
}

struct KeyCase {
  std::string item;
  std::string_view message;
};

constexpr std::string_view kMismatch = "The provided key element does not match the schema";
constexpr std::string_view kLongPartition =
    "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes";
constexpr std::string_view kLongSort =
    "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 "
    "bytes";
constexpr std::string_view kEmptyPartition =
    "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string "
    "value. Key: p";

TEST(Key, FitsItsTable) {
  const KeyCase cases[] = {
      {"{p='a', s=1}", ""},
      {"{p='@2048', s=1}", ""},
      {"{}", kMismatch},
      {"{p='a'}", kMismatch},
      {"{p='a', s='1'}", kMismatch},
      {"{p=1, s=1}", kMismatch},
      {"{p='a', s=1, x=1}", kMismatch},
      {"{p='a', x=1}", kMismatch},
      {"{p='', s=1}", kEmptyPartition},
      {"{p='@2049', s=1}", kLongPartition},
  };
  for (const KeyCase& c : cases)
    EXPECT_EQ(DatabaseForTest::Message(KeyFitsTable(Subject(), ItemOf(Expand(c.item)))), c.message) << c.item;
}

TEST(Key, OfTextAndBinarySortsIsBound) {
  struct SortCase {
    const char* schema;
    std::string item;
    std::string_view message;
  };
  const SortCase cases[] = {
      {"p:B/s:S", "{p=x'00', s='@1024'}", ""},
      {"p:B/s:S", "{p=x'00', s='@1025'}", kLongSort},
      {"p:B/s:S", "{p=x'', s='a'}",
       "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty "
       "binary value. Key: p"},
      {"p:S/s:B", "{p='a', s=x''}",
       "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty "
       "binary value. Key: s"},
      {"p:S", "{p='a'}", ""},
      {"p:S", "{p='a', s=1}", kMismatch},
  };
  for (const SortCase& c : cases) {
    EXPECT_EQ(DatabaseForTest::Message(KeyFitsTable(TableOfText("t", c.schema), ItemOf(Expand(c.item)))), c.message)
        << c.item;
  }
}

TEST(Key, ItemFitsItsTable) {
  const KeyCase cases[] = {
      {"{p='a', s=1, x=1}", ""},
      {"{s=1}", "One or more parameter values were invalid: Missing the key p in the item"},
      {"{p='a'}", "One or more parameter values were invalid: Missing the key s in the item"},
      {"{p=1, s=1}", "One or more parameter values were invalid: Type mismatch for key p expected: S actual: N"},
      {"{p='a', s=true}",
       "One or more parameter values were invalid: Type mismatch for key s expected: N actual: BOOL"},
      {"{p='', s=1}", kEmptyPartition},
      {"{p='@2049', s=1}", kLongPartition},
  };
  for (const KeyCase& c : cases)
    EXPECT_EQ(DatabaseForTest::Message(ItemFitsTable(Subject(), ItemOf(Expand(c.item)))), c.message) << c.item;
}

TEST(Key, BatchErrorsAreLessSpecific) {
  const KeyCase cases[] = {
      {"{p='a', s=1, x=1}", ""},
      {"{s=1}", kMismatch},
      {"{p='a', s='1'}", kMismatch},
      {"{p='', s=1}", kEmptyPartition},
      {"{p='@2049', s=1}", kLongPartition},
  };
  for (const KeyCase& c : cases)
    EXPECT_EQ(DatabaseForTest::Message(BatchItemFitsTable(Subject(), ItemOf(Expand(c.item)))), c.message) << c.item;
}

TEST(Key, ItemFitsItsIndexes) {
  const KeyCase cases[] = {
      {"{p='a', s=1}", ""},
      {"{p='a', s=1, a=x'00', b='b', n=1, c='c'}", ""},
      {"{p='a', s=1, a='text'}",
       "One or more parameter values were invalid: Type mismatch for Index Key a Expected: B Actual: S IndexName: l"},
      {"{p='a', s=1, n=null}",
       "One or more parameter values were invalid: Type mismatch for Index Key n Expected: N Actual: NULL IndexName: "
       "g"},
      {"{p='a', s=1, b=''}",
       "One or more parameter values are not valid. A value specified for a secondary index key is not supported. The "
       "AttributeValue for a key attribute cannot contain an empty string value. IndexName: g, IndexKey: b"},
      {"{p='a', s=1, a=x''}",
       "One or more parameter values are not valid. A value specified for a secondary index key is not supported. The "
       "AttributeValue for a key attribute cannot contain an empty binary value. IndexName: l, IndexKey: a"},
      {"{p='a', s=1, b='@2048'}", ""},
      {"{p='a', s=1, b='@2049'}", kLongPartition},
      {"{p='a', s=1, a=x'00', b='@2048'}", kLongPartition},  // the attributes of a side count together
      {"{p='a', s=1, c='@1024'}", ""},
      {"{p='a', s=1, c='@1025'}", kLongSort},
      {"{p='@1025', s=1}", kLongSort},  // the table's partition key sorts the index `swapped`
  };
  for (const KeyCase& c : cases)
    EXPECT_EQ(DatabaseForTest::Message(ItemFitsIndexes(Subject(), ItemOf(Expand(c.item)))), c.message) << c.item;
}

TEST(Key, AnIndexBeingDeletedIsNotChecked) {
  Table table = Subject();
  for (Index& index : table.indexes) index.status = IndexStatus::kDeleting;
  EXPECT_TRUE(ItemFitsIndexes(table, ItemOf("{p='a', s=1, a='text', b=1, n='x'}")).ok());
  EXPECT_TRUE(ValueFitsIndexes(table, "a", expr::ValueNotation::Read("'text'")).ok());
}

TEST(Key, UpdatedItemFitsItsIndexesWhereItChanged) {
  struct UpdateCase {
    std::string before, after;  // before: empty for a new item
    std::string_view message;
  };
  constexpr std::string_view kType =
      "The update expression attempted to update the secondary index key to unsupported type";
  const UpdateCase cases[] = {
      {"{p='a', s=1}", "{p='a', s=1, b='b'}", ""},
      {"{p='a', s=1}", "{p='a', s=1, b=7}", kType},
      {"", "{p='a', s=1, b=7}", kType},
      {"{p='a', s=1, b=7}", "{p='a', s=1, b=7, x=1}", ""},  // older than the index
      {"{p='a', s=1, b=7}", "{p='a', s=1, b=8}", kType},
      {"{p='a', s=1, b=7}", "{p='a', s=1}", ""},
      {"{p='a', s=1}", "{p='a', s=1, b=''}",
       "The update expression attempted to update a secondary index key to a value that is not supported. The "
       "AttributeValue for a key attribute cannot contain an empty string value."},
      {"{p='a', s=1, a=x'00'}", "{p='a', s=1, a=x'00', b='@2048'}", kLongPartition},
      {"{p='@1025', s=1}", "{p='@1025', s=1, x=1}", ""},
      {"", "{p='@1025', s=1}", kLongSort},
  };
  for (const UpdateCase& c : cases) {
    const Item before = c.before.empty() ? Item() : ItemOf(Expand(c.before));
    const std::optional<ItemView> old = c.before.empty() ? std::nullopt : std::optional(before.view());
    EXPECT_EQ(DatabaseForTest::Message(UpdatedItemFitsIndexes(Subject(), old, ItemOf(Expand(c.after)))), c.message)
        << c.after;
  }
}

TEST(Key, AValueFitsTheIndexesOfItsAttribute) {
  struct ValueCase {
    std::string_view name;
    std::string value;
    std::string_view message;
  };
  const ValueCase cases[] = {
      {"x", "null", ""},
      {"b", "'b'", ""},
      {"p", "1", ""},  // another rule covers the table's own key
      {"b", "1",
       "One or more parameter values were invalid: Type mismatch for Index Key b Expected: S Actual: N IndexName: g"},
      {"b", "'@2049'", kLongPartition},
      {"c", "'@1025'", kLongSort},
  };
  for (const ValueCase& c : cases) {
    EXPECT_EQ(DatabaseForTest::Message(ValueFitsIndexes(Subject(), c.name, expr::ValueNotation::Read(Expand(c.value)))),
              c.message)
        << c.value;
  }
}

TEST(Key, PathsIntoKeysAreRefused) {
  constexpr std::string_view kScalars =
      "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: ";
  struct PathCase {
    const char *projection, *condition;
    std::string message;
  };
  const PathCase cases[] = {
      {"p, s, a, x.y", "p = :v AND size(a) = :v AND x[1] = :v", ""},
      {"p.y", "NOT p.y = :v", std::string(kScalars) + "Key: p"},
      {"x, s[0]", "x = :v OR contains(s[0], :v)", std::string(kScalars) + "Key: s"},
      {"n.m", "size(n.m) = :v", std::string(kScalars) + "IndexKey: n"},
  };
  for (const PathCase& c : cases) {
    expr::PlaceholdersForTest placeholders("{:v=1}");
    EXPECT_EQ(
        DatabaseForTest::Message(KeepsKeysWhole(Subject(), *expr::ParseProjection(c.projection, placeholders.get()))),
        c.message)
        << c.projection;
    EXPECT_EQ(DatabaseForTest::Message(KeepsKeysWhole(
                  Subject(), *expr::ParseCondition("FilterExpression", c.condition, placeholders.get()))),
              c.message)
        << c.condition;
  }
}

TEST(Key, RowKeysFollowFromTheItem) {
  const Table table = Subject();
  const Item item = ItemOf("{p='a', s=1, a=x'0061', b='b', n=-2, c='c', x=1}");
  const auto parts = [&](const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& name : names) out += EncodeAttributes({{name, item.Find(name)->type()}}, item);
    return out;
  };
  EXPECT_EQ(RowKeyOf(table, item), store::RowKey(9, 0, parts({"p"}), parts({"s"})));
  // A local index shares the table's partition; a global one ends in the whole base key.
  EXPECT_EQ(IndexRowKeyOf(table, table.indexes[0], item), store::RowKey(9, 1, parts({"p"}), parts({"a", "s"})));
  EXPECT_EQ(IndexRowKeyOf(table, table.indexes[1], item),
            store::RowKey(9, 2, parts({"a", "b"}), parts({"n", "c", "p", "s"})));
  EXPECT_EQ(IndexRowKeyOf(table, table.indexes[2], item), store::RowKey(9, 3, parts({"s"}), parts({"p", "p", "s"})));
  EXPECT_EQ(Print(KeyPart(table, nullptr, item)), "{p='a', s=1}");
  EXPECT_EQ(Print(KeyPart(table, &table.indexes[1], item)), "{a=x'0061', b='b', c='c', n=-2, p='a', s=1}");
}

TEST(Key, WhatDoesNotFitAnIndexHasNoRowInIt) {
  const Table table = Subject();
  const char* items[] = {"{p='a', s=1, b='b', n=1, c='c'}",          // lacks a
                         "{p='a', s=1, a=x'00', b='b', n=1}",        // lacks c
                         "{p='a', s=1, a='00', b='b', n=1, c='c'}",  // wrong type
                         "{p='a', s=1, a=x'00', b='', n=1, c='c'}",  // empty
                         "{p='a', s=1, a=x'00', b='b', n=null, c='c'}",
                         "{p='a', s=1, a=x'00', b='@2048', n=1, c='c'}",
                         "{p='a', s=1, a=x'00', b='b', n=1, c='@1025'}"};
  for (const char* item : items) EXPECT_FALSE(IndexRowKeyOf(table, table.indexes[1], ItemOf(Expand(item)))) << item;
  EXPECT_TRUE(
      IndexRowKeyOf(table, table.indexes[1], ItemOf(Expand("{p='a', s=1, a=x'00', b='@2047', n=1, c='@1024'}"))));
}

}  // namespace
}  // namespace keyfold::engine
