// The look through a database: nothing is found in a sound one, also while it is written to, and each kind of damage
// is.
#include "engine/verify.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "engine/change_record.h"
#include "engine/database_for_test.h"

namespace keyfold {
namespace {

class VerifyTest : public testing::Test {
 protected:
  VerifyTest() {
    Table table = TableOfText("t", "p:S", {Global("g", "x:S", ProjectionKind::kKeysOnly), Global("h", "x:S")});
    table.recovery.enabled = true;
    database.Create(std::move(table));
    for (int i = 0; i < 1200; ++i) {
      const std::string n = std::to_string(i);
      EXPECT_TRUE(database.Put("t", "{p='" + n + "', x='" + n + "', y=" + n + "}").ok());
    }
  }
  Verification Verify() {
    Verification found;
    const Status status = VerifyTable(database.db(), *database.Find("t"), [](const auto&) { return true; }, found);
    EXPECT_TRUE(status.ok()) << DatabaseForTest::Message(status);
    return found;
  }
  // Past the engine.
  void Tamper(FunctionRef<void(Changes&)> change) {
    Horizon horizon;
    const auto decide = [&](Micros, std::span<const Row>, Changes& changes) {
      change(changes);
      return Ok();
    };
    ASSERT_TRUE(database.store().Mutate(database.catalog().Current()->version, {}, decide, {.horizon = horizon}).ok());
  }
  RowKey IndexKey(size_t index, std::string_view item) {
    return *IndexRowKeyOf(*database.Find("t"), database.Find("t")->indexes[index], ItemOf(item));
  }
  void ExpectFault(std::string_view says) {
    const Verification found = Verify();
    ASSERT_GE(found.faults, 1u);
    EXPECT_NE(found.first_faults[0].find(says), std::string::npos) << found.first_faults[0];
  }

  DatabaseForTest database;
};

TEST_F(VerifyTest, ASoundTableHasNoFaults) {
  const Verification found = Verify();
  EXPECT_EQ(found.items, 1200u);
  EXPECT_EQ(found.index_rows, 2400u);
  EXPECT_EQ(found.log_records, 1200u);
  EXPECT_EQ(found.faults, 0u) << found.first_faults[0];
}

TEST_F(VerifyTest, NothingIsFoundWhileWritesGoOn) {
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    for (int i = 0; !stop; ++i) {
      const std::string n = std::to_string(i % 1200);
      if (i % 5 == 0) {
        (void)database.Delete("t", "{p='" + n + "'}").ok();
      } else {
        (void)database.Put("t", "{p='" + n + "', x='" + std::to_string(i) + "'}").ok();
      }
    }
  });
  for (int round = 0; round < 5; ++round) {
    const Verification found = Verify();
    EXPECT_EQ(found.faults, 0u) << found.first_faults[0];
  }
  stop = true;
  writer.join();
}

TEST_F(VerifyTest, AMissingIndexRow) {
  Tamper([&](Changes& changes) { changes.Delete(IndexKey(0, "{p='7', x='7'}")); });
  ExpectFault("index g: an item is missing");
}

TEST_F(VerifyTest, AnIndexRowOfNoItem) {
  Tamper([&](Changes& changes) {
    changes.Put(IndexKey(1, "{p='none', x='7'}"), std::string(ItemOf("{p='none', x='7'}").bytes()));
  });
  ExpectFault("index h: a row of an item that the table does not have");
}

TEST_F(VerifyTest, AnIndexRowThatIsOld) {
  Tamper([&](Changes& changes) {
    changes.Put(IndexKey(1, "{p='7', x='7'}"), std::string(ItemOf("{p='7', x='7', y=8}").bytes()));
  });
  ExpectFault("index h: an item is not what the table has");
}

TEST_F(VerifyTest, AnItemInAnotherPlace) {
  Tamper([&](Changes& changes) {
    changes.Put(RowKeyOf(*database.Find("t"), ItemOf("{p='wrong'}")), std::string(ItemOf("{p='right'}").bytes()));
  });
  ExpectFault("an item does not stand where its key says");
}

TEST_F(VerifyTest, ALogThatLacksARecord) {
  ASSERT_TRUE(database.Put("t", "{p='7', x='new'}").ok());
  const TablePtr table = database.Find("t");
  const Item other = ItemOf("{p='7', x='not that one'}"), next = ItemOf("{p='7', x='newer'}");
  Tamper([&](Changes& changes) { changes.Log({table->id, 0, EncodeChange({other.view(), next.view(), false})}); });
  ExpectFault("does not go on from the one before");
}

}  // namespace
}  // namespace keyfold
