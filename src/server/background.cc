#include "server/background.h"

#include "base/log.h"
#include "base/random.h"
#include "engine/request_token.h"

namespace keyfold {
namespace {

constexpr std::chrono::milliseconds kTokenInterval{10'000};

std::optional<std::chrono::milliseconds> ForgetTokens(const Database& db) {
  const Result<size_t> swept = SweepTokens(db, db.clock.Now());
  if (!swept.ok()) spdlog::error("removing old tokens: {}", swept.error().message());
  return kTokenInterval;
}

std::unique_ptr<Backups> OpenBackups(const Database& db, TableLifecycle& lifecycle, const Folder& folder) {
  auto backups = Backups::Open(db, lifecycle, folder, Random::SeedFromSystem());
  if (backups.ok()) return *std::move(backups);
  spdlog::error("backups are not possible: {}", backups.error().message());
  return nullptr;
}

}  // namespace

Background::Background(const Database& db, const Config& config, const std::optional<Folder>& folder)
    : lifecycle_(db, config.table_delay_ms * 1000, Random::SeedFromSystem(), config.stream_shards),
      expiry_(db, std::chrono::milliseconds(config.ttl_interval_ms)),
      streams_(db, config.stream_shard_age_ms * 1000),
      tokens_([db] { return ForgetTokens(db); }) {
  if (folder) backups_ = OpenBackups(db, lifecycle_, *folder);
}

void Background::Start() {
  lifecycle_.Start();
  expiry_.Start();
  streams_.Start();
  tokens_.Start();
  if (backups_) backups_->Start();
}

void Background::Stop() {
  if (backups_) backups_->Stop();
  tokens_.Stop();
  streams_.Stop();
  expiry_.Stop();
  lifecycle_.Stop();
}

void Background::Finish() {
  if (backups_) backups_->Finish();  // first: a table may wait for its backup before it goes
  lifecycle_.Finish();
  expiry_.Finish();
  streams_.WorkOnce();
  tokens_.Finish();
}

}  // namespace keyfold
