// Which endpoint a client calls, and for which region it signs; found in the same places as the AWS tools.
#pragma once

#include <string>

#include "base/error.h"
#include "client/environment.h"
#include "client/profile.h"
#include "client/settings.h"
#include "http/url.h"

namespace keyfold::client {

struct Endpoint {
  http::Url url;
  std::string region;

  bool loopback() const { return http::IsLoopbackHost(url.host); }
};

// Endpoint: the setting, AWS_ENDPOINT_URL_DYNAMODB (or …_DYNAMODB_STREAMS), AWS_ENDPOINT_URL, the profile's [services],
// its endpoint_url, or else AWS's own. Region: the setting, AWS_REGION, AWS_DEFAULT_REGION, the profile, the name of an
// AWS endpoint, and us-east-1 for a loopback endpoint.
Result<Endpoint> FindEndpoint(const ClientSettings& settings, const Environment& environment, const Profile& profile,
                              AwsService service);

}  // namespace keyfold::client
