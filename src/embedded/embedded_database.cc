#include "embedded/embedded_database.h"

#include <optional>
#include <utility>

#include "auth/gate.h"
#include "base/check.h"
#include "base/version.h"
#include "embedded/background.h"
#include "engine/background/table_lifecycle.h"
#include "files/file_modes.h"
#include "files/folder.h"
#include "ops/operation.h"

namespace keyfold::embedded {
namespace {

constexpr int kWorkPiecesMax = 1'000'000;  // far more than any sequence of calls leaves

Result<std::unique_ptr<store::Store>> OpenStore(const EmbeddedOptions& options, const Clock& clock) {
  if (options.folder.empty()) return store::MakeMemoryStore(clock);
  files::KeepFilesPrivate();
  store::RocksdbOptions rocksdb = options.rocksdb;
  rocksdb.path = options.folder;
  rocksdb.app_version = kVersion;
  return store::OpenRocksdbStore(rocksdb, clock);
}

}  // namespace

struct EmbeddedDatabase::Parts {
  Parts(std::unique_ptr<store::Store> opened, store::Store& s, std::unique_ptr<engine::Catalog> c, const Clock& clock,
        transfer::BucketSettings b)
      : buckets(std::move(b)), owned_store(std::move(opened)), catalog(std::move(c)), db{s, *catalog, clock} {}
  ~Parts() {
    if (background) background->Stop();
  }

  void WorkOnThreads(const std::optional<files::Folder>& folder) {
    background = std::make_unique<Background>(db, BackgroundOptions{}, identity, buckets, folder);
    caller.emplace(background->service(), auth::Gate::OpenLocal(identity.account)->Self());
    background->Start();
  }
  void WorkInCalls(uint64_t seed) {
    lifecycle = std::make_unique<engine::TableLifecycle>(db, /*delay=*/0, seed);
    caller.emplace(ops::Service{db, *lifecycle, identity}, auth::Gate::OpenLocal(identity.account)->Self());
  }

  const engine::Identity identity;
  const transfer::BucketSettings buckets;
  const std::unique_ptr<store::Store> owned_store;  // null if it is borrowed
  const std::unique_ptr<engine::Catalog> catalog;
  const engine::Database db;
  // One of the two is set.
  std::unique_ptr<Background> background;
  std::unique_ptr<engine::TableLifecycle> lifecycle;
  std::optional<LocalCaller> caller;
};

Result<std::unique_ptr<EmbeddedDatabase>> EmbeddedDatabase::Open(const EmbeddedOptions& options) {
  static const SystemClock kSystem;
  const Clock& clock = options.clock ? *options.clock : kSystem;
  ASSIGN_OR_RETURN(transfer::BucketSettings buckets, ReadBucketSettings(options.buckets, options.folder));
  std::unique_ptr<store::Store> opened;
  if (!options.store) {
    ASSIGN_OR_RETURN(opened, OpenStore(options, clock));
  }
  store::Store& store = options.store ? *options.store : *opened;
  ASSIGN_OR_RETURN(auto catalog, engine::Catalog::Open(store));
  auto parts = std::make_unique<Parts>(std::move(opened), store, std::move(catalog), clock, std::move(buckets));
  if (options.work == EmbeddedOptions::Work::kOnThreads) {
    std::optional<files::Folder> folder;
    if (!options.folder.empty()) {
      ASSIGN_OR_RETURN(folder, files::Folder::Open(options.folder));
    }
    parts->WorkOnThreads(folder);
  } else {
    parts->WorkInCalls(options.seed);
  }
  return std::unique_ptr<EmbeddedDatabase>(new EmbeddedDatabase(std::move(parts)));
}

std::unique_ptr<EmbeddedDatabase> EmbeddedDatabase::InMemory(const Clock& clock, uint64_t seed) {
  auto database = Open({.clock = &clock, .work = EmbeddedOptions::Work::kInCall, .seed = seed});
  CHECK(database.ok());
  return *std::move(database);
}

EmbeddedDatabase::EmbeddedDatabase(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

EmbeddedDatabase::~EmbeddedDatabase() = default;

Result<std::string> EmbeddedDatabase::Call(std::string_view operation, std::string_view body) {
  Result<std::string> answer = parts_->caller->Call(operation, body);
  if (parts_->lifecycle) DoWork();
  return answer;
}

void EmbeddedDatabase::DoWork() {
  for (int pieces = 0; parts_->lifecycle->WorkOnce(); ++pieces) CHECK(pieces < kWorkPiecesMax);
}

LocalCaller& EmbeddedDatabase::caller() { return *parts_->caller; }

store::Store& EmbeddedDatabase::store() { return parts_->db.store; }

engine::SnapshotPtr EmbeddedDatabase::catalog() const { return parts_->catalog->Current(); }

const transfer::BucketSettings& EmbeddedDatabase::buckets() const { return parts_->buckets; }

}  // namespace keyfold::embedded
