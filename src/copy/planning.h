// Planning: what both ends have is looked at before anything is changed, so that a copy that cannot be done does
// nothing.
#pragma once

#include <cstdint>

#include "base/error.h"
#include "copy/caller.h"
#include "copy/plan.h"
#include "copy/table_description.h"

namespace keyfold {

// Completes the tables of a plan: which are made, and how many segments each has (0: by its size). The first reason
// why one cannot be copied.
Status CompletePlan(CopyPlan& plan, uint32_t segments, Caller& from, Caller& to);

// Whether the items of a table may go into one that is there: their keys are alike, and nothing is in it yet or
// somebody said to write into it all the same.
Status CheckTarget(const CopyPlan& plan, const TablePlan& table, const TableDescription& source,
                   const TableDescription& target, Caller& to);

// The source's description, which must be there.
Result<TableDescription> DescribeSource(Caller& from, const TablePlan& table);

}  // namespace keyfold
