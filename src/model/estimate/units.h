// DynamoDB's capacity arithmetic.
#pragma once

#include "model/core/model.h"
#include "model/price/price_file.h"

namespace keyfold::model {

// Rounded up, but not for what floating point adds to a whole number.
double Steps(double quantity, double step);

// Of one item, or of the sum of a Query's items: at least one step.
double ReadUnits(const PlanRules&, double bytes, Consistency);
double WriteUnits(const PlanRules&, double bytes, bool transactional);

}  // namespace keyfold::model
