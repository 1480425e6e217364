#include "engine/catalog/arn.h"

#include "engine/catalog/rules.h"

namespace keyfold::engine {
namespace {

constexpr Rule<"Invalid TableArn: Invalid ResourceArn provided as input {}"> kBadTableArn{"table-arn",
                                                                                          Kind::kValidation};
constexpr Rule<"Invalid ResourceArn provided as input {}: ARNs must start with 'arn:'"> kNotAnArn{"not-an-arn",
                                                                                                  Kind::kValidation};
constexpr Rule<"Invalid ResourceArn provided as input {}"> kBadResourceArn{"resource-arn", Kind::kValidation};
constexpr Rule<"User: arn:aws:iam::{}:root is not authorized to perform this operation on resource: {}">
    kForeignAccount{"foreign-account", Kind::kAccessDenied};

constexpr Rule<"Invalid StreamArn: {}"> kBadStreamArn{"stream-arn", Kind::kValidation};

constexpr std::string_view kArnPrefix = "arn:", kStreamPart = "/stream/";
constexpr size_t kTableNameCharactersMin = 3;

// arn:PARTITION:dynamodb:REGION:ACCOUNT:table/NAME
struct ParsedArn {
  std::string_view region, account, table;
};

bool TakeUntil(std::string_view& text, char end, std::string_view& part) {
  const size_t at = text.find(end);
  if (at == std::string_view::npos) return false;
  part = text.substr(0, at);
  text.remove_prefix(at + 1);
  return true;
}

bool ParseArn(std::string_view text, ParsedArn& arn) {
  std::string_view scheme, partition, service, kind;
  if (!TakeUntil(text, ':', scheme) || scheme != "arn") return false;
  if (!TakeUntil(text, ':', partition) || partition.substr(0, 3) != "aws") return false;
  if (!TakeUntil(text, ':', service) || service != "dynamodb") return false;
  if (!TakeUntil(text, ':', arn.region) || !TakeUntil(text, ':', arn.account)) return false;
  if (!TakeUntil(text, '/', kind) || kind != "table") return false;
  arn.table = text;
  return text.size() >= kTableNameCharactersMin && text.find('/') == std::string_view::npos;
}

Result<std::string> OurTable(const Identity& identity, const ParsedArn& parsed, std::string_view arn) {
  if (parsed.account != identity.account) return kForeignAccount(identity.account, arn);
  if (parsed.region != identity.region) return kNoSuchResource(arn);
  return std::string(parsed.table);
}

}  // namespace

std::string TableArn(const Identity& identity, std::string_view table) {
  std::string arn = "arn:aws:dynamodb:";
  arn.append(identity.region).append(":").append(identity.account).append(":table/").append(table);
  return arn;
}

std::string IndexArn(const Identity& identity, std::string_view table, std::string_view index) {
  return TableArn(identity, table).append("/index/").append(index);
}

std::string PartArn(const Identity& identity, std::string_view table, std::string_view kind, std::string_view id) {
  return TableArn(identity, table).append("/").append(kind).append("/").append(id);
}

std::string StreamArn(const Identity& identity, std::string_view table, std::string_view label) {
  return PartArn(identity, table, "stream", label);
}

Result<std::string> TableNameOf(const Identity& identity, std::string_view name_or_arn) {
  if (name_or_arn.substr(0, kArnPrefix.size()) != kArnPrefix) return std::string(name_or_arn);
  ParsedArn parsed;
  if (!ParseArn(name_or_arn, parsed)) return kBadTableArn(name_or_arn);
  return OurTable(identity, parsed, name_or_arn);
}

Result<std::string> TableNameOfArn(const Identity& identity, std::string_view arn) {
  if (arn.substr(0, kArnPrefix.size()) != kArnPrefix) return kNotAnArn(arn);
  ParsedArn parsed;
  if (!ParseArn(arn, parsed)) return kBadResourceArn(arn);
  return OurTable(identity, parsed, arn);
}

std::optional<std::string> IdOfPartArn(const Identity& identity, std::string_view kind, std::string_view arn) {
  const size_t at = arn.find('/' + std::string(kind) + '/');
  ParsedArn parsed;
  if (at == std::string_view::npos || !ParseArn(arn.substr(0, at), parsed)) return std::nullopt;
  if (parsed.account != identity.account || parsed.region != identity.region) return std::nullopt;
  return std::string(arn.substr(at + kind.size() + 2));
}

Result<StreamOfArn> ParseStreamArn(const Identity& identity, std::string_view arn) {
  const size_t at = arn.find(kStreamPart);
  ParsedArn parsed;
  if (at == std::string_view::npos || !ParseArn(arn.substr(0, at), parsed)) return kBadStreamArn(arn);
  const std::string_view label = arn.substr(at + kStreamPart.size());
  if (label.empty() || label.find('/') != std::string_view::npos) return kBadStreamArn(arn);
  ASSIGN_OR_RETURN(std::string table, OurTable(identity, parsed, arn));
  return StreamOfArn{std::move(table), std::string(label)};
}

}  // namespace keyfold::engine
