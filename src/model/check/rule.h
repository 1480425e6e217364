// A rule of `keyfold model check`: what it is called, why it is there, a model that breaks it and one that keeps it,
// and the function that looks. Rows of the tables in check/*.cc; `explain`, SARIF and the tests read the same rows.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/core/model.h"
#include "model/finding/finding.h"

namespace keyfold::model::check {

class Subject;

// Where a finding stands, in the model's own ids.
struct Place {
  Mark mark;
  std::optional<EntityId> entity = {};
  std::optional<PatternId> pattern = {};
  std::optional<IndexId> index = {};
  std::optional<EntityId> related = {};
};

// Collects what the rules find. One thread at a time; views the Model.
class Report {
 public:
  explicit Report(const Model& model) : model_(model) {}

  // `says` is made by a Rule whose id is the lint's.
  void Add(Severity, const Place&, const Error& says, std::string example = "");
  // Two entities: the later one is the finding's, the other `related`.
  void AddPair(Severity, Place, EntityId a, EntityId b, const Error& says, std::string example = "");

  std::vector<Finding> Take() { return std::move(findings_); }

 private:
  const Model& model_;
  std::vector<Finding> findings_;
};

struct LintRule {
  std::string_view id;
  Severity severity;  // the gravest it reports
  std::string_view title;
  std::string_view why;
  std::string_view fix;
  std::string_view bad;                              // a model
  std::string_view good;                             // the same, mended
  void (*check)(const Subject&, Report&) = nullptr;  // nothing: only seen on a live table
};

// All, in the order of their ids.
std::vector<const LintRule*> LintRules();
// Whatever the case of its letter; nullptr: there is none.
const LintRule* FindLintRule(std::string_view id);

// The tables, one of each file.
extern const std::span<const LintRule> kKeyRules;
extern const std::span<const LintRule> kServedRules;
extern const std::span<const LintRule> kResultRules;
extern const std::span<const LintRule> kWasteRules;
extern const std::span<const LintRule> kHeatRules;
extern const std::span<const LintRule> kIndexRules;
extern const std::span<const LintRule> kWriteRules;
extern const std::span<const LintRule> kDesignRules;

}  // namespace keyfold::model::check
