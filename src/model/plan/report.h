// Reports of a plan: text for a terminal, JSON for programs, and one self-contained HTML page for a review.
#pragma once

#include <span>
#include <string>

#include "model/finding/finding.h"
#include "model/plan/plan.h"

namespace keyfold::model {

// The input of a report for one model file. Views the plan.
struct PlannedFile {
  const Plan* plan = nullptr;
  const std::vector<Finding>* findings = nullptr;  // findings of `check`, for the page; null if the check was not run
};

std::string PlanText(std::span<const PlannedFile>);
// One object for one file, {"files": […]} for several.
std::string PlanJson(std::span<const PlannedFile>);
std::string PlanHtml(std::span<const PlannedFile>);

// A request as readable text: "PK = USER#{userId} AND begins_with(SK, ORDER#)". Empty for writes.
std::string RequestText(const Model&, const Access&);
// "Query", "10 x Query"
std::string OperationText(const PatternPlan&);
// "12.5 %", "<0.1 %"
std::string PercentText(double share);
// "$1,234.56", "<$0.01"
std::string UsdText(double usd);
// What the prices' date is: "retrieved" or "published".
std::string_view DateWord(const PriceFile&);
// "standard", "standard_ia"
std::string_view ClassName(TableClass);
// "table", or the index's name.
std::string PlaceName(const Model&, std::optional<IndexId>);

}  // namespace keyfold::model
