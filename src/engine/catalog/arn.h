// Amazon Resource Names of this database's tables, indexes and streams.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace keyfold::engine {

// Region and account of this database's tables. Configuration; immutable.
struct Identity {
  std::string region = "us-east-1";
  std::string account = "123456789012";
};

std::string TableArn(const Identity& identity, std::string_view table);
std::string IndexArn(const Identity& identity, std::string_view table, std::string_view index);
// ARN of something made from a table; `kind` is "backup", "export" or "import".
std::string PartArn(const Identity& identity, std::string_view table, std::string_view kind, std::string_view id);
std::string StreamArn(const Identity& identity, std::string_view table, std::string_view label);

// The table that a request's TableName refers to: either a plain name or one of this database's ARNs.
Result<std::string> TableNameOf(const Identity& identity, std::string_view name_or_arn);
// The same for ResourceArn members, which must be ARNs.
Result<std::string> TableNameOfArn(const Identity& identity, std::string_view arn);

// The id in one of this database's PartArns; nullopt if `arn` is not one.
std::optional<std::string> IdOfPartArn(const Identity& identity, std::string_view kind, std::string_view arn);

struct StreamOfArn {
  std::string table, label;
};
Result<StreamOfArn> ParseStreamArn(const Identity& identity, std::string_view arn);

}  // namespace keyfold::engine
