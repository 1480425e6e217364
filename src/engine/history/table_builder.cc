#include "engine/history/table_builder.h"

#include "base/bytes.h"
#include "engine/items/index_rows.h"
#include "engine/items/key.h"

namespace keyfold::engine {
namespace {

constexpr size_t kSortBytes = 48 << 20;

std::string IdBytes(store::TableId id) {
  std::string bytes;
  AppendU32(bytes, id);
  return bytes;
}

}  // namespace

Result<std::unique_ptr<TableBuilder>> TableBuilder::Begin(store::Store& store, const Table& table,
                                                          const files::Folder& scratch) {
  ASSIGN_OR_RETURN(auto ingest, store.BeginIngest());
  return std::unique_ptr<TableBuilder>(new TableBuilder(table, scratch, std::move(ingest)));
}

TableBuilder::TableBuilder(const Table& table, const files::Folder& scratch, std::unique_ptr<store::Ingest> ingest)
    : table_(table),
      ingest_(std::move(ingest)),
      index_rows_(scratch, "index-rows-" + std::to_string(table.id), kSortBytes),
      tallies_{{store::kBaseTable, store::Tally{}}},
      key_(IdBytes(table.id)) {}

Status TableBuilder::Add(std::string_view place, ItemView item) {
  key_.resize(store::RowKey::kTableIdBytes);
  key_.append(place);
  RETURN_IF_ERROR(ingest_->Add(key_, item.bytes()));
  const auto bytes = static_cast<int64_t>(ItemSize(item));
  store::Tally& tally = tallies_[store::kBaseTable];
  ++tally.rows;
  tally.bytes += bytes;
  int64_t local_bytes = 0;
  RETURN_IF_ERROR(AddToIndexes(item, local_bytes));
  if (!table_.HasLocalIndexes()) return Ok();
  const std::string collection =
      store::RowKey(table_.id, kCollectionIndex, EncodeAttributes(table_.key.partition, item), {}).bytes();
  if (collection != collection_) {
    RETURN_IF_ERROR(EndCollection());
    collection_ = collection;
  }
  collection_bytes_ += bytes + local_bytes;
  return Ok();
}

Status TableBuilder::AddToIndexes(ItemView item, int64_t& local_bytes) {
  for (const Index& index : table_.indexes) {
    const std::optional<store::RowKey> key = IndexRowKeyOf(table_, index, item);
    if (!key) continue;
    std::optional<Item> projected;
    if (index.projection != ProjectionKind::kAll) projected = ProjectForIndex(table_, index, item);
    const ItemView shown = projected ? projected->view() : item;
    RETURN_IF_ERROR(index_rows_.Add(key->bytes(), shown.bytes()));
    const auto bytes = static_cast<int64_t>(ItemSize(shown));
    store::Tally& tally = tallies_[index.id];
    ++tally.rows;
    tally.bytes += bytes;
    if (!index.global) local_bytes += bytes;
  }
  return Ok();
}

Status TableBuilder::EndCollection() {
  if (collection_.empty()) return Ok();
  std::string value;
  AppendU64(value, static_cast<uint64_t>(collection_bytes_));
  collection_bytes_ = 0;
  return index_rows_.Add(collection_, value);
}

Status TableBuilder::Finish(Job& job) {
  RETURN_IF_ERROR(EndCollection());
  int64_t index_rows = 0;
  for (const auto& [index, tally] : tallies_) index_rows += index == store::kBaseTable ? 0 : tally.rows;
  job.Begin("indexing", JobUnit::kItems, static_cast<uint64_t>(index_rows));
  ASSIGN_OR_RETURN(const auto rows, index_rows_.Finish());
  std::string_view key, value;
  JobCounter counter(job);
  for (;;) {
    ASSIGN_OR_RETURN(const bool more, rows->Next(key, value));
    if (!more) break;
    RETURN_IF_ERROR(ingest_->Add(key, value));
    counter.Add();
  }
  counter.Flush();
  std::vector<store::Changes::Count> counts;
  for (const auto& [index, tally] : tallies_) counts.push_back({table_.id, index, tally});
  return ingest_->Finish(counts);
}

}  // namespace keyfold::engine
