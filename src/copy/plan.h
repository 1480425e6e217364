// CopyPlan: what a copy has to do, and its progress. All of it is in the journal (journal.h), so that anyone with that
// file can resume the copy.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "client/settings.h"
#include "copy/pace.h"

namespace keyfold::copy {

// Progress of one segment of the source's scan.
struct SegmentMark {
  std::string next;  // JSON of the key after which it continues; empty: from its start
  uint64_t items = 0;
  uint64_t bytes = 0;
  bool done = false;
};

enum class TablePhase : uint8_t {
  kWaiting,  // nothing was written to the target
  kCopying,  // the target exists; items are being written
  kCopied,   // all items are written; the settings that come last are missing
  kDone,
};

struct TablePlan {
  std::string source;
  std::string target;
  bool creates = false;      // the target did not exist when the copy began, so the copy sets its settings
  uint64_t items_about = 0;  // the item count the source reported
  TablePhase phase = TablePhase::kWaiting;
  std::vector<SegmentMark> segments = {};

  SegmentMark Total() const;  // items and bytes
};

// What is copied of a table besides items.
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
  client::ClientSettings from;
  client::ClientSettings to;
  CopiedSettings settings = {};
  bool schema_only = false;
  bool items_only = false;
  bool append = false;  // write into a table that has items
  bool verify = false;
  CopySpeed speed = {};
  std::vector<TablePlan> tables = {};
};

// Keyed by old name.
using Renames = std::map<std::string, std::string, std::less<>>;

// Parses "OLD=NEW" texts.
Result<Renames> ParseRenames(const std::vector<std::string>& texts);

// Returns the tables with their new names. Rejects invalid table names, a rename of a table that is not copied, two
// tables with the same new name, a table named twice, and, if both ends are the same, a table copied to itself.
Result<std::vector<TablePlan>> PlanTables(const std::vector<std::string>& sources, const Renames& renames,
                                          bool same_place);

// Just enough segments for the threads to finish at about the same time.
uint32_t SegmentsFor(uint64_t table_bytes, uint32_t threads);

}  // namespace keyfold::copy
