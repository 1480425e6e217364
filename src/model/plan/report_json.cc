// The plan as JSON. Members are never left out: unknown values are null.
#include <cmath>
#include <set>

#include "json/writer.h"
#include "model/plan/plan_steps.h"
#include "model/plan/report.h"

namespace keyfold::model {
namespace {

// Used by one thread at a time.
class JsonReport {
 public:
  JsonReport(const PlannedFile& file, json::Writer& out) : plan_(*file.plan), model_(*file.plan->model), out_(out) {}

  void Write() {
    out_.BeginObject();
    out_.Member("file", model_.file);
    out_.Member("table", model_.table.name);
    Array("patterns", plan_.patterns, [this](const PatternPlan& pattern) { WritePattern(pattern); });
    WriteTotal();
    Array("modes", plan_.modes, [this](const ModeCost& mode) { WriteMode(mode); });
    Array("capacity", plan_.capacity, [this](const ProvisionedPlace& place) { WriteCapacity(place); });
    Array("classes", plan_.classes, [this](const ClassCost& cost) { WriteClass(cost); });
    Array("storage", plan_.storage, [this](const PlaceStorage& place) { WriteStorage(place); });
    Array("collections", plan_.collections, [this](const Collection& one) { WriteCollection(one); });
    Array("heat", plan_.heat, [this](const KeyHeat& heat) { WriteHeat(heat); });
    Array("indexes", plan_.indexes, [this](const IndexCost& cost) { WriteIndex(cost); });
    Array("alternatives", plan_.alternatives, [this](const Alternative& one) { WriteAlternative(one); });
    Array("remarks", plan_.remarks, [this](const Remark& remark) { WriteRemark(remark); });
    WriteRules();
    WritePrices();
    out_.EndObject();
  }

 private:
  template <typename T, typename F>
  void Array(std::string_view name, const std::vector<T>& all, F&& write) {
    out_.Key(name);
    out_.BeginArray();
    for (const T& one : all) write(one);
    out_.EndArray();
  }

  // Writes whole numbers without a fraction, and rounds off floating-point noise in others.
  void Number(std::string_view name, double value) {
    out_.Key(name);
    Value(value);
  }
  void Value(double value) {
    if (std::abs(value) < 1e15 && value == std::floor(value)) return out_.Int(static_cast<int64_t>(value));
    out_.Double(std::abs(value) < 1e6 ? std::round(value * 1e9) / 1e9 : std::round(value * 1e3) / 1e3);
  }
  void Maybe(std::string_view name, const std::optional<double>& value) {
    out_.Key(name);
    value ? Value(*value) : out_.Null();
  }
  void Index(std::optional<IndexId> index) {
    out_.Key("index");
    index ? out_.String(model_.indexes[*index].name) : out_.Null();
  }
  void Rule(const PlanRule* rule) {
    out_.Key("rule");
    if (rule == nullptr) return out_.Null();
    out_.String(rule->id);
    used_rules_.insert(rule->id);
  }
  void UseRule(const PlanRule& rule) { Rule(&rule); }
  void Entities(const std::vector<EntityId>& entities) {
    Array("entities", entities, [this](EntityId id) { out_.String(model_.entities[id].name); });
  }
  void Charges(const std::vector<ChargeLine>& charges) {
    Array("charges", charges, [this](const ChargeLine& charge) {
      out_.BeginObject();
      out_.Member("price", charge.usage_type);
      Number("quantity", charge.quantity);
      Number("usd", charge.usd);
      out_.EndObject();
      used_prices_.insert(charge.usage_type);
    });
  }

  void WritePattern(const PatternPlan& pattern) {
    const Access* access = pattern.access();
    const Pattern& declared = model_.patterns[pattern.pattern];
    out_.BeginObject();
    out_.Member("name", declared.name);
    out_.Key("operation");
    access != nullptr ? out_.String(NameOf(access->operation)) : out_.Null();
    Index(access != nullptr && !access->reads.empty() ? access->read().index : std::nullopt);
    Number("calls", pattern.calls);
    Number("pages", pattern.pages);
    Number("pagesMax", pattern.pages_max);
    Number("items", pattern.volume.items);
    Number("bytes", pattern.volume.bytes);
    Number("readUnits", pattern.units.read);
    Number("writeUnits", pattern.units.write);
    Number("usdPerMonth", pattern.usd);
    Number("rps", declared.rps_avg);
    Number("rpsPeak", declared.rps_peak);
    Number("readUnitsAtMaxSize", pattern.units_at_max.read);
    Number("writeUnitsAtMaxSize", pattern.units_at_max.write);
    WriteLargest(pattern);
    WriteRequest(access);
    out_.Key("unserved");
    const auto* unserved = std::get_if<Unserved>(&pattern.compiled);
    unserved != nullptr ? out_.String(unserved->message) : out_.Null();
    Array("trace", pattern.lines, [this](const UnitLine& line) { WriteLine(line); });
    Charges(pattern.charges);
    Array("warnings", pattern.warnings, [this](const std::string& warning) { out_.String(warning); });
    out_.EndObject();
  }

