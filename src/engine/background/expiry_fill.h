// Fills a new expiry index while writes continue. The index is first added to the catalog, whose new version fences all
// writers, so every later write maintains the expiry row of its item. This scan adds the rows of items that have not
// been written since. Writing a row that already exists changes nothing, so the scan can stop anywhere and start again.
#pragma once

#include "base/function_ref.h"
#include "engine/catalog/database.h"
#include "engine/items/chunked_fill.h"

namespace keyfold::engine {

// Writes the expiry row of every item in the table. Returns false if the index is no longer being filled or if `stop`,
// which is called before each chunk, returns true.
Result<bool> FillExpiry(const Database& db, const IndexTask& task, FunctionRef<bool()> stop);

}  // namespace keyfold::engine
