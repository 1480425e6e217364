#include "server/serve.h"

#include <fmt/format.h>
#include <malloc.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <thread>

#include "auth/gate.h"
#include "base/background_task.h"
#include "base/log.h"
#include "base/random.h"
#include "base/read_file.h"
#include "base/text/printable.h"
#include "base/time_text.h"
#include "base/version.h"
#include "embedded/background.h"
#include "embedded/buckets.h"
#include "embedded/local_caller.h"
#include "engine/background/table_lifecycle.h"
#include "engine/catalog/catalog.h"
#include "files/file_modes.h"
#include "http/server.h"
#include "http/tls.h"
#include "model/file/yaml.h"
#include "server/admin.h"
#include "server/audit_log.h"
#include "server/config/descriptors.h"
#include "server/config/local_banner.h"
#include "server/config/memory_limit.h"
#include "server/config/secret_file.h"
#include "server/dispatch.h"
#include "server/init_file.h"
#include "server/model/attached_models.h"
#include "server/model_requests.h"
#include "server/signs.h"
#include "server/work_folder.h"
#include "store/rocksdb/open.h"

namespace keyfold::server {
namespace {

constexpr Rule<"the process may open only {} files and sockets and needs {}: raise ulimit -n"> kTooFewDescriptors{
    "too-few-descriptors", Kind::kInternal};
constexpr Rule<"the model {} cannot be read: {}"> kModelFile{"model-file-unreadable", Kind::kValidation};

constexpr std::chrono::seconds kDrain{3};
constexpr std::chrono::milliseconds kSignsPeriod{1000};
constexpr int kExitConfig = 2, kExitData = 78, kExitFailure = 1;

// stderr may have no reader any more, which must not end the process (fmt::print would throw).
void Say(const std::string& line) { std::fputs((Printable(line) + "\n").c_str(), stderr); }

int Fail(int code, std::string_view why) {
  Say(fmt::format("keyfold: {}", why));
  return code;
}

sigset_t ServedSignals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int s : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&set, s);
  return set;
}

Result<std::unique_ptr<store::Store>> OpenStore(const Config& config, store::RocksdbOptions options, const Clock& clock,
                                                int open_files_max) {
  if (config.in_memory) return store::MakeMemoryStore(clock);
  options.open_files_max = open_files_max;
  options.path = config.data;
  options.relaxed = config.durability == "relaxed";
  options.cache_bytes = static_cast<uint64_t>(config.cache_mb) << 20;
  options.accept_data_loss = config.accept_data_loss;
  // A manual clock continues from the folder's time.
  constexpr Micros kAheadMax = Micros{7} * 24 * 3600 * 1'000'000;
  if (config.clock != "manual" && !config.accept_clock_ahead) options.ahead_max = kAheadMax;
  options.app_version = kVersion;
  return store::OpenRocksdbStore(options, clock);
}

http::ServerOptions HttpOptionsOf(const Config& config, Workers& workers, store::Store& store, size_t connections_max,
                                  AuditLog* audit) {
  http::ServerOptions options;
  options.connections_max = connections_max;
  const int64_t in_flight_mb =
      config.max_in_flight_mb > 0 ? config.max_in_flight_mb : DefaultInFlightMb(FindMemoryLimit(MachineMemory()));
  options.bytes_in_flight_max = static_cast<size_t>(in_flight_mb) << 20;
  options.hosts = config.hosts;
  options.port = config.port;
  options.loops = config.threads;
  options.crc32_header = "x-amz-crc32";
  options.server_header = "Server";
  options.tls_cert_file = config.tls_cert;
  options.tls_key_file = config.tls_key;
  options.on_error = Dispatcher::WordProtocolError;
  if (audit) {
    options.on_refusal = [audit](int status, std::string_view peer, const http::Response& response) {
      audit->RecordRefusal(SystemClock().Now(), status, peer, response);
    };
  }
  options.after_requests = [&store] { store.SyncSoon(); };
  options.run_elsewhere = [&workers](std::function<void()> work) {
    return workers.Submit(Lane::kHeavy, std::move(work));
  };
  return options;
}

