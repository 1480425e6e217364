// DynamoDB's capacity arithmetic.
#pragma once

#include "model/core/model.h"
#include "model/price/price_file.h"

namespace keyfold::model {

// quantity / step rounded up, tolerating the rounding error of floating point.
double Steps(double quantity, double step);

// Units for one item, or for the sum of a Query's items: at least one step.
double ReadUnits(const PlanRules&, double bytes, Consistency);
double WriteUnits(const PlanRules&, double bytes, bool transactional);

}  // namespace keyfold::model
