#include "client/machine_credentials.h"

#include <algorithm>
#include <array>
#include <vector>

#include "auth/profile_file.h"
#include "auth/sigv4.h"
#include "http/client.h"
#include "json/document.h"

namespace keyfold::client {
namespace {

constexpr Rule<"container credentials: {}"> kContainer{"container-credentials", Kind::kUnavailable};
constexpr Rule<"container credentials: {} is neither https nor an address of this machine"> kContainerHost{
    "container-credentials-host", Kind::kAccessDenied};
constexpr Rule<"instance credentials: {}"> kInstance{"instance-credentials", Kind::kUnavailable};
constexpr Rule<"{}: {}"> kTokenFile{"container-token", Kind::kValidation};

constexpr std::string_view kContainerAddress = "http://169.254.170.2";
constexpr std::string_view kInstanceAddress = "http://169.254.169.254";
constexpr std::string_view kTokenPath = "/latest/api/token";
constexpr std::string_view kRolePath = "/latest/meta-data/iam/security-credentials/";

http::HttpClientOptions ShortTimeouts() {
  http::HttpClientOptions options;
  options.connect_timeout = std::chrono::seconds(1);
  options.total_timeout = std::chrono::seconds(2);
  options.body_bytes_max = 64 * 1024;
  return options;
}

// Whether credentials may be requested from the host without TLS: this machine, and the addresses of the container
// services.
bool MayAskPlainly(const std::string& host) {
  constexpr std::array<std::string_view, 3> kKnown{"169.254.170.2", "169.254.170.23", "fd00:ec2::23"};
  return http::IsLoopbackHost(host) || std::find(kKnown.begin(), kKnown.end(), host) != kKnown.end();
}

// "2024-05-01T12:00:00Z"
std::optional<Micros> ParseTime(std::string_view text) {
  std::string basic;
  std::copy_if(text.begin(), text.end(), std::back_inserter(basic), [](char c) { return c != '-' && c != ':'; });
  const std::optional<int64_t> seconds = auth::ParseAmzDate(basic);
  if (!seconds) return std::nullopt;
  return *seconds * 1'000'000;
}

std::optional<TemporaryCredentials> ParseAnswer(const std::string& body) {
  json::Parser parser;
  const std::optional<json::Value> document = parser.Parse(body);
  if (!document || !document->is_object()) return std::nullopt;
  const auto text = [&](std::string_view name) {
    const std::optional<json::Value> value = json::Find(*document, name);
    return value && value->is_string() ? std::string(value->AsString()) : std::string();
  };
  TemporaryCredentials found{{text("AccessKeyId"), text("SecretAccessKey"), text("Token")}, {}};
  found.expires = ParseTime(text("Expiration"));
  if (found.credentials.access_key_id.empty() || found.credentials.secret_access_key.empty()) return std::nullopt;
  return found;
}

// The token that a container's service expects. The file takes precedence over the variable, because it is the one that
// gets renewed.
Result<std::string> ContainerToken(const Environment& environment) {
  const std::string& path = environment["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"];
  if (path.empty()) return environment["AWS_CONTAINER_AUTHORIZATION_TOKEN"];
  Result<std::string> text = auth::ReadProfileFile(path);
  if (!text.ok()) return kTokenFile(path, text.error().message());
  while (!text->empty() && (text->back() == '\n' || text->back() == '\r')) text->pop_back();
  return *std::move(text);
}

std::string StatusWords(int status) { return "status " + std::to_string(status); }

// One metadata service. Used by one thread at a time.
class InstanceService {
 public:
  explicit InstanceService(http::Url url) : client_(std::move(url), ShortTimeouts()) {}

  // Gets the token for later requests; returns false if there is no such service.
  bool Greet() {
    const Header lifetime{"X-aws-ec2-metadata-token-ttl-seconds", "21600"};
    http::Failure failure;
    const auto answer = client_.Send({.method = "PUT", .target = kTokenPath, .headers = {&lifetime, 1}}, failure);
    if (!answer || answer->status != 200) return false;
    token_ = answer->body;
    return true;
  }
  std::optional<http::HttpAnswer> Get(const std::string& path, http::Failure& failure) {
    const Header token{"X-aws-ec2-metadata-token", token_};
    return client_.Send({.target = path, .headers = {&token, 1}}, failure);
  }

 private:
  http::HttpClient client_;
  std::string token_;
};

}  // namespace

Result<std::optional<TemporaryCredentials>> AskContainer(const Environment& environment) {
  std::string address = environment["AWS_CONTAINER_CREDENTIALS_FULL_URI"];
  const std::string& relative = environment["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"];
  if (!relative.empty()) address = std::string(kContainerAddress) + relative;
  if (address.empty()) return std::optional<TemporaryCredentials>();
  std::string error;
  const std::optional<http::Url> url = http::ParseUrl(address, error);
  if (!url) return kContainer(address + ": " + error);
  if (!url->tls && !MayAskPlainly(url->host)) return kContainerHost(address);
  ASSIGN_OR_RETURN(const std::string token, ContainerToken(environment));
  const Header authorization{"Authorization", token};
  http::HttpCall call{.target = url->target};
  if (!token.empty()) call.headers = {&authorization, 1};
  http::Failure failure;
  const std::optional<http::HttpAnswer> answer = http::HttpClient(*url, ShortTimeouts()).Send(call, failure);
  if (!answer) return kContainer(failure.text);
  if (answer->status != 200) return kContainer(address + " returned " + StatusWords(answer->status));
  std::optional<TemporaryCredentials> found = ParseAnswer(answer->body);
  if (!found) return kContainer(address + " provides none");
  return found;
}

Result<std::optional<TemporaryCredentials>> AskInstance(const Environment& environment) {
  const std::optional<TemporaryCredentials> none;
  if (environment.IsTrue("AWS_EC2_METADATA_DISABLED")) return none;
  const std::string& other = environment["AWS_EC2_METADATA_SERVICE_ENDPOINT"];
  const std::string address = other.empty() ? std::string(kInstanceAddress) : other;
  std::string error;
  const std::optional<http::Url> url = http::ParseUrl(address, error);
  if (!url) return kInstance(address + ": " + error);
  InstanceService service(*url);
  if (!service.Greet()) return none;
  http::Failure failure;
  const std::optional<http::HttpAnswer> roles = service.Get(std::string(kRolePath), failure);
  if (!roles) return kInstance(failure.text);
  if (roles->status == 404) return none;
  const std::string role = roles->body.substr(0, roles->body.find('\n'));
  if (roles->status != 200 || role.empty())
    return kInstance("the list of roles returned " + StatusWords(roles->status));
  const std::optional<http::HttpAnswer> answer = service.Get(std::string(kRolePath) + role, failure);
  if (!answer) return kInstance(failure.text);
  if (answer->status != 200) return kInstance("role " + role + " returned " + StatusWords(answer->status));
  std::optional<TemporaryCredentials> found = ParseAnswer(answer->body);
  if (!found) return kInstance("role " + role + " provides none");
  return found;
}

}  // namespace keyfold::client
