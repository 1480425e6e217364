#include "model/estimate/pattern_estimate.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/core/calendar.h"
#include "model/core/figures.h"
#include "model/estimate/entry_estimate.h"
#include "model/estimate/units.h"

namespace keyfold::model {
namespace {

constexpr double kNearStep = 0.1;  // fraction of a step
constexpr size_t kPlannedBucketsMax = 10'000;

// Used by one thread at a time.
class PatternEstimator {
 public:
  PatternEstimator(const Model& model, const Coverage& coverage, const Population& population, ItemCounts& counts,
                   const PlanRules& rules, PatternEstimate& out)
      : model_(model),
        coverage_(coverage),
        population_(population),
        counts_(counts),
        rules_(rules),
        pattern_(model.patterns[out.pattern]),
        out_(out) {}

  void Run() {
    const Access* access = out_.access();
    if (access == nullptr) return;
    if (access->operation == Operation::kQuery || access->operation == Operation::kScan) {
      AddQuery(*access);
    } else if (pattern_.Reads()) {
      AddItemReads(*access);
    } else {
      AddWrites(*access);
    }
    for (const UnitLine& line : out_.lines) (line.write ? out_.units.write : out_.units.read) += line.units;
  }

 private:
  const Entity& EntityOf(EntityId id) const { return model_.entities[id]; }
  double Avg(EntityId id) const { return EntityOf(id).size_avg; }
  double Max(EntityId id) const { return std::max(Avg(id), EntityOf(id).size_max.value_or(0)); }

  double BytesAvg(EntityId id, std::optional<IndexId> index) const {
    if (!index) return Avg(id);
    return pattern_.Reads() && pattern_.entry_size ? *pattern_.entry_size : population_.EntryBytes(*index, id);
  }
  // An index entry with more than keys is assumed to grow in proportion to its item.
  double BytesMax(EntityId id, std::optional<IndexId> index) const {
    if (!index) return Max(id);
    const double avg = BytesAvg(id, index);
    return model_.indexes[*index].project == Project::kKeys ? avg : avg * Max(id) / Avg(id);
  }

  void WarnNearStep(EntityId id, double step, std::string_view what) {
    const double left = Steps(Avg(id), step) * step - Avg(id);
    if (left > kNearStep * step || Avg(id) <= 0) return;
    out_.warnings.push_back(fmt::format("{} items of {} are {} below a {} KB step: a little more takes another {} unit",
                                        EntityOf(id).name, BytesText(Avg(id)), left < 1 ? "just" : BytesText(left),
                                        NumberText(step / 1024, 0), what));
  }

  void AddItemReads(const Access& access) {
    const bool transactional = access.operation == Operation::kTransactGetItems;
    const Consistency consistency = transactional ? Consistency::kTransactional : pattern_.consistent;
    const bool batch = access.operation == Operation::kBatchGetItem;
    for (const KeyRead& read : access.reads) {
      const double items = batch ? pattern_.returns_items.value_or(1) : 1;
      for (const EntityId id : read.wanted) {
        const double units = ReadUnits(rules_, Avg(id), consistency);
        ReadPart& part = out_.volume.parts.emplace_back(ReadPart{.entity = id, .items = items, .item_bytes = Avg(id)});
        if (batch && !pattern_.returns_items) {
          part.doubt = "the number of keys is not known, and one is assumed";
          out_.warnings.push_back(part.doubt + "; declare returns.items");
        }
        out_.volume.items += items;
        out_.volume.bytes += items * Avg(id);
        out_.lines.push_back({&kReadItem,
                              false,
                              {},
                              id,
                              items * units,
                              fmt::format("{} x {} of {}", NumberText(items), BytesText(Avg(id)), EntityOf(id).name)});
        out_.units_at_max.read += items * ReadUnits(rules_, Max(id), consistency);
        WarnNearStep(id, rules_.read_unit_bytes, "read");
      }
    }
    out_.pages = 1;
    out_.calls = batch ? std::max({1.0, Steps(out_.volume.items, rules_.batch_get_items_max),
                                   Steps(out_.volume.bytes, rules_.batch_get_bytes_max)})
                       : 1;
  }

