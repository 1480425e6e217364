// Fills an index of a table in chunks while requests change the table and the catalog.
#pragma once

#include <cstddef>
#include <string>

#include "base/function_ref.h"
#include "engine/catalog/database.h"

namespace keyfold::engine {

// An index of a table, as it was when work on it began.
struct IndexTask {
  std::string table;
  store::TableId table_id = 0;
  store::IndexId index_id = 0;
};

// Maximum number of items that a chunk writes. It locks all of them at once, so it is small: no request waits long for
// one of them.
inline constexpr size_t kFillChunkItems = 25;

// Returns true if the index still has to be filled. The table has the task's id and is not being deleted.
using IsBeingFilled = FunctionRef<bool(const Table& table)>;

// Fills the index for the next rows after row `after` and advances `after`. Returns false if there were no more rows,
// and kStale if the catalog has a later version than `version`.
using FillChunk = FunctionRef<Result<bool>(store::CatalogVersion version, const Table& table, std::string& after,
                                           store::Access access)>;

// Calls `fill` for one chunk after another, with the table as it is then. A chunk that the store throttles, or that is
// stale, is tried again. Returns true after the last chunk, and false if the index is no longer being filled or `stop`,
// which is called before each attempt, returns true.
Result<bool> FillInChunks(const Database& db, const IndexTask& task, IsBeingFilled is_being_filled,
                          FunctionRef<bool()> stop, FillChunk fill);

}  // namespace keyfold::engine
