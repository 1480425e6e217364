// DescribeTimeToLive: which attribute says when an item expires, and whether expired items are being removed yet.
#include "engine/catalog/rules.h"
#include "ops/handlers.h"
#include "wire/requests/time_to_live.h"

namespace keyfold {
namespace {

constexpr Rule<"Cannot describe time to live while table is in {} state: Current table state is {}"> kNotUsable{
    "describe-ttl-table-state", Kind::kValidation};

std::string_view StatusOf(const ExpirySettings& expiry) {
  if (!expiry.enabled) return "DISABLED";
  return expiry.filled ? "ENABLED" : "ENABLING";
}

}  // namespace

Status DescribeTimeToLive(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const DescribeTimeToLiveRequest r, Decode<DescribeTimeToLiveRequest>(request));
  ASSIGN_OR_RETURN(const std::string name, TableNameOf(call.service.identity, r.table_name));
  const TablePtr table = call.service.db.catalog.Current()->Find(name);
  if (!table) return kNoSuchTable(name);
  const TableStatus status = table->StatusAt(call.service.db.clock.Now());
  if (status == TableStatus::kCreating || status == TableStatus::kDeleting) {
    return kNotUsable(NameOf(status), NameOf(status));
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

}  // namespace keyfold
