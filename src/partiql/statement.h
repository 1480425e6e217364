// A PartiQL statement as the operations it asks for, in the trees that the rest of the API uses. Knows nothing of any
// table: partiql/plan.h sets a statement against a table's keys.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.h"
#include "expr/condition.h"
#include "expr/projection.h"
#include "expr/update.h"
#include "value/item.h"

namespace keyfold::partiql {

inline constexpr size_t kStatementBytesMax = 8192;  // and at least one; a rule of the request's shape

struct OrderKey {
  std::string attribute;
  bool descending = false;
};

// Immutable once parsed, as are all of these; each owns what it holds.
struct Select {
  std::string table, index;  // index empty: the table itself
  Projection projection;     // empty: *; for its rows see SelectRow
  Condition where;           // kTrue where there is none
  bool has_where = false;
  std::vector<OrderKey> order;
};

// Fails where the item exists: INSERT replaces nothing.
struct Insert {
  std::string table;
  Item item;
};

enum class Returning : uint8_t { kNone, kAllOld, kModifiedOld, kAllNew, kModifiedNew };

// Fails where the item does not exist: UPDATE creates nothing.
struct Change {
  std::string table;
  Update update;
  Condition where;
  Returning returning = Returning::kNone;
};

// Of an item that does not exist it is done, whatever else WHERE says.
struct Delete {
  std::string table;
  Condition where;
  Returning returning = Returning::kNone;  // kNone or kAllOld
};

// EXISTS(SELECT …): a condition check of ExecuteTransaction.
struct Exists {
  Select select;
};

using Statement = std::variant<Select, Insert, Change, Delete, Exists>;

// `text` is UTF-8. Each ? takes the next of `parameters`. DynamoDB does not mind parameters that are left over.
Result<Statement> ParseStatement(std::string_view text, std::span<const Value> parameters);

// A row of a SELECT with columns: each path's value under its last name, so a.b[0] is answered as b[0] and not inside
// a. A path that leads nowhere adds nothing.
Item SelectRow(const Projection& projection, ItemView item);

}  // namespace keyfold::partiql
