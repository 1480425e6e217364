// DescribeImport and ListImports: the status of the imports of the last 90 days.
#include "wire/requests/imports.h"

#include "base/text/hex.h"
#include "ops/handlers.h"
#include "ops/import_description.h"
#include "ops/list_page.h"
#include "ops/sealed_token.h"

namespace keyfold::ops {
namespace {

constexpr Rule<"Invalid Import ARN"> kBadImportArn{"import-arn", Kind::kValidation};
constexpr Rule<"Import not found: {}"> kNoImport{"no-such-import", Kind::kImportNotFound};

constexpr std::string_view kImportsPage = "imports-page";
constexpr size_t kTableNameBytesMin = 3;

using ListedImport = ListedJob<transfer::ImportPtr>;

bool IsImportShown(const transfer::Import& import, Micros now) {
  return import.status == transfer::Import::Status::kInProgress || now - import.ended < kJobsShownFor;
}

Result<transfer::ImportPtr> ImportOfArn(const Call& call, std::string_view arn) {
  const engine::Identity& identity = call.service.identity;
  const size_t at = arn.find("/import/");
  if (at == std::string_view::npos) return kBadImportArn();
  const Result<std::string> table = engine::TableNameOfArn(identity, arn.substr(0, at));
  if (!table.ok() || table->size() < kTableNameBytesMin) return kBadImportArn();
  const std::optional<std::string> id = engine::IdOfPartArn(identity, "import", arn);
  transfer::ImportPtr import = id ? transfer::FindImport(*call.service.db.catalog.Current(), *id) : nullptr;
  const bool same = import && import->table.name == *table;
  if (!same || !IsImportShown(*import, call.service.db.clock.Now())) return kNoImport(arn);
  return import;
}

std::vector<ListedImport> ImportsToList(const Call& call, const std::optional<std::string>& table_arn) {
  const engine::SnapshotPtr snapshot = call.service.db.catalog.Current();
  const Micros now = call.service.db.clock.Now();
  std::vector<ListedImport> listed;
  for (const transfer::ImportPtr& import : transfer::AllImports(*snapshot)) {
    if (!IsImportShown(*import, now)) continue;
    if (table_arn && engine::TableArn(call.service.identity, import->table.name) != *table_arn) continue;
    listed.push_back({ArnOf(call, *import), import});
  }
  SortForList(listed);
  return listed;
}

// AWS's tokens are at least seven groups of 16 hexadecimal digits; ours are padded with blanks.
constexpr size_t kGroupBytes = 8, kTokenBytesMin = 56;

std::string MakeToken(std::string_view secret, std::string_view last_arn) {
  std::string sealed = Seal(secret, kImportsPage, last_arn);
  while (sealed.size() < kTokenBytesMin || sealed.size() % kGroupBytes != 0) sealed.push_back(' ');
  return Hex(sealed);
}

// Returns the last ARN of the previous page.
std::optional<std::string> ReadToken(std::string_view secret, std::string_view token) {
  std::optional<std::string> sealed = FromHex(token);
  if (!sealed) return std::nullopt;
  sealed->resize(sealed->find_last_not_of(' ') + 1);
  return Unseal(secret, kImportsPage, *sealed);
}

}  // namespace

Status DescribeImport(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::DescribeImportRequest r, wire::Decode<wire::DescribeImportRequest>(request));
  ASSIGN_OR_RETURN(const transfer::ImportPtr import, ImportOfArn(call, r.import_arn));
  WriteImportDescription(answer, call, *import);
  return Ok();
}

Status ListImports(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::ListImportsRequest r, wire::Decode<wire::ListImportsRequest>(request));
  const std::string secret = call.service.db.catalog.Current()->secret;
  std::optional<std::string> after;
  if (r.next_token) {
    after = ReadToken(secret, *r.next_token);
    if (!after) return kNextTokenInvalid(*r.next_token);
  }
  const std::vector<ListedImport> listed = ImportsToList(call, r.table_arn);
  const ListPage<transfer::ImportPtr> page = PageAfter(listed, after, r.page_size);
  answer.BeginObject();
  answer.Key("ImportSummaryList");
  answer.BeginArray();
  for (const ListedImport& one : page.jobs) WriteImportSummary(answer, call, *one.job);
  answer.EndArray();
  if (!page.is_last) answer.Member("NextToken", MakeToken(secret, page.jobs.back().arn));
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold::ops
