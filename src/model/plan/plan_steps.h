// The steps of MakePlan, each in its own file. Each step reads what earlier steps stored in the plan. Private to plan/.
#pragma once

#include "model/plan/plan.h"

namespace keyfold::model {

inline constexpr double kGigabyte = 1024.0 * 1024 * 1024;

void PlanBilling(Plan&);                          // loads, capacity, modes, classes, usd
void PlanStorage(const Population&, Plan&);       // storage, storage_usd, backup_usd
void PlanCollections(const Population&, Plan&);   // collections
void PlanHeat(const Population&, Plan&);          // heat
void PlanIndexes(Plan&);                          // indexes
void PlanAlternatives(const Population&, Plan&);  // alternatives
void PlanRemarks(const Population&, Plan&);       // remarks

// Price of one on-demand unit in the table's class. For a provisioned table, the price of a unit at the target
// utilization.
double UnitUsd(const Plan&, bool write);
// Price of storing `bytes` for a month in the table's class, without the free tier.
double StorageUsd(const Plan&, double bytes);

// Entities of the table or an index with the same partition key shape, in model order.
struct KeyGroup {
  std::string key;
  std::vector<EntityId> entities;
};
std::vector<KeyGroup> GroupByPartition(const Model&, std::optional<IndexId>);
// The entity that has one item in each of the group's partitions, or the parent that does; nullopt if there is none.
std::optional<EntityId> OwnerOf(const Model&, std::optional<IndexId>, const KeyGroup&);

// How the load spreads over the values of a group's partition key.
struct KeySpread {
  std::optional<double> values;  // distinct values without shards, calendar parts as one; nullopt if unknown
  std::optional<double> share;   // on the most loaded value
  uint32_t shards = 1;
  bool calendar = false;  // values are added as time passes
};
KeySpread SpreadOf(const Model&, std::optional<IndexId>, const KeyGroup&, const Population&);

}  // namespace keyfold::model
