// DeleteTable.
#include "ops/handlers.h"
#include "ops/table_description.h"
#include "wire/requests/tables.h"

namespace keyfold::ops {

Status DeleteTable(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::DeleteTableRequest r, wire::Decode<wire::DeleteTableRequest>(request));
  ASSIGN_OR_RETURN(const std::string name, engine::TableNameOf(call.service.identity, r.table_name));
  // Counted before the deletion: after it, rows may be removed at any time.
  const engine::TablePtr present = call.service.db.catalog.Current()->Find(name);
  const store::Tally tally = present ? call.service.db.store.ReadTally(present->id, store::kBaseTable) : store::Tally();
  ASSIGN_OR_RETURN(const engine::TablePtr deleted, call.service.lifecycle.Delete(name));
  if (call.service.backups) call.service.backups->Wake();  // a table with point-in-time recovery leaves a backup
  call.account.table = deleted->name;
  answer.BeginObject();
  answer.Key("TableDescription");
  WriteDeletedDescription(answer, {call.service.db, call.service.identity, *deleted, engine::TableStatus::kDeleting},
                          tally);
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold::ops
