// Reads arbitrary bytes as a shard iterator: text is refused unless this secret sealed it, and arbitrary sealed bytes
// are decoded without a crash and survive a round trip.
#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "ops/sealed_token.h"
#include "ops/shard_iterator.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace keyfold;  // NOLINT: one function
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string secret(32, 's');
  CHECK(!ops::UnsealIterator(secret, bytes));
  CHECK(ops::Unseal(secret, "any", keyfold::ops::Seal(secret, "any", bytes)) == bytes);
  CHECK(!ops::Unseal(secret, "another", keyfold::ops::Seal(secret, "any", bytes)));
  const std::optional<ops::ShardIterator> iterator = ops::DecodeIterator(bytes);
  if (!iterator) return 0;
  const std::optional<ops::ShardIterator> again = ops::UnsealIterator(secret, SealIterator(secret, *iterator));
  CHECK(again && again->cursor.stream == iterator->cursor.stream && again->cursor.after == iterator->cursor.after);
  CHECK(again->cursor.table_id == iterator->cursor.table_id && again->cursor.shard == iterator->cursor.shard);
  CHECK(again->issued == iterator->issued);
  return 0;
}
