// The command line: what arguments, variables and files set, which of them takes precedence, and the messages for what
// is refused.
#include "server/config/config.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>

namespace keyfold::server {
namespace {

using Words = std::vector<std::string>;

// Sets a KEYFOLD_* variable for the duration of a test.
class Variable {
 public:
  Variable(std::string name, const std::string& value) : name_(std::move(name)) {
    setenv(name_.c_str(), value.c_str(), 1);
  }
  ~Variable() { unsetenv(name_.c_str()); }
  Variable(const Variable&) = delete;

 private:
  const std::string name_;
};

// A configuration file for the duration of a test.
class File {
 public:
  explicit File(const std::string& text)
      : path_(std::filesystem::temp_directory_path() / ("keyfold-config-test-" + std::to_string(getpid()))) {
    std::ofstream(path_) << text;
  }
  ~File() { std::filesystem::remove(path_); }
  File(const File&) = delete;
  std::string path() const { return path_; }

 private:
  const std::filesystem::path path_;
};

// Returns the configuration of `keyfold serve` with these arguments.
Config Parsed(Words arguments) {
  arguments.insert(arguments.begin(), "serve");
  const CommandLine line = ParseCommandLine(arguments);
  EXPECT_TRUE(line.serve.has_value()) << line.text;
  return line.serve.value_or(Config());
}

// Each member as text, so that a row can name any of them.
std::map<std::string, std::string> Fields(const Config& c) {
  const auto joined = [](const Words& words) {
    std::string text;
    for (const std::string& w : words) text += (text.empty() ? "" : " ") + w;
    return text;
  };
  const auto truth = [](bool b) { return std::string(b ? "true" : "false"); };
  return {{"port", std::to_string(c.port)},
          {"host", joined(c.hosts)},
          {"data", c.data},
          {"in-memory", truth(c.in_memory)},
          {"durability", c.durability},
          {"accept-data-loss", truth(c.accept_data_loss)},
          {"accept-clock-ahead", truth(c.accept_clock_ahead)},
          {"region", c.region},
          {"account", c.account},
          {"credentials", c.credentials},
          {"credentials-mode", c.credentials_mode},
          {"tls-cert", c.tls_cert},
          {"tls-key", c.tls_key},
          {"allow-host", joined(c.allow_hosts)},
          {"allow-origin", joined(c.allow_origins)},
          {"insecure-open", truth(c.insecure_open)},
          {"no-signature-time", truth(c.no_signature_time)},
          {"table-delay-ms", std::to_string(c.table_delay_ms)},
          {"cache-mb", std::to_string(c.cache_mb)},
          {"max-in-flight-mb", std::to_string(c.max_in_flight_mb)},
          {"init", c.init},
          {"allow-reset", truth(c.allow_reset)},
          {"admin", truth(c.admin)},
          {"clock", c.clock},
          {"ttl-interval-ms", std::to_string(c.ttl_interval_ms)},
          {"stream-shards", std::to_string(c.stream_shards)},
          {"stream-shard-age-ms", std::to_string(c.stream_shard_age_ms)},
          {"local-health", truth(c.local_health)},
          {"audit", c.audit},
          {"log-requests", truth(c.log_requests)},
          {"log-level", c.log_level},
          {"threads", std::to_string(c.threads)}};
}

struct Setting {
  const char* option;
  const char* by_default;
  const char* value;
};

const Setting kSettings[] = {
    {"port", "8000", "9"},
    {"host", "127.0.0.1 ::1", "::1"},
    {"data", "keyfold-data", "elsewhere"},
    {"in-memory", "false", "true"},
    {"durability", "always", "relaxed"},
    {"accept-data-loss", "false", "true"},
    {"accept-clock-ahead", "false", "true"},
    {"region", "us-east-1", "eu-west-3"},
    {"account", "123456789012", "999999999999"},
    {"credentials", "", "keys"},
    {"credentials-mode", "strict", "any"},
    {"tls-cert", "", "c.pem"},
    {"tls-key", "", "k.pem"},
    {"allow-host", "", "db.example"},
    {"allow-origin", "", "http://a.example"},
    {"insecure-open", "false", "true"},
    {"no-signature-time", "false", "true"},
    {"table-delay-ms", "0", "250"},
    {"cache-mb", "256", "64"},
    {"max-in-flight-mb", "0", "100"},
    {"init", "", "init.json"},
    {"allow-reset", "false", "true"},
    {"admin", "false", "true"},
    {"clock", "system", "manual"},
    {"ttl-interval-ms", "1000", "50"},
    {"stream-shards", "4", "2"},
    {"stream-shard-age-ms", "14400000", "60000"},
    {"local-health", "false", "true"},
    {"audit", "", "a.jsonl"},
    {"log-requests", "false", "true"},
    {"log-level", "info", "error"},
    {"threads", "0", "3"},
};

std::string VariableOf(std::string option) {
  for (char& c : option) c = c == '-' ? '_' : static_cast<char>(toupper(c));
  return "KEYFOLD_" + option;
}

// Expects one setting changed and all others at their defaults.
void ExpectOnly(const Setting& changed, const Config& config) {
  const auto fields = Fields(config);
  ASSERT_EQ(fields.size(), std::size(kSettings));
  for (const Setting& s : kSettings) {
    EXPECT_EQ(fields.at(s.option), &s == &changed ? s.value : s.by_default) << s.option;
  }
}

TEST(Config, EachSettingByArgumentVariableAndFile) {
  for (const Setting& s : kSettings) {
    SCOPED_TRACE(s.option);
    const bool flag = std::string(s.value) == "true";
    const std::string option = std::string("--") + s.option;
    ExpectOnly(s, Parsed(flag ? Words{option} : Words{option, s.value}));
    {
      const Variable variable(VariableOf(s.option), s.value);
      ExpectOnly(s, Parsed({}));
    }
    const File file(std::string(s.option) + " = " + s.value + "\n");
    ExpectOnly(s, Parsed({"--config", file.path()}));
  }
}

TEST(Config, ArgumentsOverrideVariablesOverrideTheFile) {
  const File file("region = file-1\naccount = 111111111111\nport = 1\nallow-host = one\n");
  const Variable config("KEYFOLD_CONFIG", file.path()), account("KEYFOLD_ACCOUNT", "222222222222"),
      port("KEYFOLD_PORT", "2");
  const auto fields = Fields(Parsed({"--port", "3"}));
  EXPECT_EQ(fields.at("region"), "file-1");
  EXPECT_EQ(fields.at("account"), "222222222222");
  EXPECT_EQ(fields.at("port"), "3");
  EXPECT_EQ(fields.at("allow-host"), "one");
  EXPECT_EQ(Fields(Parsed({"--allow-host", "two"})).at("allow-host"), "two");
}

TEST(Config, Lists) {
  const std::pair<Words, const char*> rows[] = {
      {{"--allow-host", "a", "--allow-host", "b"}, "a b"},
      {{"--allow-host", "a,b"}, "a b"},
      {{"--allow-host", "a", "b"}, "a b"},
  };
  for (const auto& [arguments, hosts] : rows)
    EXPECT_EQ(Fields(Parsed(arguments)).at("allow-host"), hosts) << arguments.size();
  const Variable variable("KEYFOLD_ALLOW_HOST", "a,b");
  EXPECT_EQ(Fields(Parsed({})).at("allow-host"), "a b");
  const File file("allow-host = [\"c\", \"d\"]\n");
  EXPECT_EQ(Fields(Parsed({"--config", file.path(), "--allow-host", "e"})).at("allow-host"), "e");
}

TEST(Config, FilesHaveCommentsAndFlags) {
  const File file("# a comment\n; another\n\nin-memory\nlog-level = \"warning\"\n");
  const Config config = Parsed({"--config", file.path()});
  EXPECT_TRUE(config.in_memory);
  EXPECT_EQ(config.log_level, "warning");
}

TEST(Config, BadArgumentsAreOneLine) {
  const std::pair<Words, const char*> rows[] = {
      {{"serve", "--prot", "1"}, "--prot"},
      {{"serve", "--port", "x"}, "--port"},
      {{"serve", "--port", "65536"}, "--port"},
      {{"serve", "--port", "1", "--port", "2"}, "--port"},
      {{"serve", "--durability", "none"}, "--durability"},
      {{"serve", "--cache-mb", "0"}, "--cache-mb"},
      {{"serve", "--max-in-flight-mb", "63"}, "--max-in-flight-mb"},
      {{"serve", "--threads", "257"}, "--threads"},
      {{"serve", "--table-delay-ms", "3600001"}, "--table-delay-ms"},
      {{"serve", "--clock", "lunar"}, "--clock"},
      {{"serve", "--credentials-mode", "lax"}, "--credentials-mode"},
      {{"serve", "--audit"}, "--audit"},
      {{"-jar"}, "-jar needs a value"},
      {{"serve", "--ttl-interval-ms", "0"}, "--ttl-interval-ms"},
      {{"serve", "--stream-shards", "0"}, "--stream-shards"},
      {{"serve", "--stream-shard-age-ms", "999"}, "--stream-shard-age-ms"},
      {{"serve", "--config", "no-such-file"}, "no-such-file"},
      {{"serve", "--config", "/"}, "Is a directory"},
      {{"-port"}, "-port needs a value"},
  };
  for (const auto& [arguments, part] : rows) {
    SCOPED_TRACE(part);
    const CommandLine line = ParseCommandLine(arguments);
    EXPECT_FALSE(line.serve.has_value());
    EXPECT_EQ(line.exit_code, 2);
    EXPECT_NE(line.text.find(part), std::string::npos) << line.text;
    EXPECT_EQ(line.text.rfind("keyfold: ", 0), 0u) << line.text;
    EXPECT_EQ(line.text.find('\n'), line.text.size() - 1) << line.text;
  }
}

TEST(Config, DynamoDbLocalsCommandLinesPrintItsFirstLines) {
  for (const Words& words : {Words{"-inMemory"}, Words{"-jar", "DynamoDBLocal.jar"}, Words{"serve", "-Xmx256m"}}) {
    const CommandLine line = ParseCommandLine(words);
    ASSERT_TRUE(line.serve.has_value()) << line.text;
    EXPECT_TRUE(line.serve->local_banner && line.serve->local_health);
  }
  EXPECT_FALSE(Parsed({"--in-memory"}).local_banner);
  EXPECT_FALSE(Parsed({"--local-health"}).local_banner);
  const CommandLine java = ParseCommandLine({}, /*called_java=*/true);
  ASSERT_TRUE(java.serve.has_value()) << java.text;
  EXPECT_TRUE(java.serve->local_banner && java.serve->local_health);
}

TEST(Config, BadFilesAreNamed) {
  for (const char* text : {"prot = 1\n", "port = x\n", "[other]\nport = 1\n", "config = more\n", "help\n"}) {
    const File file(text);
    const CommandLine line = ParseCommandLine({"serve", "--config", file.path()});
    EXPECT_EQ(line.exit_code, 2) << text;
    EXPECT_NE(line.text.find(file.path()), std::string::npos) << line.text;
  }
}

TEST(Config, HelpAndVersionAreNotErrors) {
  const std::pair<Words, const char*> rows[] = {
      {{"serve", "--help"}, "Examples:"},
      {{"-help"}, "Examples:"},
      {{"-version"}, "keyfold 0."},
      {{"serve", "-version"}, "keyfold 0."},
      {{"serve", "--port", "1", "-h"}, "KEYFOLD_TABLE_DELAY_MS"},
  };
  for (const auto& [arguments, part] : rows) {
    const CommandLine line = ParseCommandLine(arguments);
    EXPECT_FALSE(line.serve.has_value());
    EXPECT_EQ(line.exit_code, 0);
    EXPECT_NE(line.text.find(part), std::string::npos) << line.text;
  }
}

TEST(Config, NotesAreKept) {
  EXPECT_EQ(ParseCommandLine({"-inMemory"}).notes.size(), 1u);
  EXPECT_EQ(ParseCommandLine({"-inMemory", "-sharedDb"}).notes.size(), 0u);
}

TEST(Config, Conflicts) {
  struct Row {
    const char* name;
    std::function<void(Config&)> change;
    const char* part;  // empty: no message
  };
  const Row rows[] = {
      {"defaults", [](Config&) {}, ""},
      {"cert alone", [](Config& c) { c.tls_cert = "c"; }, "--tls-cert and --tls-key must be given together"},
      {"key alone", [](Config& c) { c.tls_key = "k"; }, "--tls-cert and --tls-key must be given together"},
      {"both", [](Config& c) { c.tls_cert = c.tls_key = "f"; }, ""},
      {"short account", [](Config& c) { c.account = "12345678901"; }, "--account takes 12 digits"},
      {"account of letters", [](Config& c) { c.account = "12345678901x"; }, "--account"},
      {"no region", [](Config& c) { c.region = ""; }, "--region takes a name like us-east-1"},
      {"region with a colon", [](Config& c) { c.region = "a:b"; }, "--region"},
      {"all of 127", [](Config& c) { c.hosts = {"127.8.9.10"}; }, ""},
      {"localhost",
       [](Config& c) {
         c.hosts = {"localhost", "::1", "0:0:0:0:0:0:0:1"};
       },
       ""},
      {"every address", [](Config& c) { c.hosts = {"0.0.0.0"}; },
       "listening on an address other machines can reach would let anyone read and write every table; give "
       "--credentials FILE, or --insecure-open if that is intended (as in a container for tests)"},
      {"every v6 address", [](Config& c) { c.hosts = {"::"}; }, "--insecure-open"},
      {"one of two is open",
       [](Config& c) {
         c.hosts = {"127.0.0.1", "192.0.2.1"};
       },
       "--credentials"},
      {"a name like an address", [](Config& c) { c.hosts = {"127.0.0.1.example.com"}; }, "--credentials"},
      {"open on purpose", [](Config& c) { c.hosts = {"0.0.0.0"}, c.insecure_open = true; }, ""},
      {"open with credentials", [](Config& c) { c.hosts = {"0.0.0.0"}, c.credentials = "f"; }, ""},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    Config config;
    row.change(config);
    const Status checked = CheckConfig(config);
    EXPECT_EQ(checked.ok(), *row.part == '\0');
    if (checked.ok()) continue;
    EXPECT_NE(checked.message().find(row.part), std::string::npos) << checked.message();
  }
}

}  // namespace
}  // namespace keyfold::server
