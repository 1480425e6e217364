#include "engine/stream.h"

#include "engine/archive.h"

namespace keyfold {
namespace archive {

template <typename Archive, Is<Shard> T>
void Fields(Archive& a, T& v) {
  a(v.number), a(v.parent), a(v.first), a(v.last), a(v.closed), a(v.start), a(v.end);
}
template <typename Archive, Is<Stream> T>
void Fields(Archive& a, T& v) {
  a(v.table), a(v.table_id), a(v.label), a(v.key), a(v.view_type), a(v.created), a(v.disabled);
  a(v.next_shard), a(v.shards);
}

}  // namespace archive

namespace {

constexpr uint8_t kStreamVersion = 1;

}  // namespace

void Stream::Stamp(CommitStamp stamp) {
  for (Shard& shard : shards) {
    if (shard.start.commit == 0) shard.start = stamp;
    if (shard.closed && shard.end.commit == 0) shard.end = stamp;
  }
}

std::string StreamName(std::string_view table, std::string_view label) {
  return std::string(table).append("/").append(label);
}

std::string EncodeStream(const Stream& stream) {
  archive::Writer writer(kStreamVersion);
  writer(stream);
  return writer.Take();
}

std::optional<Stream> DecodeStream(std::string_view bytes) {
  archive::Reader reader(bytes, kStreamVersion);
  Stream stream;
  reader(stream);
  if (!reader.Whole()) return std::nullopt;
  return stream;
}

}  // namespace keyfold
