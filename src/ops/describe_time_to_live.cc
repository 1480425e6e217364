// DescribeTimeToLive: which attribute has an item's expiry time, and whether removal of expired items is active.
#include "engine/catalog/rules.h"
#include "ops/handlers.h"
#include "wire/requests/time_to_live.h"

namespace keyfold::ops {
namespace {

constexpr Rule<"Cannot describe time to live while table is in {} state: Current table state is {}"> kNotUsable{
    "describe-ttl-table-state", Kind::kValidation};

std::string_view StatusOf(const engine::ExpirySettings& expiry) {
  if (!expiry.enabled) return "DISABLED";
  return expiry.filled ? "ENABLED" : "ENABLING";
}

}  // namespace

Status DescribeTimeToLive(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::DescribeTimeToLiveRequest r, wire::Decode<wire::DescribeTimeToLiveRequest>(request));
  ASSIGN_OR_RETURN(const std::string name, engine::TableNameOf(call.service.identity, r.table_name));
  const engine::TablePtr table = call.service.db.catalog.Current()->Find(name);
  if (!table) return engine::kNoSuchTable(name);
  const engine::TableStatus status = table->StatusAt(call.service.db.clock.Now());
  if (status == engine::TableStatus::kCreating || status == engine::TableStatus::kDeleting) {
    return kNotUsable(engine::NameOf(status), engine::NameOf(status));
  }
  call.account.table = table->name;
  answer.BeginObject();
  answer.Key("TimeToLiveDescription");
  answer.BeginObject();
  answer.Member("TimeToLiveStatus", StatusOf(table->expiry));
  if (table->expiry.enabled) answer.Member("AttributeName", table->expiry.attribute);
  answer.EndObject();
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold::ops
