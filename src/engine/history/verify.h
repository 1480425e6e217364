// Verifies a database: every row against its checksum, every item against its key, every index against its table in
// both directions, tallies against row counts, and the log against itself. Writes may continue: related rows are read
// at one moment, and tables or indexes that are removed in the meantime are skipped, so there are no false findings.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/function_ref.h"
#include "engine/catalog/database.h"

namespace keyfold::engine {

struct Verification {
  uint64_t items = 0, index_rows = 0, log_records = 0, files = 0;  // numbers examined
  uint64_t done = 0;  // progress towards the sum of RowsToVerify over all tables, plus records in files
  uint64_t faults = 0;
  std::vector<std::string> first_faults;  // one sentence each, at most a hundred

  void AddFault(std::string sentence);
};

// Called from time to time; returns false to cancel.
using VerifyProgress = FunctionRef<bool(const Verification& so_far)>;

// Returns by how much VerifyTable advances `done` if there are no concurrent writes.
uint64_t RowsToVerify(const Database& db, const Table& table);

// Adds to `found`. Returns an error only if `progress` cancels it.
Status VerifyTable(const Database& db, const Table& table, VerifyProgress progress, Verification& found);

}  // namespace keyfold::engine
