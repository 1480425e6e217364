#include "model/estimate/read_volume.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/core/figures.h"

namespace keyfold::model {
namespace {

// The attributes whose values a formula contains whole. The last piece of a range's bound is not a value but a limit.
void AddGivenNames(const Formula& formula, std::string_view except, std::vector<std::string_view>& out) {
  for (const Piece& piece : formula.pieces) {
    const bool attribute = piece.origin != nullptr && KeyTerms::IsTerm(*piece.origin);
    if (piece.kind == Piece::Kind::kInput && attribute && piece.origin->text != except)
      out.push_back(piece.origin->text);
  }
}

bool IsLiteralEqual(const Pattern& pattern, std::string_view attribute) {
  return std::any_of(pattern.where.all.begin(), pattern.where.all.end(), [&](const Comparison& one) {
    return one.comparator == Comparator::kEqual && one.path == attribute && one.right.IsLiteral();
  });
}

bool IsAlike(const TemplatePart& a, const TemplatePart& b) {
  if (a.kind != b.kind || a.format != b.format) return false;
  return !a.IsLiteral() || a.text == b.text;
}

// Scales the wanted entities to `items` in total, in their current proportions.
void SetWanted(std::vector<ReadPart>& parts, double items) {
  double sum = 0;
  for (const ReadPart& part : parts) sum += part.wanted ? part.items : 0;
  for (ReadPart& part : parts) {
    if (!part.wanted || sum <= 0) continue;
    part.items *= items / sum;
    part.doubt.clear();
  }
}

void ApplyLimit(std::vector<ReadPart>& parts, double limit) {
  double sum = 0;
  for (const ReadPart& part : parts) sum += part.items;
  // A single entity is assumed to fill the limit; several are only capped at it.
  if (sum <= 0 || (parts.size() > 1 && sum <= limit)) return;
  for (ReadPart& part : parts) {
    part.items *= limit / sum;
    part.doubt.clear();
    if (part.items_max) part.items_max = std::min(*part.items_max, limit);
  }
}

}  // namespace

std::string ReadVolumes::NamesOf(const Terms& terms) const {
  std::vector<std::string> names;
  for (const Term term : terms) names.push_back(population_.terms().TextOf(term));
  return Listed(names);
}

// A clause that says what the model does not.
std::string ReadVolumes::DoubtOf(EntityId id, const Terms& given, const ItemCount& count) const {
  if (count.basis == ItemCount::Basis::kKnown) return {};
  const std::string& entity = model_.entities[id].name;
  if (count.basis == ItemCount::Basis::kAtMost) {
    const bool calendar = !count.open.empty() && population_.terms().IsCalendar(count.open[0]);
    return fmt::format("how many {} {} {} is not known, so up to {} are counted", entity,
                       calendar ? "are in one" : "have one value of", NamesOf(count.open), NumberText(count.avg));
  }
  const std::string same = NamesOf(given);
  if (same.empty()) return fmt::format("how many {} there are is not known, and one is assumed", entity);
  return fmt::format("how many {} have the same {} is not known, and one is assumed", entity, same);
}

ReadPart ReadVolumes::ScannedPart(const KeyRead& read, EntityId id) const {
  ReadPart part{.entity = id};
  const std::optional<double> count = population_.Count(id);
  part.items = count.value_or(1) * (read.index ? population_.ShareIn(*read.index, id) : 1);
  if (!count) part.doubt = DoubtOf(id, {}, {.basis = ItemCount::Basis::kUnknown});
  part.remedy = "count";
  return part;
}

ReadVolumes::SortBound ReadVolumes::BoundBySort(const Pattern& pattern, const KeyRead& read) const {
  SortBound bound;
  for (const KeyPart& part : read.sort) AddGivenNames(part.value, {}, bound.names);
  const bool prefix = read.range.op == SortRange::Op::kBeginsWith && read.range.of.empty();
  if (prefix || !read.range.of.empty()) AddGivenNames(read.range.low, read.range.of, bound.names);
  const Entity& entity = model_.entities[read.wanted[0]];
  const auto given = [&](const TemplatePart& part) {
    if (!KeyTerms::IsTerm(part) || std::count(bound.names.begin(), bound.names.end(), part.text) > 0) return true;
    return read.wanted.size() == 1 && IsLiteralEqual(pattern, part.text);
  };
  for (const std::string& attribute : model_.SortKey(read.index)) {
    const std::vector<TemplatePart>& parts = entity.FindKey(attribute)->value.parts;
    const auto end = std::find_if_not(parts.begin(), parts.end(), given);
    bound.parts.push_back(static_cast<size_t>(end - parts.begin()));
    if (end != parts.end()) break;
  }
  return bound;
}

// The entity's attributes of which the request gives the values: all of its partition key, and of its sort key as much
// as it has in common with the wanted entity's.
Terms ReadVolumes::GivenBy(const KeyRead& read, const SortBound& bound, EntityId id) const {
  const KeyTerms& terms = population_.terms();
  const Entity& entity = model_.entities[id];
  const Entity& wanted = model_.entities[read.wanted[0]];
  Terms given = terms.Of(model_.PartitionKey(read.index), entity);
  const KeySide& side = model_.SortKey(read.index);
  for (size_t i = 0; i < bound.parts.size(); ++i) {
    const std::vector<TemplatePart>& own = entity.FindKey(side[i])->value.parts;
    const std::vector<TemplatePart>& theirs = wanted.FindKey(side[i])->value.parts;
    size_t at = 0;
    for (; at < bound.parts[i] && at < own.size() && IsAlike(own[at], theirs[at]); ++at) {
      if (KeyTerms::IsTerm(own[at])) given.push_back(terms.Of(own[at]));
    }
    if (at < theirs.size()) break;
  }
  KeyTerms::Sort(given);
  return given;
}

// The share of the items that the request reads, if it reads one shard.
double ReadVolumes::ShareOfShards(const Access& access, EntityId id, const Terms& given) const {
  const Entity& entity = model_.entities[id];
  if (access.shards > 1 || population_.terms().FixesShard(given, entity)) return 1;
  return 1.0 / ShardsIn(entity, model_.PartitionKey(access.read().index));
}

ReadPart ReadVolumes::QueriedPart(const Pattern& pattern, const Access& access, const SortBound& bound, EntityId id,
                                  double buckets) {
  const KeyRead& read = access.read();
  const Terms given = GivenBy(read, bound, id);
  const ItemCount count = counts_.Of(id, given, read.index);
  const double share = ShareOfShards(access, id, given);
  ReadPart part{.entity = id};
  part.items =
      share * std::min(count.avg * buckets, std::max(count.avg, count.all_times.value_or(count.avg * buckets)));
  if (count.max) part.items_max = std::max(share * *count.max, part.items);
  part.doubt = DoubtOf(id, given, count);
  const bool wanted = std::find(read.wanted.begin(), read.wanted.end(), id) != read.wanted.end();
  part.remedy = wanted ? "limit, returns.items, per or cardinality" : "per or cardinality";
  const bool ranges = !read.range.of.empty() && !access.buckets && part.items > 1;
  if (part.doubt.empty() && ranges && !pattern.returns_items) {
    part.doubt = fmt::format("how many {} are in the range of {} is not known, so all {} are counted",
                             model_.entities[id].name, read.range.of, NumberText(part.items));
    part.remedy = "limit or returns.items";
  }
  return part;
}

ReadVolume ReadVolumes::Of(const Pattern& pattern, const Access& access, const std::vector<Coverage::Covered>& covered,
                           double buckets, const BytesOf& bytes_of) {
  const KeyRead& read = access.read();
  const bool scan = read.partition.empty();
  const SortBound bound = scan ? SortBound() : BoundBySort(pattern, read);
  ReadVolume volume;
  for (const Coverage::Covered& one : covered) {
    ReadPart part = scan ? ScannedPart(read, one.entity) : QueriedPart(pattern, access, bound, one.entity, buckets);
    part.wanted = std::find(read.wanted.begin(), read.wanted.end(), one.entity) != read.wanted.end();
    part.item_bytes = bytes_of(one.entity, read.index);
    volume.parts.push_back(std::move(part));
  }
  if (pattern.returns_items) SetWanted(volume.parts, *pattern.returns_items);
  // With paginate, the limit applies to each page, and all pages are read.
  if (pattern.limit && !pattern.paginate) ApplyLimit(volume.parts, static_cast<double>(*pattern.limit));
  for (const ReadPart& part : volume.parts) {
    volume.items += part.items;
    volume.bytes += part.bytes();
    volume.bytes_max += std::max(part.items, part.items_max.value_or(0)) * part.item_bytes;
  }
  return volume;
}

}  // namespace keyfold::model
