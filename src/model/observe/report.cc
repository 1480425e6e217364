#include "model/observe/report.h"

#include <algorithm>

#include "json/writer.h"

namespace keyfold::model {
namespace {

constexpr size_t kHotKeysListed = 20;

// Writes null for an unknown ratio.
void Maybe(json::Writer& out, std::string_view name, std::optional<double> value) {
  out.Key(name);
  value ? out.Double(*value) : out.Null();
}

void MaybeText(json::Writer& out, std::string_view name, std::string_view text) {
  out.Key(name);
  text.empty() ? out.Null() : out.String(text);
}

void MaybeTime(json::Writer& out, std::string_view name, Micros time) {
  out.Key(name);
  time == 0 ? out.Null() : out.EpochSeconds(time);
}

// Used by one thread at a time.
class Reporter {
 public:
  Reporter(const Observer& observer, std::string& out)
      : observer_(observer),
        model_(observer.model()),
        totals_(observer.ledger().Read()),
        now_(observer.clock().Now()),
        seconds_(static_cast<double>(now_ - observer.since()) / 1e6),
        out_(out) {}

  void Report() {
    out_.BeginObject();
    Head();
    Patterns();
    Entities();
    Places();
    Findings();
    Unplanned();
    out_.EndObject();
  }

  void Summary() {
    out_.BeginObject();
    Head();
    out_.Member("findings", FindingsOf(observer_, totals_, now_).size());
    out_.EndObject();
  }

 private:
  struct Money {
    double read = 0, write = 0;  // price of one unit
  };
  Money Prices() const {
    const PriceFile& prices = observer_.plan().prices;
    const auto price = [&](std::string_view usage) {
      return prices.UnitPrice(UsageType(model_.table.table_class, usage)).value_or(0);
    };
    return {price("ReadRequestUnits"), price("WriteRequestUnits")};
  }
  // Extrapolates the cost of the units so far to a month. Nullopt before any time has passed, and without prices.
  std::optional<double> PerMonth(double read_units, double write_units) const {
    if (seconds_ <= 0 || observer_.plan().prices.rows.empty()) return std::nullopt;
    const Money money = Prices();
    return (read_units * money.read + write_units * money.write) / seconds_ * observer_.plan().prices.MonthSeconds();
  }
  std::string_view NameOfIndex(std::optional<IndexId> id) const {
    return id ? std::string_view(model_.indexes[*id].name) : std::string_view();
  }

  void Head() {
    uint64_t attributed = 0;
    double read_units = 0, write_units = 0;
    for (const PatternTotals& totals : totals_.patterns) attributed += totals.requests();
    for (const PlaceTotals& place : totals_.places) {
      read_units += place.read_units;
      write_units += place.write_units;
    }
    out_.Member("table", model_.table.name);
    out_.Member("file", model_.file);
    out_.Member("mode", NameOf(observer_.mode()));
    out_.Key("since");
    out_.EpochSeconds(observer_.since());
    out_.Member("seconds", seconds_);
    out_.Key("requests");
    out_.BeginObject();
    out_.Member("attributed", attributed);
    out_.Member("unplanned", totals_.unplanned.requests());
    out_.EndObject();
    out_.Member("readUnits", read_units);
    out_.Member("writeUnits", write_units);
    Maybe(out_, "usdPerMonth", PerMonth(read_units, write_units));
    out_.Member("plannedUsdPerMonth", observer_.plan().usd);
    out_.Member("prices", observer_.plan().prices.effective);
  }

  void Patterns() {
    out_.Key("patterns");
    out_.BeginArray();
    for (PatternId id = 0; id < model_.patterns.size(); ++id) Pattern(id);
    out_.EndArray();
  }

  void Pattern(PatternId id) {
    const PatternTotals& seen = totals_.patterns[id];
    const PatternPlan& plan = observer_.plan().patterns[id];
    const Access* access = observer_.patterns().AccessOf(id);
    out_.BeginObject();
    out_.Member("name", model_.patterns[id].name);
    MaybeText(out_, "operation", access ? NameOf(access->operation) : std::string_view());
    MaybeText(out_, "index", NameOfIndex(model_.patterns[id].index));
    out_.Member("calls", seen.calls);
    out_.Member("pages", seen.pages);
    out_.Member("items", seen.items);
    out_.Member("bytes", seen.bytes);
    out_.Member("readUnits", seen.read_units);
    out_.Member("writeUnits", seen.write_units);
    Latency(seen);
    MaybeTime(out_, "lastSeen", seen.last_seen);
    const double invocations = static_cast<double>(seen.calls) / (access ? access->shards : 1);
    out_.Key("measured");
    out_.BeginObject();
    Maybe(out_, "perSecond", seconds_ > 0 ? std::optional(invocations / seconds_) : std::nullopt);
    Maybe(out_, "readUnits", seen.calls ? std::optional(seen.read_units / invocations) : std::nullopt);
    Maybe(out_, "writeUnits", seen.calls ? std::optional(seen.write_units / invocations) : std::nullopt);
    Maybe(out_, "usdPerMonth", PerMonth(seen.read_units, seen.write_units));
    out_.EndObject();
    out_.Key("planned");
    out_.BeginObject();
    out_.Member("perSecond", model_.patterns[id].rps_avg);
    out_.Member("readUnits", plan.units.read);
    out_.Member("writeUnits", plan.units.write);
    out_.Member("usdPerMonth", plan.usd);
    out_.EndObject();
    out_.EndObject();
  }

