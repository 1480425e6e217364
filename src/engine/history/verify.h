// Looking a database through: every row against its checksum, every item against its place, every index against its
// table, both ways, what is counted against what is there, and the log against itself. Writes may go on: what belongs
// together is read at one moment, and what goes meanwhile is left alone, so that nothing is found that is not there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/function_ref.h"
#include "engine/catalog/database.h"

namespace keyfold {

struct Verification {
  uint64_t items = 0, index_rows = 0, log_records = 0, files = 0;  // looked at
  uint64_t done = 0;  // of what RowsToVerify says for each table, and of records in files
  uint64_t faults = 0;
  std::vector<std::string> first_faults;  // a sentence each, a hundred at most

  void AddFault(std::string sentence);
};

// Called now and then; false ends it.
using VerifyProgress = FunctionRef<bool(const Verification& so_far)>;

// How far VerifyTable will move `done` where nobody writes meanwhile.
uint64_t RowsToVerify(const Database& db, const Table& table);

// Adds to `found`. An error: it was told to end.
Status VerifyTable(const Database& db, const Table& table, VerifyProgress progress, Verification& found);

}  // namespace keyfold
