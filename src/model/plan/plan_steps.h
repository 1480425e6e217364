// The steps of MakePlan, each in its own file. Each step reads what earlier steps stored in the plan. Private to plan/.
#pragma once

#include "model/plan/plan.h"

namespace keyfold::model {

inline constexpr double kGigabyte = 1024.0 * 1024 * 1024;

void PlanBilling(Plan&);                          // loads, capacity, modes, classes, usd
void PlanStorage(const Population&, Plan&);       // storage, storage_usd, backup_usd
void PlanIndexes(Plan&);                          // indexes
void PlanAlternatives(const Population&, Plan&);  // alternatives
void PlanRemarks(const Population&, Plan&);       // remarks

// Price of one on-demand unit in the table's class. For a provisioned table, the price of a unit at the target
// utilization.
double UnitUsd(const Plan&, bool write);
// Price of storing `bytes` for a month in the table's class, without the free tier.
double StorageUsd(const Plan&, double bytes);

}  // namespace keyfold::model
