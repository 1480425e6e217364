// Capacity units of an item's or a page's bytes: whole steps, at least one. DynamoDB's arithmetic for the engine, which
// knows sizes exactly, and for the model, which estimates them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace keyfold {

inline double UnitSteps(size_t bytes, size_t step_bytes) {
  return static_cast<double>(std::max<size_t>(1, (bytes + step_bytes - 1) / step_bytes));
}

// The same for an estimate. A rounding error of floating point does not add a step.
inline double EstimatedUnitSteps(double bytes, double step_bytes) {
  return std::max(1.0, std::ceil(bytes / step_bytes - 1e-9));
}

}  // namespace keyfold
