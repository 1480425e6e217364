// The monthly bill: on demand, provisioned with auto scaling, reserved, and the other table class.
#include <algorithm>
#include <cmath>

#include "model/estimate/units.h"
#include "model/plan/plan_steps.h"

namespace keyfold::model {
namespace {

constexpr std::string_view kWriteRequests = "WriteRequestUnits";
constexpr std::string_view kReadRequests = "ReadRequestUnits";
constexpr std::string_view kWriteHours = "WriteCapacityUnit-Hrs";
constexpr std::string_view kReadHours = "ReadCapacityUnit-Hrs";
constexpr std::string_view kReservedWrites = "HeavyUsage:dynamodb.write";
constexpr std::string_view kReservedReads = "HeavyUsage:dynamodb.read";

struct Term {
  ModeCost::Mode mode;
  std::string_view name;
  double months;
};
constexpr Term kTerms[] = {{ModeCost::Mode::kReserved1y, "1yr", 12}, {ModeCost::Mode::kReserved3y, "3yr", 36}};

void AddLoads(Plan& plan) {
  const Model& model = *plan.model;
  std::vector<size_t> place_of(model.indexes.size(), 0);
  plan.loads.emplace_back();
  for (IndexId id = 0; id < model.indexes.size(); ++id) {
    if (model.indexes[id].local) continue;  // local indexes use the table's capacity
    place_of[id] = plan.loads.size();
    plan.loads.push_back({id, {}, {}});
  }
  for (const PatternPlan& pattern : plan.patterns) {
    const Pattern& declared = model.patterns[pattern.pattern];
    for (const UnitLine& line : pattern.lines) {
      PlaceLoad& load = plan.loads[line.index ? place_of[*line.index] : 0];
      (line.write ? load.avg.write : load.avg.read) += line.units * declared.rps_avg;
      (line.write ? load.peak.write : load.peak.read) += line.units * declared.rps_peak;
    }
  }
}

void AddCapacity(Plan& plan) {
  const double target = plan.prices.rules.target_utilization;
  const auto units = [&](double load) { return std::max(1.0, Steps(load, target)); };
  for (const PlaceLoad& load : plan.loads) {
    plan.capacity.push_back(
        {load.index, units(load.avg.read), units(load.avg.write), units(load.peak.read), units(load.peak.write)});
  }
}

Units MonthUnits(const Plan& plan) {
  Units sum;
  for (const PlaceLoad& load : plan.loads) {
    sum.read += load.avg.read * plan.prices.MonthSeconds();
    sum.write += load.avg.write * plan.prices.MonthSeconds();
  }
  return sum;
}

Units Capacity(const Plan& plan) {
  Units sum;
  for (const ProvisionedPlace& place : plan.capacity) {
    sum.read += place.read_units;
    sum.write += place.write_units;
  }
  return sum;
}

// Returns nullopt if the price file lacks a row.
std::optional<ModeCost> Charged(const Plan& plan, ModeCost::Mode mode, TableClass table_class,
                                std::string_view write_usage, double writes, std::string_view read_usage,
                                double reads) {
  ModeCost cost;
  cost.mode = mode;
  const std::pair<std::string_view, double> parts[] = {{write_usage, writes}, {read_usage, reads}};
  for (const auto& [usage, quantity] : parts) {
    const std::string type = UsageType(table_class, usage);
    const std::optional<double> usd = plan.prices.Charge(type, quantity, plan.options.free_tier);
    if (!usd) return {};
    cost.charges.push_back({type, quantity, *usd});
    cost.usd += *usd;
  }
  return cost;
}

std::optional<ModeCost> OnDemand(const Plan& plan, TableClass table_class) {
  const Units units = MonthUnits(plan);
  return Charged(plan, ModeCost::Mode::kOnDemand, table_class, kWriteRequests, units.write, kReadRequests, units.read);
}

// Price of a unit by the hour relative to the same unit by request, if both are used all the time.
std::optional<double> BreakEven(const Plan& plan, double usd_per_unit_hour) {
  const std::optional<double> request = plan.prices.UnitPrice(UsageType(plan.model->table.table_class, kWriteRequests));
  if (!request || *request <= 0) return {};
  return usd_per_unit_hour / 3600 / *request;
}

std::optional<ModeCost> Provisioned(const Plan& plan, TableClass table_class) {
  const Units units = Capacity(plan);
  const double hours = plan.prices.month_hours;
  auto cost = Charged(plan, ModeCost::Mode::kProvisioned, table_class, kWriteHours, units.write * hours, kReadHours,
                      units.read * hours);
  if (!cost) return {};
  const std::optional<double> hour = plan.prices.UnitPrice(UsageType(table_class, kWriteHours));
  if (hour) cost->break_even = BreakEven(plan, *hour);
  return cost;
}

// Monthly price of one reserved unit.
std::optional<double> ReservedMonth(const Plan& plan, std::string_view usage, const Term& term, std::string_view unit) {
  const auto upfront = plan.prices.TermPrice(usage, term.name, "Quantity");
  const auto hour = plan.prices.TermPrice(usage, term.name, unit);
  if (!upfront || !hour) return {};
  return *upfront / term.months + *hour * plan.prices.month_hours;
}

std::optional<ModeCost> Reserved(const Plan& plan, const Term& term) {
  const double block = plan.prices.rules.reserved_block_units;
  const Units units = Capacity(plan);
  const auto write_month = ReservedMonth(plan, kReservedWrites, term, kWriteHours);
  const auto read_month = ReservedMonth(plan, kReservedReads, term, kReadHours);
  if (!write_month || !read_month) return {};
  const double write_blocks = std::floor(units.write / block);
  const double read_blocks = std::floor(units.read / block);
  const double hours = plan.prices.month_hours;
  auto cost = Charged(plan, term.mode, TableClass::kStandard, kWriteHours, (units.write - write_blocks * block) * hours,
                      kReadHours, (units.read - read_blocks * block) * hours);
  if (!cost) return {};
  cost->write_blocks = write_blocks;
  cost->read_blocks = read_blocks;
  const std::string suffix = ":" + std::string(term.name);
  for (const auto& [usage, blocks, month] : {std::tuple(kReservedWrites, write_blocks, *write_month),
                                             std::tuple(kReservedReads, read_blocks, *read_month)}) {
    cost->charges.push_back({std::string(usage) + suffix, blocks * block, blocks * block * month});
    cost->usd += blocks * block * month;
  }
  cost->break_even = BreakEven(plan, *write_month / hours);
  return cost;
}

void AddModes(Plan& plan) {
  const TableClass own = plan.model->table.table_class;
  if (auto cost = OnDemand(plan, own)) plan.modes.push_back(*std::move(cost));
  if (auto cost = Provisioned(plan, own)) plan.modes.push_back(*std::move(cost));
  if (own != TableClass::kStandard) return;
  for (const Term& term : kTerms) {
    if (auto cost = Reserved(plan, term)) plan.modes.push_back(*std::move(cost));
  }
}

void AddClasses(Plan& plan) {
  double bytes = 0;
  for (const PlaceStorage& place : plan.storage) bytes += place.bytes;
  for (const TableClass table_class : {TableClass::kStandard, TableClass::kStandardInfrequentAccess}) {
    const auto storage =
        plan.prices.Charge(UsageType(table_class, "TimedStorage-ByteHrs"), bytes / kGigabyte, plan.options.free_tier);
    if (!storage) continue;
    if (const auto cost = OnDemand(plan, table_class)) {
      plan.classes.push_back({table_class, BillingMode::kOnDemand, cost->usd, *storage});
    }
    if (const auto cost = Provisioned(plan, table_class)) {
      plan.classes.push_back({table_class, BillingMode::kProvisioned, cost->usd, *storage});
    }
  }
}

// Prices the units of each pattern in the table's billing mode.
void PricePatterns(Plan& plan) {
  const bool on_demand = plan.model->table.billing == BillingMode::kOnDemand;
  const TableClass own = plan.model->table.table_class;
  for (PatternPlan& pattern : plan.patterns) {
    const double invocations = plan.model->patterns[pattern.pattern].rps_avg * plan.prices.MonthSeconds();
    for (const bool write : {false, true}) {
      const double units = (write ? pattern.units.write : pattern.units.read) * invocations;
      if (units <= 0) continue;
      const double usd = units * UnitUsd(plan, write);
      const double per_hour = 3600 * plan.prices.rules.target_utilization;
      pattern.charges.push_back(
          on_demand ? ChargeLine{UsageType(own, write ? kWriteRequests : kReadRequests), units, usd}
                    : ChargeLine{UsageType(own, write ? kWriteHours : kReadHours), units / per_hour, usd});
      pattern.usd += usd;
    }
  }
}

}  // namespace

std::string UsageType(TableClass table_class, std::string_view usage_type) {
  return (table_class == TableClass::kStandard ? "" : "IA-") + std::string(usage_type);
}

double UnitUsd(const Plan& plan, bool write) {
  const TableClass own = plan.model->table.table_class;
  if (plan.model->table.billing == BillingMode::kOnDemand) {
    return plan.prices.UnitPrice(UsageType(own, write ? kWriteRequests : kReadRequests)).value_or(0);
  }
  return plan.prices.UnitPrice(UsageType(own, write ? kWriteHours : kReadHours)).value_or(0) / 3600 /
         plan.prices.rules.target_utilization;
}

std::string_view NameOf(ModeCost::Mode mode) {
  constexpr std::string_view kNames[] = {"on_demand", "provisioned", "reserved_1y", "reserved_3y"};
  return kNames[static_cast<size_t>(mode)];
}

void PlanBilling(Plan& plan) {
  AddLoads(plan);
  AddCapacity(plan);
  AddModes(plan);
  AddClasses(plan);
  PricePatterns(plan);
  const auto mode =
      plan.model->table.billing == BillingMode::kOnDemand ? ModeCost::Mode::kOnDemand : ModeCost::Mode::kProvisioned;
  for (const ModeCost& cost : plan.modes) {
    if (cost.mode != mode) continue;
    plan.usd = cost.usd;
    plan.charges.insert(plan.charges.begin(), cost.charges.begin(), cost.charges.end());
  }
}

}  // namespace keyfold::model
