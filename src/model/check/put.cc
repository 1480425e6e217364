#include "model/check/put.h"

#include <algorithm>

namespace keyfold::model::check {

bool IsInBaseKey(const Subject& subject, EntityId id, std::string_view attribute) {
  for (const KeySide* side : {&subject.model().table.pk, &subject.model().table.sk}) {
    for (const std::string& name : *side) {
      if (name == attribute) return true;
      for (const TemplatePart& part : subject.entity(id).FindKey(name)->value.parts) {
        if (part.kind == TemplatePart::Kind::kAttribute && part.text == attribute) return true;
      }
    }
  }
  return false;
}

bool PutsAreNew(const Subject& subject, EntityId id) {
  bool put = false;
  for (const Pattern& pattern : subject.model().patterns) {
    for (const Action& action : pattern.actions) {
      if (action.verb != Verb::kPut || action.entity != id) continue;
      put = true;
      const std::vector<Comparison>& all = action.condition.all;
      const bool is_new = action.if_new || std::any_of(all.begin(), all.end(), [&](const Comparison& one) {
                            return one.comparator == Comparator::kMissing && IsInBaseKey(subject, id, one.path);
                          });
      if (!is_new) return false;
    }
  }
  return put;
}

bool ShareNames(const Subject& subject, EntityId a, EntityId b) {
  return a != b && PutsAreNew(subject, a) && PutsAreNew(subject, b) && subject.coverage().CollisionOf(a, b);
}

namespace {

// Returns true if the entity is below the other one, in the same partition.
bool BelongsTo(const Subject& subject, EntityId id, EntityId ancestor) {
  const std::vector<Per>& all = subject.entity(id).per;
  const PartitionGroups& groups = subject.estimate().groups();
  return groups.At(id, {}) == groups.At(ancestor, {}) && std::any_of(all.begin(), all.end(), [&](const Per& per) {
           return per.parent && (*per.parent == ancestor || BelongsTo(subject, *per.parent, ancestor));
         });
}

}  // namespace

bool IsOfOtherKind(const Subject& subject, PatternId pattern, EntityId id) {
  const std::vector<EntityId>& wanted = subject.pattern(pattern).entities;
  const bool below_wanted =
      std::any_of(wanted.begin(), wanted.end(), [&](EntityId one) { return BelongsTo(subject, id, one); });
  for (EntityId other = 0; other < subject.model().entities.size() && !below_wanted; ++other) {
    if (other != id && !BelongsTo(subject, id, other)) continue;
    if (std::any_of(wanted.begin(), wanted.end(), [&](EntityId one) { return ShareNames(subject, one, other); }))
      return true;
  }
  return false;
}

}  // namespace keyfold::model::check
