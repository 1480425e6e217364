#include "value/item_limit.h"

#include <gtest/gtest.h>

#include <string>

namespace keyfold {
namespace {

Item Nulls(uint32_t count) {
  std::string bytes;
  ValueWriter writer(bytes);
  writer.BeginItem();
  writer.Name("a");
  writer.BeginList();
  for (uint32_t i = 0; i < count; ++i) writer.Null();
  writer.EndList(count);
  writer.EndMap();
  return Item(std::move(bytes));
}

Item Text(size_t count) {
  std::string bytes;
  ValueWriter writer(bytes);
  writer.BeginItem();
  writer.Name("a");
  writer.String(std::string(count, 'x'));
  writer.EndMap();
  return Item(std::move(bytes));
}

// A list of the smallest values has the largest size per stored byte.
TEST(ItemLimit, CountsAsDynamoDb) {
  constexpr uint32_t kNullsMax = (kItemBytesMax - 4) / 2;  // the name, three bytes for the list, two for each element
  EXPECT_EQ(ItemSize(Nulls(kNullsMax)), kItemBytesMax);
  EXPECT_FALSE(ExceedsItemLimit(Nulls(kNullsMax)));
  EXPECT_TRUE(ExceedsItemLimit(Nulls(kNullsMax + 1)));
  EXPECT_FALSE(ExceedsItemLimit(Text(kItemBytesMax - 1)));
  EXPECT_TRUE(ExceedsItemLimit(Text(kItemBytesMax)));
  EXPECT_FALSE(ExceedsItemLimit(ItemView()));
}

}  // namespace
}  // namespace keyfold
