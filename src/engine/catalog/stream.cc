#include "engine/catalog/stream.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "base/time_text.h"
#include "engine/catalog/catalog_codec.h"

namespace keyfold::engine {
namespace archive {

template <typename Archive, Is<ShardName> T>
void Fields(Archive& a, T& v) {
  a(v.number), a(v.opened);
}
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

constexpr std::string_view kShardIdStart = "shardId-";
constexpr size_t kTimeDigits = 20, kNumberDigits = 8;

template <typename T>
bool ParseWhole(std::string_view text, int base, T& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out, base);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

void Stream::Stamp(store::CommitStamp stamp) {
  for (Shard& shard : shards) {
    if (shard.start.commit == 0) shard.start = stamp;
    if (shard.closed && shard.end.commit == 0) shard.end = stamp;
  }
}

const Shard* Stream::Find(uint32_t number) const {
  const auto it = std::find_if(shards.begin(), shards.end(), [&](const Shard& s) { return s.number == number; });
  return it == shards.end() ? nullptr : &*it;
}

void Stream::ReplaceShard(size_t place, std::span<const std::pair<store::Slot, store::Slot>> ranges) {
  shards[place].closed = true;
  const ShardName parent = shards[place].name();
  for (const auto& [first, last] : ranges) {
    shards.push_back({.number = next_shard++, .parent = parent, .first = first, .last = last});
  }
}

void Stream::CloseShards() {
  for (Shard& shard : shards) shard.closed = true;
}

std::string StreamName(std::string_view table, std::string_view label) {
  return std::string(table).append("/").append(label);
}

std::string StreamLabel(Micros opened) {
  std::string label = FormatIsoMillis(opened);
  label.pop_back();  // labels have no Z
  return label;
}

std::string ShardIdOf(ShardName name) {
  char text[48];
  const int n = std::snprintf(text, sizeof text, "shardId-%020lld-%08x", static_cast<long long>(name.opened / 1000),
                              static_cast<unsigned>(name.number));
  return std::string(text, static_cast<size_t>(n));
}

std::optional<ShardName> ParseShardId(std::string_view id) {
  if (id.size() != kShardIdStart.size() + kTimeDigits + 1 + kNumberDigits || !id.starts_with(kShardIdStart)) return {};
  id.remove_prefix(kShardIdStart.size());
  ShardName name;
  if (!ParseWhole(id.substr(0, kTimeDigits), 10, name.opened) || name.opened < 0) return {};
  if (id[kTimeDigits] != '-' || !ParseWhole(id.substr(kTimeDigits + 1), 16, name.number)) return {};
  if (name.opened > INT64_MAX / 1000) return {};
  name.opened *= 1000;
  return name;
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

}  // namespace keyfold::engine
