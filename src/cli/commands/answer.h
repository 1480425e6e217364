// What commands say to the API and hear from it: bodies of requests by their members, and answers by the names of
// theirs.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "cli/commands/database_target.h"
#include "json/document.h"

namespace keyfold {

// Members whose text is empty are left out.
std::string BodyOf(std::initializer_list<std::pair<std::string_view, std::string_view>> members);

// Empty, or 0, where there is no such member of that type.
std::string_view TextOf(const json::Value& from, std::string_view name);
double NumberOf(const json::Value& from, std::string_view name);

// The part of an ARN behind the last slash: the id of a backup, an export or an import.
std::string IdOf(std::string_view arn);

// Immutable.
class Answer {
 public:
  // Names from the outside to the inside: {"BackupDescription", "BackupDetails", "BackupArn"}.
  using Path = std::initializer_list<std::string_view>;

  static Result<Answer> Ask(DatabaseTarget& target, std::string_view operation, const std::string& body);
  static Result<Answer> Read(const std::string& json);

  // They live as long as the answer.
  std::optional<json::Value> Find(Path path) const;
  std::string Text(Path path) const;
  uint64_t Count(Path path) const;  // 0 where there is none

 private:
  Answer(json::Parser parser, json::Value whole) : parser_(std::move(parser)), whole_(whole) {}
  json::Parser parser_;  // has what `whole_` reads
  json::Value whole_;
};

}  // namespace keyfold
