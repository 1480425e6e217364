#include "cli/commands/answer.h"

#include "json/writer.h"

namespace keyfold::cli {
namespace {

constexpr Rule<"the response is not valid JSON"> kAnswerNotJson{"cli-answer", Kind::kInternal};

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

std::string IdOf(std::string_view arn) { return std::string(arn.substr(arn.rfind('/') + 1)); }

Result<Answer> Answer::Ask(client::ApiCaller& caller, std::string_view operation, std::string_view body) {
  ASSIGN_OR_RETURN(const std::string json, caller.Call(operation, body));
  return Read(json);
}

Result<Answer> Answer::Read(const std::string& json) {
  json::Parser parser;
  const std::optional<json::Value> whole = parser.Parse(json);
  if (!whole) return kAnswerNotJson();
  return Answer(std::move(parser), *whole);
}

std::optional<json::Value> Answer::Find(json::Path path) const { return json::FindAt(whole_, path); }

std::string Answer::Text(json::Path path) const { return std::string(json::TextAt(whole_, path)); }

uint64_t Answer::Count(json::Path path) const {
  const std::optional<json::Value> value = Find(path);
  if (!value || value->type() != json::Type::kInteger) return 0;
  return static_cast<uint64_t>(value->AsInt64().value_or(0));
}

}  // namespace keyfold::cli