  // The number of calendar buckets that are read.
  double BucketsRead(const Access& access) {
    if (!access.buckets) return 1;
    const BucketRange& range = *access.buckets;
    if (range.from.IsLiteral() && range.to.IsLiteral()) {
      const auto texts = Buckets(range.format, range.from.text, range.to.text, kPlannedBucketsMax);
      return texts && !texts->empty() ? static_cast<double>(texts->size()) : 1;
    }
    out_.warnings.push_back(
        fmt::format("one bucket of {} is planned; bounds that cross into the next read another", range.attribute));
    return 1;
  }

  struct Reading {
    double units = 0;  // for one key
    double pages = 1;  // requests for that key
  };
  // Units and pages for one key's share of the bytes.
  Reading ReadKey(double bytes, double items) const {
    const double by_bytes = std::max(1.0, Steps(bytes, rules_.page_bytes));
    if (!pattern_.paginate) return {ReadUnits(rules_, std::min(bytes, rules_.page_bytes), pattern_.consistent), 1};
    const double by_limit = pattern_.limit ? Steps(items, static_cast<double>(*pattern_.limit)) : 1;
    const double pages = std::max(by_bytes, by_limit);
    // Full pages and a remainder, each rounded up. Pages cut by a limit all have the same size.
    if (by_limit > by_bytes) return {pages * ReadUnits(rules_, bytes / pages, pattern_.consistent), pages};
    const double rest = bytes - (pages - 1) * rules_.page_bytes;
    return {(pages - 1) * ReadUnits(rules_, rules_.page_bytes, pattern_.consistent) +
                ReadUnits(rules_, rest, pattern_.consistent),
            pages};
  }

  void AddQuery(const Access& access) {
    const KeyRead& read = access.read();
    const bool query = access.operation == Operation::kQuery;
    std::vector<Coverage::Covered> covered = coverage_.Of(read);
    const double buckets = BucketsRead(access);
    const double requests = access.shards * buckets;
    const auto avg = [this](EntityId id, std::optional<IndexId> index) { return BytesAvg(id, index); };
    out_.volume = ReadVolumes(model_, population_, counts_).Of(pattern_, access, covered, buckets, avg);
    if (query) out_.covered = std::move(covered);
    const double bytes = out_.volume.bytes / requests;
    const Reading reading = ReadKey(bytes, out_.volume.items / requests);
    out_.pages = std::max(1.0, Steps(bytes, rules_.page_bytes));
    out_.pages_max = std::max(out_.pages, Steps(out_.volume.bytes_max / requests, rules_.page_bytes));
    out_.calls = requests * reading.pages;
    out_.lines.push_back(
        {&kReadQuery, false, read.index, read.wanted.empty() ? EntityId{0} : read.wanted[0], requests * reading.units,
         requests > 1 ? fmt::format("{} x ({})", NumberText(requests), VolumeText(requests)) : VolumeText(1)});
    double bytes_at_max = 0;
    for (const ReadPart& part : out_.volume.parts) bytes_at_max += part.items * BytesMax(part.entity, read.index);
    out_.units_at_max.read = requests * ReadKey(bytes_at_max / requests, out_.volume.items / requests).units;
    for (const ReadPart& part : out_.volume.parts) AddFetch(read, part, bytes);
    if (!pattern_.paginate && bytes > rules_.page_bytes) {
      out_.warnings.push_back(fmt::format(
          "reads {}, but one request returns at most 1 MB: add paginate: all, or a limit", BytesText(bytes)));
    }
    for (const ReadPart& part : out_.volume.parts) NotePart(part);
    FindLargest(requests);
  }

  // Returns true if the caller uses an attribute that the entries of a local index do not hold.
  bool FetchesItems(const KeyRead& read, EntityId id) const {
    if (!read.index || !model_.indexes[*read.index].local || !pattern_.needs) return false;
    return std::any_of(pattern_.needs->begin(), pattern_.needs->end(), [&](const std::string& name) {
      return EntityOf(id).Find(name) != nullptr && !HoldsValue(model_, model_.indexes[*read.index], EntityOf(id), name);
    });
  }

  void AddFetch(const KeyRead& read, const ReadPart& part, double bytes) {
    if (!FetchesItems(read, part.entity)) return;
    const double share = pattern_.paginate ? 1 : std::min(1.0, rules_.page_bytes / std::max(1.0, bytes));
    const double items = share * part.items;
    const double bytes_avg = Avg(part.entity);
    out_.lines.push_back({&kReadFetch,
                          false,
                          {},
                          part.entity,
                          items * ReadUnits(rules_, bytes_avg, pattern_.consistent),
                          fmt::format("{} x {} of {}, from the table", NumberText(items), BytesText(bytes_avg),
                                      EntityOf(part.entity).name)});
    out_.units_at_max.read += items * ReadUnits(rules_, Max(part.entity), pattern_.consistent);
  }

