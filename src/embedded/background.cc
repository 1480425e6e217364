#include "embedded/background.h"

#include "base/log.h"
#include "base/random.h"
#include "engine/items/request_token.h"

namespace keyfold::embedded {
namespace {

constexpr std::chrono::milliseconds kTokenInterval{10'000};

std::optional<std::chrono::milliseconds> ForgetTokens(const engine::Database& db) {
  const Result<size_t> swept = engine::SweepTokens(db, db.clock.Now());
  if (!swept.ok()) LogError("cannot remove old tokens: {}", swept.error().message());
  return kTokenInterval;
}

template <typename T>
std::unique_ptr<T> OrNone(Result<std::unique_ptr<T>> opened, std::string_view what) {
  if (opened.ok()) return *std::move(opened);
  LogError("{} are unavailable: {}", what, opened.error().message());
  return nullptr;
}

// The store's reserve applies to everything that is written to its disk.
std::shared_ptr<const files::Room> RoomBeside(const store::Store& store) {
  const std::string path = store.Info().path;
  if (path.empty()) return nullptr;
  return std::make_shared<const files::Room>(
      files::Room{.path = path, .has = [&store](uint64_t bytes) { return store.HasRoomForFiles(bytes); }});
}

}  // namespace

Background::Background(const engine::Database& db, const BackgroundOptions& options, const engine::Identity& identity,
                       const transfer::BucketSettings& buckets, const std::optional<files::Folder>& folder)
    : db_(db),
      identity_(identity),
      lifecycle_(db, options.table_delay, Random::SeedFromSystem(), options.stream_shards, options.index_delay),
      expiry_(db, options.expiry_interval),
      streams_(db, options.stream_shard_age),
      tokens_([db] { return ForgetTokens(db); }) {
  if (folder) {
    const auto seed = Random::SeedFromSystem;
    transfer::BucketSettings places = buckets;
    places.room = RoomBeside(db.store);
    const files::Folder work = folder->WithRoom(places.room);
    backups_ = OrNone(engine::BackupJobs::Open(db, lifecycle_, work, seed(), jobs_), "backups");
    exports_ = OrNone(transfer::ExportJobs::Open(db, identity, places, work, seed(), jobs_), "exports");
    imports_ = OrNone(transfer::ImportJobs::Open(db, lifecycle_, identity, places, work, seed(), jobs_), "imports");
  }
  verifier_ = std::make_unique<transfer::Verifier>(db, backups_.get(), buckets, jobs_);
}

ops::Service Background::service() const {
  return {db_, lifecycle_, identity_, backups_.get(), exports_.get(), imports_.get(), &jobs_, verifier_.get()};
}

void Background::Start() {
  lifecycle_.Start();
  expiry_.Start();
  streams_.Start();
  tokens_.Start();
  if (backups_) backups_->Start();
  if (exports_) exports_->Start();
  if (imports_) imports_->Start();
  verifier_->Start();
}

void Background::AskToStop() {
  verifier_->AskToStop();
  if (imports_) imports_->AskToStop();
  if (exports_) exports_->AskToStop();
}

void Background::Stop() {
  AskToStop();  // so that they all stop at the same time
  verifier_->Stop();
  if (imports_) imports_->Stop();
  if (exports_) exports_->Stop();
  if (backups_) backups_->Stop();
  tokens_.Stop();
  streams_.Stop();
  expiry_.Stop();
  lifecycle_.Stop();
}

void Background::Finish() {
  // These first: a table may wait for them before it is removed.
  if (backups_) backups_->Finish();
  if (exports_) exports_->Finish();
  if (imports_) imports_->Finish();
  verifier_->Finish();
  lifecycle_.Finish();
  expiry_.Finish();
  streams_.WorkOnce();
  tokens_.Finish();
}

}  // namespace keyfold::embedded
