// EmbeddedDatabase: the complete database inside the process, without HTTP: a store, the catalog on it, the background
// work, and the operations from JSON to JSON. For commands with --data, for commands that try something out, and for
// tests.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"
#include "base/random.h"
#include "client/api_caller.h"
#include "embedded/buckets.h"
#include "embedded/local_caller.h"
#include "engine/catalog/catalog.h"
#include "store/rocksdb/open.h"
#include "store/store.h"

namespace keyfold::embedded {

struct EmbeddedOptions {
  enum class Work : uint8_t {
    kOnThreads,  // on a server's background threads
    // Before Call returns, and only work that table operations leave: filling and removing indexes, removing rows.
    // There are no backups, exports, imports and verifications.
    kInCall,
  };

  std::string folder = {};             // empty: the store is in memory
  store::RocksdbOptions rocksdb = {};  // for a folder; its path is replaced
  store::Store* store = nullptr;       // borrowed; if set, it is used instead of opening one
  const Clock* clock = nullptr;        // borrowed; null: the system clock
  Work work = Work::kOnThreads;
  BucketOptions buckets = {};
  uint64_t seed = Random::SeedFromSystem();  // kInCall: databases with equal seeds give tables equal ids
};

// Used by one thread at a time.
class EmbeddedDatabase final : public client::ApiCaller {
 public:
  // A folder must not be open in another process.
  static Result<std::unique_ptr<EmbeddedDatabase>> Open(const EmbeddedOptions& options);
  // A new database in memory that does its work in each call.
  static std::unique_ptr<EmbeddedDatabase> InMemory(const Clock& clock, uint64_t seed);
  ~EmbeddedDatabase() override;  // stops cleanly

  // Returns after the result is durable. `operation` is one of ops/operations.cc.
  Result<std::string> Call(std::string_view operation, std::string_view body) override;

  // With kInCall: does the work that is left. A thread may do it while another uses caller().
  void DoWork();
  // Runs operations without doing their work.
  LocalCaller& caller();

  store::Store& store();
  engine::SnapshotPtr catalog() const;
  // Commands read these buckets directly.
  const transfer::BucketSettings& buckets() const;

 private:
  struct Parts;
  explicit EmbeddedDatabase(std::unique_ptr<Parts> parts);
  const std::unique_ptr<Parts> parts_;
};

}  // namespace keyfold::embedded
