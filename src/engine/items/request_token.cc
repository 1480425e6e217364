#include "engine/items/request_token.h"

#include <optional>
#include <vector>

#include "base/bytes.h"
#include "base/hash.h"

namespace keyfold::engine {
namespace {

constexpr Rule<
    "DynamoDB rejected the request because you retried a request with a different payload but with an "
    "idempotent token that was already used.">
    kOtherRequest{"token-of-another-request", Kind::kIdempotentParameterMismatch};

// An id that no client's table has.
constexpr store::TableId kSystemTable = 0;
constexpr store::IndexId kTokensByTime = 1;
// The one partition of all rows by time.
constexpr std::string_view kTimeline = "t";

constexpr size_t kFingerprintBytes = 2 * sizeof(uint64_t);
// Rows that the sweep removes in one commit, which holds all of their locks.
constexpr size_t kSweptAtOnce = 32;

// A token's row: fingerprint and commit time.
struct TokenRow {
  std::string_view fingerprint;
  Micros time = 0;
};

std::optional<TokenRow> ReadTokenRow(const store::Row& row) {
  if (!row.exists || row.value.size() != kFingerprintBytes + sizeof(uint64_t)) return std::nullopt;
  return TokenRow{std::string_view(row.value).substr(0, kFingerprintBytes),
                  static_cast<Micros>(LoadU64(row.value.data() + kFingerprintBytes))};
}

bool IsAlive(Micros time, Micros now) { return now < time + kTokenLifeMicros; }

std::string TimeBytes(Micros time) {
  std::string bytes;
  AppendU64(bytes, static_cast<uint64_t>(time));
  return bytes;
}

store::RowKey RowByTime(Micros time, std::string_view token) {
  return store::RowKey(kSystemTable, kTokensByTime, kTimeline, TimeBytes(time).append(token));
}

// A row by time that is due.
struct DueToken {
  Micros time = 0;
  std::string token;
};

Result<std::vector<DueToken>> ReadDueTokens(const Database& db, Micros now, store::Access access) {
  store::PartitionRange range;
  range.table = kSystemTable;
  range.index = kTokensByTime;
  range.partition = kTimeline;
  range.upper = TimeBytes(now - kTokenLifeMicros + 1);
  std::vector<DueToken> due;
  const auto collect = [&](const store::RowView& row) {
    const std::string_view sort = row.key.substr(store::RowKey::kHeaderBytes + kTimeline.size());
    due.push_back({static_cast<Micros>(LoadU64(sort.data())), std::string(sort.substr(sizeof(uint64_t)))});
    return due.size() < kSweptAtOnce;
  };
  RETURN_IF_ERROR(db.store.Range(range, collect, access));
  return due;
}

// Removes due tokens. A token that has been used again since has a later time, so only its old row by time is removed.
Status RemoveDue(const Database& db, const std::vector<DueToken>& due, store::Access access) {
  std::vector<store::RowKey> keys;
  for (const DueToken& one : due) keys.push_back(TokenRowKey(one.token));
  const auto decide = [&](Micros, std::span<const store::Row> rows, store::Changes& changes) {
    for (size_t i = 0; i < due.size(); ++i) {
      const std::optional<TokenRow> kept = ReadTokenRow(rows[i]);
      if (kept && kept->time == due[i].time) changes.Delete(keys[i]);
      changes.Delete(RowByTime(due[i].time, due[i].token));
    }
    return Ok();
  };
  return RetryWhileStale(db, access.wait, [&](const CatalogSnapshot& snapshot) {
    return db.store.Mutate(snapshot.version, keys, decide, access);
  });
}

}  // namespace

RequestToken::RequestToken(std::string_view token, std::string_view meaning) : token_(token) {
  for (const uint64_t half : Hash128(meaning)) AppendU64(fingerprint_, half);
}

store::RowKey TokenRowKey(std::string_view token) { return store::RowKey(kSystemTable, store::kBaseTable, token, {}); }

Result<TokenState> LookUpToken(const RequestToken& token, const store::Row& row, Micros now) {
  const std::optional<TokenRow> kept = ReadTokenRow(row);
  if (!kept || !IsAlive(kept->time, now)) return TokenState::kNew;
  if (kept->fingerprint != token.fingerprint()) return kOtherRequest();
  return TokenState::kSeen;
}

void KeepToken(const RequestToken& token, const store::Row& row, Micros now, store::Changes& changes) {
  if (const std::optional<TokenRow> past = ReadTokenRow(row)) changes.Delete(RowByTime(past->time, token.token()));
  changes.Put(TokenRowKey(token.token()), token.fingerprint() + TimeBytes(now));
  changes.Put(RowByTime(now, token.token()), {});
}

Result<size_t> SweepTokens(const Database& db, Micros now) {
  store::Horizon horizon;
  const store::Access access{horizon};
  size_t swept = 0;
  while (true) {
    ASSIGN_OR_RETURN(const std::vector<DueToken> due, ReadDueTokens(db, now, access));
    if (due.empty()) return swept;
    RETURN_IF_ERROR(RemoveDue(db, due, access));
    swept += due.size();
  }
}

}  // namespace keyfold::engine
