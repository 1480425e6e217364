// RowCache: the rows of tables that were read or written last, by key, in front of RocksDB. A hit is one hash and one
// copy, where RocksDB would search its write buffers and then files; the checksum was tested when the row came in.
//
// It never shows what RocksDB would not. A writer announces its rows before RocksDB gets them (Writing), from when on
// they are not found here, and tells what became of them afterwards. A reader that missed may leave what it then read
// below only if no write of its shard was under way or has ended since it asked: else it may hold what is past.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "store/store.h"

namespace keyfold {

// Thread-safe.
class RowCache {
 public:
  explicit RowCache(size_t bytes) : shard_bytes_(bytes / kShards) {}
  ~RowCache();
  RowCache(const RowCache&) = delete;

  // Index rows are read as ranges only, never by key.
  static bool Keeps(const RowKey& key) { return key.index() == kBaseTable; }

  // What a miss has to say when it comes back with the row.
  struct Miss {
    uint64_t hash = 0;
    uint64_t writes = 0;
  };
  // True: `row` is it. Both for keys that it keeps only.
  bool Find(const RowKey& key, Row& row, Miss& miss);
  void Insert(const RowKey& key, const Row& row, Miss miss);

  // The writes of one commit, from before RocksDB has them until it does, or does not. Their keys are locked.
  class Writing {
   public:
    Writing(RowCache& cache, std::span<const Changes::Write> writes);
    ~Writing();
    Writing(const Writing&) = delete;
    void Applied(CommitNumber commit) { commit_ = commit; }

   private:
    RowCache& cache_;
    const std::span<const Changes::Write> writes_;
    CommitNumber commit_ = 0;  // 0: they were not
  };

  // A purge has taken its rows away.
  void Forget(TableId table);

  size_t bytes() const;  // that it holds now

 private:
  static constexpr size_t kShards = 64;

  struct Entry;
  struct alignas(64) Shard {
    mutable std::mutex mutex;
    uint64_t writes = 0;          // begun and ended
    uint32_t under_way = 0;       // of them
    std::vector<Entry*> buckets;  // chains; as many as a power of two
    std::vector<Entry*> entries;  // all of them, in the order the hand goes round
    size_t hand = 0;
    size_t bytes = 0;

    Entry** Place(uint64_t hash, std::string_view key);  // the link to it, or the null at its chain's end
    void Add(uint64_t hash, std::string_view key, std::string_view value, CommitNumber commit, size_t bytes_max);
    void Remove(Entry** link);
    void Grow();
    void EvictTo(size_t bytes_max);
  };
  Shard& ShardOf(uint64_t hash) { return shards_[hash % kShards]; }
  void BeginWrite(const RowKey& key);
  void EndWrite(const Changes::Write& write, CommitNumber commit);

  const size_t shard_bytes_;
  std::array<Shard, kShards> shards_;
};

}  // namespace keyfold
