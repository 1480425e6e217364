// DescribeLimits and DescribeEndpoints, which describe the service itself.
#include "ops/handlers.h"
#include "wire/requests/tables.h"

namespace keyfold::ops {
namespace {

constexpr int64_t kAccountUnitsMax = 80000, kTableUnitsMax = 40000;
constexpr int64_t kEndpointCacheMinutes = 1440;

}  // namespace

Status DescribeLimits(Call&, json::Value request, json::Writer& answer) {
  RETURN_IF_ERROR(wire::Decode<wire::DescribeLimitsRequest>(request));
  answer.BeginObject();
  answer.Member("AccountMaxReadCapacityUnits", kAccountUnitsMax);
  answer.Member("AccountMaxWriteCapacityUnits", kAccountUnitsMax);
  answer.Member("TableMaxReadCapacityUnits", kTableUnitsMax);
  answer.Member("TableMaxWriteCapacityUnits", kTableUnitsMax);
  answer.EndObject();
  return Ok();
}

Status DescribeEndpoints(Call& call, json::Value request, json::Writer& answer) {
  RETURN_IF_ERROR(wire::Decode<wire::DescribeEndpointsRequest>(request));
  answer.BeginObject();
  answer.Key("Endpoints");
  answer.BeginArray();
  answer.BeginObject();
  answer.Member("Address", call.endpoint);
  answer.Member("CachePeriodInMinutes", kEndpointCacheMinutes);
  answer.EndObject();
  answer.EndArray();
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold::ops
