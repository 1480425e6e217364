// Time to live: when an item expires, and the internal rows that find due items without a scan. The expiry index of a
// table has a row at (expiry second, base key) exactly if the item has a valid expiry attribute; the row is updated in
// the item's commit. The rows have no tally, so writing or removing one twice does no harm: items that are older than
// the index get their rows from a scan (engine/background/expiry_fill.h) while writes continue.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/catalog/table.h"
#include "store/store.h"
#include "value/item.h"

namespace keyfold::engine {

// Each bucket's rows are one partition; the sweep reads every bucket.
inline constexpr uint8_t kExpiryBuckets = 16;
// An expiry further in the past than this is taken for a mistake, and the item stays.
inline constexpr int64_t kExpiryAgeMaxSeconds = int64_t{5} * 365 * 24 * 3600;

// Returns the second at which the item expires, from the table's attribute: a Number that is a plausible time.
// Fractions are rounded up, so that no item is removed too early. The table must have expiry enabled.
std::optional<uint64_t> ExpiryOf(const Table& table, ItemView item);

// Returns true if the item must be removed at `now`: its expiry is past, but by no more than kExpiryAgeMaxSeconds.
bool IsDue(uint64_t expiry, Micros now);

store::RowKey ExpiryRowKey(const Table& table, uint64_t expiry, const store::RowKey& base);
std::string ExpiryRowValue(const store::RowKey& base);
// The key of the item that an expiry row refers to.
std::optional<store::RowKey> BaseOfExpiryRow(const Table& table, const store::RowView& row);
// All rows of one bucket that are due at `now`.
store::PartitionRange DueRange(const Table& table, uint8_t bucket, Micros now);

void UpdateExpiryRow(const Table& table, const store::RowKey& base, std::optional<ItemView> before,
                     std::optional<ItemView> after, store::Changes& changes);

}  // namespace keyfold::engine
