// Bytes of the table and its indexes, and the cost of storing and backing them up.
#include <algorithm>

#include "model/plan/plan_steps.h"

namespace keyfold::model {
namespace {

PlaceStorage StorageOf(const Plan& plan, std::optional<IndexId> index, const Population& population) {
  PlaceStorage place{.index = index};
  const double overhead = plan.prices.rules.item_overhead_bytes;
  for (EntityId id = 0; id < plan.model->entities.size(); ++id) {
    const double share = index ? population.ShareIn(*index, id) : 1;
    if (share <= 0) continue;
    const double bytes = population.BytesIn(index, id) + overhead;
    place.items += share * population.At(id, 0);
    place.bytes += share * population.At(id, 0) * bytes;
    place.bytes_1y += share * population.At(id, kYearSeconds) * bytes;
    place.bytes_3y += share * population.At(id, 3 * kYearSeconds) * bytes;
  }
  return place;
}

}  // namespace

double StorageUsd(const Plan& plan, double bytes) {
  const std::string usage = UsageType(plan.model->table.table_class, "TimedStorage-ByteHrs");
  return bytes / kGigabyte * plan.prices.UnitPrice(usage).value_or(0);
}

void PlanStorage(const Population& population, Plan& plan) {
  const Model& model = *plan.model;
  plan.storage.push_back(StorageOf(plan, {}, population));
  double bytes = plan.storage[0].bytes;
  double backed_up = bytes;
  for (IndexId id = 0; id < model.indexes.size(); ++id) {
    plan.storage.push_back(StorageOf(plan, id, population));
    bytes += plan.storage.back().bytes;
    if (model.indexes[id].local) backed_up += plan.storage.back().bytes;
  }
  const auto charge = [&](const std::string& usage, double gigabytes) {
    const double usd = plan.prices.Charge(usage, gigabytes, plan.options.free_tier).value_or(0);
    plan.charges.push_back({usage, gigabytes, usd});
    return usd;
  };
  plan.storage_usd = charge(UsageType(model.table.table_class, "TimedStorage-ByteHrs"), bytes / kGigabyte);
  if (model.table.pitr) plan.backup_usd = charge("TimedPITRStorage-ByteHrs", backed_up / kGigabyte);
}

}  // namespace keyfold::model
