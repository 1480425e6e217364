#include "model/plan/rules.h"

namespace keyfold::model {

std::span<const PlanRule> AllPlanRules() {
  static constexpr PlanRule kAll[] = {kReadItem,   kReadQuery, kReadPages,   kItemsRead,        kWriteItem,
                                      kWriteIndex, kOnDemand,  kProvisioned, kReservedCapacity, kBreakEven,
                                      kTableClass, kStorage,   kBackup,      kPopulation,       kCollection,
                                      kHeat,       kShards,    kEntry,       kEstimate};
  return kAll;
}

}  // namespace keyfold::model
