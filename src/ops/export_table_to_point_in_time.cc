// ExportTableToPointInTime: exports a table's items at a moment, or the changes of a period, to a bucket. The response
// describes the export as it begins.
#include "engine/catalog/rules.h"
#include "ops/export_description.h"
#include "ops/handlers.h"
#include "transfer/export/export_jobs.h"
#include "wire/requests/exports.h"

namespace keyfold::ops {
namespace {

constexpr Rule<"Exports need a folder, but this server has no writable one"> kNoExportFolder{"exports-no-folder",
                                                                                             Kind::kUnavailable};
constexpr Rule<"One or more parameter values were invalid: tableArn is not a valid ARN"> kNotAnArn{"export-table-arn",
                                                                                                   Kind::kValidation};
constexpr Rule<"Invalid Request: Table ARN is invalid."> kNotATable{"export-not-a-table", Kind::kValidation};

constexpr Rule<"Invalid Request: KMS Key Id is not supported for this encryption type"> kKeyUnneeded{
    "export-key-unneeded", Kind::kValidation};
constexpr Rule<
    "Invalid Request: Export Type expected to be Incremental Export when incremental export specification is provided">
    kTypeMissing{"export-type-missing", Kind::kValidation};
constexpr Rule<
    "Invalid Request: When Export Type is Full Export , Incremental Export Specification should not be provided">
    kPeriodUnneeded{"export-period-unneeded", Kind::kValidation};
constexpr Rule<
    "Invalid Request: Incremental Export Specification expected when export type is set as Incremental Export">
    kPeriodMissing{"export-period-missing", Kind::kValidation};
constexpr Rule<"Invalid Request: ExportFromTime must be provided in IncrementalExportSpecification"> kFromMissing{
    "export-from-missing", Kind::kValidation};

constexpr std::string_view kTablePrefix = "table/";

Result<std::string> ExportedTable(const engine::Identity& identity, std::string_view arn) {
  const std::optional<ArnParts> parts = SplitArn(arn);
  if (!parts) return kNotAnArn();
  if (parts->account != identity.account) return kExportDenied();
  if (!parts->resource.starts_with(kTablePrefix)) return kNotATable();
  const std::string_view name = parts->resource.substr(kTablePrefix.size());
  if (name.empty() || name.find('/') != std::string_view::npos || parts->service != "dynamodb") return kNotATable();
  if (parts->region != identity.region) return engine::kTableNotFound(arn);
  return std::string(name);
}

Status EncryptionIsOfOnePiece(const wire::ExportTableToPointInTimeRequest& r) {
  if (r.s3_sse_kms_key_id && r.s3_sse_algorithm != wire::S3SseAlgorithm::kKms) return kKeyUnneeded();
  return Ok();
}

Status PeriodGoesWithType(const wire::ExportTableToPointInTimeRequest& r) {
  const auto& period = r.incremental_export_specification;
  if (period && !r.export_type) return kTypeMissing();
  if (period && r.export_type == wire::ExportType::kFullExport) return kPeriodUnneeded();
  if (!period && r.export_type == wire::ExportType::kIncrementalExport) return kPeriodMissing();
  if (period && !period->export_from_time) return kFromMissing();
  return Ok();
}

std::optional<Micros> MicrosOf(const std::optional<wire::Timestamp>& time) {
  return time ? std::optional(time->micros) : std::nullopt;
}

transfer::ExportPeriod PeriodOf(const wire::IncrementalExportSpecification& given) {
  transfer::ExportPeriod period{
      .from = given.export_from_time->micros, .to = MicrosOf(given.export_to_time), .view = {}};
  if (given.export_view_type) {
    period.view = given.export_view_type == wire::ExportViewType::kNewImage
                      ? transfer::ExportPeriod::View::kNewImage
                      : transfer::ExportPeriod::View::kNewAndOldImages;
  }
  return period;
}

transfer::ExportOrder ExportOrderOf(const wire::ExportTableToPointInTimeRequest& r, std::string table) {
  transfer::ExportOrder order;
  order.table = std::move(table);
  order.time = MicrosOf(r.export_time);
  order.bucket = r.s3_bucket;
  order.prefix = r.s3_prefix;
  order.bucket_owner = r.s3_bucket_owner;
  if (r.s3_sse_algorithm) order.encryption = r.s3_sse_algorithm == wire::S3SseAlgorithm::kKms ? "KMS" : "AES256";
  order.encryption_key = r.s3_sse_kms_key_id;
  if (r.export_format) {
    order.format =
        r.export_format == wire::ExportFormat::kIon ? transfer::DataFormat::kIon : transfer::DataFormat::kDynamoDbJson;
  }
  if (r.export_type) {
    order.kind = r.export_type == wire::ExportType::kFullExport ? transfer::ExportOrder::Kind::kFull
                                                                : transfer::ExportOrder::Kind::kIncremental;
  }
  if (r.incremental_export_specification) order.period = PeriodOf(*r.incremental_export_specification);
  order.token = r.client_token;
  return order;
}

}  // namespace

Status ExportTableToPointInTime(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::ExportTableToPointInTimeRequest r,
                   wire::Decode<wire::ExportTableToPointInTimeRequest>(request));
  ASSIGN_OR_RETURN(std::string table, ExportedTable(call.service.identity, r.table_arn));
  RETURN_IF_ERROR(EncryptionIsOfOnePiece(r));
  RETURN_IF_ERROR(PeriodGoesWithType(r));
  if (!call.service.exports) return kNoExportFolder();
  call.account.table = table;
  ASSIGN_OR_RETURN(const transfer::ExportPtr made, call.service.exports->Create(ExportOrderOf(r, std::move(table))));
  WriteExportDescription(answer, call, *made);
  return Ok();
}

}  // namespace keyfold::ops
