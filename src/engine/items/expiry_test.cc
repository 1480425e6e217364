#include "engine/items/expiry.h"

#include <gtest/gtest.h>

#include "engine/items/key.h"
#include "testing/engine/test_database.h"

namespace keyfold::engine {
namespace {

Table ExpiringTable() {
  Table table = TableOfText("t", "p:S/s:N");
  table.id = 7;
  table.expiry = {true, "ttl", 3, true};
  return table;
}

TEST(Expiry, IsAWholeSecondFromANumber) {
  const struct {
    const char* item;
    std::optional<uint64_t> second;
  } kRows[] = {
      {"{p='a'}", std::nullopt},
      {"{p='a', ttl='1700000000'}", std::nullopt},
      {"{p='a', ttl=null}", std::nullopt},
      {"{p='a', ttl=[1700000000]}", std::nullopt},
      {"{p='a', other=1700000000}", std::nullopt},
      {"{p='a', ttl=0}", 0},
      {"{p='a', ttl=-1}", std::nullopt},
      {"{p='a', ttl=-0.5}", std::nullopt},
      {"{p='a', ttl=1700000000}", 1'700'000'000},
      {"{p='a', ttl=170000000e1}", 1'700'000'000},
      {"{p='a', ttl=1700000000.0001}", 1'700'000'001},
      {"{p='a', ttl=0.1}", 1},
      {"{p='a', ttl=1700000000000}", std::nullopt},  // milliseconds by mistake: too far in the future
      {"{p='a', ttl=1e40}", std::nullopt},
      {"{p='a', ttl=1099511627775}", 1'099'511'627'775},
      {"{p='a', ttl=1099511627776}", std::nullopt},
  };
  const Table table = ExpiringTable();
  for (const auto& row : kRows) EXPECT_EQ(ExpiryOf(table, ItemOf(row.item)), row.second) << row.item;
}

TEST(Expiry, IsDueOncePastAndForFiveYears) {
  constexpr Micros kNow = 1'700'000'000 * kSecond, kFiveYears = kExpiryAgeMaxSeconds * kSecond;
  const struct {
    Micros now;
    uint64_t expiry;
    bool due;
  } kRows[] = {
      {kNow, 1'700'000'001, false},
      {kNow, 1'700'000'000, false},  // not in the past yet
      {kNow + 1, 1'700'000'000, true},
      {kNow, 1'699'999'999, true},
      {kNow + kFiveYears, 1'700'000'000, true},
      {kNow + kFiveYears + 1, 1'700'000'000, false},
      {kNow, 0, false},
      {kSecond, 0, true},
  };
  const Table table = ExpiringTable();
  for (const auto& row : kRows) {
    EXPECT_EQ(IsDue(row.expiry, row.now), row.due) << row.expiry << " at " << row.now;
    // The sweep reads exactly these rows.
    const store::RowKey base(table.id, store::kBaseTable, "p", "s");
    const store::RowKey key = ExpiryRowKey(table, row.expiry, base);
    const store::PartitionRange range = DueRange(table, static_cast<uint8_t>(key.partition()[0]), row.now);
    EXPECT_EQ(key.sort() >= range.lower && key.sort() < range.upper, row.due) << row.expiry << " at " << row.now;
    EXPECT_EQ(range.partition, key.partition());
  }
}

TEST(Expiry, ARowLeadsBackToItsItem) {
  const Table table = ExpiringTable();
  for (const char* item : {"{p='a', s=1}", "{p='', s=-5}", "{p='abc', s=123456789}", "{p='aaaa', s=0}"}) {
    const store::RowKey base = RowKeyOf(table, ItemOf(item));
    const store::RowKey key = ExpiryRowKey(table, 1'700'000'000, base);
    const std::string value = ExpiryRowValue(base);
    EXPECT_EQ(key.index(), table.expiry.index);
    const std::optional<store::RowKey> back = BaseOfExpiryRow(table, {.key = key.bytes(), .value = value});
    ASSERT_TRUE(back) << item;
    EXPECT_EQ(*back, base) << item;
    EXPECT_EQ(back->partition(), base.partition()) << item;
    EXPECT_FALSE(BaseOfExpiryRow(table, {.key = key.bytes(), .value = "xyz"})) << item;
    EXPECT_FALSE(BaseOfExpiryRow(table, {.key = key.bytes(), .value = "\xff\xff\xff\xff"})) << item;
  }
}

}  // namespace
}  // namespace keyfold::engine
