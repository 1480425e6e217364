// DescribeTable and DescribeContinuousBackups: what is known of one table.
#include "ops/handlers.h"
#include "ops/table_description.h"
#include "wire/requests/backups.h"
#include "wire/requests/tables.h"

namespace keyfold {
namespace {

constexpr Rule<"Requested resource not found: Table: {} not found"> kNoSuchTable{"describe-no-such-table",
                                                                                 Kind::kResourceNotFound};
constexpr Rule<"Table not found: {}"> kTableNotFound{"backups-no-such-table", Kind::kTableNotFound};

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

// Point-in-time recovery cannot be turned on yet; AWS describes a table without it just so.
Status DescribeContinuousBackups(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const DescribeContinuousBackupsRequest r, Decode<DescribeContinuousBackupsRequest>(request));
  ASSIGN_OR_RETURN(const std::string name, TableNameOf(call.service.identity, r.table_name));
  if (!call.service.db.catalog.Current()->Find(name)) return kTableNotFound(name);
  answer.BeginObject();
  answer.Key("ContinuousBackupsDescription");
  answer.BeginObject();
  answer.Member("ContinuousBackupsStatus", "ENABLED");
  answer.Key("PointInTimeRecoveryDescription");
  answer.BeginObject();
  answer.Member("PointInTimeRecoveryStatus", "DISABLED");
  answer.EndObject();
  answer.EndObject();
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold
