#include "embedded/folder_database.h"

#include <filesystem>
#include <future>

#include "auth/gate.h"
#include "base/check.h"
#include "base/version.h"
#include "engine/catalog/catalog.h"
#include "files/file_modes.h"
#include "json/document.h"
#include "ops/operation.h"
#include "server/background.h"
#include "server/buckets.h"
#include "store/rocksdb/open.h"

namespace keyfold::embedded {
namespace {

constexpr Rule<"{} does not exist"> kNoFolder{"folder-database-missing", Kind::kValidation};
constexpr Rule<"{}"> kNoBuckets{"folder-database-buckets", Kind::kValidation};
constexpr Rule<"the request is not valid JSON"> kNotJson{"folder-database-not-json", Kind::kSerialization};

server::Config ConfigOf(const std::string& folder, const BucketOptions& buckets) {
  server::Config config;
  config.data = folder;
  config.s3_root = buckets.root;
  config.s3_endpoint = buckets.endpoint;
  config.s3_region = buckets.region;
  config.s3_credentials = buckets.credentials;
  return config;
}

}  // namespace

struct FolderDatabase::Parts {
  Parts(const server::Config& c, transfer::BucketSettings b, std::unique_ptr<DatabaseClock> time,
        std::unique_ptr<store::Store> s, std::unique_ptr<engine::Catalog> k, const files::Folder& folder)
      : config(c),
        buckets(std::move(b)),
        clock(std::move(time)),
        store(std::move(s)),
        catalog(std::move(k)),
        db{*store, *catalog, *clock},
        identity{config.region, config.account},
        background(db, config, identity, buckets, folder),
        gate(auth::Gate::OpenLocal(config.account)),
        service(background.service()) {
    background.Start();
  }
  ~Parts() { background.Stop(); }

  const server::Config config;
  const transfer::BucketSettings buckets;
  const std::unique_ptr<DatabaseClock> clock;
  const std::unique_ptr<store::Store> store;
  const std::unique_ptr<engine::Catalog> catalog;
  const engine::Database db;
  const engine::Identity identity;
  server::Background background;
  const std::unique_ptr<auth::Gate> gate;
  const ops::Service service;
  json::Parser parser;
};

Result<std::unique_ptr<FolderDatabase>> FolderDatabase::Open(const std::string& path, const BucketOptions& buckets) {
  if (!std::filesystem::exists(path + "/FORMAT")) return kNoFolder(path + "/FORMAT");
  files::KeepFilesPrivate();
  const server::Config config = ConfigOf(path, buckets);
  std::string error;
  transfer::BucketSettings settings = server::BucketSettingsOf(config, error);
  if (!error.empty()) return kNoBuckets(error);
  static const SystemClock kSystem;
  auto clock = std::make_unique<DatabaseClock>(DatabaseClock::Mode::kSystem, kSystem);
  store::RocksdbOptions options;
  options.path = path;
  options.app_version = kVersion;
  ASSIGN_OR_RETURN(auto store, store::OpenRocksdbStore(options, *clock));
  ASSIGN_OR_RETURN(auto catalog, engine::Catalog::Open(*store));
  ASSIGN_OR_RETURN(const files::Folder folder, files::Folder::Open(path));
  return std::unique_ptr<FolderDatabase>(new FolderDatabase(std::make_unique<Parts>(
      config, std::move(settings), std::move(clock), std::move(store), std::move(catalog), folder)));
}

FolderDatabase::FolderDatabase(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

FolderDatabase::~FolderDatabase() = default;

const transfer::BucketSettings& FolderDatabase::buckets() const { return parts_->buckets; }

Result<std::string> FolderDatabase::Call(std::string_view name, const std::string& body) {
  const ops::Operation* operation = ops::FindOperation(name);
  CHECK(operation != nullptr);
  const std::optional<json::Value> parsed = parts_->parser.Parse(body);
  if (!parsed) return kNotJson();
  store::Horizon horizon;
  const auth::Authenticated caller = parts_->gate->Self();
  keyfold::ops::Call call{parts_->service, caller, "localhost:8000", {horizon, store::Wait::kAllowed}, {}};
  std::string answer;
  json::Writer writer(answer);
  RETURN_IF_ERROR(operation->handler(call, *parsed, writer));
  std::promise<void> durable;
  parts_->store->WhenDurable(horizon.number(), [&] { durable.set_value(); });
  durable.get_future().wait();
  return answer;
}

}  // namespace keyfold::embedded
