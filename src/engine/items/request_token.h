// ClientRequestToken: a repeated transaction gets a response but is not applied again. Its token is a row of an
// internal table, written in the transaction's own commit, with a second row by time that finds it when it expires. So
// a crash keeps both rows or neither, and tokens do not accumulate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/catalog/database.h"
#include "store/store.h"

namespace keyfold::engine {

// How long a token is valid, in database time from the transaction's commit.
inline constexpr Micros kTokenLifeMicros = 10 * kMinute;

// A request's token, and a fingerprint of the request's meaning. Immutable; borrows the token.
class RequestToken {
 public:
  // `meaning`: bytes that are equal for two requests exactly if they ask for the same thing.
  RequestToken(std::string_view token, std::string_view meaning);

  std::string_view token() const { return token_; }
  const std::string& fingerprint() const { return fingerprint_; }

 private:
  std::string_view token_;
  std::string fingerprint_;
};

store::RowKey TokenRowKey(std::string_view token);

enum class TokenState : uint8_t { kNew, kSeen };
// Looks at the token's row. Returns an error if the token came with a different request.
Result<TokenState> LookUpToken(const RequestToken& token, const store::Row& row, Micros now);
// Adds the token of a transaction that is about to commit; `row` is the token's row so far.
void KeepToken(const RequestToken& token, const store::Row& row, Micros now, store::Changes& changes);

// Removes the tokens that have expired at `now`. Returns how many there were.
Result<size_t> SweepTokens(const Database& db, Micros now);

}  // namespace keyfold::engine
