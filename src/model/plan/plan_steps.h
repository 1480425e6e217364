// The steps of MakePlan, each in its own file; each reads what those before it put into the plan. Private to plan/.
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

// Price of one unit on demand in the table's class; of a provisioned table, what the unit costs at the target
// utilisation.
double UnitUsd(const Plan&, bool write);
// Of a month of so many GB in the table's class, without the free tier.
double StorageUsd(const Plan&, double bytes);

// Entities of the table or an index by the shape of their partition key, in the order of the model.
struct KeyGroup {
  std::string key;
  std::vector<EntityId> entities;
};
std::vector<KeyGroup> GroupByPartition(const Model&, std::optional<IndexId>);
// Who has one item in each of the group's partitions, or is the parent that does; nothing: nobody.
std::optional<EntityId> OwnerOf(const Model&, std::optional<IndexId>, const KeyGroup&);

// How the load spreads over the values of a group's partition key.
struct KeySpread {
  std::optional<double> values;  // distinct ones, shards not counted, calendar parts once; nothing: not known
  std::optional<double> share;   // of the most loaded one
  uint32_t shards = 1;
  bool calendar = false;  // there will be more values as time goes on
};
KeySpread SpreadOf(const Model&, std::optional<IndexId>, const KeyGroup&, const Population&);

}  // namespace keyfold::model
