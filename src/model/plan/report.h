// A plan told: as text for a terminal, as JSON for programs, and as one self-contained page for a review.
#pragma once

#include <span>
#include <string>

#include "model/finding/finding.h"
#include "model/plan/plan.h"

namespace keyfold::model {

// What is printed of one model file. Views its plan.
struct PlannedFile {
  const Plan* plan = nullptr;
  const std::vector<Finding>* findings = nullptr;  // of check, for the page; nullptr: none were looked for
};

std::string PlanText(std::span<const PlannedFile>);
// One object for one file, {"files": […]} for several.
std::string PlanJson(std::span<const PlannedFile>);
std::string PlanHtml(std::span<const PlannedFile>);

// How one sees a request: "PK = USER#{userId} AND begins_with(SK, ORDER#)". Empty for writes.
std::string RequestText(const Model&, const Access&);
// "Query", "10 x Query"
std::string OperationText(const PatternPlan&);
// "12.5 %", "<0.1 %"
std::string PercentText(double share);
// "$1,234.56", "<$0.01"
std::string UsdText(double usd);
// "standard", "standard_ia"
std::string_view ClassName(TableClass);
// "table", or the index's name.
std::string PlaceName(const Model&, std::optional<IndexId>);

}  // namespace keyfold::model
