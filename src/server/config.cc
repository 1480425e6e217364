#include "server/config.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "server/local_options.h"

namespace keyfold {
namespace {

constexpr char kExamples[] =
    "\nExamples:\n"
    "  keyfold serve                              durable, in ./keyfold-data, on http://127.0.0.1:8000\n"
    "  keyfold serve --in-memory --port 8001      keeps nothing; starts in milliseconds\n"
    "  keyfold serve --data /srv/tables --credentials keys.ini --host 0.0.0.0 --tls-cert c.pem --tls-key k.pem\n"
    "  keyfold serve --in-memory --host 0.0.0.0 --insecure-open    in a container, for tests\n"
    "  keyfold serve --init tables.json           with tables and items at start\n"
    "\nEach option can be given as a variable: --table-delay-ms is KEYFOLD_TABLE_DELAY_MS. DynamoDB Local's options\n"
    "(-port, -inMemory, -dbPath, -sharedDb, -cors …) are understood too.\n"
    "Then: aws dynamodb list-tables --endpoint-url http://127.0.0.1:8000\n";

// KEYFOLD_TABLE_DELAY_MS for --table-delay-ms.
std::string VariableOf(const std::string& option) {
  std::string name = "KEYFOLD_" + option;
  for (char& c : name) c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

template <typename T>
CLI::Option* Add(CLI::App& app, const std::string& name, T& into, const std::string& help) {
  CLI::Option* option;
  if constexpr (std::is_same_v<T, bool>) {
    option = app.add_flag("--" + name, into, help);
  } else {
    option = app.add_option("--" + name, into, help);
  }
  return option->envname(VariableOf(name));
}

void AddServeOptions(CLI::App& app, Config& c) {
  Add(app, "port", c.port, "Port to listen on (default 8000)");
  Add(app, "host", c.hosts, "Address to listen on; may be repeated (default 127.0.0.1 and ::1)");
  Add(app, "data", c.data, "Folder that holds the data (default keyfold-data)");
  Add(app, "in-memory", c.in_memory, "Keep everything in memory and nothing on disk");
  Add(app, "durability", c.durability, "always: answer once the log is on disk; relaxed: do not wait (default always)")
      ->check(CLI::IsMember({"always", "relaxed"}));
  Add(app, "accept-data-loss", c.accept_data_loss, "Open a folder whose log ends before what was known to be on disk");
  Add(app, "region", c.region, "Region in ARNs (default us-east-1)");
  Add(app, "account", c.account, "Account in ARNs (default 123456789012)");
  Add(app, "credentials", c.credentials, "File of access keys, as ~/.aws/credentials; signatures are then verified");
  Add(app, "tls-cert", c.tls_cert, "Certificate chain (PEM): serve HTTPS");
  Add(app, "tls-key", c.tls_key, "Private key (PEM)");
  Add(app, "allow-host", c.allow_hosts, "Name that requests may use in Host, beside localhost and addresses; may be repeated");
  Add(app, "allow-origin", c.allow_origins, "Web origin that may call from a browser, or *; may be repeated");
  Add(app, "insecure-open", c.insecure_open, "Listen beyond this machine without credentials");
  Add(app, "no-signature-time", c.no_signature_time, "Accept signatures of any age");
  Add(app, "table-delay-ms", c.table_delay_ms, "How long tables stay CREATING, UPDATING and DELETING (default 0)")
      ->check(CLI::Range(int64_t{0}, int64_t{3'600'000}));
  Add(app, "cache-mb", c.cache_mb, "Memory for cached data (default 256)")->check(CLI::Range(int64_t{1}, int64_t{1} << 20));
  Add(app, "init", c.init, "JSON file of tables and items to create at start");
  Add(app, "allow-reset", c.allow_reset, "Let POST /_keyfold/reset remove every table");
  Add(app, "log-requests", c.log_requests, "Log one line per request");
  Add(app, "log-level", c.log_level, "trace, debug, info, warning, error or off (default info)")
      ->check(CLI::IsMember({"trace", "debug", "info", "warning", "error", "off"}));
  Add(app, "threads", c.threads, "Event loops (default: one per core)")->check(CLI::Range(0, 256));
  app.set_config("--config", "", "Read options from an INI or TOML file")->envname("KEYFOLD_CONFIG");
}

bool IsLoopback(const std::string& host) { return host == "::1" || host == "localhost" || host.rfind("127.", 0) == 0; }

}  // namespace

CommandLine ParseCommandLine(std::vector<std::string> arguments) {
  CommandLine line;
  LocalOptions local = TranslateLocalOptions(std::move(arguments));
  if (!local.error.empty()) return {std::nullopt, local.error + "\n", 2, {}};
  line.notes = std::move(local.notes);

  Config config;
  CLI::App app("Keyfold: a DynamoDB-compatible database with single-table design built in", "keyfold");
  app.set_version_flag("--version", std::string("keyfold ") + kVersion);
  app.require_subcommand(1);
  app.footer("Run keyfold serve --help for its options.");
  CLI::App* serve = app.add_subcommand("serve", "Serve the DynamoDB API");
  serve->footer(kExamples);
  AddServeOptions(*serve, config);
  std::reverse(local.arguments.begin(), local.arguments.end());  // as CLI11 wants them
  try {
    app.parse(local.arguments);
  } catch (const CLI::ParseError& e) {
    std::ostringstream out, err;
    line.exit_code = app.exit(e, out, err);
    line.text = out.str() + err.str();
    if (line.exit_code != 0) line.exit_code = 2;
    return line;
  }
  line.serve = std::move(config);
  return line;
}

std::string FindConflict(const Config& config) {
  if (config.tls_cert.empty() != config.tls_key.empty()) return "--tls-cert and --tls-key go together";
  if (config.account.size() != 12 || config.account.find_first_not_of("0123456789") != std::string::npos) {
    return "--account takes 12 digits";
  }
  const bool open = std::any_of(config.hosts.begin(), config.hosts.end(), [](const std::string& h) { return !IsLoopback(h); });
  if (open && config.credentials.empty() && !config.insecure_open) {
    return "listening on an address other machines can reach would let anyone read and write every table; give --credentials FILE, "
           "or --insecure-open if that is meant (as in a container for tests)";
  }
  return "";
}

}  // namespace keyfold