// Divides the files and sockets that may be open.
Result<DescriptorPlan> TakeDescriptors(const Config& config) {
  const uint64_t limit = RaiseDescriptorLimit().value_or(0);
  if (limit < kDescriptorsMin) return kTooFewDescriptors(limit, kDescriptorsMin);
  const size_t loops = config.threads > 0 ? static_cast<size_t>(config.threads) : std::thread::hardware_concurrency();
  return PlanDescriptors(limit, loops);
}

// Makes the allocator return large buffers to the system when they are freed. By default it starts to keep them, tens
// of MB for each thread, after it has seen a few.
void GiveLargeBuffersBack() {
  constexpr int kLargeBytes = 1 << 20, kKeptBytes = 8 << 20;
  mallopt(M_MMAP_THRESHOLD, kLargeBytes);
  mallopt(M_TRIM_THRESHOLD, kKeptBytes);
}

// Watches the resources that can run out while serving.
void WatchResources(Signs& signs, const http::Server& server, const store::Store& store, uint64_t descriptors_max) {
  signs.WatchLeft("disk", "bytes are free on the disk",
                  "at the reserve only reads and deletes are served: free some disk space", [&store] {
                    const store::DiskSpace disk = store.Disk();
                    return Left{disk.free_bytes, disk.reserve_bytes};
                  });
  signs.Watch("connections", "connections are open", "beyond that the longest idle one is closed", [&server] {
    return Usage{server.stats().connections, server.stats().connections_max};
  });
  signs.Watch("in_flight_bytes", "bytes are held by requests and responses",
              "beyond that the slowest get 503; --max-in-flight-mb sets the limit", [&server] {
                return Usage{server.stats().bytes_in_flight, server.stats().bytes_in_flight_max};
              });
  signs.Watch("descriptors", "files and sockets are open", "raise ulimit -n", [descriptors_max] {
    return Usage{CountDescriptors(), descriptors_max};
  });
}

// A manual clock continues from the time of the store. Reports system time that is behind it.
void StartClock(DatabaseClock& clock, const store::StoreInfo& info) {
  constexpr Micros kWorthSaying = 1'000'000;
  clock.StartFrom(info.last_time);
  const Micros now = clock.Now();
  if (clock.mode() == DatabaseClock::Mode::kManual) {
    Say(fmt::format("database time is {}", FormatIsoTime(now)));
  } else if (info.last_time - now > kWorthSaying) {
    LogWarning(
        "{}: its last write was at {}, but the clock says {}: new writes get the former time until the clock has "
        "passed it; expiry follows the clock",
        info.path, FormatIsoTime(info.last_time), FormatIsoTime(now));
  }
}

void Announce(const Config& config, const http::Server& server, const store::StoreInfo& info,
              const DescriptorPlan& descriptors) {
  const std::string_view scheme = config.tls_cert.empty() ? "http" : "https";
  for (const std::string& address : server.addresses())
    Say(fmt::format("keyfold {} on {}://{}", kVersion, scheme, address));
  if (config.in_memory) {
    Say("in memory: nothing is saved to disk");
  } else if (config.durability == "relaxed") {
    Say(fmt::format("data in {}; relaxed: a power failure may lose the last acknowledged writes", info.path));
  } else {
    Say(fmt::format("data in {}", info.path));
  }
  if (config.insecure_open && config.credentials.empty()) {
    Say("WARNING: open to everyone who can reach it, without credentials (--insecure-open)");
  }
  if (geteuid() == 0) LogWarning("running as root: run the server as a separate user; it needs no privileges");
  LogInfo("up to {} connections: the process may open {} files and sockets, of which {} are for tables",
          descriptors.connections_max, descriptors.limit, descriptors.store_files_max);
}

// Called before the first thread starts, so that all threads inherit it.
void PrepareSignals() {
  const sigset_t signals = ServedSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);  // makes writing beyond the file size limit fail with EFBIG
}

// Reloads what SIGHUP reloads. Whatever cannot be read stays unchanged.
void Reload(auth::Gate& gate, http::Server& server, AuditLog* audit, const Config& config) {
  if (gate.verifies()) {
    Status status = CheckCredentialsFiles(config);
    if (status.ok()) status = gate.Reload();
    status.ok() ? LogInfo("reloaded credentials") : LogError("credentials not reloaded: {}", status.message());
  }
  if (!config.tls_cert.empty()) {
    Status status = CheckTlsKeyFile(config);
    if (status.ok()) status = server.ReloadTls();
    status.ok() ? LogInfo("reloaded certificate") : LogError("certificate not reloaded: {}", status.message());
  }
  if (audit) {
    const Status status = audit->Reopen();
    status.ok() ? LogInfo("reopened the audit log") : LogError("audit log not reopened: {}", status.message());
  }
}

