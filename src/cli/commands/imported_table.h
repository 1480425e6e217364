// The table that keyfold import creates: from its options, like another table, or from a file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "cli/shell/options.h"
#include "client/api_caller.h"

namespace keyfold::cli {

// Values of the options. One of `key`, `like` and `schema` is given.
struct ImportedTableOptions {
  std::string key = {}, sort_key = {};    // pk:S
  std::vector<std::string> indexes = {};  // NAME:pk:S or NAME:pk:S,sk:N
  std::string like = {};                  // a table at the target
  std::string schema = {};                // a file
};
// Adds --key, --sort-key, --index, --like and --schema.
void AddImportedTableOptions(OptionParser& parser, ImportedTableOptions& options);

// ImportTable's TableCreationParameters for a table with that name, and a note for the user.
struct ImportedTable {
  std::string parameters;  // JSON
  std::string note;        // one line; may be empty
};

// From --key and related options. Returns an error naming what cannot be parsed.
Result<ImportedTable> TableByKeys(std::string_view name, const ImportedTableOptions& options);
// From CreateTable's members, or a DescribeTable response.
Result<ImportedTable> TableByDescription(std::string_view name, const std::string& json);

// Uses the one that the options select.
Result<ImportedTable> ChooseTable(std::string_view name, const ImportedTableOptions& options,
                                  client::ApiCaller& caller);

}  // namespace keyfold::cli
