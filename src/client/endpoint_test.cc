#include "client/endpoint.h"

#include <gtest/gtest.h>

#include "testing/client/home.h"

namespace keyfold::client {
namespace {

struct EndpointRow {
  const char* name;
  ClientSettings settings;
  Environment::Variables variables;
  const char* config;   // ~/.aws/config
  const char* meaning;  // "endpoint region", or the error
  AwsService service = AwsService::kDynamoDb;
};

constexpr char kEndpointConfig[] =
    "[default]\nregion = eu-west-1\n"
    "[profile local]\nendpoint_url = http://localhost:8001\n"
    "[profile both]\nregion = eu-west-2\nendpoint_url = http://a:1\nservices = s\n"
    "[services s]\ndynamodb =\n  endpoint_url = http://b:2\ns3 =\n  endpoint_url = http://c:3\n";

const EndpointRow kEndpointRows[] = {
    {"nothing",
     {},
     {},
     "",
     "no endpoint and no region; give --endpoint, as in --endpoint http://127.0.0.1:8000, or for AWS --region"},
    {"a region", {.region = "eu-west-3"}, {}, "", "https://dynamodb.eu-west-3.amazonaws.com:443 eu-west-3"},
    {"China", {.region = "cn-north-1"}, {}, "", "https://dynamodb.cn-north-1.amazonaws.com.cn:443 cn-north-1"},
    {"streams",
     {.region = "eu-west-3"},
     {},
     "",
     "https://streams.dynamodb.eu-west-3.amazonaws.com:443 eu-west-3",
     AwsService::kDynamoDbStreams},
    {"the profile's region", {}, {}, kEndpointConfig, "https://dynamodb.eu-west-1.amazonaws.com:443 eu-west-1"},
    {"AWS_DEFAULT_REGION",
     {},
     {{"AWS_DEFAULT_REGION", "d-1"}},
     kEndpointConfig,
     "https://dynamodb.d-1.amazonaws.com:443 d-1"},
    {"AWS_REGION goes before",
     {},
     {{"AWS_DEFAULT_REGION", "d-1"}, {"AWS_REGION", "r-1"}},
     kEndpointConfig,
     "https://dynamodb.r-1.amazonaws.com:443 r-1"},
    {"the setting goes before",
     {.region = "s-1"},
     {{"AWS_REGION", "r-1"}},
     "",
     "https://dynamodb.s-1.amazonaws.com:443 s-1"},
    {"loopback", {.endpoint = "http://127.0.0.1:8000"}, {}, "", "http://127.0.0.1:8000 us-east-1"},
    {"loopback with a region", {.endpoint = "http://[::1]:8000"}, {}, kEndpointConfig, "http://[::1]:8000 eu-west-1"},
    {"elsewhere without a region",
     {.endpoint = "http://db.example:8000"},
     {},
     "",
     "no region for http://db.example:8000; give --region, or set AWS_REGION"},
    {"AWS's own names it",
     {.endpoint = "https://dynamodb.us-west-2.amazonaws.com"},
     {},
     "",
     "https://dynamodb.us-west-2.amazonaws.com:443 us-west-2"},
    {"the variable of the service",
     {},
     {{"AWS_ENDPOINT_URL_DYNAMODB", "http://localhost:1"}, {"AWS_ENDPOINT_URL", "http://localhost:2"}},
     "",
     "http://localhost:1 us-east-1"},
    {"is not that of streams",
     {},
     {{"AWS_ENDPOINT_URL_DYNAMODB", "http://localhost:1"}, {"AWS_ENDPOINT_URL", "http://localhost:2"}},
     "",
     "http://localhost:2 us-east-1",
     AwsService::kDynamoDbStreams},
    {"the setting goes before variables",
     {.endpoint = "http://localhost:3"},
     {{"AWS_ENDPOINT_URL_DYNAMODB", "http://localhost:1"}},
     "",
     "http://localhost:3 us-east-1"},
    {"of a profile", {.profile = "local"}, {}, kEndpointConfig, "http://localhost:8001 us-east-1"},
    {"of AWS_PROFILE", {}, {{"AWS_PROFILE", "local"}}, kEndpointConfig, "http://localhost:8001 us-east-1"},
    {"of a profile's services", {.profile = "both"}, {}, kEndpointConfig, "http://b:2 eu-west-2"},
    {"of no service of it",
     {.profile = "both"},
     {},
     kEndpointConfig,
     "http://a:1 eu-west-2",
     AwsService::kDynamoDbStreams},
    {"variables go before the profile",
     {.profile = "both"},
     {{"AWS_ENDPOINT_URL", "http://localhost:2"}},
     kEndpointConfig,
     "http://localhost:2 eu-west-2"},
    {"none of those configured",
     {.profile = "both"},
     {{"AWS_ENDPOINT_URL", "http://localhost:2"}, {"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "TRUE"}},
     kEndpointConfig,
     "https://dynamodb.eu-west-2.amazonaws.com:443 eu-west-2"},
    {"no address",
     {.endpoint = "localhost:8000"},
     {},
     "",
     "endpoint localhost:8000: it does not begin with http:// or https://"},
    {"a query",
     {.endpoint = "http://localhost/?x"},
     {},
     "",
     "endpoint http://localhost/?x: it has a query, which is not supported"},
    {"an invalid region name",
     {.region = "us.example.com/"},
     {},
     "",
     "region us.example.com/ is not a valid region name such as us-east-1"},
};

TEST(Endpoint, IsFoundWhereTheToolsFindIt) {
  const HomeForTest home;
  for (const EndpointRow& row : kEndpointRows) {
    SCOPED_TRACE(row.name);
    home.WriteAws("", row.config);
    const Environment environment = home.With(row.variables);
    const auto profile = Profile::Load(environment, row.settings.profile);
    ASSERT_TRUE(profile.ok()) << profile.error().message();
    const auto found = FindEndpoint(row.settings, environment, *profile, row.service);
    EXPECT_EQ(found.ok() ? (found->url.tls ? "https://" : "http://") + found->url.HostAndPort() + " " + found->region
                         : found.error().message(),
              row.meaning);
  }
}

}  // namespace
}  // namespace keyfold::client
