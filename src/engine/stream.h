// A stream: what a table's change log was called while StreamSpecification was on, and how readers share it out. It is
// an entity of its own, since it stays readable for a day after it was disabled or its table deleted. A shard is a
// range of slots over a range of commits; shards close and have children, and where one ends is the commit of the
// catalog change that closed it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/table.h"
#include "store/store.h"

namespace keyfold {

// How long records can be read, and a disabled stream is there.
inline constexpr Micros kStreamRetention = Micros{24} * 3600 * 1'000'000;

struct Shard {
  uint32_t number = 0;  // in its stream, from 1
  std::optional<uint32_t> parent = {};
  Slot first = 0, last = kSlots - 1;
  bool closed = false;
  // Its records are of commits in (start, end). Commit 0: stamped by the catalog change that opens or closes it.
  CommitStamp start = {}, end = {};
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
  // Fills in what the catalog change that is being written opens and closes.
  void Stamp(CommitStamp stamp);
};

using StreamPtr = std::shared_ptr<const Stream>;

// Where it stands in the catalog: unique, and sorted by table and age.
std::string StreamName(std::string_view table, std::string_view label);

std::string EncodeStream(const Stream& stream);
std::optional<Stream> DecodeStream(std::string_view bytes);

}  // namespace keyfold
