// Looking a database through: every row against its checksum, every item against its place, every index against its
// table, both ways, and the log against itself and the items. While writes go on, what belongs together is read at one
// moment, so that nothing is found that is not there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/function_ref.h"
#include "engine/database.h"

namespace keyfold {

struct Verification {
  uint64_t items = 0, index_rows = 0, log_records = 0;  // looked at
  uint64_t faults = 0;
  std::vector<std::string> first_faults;  // a sentence each, a hundred at most
};

// Called now and then; false ends it.
using VerifyProgress = FunctionRef<bool(const Verification& so_far)>;

// Adds to `found`. An error: it could not go on, which is no fault of the data.
Status VerifyTable(const Database& db, const Table& table, VerifyProgress progress, Verification& found);

}  // namespace keyfold
