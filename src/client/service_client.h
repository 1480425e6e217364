// ServiceClient: calls the DynamoDB API of any endpoint; signs the calls and retries them if that may help.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/random.h"
#include "client/api_caller.h"
#include "client/credential_chain.h"
#include "client/endpoint.h"
#include "client/retry.h"
#include "http/client.h"

namespace keyfold::client {

// The detail of an Error that an endpoint returned. Its kind() is that of the exception if there is one, otherwise
// kValidation or, for a status of 500 or above, kUnavailable.
struct ServiceFault final : ErrorDetail {
  int status = 0;
  std::string type;     // "ResourceNotFoundException"; empty if the response was not the service's
  std::string message;  // the exception's message only
  std::string body;     // the response body: may contain an Item or CancellationReasons
};

// Null if no endpoint responded.
inline const ServiceFault* FaultOf(const Error& error) { return dynamic_cast<const ServiceFault*>(error.detail()); }

struct ServiceClientOptions {
  RetryPolicy retry = {};
  http::HttpClientOptions http = {.total_timeout =
                                      std::chrono::minutes(3)};  // enough for 16 MB each way on a slow line
  // Time and sleeping; tests supply their own.
  const Clock* clock = nullptr;            // null: the system clock
  std::function<void(Micros)> sleep = {};  // empty: actually sleeps
  uint64_t seed = Random::SeedFromSystem();
};

// Has one connection and is used by one thread at a time; each thread needs its own.
class ServiceClient final : public ApiCaller {
 public:
  // Finds endpoint, region and credentials, without any network call except to a machine's credential service.
  static Result<std::unique_ptr<ServiceClient>> Open(const ClientSettings& settings, const Environment& environment,
                                                     AwsService service = AwsService::kDynamoDb,
                                                     ServiceClientOptions options = {});

  // Returns the response's JSON, or the error of the last attempt, worded for users. A call whose connection was lost
  // is retried although it may have been executed: give writes that must not happen twice a ClientRequestToken or a
  // condition.
  Result<std::string> Call(std::string_view operation, std::string_view body) override;

  // Gets the body at one of the server's own paths, such as /_keyfold/models; sent once, signed like a call.
  Result<std::string> Get(std::string_view path);

  const Endpoint& endpoint() const { return endpoint_; }
  uint64_t retries() const { return retries_; }  // so far

 private:
  ServiceClient(Endpoint endpoint, CredentialChain credentials, AwsService service, ServiceClientOptions options);

  struct Attempt;
  Result<Attempt> TryOnce(std::string_view target, std::string_view body);
  std::vector<OwnedHeader> HeadersOf(std::string_view target, std::string_view body,
                                     const auth::Credentials& credentials);

  const Endpoint endpoint_;
  const AwsService service_;
  ServiceClientOptions options_;
  CredentialChain credentials_;
  http::HttpClient http_;
  Random random_;
  uint64_t retries_ = 0;
};

}  // namespace keyfold::client
