#include "model/plan/plan.h"

#include "model/plan/plan_steps.h"

namespace keyfold::model {

Plan MakePlan(const Model& model, const PriceFile& prices, const PlanOptions& options) {
  Plan plan;
  plan.model = &model;
  plan.prices = prices;
  plan.options = options;
  const Estimate estimate(model, prices.rules);
  const Population& population = estimate.population();
  plan.patterns.reserve(model.patterns.size());
  for (const PatternEstimate& pattern : estimate.patterns()) {
    static_cast<PatternEstimate&>(plan.patterns.emplace_back()) = pattern;
    if (pattern.access() == nullptr) plan.all_served = false;
  }
  plan.collections = estimate.collections();
  for (const KeyHeat& heat : estimate.heat()) {
    if (heat.IsLoaded()) plan.heat.push_back(heat);
  }
  PlanStorage(population, plan);
  PlanBilling(plan);
  PlanIndexes(plan);
  PlanAlternatives(population, plan);
  PlanRemarks(population, plan);
  return plan;
}

}  // namespace keyfold::model
