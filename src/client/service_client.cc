#include "client/service_client.h"

#include <chrono>
#include <thread>

#include "auth/sigv4.h"
#include "base/checksum.h"
#include "base/version.h"
#include "json/document.h"
#include "wire/error_body.h"
#include "wire/target.h"

namespace keyfold::client {
namespace {

constexpr Rule<"{}: {}"> kNoAnswer{"no-answer", Kind::kUnavailable};
constexpr Rule<"{}: status {}: {}"> kNotGiven{"path-not-given", Kind::kResourceNotFound};
constexpr Rule<"{}: the response of {} is corrupt (x-amz-crc32)"> kDamaged{"answer-damaged", Kind::kUnavailable};
using Refused = Rule<"{}: {}: {}">;

constexpr std::string_view kSigningName = "dynamodb";  // the same for both services
constexpr std::string_view kContentType = "application/x-amz-json-1.0";

std::string_view TargetPrefixOf(AwsService service, std::string_view operation) {
  if (wire::IsKeyfoldOperation(operation)) return wire::kKeyfoldTarget;
  return service == AwsService::kDynamoDb ? wire::kDynamoDbTarget : wire::kStreamsTarget;
}

std::string TextOf(const json::Value& object, std::string_view name) {
  const std::optional<json::Value> value = json::Find(object, name);
  return value && value->is_string() ? std::string(value->AsString()) : std::string();
}

// Anything may respond at an address: a proxy's error page becomes a fault without a type.
std::unique_ptr<ServiceFault> ReadFault(http::HttpAnswer&& answer) {
  auto fault = std::make_unique<ServiceFault>();
  fault->status = answer.status;
  fault->body = std::move(answer.body);
  json::Parser parser;
  const std::optional<json::Value> document = parser.Parse(fault->body);
  if (!document || !document->is_object()) return fault;
  const std::string type = TextOf(*document, "__type");
  fault->type = type.substr(type.find('#') == std::string::npos ? 0 : type.find('#') + 1);
  fault->message = TextOf(*document, "message");
  if (fault->message.empty()) fault->message = TextOf(*document, "Message");
  return fault;
}

Error ErrorOf(std::string_view operation, std::unique_ptr<ServiceFault> fault) {
  const Kind unnamed = fault->status >= 500 ? Kind::kUnavailable : Kind::kValidation;
  const Refused refused{"service-refused", wire::KindOfException(fault->type).value_or(unnamed)};
  const std::string status = "status " + std::to_string(fault->status);
  const std::string_view type = fault->type.empty() ? std::string_view("not a DynamoDB response") : fault->type;
  const std::string_view message = fault->message.empty() ? std::string_view(status) : fault->message;
  Error error = refused(operation, type, message);
  return std::move(error).WithDetail(std::move(fault));
}

bool IsWhole(const http::HttpAnswer& answer) {
  const std::string_view stated = answer.Find("x-amz-crc32");
  return stated.data() == nullptr || stated == std::to_string(Crc32(answer.SentBody()));
}

}  // namespace

// The result of one attempt.
struct ServiceClient::Attempt {
  std::optional<std::string> body;  // the response, on success
  std::optional<Error> error;       // otherwise
  bool retryable = false;
  bool never_connected = false;
  Micros asked_wait = 0;
};

ServiceClient::ServiceClient(Endpoint endpoint, CredentialChain credentials, AwsService service,
                             ServiceClientOptions options)
    : endpoint_(std::move(endpoint)),
      service_(service),
      options_(std::move(options)),
      credentials_(std::move(credentials)),
      http_(endpoint_.url, options_.http),
      random_(options_.seed) {}

Result<std::unique_ptr<ServiceClient>> ServiceClient::Open(const ClientSettings& settings,
                                                           const Environment& environment, AwsService service,
                                                           ServiceClientOptions options) {
  static const SystemClock kSystemClock;
  if (options.clock == nullptr) options.clock = &kSystemClock;
  if (!options.sleep) {
    options.sleep = [](Micros time) { std::this_thread::sleep_for(std::chrono::microseconds(time)); };
  }
  if (!settings.ca_file.empty()) options.http.ca_file = settings.ca_file;
  ASSIGN_OR_RETURN(Profile profile, Profile::Load(environment, settings.profile));
  ASSIGN_OR_RETURN(Endpoint endpoint, FindEndpoint(settings, environment, profile, service));
  CredentialChain chain(settings, environment, std::move(profile), endpoint.loopback());
  RETURN_IF_ERROR(chain.Current(options.clock->Now()));
  return std::unique_ptr<ServiceClient>(
      new ServiceClient(std::move(endpoint), std::move(chain), service, std::move(options)));
}

Result<std::string> ServiceClient::Call(std::string_view operation, std::string_view body) {
  const std::string target = std::string(TargetPrefixOf(service_, operation)).append(operation);
  for (int failures = 1;; ++failures) {
    ASSIGN_OR_RETURN(Attempt attempt, TryOnce(target, body));
    if (attempt.body) return *std::move(attempt.body);
    const RetryPolicy& policy = options_.retry;
    const int attempts_max = attempt.never_connected ? policy.connect_attempts_max : policy.attempts_max;
    if (!attempt.retryable || failures >= attempts_max) return *std::move(attempt.error);
    options_.sleep(WaitBeforeNext(policy, failures, attempt.asked_wait, random_));
    ++retries_;
  }
}

Result<std::string> ServiceClient::Get(std::string_view path) {
  ASSIGN_OR_RETURN(const auth::Credentials* credentials, credentials_.Current(options_.clock->Now()));
  const std::string host = endpoint_.url.HostHeader();
  const std::vector<Header> to_sign{{"Host", host}};
  const auth::SignedParts parts{"GET", path, "", to_sign, ""};
  const std::vector<OwnedHeader> owned =
      auth::Sign(parts, *credentials, endpoint_.region, kSigningName, options_.clock->Now());
  std::vector<Header> headers;
  for (const OwnedHeader& header : owned) headers.push_back({header.name, header.value});
  Result<http::HttpAnswer> answer = http_.Send({.method = "GET", .target = path, .headers = headers});
  if (!answer.ok()) return kNoAnswer(path, answer.error().message());
  if (!IsWhole(*answer)) return kDamaged(path, endpoint_.url.HostAndPort());
  if (answer->status == 200) return std::move(answer->body);
  return kNotGiven(path, answer->status, std::string_view(answer->body).substr(0, answer->body.find('\n')));
}

std::vector<OwnedHeader> ServiceClient::HeadersOf(std::string_view target, std::string_view body,
                                                  const auth::Credentials& credentials) {
  std::vector<OwnedHeader> headers{{"Content-Type", std::string(kContentType)}, {"X-Amz-Target", std::string(target)}};
  const std::string host = endpoint_.url.HostHeader();
  std::vector<Header> to_sign{{"Host", host}};
  for (const OwnedHeader& header : headers) to_sign.push_back({header.name, header.value});
  const auth::SignedParts parts{"POST", endpoint_.url.target, "", to_sign, body};
  for (OwnedHeader& header : auth::Sign(parts, credentials, endpoint_.region, kSigningName, options_.clock->Now())) {
    headers.push_back(std::move(header));
  }
  headers.push_back({"User-Agent", std::string("keyfold/") + kVersion});
  return headers;
}

Result<ServiceClient::Attempt> ServiceClient::TryOnce(std::string_view target, std::string_view body) {
  const std::string_view operation = target.substr(target.find('.') + 1);
  ASSIGN_OR_RETURN(const auth::Credentials* credentials, credentials_.Current(options_.clock->Now()));
  const std::vector<OwnedHeader> owned = HeadersOf(target, body, *credentials);
  std::vector<Header> headers;
  for (const OwnedHeader& header : owned) headers.push_back({header.name, header.value});
  Result<http::HttpAnswer> answer =
      http_.Send({.method = "POST", .target = endpoint_.url.target, .headers = headers, .body = body});
  Attempt attempt;
  if (!answer.ok()) {
    const http::Failure::Kind kind = http::FailureKindOf(answer.error());
    attempt.error = kNoAnswer(operation, answer.error().message());
    attempt.retryable = IsRetryable(kind);
    attempt.never_connected = kind == http::Failure::Kind::kConnect;
  } else if (!IsWhole(*answer)) {
    attempt.error = kDamaged(operation, endpoint_.url.HostAndPort());
    attempt.retryable = true;
  } else if (answer->status == 200) {
    attempt.body = std::move(answer->body);
  } else {
    attempt.asked_wait = AskedWait(*answer);
    std::unique_ptr<ServiceFault> fault = ReadFault(*std::move(answer));
    attempt.retryable = IsRetryable(fault->status, fault->type);
    attempt.error = ErrorOf(operation, std::move(fault));
  }
  return attempt;
}

}  // namespace keyfold::client
