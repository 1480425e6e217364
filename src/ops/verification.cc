// StartVerification and DescribeVerification, operations of Keyfold's own: verify the database while it serves
// requests, and report the faults.
#include "ops/handlers.h"
#include "ops/time_member.h"
#include "transfer/verify/verifier.h"
#include "wire/requests/keyfold.h"

namespace keyfold::ops {
namespace {

constexpr Rule<"This server has no background threads"> kNoVerifier{"verify-no-background", Kind::kUnavailable};

// {"Verification": {…}}
void WriteReport(json::Writer& out, const transfer::VerifierReport& report) {
  out.BeginObject();
  out.Key("Verification");
  out.BeginObject();
  out.Member("Status", transfer::NameOf(report.status));
  if (!report.table.empty()) out.Member("TableName", report.table);
  WriteTime(out, "StartDateTime", report.started);
  if (report.status != transfer::VerifierReport::Status::kInProgress) WriteTime(out, "EndDateTime", report.ended);
  if (!report.failure.empty()) out.Member("FailureMessage", report.failure);
  if (!report.step.empty()) out.Member("Step", report.step);
  out.Member("Done", report.found.done);
  out.Member("Total", report.total);
  out.Member("Items", report.found.items);
  out.Member("IndexRows", report.found.index_rows);
  out.Member("LogRecords", report.found.log_records);
  out.Member("Files", report.found.files);
  out.Member("RemovedExports", report.removed_exports);
  out.Member("FaultCount", report.found.faults);
  out.Key("Faults");
  out.BeginArray();
  for (const std::string& fault : report.found.first_faults) out.String(fault);
  out.EndArray();
  out.EndObject();
  out.EndObject();
}

}  // namespace

Status StartVerification(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::StartVerificationRequest r, wire::Decode<wire::StartVerificationRequest>(request));
  if (!call.service.verifier) return kNoVerifier();
  ASSIGN_OR_RETURN(const transfer::VerifierReport report, call.service.verifier->Begin(r.table_name.value_or("")));
  WriteReport(answer, report);
  return Ok();
}

Status DescribeVerification(Call& call, json::Value request, json::Writer& answer) {
  RETURN_IF_ERROR(wire::Decode<wire::DescribeVerificationRequest>(request));
  if (!call.service.verifier) return kNoVerifier();
  if (const std::optional<transfer::VerifierReport> report = call.service.verifier->Latest()) {
    WriteReport(answer, *report);
    return Ok();
  }
  answer.BeginObject();  // nothing was verified since the server started
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold::ops
