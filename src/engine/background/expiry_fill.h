// Filling a new expiry index while writes go on. The catalog names the index first, and its version fenced every
// writer, so each write since then keeps the expiry row of its item; the scan here adds the rows of items untouched
// since. Writing a row that is there already changes nothing, so it may stop anywhere and start again.
#pragma once

#include "base/function_ref.h"
#include "engine/catalog/database.h"
#include "engine/items/backfill.h"

namespace keyfold {

// Gives every item of the table its expiry row. False where the index is no longer being filled, or `stop`, asked
// before each chunk, said so.
Result<bool> FillExpiry(const Database& db, const IndexTask& task, FunctionRef<bool()> stop);

}  // namespace keyfold
