// CreateTable.
#include "ops/handlers.h"
#include "ops/new_table.h"
#include "ops/table_description.h"
#include "wire/requests/tables.h"

namespace keyfold::ops {

Status CreateTable(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::CreateTableRequest r, wire::Decode<wire::CreateTableRequest>(request));
  ASSIGN_OR_RETURN(engine::Table table, NewTable(r, call.service));
  ASSIGN_OR_RETURN(const engine::TablePtr created, call.service.lifecycle.Create(std::move(table)));
  call.account.table = created->name;
  answer.BeginObject();
  answer.Key("TableDescription");
  WriteTableDescription(answer, {call.service.db, call.service.identity, *created, engine::TableStatus::kCreating});
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold::ops
