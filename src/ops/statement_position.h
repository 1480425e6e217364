// NextToken: where a SELECT stopped. It is sealed, so it can be used only to continue there, and only for the same
// statement.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "engine/catalog/table.h"
#include "value/item.h"

namespace keyfold::ops {

// Identifies the statement of a token: its text and parameters. Immutable.
class StatementFingerprint {
 public:
  StatementFingerprint(std::string_view statement, std::span<const Value> parameters);
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// A position in a statement's list of queries: which query, and after which of its items; nullopt if it has not begun.
struct StatementPosition {
  store::TableId table = 0;  // distinguishes a later table with the same name
  uint32_t query = 0;
  std::optional<Item> start = {};
};

std::string SealPosition(std::string_view secret, const StatementFingerprint& fingerprint,
                         const StatementPosition& position);

// Returns "Invalid NextToken" for a token that no server made, "NextToken does not match request" for one of another
// statement.
Result<StatementPosition> UnsealPosition(std::string_view secret, const StatementFingerprint& fingerprint,
                                         std::string_view token);

// Checks that the position is in this table and among `queries` queries (a scan is one).
Status PositionFits(const StatementPosition& position, store::TableId table, size_t queries);

}  // namespace keyfold::ops
