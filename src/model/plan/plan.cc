#include "model/plan/plan.h"

#include "model/plan/plan_steps.h"

namespace keyfold::model {

Plan MakePlan(const Model& model, const PriceFile& prices, const PlanOptions& options) {
  Plan plan;
  plan.model = &model;
  plan.prices = prices;
  plan.options = options;
  const Coverage coverage(model);
  const Population population(model);
  plan.patterns.reserve(model.patterns.size());
  for (PatternId id = 0; id < model.patterns.size(); ++id) {
    plan.patterns.push_back(PlanPattern(model, id, coverage, population, plan.prices.rules));
    if (plan.patterns.back().access() == nullptr) plan.all_served = false;
  }
  PlanStorage(population, plan);
  PlanBilling(plan);
  PlanCollections(population, plan);
  PlanHeat(population, plan);
  PlanIndexes(plan);
  PlanAlternatives(population, plan);
  PlanRemarks(population, plan);
  return plan;
}

}  // namespace keyfold::model
