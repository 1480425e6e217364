// A PartiQL statement as the operations it requests, in the trees that the rest of the API uses. It is independent of
// tables: partiql/plan.h applies a statement to a table's keys.
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

inline constexpr size_t kStatementBytesMax = 8192;  // the minimum is 1; both are checked as the request's shape

struct OrderKey {
  std::string attribute;
  bool descending = false;
};

// Immutable after parsing, like the structures below; each owns its contents.
struct Select {
  std::string table, index;     // index is empty for the table itself
  expr::Projection projection;  // empty for *; SelectRow makes its rows
  expr::Condition where;        // kTrue if there is none
  bool has_where = false;
  std::vector<OrderKey> order;
};

// Fails if the item exists: INSERT does not replace items.
struct Insert {
  std::string table;
  Item item;
};

enum class Returning : uint8_t { kNone, kAllOld, kModifiedOld, kAllNew, kModifiedNew };

// Fails if the item does not exist: UPDATE does not create items.
struct Change {
  std::string table;
  expr::Update update;
  expr::Condition where;
  Returning returning = Returning::kNone;
};

// Succeeds if the item does not exist, whatever else WHERE requires.
struct Delete {
  std::string table;
  expr::Condition where;
  Returning returning = Returning::kNone;  // kNone or kAllOld
};

// EXISTS(SELECT …): a condition check of ExecuteTransaction.
struct Exists {
  Select select;
};

using Statement = std::variant<Select, Insert, Change, Delete, Exists>;

// `text` is UTF-8. Each ? takes the next of `parameters`. As in DynamoDB, surplus parameters are allowed.
Result<Statement> ParseStatement(std::string_view text, std::span<const Value> parameters);

// A row of a SELECT with columns: the value of each path under its last name, so a.b[0] is returned as b[0], not inside
// a. A path that does not exist in the item is left out.
Item SelectRow(const expr::Projection& projection, ItemView item);

}  // namespace keyfold::partiql
