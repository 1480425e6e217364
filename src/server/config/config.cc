#include "server/config/config.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>

#include "base/check.h"
#include "base/read_file.h"
#include "base/version.h"
#include "http/url.h"
#include "server/config/local_options.h"
#include "server/config/loopback.h"

namespace keyfold::server {
namespace {

constexpr Rule<"--tls-cert and --tls-key must be given together"> kTlsHalf{"config-tls-half", Kind::kValidation};
constexpr Rule<"--account takes 12 digits"> kAccountForm{"config-account", Kind::kValidation};
constexpr Rule<"--region takes a name like us-east-1"> kRegionForm{"config-region", Kind::kValidation};
constexpr Rule<
    "listening on an address other machines can reach would let anyone read and write every table; give "
    "--credentials FILE, or --insecure-open if that is intended (as in a container for tests)">
    kOpenToAll{"config-open-to-all", Kind::kValidation};

constexpr size_t kConfigBytesMax = size_t{1} << 20;
constexpr char kExamples[] =
    "\nExamples:\n"
    "  keyfold serve                              durable, in ./keyfold-data, on http://127.0.0.1:8000\n"
    "  keyfold serve --in-memory --port 8001      in memory only; starts in milliseconds\n"
    "  keyfold serve --data /srv/tables --credentials keys.ini --host 0.0.0.0 --tls-cert c.pem --tls-key k.pem\n"
    "  keyfold serve --in-memory --host 0.0.0.0 --insecure-open    in a container, for tests\n"
    "  keyfold serve --init tables.json           creates tables and items at startup\n"
    "  keyfold serve --model shop.yaml            watches the table of a model: see keyfold model watch\n"
    "  keyfold serve --audit audit.jsonl          records refused requests and changes of tables: docs/audit.md\n"
    "  keyfold serve --in-memory --clock=manual --admin    tests set the clock, at /_keyfold/clock\n"
    "\nEach option can be given as a variable (--table-delay-ms is KEYFOLD_TABLE_DELAY_MS) or as a line of the "
    "--config file\n"
    "(table-delay-ms = 500); the command line overrides variables, and variables override the file. DynamoDB Local's "
    "options\n"
    "(-port, -inMemory, -dbPath, -sharedDb, -cors …) are accepted too, also after -jar DynamoDBLocal.jar; GET / "
    "then\n"
    "responds as DynamoDB Local does.\n"
    "Then: aws dynamodb list-tables --endpoint-url http://127.0.0.1:8000\n";

// Returns KEYFOLD_TABLE_DELAY_MS for --table-delay-ms.
std::string VariableOf(const std::string& option) {
  std::string name = "KEYFOLD_" + option;
  for (char& c : name) c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

// Declares the options of `keyfold serve`, each bound to a field of a Config. Used by one thread at a time.
class ServeOptions {
 public:
  // `from_variables`: an option that is not given takes the value of its KEYFOLD_* variable.
  ServeOptions(CLI::App& app, bool from_variables) : app_(app), from_variables_(from_variables) {}

  void Declare(Config& c) {
    DeclareStorageAndAccess(c);
    DeclareLimitsAndBuckets(c);
    DeclareBehavior(c);
  }

  template <typename T>
  CLI::Option* Add(const std::string& name, T& into, const std::string& help) {
    CLI::Option* option;
    if constexpr (std::is_same_v<T, bool>) {
      option = app_.add_flag("--" + name, into, help);
    } else {
      option = app_.add_option("--" + name, into, help);
    }
    // A variable can hold only one value, so a list is separated by commas there (and may be everywhere).
    if constexpr (std::is_same_v<T, std::vector<std::string>>) option->delimiter(',');
    return from_variables_ ? option->envname(VariableOf(name)) : option;
  }

 private:
  void DeclareStorageAndAccess(Config& c) {
    Add("port", c.port, "Port to listen on; 0 for any free one (default 8000)");
    Add("host", c.hosts, "Address to listen on; may be repeated (default 127.0.0.1 and ::1)");
    Add("data", c.data, "Folder that holds the data (default keyfold-data)");
    Add("in-memory", c.in_memory, "Keep everything in memory and nothing on disk");
    Add("durability", c.durability, "always: respond after the log is on disk; relaxed: do not wait (default always)")
        ->check(CLI::IsMember({"always", "relaxed"}));
    Add("accept-data-loss", c.accept_data_loss,
        "Open a folder whose log lacks writes known to be on disk, or has a hole that no power failure explains");
    Add("accept-clock-ahead", c.accept_clock_ahead,
        "Open a folder whose last write is more than 7 days ahead of the system clock");
    Add("region", c.region, "Region in ARNs (default us-east-1)");
    Add("account", c.account, "Account in ARNs (default 123456789012)");
    Add("credentials", c.credentials, "File of access keys, like ~/.aws/credentials; signatures are then verified");
    Add("credentials-mode", c.credentials_mode,
        "strict: refuse credentials files and TLS keys that other users can read; any: accept them, as when a "
        "container mounts secrets (default strict)")
        ->check(CLI::IsMember({"strict", "any"}));
    Add("tls-cert", c.tls_cert, "Certificate chain (PEM): serve HTTPS");
    Add("tls-key", c.tls_key, "Private key (PEM)");
    Add("allow-host", c.allow_hosts,
        "Name allowed in the Host header, besides localhost and IP addresses; may be repeated");
    Add("allow-origin", c.allow_origins, "Web origin that may call from a browser, or *; may be repeated");
    Add("insecure-open", c.insecure_open, "Accept connections from other machines without credentials");
    Add("no-signature-time", c.no_signature_time, "Accept signatures of any age");
  }

  void DeclareLimitsAndBuckets(Config& c) {
    Add("table-delay-ms", c.table_delay_ms, "How long tables stay CREATING, UPDATING and DELETING (default 0)")
        ->check(CLI::Range(int64_t{0}, int64_t{3'600'000}));
    Add("index-delay-ms", c.index_delay_ms,
        "How long a table stays UPDATING when an index is created or deleted (default 0)")
        ->check(CLI::Range(int64_t{0}, int64_t{3'600'000}));
    Add("cache-mb", c.cache_mb, "Memory for cached data (default 256)")
        ->check(CLI::Range(int64_t{1}, int64_t{1} << 20));
    Add("max-in-flight-mb", c.max_in_flight_mb,
        "Memory for requests and responses in flight (default: a quarter of the memory, at least 64 and at most 512)")
        ->check(CLI::Range(int64_t{64}, int64_t{1} << 20));
    Add("s3-root", c.s3_root, "Folder with one folder per bucket, for exports and imports (default DATA/s3)");
    Add("s3-endpoint", c.s3_endpoint,
        "S3-compatible service to use for buckets instead, such as http://127.0.0.1:9000");
    Add("s3-region", c.s3_region, "Region of that service (default us-east-1)");
    Add("s3-credentials", c.s3_credentials,
        "File with one access key for it, like ~/.aws/credentials (default: AWS_ACCESS_KEY_ID and related variables)");
  }

  void DeclareBehavior(Config& c) {
    Add("init", c.init, "JSON file of tables and items to create at startup");
    Add("allow-reset", c.allow_reset, "Allow POST /_keyfold/reset to delete every table");
    Add("admin", c.admin,
        "Allow requests from this machine to set the clock, split shards and attach models, at /_keyfold/clock, "
        "…/streams/split and …/models");
    Add("clock", c.clock, "system, or manual: database time advances only on request (default system)")
        ->check(CLI::IsMember({"system", "manual"}));
    Add("ttl-interval-ms", c.ttl_interval_ms, "How often to look for expired items (default 1000)")
        ->check(CLI::Range(int64_t{1}, int64_t{3'600'000}));
    Add("stream-shards", c.stream_shards, "Shards of a new stream (default 4)")
        ->check(CLI::Range(uint32_t{1}, uint32_t{256}));
    Add("stream-shard-age-ms", c.stream_shard_age_ms,
        "How long a shard accepts records before a child replaces it (default 4 h)")
        ->check(CLI::Range(int64_t{1000}, int64_t{86'400'000}));
    Add("model", c.models, "Model file (YAML or JSON) that watches its table; may be repeated");
    Add("model-mode", c.model_mode,
        "observe: count; warn: also warn clients, in x-keyfold-model; enforce: refuse writes that drift (default "
        "observe)")
        ->check(CLI::IsMember({"observe", "warn", "enforce"}));
    Add("model-unseen-days", c.model_unseen_days, "Days after which an unseen pattern becomes a finding (default 35)")
        ->check(CLI::Range(int64_t{1}, int64_t{3650}));
    Add("local-health", c.local_health,
        "Respond to GET / with 400, as DynamoDB Local does, for tools that wait for it");
    Add("audit", c.audit,
        "File to append one JSON line to for each refused request and each management call; - for standard output");
    Add("log-requests", c.log_requests, "Log one line per request");
    Add("log-level", c.log_level, "trace, debug, info, warning, error or off (default info)")
        ->check(CLI::IsMember({"trace", "debug", "info", "warning", "error", "off"}));
    Add("threads", c.threads, "Event loops (default: one per core)")->check(CLI::Range(0, 256));
  }

  CLI::App& app_;
  const bool from_variables_;
};

CommandLine RefuseCommandLine(std::string_view why) {
  return {std::nullopt, fmt::format("keyfold: {}; see keyfold serve --help\n", why), 2, {}};
}

// CLI11 puts some of its errors on two lines.
std::string OneLine(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

// Fills `config` and `file` from arguments and variables. Returns nullopt on success, otherwise what to print instead
// of serving.
std::optional<CommandLine> ParseArguments(std::vector<std::string> arguments, Config& config, std::string& file) {
  CLI::App app("Serve the DynamoDB API", "keyfold serve");
  app.footer(kExamples);
  ServeOptions options(app, /*from_variables=*/true);
  options.Declare(config);
  options.Add("config", file, "File of options, one per line: port = 8001");
  std::reverse(arguments.begin(), arguments.end());  // in the order CLI11 expects
  arguments.pop_back();                              // "serve"
  try {
    app.parse(std::move(arguments));
    return std::nullopt;
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() != 0) return RefuseCommandLine(OneLine(e.what()));
    std::ostringstream out;  // --help
    app.exit(e, out, out);
    return CommandLine{std::nullopt, out.str(), 0, {}};
  }
}

// Reads the file's settings, checked as on the command line. Returns nullopt on success.
std::optional<CommandLine> ParseFile(const std::string& path, Config& config) {
  const Result<std::string> text = ReadFile(path, kConfigBytesMax);
  if (!text.ok()) return RefuseCommandLine(fmt::format("{} cannot be read: {}", path, text.error().message()));
  CLI::App app;
  app.set_help_flag();
  ServeOptions(app, /*from_variables=*/false).Declare(config);
  try {
    std::vector<std::string> arguments;
    std::istringstream lines(*text);
    for (const CLI::ConfigItem& item : CLI::ConfigTOML().from_config(lines)) {
      for (const std::string& value : item.inputs) arguments.push_back(fmt::format("--{}={}", item.fullname(), value));
    }
    std::reverse(arguments.begin(), arguments.end());
    app.parse(std::move(arguments));
    return std::nullopt;
  } catch (const CLI::ParseError& e) {
    return RefuseCommandLine(fmt::format("{}: {}", path, OneLine(e.what())));
  }
}

bool IsRegion(const std::string& text) {
  return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
}

}  // namespace

CommandLine ParseCommandLine(std::vector<std::string> arguments, bool called_java) {
  LocalOptions local = TranslateLocalOptions(std::move(arguments), called_java);
  if (!local.error.empty()) return RefuseCommandLine(local.error);
  CHECK(!local.arguments.empty());
  if (local.arguments.front() == "--version") return {std::nullopt, fmt::format("keyfold {}\n", kVersion), 0, {}};
  CHECK(local.arguments.front() == "serve");
  Config config;
  std::string file;
  if (auto instead = ParseArguments(local.arguments, config, file)) return *std::move(instead);
  if (!file.empty()) {
    // Parses again on top of the file, which has the lowest priority; then come variables, then arguments.
    config = Config();
    if (auto instead = ParseFile(file, config)) return *std::move(instead);
    if (auto instead = ParseArguments(local.arguments, config, file)) return *std::move(instead);
  }
  config.local_banner = local.any;
  return {std::move(config), "", 0, std::move(local.notes)};
}

Status CheckConfig(const Config& config) {
  if (config.tls_cert.empty() != config.tls_key.empty()) return kTlsHalf();
  if (config.account.size() != 12 || config.account.find_first_not_of("0123456789") != std::string::npos) {
    return kAccountForm();
  }
  if (!IsRegion(config.region)) return kRegionForm();
  const bool open = std::any_of(config.hosts.begin(), config.hosts.end(),
                                [](const std::string& h) { return !http::IsLoopbackHost(h); });
  if (open && config.credentials.empty() && !config.insecure_open) return kOpenToAll();
  return Ok();
}

}  // namespace keyfold::server
