// What a model costs and where it gets hot: the request and units of every pattern, the bill in each billing mode,
// storage, collections and their growth, heat per key, the cost of each index and cheaper alternatives. Pure arithmetic
// on the Model and a price file; report.h prints it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/estimate/estimate.h"
#include "model/price/price_file.h"

namespace keyfold::model {

// One price row times a monthly quantity.
struct ChargeLine {
  std::string usage_type;
  double quantity = 0;
  double usd = 0;
};

// A pattern's estimate with its price.
struct PatternPlan : PatternEstimate {
  double usd = 0;
  std::vector<ChargeLine> charges;
};

// Units per second on the table or a GSI.
struct PlaceLoad {
  std::optional<IndexId> index;  // nullopt for the table, including its LSIs
  Units avg;
  Units peak;
};

struct ProvisionedPlace {
  std::optional<IndexId> index;
  double read_units = 1;
  double write_units = 1;
  double read_units_max = 1;  // auto-scaling maximum
  double write_units_max = 1;
};

struct ModeCost {
  enum class Mode : uint8_t { kOnDemand, kProvisioned, kReserved1y, kReserved3y };
  Mode mode = Mode::kOnDemand;
  double usd = 0;  // throughput per month
  std::vector<ChargeLine> charges;
  double read_blocks = 0;  // reserved capacity
  double write_blocks = 0;
  std::optional<double> break_even;  // for writes: utilization above which it costs less than on-demand
};
std::string_view NameOf(ModeCost::Mode);  // "on_demand"

struct ClassCost {
  TableClass table_class = TableClass::kStandard;
  BillingMode mode = BillingMode::kOnDemand;
  double throughput_usd = 0;
  double storage_usd = 0;

  double usd() const { return throughput_usd + storage_usd; }
};

// Billed bytes of the table or an index.
struct PlaceStorage {
  std::optional<IndexId> index;
  double items = 0;
  double bytes = 0;
  double bytes_1y = 0;
  double bytes_3y = 0;
};

struct IndexCost {
  IndexId index = 0;
  double write_units = 0;  // per month
  double read_units = 0;
  double write_usd = 0;
  double read_usd = 0;
  double storage_usd = 0;
  std::vector<PatternId> readers;

  double usd() const { return write_usd + read_usd + storage_usd; }
};

struct Option {
  std::string what;
  double usd = 0;  // per month: writes, reads and storage of the compared thing
  std::string note;
  bool current = false;
};
// Several ways to do one thing. The first is the model's.
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
  int64_t now_ms = 0;  // to compute the age of the prices
};

// Immutable. Views the Model, which outlives it.
struct Plan {
  const Model* model = nullptr;
  PriceFile prices;
  PlanOptions options;
  std::vector<PatternPlan> patterns;
  std::vector<PlaceLoad> loads;  // the table first, then GSIs in model order
  std::vector<ProvisionedPlace> capacity;
  std::vector<ModeCost> modes;
  std::vector<ClassCost> classes;
  std::vector<PlaceStorage> storage;  // the table first, then every index
  std::vector<Collection> collections;
  std::vector<KeyHeat> heat;  // those keys that have a load
  std::vector<IndexCost> indexes;
  std::vector<Alternative> alternatives;
  std::vector<Remark> remarks;
  double usd = 0;  // throughput in the table's own mode and class
  double storage_usd = 0;
  double backup_usd = 0;
  std::vector<ChargeLine> charges;  // charges of all three
  bool all_served = true;

  double all_usd() const { return usd + storage_usd + backup_usd; }
};

Plan MakePlan(const Model&, const PriceFile&, const PlanOptions&);

// The usage type in a table class: "IA-WriteRequestUnits".
std::string UsageType(TableClass, std::string_view usage_type);

}  // namespace keyfold::model
