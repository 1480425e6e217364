// A complete database for the tests of src/engine, on the memory store or on RocksDB in its own folder. It can be
// closed and reopened. Items, keys and expressions are written as text (testing/expr/value_notation.h).
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/background/table_lifecycle.h"
#include "engine/catalog/catalog.h"
#include "engine/catalog/database.h"
#include "engine/items/index_rows.h"
#include "engine/items/item_read.h"
#include "engine/items/item_write.h"
#include "engine/items/key.h"
#include "engine/items/query.h"
#include "store/rocksdb/open.h"
#include "testing/expr/value_notation.h"

namespace keyfold::engine {

inline Item ItemOf(std::string_view text) { return expr::ValueNotation::ReadItem(text); }
inline std::string Print(ItemView item) { return expr::ValueNotation::Print(item); }

// "p:S" or "p:S/s:N" or, for an index, "a:S,b:N/c:B,d:S".
inline KeySchema KeySchemaOfText(std::string_view text) {
  KeySchema key;
  auto* side = &key.partition;
  while (!text.empty()) {
    const size_t colon = text.find(':');
    side->push_back({std::string(text.substr(0, colon)), *TypeByName(text.substr(colon + 1, 1))});
    if (text.substr(colon).size() > 2 && text[colon + 2] == '/') side = &key.sort;
    text.remove_prefix(std::min(text.size(), colon + 3));
  }
  return key;
}

inline Index IndexOfText(std::string name, bool global, std::string_view key, ProjectionKind projection,
                         std::vector<std::string> included = {}) {
  Index index;
  index.name = std::move(name);
  index.global = global;
  index.key = KeySchemaOfText(key);
  index.projection = projection;
  index.included = std::move(included);
  return index;
}
inline Index Global(std::string name, std::string_view key, ProjectionKind projection = ProjectionKind::kAll,
                    std::vector<std::string> included = {}) {
  return IndexOfText(std::move(name), true, key, projection, std::move(included));
}
inline Index Local(std::string name, std::string_view key, ProjectionKind projection = ProjectionKind::kAll,
                   std::vector<std::string> included = {}) {
  return IndexOfText(std::move(name), false, key, projection, std::move(included));
}

inline void DefineAttributes(Table& table, const KeySchema& key) {
  for (const auto* side : {&key.partition, &key.sort}) {
    for (const KeyAttribute& a : *side) {
      if (!table.TypeOf(a.name)) table.attributes.push_back(a);
    }
  }
}

inline Table TableOfText(std::string name, std::string_view key, std::vector<Index> indexes = {}) {
  Table table;
  table.name = std::move(name);
  table.key = KeySchemaOfText(key);
  table.indexes = std::move(indexes);
  DefineAttributes(table, table.key);
  for (const Index& index : table.indexes) DefineAttributes(table, index.key);
  return table;
}

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

// Forwards every call to another store; a test's subclass overrides some of them.
class StoreBehind : public store::Store {
 public:
  explicit StoreBehind(store::Store& store) : store_(store) {}

  Status Mutate(store::CatalogVersion catalog, std::span<const store::RowKey> keys, store::Decide decide,
                store::Access access) override {
    return store_.Mutate(catalog, keys, decide, access);
  }
  Status Get(std::span<const store::RowKey> keys, std::vector<store::Row>& rows, store::Access access) override {
    return store_.Get(keys, rows, access);
  }
  Status GetAtomic(std::span<const store::RowKey> keys, std::vector<store::Row>& rows, store::Access access) override {
    return store_.GetAtomic(keys, rows, access);
  }
  Status Range(const store::PartitionRange& range, store::Visit visit, store::Access access) override {
    return store_.Range(range, visit, access);
  }
  Status RangeWithBase(const store::PartitionRange& range, BaseKey base_key, VisitPair visit,
                       store::Access access) override {
    return store_.RangeWithBase(range, base_key, visit, access);
  }
  Status ScanSlots(const store::SlotRange& range, store::Visit visit, store::Access access) override {
    return store_.ScanSlots(range, visit, access);
  }
  Result<store::LogPosition> ReadLog(const store::LogRange& range, store::VisitLog visit) override {
    return store_.ReadLog(range, visit);
  }
  Status TrimLog(store::TableId table, Micros before) override { return store_.TrimLog(table, before); }
  store::CatalogState ReadCatalog() override { return store_.ReadCatalog(); }
  Status WriteCatalog(store::CatalogVersion expected, MakeCatalogChanges make) override {
    return store_.WriteCatalog(expected, make);
  }
  store::Tally ReadTally(store::TableId table, store::IndexId index) override { return store_.ReadTally(table, index); }
  Result<store::Tally> ScanWithTally(store::TableId table, store::IndexId index, store::Visit visit,
                                     store::Access access) override {
    return store_.ScanWithTally(table, index, visit, access);
  }
  Result<std::unique_ptr<store::Ingest>> BeginIngest() override { return store_.BeginIngest(); }
  Status Purge(store::TableId table, store::IndexId index) override { return store_.Purge(table, index); }
  store::CommitNumber Durable() const override { return store_.Durable(); }
  void WhenDurable(store::CommitNumber number, std::function<void()> done) override {
    store_.WhenDurable(number, std::move(done));
  }
  void SyncSoon() override { store_.SyncSoon(); }
  store::DiskSpace Disk() const override { return store_.Disk(); }
  Status HasRoomForFiles(uint64_t bytes) const override { return store_.HasRoomForFiles(bytes); }
  store::StoreInfo Info() const override { return store_.Info(); }
  std::string LastError() const override { return store_.LastError(); }

