#include "ops/export_description.h"

#include "base/text/utf8.h"
#include "ops/time_member.h"

namespace keyfold::ops {
namespace {

void WriteGiven(json::Writer& out, std::string_view name, const std::optional<std::string>& text) {
  if (text) out.Member(name, *text);
}

void WritePeriod(json::Writer& out, const transfer::Export& made) {
  out.Key("IncrementalExportSpecification");
  out.BeginObject();
  WriteTime(out, "ExportFromTime", made.from);
  WriteTime(out, "ExportToTime", made.time);
  out.Member("ExportViewType", transfer::NameOf(made.order.ShownView()));
  out.EndObject();
}

void WriteEnd(json::Writer& out, const transfer::Export& made) {
  if (made.status == transfer::Export::Status::kInProgress) return;
  WriteTime(out, "EndTime", made.ended);
  if (made.status == transfer::Export::Status::kFailed) {
    out.Member("FailureCode", made.failure_code);
    out.Member("FailureMessage", AsUtf8(made.failure_message));
    return;
  }
  out.Member("ExportManifest", transfer::ExportLayout(made).Summary());
  out.Member("BilledSizeBytes", made.billed_bytes);
  out.Member("ItemCount", made.items);
}

}  // namespace

void WriteExportDescription(json::Writer& out, const Call& call, const transfer::Export& made) {
  const transfer::ExportOrder& order = made.order;
  out.BeginObject();
  out.Key("ExportDescription");
  out.BeginObject();
  out.Member("ExportArn", engine::PartArn(call.service.identity, order.table, "export", made.id));
  out.Member("ExportStatus", transfer::NameOf(made.status));
  WriteTime(out, "StartTime", made.started);
  out.Member("TableArn", engine::TableArn(call.service.identity, order.table));
  out.Member("TableId", made.table_uuid);
  if (!order.IsIncremental()) WriteTime(out, "ExportTime", made.time);
  WriteGiven(out, "ClientToken", order.token);
  out.Member("S3Bucket", order.bucket);
  WriteGiven(out, "S3BucketOwner", order.bucket_owner);
  WriteGiven(out, "S3Prefix", order.prefix);
  out.Member("S3SseAlgorithm", order.encryption.value_or("AES256"));
  WriteGiven(out, "S3SseKmsKeyId", order.encryption_key);
  out.Member("ExportFormat", transfer::NameOf(order.Format()));
  if (order.kind) out.Member("ExportType", transfer::NameOf(*order.kind));
  if (order.IsIncremental()) WritePeriod(out, made);
  WriteEnd(out, made);
  out.EndObject();
  out.EndObject();
}

std::optional<ArnParts> SplitArn(std::string_view arn) {
  ArnParts parts;
  std::string_view scheme;
  for (std::string_view* part : {&scheme, &parts.partition, &parts.service, &parts.region, &parts.account}) {
    const size_t colon = arn.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    *part = arn.substr(0, colon);
    arn.remove_prefix(colon + 1);
  }
  if (scheme != "arn") return std::nullopt;
  parts.resource = arn;
  return parts;
}

}  // namespace keyfold::ops
