// The cost of each index: its writes, its storage, and the reads it serves.
#include "model/plan/plan_steps.h"

namespace keyfold::model {

void PlanIndexes(Plan& plan) {
  const Model& model = *plan.model;
  plan.indexes.resize(model.indexes.size());
  for (IndexId id = 0; id < model.indexes.size(); ++id) {
    plan.indexes[id].index = id;
    plan.indexes[id].storage_usd = StorageUsd(plan, plan.storage[id + 1].bytes);
  }
  for (const PatternPlan& pattern : plan.patterns) {
    const double invocations = model.patterns[pattern.pattern].rps_avg * plan.prices.MonthSeconds();
    for (const UnitLine& line : pattern.lines) {
      if (!line.index) continue;
      IndexCost& cost = plan.indexes[*line.index];
      (line.write ? cost.write_units : cost.read_units) += line.units * invocations;
      if (!line.write) cost.readers.push_back(pattern.pattern);
    }
  }
  for (IndexCost& cost : plan.indexes) {
    cost.write_usd = cost.write_units * UnitUsd(plan, true);
    cost.read_usd = cost.read_units * UnitUsd(plan, false);
  }
}

}  // namespace keyfold::model