 private:
  store::Store& store_;
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
  explicit DatabaseForTest(StoreKind kind = StoreKind::kMemory, Micros delay = 0) : kind_(kind), delay_(delay) {
    if (kind_ == StoreKind::kRocksdb) {
      folder_ = testing::TempDir() + "keyfold-engine-XXXXXX";
      CHECK(mkdtemp(folder_.data()) != nullptr);
    }
    Open();
  }
  ~DatabaseForTest() {
    Close();
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }

  // Simulates a restart. With the memory store, only the layers above the store restart.
  void Reopen() {
    Close();
    Open();
  }
  void set_delay(Micros delay) { delay_ = delay; }  // takes effect at the next Reopen()

  Database db() { return {*store_, *catalog_, clock}; }
  store::Store& store() { return *store_; }
  Catalog& catalog() { return *catalog_; }
  TableLifecycle& lifecycle() { return *lifecycle_; }
  TablePtr Find(std::string_view table) { return catalog_->Current()->Find(table); }

  TablePtr Create(Table table) {
    Result<TablePtr> created = lifecycle_->Create(std::move(table));
    CHECK(created.ok());
    return *created;
  }
  // These do what UpdateTable does to add or remove an index.
  Status AddIndex(std::string_view table, Index index) {
    return Changed(table, [&](const Table&, Table& next) {
      DefineAttributes(next, index.key);
      index.status = IndexStatus::kCreating;
      index.backfilling = true;
      next.indexes.push_back(index);
      return Ok();
    });
  }
  Status DropIndex(std::string_view table, std::string_view name) {
    return Changed(table, [&](const Table&, Table& next) {
      for (Index& index : next.indexes) {
        if (index.name != name) continue;
        index.status = IndexStatus::kDeleting;
        index.backfilling = false;
      }
      return Ok();
    });
  }
  // Runs background work until nothing is due.
  void RunBackgroundWork() {
    while (lifecycle_->WorkOnce() == std::chrono::milliseconds(0)) {
    }
  }

  Result<WriteOutcome> Write(ItemWrite::Action action, std::string_view table, std::string_view item_text,
                             const WriteText& text = {}, store::Wait wait = store::Wait::kAllowed) {
    const Item item = ItemOf(item_text);
    expr::PlaceholdersForTest placeholders(text.values);
    ItemWrite write{.action = action, .table = table, .item = item};
    expr::Condition condition;
    expr::Update update;
    if (!text.condition.empty()) {
      condition = *expr::ParseCondition("ConditionExpression", text.condition, placeholders.get());
      write.condition = &condition;
    }
    if (!text.update.empty()) {
      update = *expr::ParseUpdate(text.update, placeholders.get());
      write.update = &update;
    }
    write.failed_item = text.failed_item;
    write.keep_old = write.keep_new = true;
    WriteOutcome outcome;
    store::Horizon horizon;
    RETURN_IF_ERROR(WriteItems(db(), {&write, 1}, {&outcome, 1}, {horizon, wait}));
    return outcome;
  }
  Result<WriteOutcome> Put(std::string_view table, std::string_view item, const WriteText& text = {}) {
    return Write(ItemWrite::Action::kPut, table, item, text);
  }
  Result<WriteOutcome> Delete(std::string_view table, std::string_view key, const WriteText& text = {}) {
    return Write(ItemWrite::Action::kDelete, table, key, text);
  }
  Result<WriteOutcome> Change(std::string_view table, std::string_view key, const WriteText& text) {
    return Write(ItemWrite::Action::kUpdate, table, key, text);
  }
  void PutAll(std::string_view table, const std::vector<std::string>& items) {
    for (const std::string& item : items) ASSERT_EQ(Message(Put(table, item)), "") << item;
  }

