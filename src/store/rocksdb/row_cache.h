// RowCache: recently read or written rows of tables, by key, in front of RocksDB. A hit costs one hash and one copy,
// while RocksDB would search its write buffers and then its files. Checksums are verified when a row enters the cache.
//
// It never returns what RocksDB would not. A writer announces its rows before RocksDB gets them (Writing); from then on
// they are not found here until the writer reports the outcome. A reader that missed may insert the row it then read
// from RocksDB only if no write of its shard is in progress or has ended since the miss: else the row may be outdated.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/mutex.h"
#include "store/store.h"

namespace keyfold::store {

// Thread-safe.
class RowCache {
 public:
  explicit RowCache(size_t bytes) : shard_bytes_(bytes / kShards) {}
  ~RowCache();
  RowCache(const RowCache&) = delete;

  // Only base tables: index rows are read as ranges, never by key.
  static bool Keeps(const RowKey& key) { return key.index() == kBaseTable; }

  // The state of a miss, to be passed to Insert.
  struct Miss {
    uint64_t hash = 0;
    uint64_t writes = 0;
  };
  // Find returns true and fills `row` on a hit, and fills `miss` otherwise. Insert adds the row that was read after the
  // miss. Both require Keeps(key).
  bool Find(const RowKey& key, Row& row, Miss& miss);
  void Insert(const RowKey& key, const Row& row, Miss miss);

  // The writes of one commit. It lives from before RocksDB gets them until they have succeeded or failed. The caller
  // holds the locks of their keys.
  class Writing {
   public:
    Writing(RowCache& cache, std::span<const Changes::Write> writes);
    ~Writing();
    Writing(const Writing&) = delete;
    void Applied(CommitNumber commit) { commit_ = commit; }

   private:
    RowCache& cache_;
    const std::span<const Changes::Write> writes_;
    CommitNumber commit_ = 0;  // 0: not applied
  };

  // Drops the rows of a purged table.
  void Forget(TableId table);

  size_t bytes() const;  // currently held

 private:
  static constexpr size_t kShards = 64;

  struct Entry;
  struct alignas(64) Shard {
    mutable Mutex mutex;
    uint64_t writes GUARDED_BY(mutex) = 0;          // number of begins and ends of writes
    uint32_t under_way GUARDED_BY(mutex) = 0;       // writes in progress
    std::vector<Entry*> buckets GUARDED_BY(mutex);  // chains; the size is a power of two
    std::vector<Entry*> entries GUARDED_BY(mutex);  // all entries, in the order of the clock hand
    size_t hand GUARDED_BY(mutex) = 0;
    size_t bytes GUARDED_BY(mutex) = 0;

    // Returns the link to the entry, or to the null at the end of its chain.
    Entry** Place(uint64_t hash, std::string_view key) REQUIRES(mutex);
    void Add(uint64_t hash, std::string_view key, std::string_view value, CommitNumber commit, size_t bytes_max)
        REQUIRES(mutex);
    void Remove(Entry** link) REQUIRES(mutex);
    void Grow() REQUIRES(mutex);
    void EvictTo(size_t bytes_max) REQUIRES(mutex);
  };
  Shard& ShardOf(uint64_t hash) { return shards_[hash % kShards]; }
  void BeginWrite(const RowKey& key);
  void EndWrite(const Changes::Write& write, CommitNumber commit);

  const size_t shard_bytes_;
  std::array<Shard, kShards> shards_;
};

}  // namespace keyfold::store
