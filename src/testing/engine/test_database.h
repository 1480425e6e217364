// A complete database for the tests of src/engine, on the memory store or on RocksDB in its own folder. It can be
// closed and reopened. Items, keys and expressions are written as text (testing/expr/value_notation.h).
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/background/table_lifecycle.h"
#include "engine/catalog/catalog.h"
#include "engine/catalog/database.h"
#include "engine/items/item_write.h"
#include "engine/items/query.h"

namespace keyfold::engine {

using Action = ItemWrite::Action;

Item ItemOf(std::string_view text);
std::string Print(ItemView item);

// "p:S" or "p:S/s:N" or, for an index, "a:S,b:N/c:B,d:S".
KeySchema KeySchemaOfText(std::string_view text);

Index Global(std::string name, std::string_view key, ProjectionKind projection = ProjectionKind::kAll,
             std::vector<std::string> included = {});
Index Local(std::string name, std::string_view key, ProjectionKind projection = ProjectionKind::kAll,
            std::vector<std::string> included = {});

// A table that no catalog has yet, with the attribute definitions that its keys need.
Table TableOfText(std::string name, std::string_view key, std::vector<Index> indexes = {});

// A request's parts as text; empty if absent. `values` has the :values of all its expressions.
struct WriteText {
  std::string_view condition = {}, update = {}, values = "{}";
  bool failed_item = false;
};
struct PageText {
  std::string_view index = {}, key = {}, filter = {}, projection = {}, values = "{}";
  bool forward = true, consistent = false;
  int64_t limit = 0, segment = 0, segments = 1;
  Selection selection = Selection::kDefault;
  std::string start = {};
};
struct QueryAnswer {
  std::vector<std::string> items;
  QueryOutcome outcome;
  std::string last_key;  // empty if there is none
};

// Counts how often it is asked to yield.
class GivesWay final : public Turns {
 public:
  void GiveWay() override { ++times; }
  bool stopping() const override { return stops; }
  int times = 0;
  bool stops = false;
};

enum class StoreKind : uint8_t { kMemory, kRocksdb };

// Used by one thread at a time, except for Write, Get and Page.
class DatabaseForTest {
 public:
  explicit DatabaseForTest(StoreKind kind = StoreKind::kMemory, Micros delay = 0);
  ~DatabaseForTest();

  // Simulates a restart. With the memory store, only the layers above the store restart.
  void Reopen();
  void set_delay(Micros delay) { delay_ = delay; }  // takes effect at the next Reopen()

  Database db() { return {*store_, *catalog_, clock}; }
  store::Store& store() { return *store_; }
  Catalog& catalog() { return *catalog_; }
  TableLifecycle& lifecycle() { return *lifecycle_; }
  TablePtr Find(std::string_view table) { return catalog_->Current()->Find(table); }

  TablePtr Create(Table table);
  // These do what UpdateTable does to add or remove an index.
  Status AddIndex(std::string_view table, Index index);
  Status DropIndex(std::string_view table, std::string_view name);
  // Runs background work until nothing is due.
  void RunBackgroundWork();

  Result<WriteOutcome> Write(Action action, std::string_view table, std::string_view item_text,
                             const WriteText& text = {}, store::Wait wait = store::Wait::kAllowed);
  Result<WriteOutcome> Put(std::string_view table, std::string_view item, const WriteText& text = {});
  Result<WriteOutcome> Delete(std::string_view table, std::string_view key, const WriteText& text = {});
  Result<WriteOutcome> Change(std::string_view table, std::string_view key, const WriteText& text);
  void PutAll(std::string_view table, const std::vector<std::string>& items);

  // Returns the item, "" if there is none, or the error message.
  std::string Get(std::string_view table, std::string_view key_text);

  // These read each page twice, the second time while yielding at every row, and expect the same result.
  Result<QueryAnswer> Query(std::string_view table, const PageText& text);
  Result<QueryAnswer> Scan(std::string_view table, const PageText& text = {});

  // Every row of a table or index, as stored.
  std::map<std::string, std::string> Rows(store::TableId table, store::IndexId index);

  // Expects that indexes, tallies and collection sizes are exactly what follows from the table's items.
  void ExpectSound(std::string_view name);

  template <typename T>
  static std::string Message(const Result<T>& result) {
    return result.ok() ? "" : result.error().message();
  }
  static std::string Message(const Status& status) { return status.ok() ? "" : status.message(); }

  ManualClock clock{1'700'000'000'000'000};

 private:
  void Open();
  void Close();
  void ExpectTally(store::TableId table, store::IndexId index, const std::map<std::string, std::string>& rows);

  const StoreKind kind_;
  Micros delay_;
  std::string folder_;
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<Catalog> catalog_;
  std::unique_ptr<TableLifecycle> lifecycle_;
};

// Base class for tests that both stores must pass.
class OnEachStore : public testing::TestWithParam<StoreKind> {};
std::string NameOfStore(const testing::TestParamInfo<StoreKind>& info);
inline auto EachStore() { return testing::Values(StoreKind::kMemory, StoreKind::kRocksdb); }

}  // namespace keyfold::engine
