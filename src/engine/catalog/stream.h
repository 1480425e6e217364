// A stream is a named view of a table's change log for the time in which StreamSpecification is on, divided into
// shards. It is a separate entity because it stays readable for a day after it is disabled or its table is deleted. A
// shard is a range of slots over a range of commits. Shards close and have children; a shard ends at the commit of the
// catalog change that closed it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/catalog/table.h"
#include "store/store.h"

namespace keyfold::engine {

// How long records stay readable, and how long a disabled stream remains.
inline constexpr Micros kStreamRetention = kDay;

// Identifies a shard even after the shard is gone: a parent goes before its children.
struct ShardName {
  uint32_t number = 0;  // within its stream, from 1
  Micros opened = 0;
};

struct Shard {
  uint32_t number = 0;  // within its stream, from 1
  std::optional<ShardName> parent = {};
  store::Slot first = 0, last = store::kSlots - 1;
  bool closed = false;
  // Its records belong to commits in (start, end). Commit 0: to be stamped by the catalog change that opens or closes
  // it.
  store::CommitStamp start = {}, end = {};

  ShardName name() const { return {number, start.time}; }
};

struct Stream {
  std::string table;  // name
  store::TableId table_id = 0;
  std::string label;  // unique per table name
  KeySchema key = {};
  StreamViewType view_type = StreamViewType::kNone;
  Micros created = 0;
  Micros disabled = 0;  // 0: enabled
  uint32_t next_shard = 1;
  std::vector<Shard> shards;  // ascending by number

  bool enabled() const { return disabled == 0; }
  const Shard* Find(uint32_t number) const;
  // Closes the open shard at index `place` of `shards` and opens one child per slot range in its place.
  void ReplaceShard(size_t place, std::span<const std::pair<store::Slot, store::Slot>> ranges);
  // Closes every open shard.
  void CloseShards();
  // Stamps the shards that the catalog change being written opens and closes.
  void Stamp(store::CommitStamp stamp);
};

using StreamPtr = std::shared_ptr<const Stream>;

// Key of a stream in the catalog: unique, sorted by table and age.
std::string StreamName(std::string_view table, std::string_view label);
// A label made from the time at which the stream was opened: 2015-05-20T20:51:10.252
std::string StreamLabel(Micros opened);

// shardId-00000001432155070252-00000001: sorts by age and never changes.
std::string ShardIdOf(ShardName name);
std::optional<ShardName> ParseShardId(std::string_view id);  // `opened` has millisecond resolution

std::string EncodeStream(const Stream& stream);
std::optional<Stream> DecodeStream(std::string_view bytes);

}  // namespace keyfold::engine
