#include "client/endpoint.h"

namespace keyfold::client {
namespace {

constexpr Rule<"endpoint {}: {}"> kBadEndpoint{"endpoint", Kind::kValidation};
constexpr Rule<"endpoint {}: it has a query, which is not supported"> kEndpointQuery{"endpoint-query",
                                                                                     Kind::kValidation};
constexpr Rule<"no region for {}; give --region, or set AWS_REGION"> kNoRegion{"region-missing", Kind::kValidation};
constexpr Rule<
    "no endpoint and no region; give --endpoint, as in --endpoint http://127.0.0.1:8000, or for AWS --region">
    kNowhere{"endpoint-missing", Kind::kValidation};
constexpr Rule<"region {} is not a valid region name such as us-east-1"> kBadRegion{"region-name", Kind::kValidation};

struct ServiceNames {
  std::string_view variable;
  std::string_view section;      // in [services …]
  std::string_view host_prefix;  // begins the host name of AWS's endpoint
};

ServiceNames NamesOf(AwsService service) {
  if (service == AwsService::kDynamoDb) return {"AWS_ENDPOINT_URL_DYNAMODB", "dynamodb", "dynamodb."};
  return {"AWS_ENDPOINT_URL_DYNAMODB_STREAMS", "dynamodb_streams", "streams.dynamodb."};
}

std::string ConfiguredEndpoint(const Environment& environment, const Profile& profile, const ServiceNames& names) {
  if (environment.IsTrue("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS")) return "";
  for (const std::string_view variable : {names.variable, std::string_view("AWS_ENDPOINT_URL")}) {
    if (!environment[variable].empty()) return environment[variable];
  }
  const std::string_view of_service = profile.ServiceEndpoint(names.section);
  return std::string(of_service.empty() ? profile["endpoint_url"] : of_service);
}

// Returns "eu-west-1" for dynamodb.eu-west-1.amazonaws.com.
std::string RegionOfHost(std::string_view host, std::string_view prefix) {
  const size_t end = host.find(".amazonaws.com");
  if (!host.starts_with(prefix) || end == std::string_view::npos || end < prefix.size()) return "";
  return std::string(host.substr(prefix.size(), end - prefix.size()));
}

std::string ConfiguredRegion(const ClientSettings& settings, const Environment& environment, const Profile& profile) {
  if (!settings.region.empty()) return settings.region;
  for (const std::string_view variable : {"AWS_REGION", "AWS_DEFAULT_REGION"}) {
    if (!environment[variable].empty()) return environment[variable];
  }
  return std::string(profile["region"]);
}

bool IsRegion(std::string_view text) {
  return text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos;
}

}  // namespace

Result<Endpoint> FindEndpoint(const ClientSettings& settings, const Environment& environment, const Profile& profile,
                              AwsService service) {
  const ServiceNames names = NamesOf(service);
  Endpoint endpoint;
  endpoint.region = ConfiguredRegion(settings, environment, profile);
  if (!IsRegion(endpoint.region)) return kBadRegion(endpoint.region);
  std::string text = settings.endpoint.empty() ? ConfiguredEndpoint(environment, profile, names) : settings.endpoint;
  if (text.empty()) {
    if (endpoint.region.empty()) return kNowhere();
    const std::string_view domain = endpoint.region.starts_with("cn-") ? ".amazonaws.com.cn" : ".amazonaws.com";
    text = "https://" + std::string(names.host_prefix) + endpoint.region + std::string(domain);
  }
  Result<http::Url> url = http::ParseUrl(text);
  if (!url.ok()) return kBadEndpoint(text, url.error().message());
  if (url->target.find('?') != std::string::npos) return kEndpointQuery(text);
  endpoint.url = *std::move(url);
  if (endpoint.region.empty()) endpoint.region = RegionOfHost(endpoint.url.host, names.host_prefix);
  if (endpoint.region.empty() && endpoint.loopback()) endpoint.region = "us-east-1";
  if (endpoint.region.empty()) return kNoRegion(text);
  return endpoint;
}

}  // namespace keyfold::client
