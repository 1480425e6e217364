// CopyPlan: what a copy is to do, and how far it is. All of it is in the journal (journal.h), so that a copy can be
// taken up by whoever has that file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "client/settings.h"
#include "copy/pace.h"

namespace keyfold {

// How far a segment of the source's scan is.
struct SegmentMark {
  std::string next;  // JSON of the key behind which it goes on; empty: from its start
  uint64_t items = 0;
  uint64_t bytes = 0;
  bool done = false;
};

enum class TablePhase : uint8_t {
  kWaiting,  // nothing was written to the target
  kCopying,  // the target is there; items are written
  kCopied,   // all of them are; settings that come last are missing
  kDone,
};

struct TablePlan {
  std::string source;
  std::string target;
  bool creates = false;      // the target was not there when the copy began: its settings are ours to make
  uint64_t items_about = 0;  // what the source said it has
  TablePhase phase = TablePhase::kWaiting;
  std::vector<SegmentMark> segments = {};

  SegmentMark Total() const;  // items and bytes
};

// What of a table is copied besides items.
struct CopiedSettings {
  bool ttl = true;
  bool tags = true;
  bool stream = true;
};

struct CopySpeed {
  uint32_t threads = 8;
  RateLimits limits = {};
};

struct CopyPlan {
  ClientSettings from;
  ClientSettings to;
  CopiedSettings settings = {};
  bool schema_only = false;
  bool items_only = false;
  bool append = false;  // into a table that has items
  bool verify = false;
  CopySpeed speed = {};
  std::vector<TablePlan> tables = {};
};

// By old name.
using Renames = std::map<std::string, std::string, std::less<>>;

// Of "OLD=NEW"s.
Result<Renames> ParseRenames(const std::vector<std::string>& texts);

// The tables under their new names. Refuses what is no name of a table, a rename of a table that is not copied, two
// tables of one new name, a table named twice, and, at one and the same place, a table copied to itself.
Result<std::vector<TablePlan>> PlanTables(const std::vector<std::string>& sources, const Renames& renames,
                                          bool same_place);

// Enough that they end at about the same time, and no more than that.
uint32_t SegmentsFor(uint64_t table_bytes, uint32_t threads);

}  // namespace keyfold
