// ClientRequestToken: a transaction that came before is answered again and not applied again. Its token stands as a row
// of a table of the system, written in the transaction's own commit, with a second row by time that finds it when it
// is due; so a crash keeps both or neither, and tokens do not pile up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/catalog/database.h"
#include "store/store.h"

namespace keyfold {

// Counted from the commit of the transaction, in database time.
inline constexpr Micros kTokenLifeMicros = Micros{10} * 60 * 1'000'000;

// A request's token, and a fingerprint of what the request means. Immutable; borrows the token.
class RequestToken {
 public:
  // `meaning`: bytes that two requests share exactly when they ask for the same.
  RequestToken(std::string_view token, std::string_view meaning);

  std::string_view token() const { return token_; }
  const std::string& fingerprint() const { return fingerprint_; }

 private:
  std::string_view token_;
  std::string fingerprint_;
};

RowKey TokenRowKey(std::string_view token);

enum class TokenState : uint8_t { kNew, kSeen };
// By the token's row. An error where it came with another request.
Result<TokenState> LookUpToken(const RequestToken& token, const Row& row, Micros now);
// The token of a transaction that is to commit, whose row was `row`.
void KeepToken(const RequestToken& token, const Row& row, Micros now, Changes& changes);

// Removes the tokens that are past their life at `now`; answers how many there were.
Result<size_t> SweepTokens(const Database& db, Micros now);

}  // namespace keyfold
