// One pattern's part of the plan: its request, what it reads and writes, and the units that takes, line by line.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/compile/access.h"
#include "model/estimate/population.h"
#include "model/estimate/read_volume.h"
#include "model/keys/coverage.h"
#include "model/plan/rules.h"
#include "model/price/price_file.h"

namespace keyfold::model {

// Where units come from.
struct UnitLine {
  const PlanRule* rule = nullptr;
  bool write = false;
  std::optional<IndexId> index;  // whose capacity it is; nothing: the table's
  EntityId entity = 0;
  double units = 0;   // per invocation
  std::string about;  // the arithmetic, for people
};

struct Units {
  double read = 0;
  double write = 0;
};

// One price row times a month's quantity.
struct ChargeLine {
  std::string usage_type;
  double quantity = 0;
  double usd = 0;
};

// A collection so large that one invocation takes several pages.
struct LargestRead {
  EntityId entity = 0;
  double items = 0;
  double item_bytes = 0;
  double bytes = 0;  // with the other entities at their average
  double pages = 1;
  double read_units = 0;
};

struct PatternPlan {
  PatternId pattern = 0;
  Compiled compiled;
  double calls = 0;  // requests per invocation, pages and fan-out included
  double pages = 0;  // of one call's key: what a reader of all of it follows
  ReadVolume volume;
  std::vector<UnitLine> lines;
  Units units;
  Units units_at_max;                  // every item at size.max, where declared
  std::optional<LargestRead> largest;  // of reads, where per.max makes it more than the average
  double usd = 0;
  std::vector<ChargeLine> charges;
  std::vector<std::string> warnings;

  const Access* access() const { return std::get_if<Access>(&compiled); }
};

// Prices are not applied yet.
PatternPlan PlanPattern(const Model&, PatternId, const Coverage&, const Population&, const PlanRules&);

// Bytes as people read them: "12,000 B", "19.1 MB".
std::string BytesText(double bytes);
// "1,234", "0.28", "1.5": up to `decimals` digits behind the point, none needless.
std::string NumberText(double number, int decimals = 2);

}  // namespace keyfold::model
