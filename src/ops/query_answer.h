// Shared by Query and Scan: which attributes are selected, and the response with the page.
#pragma once

#include <optional>

#include "engine/items/query.h"
#include "json/writer.h"
#include "ops/operation.h"
#include "ops/parameters.h"
#include "wire/shapes.h"

namespace keyfold::ops {

// Checks Select against the other parameters. `projected_by` is ProjectionExpression or AttributesToGet, whichever was
// given, or empty.
Result<engine::Selection> SelectionOf(std::optional<wire::Select> select, std::string_view projected_by,
                                      bool has_index);

// The parsed parameters of a Query or Scan, except its keys and segments.
struct ParsedPage {
  engine::Selection selection = engine::Selection::kDefault;
  std::optional<expr::Condition> filter;
  expr::Projection projection;
};

template <typename R>
Result<engine::Selection> SelectionOf(const R& r) {
  const std::string_view projected_by =
      r.projection_expression ? "ProjectionExpression" : (r.attributes_to_get ? "AttributesToGet" : "");
  return SelectionOf(r.select, projected_by, r.index_name.has_value());
}

// Parses FilterExpression and the projection.
template <typename R>
Status ParseShown(const R& r, expr::Placeholders& placeholders, ParsedPage& parsed) {
  if (r.filter_expression) {
    ASSIGN_OR_RETURN(parsed.filter, expr::ParseCondition("FilterExpression", *r.filter_expression, placeholders));
  }
  ASSIGN_OR_RETURN(parsed.projection, ProjectionOf(r.projection_expression, r.attributes_to_get, placeholders));
  return placeholders.AllUsed();
}

// `page` borrows from all other arguments.
template <typename R>
void FillPage(const R& r, const std::string& table, const ParsedPage& parsed, engine::PageRequest& page) {
  page.table = table;
  if (r.index_name) page.index = *r.index_name;
  page.consistent = r.consistent_read.value_or(false);
  page.limit = r.limit.value_or(0);
  if (r.exclusive_start_key) page.start = (*r.exclusive_start_key)->view();
  page.filter = parsed.filter ? &*parsed.filter : nullptr;
  page.projection = &parsed.projection;
  page.selection = parsed.selection;
}

// Checks the values of the starting key; AWS puts "The provided starting key is invalid: " before some of their errors.
Status StartKeyIsWellFormed(const std::optional<wire::Supplied<Item>>& start);

// Writes {"Items":[…]…}; `read` emits the items.
Status WritePage(Call& call, json::Writer& answer, engine::Selection selection,
                 std::optional<wire::ReturnConsumedCapacity> wanted, std::string_view table_name,
                 FunctionRef<Result<engine::QueryOutcome>(engine::Emit)> read);

}  // namespace keyfold::ops
