#include "cli/commands/health_command.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>

#include "cli/shell/options.h"
#include "http/client.h"

namespace keyfold::cli {
namespace {

constexpr char kDefaultPort[] = "8000";

struct HealthOptions {
  std::string endpoint;
  std::string ca_file;
  int64_t timeout_ms = 3000;
};

// The server on this machine that was started with the same KEYFOLD_* variables, as in a container.
std::string DefaultEndpoint(const client::Environment& environment) {
  const std::string& port = environment["KEYFOLD_PORT"];
  const bool tls = !environment["KEYFOLD_TLS_CERT"].empty();
  return fmt::format("{}://127.0.0.1:{}", tls ? "https" : "http", port.empty() ? kDefaultPort : port);
}

// A server that requires a signature for /health responds with 403, and DynamoDB Local, which has no such path, with
// 400: both are serving.
bool Serves(int status) { return status == 200 || status == 400 || status == 403; }

}  // namespace

int RunHealth(const Arguments& arguments, terminal::Console& console) {
  OptionParser parser(
      "keyfold health",
      "Check whether a server responds: exit code 0 if it does, otherwise 1 and one line that says why",
      "\nExamples:\n"
      "  keyfold health                                   the server on port 8000, or KEYFOLD_PORT, of this machine\n"
      "  keyfold health --endpoint http://db:8000 --timeout-ms 500\n");
  HealthOptions options;
  options.endpoint = DefaultEndpoint(console.environment());
  parser.Text("--endpoint", options.endpoint,
              "Address of the server (default http://127.0.0.1:8000, with KEYFOLD_PORT as the port if it is set)");
  parser.Number("--timeout-ms", options.timeout_ms, "How long to wait for the response (default 3000)")
      .Between(int64_t{1}, int64_t{600'000});
  parser.Text("--ca-file", options.ca_file, "Certificate authorities to trust (PEM) instead of the system's");
  if (const std::optional<int> code = parser.Parse(arguments, console)) return *code;

  const Result<http::Url> url = http::ParseUrl(options.endpoint);
  if (!url.ok()) {
    return RefuseUsage("keyfold health", fmt::format("--endpoint {}: {}", options.endpoint, url.error().message()),
                       console);
  }
  const std::chrono::milliseconds timeout(options.timeout_ms);
  http::HttpClientOptions http{.connect_timeout = timeout, .idle_timeout = timeout, .total_timeout = timeout};
  http.ca_file = options.ca_file;
  const Result<http::HttpAnswer> answer = http::HttpClient(*url, http).Send({.target = "/health"});
  if (!answer.ok())
    return Fail(fmt::format("{} does not respond: {}", options.endpoint, answer.error().message()), console);
  if (!Serves(answer->status))
    return Fail(fmt::format("{} responds, but is not healthy: status {}", options.endpoint, answer->status), console);
  return kExitOk;
}

}  // namespace keyfold::cli
