// DeleteTable.
#include "ops/handlers.h"
#include "ops/table_description.h"
#include "wire/requests/tables.h"

namespace keyfold {

Status DeleteTable(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const DeleteTableRequest r, Decode<DeleteTableRequest>(request));
  ASSIGN_OR_RETURN(const std::string name, TableNameOf(call.service.identity, r.table_name));
  // Counted before the deletion: after it, rows may be removed at any time.
  const TablePtr present = call.service.db.catalog.Current()->Find(name);
  const Tally tally = present ? call.service.db.store.ReadTally(present->id, kBaseTable) : Tally();
  ASSIGN_OR_RETURN(const TablePtr deleted, call.service.lifecycle.Delete(name));
  if (call.service.backups) call.service.backups->Wake();  // a table with point-in-time recovery leaves a backup
  call.account.table = deleted->name;
  answer.BeginObject();
  answer.Key("TableDescription");
  WriteDeletedDescription(answer, {call.service.db, call.service.identity, *deleted, TableStatus::kDeleting}, tally);
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold
