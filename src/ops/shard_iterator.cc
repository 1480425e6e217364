#include "ops/shard_iterator.h"

#include "base/bytes.h"
#include "ops/sealed_token.h"

namespace keyfold::ops {
namespace {

constexpr std::string_view kIteratorPurpose = "shard-iterator";
constexpr uint8_t kIteratorVersion = 1;

}  // namespace

std::string EncodeIterator(const ShardIterator& iterator) {
  std::string bytes(1, static_cast<char>(kIteratorVersion));
  AppendString(bytes, iterator.cursor.stream);
  AppendU32(bytes, iterator.cursor.table_id);
  AppendU32(bytes, iterator.cursor.shard);
  AppendU64(bytes, iterator.cursor.after.commit);
  AppendU16(bytes, iterator.cursor.after.ordinal);
  AppendU64(bytes, static_cast<uint64_t>(iterator.issued));
  return bytes;
}

std::optional<ShardIterator> DecodeIterator(std::string_view bytes) {
  ByteReader in(bytes);
  if (in.U8() != kIteratorVersion) return std::nullopt;
  ShardIterator iterator;
  iterator.cursor.stream = in.String();
  iterator.cursor.table_id = in.U32();
  iterator.cursor.shard = in.U32();
  iterator.cursor.after.commit = in.U64();
  iterator.cursor.after.ordinal = in.U16();
  iterator.issued = static_cast<Micros>(in.U64());
  if (!in.ok() || !in.at_end()) return std::nullopt;
  return iterator;
}

std::string SealIterator(std::string_view secret, const ShardIterator& iterator) {
  return Seal(secret, kIteratorPurpose, EncodeIterator(iterator));
}

std::optional<ShardIterator> UnsealIterator(std::string_view secret, std::string_view sealed) {
  const std::optional<std::string> bytes = Unseal(secret, kIteratorPurpose, sealed);
  return bytes ? DecodeIterator(*bytes) : std::nullopt;
}

}  // namespace keyfold::ops
