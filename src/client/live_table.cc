#include "client/live_table.h"

#include "json/writer.h"

namespace keyfold::client {
namespace {

constexpr Rule<"{}: the response is not a table description"> kOddAnswer{"live-table-answer", Kind::kUnavailable};

bool IsUnknown(const Error& error) {
  const ServiceFault* fault = FaultOf(error);
  return fault != nullptr && fault->type == "UnknownOperationException";
}

Status AddTtl(ServiceClient& client, const std::string& table, model::TableDefinition& out) {
  Result<std::string> answer = client.Call("DescribeTimeToLive", TableBody(table));
  if (!answer.ok() && IsUnknown(answer.error())) return Ok();
  RETURN_IF_ERROR(answer);
  json::Parser parser;
  const auto document = parser.Parse(*answer);
  const auto ttl = document ? FindObject(*document, "TimeToLiveDescription") : std::nullopt;
  if (!ttl) return Ok();
  const std::string_view status = json::TextAt(*ttl, "TimeToLiveStatus");
  if (status == "ENABLED" || status == "ENABLING") out.ttl = json::TextAt(*ttl, "AttributeName");
  return Ok();
}

Status AddPitr(ServiceClient& client, const std::string& table, model::TableDefinition& out) {
  Result<std::string> answer = client.Call("DescribeContinuousBackups", TableBody(table));
  if (!answer.ok() && IsUnknown(answer.error())) return Ok();
  RETURN_IF_ERROR(answer);
  json::Parser parser;
  const auto document = parser.Parse(*answer);
  const auto backups = document ? FindObject(*document, "ContinuousBackupsDescription") : std::nullopt;
  const auto pitr = backups ? FindObject(*backups, "PointInTimeRecoveryDescription") : std::nullopt;
  out.pitr = pitr && json::TextAt(*pitr, "PointInTimeRecoveryStatus") == "ENABLED";
  return Ok();
}

}  // namespace

std::optional<json::Value> FindObject(const json::Value& from, std::string_view name) {
  const auto value = from.is_object() ? json::Find(from, name) : std::nullopt;
  return value && value->is_object() ? value : std::nullopt;
}

std::string TableBody(std::string_view table) {
  std::string body;
  json::Writer w(body);
  w.BeginObject();
  w.Member("TableName", table);
  w.EndObject();
  return body;
}

Result<std::optional<model::TableDefinition>> DescribeLiveTable(ServiceClient& client, const std::string& table) {
  Result<std::string> answer = client.Call("DescribeTable", TableBody(table));
  if (!answer.ok()) {
    const ServiceFault* fault = FaultOf(answer.error());
    if (fault != nullptr && fault->type == "ResourceNotFoundException") return std::optional<model::TableDefinition>();
    return std::move(answer).TakeError();
  }
  json::Parser parser;
  const auto document = parser.Parse(*answer);
  const auto description = document ? FindObject(*document, "Table") : std::nullopt;
  if (!description) return kOddAnswer("DescribeTable");
  ASSIGN_OR_RETURN(model::TableDefinition out, model::ReadDefinition(*description));
  RETURN_IF_ERROR(AddTtl(client, table, out));
  RETURN_IF_ERROR(AddPitr(client, table, out));
  return std::optional(std::move(out));
}

}  // namespace keyfold::client