// A second signal ends the process at once: acknowledged writes are safe in any case. It needs a handler because the
// default action does not end the first process of a container.
void EndAtNextSignal() {
  struct sigaction action {};
  action.sa_handler = [](int signal) { _exit(128 + signal); };
  sigset_t both;
  sigemptyset(&both);
  for (const int s : {SIGTERM, SIGINT}) {
    sigaction(s, &action, nullptr);
    sigaddset(&both, s);
  }
  pthread_sigmask(SIG_UNBLOCK, &both, nullptr);
}

// Waits for SIGTERM or SIGINT.
void WaitForEnd(auth::Gate& gate, http::Server& server, AuditLog* audit, const Config& config) {
  const sigset_t signals = ServedSignals();
  int signal = 0;
  while (sigwait(&signals, &signal) == 0 && signal == SIGHUP) Reload(gate, server, audit, config);
  EndAtNextSignal();
}

Result<std::unique_ptr<auth::Gate>> OpenGate(const Config& config) {
  RETURN_IF_ERROR(CheckCredentialsFiles(config));
  return auth::Gate::Open({config.account, config.credentials, "", !config.no_signature_time});
}

// Checks the certificate and its key, if they are configured.
Status CheckTlsFiles(const Config& config) {
  RETURN_IF_ERROR(CheckTlsKeyFile(config));
  if (!config.tls_cert.empty()) RETURN_IF_ERROR(http::LoadTlsContext(config.tls_cert, config.tls_key));
  return Ok();
}

// Loads --init before the first request. Its tables are active at once, regardless of --table-delay-ms.
Status Initialize(const Config& config, const engine::Database& db, const engine::Identity& identity,
                  const auth::Authenticated& self) {
  if (config.init.empty()) return Ok();
  engine::TableLifecycle at_once(db, /*delay=*/0, Random::SeedFromSystem(), config.stream_shards);
  embedded::LocalCaller caller(ops::Service{db, at_once, identity}, self);
  return LoadInitFile(config.init, caller);
}

Result<transfer::BucketSettings> BucketsOf(const Config& config) {
  return embedded::ReadBucketSettings({config.s3_root, config.s3_endpoint, config.s3_region, config.s3_credentials},
                                      config.in_memory ? "" : config.data);
}

embedded::BackgroundOptions BackgroundOptionsOf(const Config& config) {
  return {.table_delay = config.table_delay_ms * 1000,
          .index_delay = config.index_delay_ms * 1000,
          .stream_shards = config.stream_shards,
          .expiry_interval = std::chrono::milliseconds(config.ttl_interval_ms),
          .stream_shard_age = config.stream_shard_age_ms * 1000};
}

model::ObserverOptions ObserverOptionsOf(const Config& config) {
  return {.mode = *model::ModeByName(config.model_mode), .unseen_after = config.model_unseen_days * kDay};
}

// Attaches each --model.
Status AttachModels(const Config& config, AttachedModels& models) {
  for (const std::string& file : config.models) {
    Result<std::string> text = ReadFile(file, model::kModelBytesMax);
    if (!text.ok()) return kModelFile(file, text.error().message());
    ASSIGN_OR_RETURN(const std::string table, models.Attach(file, *std::move(text), ObserverOptionsOf(config)));
    Say(fmt::format("table {} is watched by {} ({})", table, file, config.model_mode));
  }
  return Ok();
}

// Opens --audit. Returns null if it is not configured.
Result<std::unique_ptr<AuditLog>> OpenAuditLog(const Config& config) {
  if (config.audit.empty()) return std::unique_ptr<AuditLog>();
  return AuditLog::Open({config.audit, config.region, config.account});
}

// Without the parts that it borrows.
DispatchOptions DispatchOptionsOf(const Config& config) {
  return {.log_requests = config.log_requests,
          .allow_reset = config.allow_reset,
          .insecure_open = config.insecure_open,
          .version = kVersion,
          .local_health = config.local_health};
}

