// Planning: examines both ends before anything is changed, so that an impossible copy changes nothing.
#pragma once

#include <cstdint>

#include "base/error.h"
#include "client/api_caller.h"
#include "copy/plan.h"
#include "copy/table_description.h"

namespace keyfold::copy {

// Completes the tables of a plan: which are created, and how many segments each has (0: by its size). Returns the first
// reason why a table cannot be copied.
Status CompletePlan(CopyPlan& plan, uint32_t segments, client::ApiCaller& from, client::ApiCaller& to);

// Whether the items of a table may be written into an existing one: their keys must match, and it must be empty unless
// the plan says to append.
Status CheckTarget(const CopyPlan& plan, const TablePlan& table, const TableDescription& source,
                   const TableDescription& target, client::ApiCaller& to);

// Returns the source's description; the table must exist.
Result<TableDescription> DescribeSource(client::ApiCaller& from, const TablePlan& table);

}  // namespace keyfold::copy
