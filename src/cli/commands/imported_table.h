// The table that keyfold import makes: by its options, as another table, or as a file says.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "cli/commands/database_target.h"

namespace keyfold {

// What the options say. One of `key`, `like` and `schema` is given.
struct ImportedTableOptions {
  std::string key = {}, sort_key = {};    // pk:S
  std::vector<std::string> indexes = {};  // NAME:pk:S or NAME:pk:S,sk:N
  std::string like = {};                  // a table at the target
  std::string schema = {};                // a file
};
// --key, --sort-key, --index, --like and --schema.
void AddImportedTableOptions(CLI::App& app, ImportedTableOptions& options);

// ImportTable's TableCreationParameters for a table of that name, and what to tell of it.
struct ImportedTable {
  std::string parameters;  // JSON
  std::string note;        // one line; may be empty
};

// By --key and its like. An error says what cannot be read.
Result<ImportedTable> TableByKeys(std::string_view name, const ImportedTableOptions& options);
// By CreateTable's members, or an answer of DescribeTable.
Result<ImportedTable> TableByDescription(std::string_view name, const std::string& json);

// Whichever of them the options ask for.
Result<ImportedTable> ChooseTable(std::string_view name, const ImportedTableOptions& options, DatabaseTarget& target);

}  // namespace keyfold