  void WriteLargest(const PatternPlan& pattern) {
    out_.Key("largest");
    if (!pattern.largest) return out_.Null();
    out_.BeginObject();
    out_.Member("entity", model_.entities[pattern.largest->entity].name);
    Number("items", pattern.largest->items);
    Number("bytes", pattern.largest->bytes);
    Number("pages", pattern.largest->pages);
    Number("readUnits", pattern.largest->read_units);
    out_.EndObject();
  }

  void WriteRequest(const Access* access) {
    out_.Key("request");
    if (access == nullptr) return out_.Null();
    out_.BeginObject();
    out_.Member("text", RequestText(model_, *access));
    Text("keyCondition", access->key_condition);
    Text("filter", access->filter);
    out_.Key("names");
    out_.BeginObject();
    for (const auto& [alias, name] : access->aliases.names) out_.Member(alias, name);
    out_.EndObject();
    out_.Key("values");
    out_.BeginObject();
    for (const NamedValue& value : access->aliases.values) {
      out_.Key(value.name);
      out_.BeginObject();
      out_.Member(NameOf(value.value.type), value.value.ToString());
      out_.EndObject();
    }
    out_.EndObject();
    out_.Member("forward", access->forward);
    out_.Member("shards", access->shards);
    const Pattern& pattern = model_.patterns[access->pattern];
    out_.Key("limit");
    pattern.limit ? out_.Int(static_cast<int64_t>(*pattern.limit)) : out_.Null();
    Text("token", access->token);
    out_.EndObject();
  }

  void Text(std::string_view name, const std::string& text) {
    out_.Key(name);
    text.empty() ? out_.Null() : out_.String(text);
  }

  void WriteLine(const UnitLine& line) {
    out_.BeginObject();
    Rule(line.rule);
    out_.Member("entity", model_.entities[line.entity].name);
    Index(line.index);
    out_.Member("kind", line.write ? "write" : "read");
    Number("units", line.units);
    out_.Member("about", line.about);
    out_.EndObject();
  }

  void WriteTotal() {
    Units units;
    for (const PlaceLoad& load : plan_.loads) {
      units.read += load.avg.read * plan_.prices.MonthSeconds();
      units.write += load.avg.write * plan_.prices.MonthSeconds();
    }
    out_.Key("total");
    out_.BeginObject();
    Number("usdPerMonth", plan_.usd);
    Number("storageUsdPerMonth", plan_.storage_usd);
    Number("backupUsdPerMonth", plan_.backup_usd);
    Number("allUsdPerMonth", plan_.all_usd());
    Number("readUnitsPerMonth", units.read);
    Number("writeUnitsPerMonth", units.write);
    const bool on_demand = model_.table.billing == BillingMode::kOnDemand;
    out_.Member("billing", on_demand ? "on_demand" : "provisioned");
    out_.Member("class", ClassName(model_.table.table_class));
    out_.Member("freeTier", plan_.options.free_tier);
    UseRule(on_demand ? kOnDemand : kProvisioned);
    Charges(plan_.charges);
    out_.EndObject();
  }

  void WriteMode(const ModeCost& mode) {
    out_.BeginObject();
    out_.Member("mode", NameOf(mode.mode));
    Number("usdPerMonth", mode.usd);
    Number("writeBlocks", mode.write_blocks);
    Number("readBlocks", mode.read_blocks);
    Maybe("breakEvenUtilization", mode.break_even);
    UseRule(mode.mode == ModeCost::Mode::kOnDemand      ? kOnDemand
            : mode.mode == ModeCost::Mode::kProvisioned ? kProvisioned
                                                        : kReservedCapacity);
    Charges(mode.charges);
    out_.EndObject();
  }

  void WriteCapacity(const ProvisionedPlace& place) {
    out_.BeginObject();
    Index(place.index);
    Number("readUnits", place.read_units);
    Number("writeUnits", place.write_units);
    Number("readUnitsMax", place.read_units_max);
    Number("writeUnitsMax", place.write_units_max);
    UseRule(kProvisioned);
    out_.EndObject();
  }

  void WriteClass(const ClassCost& cost) {
    out_.BeginObject();
    out_.Member("class", ClassName(cost.table_class));
    out_.Member("billing", cost.mode == BillingMode::kOnDemand ? "on_demand" : "provisioned");
    Number("usdPerMonth", cost.throughput_usd);
    Number("storageUsdPerMonth", cost.storage_usd);
    UseRule(kTableClass);
    out_.EndObject();
  }

  void WriteStorage(const PlaceStorage& place) {
    out_.BeginObject();
    Index(place.index);
    Number("items", place.items);
    Number("bytes", place.bytes);
    Number("bytesIn1Year", place.bytes_1y);
    Number("bytesIn3Years", place.bytes_3y);
    UseRule(kStorage);
    out_.EndObject();
  }

