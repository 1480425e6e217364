// TableDescription: a table as described by DescribeTable, and the CreateTable request that creates another like it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "client/api_caller.h"
#include "copy/plan.h"
#include "model/diff/definition.h"

namespace keyfold::copy {

// Immutable.
class TableDescription {
 public:
  // Returns nullopt if there is no such table.
  static Result<std::optional<TableDescription>> Ask(client::ApiCaller& caller, const std::string& table);
  // Parses a DescribeTable response.
  static Result<TableDescription> Read(std::string answer);

  const model::KeyDefinition& key() const { return definition_.key; }
  uint64_t items() const { return definition_.items; }
  uint64_t bytes() const { return definition_.bytes; }
  std::string_view status() const { return status_; }  // for example ACTIVE
  const std::string& arn() const { return arn_; }

  // Returns the request that creates `name` with this table's keys, indexes, billing and the selected settings. `tags`
  // is the array of tags, or empty.
  std::string CreateBody(std::string_view name, const CopiedSettings& settings, std::string_view tags) const;

 private:
  std::string answer_;
  std::string status_;
  std::string arn_;
  model::TableDefinition definition_;
};

}  // namespace keyfold::copy
