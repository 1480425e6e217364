// Configuration from the command line, KEYFOLD_* variables and a configuration file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

namespace keyfold::server {

struct Config {
  uint16_t port = 8000;
  std::vector<std::string> hosts = {"127.0.0.1", "::1"};
  std::string data = "keyfold-data";
  bool in_memory = false;
  std::string durability = "always";
  bool accept_data_loss = false;
  bool accept_clock_ahead = false;
  std::string region = "us-east-1";
  std::string account = "123456789012";
  std::string credentials;
  std::string credentials_mode = "strict";
  std::string tls_cert, tls_key;
  std::vector<std::string> allow_hosts, allow_origins;
  bool insecure_open = false;
  bool no_signature_time = false;
  int64_t table_delay_ms = 0, index_delay_ms = 0;
  int64_t cache_mb = 256;
  int64_t max_in_flight_mb = 0;  // 0: derived from the available memory
  std::string s3_root;           // empty: s3 in the data folder
  std::string s3_endpoint, s3_region = "us-east-1", s3_credentials;
  std::string init;
  bool allow_reset = false;
  bool admin = false;
  std::string clock = "system";
  int64_t ttl_interval_ms = 1000;
  uint32_t stream_shards = 4;
  int64_t stream_shard_age_ms = 4 * 3600 * 1000;
  std::vector<std::string> models;  // files
  std::string model_mode = "observe";
  int64_t model_unseen_days = 35;
  bool local_health = false;
  bool local_banner = false;  // not an option: the command line was DynamoDB Local's
  std::string audit;          // a file, or - for standard output; empty: no audit log
  bool log_requests = false;
  std::string log_level = "info";
  int threads = 0;  // event loops; 0: one per core
};

// What to do after parsing: serve, or print `text` and exit.
struct CommandLine {
  std::optional<Config> serve;
  std::string text;
  int exit_code = 0;
  std::vector<std::string> notes;  // one line each, printed before serving
};

// Parses `keyfold serve …`, without the program's name, or DynamoDB Local's spelling of it. `called_java`: as in
// local_options.h.
CommandLine ParseCommandLine(std::vector<std::string> arguments, bool called_java = false);

// Checks for settings that contradict each other and for an unsafe bind. The error is one line that says what to do.
Status CheckConfig(const Config& config);

}  // namespace keyfold::server