  void WriteCollection(const Collection& one) {
    out_.BeginObject();
    Index(one.index);
    out_.Member("key", one.key);
    Entities(one.entities);
    Maybe("partitions", one.partitions);
    out_.Member("counted", one.counted);
    Number("items", one.items);
    Number("bytes", one.bytes);
    Number("bytesIn1Year", one.bytes_1y);
    Number("bytesIn3Years", one.bytes_3y);
    Maybe("bytesMax", one.bytes_max);
    Maybe("pagesMax", one.bytes_max ? std::optional(one.pages_max) : std::nullopt);
    UseRule(kCollection);
    out_.EndObject();
  }

  void WriteHeat(const KeyHeat& heat) {
    out_.BeginObject();
    Index(heat.index);
    out_.Member("key", heat.key);
    Entities(heat.entities);
    Maybe("values", heat.values);
    Maybe("hottestShare", heat.share);
    out_.Member("declared", heat.IsDeclared());
    out_.Member("shards", heat.shards);
    Number("minimumShards", heat.min_shards);
    Number("readUnitsPerSecond", heat.read_units / heat.shards);
    Number("writeUnitsPerSecond", heat.write_units / heat.shards);
    Number("readHeat", heat.ReadHeat(plan_.prices.rules));
    Number("writeHeat", heat.WriteHeat(plan_.prices.rules));
    UseRule(kHeat);
    out_.EndObject();
  }

  void WriteIndex(const IndexCost& cost) {
    out_.BeginObject();
    out_.Member("name", model_.indexes[cost.index].name);
    Number("usdPerMonth", cost.usd());
    Number("writeUsdPerMonth", cost.write_usd);
    Number("readUsdPerMonth", cost.read_usd);
    Number("storageUsdPerMonth", cost.storage_usd);
    Number("writeUnitsPerMonth", cost.write_units);
    Number("readUnitsPerMonth", cost.read_units);
    Array("patterns", cost.readers, [this](PatternId id) { out_.String(model_.patterns[id].name); });
    UseRule(kWriteIndex);
    out_.EndObject();
  }

  void WriteAlternative(const Alternative& one) {
    out_.BeginObject();
    out_.Member("kind", NameOf(one.kind));
    out_.Member("subject", one.subject);
    out_.Member("cheapest", one.options[one.cheapest].what);
    Number("savesUsdPerMonth", one.saves());
    UseRule(kEstimate);
    Array("options", one.options, [this](const Option& option) {
      out_.BeginObject();
      out_.Member("what", option.what);
      Number("usdPerMonth", option.usd);
      out_.Member("current", option.current);
      Text("note", option.note);
      out_.EndObject();
    });
    out_.EndObject();
  }

  void WriteRemark(const Remark& remark) {
    out_.BeginObject();
    out_.Member("kind", NameOf(remark.kind));
    out_.Member("text", remark.text);
    Rule(remark.rule);
    out_.EndObject();
  }

  void WriteRules() {
    out_.Key("rules");
    out_.BeginObject();
    for (const PlanRule& rule : AllPlanRules()) {
      if (used_rules_.contains(rule.id)) out_.Member(rule.id, rule.text);
    }
    out_.EndObject();
  }

  void WritePrices() {
    const PriceFile& file = plan_.prices;
    out_.Key("prices");
    out_.BeginObject();
    out_.Member("file", file.name);
    Text("sourceUrl", file.source_url);
    Text("offerVersion", file.offer_version);
    Text("region", file.region);
    Text("effective", file.effective);
    Text("superseded", file.superseded);
    Text("retrieved", file.retrieved);
    Text("published", file.published);
    out_.Member("currency", file.currency);
    Number("monthHours", file.month_hours);
    Array("rows", UsedRows(), [this](const PriceRow* row) { WriteRow(*row); });
    out_.EndObject();
  }

  std::vector<const PriceRow*> UsedRows() const {
    std::vector<const PriceRow*> rows;
    for (const PriceRow& row : plan_.prices.rows) {
      const std::string name = row.term.empty() ? row.usage_type : row.usage_type + ":" + row.term;
      if (used_prices_.contains(name)) rows.push_back(&row);
    }
    return rows;
  }

  void WriteRow(const PriceRow& row) {
    out_.BeginObject();
    out_.Member("usage_type", row.usage_type);
    Text("term", row.term);
    out_.Member("unit", row.unit);
    Number("from", row.from);
    Maybe("to", row.to);
    out_.Member("usd", row.usd);
    Number("discount", row.discount);
    Text("note", row.note);
    out_.EndObject();
  }

  const Plan& plan_;
  const Model& model_;
  json::Writer& out_;
  std::set<std::string_view> used_rules_;
  std::set<std::string> used_prices_;
};

}  // namespace

std::string PlanJson(std::span<const PlannedFile> files) {
  std::string text;
  json::Writer out(text);
  if (files.size() == 1) {
    JsonReport(files[0], out).Write();
    return text + "\n";
  }
  out.BeginObject();
  out.Key("files");
  out.BeginArray();
  for (const PlannedFile& file : files) JsonReport(file, out).Write();
  out.EndArray();
  out.EndObject();
  return text + "\n";
}

}  // namespace keyfold::model
