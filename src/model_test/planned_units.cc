#include "model_test/planned_units.h"

#include <algorithm>

#include "model/core/calendar.h"
#include "model/estimate/units.h"
#include "value/number.h"

namespace keyfold::model_test {
namespace {

using model::SortRange;

const model::PlanRules kRules;

int CompareKeys(model::StoredType type, const std::string& a, const std::string& b) {
  if (type != model::StoredType::kN) return a.compare(b);
  const Result<Number> left = Number::Parse(a);
  const Result<Number> right = Number::Parse(b);
  return left.ok() && right.ok() ? Number::Compare(*left, *right) : a.compare(b);
}

// Computes one request of a read. Used by one thread at a time.
class RowsRead {
 public:
  RowsRead(const SampleTable& samples, const model::Access& access, const model::KeyRead& read,
           const model::InputValues& values, uint32_t shard, std::string_view bucket)
      : samples_(samples), access_(access), read_(read), values_(values), shard_(shard), bucket_(bucket) {}

  double Bytes(std::optional<uint64_t> limit) const {
    double bytes = 0;
    for (const SampleEntry* row : Rows(limit)) bytes += static_cast<double>(ItemSize(*row->In(read_.index)));
    return bytes;
  }

  // Units for the items that DynamoDB reads from the table for a query of a local index, each on its own.
  double FetchUnits(std::optional<uint64_t> limit, model::Consistency consistency) const {
    double units = 0;
    if (!access_.fetches) return units;
    for (const SampleEntry* row : Rows(limit))
      units += model::ReadUnits(kRules, static_cast<double>(ItemSize(row->row)), consistency);
    return units;
  }

 private:
  std::vector<const SampleEntry*> Rows(std::optional<uint64_t> limit) const {
    std::vector<const SampleEntry*> rows;
    for (const auto& [unused, at] : samples_.rows()) {
      const SampleEntry& entry = samples_.entries()[at];
      if (entry.In(read_.index) != nullptr && Covers(entry.item)) rows.push_back(&entry);
    }
    if (limit && rows.size() > *limit) {
      std::sort(rows.begin(), rows.end(),
                [this](const SampleEntry* a, const SampleEntry* b) { return Before(*a, *b); });
      rows.resize(*limit);
    }
    return rows;
  }

  std::optional<std::string> TextOf(const model::Formula& formula) const {
    const auto input = [this](std::string_view name) {
      const auto it = values_.find(name);
      return it == values_.end() ? std::nullopt : std::optional(it->second);
    };
    return model::Evaluate(formula, {input, shard_, bucket_, samples_.now_ms()});
  }

  bool Covers(const model::SampleItem& item) const {
    for (const auto* parts : {&read_.partition, &read_.sort}) {
      for (const model::KeyPart& part : *parts) {
        const model::ItemAttribute* value = Find(item, part.attribute);
        const std::optional<std::string> wanted = TextOf(part.value);
        if (value == nullptr || !wanted || CompareKeys(value->type, value->text, *wanted) != 0) return false;
      }
    }
    return read_.range.op == SortRange::Op::kNone || InRange(item);
  }

  bool InRange(const model::SampleItem& item) const {
    const SortRange& range = read_.range;
    const model::ItemAttribute* value = Find(item, range.attribute);
    const std::optional<std::string> low = TextOf(range.low);
    if (value == nullptr || !low) return false;
    const int order = CompareKeys(value->type, value->text, *low);
    switch (range.op) {
      case SortRange::Op::kBeginsWith:
        return value->text.starts_with(*low);
      case SortRange::Op::kBetween:
        return order >= 0 && CompareKeys(value->type, value->text, TextOf(range.high).value_or("")) <= 0;
      case SortRange::Op::kLess:
        return order < 0;
      case SortRange::Op::kLessEqual:
        return order <= 0;
      case SortRange::Op::kGreater:
        return order > 0;
      default:
        return order >= 0;
    }
  }

  bool Before(const SampleEntry& a, const SampleEntry& b) const {
    for (const std::string& name : samples_.model().SortKey(read_.index)) {
      const model::ItemAttribute* left = Find(a.item, name);
      const model::ItemAttribute* right = Find(b.item, name);
      const int order = CompareKeys(left->type, left->text, right->text);
      if (order != 0) return access_.forward ? order < 0 : order > 0;
    }
    return false;
  }

