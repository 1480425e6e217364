#include "store/rocksdb/row_cache.h"

#include <cstdlib>
#include <cstring>
#include <new>

#include "base/check.h"
#include "base/hash.h"

namespace keyfold::store {

// Its key and value follow it in the same allocation.
struct RowCache::Entry {
  Entry* next;  // in its chain
  uint64_t hash;
  CommitNumber commit;
  uint32_t key_bytes, value_bytes;
  uint32_t at;  // position in Shard::entries
  bool used;    // since the clock hand last passed

  char* data() { return reinterpret_cast<char*>(this + 1); }
  std::string_view key() { return {data(), key_bytes}; }
  std::string_view value() { return {data() + key_bytes, value_bytes}; }
  // Memory used, including the pointers to it and malloc's overhead.
  size_t bytes() const { return sizeof(Entry) + key_bytes + value_bytes + 2 * sizeof(void*) + 16; }
};

RowCache::~RowCache() {
  for (Shard& shard : shards_) {
    for (Entry* entry : shard.entries) ::operator delete(entry);
  }
}

RowCache::Entry** RowCache::Shard::Place(uint64_t hash, std::string_view key) {
  Entry** link = &buckets[(hash / kShards) & (buckets.size() - 1)];
  while (*link != nullptr && ((*link)->hash != hash || (*link)->key() != key)) link = &(*link)->next;
  return link;
}

void RowCache::Shard::Remove(Entry** link) {
  Entry* const entry = *link;
  CHECK(entry != nullptr);
  *link = entry->next;
  bytes -= entry->bytes();
  entries[entry->at] = entries.back();
  entries[entry->at]->at = entry->at;
  entries.pop_back();
  ::operator delete(entry);
}

void RowCache::Shard::Grow() {
  std::vector<Entry*> wider(buckets.empty() ? 16 : 2 * buckets.size());
  for (Entry* entry : entries) {
    Entry*& first = wider[(entry->hash / kShards) & (wider.size() - 1)];
    entry->next = first;
    first = entry;
  }
  buckets.swap(wider);
}

// CLOCK eviction: entries used since the hand last passed stay for another round.
void RowCache::Shard::EvictTo(size_t bytes_max) {
  while (bytes > bytes_max) {
    if (hand >= entries.size()) hand = 0;
    Entry* const entry = entries[hand];
    if (entry->used) {
      entry->used = false;
      ++hand;
    } else {
      Remove(Place(entry->hash, entry->key()));
    }
  }
}

void RowCache::Shard::Add(uint64_t hash, std::string_view key, std::string_view value, CommitNumber commit,
                          size_t bytes_max) {
  if (entries.size() >= buckets.size()) Grow();
  if (Entry** const link = Place(hash, key); *link != nullptr) Remove(link);
  const size_t size = sizeof(Entry) + key.size() + value.size();
  // A row that would evict a large part of the others is not cached.
  if (size > bytes_max / 8) return;
  auto* const entry = new (::operator new(size)) Entry{.next = nullptr,
                                                       .hash = hash,
                                                       .commit = commit,
                                                       .key_bytes = static_cast<uint32_t>(key.size()),
                                                       .value_bytes = static_cast<uint32_t>(value.size()),
                                                       .at = static_cast<uint32_t>(entries.size()),
                                                       .used = false};
  std::memcpy(entry->data(), key.data(), key.size());
  std::memcpy(entry->data() + key.size(), value.data(), value.size());
  bytes += entry->bytes();
  EvictTo(bytes_max);
  entry->at = static_cast<uint32_t>(entries.size());
  entries.push_back(entry);
  *Place(hash, key) = entry;
}

bool RowCache::Find(const RowKey& key, Row& row, Miss& miss) {
  miss.hash = Hash64(key.bytes());
  Shard& shard = ShardOf(miss.hash);
  const MutexLock lock(shard.mutex);
  miss.writes = shard.writes;
  if (shard.buckets.empty()) return false;
  Entry* const entry = *shard.Place(miss.hash, key.bytes());
  if (entry == nullptr) return false;
  entry->used = true;
  row.exists = true;
  row.commit = entry->commit;
  row.value.assign(entry->value());
  return true;
}

void RowCache::Insert(const RowKey& key, const Row& row, Miss miss) {
  if (!row.exists) return;
  Shard& shard = ShardOf(miss.hash);
  const MutexLock lock(shard.mutex);
  if (shard.under_way != 0 || shard.writes != miss.writes) return;
  shard.Add(miss.hash, key.bytes(), row.value, row.commit, shard_bytes_);
}

void RowCache::BeginWrite(const RowKey& key) {
  const uint64_t hash = Hash64(key.bytes());
  Shard& shard = ShardOf(hash);
  const MutexLock lock(shard.mutex);
  ++shard.writes;
  ++shard.under_way;
  if (shard.buckets.empty()) return;
  if (Entry** const link = shard.Place(hash, key.bytes()); *link != nullptr) shard.Remove(link);
}

void RowCache::EndWrite(const Changes::Write& write, CommitNumber commit) {
  const uint64_t hash = Hash64(write.key.bytes());
  Shard& shard = ShardOf(hash);
  const MutexLock lock(shard.mutex);
  ++shard.writes;
  --shard.under_way;
  if (commit != 0 && write.put) shard.Add(hash, write.key.bytes(), write.value, commit, shard_bytes_);
}

RowCache::Writing::Writing(RowCache& cache, std::span<const Changes::Write> writes) : cache_(cache), writes_(writes) {
  for (const Changes::Write& write : writes_) {
    if (Keeps(write.key)) cache_.BeginWrite(write.key);
  }
}

RowCache::Writing::~Writing() {
  for (const Changes::Write& write : writes_) {
    if (Keeps(write.key)) cache_.EndWrite(write, commit_);
  }
}

void RowCache::Forget(TableId table) {
  for (Shard& shard : shards_) {
    const MutexLock lock(shard.mutex);
    ++shard.writes;
    for (size_t i = shard.entries.size(); i-- > 0;) {
      Entry* const entry = shard.entries[i];
      if (LoadU32(entry->data()) == table) shard.Remove(shard.Place(entry->hash, entry->key()));
    }
  }
}

size_t RowCache::bytes() const {
  size_t sum = 0;
  for (const Shard& shard : shards_) {
    const MutexLock lock(shard.mutex);
    sum += shard.bytes;
  }
  return sum;
}

}  // namespace keyfold::store
