#include "engine/items/expiry.h"

#include <algorithm>

#include "base/bytes.h"
#include "value/number.h"

namespace keyfold::engine {
namespace {

// Larger numbers are not valid times: no request's clock reaches them, so the row would never be read.
constexpr int64_t kExpiryMaxSeconds = int64_t{1} << 40;

std::string BucketPartition(uint8_t bucket) { return std::string(1, static_cast<char>(bucket)); }

std::string SecondBytes(uint64_t second) {
  std::string bytes;
  AppendU64(bytes, second);
  return bytes;
}

}  // namespace

std::optional<uint64_t> ExpiryOf(const Table& table, ItemView item) {
  const std::optional<ValueView> value = item.Find(table.expiry.attribute);
  if (!value || value->type() != Type::kN) return std::nullopt;
  const Number number = Number::Decode(value->AsEncodedNumber());
  const Number whole = number.WithoutFraction();
  int64_t second = 0;
  if (number.IsNegative() || !whole.ToInt64(second) || second >= kExpiryMaxSeconds) return std::nullopt;
  return static_cast<uint64_t>(second) + (whole == number ? 0 : 1);
}

bool IsDue(uint64_t expiry, Micros now) {
  const Micros at = static_cast<Micros>(expiry) * kSecond;
  return at < now && now - at <= kExpiryAgeMaxSeconds * kSecond;
}

// Sort bytes: the expiry second, then the base key's bytes after its header. The value is the length of the key's
// partition part.
store::RowKey ExpiryRowKey(const Table& table, uint64_t expiry, const store::RowKey& base) {
  std::string sort = SecondBytes(expiry);
  sort.append(base.partition()).append(base.sort());
  return store::RowKey(table.id, table.expiry.index, BucketPartition(base.slot() / (store::kSlots / kExpiryBuckets)),
                       sort);
}

std::string ExpiryRowValue(const store::RowKey& base) {
  std::string value;
  AppendU32(value, static_cast<uint32_t>(base.partition().size()));
  return value;
}

std::optional<store::RowKey> BaseOfExpiryRow(const Table& table, const store::RowView& row) {
  constexpr size_t kBefore = store::RowKey::kHeaderBytes + 1 + sizeof(uint64_t);
  if (row.value.size() != sizeof(uint32_t) || row.key.size() < kBefore) return std::nullopt;
  const std::string_view base = row.key.substr(kBefore);
  const size_t partition_bytes = LoadU32(row.value.data());
  if (partition_bytes > base.size()) return std::nullopt;
  return store::RowKey(table.id, store::kBaseTable, base.substr(0, partition_bytes), base.substr(partition_bytes));
}

store::PartitionRange DueRange(const Table& table, uint8_t bucket, Micros now) {
  const Micros oldest = std::max(Micros{0}, now - kExpiryAgeMaxSeconds * kSecond);
  const auto whole_seconds = [](Micros micros) { return static_cast<uint64_t>((micros + kSecond - 1) / kSecond); };
  store::PartitionRange range;
  range.table = table.id;
  range.index = table.expiry.index;
  range.partition = BucketPartition(bucket);
  range.lower = SecondBytes(whole_seconds(oldest));
  range.upper = SecondBytes(whole_seconds(now));
  return range;
}

void UpdateExpiryRow(const Table& table, const store::RowKey& base, std::optional<ItemView> before,
                     std::optional<ItemView> after, store::Changes& changes) {
  if (!table.expiry.enabled) return;
  const std::optional<uint64_t> was = before ? ExpiryOf(table, *before) : std::nullopt;
  const std::optional<uint64_t> is = after ? ExpiryOf(table, *after) : std::nullopt;
  if (was && was != is) changes.Delete(ExpiryRowKey(table, *was, base));
  // Even if the expiry is unchanged, the item may be older than the index and lack its row.
  if (is && (was != is || !table.expiry.filled)) changes.Put(ExpiryRowKey(table, *is, base), ExpiryRowValue(base));
}

}  // namespace keyfold::engine
