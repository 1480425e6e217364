#include "cli/commands/answer.h"

#include "json/writer.h"

namespace keyfold::cli {
namespace {

constexpr Rule<"the response is not valid JSON"> kNotJson{"cli-answer", Kind::kUnavailable};

}  // namespace

std::string BodyOf(std::initializer_list<std::pair<std::string_view, std::string_view>> members) {
  std::string body;
  json::Writer writer(body);
  writer.BeginObject();
  for (const auto& [name, value] : members) {
    if (!value.empty()) writer.Member(name, value);
  }
  writer.EndObject();
  return body;
}

std::string_view TextOf(const json::Value& from, std::string_view name) {
  const std::optional<json::Value> value = from.is_object() ? json::Find(from, name) : std::nullopt;
  return value && value->is_string() ? value->AsString() : std::string_view();
}

double NumberOf(const json::Value& from, std::string_view name) {
  const std::optional<json::Value> value = from.is_object() ? json::Find(from, name) : std::nullopt;
  const bool number = value && (value->type() == json::Type::kInteger || value->type() == json::Type::kDecimal);
  return number ? value->AsDouble() : 0;
}

std::string IdOf(std::string_view arn) { return std::string(arn.substr(arn.rfind('/') + 1)); }

Result<Answer> Answer::Ask(client::ApiCaller& caller, std::string_view operation, std::string_view body) {
  ASSIGN_OR_RETURN(const std::string json, caller.Call(operation, body));
  return Read(json);
}

Result<Answer> Answer::Read(const std::string& json) {
  json::Parser parser;
  const std::optional<json::Value> whole = parser.Parse(json);
  if (!whole) return kNotJson();
  return Answer(std::move(parser), *whole);
}

std::optional<json::Value> Answer::Find(Path path) const {
  std::optional<json::Value> at = whole_;
  for (const std::string_view name : path) at = at && at->is_object() ? json::Find(*at, name) : std::nullopt;
  return at;
}

std::string Answer::Text(Path path) const {
  const std::optional<json::Value> value = Find(path);
  return value && value->is_string() ? std::string(value->AsString()) : std::string();
}

uint64_t Answer::Count(Path path) const {
  const std::optional<json::Value> value = Find(path);
  if (!value || value->type() != json::Type::kInteger) return 0;
  return static_cast<uint64_t>(value->AsInt64().value_or(0));
}

}  // namespace keyfold::cli
