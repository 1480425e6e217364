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

}  // namespace keyfold::model::check