  const SampleTable& samples_;
  const model::Access& access_;
  const model::KeyRead& read_;
  const model::InputValues& values_;
  const uint32_t shard_;
  const std::string_view bucket_;
};

std::vector<std::string> BucketsOf(const model::Access& access, const model::InputValues& values, int64_t now_ms) {
  if (!access.buckets) return {""};
  const auto text = [&](const model::Operand& bound) -> std::string {
    if (bound.kind == model::Operand::Kind::kNow) return model::NowAs(model::AttributeType::kTime, now_ms);
    const auto it = values.find(bound.text);
    return bound.kind != model::Operand::Kind::kInput ? bound.text : it == values.end() ? "" : it->second;
  };
  return model::Buckets(access.buckets->format, text(access.buckets->from), text(access.buckets->to),
                        model::kBucketsMax)
      .value_or(std::vector<std::string>());
}

bool SameKey(const model::Index& index, const Item& a, const Item& b) {
  for (const model::KeySide* side : {&index.pk, &index.sk}) {
    for (const std::string& name : *side) {
      if (a.Find(name) != b.Find(name)) return false;
    }
  }
  return true;
}

double EntryUnits(const Item* before, const Item* after, bool same_key, double factor) {
  const double old_bytes = before != nullptr ? static_cast<double>(ItemSize(*before)) : 0;
  const double new_bytes = after != nullptr ? static_cast<double>(ItemSize(*after)) : 0;
  const auto units = [&](double bytes) { return model::WriteUnits(kRules, bytes, false) * factor; };
  if (before != nullptr && after != nullptr && !same_key) return units(old_bytes) + units(new_bytes);
  return units(std::max(old_bytes, new_bytes));
}

}  // namespace

std::optional<double> PlannedReadUnits(const SampleTable& samples, const model::Access& access,
                                       const model::CallInputs& call) {
  const model::Pattern& pattern = samples.model().patterns[access.pattern];
  const bool range = access.operation == model::Operation::kQuery || access.operation == model::Operation::kScan;
  if (range && pattern.limit && !access.filter.empty()) return {};
  if (access.operation == model::Operation::kScan) return {};
  double units = 0;
  if (range) {
    for (const std::string& bucket : BucketsOf(access, call.values, samples.now_ms())) {
      for (uint32_t shard = 0; shard < access.shards; ++shard) {
        const RowsRead rows(samples, access, access.read(), call.values, shard, bucket);
        units += model::ReadUnits(kRules, rows.Bytes(pattern.limit), pattern.consistent) +
                 rows.FetchUnits(pattern.limit, pattern.consistent);
      }
    }
    return units;
  }
  const bool transaction = access.operation == model::Operation::kTransactGetItems;
  const model::Consistency consistency = transaction ? model::Consistency::kTransactional : pattern.consistent;
  for (size_t i = 0; i < access.reads.size(); ++i) {
    std::vector<model::InputValues> elements = {{}};
    if (i < call.elements.size() && !call.elements[i].empty()) elements = call.elements[i];
    for (model::InputValues& values : elements) {
      values.insert(call.values.begin(), call.values.end());
      units +=
          model::ReadUnits(kRules, RowsRead(samples, access, access.reads[i], values, 0, "").Bytes({}), consistency);
    }
  }
  return units;
}

double PlannedWriteUnits(const model::Model& model, const SampleEntry* before, const SampleEntry* after,
                         bool transactional) {
  const Item* old_row = before != nullptr ? &before->row : nullptr;
  const Item* new_row = after != nullptr ? &after->row : nullptr;
  double units = EntryUnits(old_row, new_row, true, transactional ? kRules.transactional_factor : 1);
  for (model::IndexId id = 0; id < model.indexes.size(); ++id) {
    const Item* left = before != nullptr ? before->In(id) : nullptr;
    const Item* right = after != nullptr ? after->In(id) : nullptr;
    const bool unchanged = left != nullptr && right != nullptr && left->view() == right->view();
    if ((left == nullptr && right == nullptr) || unchanged) continue;
    const bool same_key = left != nullptr && right != nullptr && SameKey(model.indexes[id], *left, *right);
    units += EntryUnits(left, right, same_key, transactional ? kRules.index_transactional_factor : 1);
  }
  return units;
}

}  // namespace keyfold::model_test
