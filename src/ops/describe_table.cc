// DescribeTable.
#include "engine/catalog/rules.h"
#include "ops/handlers.h"
#include "ops/table_description.h"
#include "wire/requests/tables.h"

namespace keyfold::ops {
namespace {

Result<engine::TablePtr> FindDescribedTable(Call& call, const std::string& name_or_arn) {
  ASSIGN_OR_RETURN(const std::string name, engine::TableNameOf(call.service.identity, name_or_arn));
  engine::TablePtr table = call.service.db.catalog.Current()->Find(name);
  if (!table) return engine::kNoSuchTable(name);
  call.account.table = table->name;
  return table;
}

}  // namespace

Status DescribeTable(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::DescribeTableRequest r, wire::Decode<wire::DescribeTableRequest>(request));
  ASSIGN_OR_RETURN(const engine::TablePtr table, FindDescribedTable(call, r.table_name));
  answer.BeginObject();
  answer.Key("Table");
  WriteTableDescription(answer, {call.service.db, call.service.identity, *table, std::nullopt});
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold::ops
