// Lookups in large items find the same as linear searches, before and after landmarks are set.
#include "expr/item_lookup.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "expr/condition.h"
#include "testing/base/cpu_time.h"
#include "testing/expr/value_notation.h"

namespace keyfold::expr {
namespace {

constexpr int kElements = 3000;

// {m={k0=0, k3=3, …}, l=['0', '3', …, {n=[…]}], s=<'0', '3', …>, n=<0, 3, …>, t='aaaa…', a0=0, a3=3, …}
Item LargeItem() {
  std::string map, list, strings, numbers, attributes;
  for (int i = 0; i < kElements * 3; i += 3) {
    const std::string number = std::to_string(i);
    map += "k" + number + "=" + number + ", ";
    list += "'" + number + "', ";
    strings += std::string(i > 0 ? ", " : "") + "'" + number + "'";
    numbers += std::string(i > 0 ? ", " : "") + number;
    attributes += "a" + number + "=" + number + ", ";
  }
  return ValueNotation::ReadItem("{m={" + map + "}, l=[" + list + "{n=[" + numbers + "]}], s=<" + strings + ">, n=<" +
                                 numbers + ">, t='" + std::string(9000, 'a') + "', " + attributes + "}");
}

PathStep Index(uint32_t index) { return {true, index, {}}; }
PathStep Name(std::string name) { return {false, 0, std::move(name)}; }

TEST(ItemLookup, ResolvesLikeAPlainWalk) {
  const Item item = LargeItem();
  ItemLookup lookup(item);
  const auto expect_same = [&](const Path& path) {
    const auto found = lookup.Resolve(path), expected = path.Resolve(item);
    ASSERT_EQ(found.has_value(), expected.has_value()) << path.ToString();
    ASSERT_TRUE(!found || found->bytes().data() == expected->bytes().data()) << path.ToString();
  };
  for (uint32_t i = 0; i < kElements * 3 + 5; i += 31) {
    const std::string number = std::to_string(i);
    expect_same({"a" + number, {}});
    expect_same({"m", {Name("k" + number)}});
    expect_same({"l", {Index(i)}});
    expect_same({"l", {Index(kElements), Name("n"), Index(i)}});
    expect_same({"l", {Name("k" + number)}});
    expect_same({"m", {Index(i)}});
  }
  for (const char* name : {"", "A", "k", "zzz"}) {
    expect_same({name, {}});
    expect_same({"m", {Name(name)}});
  }
  expect_same({"l", {Index(kElements)}});
  expect_same({"l", {Index(kElements + 1)}});
  expect_same({"l", {Index(0x7fffffff)}});
}

TEST(ItemLookup, ContainsLikeAPlainWalk) {
  const Item item = LargeItem();
  ItemLookup lookup(item);
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < kElements * 3; i += 100) {
      const Value text = ValueNotation::Read("'" + std::to_string(i) + "'"),
                  number = ValueNotation::Read(std::to_string(i));
      for (const std::string_view attribute : {"l", "s"}) {
        EXPECT_EQ(lookup.Contains(*item.Find(attribute), text), i % 3 == 0) << attribute << i;
        EXPECT_FALSE(lookup.Contains(*item.Find(attribute), number)) << attribute << i;
      }
      EXPECT_EQ(lookup.Contains(*item.Find("n"), number), i % 3 == 0) << i;
      EXPECT_FALSE(lookup.Contains(*item.Find("n"), text)) << i;
    }
  }
  const Value before = ValueNotation::Read("''"), behind = ValueNotation::Read("'~'");
  EXPECT_FALSE(lookup.Contains(*item.Find("s"), before));
  EXPECT_FALSE(lookup.Contains(*item.Find("s"), behind));
  const Value inside = ValueNotation::Read("'" + std::string(8999, 'a') + "'");
  const Value outside = ValueNotation::Read("'" + std::string(8000, 'a') + "b'");
  for (int round = 0; round < 3; ++round) {
    EXPECT_TRUE(lookup.Contains(*item.Find("t"), inside));
    EXPECT_FALSE(lookup.Contains(*item.Find("t"), outside));
  }
}

TEST(ItemLookup, RemembersResultsForLargeValues) {
  const Item item = LargeItem();
  ItemLookup lookup(item);
  const Value same = ValueNotation::Read("'" + std::string(9000, 'a') + "'");
  const Value less = ValueNotation::Read("'" + std::string(8999, 'a') + "A'");
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(lookup.SizeOf(*item.Find("t")), 9000u);
    EXPECT_EQ(lookup.SizeOf(*item.Find("l")), kElements + 1u);
    EXPECT_EQ(lookup.SizeOf(*item.Find("a0")), std::nullopt);
    EXPECT_TRUE(lookup.AreEqual(*item.Find("t"), same));
    EXPECT_FALSE(lookup.AreEqual(*item.Find("t"), less));
    EXPECT_GT(lookup.CompareBytes(same.view().AsText(), less.view().AsText()), 0);
    EXPECT_LT(lookup.CompareBytes(less.view().AsText(), same.view().AsText()), 0);
  }
}

// Hundreds of operands on an item of maximum size: a linear search for each takes minutes.
TEST(ItemLookup, ManyOperandsOverALargeItemCostLittle) {
  constexpr double kLinearSeconds = 20;  // without optimization and with sanitizers
  std::string bytes;
  ValueWriter writer(bytes);
  writer.BeginItem();
  writer.Name("l");
  writer.BeginList();
  constexpr uint32_t kCount = 199'000;
  for (uint32_t i = 0; i < kCount; ++i) writer.Null();
  writer.EndList(kCount);
  writer.EndMap();
  const Item item(std::move(bytes));
  Condition any;
  any.op = Condition::Op::kOr;
  for (uint32_t i = 0; i < 3000; ++i) {
    Condition& one = any.children.emplace_back();
    one.op = i % 2 == 0 ? Condition::Op::kEq : Condition::Op::kContains;
    Path path{"l", {}};
    if (i % 2 == 0) path.steps.push_back(Index(kCount - 1 - i));
    one.operands.push_back({Operand::Kind::kPath, path, Value()});
    one.operands.push_back({Operand::Kind::kValue, Path(), ValueNotation::Read("'x'")});
  }
  const double start = ThreadCpuSeconds();
  EXPECT_FALSE(keyfold::expr::Test(any, item));
  EXPECT_LT(ThreadCpuSeconds() - start, kLinearSeconds);
}

}  // namespace
}  // namespace keyfold::expr
