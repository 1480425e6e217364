// The estimate of one pattern: its request, what it reads and writes, and the units it takes, line by line.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/compile/access.h"
#include "model/estimate/item_counts.h"
#include "model/estimate/population.h"
#include "model/estimate/read_volume.h"
#include "model/estimate/rules.h"
#include "model/keys/coverage.h"
#include "model/price/price_file.h"

namespace keyfold::model {

// One source of units.
struct UnitLine {
  const PlanRule* rule = nullptr;
  bool write = false;
  std::optional<IndexId> index;  // whose capacity is used; nullopt for the table's
  EntityId entity = 0;
  double units = 0;   // per invocation
  std::string about;  // the arithmetic, as readable text
};

struct Units {
  double read = 0;
  double write = 0;
};

// The largest collection that one invocation reads, and the pages it takes.
struct LargestRead {
  EntityId entity = 0;
  double items = 0;
  double item_bytes = 0;
  double bytes = 0;  // with the other entities at their average
  double pages = 1;
  double read_units = 0;
};

struct PatternEstimate {
  PatternId pattern = 0;
  Compiled compiled;
  // The entities that a query reads, wanted or not. Empty for other patterns.
  std::vector<Coverage::Covered> covered;
  double calls = 0;      // requests per invocation, pages and fan-out included
  double pages = 0;      // pages of one call's key, if the reader follows all of them
  double pages_max = 0;  // the same with every entity at its largest
  ReadVolume volume;
  std::vector<UnitLine> lines;
  Units units;
  Units units_at_max;                  // with every item at size.max, if declared
  std::optional<LargestRead> largest;  // for reads, if per.max makes it more than the average
  std::vector<std::string> warnings;

  const Access* access() const { return std::get_if<Access>(&compiled); }
};

// Does not apply prices.
PatternEstimate EstimatePattern(const Model&, PatternId, const Coverage&, const Population&, ItemCounts&,
                                const PlanRules&);

}  // namespace keyfold::model
