// A rule of `keyfold model check`: its name, the reason for it, a model that breaks it and one that keeps it, and the
// function that checks it. The rules are rows of the tables in check/*.cc; `explain`, SARIF and the tests read the same
// rows.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/core/model.h"
#include "model/finding/finding.h"
#include "model/finding/wording.h"

namespace keyfold::model::check {

class Subject;

// Location of a finding, by the model's ids.
struct Place {
  Mark mark;
  std::optional<EntityId> entity = {};
  std::optional<PatternId> pattern = {};
  std::optional<IndexId> index = {};
  std::optional<EntityId> related = {};
};

// Collects findings. Used by one thread at a time. Views the Model.
class Report {
 public:
  explicit Report(const Model& model) : model_(model) {}

  // `says` comes from a Wording whose id is that of the lint rule.
  void Add(Severity, const Place&, Advice says, std::string example = "");
  // The finding belongs to the later one of the two entities; the other is `related`.
  void AddPair(Severity, Place, EntityId a, EntityId b, Advice says, std::string example = "");

  std::vector<Finding> Take() { return std::move(findings_); }

 private:
  const Model& model_;
  std::vector<Finding> findings_;
};

struct LintRule {
  std::string_view id;
  Severity severity;  // the highest one it reports
  std::string_view title;
  std::string_view why;
  std::string_view fix;
  std::string_view bad;                              // a model that breaks the rule
  std::string_view good;                             // the same model, corrected
  void (*check)(const Subject&, Report&) = nullptr;  // null if the rule applies only to live tables
};

// All rules, in the order of their ids.
std::vector<const LintRule*> LintRules();
// Ignores the case of the id's letter. Returns nullptr if there is no such rule.
const LintRule* FindLintRule(std::string_view id);

// The rule tables, one per file.
extern const std::span<const LintRule> kKeyRules;
extern const std::span<const LintRule> kServedRules;
extern const std::span<const LintRule> kResultRules;
extern const std::span<const LintRule> kWasteRules;
extern const std::span<const LintRule> kHeatRules;
extern const std::span<const LintRule> kIndexRules;
extern const std::span<const LintRule> kWriteRules;
extern const std::span<const LintRule> kDesignRules;

}  // namespace keyfold::model::check
