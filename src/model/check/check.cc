#include "model/check/check.h"

#include <algorithm>

#include "model/check/rule.h"
#include "model/check/subject.h"

namespace keyfold::model {
namespace check {
namespace {

constexpr Wording<"No finding of {} matches this accept.", "Remove it, or correct the names in it."> kUnmatched{"L00"};

bool Matches(const Model& model, const Accept& accept, const Finding& finding) {
  if (accept.rule != finding.rule) return false;
  if (accept.pattern && model.patterns[*accept.pattern].name != finding.pattern) return false;
  if (accept.index && model.indexes[*accept.index].name != finding.index) return false;
  if (!accept.entity) return true;
  const std::string& entity = model.entities[*accept.entity].name;
  return entity == finding.entity || entity == finding.related;
}

// Returns true if a server or `model test` reports the rule's findings.
bool IsFoundElsewhere(std::string_view id) {
  const LintRule* rule = FindLintRule(id);
  return rule != nullptr && rule->bad.empty();
}

// Marks the findings that the file accepts. An accept that matches no finding is itself a finding.
void ApplyAccepts(const Model& model, std::vector<Finding>& findings) {
  Report unmatched(model);
  for (const Accept& accept : model.accepted) {
    bool matched = false;
    for (Finding& one : findings) {
      if (!Matches(model, accept, one)) continue;
      matched = true;
      if (one.accepted.empty()) one.accepted = accept.reason;
    }
    const Place place{accept.mark, accept.entity, accept.pattern, accept.index, {}};
    if (!matched && !IsFoundElsewhere(accept.rule)) unmatched.Add(Severity::kWarning, place, kUnmatched(accept.rule));
  }
  for (Finding& one : unmatched.Take()) findings.push_back(std::move(one));
}

}  // namespace

void Report::Add(Severity severity, const Place& place, Advice says, std::string example) {
  Finding& one = findings_.emplace_back();
  one.rule = says.rule;
  one.severity = severity;
  one.mark = place.mark;
  if (place.entity) one.entity = model_.entities[*place.entity].name;
  if (place.pattern) one.pattern = model_.patterns[*place.pattern].name;
  if (place.index) one.index = model_.indexes[*place.index].name;
  if (place.related) one.related = model_.entities[*place.related].name;
  one.problem = std::move(says.problem);
  one.remedy = std::move(says.remedy);
  one.example = std::move(example);
}

void Report::AddPair(Severity severity, Place place, EntityId a, EntityId b, Advice says, std::string example) {
  place.entity = std::max(a, b);
  place.related = std::min(a, b);
  Add(severity, place, std::move(says), std::move(example));
}

std::vector<const LintRule*> LintRules() {
  std::vector<const LintRule*> all;
  for (const auto& table :
       {kKeyRules, kServedRules, kResultRules, kWasteRules, kHeatRules, kIndexRules, kWriteRules, kDesignRules}) {
    for (const LintRule& rule : table) all.push_back(&rule);
  }
  std::sort(all.begin(), all.end(), [](const LintRule* a, const LintRule* b) { return a->id < b->id; });
  return all;
}

const LintRule* FindLintRule(std::string_view id) {
  std::string wanted(id);
  if (!wanted.empty() && wanted[0] == 'l') wanted[0] = 'L';
  for (const LintRule* rule : LintRules()) {
    if (rule->id == wanted) return rule;
  }
  return nullptr;
}

}  // namespace check

std::vector<Finding> Check(const Model& model) {
  using namespace check;  // NOLINT: the rules and what they look at
  const Subject subject(model);
  Report report(model);
  for (const LintRule* rule : LintRules()) {
    if (rule->check != nullptr) rule->check(subject, report);
  }
  std::vector<Finding> findings = report.Take();
  SortFindings(findings);
  ApplyAccepts(model, findings);
  SortFindings(findings);
  return findings;
}

}  // namespace keyfold::model
