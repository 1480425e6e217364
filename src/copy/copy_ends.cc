#include "copy/copy_ends.h"

#include "client/service_client.h"

namespace keyfold::copy {
namespace {

constexpr int kAttemptsMax = 20;         // about five minutes of waiting
constexpr int kConnectAttemptsMax = 12;  // one minute

}  // namespace

OpenCaller CallerAt(client::ClientSettings settings, const client::Environment& environment, StopRequest& stop,
                    Patience patience) {
  return
      [settings = std::move(settings), &environment, &stop, patience]() -> Result<std::unique_ptr<client::ApiCaller>> {
        client::ServiceClientOptions options;
        if (patience == Patience::kLong) {
          options.retry.attempts_max = kAttemptsMax;
          options.retry.connect_attempts_max = kConnectAttemptsMax;
        }
        options.sleep = [&stop](Micros time) { stop.Sleep(time); };
        ASSIGN_OR_RETURN(auto client,
                         client::ServiceClient::Open(settings, environment, client::AwsService::kDynamoDb, options));
        return std::unique_ptr<client::ApiCaller>(std::move(client));
      };
}

Result<client::ClientSettings> ResolvedSettings(const client::ClientSettings& settings,
                                                const client::Environment& environment) {
  ASSIGN_OR_RETURN(const auto client, client::ServiceClient::Open(settings, environment));
  const client::Endpoint& endpoint = client->endpoint();
  client::ClientSettings resolved = settings;
  resolved.endpoint = (endpoint.url.tls ? "https://" : "http://") + endpoint.url.HostHeader() + endpoint.url.target;
  resolved.region = endpoint.region;
  return resolved;
}

}  // namespace keyfold::copy
