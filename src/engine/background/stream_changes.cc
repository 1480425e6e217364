#include "engine/background/stream_changes.h"

#include <set>

#include "base/check.h"

namespace keyfold::engine {
namespace {

constexpr Micros kLabelStep = kMillisecond;  // labels have a resolution of one millisecond

// Returns a label that no stream of the table has. It is later than `now` if the clock has not moved since the last
// stream, or if the table was recreated within the same millisecond.
std::string UnusedLabel(const CatalogSnapshot& snapshot, std::string_view table, Micros now) {
  std::string label = StreamLabel(now);
  while (snapshot.streams.contains(StreamName(table, label))) label = StreamLabel(now += kLabelStep);
  return label;
}

}  // namespace

void OpenStream(const CatalogSnapshot& snapshot, Micros now, uint32_t shards, Table& table, CatalogEdit& edit) {
  CHECK(shards >= 1 && shards <= kStreamShardsMax);
  table.stream.label = UnusedLabel(snapshot, table.name, now);
  Stream stream;
  stream.table = table.name;
  stream.table_id = table.id;
  stream.label = table.stream.label;
  stream.key = table.key;
  stream.view_type = table.stream.view_type;
  stream.created = now;
  for (uint32_t i = 0; i < shards; ++i) {
    const store::Slot first = static_cast<store::Slot>(uint64_t{store::kSlots} * i / shards);
    const store::Slot last = static_cast<store::Slot>(uint64_t{store::kSlots} * (i + 1) / shards - 1);
    stream.shards.push_back({.number = stream.next_shard++, .first = first, .last = last});
  }
  edit.stream_puts.push_back(std::move(stream));
}

void CloseStream(const CatalogSnapshot& snapshot, Micros now, const Table& table, CatalogEdit& edit) {
  const auto it = snapshot.streams.find(StreamName(table.name, table.stream.label));
  if (it == snapshot.streams.end() || !it->second->enabled()) return;
  Stream closed = *it->second;
  closed.disabled = now;
  closed.CloseShards();
  edit.stream_puts.push_back(std::move(closed));
}

void DropStreams(const CatalogSnapshot& snapshot, CatalogEdit& edit) {
  std::set<store::TableId> tables;
  for (const auto& [name, stream] : snapshot.streams) {
    edit.stream_removes.push_back(name);
    tables.insert(stream->table_id);
  }
  for (const store::TableId table : tables) edit.purges_added.emplace_back(table, kLogOfTable);
}

}  // namespace keyfold::engine
