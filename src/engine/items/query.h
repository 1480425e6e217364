// Query and Scan: one page of a table or index, read in place, filtered, projected and emitted item by item.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/catalog/database.h"
#include "engine/catalog/table.h"
#include "engine/items/capacity.h"
#include "engine/items/request_context.h"
#include "expr/condition.h"
#include "expr/key_condition.h"
#include "expr/projection.h"
#include "store/store.h"
#include "value/limits.h"

namespace keyfold::engine {

// Which attributes the response shows. kSpecific goes with a projection. kDefault means all attributes of a table, or
// all projected attributes of an index.
enum class Selection : uint8_t { kDefault, kAll, kAllProjected, kSpecific, kCount };

// What Query and Scan share. Borrows everything from the request.
struct PageRequest {
  std::string_view table;
  std::string_view index;  // empty: the table itself
  bool consistent = false;
  int64_t limit = 0;  // 0: no limit
  std::optional<ItemView> start;
  const expr::Condition* filter = nullptr;
  bool legacy_filter = false;  // from QueryFilter or ScanFilter; affects messages
  const expr::Projection* projection = nullptr;
  Selection selection = Selection::kDefault;
  size_t bytes_max = kPageBytesMax;
  // The request comes from a statement: the filter may use key attributes, and the projection only says what must be
  // read. Items are emitted whole.
  bool of_statement = false;
};

struct QueryInput : PageRequest {
  const expr::KeyCondition* key_condition = nullptr;
  bool legacy_key_condition = false;
  bool forward = true;
};

struct ScanInput : PageRequest {
  int64_t segment = 0, segments = 1;
};

struct QueryOutcome {
  TablePtr table;
  const Index* index = nullptr;  // belongs to table
  int64_t count = 0, scanned = 0;
  size_t bytes = 0;  // what counts towards bytes_max
  Consumed units;
  std::optional<Item> last_key;
};

// Receives each item that passed the filter, projected. The view is valid only during the call.
using Emit = FunctionRef<void(ItemView item)>;

// Returns true if the rows of the index have the attribute.
bool IndexHolds(const Table& table, const Index& index, std::string_view attribute);

// An error may follow after items were emitted (kWouldBlock in particular); the caller must then discard those items.
Result<QueryOutcome> RunQuery(const Database& db, const QueryInput& request, Emit emit, RequestContext context);
Result<QueryOutcome> RunScan(const Database& db, const ScanInput& request, Emit emit, RequestContext context);

}  // namespace keyfold::engine
