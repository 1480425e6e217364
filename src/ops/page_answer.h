// What Query and Scan share: which attributes are selected, and the page as an answer.
#pragma once

#include <optional>

#include "engine/page.h"
#include "json/writer.h"
#include "ops/operation.h"
#include "wire/shapes.h"

namespace keyfold {

// Select against the other parameters; `projected_by`: which of ProjectionExpression and AttributesToGet was given, if any.
Result<Selection> SelectionOf(std::optional<Select> select, std::string_view projected_by, bool has_index);

// The starting key's own values; AWS puts "The provided starting key is invalid: " before some of their faults.
Status StartKeyIsWellFormed(const std::optional<Supplied<Item>>& start);

// Writes {"Items":[…]…}: `read` emits the items.
Status WritePage(Call& call, json::Writer& answer, Selection selection, std::optional<ReturnConsumedCapacity> wanted,
                 std::string_view table_name, FunctionRef<Result<PageOutcome>(Emit)> read);

}  // namespace keyfold
