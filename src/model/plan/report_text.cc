// The plan as text: a summary, the patterns, the bill by billing mode, storage, collections, heat, indexes,
// alternatives, remarks.
#include <fmt/format.h>

#include <algorithm>

#include "base/text/utf8.h"
#include "model/core/figures.h"
#include "model/plan/plan_steps.h"
#include "model/plan/report.h"

namespace keyfold::model {
namespace {

// Columns as wide as their widest cell. Columns from `numbers_from` on are numbers and right-aligned.
class TextTable {
 public:
  TextTable(std::vector<std::string> head, size_t numbers_from) : numbers_from_(numbers_from), rows_{std::move(head)} {}

  void Add(std::vector<std::string> row) {
    for (std::string& cell : row) cell = Printable(cell);
    rows_.push_back(std::move(row));
  }
  bool empty() const { return rows_.size() == 1; }

  void Print(std::string& out) const {
    std::vector<size_t> widths(rows_[0].size());
    for (const auto& row : rows_) {
      for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], CountCharacters(row[i]));
    }
    for (const auto& row : rows_) {
      std::string line = " ";
      for (size_t i = 0; i < row.size(); ++i) {
        const std::string space(widths[i] - CountCharacters(row[i]), ' ');
        line += ' ' + (i >= numbers_from_ ? space + row[i] : row[i] + space) + ' ';
      }
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + '\n';
    }
  }

 private:
  size_t numbers_from_;
  std::vector<std::vector<std::string>> rows_;
};

// Used by one thread at a time.
class TextReport {
 public:
  explicit TextReport(const Plan& plan) : plan_(plan), model_(*plan.model) {}

  std::string Write() {
    Head();
    Patterns();
    Requests();
    Modes();
    Storage();
    Collections();
    Heat();
    Indexes();
    Alternatives();
    Remarks();
    return std::move(out_);
  }

 private:
  void Title(std::string_view title) { out_ += fmt::format("\n{}\n", title); }

  void Head() {
    const PriceFile& prices = plan_.prices;
    out_ += fmt::format("{}: table {}, {} {}, {}\n", Printable(model_.file), Printable(model_.table.name),
                        model_.table.billing == BillingMode::kOnDemand ? "on-demand" : "provisioned",
                        ClassName(model_.table.table_class), Printable(model_.table.region));
    out_ += fmt::format("prices: {}, effective {}, {} {}, {} h per month{}\n", Printable(prices.name),
                        prices.effective.empty() ? "unknown" : prices.effective, DateWord(prices), prices.Date(),
                        NumberText(prices.month_hours), plan_.options.free_tier ? ", with the free tier" : "");
    out_ += fmt::format("{} per month: throughput {}, storage {}, backup {}\n", UsdText(plan_.all_usd()),
                        UsdText(plan_.usd), UsdText(plan_.storage_usd), UsdText(plan_.backup_usd));
  }

  void Patterns() {
    TextTable table({"pattern", "request", "index", "rps", "items", "read", "write", "at max", "$/month"}, 3);
    for (const PatternPlan& pattern : plan_.patterns) {
      const Pattern& declared = model_.patterns[pattern.pattern];
      const Access* access = pattern.access();
      const bool reads = access != nullptr && !access->reads.empty();
      table.Add({declared.name, access != nullptr ? OperationText(pattern) : "not served",
                 reads && access->read().index ? model_.indexes[*access->read().index].name : "",
                 NumberText(declared.rps_avg, 4), reads ? NumberText(pattern.volume.items, 1) : "",
                 pattern.units.read > 0 ? NumberText(pattern.units.read, 1) : "",
                 pattern.units.write > 0 ? NumberText(pattern.units.write, 1) : "",
                 NumberText(pattern.units_at_max.read + pattern.units_at_max.write, 1), UsdText(pattern.usd)});
    }
    Title("Patterns (units of one invocation; at max: every item at size.max)");
    table.Print(out_);
  }

  void Requests() {
    Title("Requests");
    for (const PatternPlan& pattern : plan_.patterns) {
      const std::string name = Printable(model_.patterns[pattern.pattern].name);
      const Access* access = pattern.access();
      if (access == nullptr) {
        out_ += fmt::format("  {}: not served: {}\n", name, Printable(std::get<Unserved>(pattern.compiled).message));
        continue;
      }
      out_ += fmt::format("  {}: {}\n", name, Printable(RequestText(model_, *access)));
      if (!access->filter.empty()) out_ += fmt::format("    filter {}\n", Printable(access->filter));
      for (const UnitLine& line : pattern.lines) {
        out_ += fmt::format("    {} {}: {} [{}]\n", NumberText(line.units, 1), line.write ? "write" : "read",
                            Printable(line.about), line.rule->id);
      }
      for (const std::string& warning : pattern.warnings) out_ += fmt::format("    note: {}\n", Printable(warning));
    }
  }

  void Modes() {
    Title("Billing modes (throughput per month)");
    TextTable table({"mode", "$/month", "of on-demand", "cheaper above utilization"}, 1);
    const double on_demand = plan_.modes.empty() ? 0 : plan_.modes[0].usd;
    for (const ModeCost& mode : plan_.modes) {
      table.Add({std::string(NameOf(mode.mode)), UsdText(mode.usd),
                 on_demand > 0 ? PercentText(mode.usd / on_demand) : "",
                 mode.break_even ? PercentText(*mode.break_even) : ""});
    }
    table.Print(out_);
    TextTable capacity({"provisioned", "read", "write", "read max", "write max"}, 1);
    for (const ProvisionedPlace& place : plan_.capacity) {
      capacity.Add({PlaceName(model_, place.index), NumberText(place.read_units, 0), NumberText(place.write_units, 0),
                    NumberText(place.read_units_max, 0), NumberText(place.write_units_max, 0)});
    }
    out_ += '\n';
    capacity.Print(out_);
    TextTable classes({"class", "billing", "throughput", "storage", "both"}, 2);
    for (const ClassCost& cost : plan_.classes) {
      classes.Add({std::string(ClassName(cost.table_class)),
                   cost.mode == BillingMode::kOnDemand ? "on_demand" : "provisioned", UsdText(cost.throughput_usd),
                   UsdText(cost.storage_usd), UsdText(cost.usd())});
    }
    out_ += '\n';
    classes.Print(out_);
  }

  void Storage() {
    Title("Storage");
    TextTable table({"place", "items", "now", "in 1 year", "in 3 years", "$/month"}, 1);
    for (const PlaceStorage& place : plan_.storage) {
      table.Add({PlaceName(model_, place.index), NumberText(place.items, 0), BytesText(place.bytes),
                 BytesText(place.bytes_1y), BytesText(place.bytes_3y), UsdText(StorageUsd(plan_, place.bytes))});
    }
    table.Print(out_);
  }

  void Collections() {
    if (plan_.collections.empty()) return;
    Title("Collections (items of one partition key value)");
    TextTable table({"key", "place", "items", "now", "in 1 year", "in 3 years", "largest", "pages"}, 2);
    for (const Collection& one : plan_.collections) {
      table.Add({one.key, PlaceName(model_, one.index), one.counted ? NumberText(one.items, 1) : "unknown",
                 one.counted ? BytesText(one.bytes) : "", one.counted ? BytesText(one.bytes_1y) : "",
                 one.counted ? BytesText(one.bytes_3y) : "", one.bytes_max ? BytesText(*one.bytes_max) : "unbounded",
                 one.bytes_max ? NumberText(one.pages_max, 0) : ""});
    }
    table.Print(out_);
  }

  void Heat() {
    if (plan_.heat.empty()) return;
    Title("Heat (peak units per second on the most loaded key value, shards counted)");
    TextTable table({"key", "place", "values", "write/s", "of 1,000", "read/s", "of 3,000", "shards", "needs"}, 2);
    for (const KeyHeat& heat : plan_.heat) {
      const bool known = heat.share || heat.IsDeclared();
      table.Add({heat.key, PlaceName(model_, heat.index),
                 heat.values ? NumberText(*heat.values, 0) : std::string("unknown"),
                 known ? NumberText(heat.write_units / heat.shards, 4) : "",
                 known ? PercentText(heat.WriteHeat(plan_.prices.rules)) : "",
                 known ? NumberText(heat.read_units / heat.shards, 4) : "",
                 known ? PercentText(heat.ReadHeat(plan_.prices.rules)) : "", NumberText(heat.shards, 0),
                 known ? NumberText(heat.min_shards, 0) : ""});
    }
    table.Print(out_);
  }

  void Indexes() {
    if (plan_.indexes.empty()) return;
    Title("Indexes");
    TextTable table({"index", "write units/month", "writes", "reads", "storage", "$/month", "patterns"}, 1);
    for (const IndexCost& cost : plan_.indexes) {
      table.Add({model_.indexes[cost.index].name, NumberText(cost.write_units, 0), UsdText(cost.write_usd),
                 UsdText(cost.read_usd), UsdText(cost.storage_usd), UsdText(cost.usd()),
                 NumberText(static_cast<double>(cost.readers.size()), 0)});
    }
    table.Print(out_);
  }

  void Alternatives() {
    TextTable table({"what", "now", "cheapest", "now $", "then $", "saves"}, 3);
    for (const Alternative& one : plan_.alternatives) {
      if (one.saves() < 0.01) continue;
      const Option& best = one.options[one.cheapest];
      table.Add({one.subject, one.options[0].what, best.what, UsdText(one.options[0].usd), UsdText(best.usd),
                 UsdText(one.saves())});
    }
    if (table.empty()) return;
    Title("Cheaper alternatives (estimated; writes, reads and storage per month)");
    table.Print(out_);
  }

  void Remarks() {
    Title("Remarks");
    for (const Remark& remark : plan_.remarks) {
      out_ += fmt::format("  - {}{}\n", Printable(remark.text),
                          remark.rule != nullptr ? fmt::format(" [{}]", remark.rule->id) : "");
    }
  }

  const Plan& plan_;
  const Model& model_;
  std::string out_;
};

}  // namespace

std::string PlanText(std::span<const PlannedFile> files) {
  std::string text;
  double usd = 0;
  for (const PlannedFile& file : files) {
    if (!text.empty()) text += "\n\n";
    text += TextReport(*file.plan).Write();
    usd += file.plan->all_usd();
  }
  if (files.size() > 1) text += fmt::format("\n{} per month for {} tables\n", UsdText(usd), files.size());
  return text;
}

}  // namespace keyfold::model