  // "20 x 600 B of Order + 1,000 B of User"
  std::string VolumeText(double requests) const {
    std::string text;
    for (const ReadPart& part : out_.volume.parts) {
      if (!text.empty()) text += " + ";
      text += fmt::format("{} x {} of {}", NumberText(part.items / requests), BytesText(part.item_bytes),
                          EntityOf(part.entity).name);
    }
    return text;
  }

  void NotePart(const ReadPart& part) {
    if (!part.doubt.empty()) out_.warnings.push_back(fmt::format("{}; declare {}", part.doubt, part.remedy));
    if (!part.wanted && out_.volume.bytes > 0) {
      out_.warnings.push_back(fmt::format("{} % of the bytes are {}, which it does not ask for",
                                          NumberText(100 * part.bytes() / out_.volume.bytes, 0),
                                          EntityOf(part.entity).name));
    }
  }

  // Finds the entity whose largest collection reads the most bytes, with the other entities at their average.
  void FindLargest(double requests) {
    for (const ReadPart& part : out_.volume.parts) {
      if (!part.items_max || *part.items_max <= part.items) continue;
      LargestRead largest{part.entity, *part.items_max, part.item_bytes, 0, 1, 0};
      largest.bytes = out_.volume.bytes + (*part.items_max - part.items) * part.item_bytes;
      if (out_.largest && out_.largest->bytes >= largest.bytes) continue;
      const double bytes = largest.bytes / requests;
      largest.pages = std::max(1.0, Steps(bytes, rules_.page_bytes));
      largest.read_units = requests * ReadKey(bytes, *part.items_max / requests).units;
      out_.largest = largest;
    }
  }

  void AddWrites(const Access& access) {
    const bool transactional = access.operation == Operation::kTransactWriteItems;
    double actions = 0;
    for (const Write& write : access.writes) {
      const double times = write.times;
      actions += times;
      const EntityId id = write.entity;
      out_.lines.push_back({&kWriteItem,
                            true,
                            {},
                            id,
                            times * WriteUnits(rules_, Avg(id), transactional),
                            fmt::format("{} x {} of {}{}", NumberText(times), BytesText(Avg(id)), EntityOf(id).name,
                                        transactional ? ", doubled" : "")});
      out_.units_at_max.write += times * WriteUnits(rules_, Max(id), transactional);
      WarnNearStep(id, rules_.write_unit_bytes, "write");
      for (const IndexEffect& effect : write.effects) AddEffect(write, effect, transactional);
    }
    out_.pages = 0;
    out_.calls = access.operation == Operation::kBatchWriteItem ? Steps(actions, rules_.batch_write_items_max) : 1;
  }

  void AddEffect(const Write& write, const IndexEffect& effect, bool transactional) {
    constexpr std::string_view kWords[] = {"enters", "leaves", "changes its key in", "changes in"};
    const double writes = (effect.kind == IndexEffect::Kind::kMoves ? 2 : 1) * write.times *
                          (transactional ? rules_.index_transactional_factor : 1);
    const double bytes = BytesAvg(write.entity, effect.index);
    out_.lines.push_back(
        {&kWriteIndex, true, effect.index, write.entity, writes * WriteUnits(rules_, bytes, false),
         fmt::format("{} {} {}: {} x {}", EntityOf(write.entity).name, kWords[static_cast<size_t>(effect.kind)],
                     model_.indexes[effect.index].name, NumberText(writes), BytesText(bytes))});
    out_.units_at_max.write += writes * WriteUnits(rules_, BytesMax(write.entity, effect.index), false);
  }

  const Model& model_;
  const Coverage& coverage_;
  const Population& population_;
  ItemCounts& counts_;
  const PlanRules& rules_;
  const Pattern& pattern_;
  PatternEstimate& out_;
};

}  // namespace

PatternEstimate EstimatePattern(const Model& model, PatternId id, const Coverage& coverage,
                                const Population& population, ItemCounts& counts, const PlanRules& rules) {
  PatternEstimate estimate;
  estimate.pattern = id;
  estimate.compiled = Compile(model, id);
  PatternEstimator(model, coverage, population, counts, rules, estimate).Run();
  return estimate;
}

}  // namespace keyfold::model
