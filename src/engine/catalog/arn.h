// Amazon Resource Names of this database's tables, indexes and streams.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace keyfold {

// Whose tables these are. Configuration; immutable.
struct Identity {
  std::string region = "us-east-1";
  std::string account = "123456789012";
};

std::string TableArn(const Identity& identity, std::string_view table);
std::string IndexArn(const Identity& identity, std::string_view table, std::string_view index);
// Of what was made of a table; `kind` is "backup", "export" or "import".
std::string PartArn(const Identity& identity, std::string_view table, std::string_view kind, std::string_view id);
std::string StreamArn(const Identity& identity, std::string_view table, std::string_view label);

// The table that a request's TableName means: a name as it stands, or the name inside an ARN of ours.
Result<std::string> TableNameOf(const Identity& identity, std::string_view name_or_arn);
// The same for ResourceArn members, which take nothing but an ARN.
Result<std::string> TableNameOfArn(const Identity& identity, std::string_view arn);

// The id in a PartArn of ours; none: it is not one.
std::optional<std::string> IdOfPartArn(const Identity& identity, std::string_view kind, std::string_view arn);

struct StreamOfArn {
  std::string table, label;
};
Result<StreamOfArn> ParseStreamArn(const Identity& identity, std::string_view arn);

}  // namespace keyfold
