// Prometheus samples of all observers. Labels come only from model files, so their number is bounded by what those
// declare.
#include <fmt/format.h>

#include <functional>
#include <iterator>
#include <map>

#include "model/observe/report.h"

namespace keyfold::model {
namespace {

// A label value, quoted as Prometheus requires.
std::string LabelValue(std::string_view text) {
  std::string out = "\"";
  for (const char c : Printable(text)) {
    if (c == '"' || c == '\\') out.push_back('\\');
    out.push_back(c);
  }
  return out + "\"";
}

std::string TableLabel(const Observer& observer) { return "TableName=" + LabelValue(observer.model().table.name); }

// Used by one thread at a time.
class MetricsWriter {
 public:
  MetricsWriter(std::span<const Observer* const> observers, std::string& out) : observers_(observers), out_(out) {
    for (const Observer* observer : observers) totals_.push_back(observer->ledger().Read());
  }

  void Run() {
    ByPattern("keyfold_model_requests_total", "Requests of a pattern",
              [](const PatternTotals& t) { return static_cast<double>(t.requests()); });
    ByPattern("keyfold_model_read_units_total", "Read units of a pattern",
              [](const PatternTotals& t) { return t.read_units; });
    ByPattern("keyfold_model_write_units_total", "Write units of a pattern",
              [](const PatternTotals& t) { return t.write_units; });
    ByPattern("keyfold_model_items_total", "Items that a pattern returned or wrote",
              [](const PatternTotals& t) { return static_cast<double>(t.items); });
    ByEntity("keyfold_model_items_written_total", "Items written of an entity",
             [](const EntityTotals& t) { return static_cast<double>(t.writes()); });
    ByEntity("keyfold_model_items_read_total", "Items read of an entity",
             [](const EntityTotals& t) { return static_cast<double>(t.reads); });
    Drifts();
    Latency();
  }

 private:
  void Head(std::string_view name, std::string_view help, std::string_view type) {
    fmt::format_to(std::back_inserter(out_), "# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
  }
  void Sample(std::string_view name, std::string_view labels, double value) {
    fmt::format_to(std::back_inserter(out_), "{}{{{}}} {}\n", name, labels, value);
  }

  // Requests that match no pattern have the pattern label "".
  void EachPattern(const std::function<void(const std::string& labels, const PatternTotals&)>& take) {
    for (size_t i = 0; i < observers_.size(); ++i) {
      const Model& model = observers_[i]->model();
      const std::string table = TableLabel(*observers_[i]);
      for (PatternId id = 0; id < model.patterns.size(); ++id) {
        take(table + ",Pattern=" + LabelValue(model.patterns[id].name), totals_[i].patterns[id]);
      }
      take(table + ",Pattern=\"\"", totals_[i].unplanned);
    }
  }

  void ByPattern(std::string_view name, std::string_view help, double (*value)(const PatternTotals&)) {
    Head(name, help, "counter");
    EachPattern([&](const std::string& labels, const PatternTotals& totals) { Sample(name, labels, value(totals)); });
  }

  void ByEntity(std::string_view name, std::string_view help, double (*value)(const EntityTotals&)) {
    Head(name, help, "counter");
    for (size_t i = 0; i < observers_.size(); ++i) {
      const Model& model = observers_[i]->model();
      const std::string table = TableLabel(*observers_[i]);
      for (EntityId id = 0; id < model.entities.size(); ++id) {
        Sample(name, table + ",Entity=" + LabelValue(model.entities[id].name), value(totals_[i].entities[id]));
      }
      Sample(name, table + ",Entity=\"\"", value(totals_[i].strangers));
    }
  }

  void Drifts() {
    constexpr std::string_view kName = "keyfold_model_drift_total";
    Head(kName, "Written items that drift from the model", "counter");
    for (size_t i = 0; i < observers_.size(); ++i) {
      const Model& model = observers_[i]->model();
      std::map<std::string, uint64_t> counts;  // summed over indexes
      for (const DriftTotals& drift : totals_[i].drifts) {
        const std::string entity = drift.last.entity ? model.entities[*drift.last.entity].name : "";
        counts[TableLabel(*observers_[i]) + ",Entity=" + LabelValue(entity) +
               ",Kind=" + LabelValue(NameOf(drift.last.kind))] += drift.count;
      }
      for (const auto& [labels, count] : counts) Sample(kName, labels, static_cast<double>(count));
    }
  }

  void Latency() {
    constexpr std::string_view kName = "keyfold_model_latency_seconds";
    Head(kName, "Seconds from request to response", "histogram");
    EachPattern([&](const std::string& labels, const PatternTotals& totals) {
      if (totals.requests() == 0) return;
      const auto to = std::back_inserter(out_);
      uint64_t below = 0;
      for (size_t b = 0; b < kLatencyBounds.size(); ++b) {
        below += totals.latency[b];
        fmt::format_to(to, "{}_bucket{{{},le=\"{}\"}} {}\n", kName, labels,
                       static_cast<double>(kLatencyBounds[b]) / 1e6, below);
      }
      below += totals.latency.back();
      fmt::format_to(to, "{}_bucket{{{},le=\"+Inf\"}} {}\n", kName, labels, below);
      fmt::format_to(to, "{}_sum{{{}}} {}\n", kName, labels, static_cast<double>(totals.latency_micros) / 1e6);
      fmt::format_to(to, "{}_count{{{}}} {}\n", kName, labels, below);
    });
  }

  std::span<const Observer* const> observers_;
  std::vector<Totals> totals_;
  std::string& out_;
};

}  // namespace

void AppendMetrics(std::span<const Observer* const> observers, std::string& out) {
  MetricsWriter(observers, out).Run();
}

}  // namespace keyfold::model
