// DescribeTable.
#include "engine/catalog/rules.h"
#include "ops/handlers.h"
#include "ops/table_description.h"
#include "wire/requests/tables.h"

namespace keyfold {
namespace {

Result<TablePtr> FindTable(Call& call, const std::string& name_or_arn) {
  ASSIGN_OR_RETURN(const std::string name, TableNameOf(call.service.identity, name_or_arn));
  TablePtr table = call.service.db.catalog.Current()->Find(name);
  if (!table) return kNoSuchTable(name);
  call.account.table = table->name;
  return table;
}

}  // namespace

Status DescribeTable(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const DescribeTableRequest r, Decode<DescribeTableRequest>(request));
  ASSIGN_OR_RETURN(const TablePtr table, FindTable(call, r.table_name));
  answer.BeginObject();
  answer.Key("Table");
  WriteTableDescription(answer, {call.service.db, call.service.identity, *table, std::nullopt});
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold
