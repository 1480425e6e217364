#include "engine/items/change_record.h"

#include "base/bytes.h"

namespace keyfold::engine {
namespace {

constexpr uint8_t kBefore = 1, kAfter = 2, kExpired = 4, kKnown = kBefore | kAfter | kExpired;

}  // namespace

std::string EncodeChange(const ItemChange& change) {
  std::string body(1, static_cast<char>((change.before ? kBefore : 0) | (change.after ? kAfter : 0) |
                                        (change.expired ? kExpired : 0)));
  if (change.before) AppendString(body, change.before->bytes());
  if (change.after) AppendString(body, change.after->bytes());
  return body;
}

std::optional<ItemChange> DecodeChange(std::string_view body) {
  ByteReader in(body);
  const uint8_t flags = in.U8();
  ItemChange change;
  if (flags & kBefore) change.before = ItemView(in.String());
  if (flags & kAfter) change.after = ItemView(in.String());
  change.expired = flags & kExpired;
  if (!in.ok() || !in.at_end() || (flags & ~kKnown) != 0 || (flags & (kBefore | kAfter)) == 0) return std::nullopt;
  return change;
}

}  // namespace keyfold::engine
