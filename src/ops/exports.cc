// DescribeExport and ListExports: the status of the exports of the last 90 days.
#include "wire/requests/exports.h"

#include "ops/export_description.h"
#include "ops/handlers.h"
#include "ops/list_page.h"
#include "ops/sealed_token.h"

namespace keyfold::ops {
namespace {

constexpr Rule<"Invalid Export ARN"> kBadExportArn{"export-arn", Kind::kValidation};
constexpr Rule<"Export not found: Invalid export arn"> kOtherRegion{"export-elsewhere", Kind::kExportNotFound};
constexpr Rule<"Export not found: Export not found: {}"> kNoExport{"no-such-export", Kind::kExportNotFound};

constexpr std::string_view kExportsPage = "exports-page";

using ListedExport = ListedJob<transfer::ExportPtr>;

bool IsExportShown(const transfer::Export& made, Micros now) { return now - made.started < kJobsShownFor; }

Result<transfer::ExportPtr> ExportOfArn(const Call& call, std::string_view arn) {
  const engine::Identity& identity = call.service.identity;
  const std::optional<ArnParts> parts = SplitArn(arn);
  if (!parts) return kBadExportArn();
  if (parts->account != identity.account) return kExportDenied();
  if (parts->resource.find("/export/") == std::string_view::npos) return kBadExportArn();
  if (parts->region != identity.region) return kOtherRegion();
  const std::optional<std::string> id = engine::IdOfPartArn(identity, "export", arn);
  transfer::ExportPtr made = id ? transfer::FindExport(*call.service.db.catalog.Current(), *id) : nullptr;
  const bool same = made && engine::PartArn(identity, made->order.table, "export", made->id) == arn;
  if (!same || !IsExportShown(*made, call.service.db.clock.Now())) return kNoExport(arn);
  return made;
}

// Exports of a deleted table are not listed for a new table with the same name.
std::vector<ListedExport> ExportsToList(const Call& call, const std::optional<std::string>& table_arn) {
  const engine::SnapshotPtr snapshot = call.service.db.catalog.Current();
  const Micros now = call.service.db.clock.Now();
  std::vector<ListedExport> listed;
  for (const transfer::ExportPtr& made : transfer::AllExports(*snapshot)) {
    const std::string& name = made->order.table;
    if (!IsExportShown(*made, now)) continue;
    if (table_arn) {
      const engine::TablePtr table = snapshot->Find(name);
      if (engine::TableArn(call.service.identity, name) != *table_arn || !table || table->uuid != made->table_uuid)
        continue;
    }
    listed.push_back({engine::PartArn(call.service.identity, name, "export", made->id), made});
  }
  SortForList(listed);
  return listed;
}

void WriteExportSummary(json::Writer& out, const ListedExport& listed) {
  out.BeginObject();
  out.Member("ExportArn", listed.arn);
  out.Member("ExportStatus", transfer::NameOf(listed.job->status));
  out.Member("ExportType", transfer::NameOf(listed.job->order.kind.value_or(transfer::ExportOrder::Kind::kFull)));
  out.EndObject();
}

}  // namespace

Status DescribeExport(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::DescribeExportRequest r, wire::Decode<wire::DescribeExportRequest>(request));
  ASSIGN_OR_RETURN(const transfer::ExportPtr made, ExportOfArn(call, r.export_arn));
  WriteExportDescription(answer, call, *made);
  return Ok();
}

Status ListExports(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::ListExportsRequest r, wire::Decode<wire::ListExportsRequest>(request));
  const std::string secret = call.service.db.catalog.Current()->secret;
  std::optional<std::string> after;
  if (r.next_token) {
    after = Unseal(secret, kExportsPage, *r.next_token);
    if (!after) return kNextTokenInvalid(*r.next_token);
  }
  const std::vector<ListedExport> listed = ExportsToList(call, r.table_arn);
  const ListPage<transfer::ExportPtr> page = PageAfter(listed, after, r.max_results);
  answer.BeginObject();
  answer.Key("ExportSummaries");
  answer.BeginArray();
  for (const ListedExport& one : page.jobs) WriteExportSummary(answer, one);
  answer.EndArray();
  if (!page.is_last) answer.Member("NextToken", Seal(secret, kExportsPage, page.jobs.back().arn));
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold::ops
