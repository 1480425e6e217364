// Scan.
#include "engine/items/query.h"
#include "ops/handlers.h"
#include "ops/parameters.h"
#include "ops/query_answer.h"
#include "wire/requests/reads.h"

namespace keyfold::ops {
namespace {

constexpr Rule<
    "The TotalSegments parameter is required but was not present in the request when Segment parameter is present">
    kSegmentWithoutTotal{"segment-without-total", Kind::kValidation};
constexpr Rule<
    "The Segment parameter is required but was not present in the request when parameter TotalSegments is present">
    kTotalWithoutSegment{"total-without-segment", Kind::kValidation};
constexpr Rule<
    "The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: {} is not less than "
    "TotalSegments: {}">
    kSegmentPastTotal{"segment-past-total", Kind::kValidation};

Status SegmentsMakeSense(const wire::ScanRequest& r) {
  if (r.segment && !r.total_segments) return kSegmentWithoutTotal();
  if (r.total_segments && !r.segment) return kTotalWithoutSegment();
  if (r.segment && *r.segment >= *r.total_segments) return kSegmentPastTotal(*r.segment, *r.total_segments);
  return Ok();
}

Result<ParsedPage> CheckScan(const wire::ScanRequest& r) {
  RETURN_IF_ERROR(ParametersDoNotMix({{"ProjectionExpression", r.projection_expression.has_value()},
                                      {"FilterExpression", r.filter_expression.has_value()}},
                                     {{"AttributesToGet", r.attributes_to_get.has_value()},
                                      {"ScanFilter", r.scan_filter.has_value()},
                                      {"ConditionalOperator", r.conditional_operator.has_value()}},
                                     r.expression_attribute_names, &r.expression_attribute_values));
  RETURN_IF_ERROR(AttributesToGetAreDistinct(r.attributes_to_get));
  ParsedPage parsed;
  ASSIGN_OR_RETURN(parsed.filter, LegacyFilterOf(r.scan_filter, r.conditional_operator));
  RETURN_IF_ERROR(StartKeyIsWellFormed(r.exclusive_start_key));
  RETURN_IF_ERROR(SegmentsMakeSense(r));
  ASSIGN_OR_RETURN(parsed.selection, SelectionOf(r));
  ASSIGN_OR_RETURN(expr::Placeholders placeholders,
                   PlaceholdersOf(r.expression_attribute_names, &r.expression_attribute_values));
  RETURN_IF_ERROR(ParseShown(r, placeholders, parsed));
  return parsed;
}

}  // namespace

Status Scan(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::ScanRequest r, wire::Decode<wire::ScanRequest>(request));
  ASSIGN_OR_RETURN(const ParsedPage parsed, CheckScan(r));
  ASSIGN_OR_RETURN(const std::string table, engine::TableNameOf(call.service.identity, r.table_name));
  engine::ScanInput scan;
  FillPage(r, table, parsed, scan);
  scan.legacy_filter = r.scan_filter.has_value();
  scan.segment = r.segment.value_or(0);
  scan.segments = r.total_segments.value_or(1);
  return WritePage(call, answer, parsed.selection, r.return_consumed_capacity, r.table_name,
                   [&](engine::Emit emit) { return engine::RunScan(call.service.db, scan, emit, call.access); });
}

}  // namespace keyfold::ops
