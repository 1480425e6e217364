#include "copy/table_description.h"

#include "client/live_table.h"
#include "json/raw_json.h"
#include "json/writer.h"

namespace keyfold::copy {
namespace {

constexpr Rule<"the response of DescribeTable is not a table description"> kOddDescription{"copy-description",
                                                                                           Kind::kUnavailable};
constexpr std::string_view kOnDemand = "\"PAY_PER_REQUEST\"";

std::string TextIn(json::Value object, std::string_view name) {
  const auto value = json::Find(object, name);
  return value && value->is_string() ? std::string(value->AsString()) : std::string();
}

// Copies a member unchanged, if it is present.
void CopyMember(json::Writer& w, std::string_view from, std::string_view name) {
  const std::optional<std::string_view> value = FindRaw(from, name);
  if (!value || *value == "null") return;
  w.Key(name);
  w.Raw(*value);
}

bool IsOnDemand(std::string_view table) {
  if (const auto mode = FindRaw(table, "BillingModeSummary", "BillingMode")) return *mode == kOnDemand;
  return FindRaw(table, "ProvisionedThroughput", "WriteCapacityUnits").value_or("0") == "0";
}

// Copies only the members that a request accepts; a description has more.
void WriteThroughput(json::Writer& w, std::string_view from) {
  const auto throughput = FindRaw(from, "ProvisionedThroughput");
  if (!throughput) return;
  w.Key("ProvisionedThroughput");
  w.BeginObject();
  CopyMember(w, *throughput, "ReadCapacityUnits");
  CopyMember(w, *throughput, "WriteCapacityUnits");
  w.EndObject();
}

void WriteIndex(json::Writer& w, std::string_view index, bool throughput) {
  w.BeginObject();
  for (const std::string_view name : {"IndexName", "KeySchema", "Projection", "OnDemandThroughput"}) {
    CopyMember(w, index, name);
  }
  if (throughput) WriteThroughput(w, index);
  w.EndObject();
}

void WriteIndexes(json::Writer& w, std::string_view table, std::string_view member, bool throughput) {
  const auto array = FindRaw(table, member);
  const auto indexes = array ? RawElementsOf(*array) : std::nullopt;
  if (!indexes || indexes->empty()) return;
  w.Key(member);
  w.BeginArray();
  for (const std::string_view index : *indexes) WriteIndex(w, index, throughput);
  w.EndArray();
}

void WriteSettings(json::Writer& w, std::string_view table, bool stream) {
  if (const auto table_class = FindRaw(table, "TableClassSummary", "TableClass")) {
    w.Key("TableClass");
    w.Raw(*table_class);
  }
  CopyMember(w, table, "OnDemandThroughput");
  if (FindRaw(table, "DeletionProtectionEnabled") == "true") w.Member("DeletionProtectionEnabled", true);
  if (stream && FindRaw(table, "StreamSpecification", "StreamEnabled") == "true") {
    CopyMember(w, table, "StreamSpecification");
  }
}

}  // namespace

Result<TableDescription> TableDescription::Read(std::string answer) {
  json::Parser parser;
  const auto document = parser.Parse(answer);
  const auto table = document ? client::FindObject(*document, "Table") : std::nullopt;
  if (!table) return kOddDescription();
  TableDescription description;
  ASSIGN_OR_RETURN(description.definition_, model::ReadDefinition(*table));
  description.status_ = TextIn(*table, "TableStatus");
  description.arn_ = TextIn(*table, "TableArn");
  description.answer_ = std::move(answer);
  return description;
}

Result<std::optional<TableDescription>> TableDescription::Ask(client::ApiCaller& caller, const std::string& table) {
  Result<std::string> answer = caller.Call("DescribeTable", client::TableBody(table));
  if (!answer.ok() && answer.error().kind() == Kind::kResourceNotFound) return std::optional<TableDescription>();
  RETURN_IF_ERROR(answer);
  ASSIGN_OR_RETURN(TableDescription description, Read(*std::move(answer)));
  return std::optional(std::move(description));
}

std::string TableDescription::CreateBody(std::string_view name, const CopiedSettings& settings,
                                         std::string_view tags) const {
  const std::string_view table = FindRaw(answer_, "Table").value_or("{}");
  const bool on_demand = IsOnDemand(table);
  std::string body;
  json::Writer w(body);
  w.BeginObject();
  w.Member("TableName", name);
  CopyMember(w, table, "AttributeDefinitions");
  CopyMember(w, table, "KeySchema");
  WriteIndexes(w, table, "LocalSecondaryIndexes", false);
  WriteIndexes(w, table, "GlobalSecondaryIndexes", !on_demand);
  w.Member("BillingMode", on_demand ? "PAY_PER_REQUEST" : "PROVISIONED");
  if (!on_demand) WriteThroughput(w, table);
  WriteSettings(w, table, settings.stream);
  if (settings.tags && !tags.empty()) {
    w.Key("Tags");
    w.Raw(tags);
  }
  w.EndObject();
  return body;
}

}  // namespace keyfold::copy
