// NextToken: where a SELECT stopped, sealed so that it can only go on from there and only for the same statement.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "engine/catalog/table.h"
#include "value/item.h"

namespace keyfold {

// Which statement a token is for: its text and parameters. Immutable.
class StatementFingerprint {
 public:
  StatementFingerprint(std::string_view statement, std::span<const Value> parameters);
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// In a statement's list of queries: which, and after which item of it; nothing where it has not begun.
struct StatementPosition {
  TableId table = 0;  // a table of the same name that came later is another
  uint32_t query = 0;
  std::optional<Item> start = {};
};

std::string SealPosition(std::string_view secret, const StatementFingerprint& fingerprint,
                         const StatementPosition& position);

// "Invalid NextToken" for what no server made, "NextToken does not match request" for one of another statement.
Result<StatementPosition> UnsealPosition(std::string_view secret, const StatementFingerprint& fingerprint,
                                         std::string_view token);

// The position is one in this table, and of no more than `queries` queries (a scan is one).
Status PositionFits(const StatementPosition& position, TableId table, size_t queries);

}  // namespace keyfold
