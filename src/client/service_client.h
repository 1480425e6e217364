// ServiceClient: calls of the DynamoDB API to any endpoint, signed and, where that may help, sent again.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/random.h"
#include "client/credential_chain.h"
#include "client/endpoint.h"
#include "client/retry.h"
#include "http/client.h"

namespace keyfold {

// The detail of an Error that an endpoint answered with. Its kind() is that of the exception where it has one, else
// kValidation or, for a status from 500 on, kUnavailable.
struct ServiceFault final : ErrorDetail {
  int status = 0;
  std::string type;     // "ResourceNotFoundException"; empty where the answer was not the service's
  std::string message;  // of the exception alone
  std::string body;     // as answered: an Item or CancellationReasons may be in it
};

// Null where no endpoint answered.
inline const ServiceFault* FaultOf(const Error& error) { return dynamic_cast<const ServiceFault*>(error.detail()); }

struct ServiceClientOptions {
  RetryPolicy retry = {};
  HttpClientOptions http = {.total_timeout = std::chrono::minutes(3)};  // for 16 MB each way, and a slow line
  // Time, and how to let it pass; tests give their own.
  const Clock* clock = nullptr;            // null: the system's
  std::function<void(Micros)> sleep = {};  // empty: really
  uint64_t seed = Random::SeedFromSystem();
};

// One thread at a time, one connection; several threads want one each.
class ServiceClient {
 public:
  // Finds endpoint, region and credentials, without calling anybody but a machine's credential service.
  static Result<std::unique_ptr<ServiceClient>> Open(const ClientSettings& settings, const Environment& environment,
                                                     AwsService service = AwsService::kDynamoDb,
                                                     ServiceClientOptions options = {});

  // The answer's JSON; or the error of the last attempt, worded for a person. A call whose connection was lost is sent
  // again though it may have been executed: give writes that must not happen twice a ClientRequestToken or a condition.
  Result<std::string> Call(std::string_view operation, std::string_view body);
  // The same of an operation that is Keyfold's own. Another server does not know it: kUnknownOperation.
  Result<std::string> CallOwn(std::string_view operation, std::string_view body);

  // The body at a path of the server's own, such as /_keyfold/models; asked once, signed as a call is.
  Result<std::string> Get(std::string_view path);

  const Endpoint& endpoint() const { return endpoint_; }
  uint64_t retries() const { return retries_; }  // so far

 private:
  ServiceClient(Endpoint endpoint, CredentialChain credentials, AwsService service, ServiceClientOptions options);

  struct Attempt;
  Result<std::string> CallAt(std::string_view prefix, std::string_view operation, std::string_view body);
  Result<Attempt> TryOnce(std::string_view target, std::string_view body);
  std::vector<OwnedHeader> HeadersOf(std::string_view target, std::string_view body, const Credentials& credentials);

  const Endpoint endpoint_;
  const AwsService service_;
  ServiceClientOptions options_;
  CredentialChain credentials_;
  HttpClient http_;
  Random random_;
  uint64_t retries_ = 0;
};

}  // namespace keyfold