// Called after the port is bound, so that a tool that waits for the first line finds a server.
void PrintLocalBanner(const Config& config, uint16_t port) {
  std::fputs(LocalBanner(config, port).c_str(), stdout);
  std::fflush(stdout);
}

}  // namespace

int Serve(const Config& config, const store::RocksdbOptions& store_options) {
  if (const Status checked = CheckConfig(config); !checked.ok()) return Fail(kExitConfig, checked.message());
  CHECK(SetLogLevel(config.log_level));
  PrepareSignals();
  files::KeepFilesPrivate();
  GiveLargeBuffersBack();
  const Result<std::unique_ptr<auth::Gate>> gate = OpenGate(config);
  if (!gate.ok()) return Fail(kExitConfig, gate.error().message());
  if (const Status tls = CheckTlsFiles(config); !tls.ok()) return Fail(kExitConfig, tls.message());
  const Result<std::unique_ptr<AuditLog>> audit = OpenAuditLog(config);
  if (!audit.ok()) return Fail(kExitConfig, audit.error().message());
  const Result<DescriptorPlan> descriptors = TakeDescriptors(config);
  if (!descriptors.ok()) return Fail(kExitConfig, descriptors.error().message());
  const SystemClock system;
  DatabaseClock clock(config.clock == "manual" ? DatabaseClock::Mode::kManual : DatabaseClock::Mode::kSystem, system);
  Result<std::unique_ptr<store::Store>> store = OpenStore(config, store_options, clock, descriptors->store_files_max);
  if (!store.ok()) return Fail(kExitData, store.error().message());
  StartClock(clock, (*store)->Info());
  Result<std::unique_ptr<engine::Catalog>> catalog = engine::Catalog::Open(**store);
  if (!catalog.ok()) return Fail(kExitData, catalog.error().message());

  const engine::Database db{**store, **catalog, clock};
  const WorkFolder work(config);
  const engine::Identity identity{config.region, config.account};
  const Result<transfer::BucketSettings> buckets = BucketsOf(config);
  if (!buckets.ok()) return Fail(kExitConfig, buckets.error().message());
  embedded::Background background(db, BackgroundOptionsOf(config), identity, *buckets, work.folder());
  const ops::Service service = background.service();
  Admin admin(db, identity, clock, [&background] { background.Finish(); });
  auto workers = std::make_unique<Workers>(WorkersOptions{.heavy_at_once = std::thread::hardware_concurrency() + 2});
  AttachedModels models(clock);
  if (const Status seen = AttachModels(config, models); !seen.ok()) return Fail(kExitConfig, seen.message());
  ModelRequests model_requests(models, ObserverOptionsOf(config), config.admin);
  Signs signs;
  DispatchOptions dispatch_options = DispatchOptionsOf(config);
  if (config.admin) dispatch_options.admin = &admin;
  dispatch_options.models = &models;
  dispatch_options.model_requests = &model_requests;
  dispatch_options.audit = audit->get();
  dispatch_options.signs = &signs;
  Dispatcher dispatcher(service, **gate, OriginRules(config.allow_hosts, config.allow_origins), *workers,
                        dispatch_options);
  const auto handler = [&dispatcher](http::Request& request, http::Responder responder) {
    dispatcher.Handle(request, std::move(responder));
  };
  const Result<std::unique_ptr<http::Server>> server = http::Server::Listen(
      HttpOptionsOf(config, *workers, db.store, descriptors->connections_max, audit->get()), handler);
  if (!server.ok()) return Fail(kExitFailure, server.error().message());
  WatchResources(signs, **server, db.store, descriptors->limit);
  BackgroundTask watch([&signs] { return signs.Check(), kSignsPeriod; });
  const Status loaded = Initialize(config, db, identity, (*gate)->Self());
  if (!loaded.ok()) return Fail(kExitConfig, loaded.message());
  background.Start();
  if (config.local_banner) PrintLocalBanner(config, (*server)->port());
  (*server)->Start();
  watch.Start();
  Announce(config, **server, (*store)->Info(), *descriptors);

  WaitForEnd(**gate, **server, audit->get(), config);
  LogInfo("stopping");
  workers->BeginStop();
  watch.Stop();
  background.AskToStop();
  (*server)->Stop(kDrain);
  background.Stop();
  workers.reset();
  (*store).reset();  // closes it cleanly; responses still pending have no client left
  return 0;
}

}  // namespace keyfold::server
