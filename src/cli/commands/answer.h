// Requests and responses of commands: builds request bodies from members, and reads members of responses by name.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "client/api_caller.h"
#include "json/document.h"

namespace keyfold::cli {

// Members with an empty value are left out.
std::string BodyOf(std::initializer_list<std::pair<std::string_view, std::string_view>> members);

// The part of an ARN after the last slash: the id of a backup, an export or an import.
std::string IdOf(std::string_view arn);

// Immutable.
class Answer {
 public:
  static Result<Answer> Ask(client::ApiCaller& caller, std::string_view operation, std::string_view body);
  static Result<Answer> Read(const std::string& json);

  // Values live as long as the Answer.
  std::optional<json::Value> Find(json::Path path) const;
  std::string Text(json::Path path) const;
  uint64_t Count(json::Path path) const;  // 0 if there is none

 private:
  Answer(json::Parser parser, json::Value whole) : parser_(std::move(parser)), whole_(whole) {}
  json::Parser parser_;  // owns what `whole_` reads
  json::Value whole_;
};

}  // namespace keyfold::cli
