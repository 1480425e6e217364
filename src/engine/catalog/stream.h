// A stream: what a table's change log was called while StreamSpecification was on, and how readers share it out. It is
// an entity of its own, since it stays readable for a day after it was disabled or its table deleted. A shard is a
// range of slots over a range of commits; shards close and have children, and where one ends is the commit of the
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

namespace keyfold {

// How long records can be read, and a disabled stream is there.
inline constexpr Micros kStreamRetention = Micros{24} * 3600 * 1'000'000;

// What a shard is told apart by, for as long as anyone may ask: a parent is gone before its children are.
struct ShardName {
  uint32_t number = 0;  // in its stream, from 1
  Micros opened = 0;
};

struct Shard {
  uint32_t number = 0;  // in its stream, from 1
  std::optional<ShardName> parent = {};
  Slot first = 0, last = kSlots - 1;
  bool closed = false;
  // Its records are of commits in (start, end). Commit 0: stamped by the catalog change that opens or closes it.
  CommitStamp start = {}, end = {};

  ShardName name() const { return {number, start.time}; }
};

struct Stream {
  std::string table;  // name
  TableId table_id = 0;
  std::string label;  // unique for the table's name
  KeySchema key = {};
  std::string view_type = {};
  Micros created = 0;
  Micros disabled = 0;  // 0: it is enabled
  uint32_t next_shard = 1;
  std::vector<Shard> shards;  // ascending by number

  bool enabled() const { return disabled == 0; }
  const Shard* Find(uint32_t number) const;
  // Closes the open shard at `place` in `shards` and opens one with each of the slot ranges in its stead.
  void Succeed(size_t place, std::span<const std::pair<Slot, Slot>> ranges);
  // Closes every open shard.
  void CloseShards();
  // Fills in what the catalog change that is being written opens and closes.
  void Stamp(CommitStamp stamp);
};

using StreamPtr = std::shared_ptr<const Stream>;

// Where it stands in the catalog: unique, and sorted by table and age.
std::string StreamName(std::string_view table, std::string_view label);
// A label that says when the stream was opened: 2015-05-20T20:51:10.252
std::string StreamLabel(Micros opened);

// shardId-00000001432155070252-00000001: sorted by age, the same for good.
std::string ShardIdOf(ShardName name);
std::optional<ShardName> ParseShardId(std::string_view id);  // to the millisecond

std::string EncodeStream(const Stream& stream);
std::optional<Stream> DecodeStream(std::string_view bytes);

}  // namespace keyfold