  // Returns the item, "" if there is none, or the error message.
  std::string Get(std::string_view table, std::string_view key_text) {
    const Item key = ItemOf(key_text);
    const ItemView view = key;
    store::Horizon horizon;
    const Result<ItemsRead> read = ReadItems(db(), table, {&view, 1}, {}, {horizon});
    if (!read.ok()) return read.error().message();
    return read->rows[0].exists ? Print(ItemView(read->rows[0].value)) : "";
  }

  Result<QueryAnswer> Query(std::string_view table, const PageText& text) {
    expr::PlaceholdersForTest placeholders(text.values);
    const expr::KeyCondition key_condition = *expr::ParseKeyCondition(text.key, placeholders.get());
    QueryInput query;
    query.key_condition = &key_condition;
    query.forward = text.forward;
    return Read(table, text, placeholders, query,
                [&](Emit emit, RequestContext access) { return RunQuery(db(), query, emit, access); });
  }
  Result<QueryAnswer> Scan(std::string_view table, const PageText& text = {}) {
    expr::PlaceholdersForTest placeholders(text.values);
    ScanInput scan;
    scan.segment = text.segment;
    scan.segments = text.segments;
    return Read(table, text, placeholders, scan,
                [&](Emit emit, RequestContext access) { return RunScan(db(), scan, emit, access); });
  }

  // Every row of a table or index, as stored.
  std::map<std::string, std::string> Rows(store::TableId table, store::IndexId index) {
    std::map<std::string, std::string> rows;
    store::Horizon horizon;
    store::SlotRange range;
    range.table = table;
    range.index = index;
    const auto collect = [&](const store::RowView& row) {
      rows.emplace(row.key, row.value);
      return true;
    };
    EXPECT_TRUE(store_->ScanSlots(range, collect, {horizon}).ok());
    return rows;
  }

  // Expects that indexes, tallies and collection sizes are exactly what follows from the table's items.
  void ExpectSound(std::string_view name) {
    const TablePtr table = Find(name);
    ASSERT_TRUE(table);
    const auto base = Rows(table->id, store::kBaseTable);
    ExpectTally(table->id, store::kBaseTable, base);
    std::map<std::string, int64_t> collections;
    for (const auto& [key, value] : base)
      AddToCollection(*table, ItemView(value), ItemSize(ItemView(value)), collections);
    for (const Index& index : table->indexes) {
      std::map<std::string, std::string> expected;
      for (const auto& [key, value] : base) {
        const std::optional<store::RowKey> row = IndexRowKeyOf(*table, index, ItemView(value));
        if (!row) continue;
        const Item shown = ProjectForIndex(*table, index, ItemView(value));
        expected.emplace(row->bytes(), shown.bytes());
        if (!index.global) AddToCollection(*table, ItemView(value), ItemSize(shown), collections);
      }
      EXPECT_TRUE(Rows(table->id, index.id) == expected) << index.name << ": rows do not match the items";
      ExpectTally(table->id, index.id, expected);
    }
    std::map<std::string, int64_t> kept;
    for (const auto& [key, value] : Rows(table->id, kCollectionIndex)) kept.emplace(key, LoadU64(value.data()));
    if (!table->HasLocalIndexes()) collections.clear();
    EXPECT_EQ(kept, collections);
  }

  template <typename T>
  static std::string Message(const Result<T>& result) {
    return result.ok() ? "" : result.error().message();
  }
  static std::string Message(const Status& status) { return status.ok() ? "" : status.message(); }

