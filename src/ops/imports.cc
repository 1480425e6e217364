// DescribeImport and ListImports: the status of the imports of the last 90 days.
#include "wire/requests/imports.h"

#include <algorithm>

#include "ops/handlers.h"
#include "ops/import_description.h"
#include "ops/sealed_token.h"

namespace keyfold::ops {
namespace {

constexpr Rule<"Invalid Import ARN"> kBadArn{"import-arn", Kind::kValidation};
constexpr Rule<"Import not found: {}"> kNoImport{"no-such-import", Kind::kImportNotFound};

constexpr int32_t kImportsPerPage = 25;
constexpr std::string_view kPage = "imports-page";
constexpr Micros kShownFor = Micros{90} * 24 * 3600 * 1'000'000;
constexpr size_t kTableNameBytesMin = 3;

bool IsShown(const transfer::Import& import, Micros now) {
  return import.status == transfer::Import::Status::kInProgress || now - import.ended < kShownFor;
}

Result<transfer::ImportPtr> ImportOfArn(const Call& call, std::string_view arn) {
  const engine::Identity& identity = call.service.identity;
  const size_t at = arn.find("/import/");
  if (at == std::string_view::npos) return kBadArn();
  const Result<std::string> table = engine::TableNameOfArn(identity, arn.substr(0, at));
  if (!table.ok() || table->size() < kTableNameBytesMin) return kBadArn();
  const std::optional<std::string> id = engine::IdOfPartArn(identity, "import", arn);
  transfer::ImportPtr import = id ? transfer::FindImport(*call.service.db.catalog.Current(), *id) : nullptr;
  const bool same = import && import->table.name == *table;
  if (!same || !IsShown(*import, call.service.db.clock.Now())) return kNoImport(arn);
  return import;
}

// In descending order of ARN.
std::vector<std::pair<std::string, transfer::ImportPtr>> ImportsToList(const Call& call,
                                                                       const std::optional<std::string>& table_arn) {
  const engine::SnapshotPtr snapshot = call.service.db.catalog.Current();
  const Micros now = call.service.db.clock.Now();
  std::vector<std::pair<std::string, transfer::ImportPtr>> listed;
  for (const transfer::ImportPtr& import : transfer::AllImports(*snapshot)) {
    if (!IsShown(*import, now)) continue;
    if (table_arn && engine::TableArn(call.service.identity, import->table.name) != *table_arn) continue;
    listed.emplace_back(ArnOf(call, *import), import);
  }
  std::sort(listed.begin(), listed.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  return listed;
}

// AWS's tokens are at least seven groups of 16 hexadecimal digits; ours are padded with blanks.
constexpr size_t kGroupBytes = 8, kTokenBytesMin = 56;
constexpr std::string_view kDigits = "0123456789abcdef";

std::string MakeToken(std::string_view secret, std::string_view last_arn) {
  std::string sealed = Seal(secret, kPage, last_arn);
  while (sealed.size() < kTokenBytesMin || sealed.size() % kGroupBytes != 0) sealed.push_back(' ');
  std::string token;
  for (const char c : sealed) {
    token.push_back(kDigits[static_cast<uint8_t>(c) >> 4]);
    token.push_back(kDigits[static_cast<uint8_t>(c) & 15]);
  }
  return token;
}

// Returns the last ARN of the previous page.
std::optional<std::string> ReadToken(std::string_view secret, std::string_view token) {
  std::string sealed;
  for (size_t i = 0; i + 1 < token.size(); i += 2) {
    sealed.push_back(static_cast<char>(kDigits.find(token[i]) << 4 | kDigits.find(token[i + 1])));
  }
  sealed.resize(sealed.find_last_not_of(' ') + 1);
  return Unseal(secret, kPage, sealed);
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
  const auto listed = ImportsToList(call, r.table_arn);
  auto it = listed.begin();
  if (r.next_token) {
    const std::optional<std::string> last = ReadToken(secret, *r.next_token);
    if (!last) return kNextTokenInvalid(*r.next_token);
    it = std::find_if(it, listed.end(), [&](const auto& entry) { return entry.first < *last; });
  }
  const auto end = it + std::min<ptrdiff_t>(listed.end() - it, r.page_size.value_or(kImportsPerPage));
  answer.BeginObject();
  answer.Key("ImportSummaryList");
  answer.BeginArray();
  for (; it != end; ++it) WriteImportSummary(answer, call, *it->second);
  answer.EndArray();
  if (end != listed.end()) answer.Member("NextToken", MakeToken(secret, (end - 1)->first));
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold::ops
