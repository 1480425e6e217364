// CreateTable.
#include "ops/handlers.h"
#include "ops/new_table.h"
#include "ops/table_description.h"
#include "wire/requests/tables.h"

namespace keyfold {

Status CreateTable(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const CreateTableRequest r, Decode<CreateTableRequest>(request));
  ASSIGN_OR_RETURN(Table table, NewTable(r, call.service));
  ASSIGN_OR_RETURN(const TablePtr created, call.service.lifecycle.Create(std::move(table)));
  call.account.table = created->name;
  answer.BeginObject();
  answer.Key("TableDescription");
  WriteTableDescription(answer, {call.service.db, call.service.identity, *created, TableStatus::kCreating});
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold
