// Reports of a migration: numbered steps for people, JSON for programs.
#include <fmt/format.h>

#include <cmath>

#include "json/writer.h"
#include "model/core/figures.h"
#include "model/diff/migration.h"

namespace keyfold::model {
namespace {

std::string StepCostLine(const MigrationStep& step) {
  std::string out;
  if (step.items) out += fmt::format("{} items", NumberText(*step.items, 0));
  if (step.uncounted) out += out.empty() || *step.items == 0 ? "number of items unknown" : " and more";
  if (step.read_units > 0) out += fmt::format(", {} read units", NumberText(step.read_units, 0));
  if (step.write_units > 0) out += fmt::format(", {} write units", NumberText(step.write_units, 0));
  if (step.usd > 0) out += fmt::format(", ${:.2f}", step.usd);
  return out;
}

void WriteOr(json::Writer& w, std::string_view name, const std::string& text) {
  w.Key(name);
  text.empty() ? w.Null() : w.String(text);
}

void WriteStep(json::Writer& w, const MigrationStep& step) {
  w.BeginObject();
  w.Member("kind", NameOf(step.kind));
  w.Member("title", std::string_view(step.title));
  WriteOr(w, "entity", step.entity);
  WriteOr(w, "index", step.index);
  w.Key("details");
  w.BeginArray();
  for (const std::string& line : step.details) w.String(line);
  w.EndArray();
  WriteOr(w, "operation", step.operation);
  w.Key("request");
  step.body.empty() ? w.Null() : w.Raw(step.body);
  w.Key("items");
  step.items && !step.uncounted ? w.Double(std::round(*step.items)) : w.Null();
  w.Member("readUnits", step.read_units);
  w.Member("writeUnits", step.write_units);
  w.Member("usd", step.usd);
  w.EndObject();
}

}  // namespace

std::string_view NameOf(MigrationStep::Kind kind) {
  constexpr std::string_view kNames[] = {"note",         "call_api",     "create_table", "dual_write",
                                         "backfill",     "create_index", "verify",       "cut_over",
                                         "delete_items", "delete_index", "delete_table"};
  return kNames[static_cast<size_t>(kind)];
}

double Migration::ReadUnits() const {
  double sum = 0;
  for (const MigrationStep& step : steps) sum += step.read_units;
  return sum;
}

double Migration::WriteUnits() const {
  double sum = 0;
  for (const MigrationStep& step : steps) sum += step.write_units;
  return sum;
}

double Migration::Usd() const {
  double sum = 0;
  for (const MigrationStep& step : steps) sum += step.usd;
  return sum;
}

std::string MigrationText(const Migration& migration) {
  if (migration.steps.empty())
    return "Both models describe the same table and the same items; there is nothing to "
           "do\n";
  std::string out;
  size_t number = 0;
  for (const MigrationStep& step : migration.steps) {
    out += fmt::format("{:>2}. {}\n", ++number, step.title);
    const std::string cost = StepCostLine(step);
    if (!cost.empty()) out += fmt::format("    {}\n", cost);
    for (const std::string& line : step.details) out += fmt::format("    {}\n", line);
    if (!step.operation.empty()) out += fmt::format("    {} {}\n", step.operation, step.body);
  }
  out += fmt::format("Total: {} read units, {} write units, ${:.2f} on demand ({})\n",
                     NumberText(migration.ReadUnits(), 0), NumberText(migration.WriteUnits(), 0), migration.Usd(),
                     migration.price_file);
  return out;
}

std::string MigrationJson(const Migration& migration) {
  std::string out;
  json::Writer w(out);
  w.BeginObject();
  w.Key("steps");
  w.BeginArray();
  for (const MigrationStep& step : migration.steps) WriteStep(w, step);
  w.EndArray();
  w.Key("total");
  w.BeginObject();
  w.Member("readUnits", migration.ReadUnits());
  w.Member("writeUnits", migration.WriteUnits());
  w.Member("usd", migration.Usd());
  w.EndObject();
  w.Member("prices", std::string_view(migration.price_file));
  w.EndObject();
  out += '\n';
  return out;
}

}  // namespace keyfold::model
