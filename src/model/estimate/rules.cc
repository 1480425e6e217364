#include "model/estimate/rules.h"

namespace keyfold::model {

std::span<const PlanRule> AllPlanRules() {
  static constexpr PlanRule kAll[] = {kReadItem,   kReadQuery,  kReadPages, kItemsRead,   kReadFetch,
                                      kWriteItem,  kWriteIndex, kOnDemand,  kProvisioned, kReservedCapacity,
                                      kBreakEven,  kTableClass, kStorage,   kBackup,      kPopulation,
                                      kCollection, kHeat,       kShards,    kEntry,       kEstimate};
  return kAll;
}

}  // namespace keyfold::model