  void Latency(const PatternTotals& seen) {
    out_.Key("latency");
    out_.BeginObject();
    out_.Member("averageMicros", seen.requests() ? seen.latency_micros / seen.requests() : 0);
    out_.Member("p50Micros", seen.LatencyQuantile(0.5));
    out_.Member("p99Micros", seen.LatencyQuantile(0.99));
    out_.EndObject();
  }

  void Entities() {
    out_.Key("entities");
    out_.BeginArray();
    for (EntityId id = 0; id < model_.entities.size(); ++id) {
      const model::Entity& entity = model_.entities[id];
      Entity(entity.name, totals_.entities[id], entity.size_assumed ? std::nullopt : std::optional(entity.size_avg));
    }
    Entity("", totals_.strangers, std::nullopt);
    out_.EndArray();
  }

  void Entity(std::string_view name, const EntityTotals& seen, std::optional<double> planned) {
    const auto writes = static_cast<double>(seen.writes());
    out_.BeginObject();
    MaybeText(out_, "name", name);
    out_.Member("puts", seen.puts);
    out_.Member("updates", seen.updates);
    out_.Member("deletes", seen.deletes);
    out_.Member("reads", seen.reads);
    Maybe(out_, "averageBytes",
          seen.writes() ? std::optional(static_cast<double>(seen.bytes_written) / writes) : std::nullopt);
    Maybe(out_, "plannedBytes", planned);
    out_.EndObject();
  }

  void Places() {
    out_.Key("places");
    out_.BeginArray();
    for (PlaceId place = 0; place < totals_.places.size(); ++place) {
      const PlaceTotals& seen = totals_.places[place];
      out_.BeginObject();
      MaybeText(out_, "index", place == 0 ? std::string_view() : std::string_view(model_.indexes[place - 1].name));
      out_.Member("readUnits", seen.read_units);
      out_.Member("writeUnits", seen.write_units);
      Maybe(out_, "usdPerMonth", PerMonth(seen.read_units, seen.write_units));
      HotKeysOf(place);
      out_.EndObject();
    }
    out_.EndArray();
  }

  void HotKeysOf(PlaceId place) {
    const HotKeys::Reading reading = observer_.ledger().ReadHotKeys(place, now_, kHotKeysListed);
    const double seconds = static_cast<double>(now_ - reading.since) / 1e6;
    out_.Key("hotKeys");
    out_.BeginArray();
    for (const HotKey& key : reading.keys) {
      out_.BeginObject();
      out_.Member("key", Printable(key.key));
      out_.Member("readUnits", key.read_units);
      out_.Member("writeUnits", key.write_units);
      out_.Member("over", key.over);
      out_.Member("share", reading.units > 0 ? key.Units() / reading.units : 0.0);
      Maybe(out_, "unitsPerSecond", seconds > 0 ? std::optional(key.Units() / seconds) : std::nullopt);
      out_.EndObject();
    }
    out_.EndArray();
  }

  void Findings() {
    out_.Key("findings");
    out_.BeginArray();
    for (const LiveFinding& finding : FindingsOf(observer_, totals_, now_)) {
      out_.BeginObject();
      out_.Member("rule", finding.rule);
      out_.Member("severity", finding.severity);
      out_.Member("kind", finding.kind);
      MaybeText(out_, "entity", finding.entity ? std::string_view(model_.entities[*finding.entity].name) : "");
      MaybeText(out_, "pattern", finding.pattern ? std::string_view(model_.patterns[*finding.pattern].name) : "");
      MaybeText(out_, "index", NameOfIndex(finding.index));
      MaybeText(out_, "attribute", finding.attribute);
      out_.Member("message", finding.message);
      MaybeText(out_, "example", finding.example);
      out_.Member("count", finding.count);
      out_.Member("refused", finding.refused);
      MaybeTime(out_, "lastSeen", finding.last_seen);
      MaybeText(out_, "accepted", finding.accepted);
      out_.EndObject();
    }
    out_.EndArray();
  }

  void Unplanned() {
    out_.Key("unplanned");
    out_.BeginArray();
    for (const auto& [shape, seen] : totals_.shapes) {
      out_.BeginObject();
      out_.Member("request", shape);
      out_.Member("count", seen.count);
      out_.Member("readUnits", seen.read_units);
      out_.Member("writeUnits", seen.write_units);
      MaybeTime(out_, "lastSeen", seen.last_seen);
      out_.EndObject();
    }
    out_.EndArray();
  }

  const Observer& observer_;
  const Model& model_;
  const Totals totals_;
  const Micros now_;
  const double seconds_;
  json::Writer out_;
};

}  // namespace

void AppendReport(const Observer& observer, std::string& out) { Reporter(observer, out).Report(); }

void AppendSummary(const Observer& observer, std::string& out) { Reporter(observer, out).Summary(); }

}  // namespace keyfold::model
