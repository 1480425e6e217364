// Findings about a running table: counted drift, and differences between plan and measurement.
#include <algorithm>
#include <cmath>

#include "model/core/figures.h"
#include "model/observe/report.h"

namespace keyfold::model {
namespace {

constexpr Rule<"no pattern matches this request: {}"> kUnplanned{"live-unplanned", Kind::kValidation};
constexpr Rule<"not seen for {} days: remove the pattern, or find who should call it"> kUnseen{"live-unseen",
                                                                                               Kind::kValidation};
constexpr Rule<"items have {} bytes on average, but are declared with {}"> kSizeDiffers{"live-size", Kind::kValidation};
constexpr Rule<"{} per second, but declared as {}"> kRate{"live-rate", Kind::kValidation};
constexpr Rule<"{} {} units per call, but planned as {}"> kUnitsDiffer{"live-units", Kind::kValidation};

bool IsOff(double measured, double declared) {
  return declared > 0 && (measured > declared * kOffBy || measured * kOffBy < declared);
}

// Used by one thread at a time.
class Finder {
 public:
  Finder(const Observer& observer, const Totals& totals, Micros now)
      : observer_(observer), model_(observer.model()), totals_(totals), now_(now) {}

  std::vector<LiveFinding> Run() {
    for (const DriftTotals& drift : totals_.drifts) AddDrift(drift);
    for (const auto& [shape, seen] : totals_.shapes) AddShape(shape, seen);
    for (PatternId id = 0; id < model_.patterns.size(); ++id) AddPattern(id, totals_.patterns[id]);
    for (EntityId id = 0; id < model_.entities.size(); ++id) AddSize(id, totals_.entities[id]);
    for (LiveFinding& finding : findings_) finding.accepted = ReasonFor(finding);
    return std::move(findings_);
  }

 private:
  LiveFinding& Add(std::string_view rule, std::string_view kind, std::string message) {
    LiveFinding& finding = findings_.emplace_back();
    finding.rule = rule;
    finding.severity = rule == "L49" ? "error" : "warning";
    finding.kind = kind;
    finding.message = std::move(message);
    return finding;
  }

  void AddDrift(const DriftTotals& drift) {
    LiveFinding& finding = Add("L49", NameOf(drift.last.kind), drift.last.message);
    finding.entity = drift.last.entity;
    finding.index = drift.last.index;
    finding.attribute = drift.last.attribute;
    finding.example = drift.example;
    finding.count = drift.count;
    finding.refused = drift.refused;
    finding.last_seen = drift.last_seen;
  }

  void AddShape(const std::string& shape, const ShapeTotals& seen) {
    LiveFinding& finding = Add("L50", "unplanned", kUnplanned(shape).message());
    finding.count = seen.count;
    finding.last_seen = seen.last_seen;
  }

  void AddPattern(PatternId id, const PatternTotals& seen) {
    const Micros quiet = now_ - std::max(seen.last_seen, observer_.since());
    if (quiet >= observer_.unseen_after()) {
      LiveFinding& finding = Add("L50", "unseen", kUnseen(quiet / kDay).message());
      finding.pattern = id;
      finding.last_seen = seen.last_seen;
      return;
    }
    const Access* access = observer_.patterns().AccessOf(id);
    if (!access || seen.calls == 0) return;
    AddUnits(id, *access, seen);
    const double seconds = static_cast<double>(now_ - observer_.since()) / 1e6;
    const double rate = static_cast<double>(seen.calls) / access->shards / seconds;
    const double declared = model_.patterns[id].rps_avg;
    if (now_ - observer_.since() < kRateJudgedAfter || !IsOff(rate, declared)) return;
    LiveFinding& finding = Add("L50", "rate", kRate(NumberText(rate, 3), NumberText(declared, 3)).message());
    finding.pattern = id;
    finding.last_seen = seen.last_seen;
  }

  void AddUnits(PatternId id, const Access& access, const PatternTotals& seen) {
    if (seen.calls < kSizeJudgedAfter) return;
    const Units& planned = observer_.plan().patterns[id].units;
    const double invocations = static_cast<double>(seen.calls) / access.shards;
    const double reads = seen.read_units / invocations, writes = seen.write_units / invocations;
    const bool of_writes = planned.write > 0;
    if (!IsOff(of_writes ? writes : reads, of_writes ? planned.write : planned.read)) return;
    LiveFinding& finding =
        Add("L50", "units",
            kUnitsDiffer(NumberText(of_writes ? writes : reads, 3), std::string_view(of_writes ? "write" : "read"),
                         NumberText(of_writes ? planned.write : planned.read, 3))
                .message());
    finding.pattern = id;
    finding.last_seen = seen.last_seen;
  }

  void AddSize(EntityId id, const EntityTotals& seen) {
    if (seen.writes() < kSizeJudgedAfter) return;
    const Entity& entity = model_.entities[id];
    const double size = static_cast<double>(seen.bytes_written) / static_cast<double>(seen.writes());
    if (entity.size_assumed || !IsOff(size, entity.size_avg)) return;
    Add("L50", "size", kSizeDiffers(NumberText(std::round(size), 3), NumberText(entity.size_avg, 3)).message()).entity =
        id;
  }

  // Matches accepts as `model check` does: names that are absent match everything.
  std::string ReasonFor(const LiveFinding& finding) const {
    for (const Accept& accept : model_.accepted) {
      if (accept.rule == finding.rule && (!accept.entity || accept.entity == finding.entity) &&
          (!accept.pattern || accept.pattern == finding.pattern) && (!accept.index || accept.index == finding.index)) {
        return accept.reason;
      }
    }
    return "";
  }

  const Observer& observer_;
  const Model& model_;
  const Totals& totals_;
  const Micros now_;
  std::vector<LiveFinding> findings_;
};

}  // namespace

std::vector<LiveFinding> FindingsOf(const Observer& observer, const Totals& totals, Micros now) {
  return Finder(observer, totals, now).Run();
}

}  // namespace keyfold::model
