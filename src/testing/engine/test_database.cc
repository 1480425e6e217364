#include "testing/engine/test_database.h"

#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/bytes.h"
#include "base/check.h"
#include "base/pace.h"
#include "engine/items/index_rows.h"
#include "engine/items/item_read.h"
#include "engine/items/key.h"
#include "store/rocksdb/open.h"
#include "testing/expr/value_notation.h"

namespace keyfold::engine {
namespace {

Index IndexOfText(std::string name, bool global, std::string_view key, ProjectionKind projection,
                  std::vector<std::string> included) {
  Index index;
  index.name = std::move(name);
  index.global = global;
  index.key = KeySchemaOfText(key);
  index.projection = projection;
  index.included = std::move(included);
  return index;
}

void DefineAttributes(Table& table, const KeySchema& key) {
  for (const KeyAttribute& a : key.attributes()) {
    if (!table.TypeOf(a.name)) table.attributes.push_back(a);
  }
}

Status ChangeTable(TableLifecycle& lifecycle, std::string_view table,
                   FunctionRef<Status(const Table&, Table&)> change) {
  Result<TablePtr> updated = lifecycle.Update(table, change);
  if (!updated.ok()) return std::move(updated).TakeError();
  return Ok();
}

// Runs a Query or Scan that is complete except for where its items go.
using ReadPage = FunctionRef<Result<QueryOutcome>(Emit, RequestContext)>;

Result<QueryAnswer> ReadOnce(ReadPage read, Pace* pace) {
  QueryAnswer answer;
  store::Horizon horizon;
  const auto emit = [&](ItemView item) { answer.items.push_back(Print(item)); };
  ASSIGN_OR_RETURN(answer.outcome, read(emit, {{horizon, store::Wait::kAllowed, pace}}));
  if (answer.outcome.last_key) answer.last_key = Print(*answer.outcome.last_key);
  return answer;
}

Result<QueryAnswer> ReadTwice(ReadPage read) {
  Result<QueryAnswer> answer = ReadOnce(read, nullptr);
  GivesWay turns;
  Pace pace = Pace::InTurns(turns, /*slice=*/{}, /*steps_per_look=*/1);
  const Result<QueryAnswer> again = ReadOnce(read, &pace);
  EXPECT_EQ(DatabaseForTest::Message(again), DatabaseForTest::Message(answer));
  if (answer.ok() && again.ok()) {
    EXPECT_EQ(again->items, answer->items);
    EXPECT_EQ(again->last_key, answer->last_key);
    EXPECT_EQ(again->outcome.count, answer->outcome.count);
    EXPECT_EQ(again->outcome.scanned, answer->outcome.scanned);
    EXPECT_EQ(again->outcome.units.table, answer->outcome.units.table);
  }
  return answer;
}

// Completes `request`, which `read` uses, with the parts of `text` that Query and Scan share.
Result<QueryAnswer> ReadText(std::string_view table, const PageText& text, expr::PlaceholdersForTest& placeholders,
                             PageRequest& request, ReadPage read) {
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
  Result<QueryAnswer> answer = ReadTwice(read);
  // They end with this function, but the request does not.
  request.filter = nullptr;
  request.projection = nullptr;
  request.start = {};
  return answer;
}

void AddToCollection(const Table& table, ItemView item, size_t bytes, std::map<std::string, int64_t>& collections) {
  const store::RowKey key(table.id, kCollectionIndex, EncodeAttributes(table.key.partition, item), {});
  collections[key.bytes()] += static_cast<int64_t>(bytes);
}

}  // namespace

Item ItemOf(std::string_view text) { return expr::ValueNotation::ReadItem(text); }

std::string Print(ItemView item) { return expr::ValueNotation::Print(item); }

KeySchema KeySchemaOfText(std::string_view text) {
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

Index Global(std::string name, std::string_view key, ProjectionKind projection, std::vector<std::string> included) {
  return IndexOfText(std::move(name), true, key, projection, std::move(included));
}

Index Local(std::string name, std::string_view key, ProjectionKind projection, std::vector<std::string> included) {
  return IndexOfText(std::move(name), false, key, projection, std::move(included));
}

Table TableOfText(std::string name, std::string_view key, std::vector<Index> indexes) {
  Table table;
  table.name = std::move(name);
  table.key = KeySchemaOfText(key);
  table.indexes = std::move(indexes);
  DefineAttributes(table, table.key);
  for (const Index& index : table.indexes) DefineAttributes(table, index.key);
  return table;
}

DatabaseForTest::DatabaseForTest(StoreKind kind, Micros delay) : kind_(kind), delay_(delay) {
  if (kind_ == StoreKind::kRocksdb) {
    folder_ = testing::TempDir() + "keyfold-engine-XXXXXX";
    CHECK(mkdtemp(folder_.data()) != nullptr);
  }
  Open();
}

DatabaseForTest::~DatabaseForTest() {
  Close();
  if (!folder_.empty()) std::filesystem::remove_all(folder_);
}

void DatabaseForTest::Reopen() {
  Close();
  Open();
}

TablePtr DatabaseForTest::Create(Table table) {
  Result<TablePtr> created = lifecycle_->Create(std::move(table));
  CHECK(created.ok());
  return *created;
}

Status DatabaseForTest::AddIndex(std::string_view table, Index index) {
  return ChangeTable(*lifecycle_, table, [&](const Table&, Table& next) {
    DefineAttributes(next, index.key);
    index.status = IndexStatus::kCreating;
    index.backfilling = true;
    next.indexes.push_back(index);
    return Ok();
  });
}

Status DatabaseForTest::DropIndex(std::string_view table, std::string_view name) {
  return ChangeTable(*lifecycle_, table, [&](const Table&, Table& next) {
    for (Index& index : next.indexes) {
      if (index.name != name) continue;
      index.status = IndexStatus::kDeleting;
      index.backfilling = false;
    }
    return Ok();
  });
}

void DatabaseForTest::RunBackgroundWork() {
  while (lifecycle_->WorkOnce() == std::chrono::milliseconds(0)) {
  }
}

Result<WriteOutcome> DatabaseForTest::Write(Action action, std::string_view table, std::string_view item_text,
                                            const WriteText& text, store::Wait wait) {
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

Result<WriteOutcome> DatabaseForTest::Put(std::string_view table, std::string_view item, const WriteText& text) {
  return Write(Action::kPut, table, item, text);
}

Result<WriteOutcome> DatabaseForTest::Delete(std::string_view table, std::string_view key, const WriteText& text) {
  return Write(Action::kDelete, table, key, text);
}

Result<WriteOutcome> DatabaseForTest::Change(std::string_view table, std::string_view key, const WriteText& text) {
  return Write(Action::kUpdate, table, key, text);
}

void DatabaseForTest::PutAll(std::string_view table, const std::vector<std::string>& items) {
  for (const std::string& item : items) ASSERT_EQ(Message(Put(table, item)), "") << item;
}

std::string DatabaseForTest::Get(std::string_view table, std::string_view key_text) {
  const Item key = ItemOf(key_text);
  const ItemView view = key;
  store::Horizon horizon;
  const Result<ItemsRead> read = ReadItems(db(), table, {&view, 1}, {}, {horizon});
  if (!read.ok()) return read.error().message();
  return read->rows[0].exists ? Print(ItemView(read->rows[0].value)) : "";
}

Result<QueryAnswer> DatabaseForTest::Query(std::string_view table, const PageText& text) {
  expr::PlaceholdersForTest placeholders(text.values);
  const expr::KeyCondition key_condition = *expr::ParseKeyCondition(text.key, placeholders.get());
  QueryInput query;
  query.key_condition = &key_condition;
  query.forward = text.forward;
  return ReadText(table, text, placeholders, query,
                  [&](Emit emit, RequestContext access) { return RunQuery(db(), query, emit, access); });
}

Result<QueryAnswer> DatabaseForTest::Scan(std::string_view table, const PageText& text) {
  expr::PlaceholdersForTest placeholders(text.values);
  ScanInput scan;
  scan.segment = text.segment;
  scan.segments = text.segments;
  return ReadText(table, text, placeholders, scan,
                  [&](Emit emit, RequestContext access) { return RunScan(db(), scan, emit, access); });
}

std::map<std::string, std::string> DatabaseForTest::Rows(store::TableId table, store::IndexId index) {
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

void DatabaseForTest::ExpectSound(std::string_view name) {
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

void DatabaseForTest::Open() {
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

void DatabaseForTest::Close() {
  lifecycle_.reset();
  catalog_.reset();
  if (kind_ == StoreKind::kRocksdb) store_.reset();
}

void DatabaseForTest::ExpectTally(store::TableId table, store::IndexId index,
                                  const std::map<std::string, std::string>& rows) {
  int64_t bytes = 0;
  for (const auto& [key, value] : rows) bytes += static_cast<int64_t>(ItemSize(ItemView(value)));
  const store::Tally tally = store_->ReadTally(table, index);
  EXPECT_EQ(tally.rows, static_cast<int64_t>(rows.size())) << "rows of index " << index;
  EXPECT_EQ(tally.bytes, bytes) << "bytes of index " << index;
}

std::string NameOfStore(const testing::TestParamInfo<StoreKind>& info) {
  return info.param == StoreKind::kMemory ? "memory" : "rocksdb";
}

}  // namespace keyfold::engine
