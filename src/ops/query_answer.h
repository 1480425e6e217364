// What Query and Scan share: which attributes are selected, and the page as an answer.
#pragma once

#include <optional>

#include "engine/items/query.h"
#include "json/writer.h"
#include "ops/operation.h"
#include "ops/parameters.h"
#include "wire/shapes.h"

namespace keyfold {

// Select against the other parameters; `projected_by`: which of ProjectionExpression and AttributesToGet was given, if
// any.
Result<Selection> SelectionOf(std::optional<Select> select, std::string_view projected_by, bool has_index);

// What a Query or Scan says beside its keys and segments, parsed.
struct ParsedPage {
  Selection selection = Selection::kDefault;
  std::optional<Condition> filter;
  Projection projection;
};

template <typename R>
Result<Selection> SelectionOf(const R& r) {
  const std::string_view projected_by =
      r.projection_expression ? "ProjectionExpression" : (r.attributes_to_get ? "AttributesToGet" : "");
  return SelectionOf(r.select, projected_by, r.index_name.has_value());
}

// FilterExpression and the projection.
template <typename R>
Status ParseShown(const R& r, Placeholders& placeholders, ParsedPage& parsed) {
  if (r.filter_expression) {
    ASSIGN_OR_RETURN(parsed.filter, ParseCondition("FilterExpression", *r.filter_expression, placeholders));
  }
  ASSIGN_OR_RETURN(parsed.projection, ProjectionOf(r.projection_expression, r.attributes_to_get, placeholders));
  return placeholders.AllUsed();
}

// `page` borrows from all the others.
template <typename R>
void FillPage(const R& r, const std::string& table, const ParsedPage& parsed, PageRequest& page) {
  page.table = table;
  if (r.index_name) page.index = *r.index_name;
  page.consistent = r.consistent_read.value_or(false);
  page.limit = r.limit.value_or(0);
  if (r.exclusive_start_key) page.start = (*r.exclusive_start_key)->view();
  page.filter = parsed.filter ? &*parsed.filter : nullptr;
  page.projection = &parsed.projection;
  page.selection = parsed.selection;
}

// The starting key's own values; AWS puts "The provided starting key is invalid: " before some of their faults.
Status StartKeyIsWellFormed(const std::optional<Supplied<Item>>& start);

// Writes {"Items":[…]…}: `read` emits the items.
Status WritePage(Call& call, json::Writer& answer, Selection selection, std::optional<ReturnConsumedCapacity> wanted,
                 std::string_view table_name, FunctionRef<Result<QueryOutcome>(Emit)> read);

}  // namespace keyfold