  ManualClock clock{1'700'000'000'000'000};

 private:
  void Open() {
    if (!store_) {
      if (kind_ == StoreKind::kMemory) {
        store_ = store::MakeMemoryStore(clock);
      } else {
        Result<std::unique_ptr<store::Store>> opened =
            store::OpenRocksdbStore({.path = folder_, .cache_bytes = 8 << 20}, clock);
        CHECK(opened.ok());
        store_ = *std::move(opened);
      }
    }
    Result<std::unique_ptr<Catalog>> catalog = Catalog::Open(*store_);
    CHECK(catalog.ok());
    catalog_ = *std::move(catalog);
    lifecycle_ = std::make_unique<TableLifecycle>(db(), delay_, 7);
  }
  void Close() {
    lifecycle_.reset();
    catalog_.reset();
    if (kind_ == StoreKind::kRocksdb) store_.reset();
  }

  Status Changed(std::string_view table, FunctionRef<Status(const Table&, Table&)> change) {
    Result<TablePtr> updated = lifecycle_->Update(table, change);
    if (!updated.ok()) return std::move(updated).TakeError();
    return Ok();
  }

  Result<QueryAnswer> Read(std::string_view table, const PageText& text, expr::PlaceholdersForTest& placeholders,
                           PageRequest& request, FunctionRef<Result<QueryOutcome>(Emit, RequestContext)> read) {
    expr::Condition filter;
    if (!text.filter.empty()) {
      filter = *expr::ParseCondition("FilterExpression", text.filter, placeholders.get());
      request.filter = &filter;
    }
    expr::Projection projection;
    if (!text.projection.empty()) projection = *expr::ParseProjection(text.projection, placeholders.get());
    request.projection = &projection;
    Item start;
    if (!text.start.empty()) {
      start = ItemOf(text.start);
      request.start = start.view();
    }
    request.table = table;
    request.index = text.index;
    request.consistent = text.consistent;
    request.limit = text.limit;
    request.selection = text.selection;
    Result<QueryAnswer> answer = ReadOnce(read, nullptr);
    // Reads again while yielding at every row; the result must be the same.
    GivesWay turns;
    Pace pace = Pace::InTurns(turns, /*slice=*/{}, /*steps_per_look=*/1);
    const Result<QueryAnswer> again = ReadOnce(read, &pace);
    EXPECT_EQ(Message(again), Message(answer));
    if (answer.ok() && again.ok()) {
      EXPECT_EQ(again->items, answer->items);
      EXPECT_EQ(again->last_key, answer->last_key);
      EXPECT_EQ(again->outcome.count, answer->outcome.count);
      EXPECT_EQ(again->outcome.scanned, answer->outcome.scanned);
      EXPECT_EQ(again->outcome.units.table, answer->outcome.units.table);
    }
    return answer;
  }

  static Result<QueryAnswer> ReadOnce(FunctionRef<Result<QueryOutcome>(Emit, RequestContext)> read, Pace* pace) {
    QueryAnswer answer;
    store::Horizon horizon;
    const auto emit = [&](ItemView item) { answer.items.push_back(Print(item)); };
    ASSIGN_OR_RETURN(answer.outcome, read(emit, {{horizon, store::Wait::kAllowed, pace}}));
    if (answer.outcome.last_key) answer.last_key = Print(*answer.outcome.last_key);
    return answer;
  }

  static void AddToCollection(const Table& table, ItemView item, size_t bytes,
                              std::map<std::string, int64_t>& collections) {
    const store::RowKey key(table.id, kCollectionIndex, EncodeAttributes(table.key.partition, item), {});
    collections[key.bytes()] += static_cast<int64_t>(bytes);
  }
  void ExpectTally(store::TableId table, store::IndexId index, const std::map<std::string, std::string>& rows) {
    int64_t bytes = 0;
    for (const auto& [key, value] : rows) bytes += static_cast<int64_t>(ItemSize(ItemView(value)));
    const store::Tally tally = store_->ReadTally(table, index);
    EXPECT_EQ(tally.rows, static_cast<int64_t>(rows.size())) << "rows of index " << index;
    EXPECT_EQ(tally.bytes, bytes) << "bytes of index " << index;
  }

  const StoreKind kind_;
  Micros delay_;
  std::string folder_;
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<Catalog> catalog_;
  std::unique_ptr<TableLifecycle> lifecycle_;
};

// Base class for tests that both stores must pass.
class OnEachStore : public testing::TestWithParam<StoreKind> {};
inline std::string NameOfStore(const testing::TestParamInfo<StoreKind>& info) {
  return info.param == StoreKind::kMemory ? "memory" : "rocksdb";
}
inline auto EachStore() { return testing::Values(StoreKind::kMemory, StoreKind::kRocksdb); }

}  // namespace keyfold::engine
