// ListTables.
#include "ops/handlers.h"
#include "wire/requests/tables.h"

namespace keyfold::ops {
namespace {

constexpr int32_t kTablesPerPage = 100;

}  // namespace

Status ListTables(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::ListTablesRequest r, wire::Decode<wire::ListTablesRequest>(request));
  const engine::SnapshotPtr snapshot = call.service.db.catalog.Current();
  const auto& tables = snapshot->tables;
  auto it = r.exclusive_start_table_name ? tables.upper_bound(*r.exclusive_start_table_name) : tables.begin();
  const int32_t limit = r.limit.value_or(kTablesPerPage);
  std::string_view last;
  answer.BeginObject();
  answer.Key("TableNames");
  answer.BeginArray();
  for (int32_t n = 0; n < limit && it != tables.end(); ++n, ++it) {
    last = it->first;
    answer.String(last);
  }
  answer.EndArray();
  if (it != tables.end()) answer.Member("LastEvaluatedTableName", last);
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold::ops
