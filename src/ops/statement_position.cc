#include "ops/statement_position.h"

#include "base/bytes.h"
#include "base/hash.h"
#include "ops/sealed_token.h"

namespace keyfold::ops {
namespace {

constexpr Rule<"Invalid NextToken"> kInvalidToken{"partiql-next-token", Kind::kValidation};
constexpr Rule<"NextToken does not match request"> kOtherRequest{"partiql-next-token-mismatch", Kind::kValidation};

constexpr std::string_view kStatementPurpose = "statement";
constexpr size_t kFingerprintBytes = 16;

}  // namespace

StatementFingerprint::StatementFingerprint(std::string_view statement, std::span<const Value> parameters) {
  std::string meaning;
  AppendString(meaning, statement);
  for (const Value& parameter : parameters) AppendString(meaning, parameter.view().bytes());
  for (const uint64_t half : Hash128(meaning)) AppendU64(bytes_, half);
}

// Layout: the fingerprint, u32 table, u32 query, then the item to start after, if any.
std::string SealPosition(std::string_view secret, const StatementFingerprint& fingerprint,
                         const StatementPosition& position) {
  std::string payload = fingerprint.bytes();
  AppendU32(payload, position.table);
  AppendU32(payload, position.query);
  if (position.start) payload += position.start->bytes();
  return Seal(secret, kStatementPurpose, payload);
}

Result<StatementPosition> UnsealPosition(std::string_view secret, const StatementFingerprint& fingerprint,
                                         std::string_view token) {
  const std::optional<std::string> payload = Unseal(secret, kStatementPurpose, token);
  if (!payload) return kInvalidToken();
  ByteReader in(*payload);
  const std::string_view made_for = in.Bytes(kFingerprintBytes);
  StatementPosition position;
  position.table = in.U32();
  position.query = in.U32();
  const std::string_view start = in.Bytes(in.left());
  if (!in.ok() || (!start.empty() && !IsWellFormedItem(start))) return kInvalidToken();
  if (made_for != fingerprint.bytes()) return kOtherRequest();
  if (!start.empty()) position.start = Item(std::string(start));
  return position;
}

Status PositionFits(const StatementPosition& position, store::TableId table, size_t queries) {
  if (position.table != table || position.query >= queries) return kOtherRequest();
  return Ok();
}

}  // namespace keyfold::ops
