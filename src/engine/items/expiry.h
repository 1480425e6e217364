// Time to live: when an item expires, and the internal rows that find what is due without a scan. A row stands in its
// table's expiry index at (expiry second, base key) exactly when its item has a fitting attribute; it follows the item
// in the same commit. Nothing is counted there, so that writing or removing one twice does no harm: items that are
// older than the index get their row by a scan (engine/background/expiry_fill.h) while writes go on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/catalog/table.h"
#include "store/store.h"
#include "value/item.h"

namespace keyfold {

// The rows of one bucket are one partition; the sweep looks at each.
inline constexpr uint8_t kExpiryBuckets = 16;
// What is further past than this is taken for a mistake and stays.
inline constexpr int64_t kExpiryAgeMaxSeconds = int64_t{5} * 365 * 24 * 3600;

// The second it expires at, by the table's attribute: a Number that is a plausible time; a part of a second counts as a
// whole one, so that nothing goes too early. The table has expiry enabled.
std::optional<uint64_t> ExpiryOf(const Table& table, ItemView item);

// To be removed at `now`: the expiry is past, but not by more than kExpiryAgeMaxSeconds.
bool IsDue(uint64_t expiry, Micros now);

RowKey ExpiryRowKey(const Table& table, uint64_t expiry, const RowKey& base);
std::string ExpiryRowValue(const RowKey& base);
// The base row that an expiry row stands for.
std::optional<RowKey> BaseOfExpiryRow(const Table& table, const RowView& row);
// All rows of one bucket that are due at `now`.
PartitionRange DueRange(const Table& table, uint8_t bucket, Micros now);

void UpdateExpiryRow(const Table& table, const RowKey& base, std::optional<ItemView> before,
                     std::optional<ItemView> after, Changes& changes);

}  // namespace keyfold
