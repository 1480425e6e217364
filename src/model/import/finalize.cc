#include "model/import/finalize.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/check/check.h"
#include "model/file/load.h"

namespace keyfold::model {
namespace {

constexpr Rule<"this cannot be written as a model: {}"> kDoesNotLoad{"import-load", Kind::kValidation};

bool Has(const Draft& draft, const DraftAccept& accept) {
  return std::any_of(draft.accepted.begin(), draft.accepted.end(), [&](const DraftAccept& each) {
    return each.rule == accept.rule && each.entity == accept.entity && each.pattern == accept.pattern &&
           each.index == accept.index;
  });
}

}  // namespace

Result<std::string> Finalize(Draft draft) {
  std::string text = WriteDraft(draft);
  const std::variant<Model, Unreadable> loaded = Load("imported.yaml", text);
  if (const auto* why = std::get_if<Unreadable>(&loaded)) return kDoesNotLoad(LineOf("imported.yaml", *why));
  for (const Finding& finding : Check(std::get<Model>(loaded))) {
    if (finding.severity != Severity::kError || !finding.accepted.empty()) continue;
    DraftAccept accept{std::string(finding.rule), "found by import: " + finding.Message(), finding.entity,
                       finding.pattern, finding.index};
    if (!Has(draft, accept)) draft.accepted.push_back(std::move(accept));
  }
  return WriteDraft(draft);
}

}  // namespace keyfold::model
