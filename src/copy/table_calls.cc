#include "copy/table_calls.h"

#include <algorithm>

#include "client/live_table.h"
#include "copy/table_description.h"
#include "json/document.h"
#include "json/raw_json.h"
#include "json/writer.h"

namespace keyfold::copy {
namespace {

constexpr Micros kLookAgainMin = 50'000, kLookAgainMax = 5'000'000;

constexpr Rule<"the table {} disappeared while it was being created"> kTableGone{"copy-table-gone", Kind::kUnavailable};
constexpr Rule<"the response of {} is not a valid DynamoDB response"> kOddAnswer{"copy-answer", Kind::kUnavailable};

std::string BodyWith(std::string_view name, std::string_view value, std::string_view other, std::string_view text) {
  std::string body;
  json::Writer w(body);
  w.BeginObject();
  if (!value.empty()) w.Member(name, value);
  if (!text.empty()) w.Member(other, text);
  w.EndObject();
  return body;
}

bool IsUnknown(const Result<std::string>& answer) {
  return !answer.ok() && answer.error().kind() == Kind::kUnknownOperation;
}

// Appends the tags that can be set on another table.
bool AppendTags(std::string_view answer, std::string& out) {
  const auto array = FindRaw(answer, "Tags");
  const auto tags = array ? RawElementsOf(*array) : std::nullopt;
  if (!tags) return !array;
  for (const std::string_view tag : *tags) {
    if (FindRaw(tag, "Key").value_or("").starts_with("\"aws:")) continue;
    out.append(out.empty() ? "[" : ",").append(tag);
  }
  return true;
}

}  // namespace

Result<std::vector<std::string>> ListTables(client::ApiCaller& caller) {
  std::vector<std::string> names;
  std::string after;
  do {
    ASSIGN_OR_RETURN(const std::string answer,
                     caller.Call("ListTables", BodyWith("ExclusiveStartTableName", after, "", "")));
    json::Parser parser;
    const auto document = parser.Parse(answer);
    const auto page = document && document->is_object() ? json::Find(*document, "TableNames") : std::nullopt;
    if (!page || !page->is_array()) return kOddAnswer("ListTables");
    for (const json::Value name : page->elements()) {
      if (name.is_string()) names.emplace_back(name.AsString());
    }
    after = json::TextAt(*document, "LastEvaluatedTableName");
  } while (!after.empty());
  return names;
}

Result<bool> IsEmpty(client::ApiCaller& caller, const std::string& table) {
  std::string body;
  json::Writer w(body);
  w.BeginObject();
  w.Member("TableName", table);
  w.Member("Limit", 1);
  w.Member("ConsistentRead", true);
  w.Member("Select", "COUNT");
  w.EndObject();
  ASSIGN_OR_RETURN(const std::string answer, caller.Call("Scan", body));
  const auto count = FindRaw(answer, "Count");
  if (!count) return kOddAnswer("Scan");
  return *count == "0" && !FindRaw(answer, "LastEvaluatedKey");
}

Status WaitUntilActive(client::ApiCaller& caller, const std::string& table, StopRequest& stop) {
  for (Micros pause = kLookAgainMin;; pause = std::min(pause * 2, kLookAgainMax)) {
    ASSIGN_OR_RETURN(const auto description, TableDescription::Ask(caller, table));
    if (!description) return kTableGone(table);
    if (description->status() == "ACTIVE" || description->status() == "UPDATING") return Ok();
    stop.Sleep(pause);
    if (stop.raised()) return kStopped();
  }
}

Result<std::string> ReadTags(client::ApiCaller& caller, const std::string& arn) {
  std::string tags, after;
  do {
    Result<std::string> answer = caller.Call("ListTagsOfResource", BodyWith("ResourceArn", arn, "NextToken", after));
    if (IsUnknown(answer)) return std::string();
    RETURN_IF_ERROR(answer);
    if (!AppendTags(*answer, tags)) return kOddAnswer("ListTagsOfResource");
    json::Parser parser;
    const auto document = parser.Parse(*answer);
    after = document ? std::string(json::TextAt(*document, "NextToken")) : std::string();
  } while (!after.empty());
  return tags.empty() ? tags : tags.append("]");
}

Result<std::string> ReadTtl(client::ApiCaller& caller, const std::string& table) {
  Result<std::string> answer = caller.Call("DescribeTimeToLive", client::TableBody(table));
  if (IsUnknown(answer)) return std::string();
  RETURN_IF_ERROR(answer);
  const auto status = FindRaw(*answer, "TimeToLiveDescription", "TimeToLiveStatus");
  if (status != "\"ENABLED\"" && status != "\"ENABLING\"") return std::string();
  return std::string(FindRaw(*answer, "TimeToLiveDescription", "AttributeName").value_or(""));
}

Status SetTtl(client::ApiCaller& caller, const std::string& table, const std::string& attribute) {
  ASSIGN_OR_RETURN(const std::string already, ReadTtl(caller, table));
  if (!already.empty()) return Ok();
  std::string body;
  json::Writer w(body);
  w.BeginObject();
  w.Member("TableName", table);
  w.Key("TimeToLiveSpecification");
  w.BeginObject();
  w.Member("Enabled", true);
  w.Key("AttributeName");
  w.Raw(attribute);
  w.EndObject();
  w.EndObject();
  RETURN_IF_ERROR(caller.Call("UpdateTimeToLive", body));
  return Ok();
}

}  // namespace keyfold::copy
