// What a model costs and where it gets hot: every pattern's request and units, the bill of each billing mode, storage,
// collections and their growth, heat per key, what each index costs and what would cost less. Pure arithmetic over the
// Model and a price file; report.h prints it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/estimate/population.h"
#include "model/plan/pattern_plan.h"
#include "model/price/price_file.h"

namespace keyfold::model {

// Units per second of the table or a GSI.
struct PlaceLoad {
  std::optional<IndexId> index;  // nothing: the table, its LSIs included
  Units avg;
  Units peak;
};

struct ProvisionedPlace {
  std::optional<IndexId> index;
  double read_units = 1;
  double write_units = 1;
  double read_units_max = 1;  // of auto scaling
  double write_units_max = 1;
};

struct ModeCost {
  enum class Mode : uint8_t { kOnDemand, kProvisioned, kReserved1y, kReserved3y };
  Mode mode = Mode::kOnDemand;
  double usd = 0;  // throughput of a month
  std::vector<ChargeLine> charges;
  double read_blocks = 0;  // of reserved capacity
  double write_blocks = 0;
  std::optional<double> break_even;  // utilisation from which it costs less than on-demand, of writes
};
std::string_view NameOf(ModeCost::Mode);  // "on_demand"

struct ClassCost {
  TableClass table_class = TableClass::kStandard;
  BillingMode mode = BillingMode::kOnDemand;
  double throughput_usd = 0;
  double storage_usd = 0;

  double usd() const { return throughput_usd + storage_usd; }
};

// Bytes of the table or an index as they are billed.
struct PlaceStorage {
  std::optional<IndexId> index;
  double items = 0;
  double bytes = 0;
  double bytes_1y = 0;
  double bytes_3y = 0;
};

// The items of one partition key value.
struct Collection {
  std::optional<IndexId> index;
  std::string key;                 // "USER#{userId}"
  std::vector<EntityId> entities;  // in the order of the model
  std::optional<double> partitions;
  bool counted = true;  // false: the model does not say how many items; the sizes are of those it says
  double items = 0;
  double bytes = 0;
  double bytes_1y = 0;
  double bytes_3y = 0;
  std::optional<double> bytes_max;  // of the largest parent; nothing: some per.max is missing
  double pages_max = 1;
};

// The load on the most loaded partition key value.
struct KeyHeat {
  std::optional<IndexId> index;
  std::string key;
  std::vector<EntityId> entities;
  std::optional<double> values;  // distinct ones, shards not counted
  std::optional<double> share;   // of the load that the most loaded value has; nothing: not known
  uint32_t shards = 1;
  bool declared = false;  // by `heat`, not worked out
  // Units per second at peak on one value, before it is sharded.
  double read_units = 0;
  double write_units = 0;
  double min_shards = 1;

  double WriteHeat(const PlanRules& rules) const { return write_units / shards / rules.partition_write_units; }
  double ReadHeat(const PlanRules& rules) const { return read_units / shards / rules.partition_read_units; }
};

struct IndexCost {
  IndexId index = 0;
  double write_units = 0;  // of a month
  double read_units = 0;
  double write_usd = 0;
  double read_usd = 0;
  double storage_usd = 0;
  std::vector<PatternId> readers;

  double usd() const { return write_usd + read_usd + storage_usd; }
};

struct Option {
  std::string what;
  double usd = 0;  // of a month: writes, reads and storage of the thing compared
  std::string note;
  bool current = false;
};
// Ways to do one thing, the first being the model's.
struct Alternative {
  enum class Kind : uint8_t { kProjection, kCopyOrIndex, kNativeKey };
  Kind kind = Kind::kProjection;
  std::string subject;  // "index GSI1"
  std::vector<Option> options;
  size_t cheapest = 0;

  double saves() const { return options[0].usd - options[cheapest].usd; }
};
std::string_view NameOf(Alternative::Kind);  // "projection"

struct Remark {
  enum class Kind : uint8_t {
    kUnserved,
    kShardNotNeeded,
    kShards,
    kHot,
    kGrowth,
    kLargeCollection,
    kWriteShare,
    kProvisionedSaves,
    kTableClass,
    kAssumed,
    kNotModelled,
    kPrices,
  };
  Kind kind = Kind::kUnserved;
  std::string text;
  const PlanRule* rule = nullptr;
};
std::string_view NameOf(Remark::Kind);  // "shard-not-needed"

struct PlanOptions {
  bool free_tier = false;
  int64_t now_ms = 0;  // for the age of the prices
};

// Immutable. Views the Model, which outlives it.
struct Plan {
  const Model* model = nullptr;
  PriceFile prices;
  PlanOptions options;
  std::vector<PatternPlan> patterns;
  std::vector<PlaceLoad> loads;  // the table first, then GSIs in the order of the model
  std::vector<ProvisionedPlace> capacity;
  std::vector<ModeCost> modes;
  std::vector<ClassCost> classes;
  std::vector<PlaceStorage> storage;  // the table first, then every index
  std::vector<Collection> collections;
  std::vector<KeyHeat> heat;
  std::vector<IndexCost> indexes;
  std::vector<Alternative> alternatives;
  std::vector<Remark> remarks;
  double usd = 0;  // throughput in the table's own mode and class
  double storage_usd = 0;
  double backup_usd = 0;
  std::vector<ChargeLine> charges;  // of the three
  bool all_served = true;

  double all_usd() const { return usd + storage_usd + backup_usd; }
};

Plan MakePlan(const Model&, const PriceFile&, const PlanOptions&);

// "IA-WriteRequestUnits" of the class.
std::string UsageType(TableClass, std::string_view usage_type);

}  // namespace keyfold::model
