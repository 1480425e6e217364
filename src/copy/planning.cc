#include "copy/planning.h"

#include "copy/table_calls.h"

namespace keyfold::copy {
namespace {

constexpr Rule<"there is no table {} to copy"> kNoSource{"copy-no-source", Kind::kResourceNotFound};
constexpr Rule<"there is no table {} to write into, and --items-only creates none"> kNoTarget{"copy-no-target",
                                                                                              Kind::kResourceNotFound};
constexpr Rule<"the table {} already exists"> kThere{"copy-target-there", Kind::kResourceInUse};
constexpr Rule<"the table {} already has items; --append writes into it and replaces items with the same keys">
    kNotEmpty{"copy-target-not-empty", Kind::kResourceInUse};
constexpr Rule<"the key of {} is {}, but the key of {} is {}"> kOtherKey{"copy-other-key", Kind::kValidation};

Status CompleteTable(const CopyPlan& plan, TablePlan& table, uint32_t segments, client::ApiCaller& from,
                     client::ApiCaller& to) {
  ASSIGN_OR_RETURN(const TableDescription source, DescribeSource(from, table));
  ASSIGN_OR_RETURN(const std::optional<TableDescription> target, TableDescription::Ask(to, table.target));
  table.creates = !target;
  if (!target && plan.items_only) return kNoTarget(table.target);
  if (target && plan.schema_only) return kThere(table.target);
  if (target) RETURN_IF_ERROR(CheckTarget(plan, table, source, *target, to));
  table.items_about = source.items();
  table.segments.assign(segments > 0 ? segments : SegmentsFor(source.bytes(), plan.speed.threads), {});
  return Ok();
}

}  // namespace

Result<TableDescription> DescribeSource(client::ApiCaller& from, const TablePlan& table) {
  ASSIGN_OR_RETURN(std::optional<TableDescription> source, TableDescription::Ask(from, table.source));
  if (!source) return kNoSource(table.source);
  return *std::move(source);
}

Status CheckTarget(const CopyPlan& plan, const TablePlan& table, const TableDescription& source,
                   const TableDescription& target, client::ApiCaller& to) {
  if (source.key() != target.key()) {
    return kOtherKey(table.source, NameOf(source.key()), table.target, NameOf(target.key()));
  }
  if (plan.append || target.status() == "CREATING") return Ok();
  ASSIGN_OR_RETURN(const bool empty, IsEmpty(to, table.target));
  if (!empty) return kNotEmpty(table.target);
  return Ok();
}

Status CompletePlan(CopyPlan& plan, uint32_t segments, client::ApiCaller& from, client::ApiCaller& to) {
  for (TablePlan& table : plan.tables) RETURN_IF_ERROR(CompleteTable(plan, table, segments, from, to));
  return Ok();
}

}  // namespace keyfold::copy
