#include "model/estimate/units.h"

#include <algorithm>
#include <cmath>

#include "value/units.h"

namespace keyfold::model {

double Steps(double quantity, double step) { return std::ceil(quantity / step - 1e-9); }

double ReadUnits(const PlanRules& rules, double bytes, Consistency consistency) {
  const double units = EstimatedUnitSteps(bytes, rules.read_unit_bytes);
  if (consistency == Consistency::kEventual) return units * rules.eventual_factor;
  return consistency == Consistency::kTransactional ? units * rules.transactional_factor : units;
}

double WriteUnits(const PlanRules& rules, double bytes, bool transactional) {
  const double units = EstimatedUnitSteps(bytes, rules.write_unit_bytes);
  return transactional ? units * rules.transactional_factor : units;
}

}  // namespace keyfold::model
