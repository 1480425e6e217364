#include "model_test/acceptance.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "model/check/check.h"

namespace keyfold::model_test {
namespace {

constexpr std::string_view kUntried = "L51";

// Rules on which a pattern can fail: wrong items or a wrong order, stale keys, refused requests.
constexpr std::string_view kFailing[] = {"L01", "L02", "L04", "L05", "L09", "L10", "L13", "L18", "L19",
                                         "L22", "L26", "L27", "L28", "L33", "L35", "L37", "L40"};
// Rules on a sort key on which the order of what a pattern returns is wrong.
constexpr std::string_view kMisordering[] = {"L07", "L10"};
// Rules on which the items of a sample overwrite each other.
constexpr std::string_view kOverwriting[] = {"L03", "L10", "L52"};

template <size_t N>
bool IsAmong(const std::string_view (&rules)[N], std::string_view rule) {
  return std::find(std::begin(rules), std::end(rules), rule) != std::end(rules);
}

bool Concerns(const model::Pattern& pattern, model::EntityId entity) {
  const auto is = [&](const model::Action& action) { return action.entity == entity; };
  return std::find(pattern.entities.begin(), pattern.entities.end(), entity) != pattern.entities.end() ||
         std::any_of(pattern.actions.begin(), pattern.actions.end(), is);
}

}  // namespace

Acceptance::Acceptance(const model::Model& model) : model_(model), findings_(model::Check(model)) {}

bool Acceptance::MayShareKeys(model::EntityId a, model::EntityId b) const {
  const std::string& later = model_.entities[std::max(a, b)].name;
  const std::string& earlier = model_.entities[std::min(a, b)].name;
  return std::any_of(findings_.begin(), findings_.end(), [&](const model::Finding& one) {
    const bool meant = !one.accepted.empty() || (one.rule == "L03" && one.severity == model::Severity::kInfo);
    return meant && IsAmong(kOverwriting, one.rule) && one.entity == later &&
           one.related == (a == b ? std::string_view() : std::string_view(earlier));
  });
}

bool Acceptance::Matches(const model::Accept& accept, model::PatternId pattern) const {
  const model::Pattern& declared = model_.patterns[pattern];
  return accept.rule == kUntried && (!accept.pattern || accept.pattern == pattern) &&
         (!accept.index || accept.index == declared.index) && (!accept.entity || Concerns(declared, *accept.entity));
}

bool Acceptance::MayReturn(model::PatternId pattern, model::EntityId entity) const {
  const std::string& name = model_.entities[entity].name;
  return std::any_of(findings_.begin(), findings_.end(), [&](const model::Finding& one) {
    return one.rule == "L04" && one.severity == model::Severity::kInfo &&
           one.pattern == model_.patterns[pattern].name && (one.entity == name || one.related == name);
  });
}

// Returns true if the finding is about the pattern's items, or about the sort key that gives them their order.
bool Acceptance::Explains(const model::Finding& one, const PatternTrial& trial) const {
  const model::Pattern& pattern = model_.patterns[trial.pattern];
  if (!one.pattern.empty()) return one.pattern == pattern.name && IsAmong(kFailing, one.rule);
  const std::string index = pattern.index ? model_.indexes[*pattern.index].name : "";
  const auto is = [&](model::EntityId id) { return model_.entities[id].name == one.entity; };
  return IsAmong(kMisordering, one.rule) && trial.misordered == trial.faults_count && one.index == index &&
         std::any_of(pattern.entities.begin(), pattern.entities.end(), is);
}

std::string Acceptance::ReasonFor(const PatternTrial& trial) const {
  if (trial.right()) return "";
  if (trial.faults_count == 0 && trial.unserved.empty()) {
    for (const model::Accept& accept : model_.accepted) {
      if (Matches(accept, trial.pattern)) return std::string(kUntried) + ": " + accept.reason;
    }
    return "";
  }
  for (const model::Finding& one : findings_) {
    if (!one.accepted.empty() && Explains(one, trial)) return std::string(one.rule) + ": " + one.accepted;
  }
  return "";
}

std::vector<std::string> Acceptance::Unmatched(const std::vector<PatternTrial>& trials) const {
  std::vector<std::string> notes;
  for (const model::Accept& accept : model_.accepted) {
    const bool matches = std::any_of(trials.begin(), trials.end(), [&](const PatternTrial& trial) {
      return !trial.untried.empty() && Matches(accept, trial.pattern);
    });
    if (accept.rule == kUntried && !matches)
      notes.push_back("Line " + std::to_string(accept.mark.line) +
                      " accepts L51, but every pattern that it names was tried; remove it.");
  }
  return notes;
}

}  // namespace keyfold::model_test
