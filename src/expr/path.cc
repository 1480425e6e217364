// Resolves a document path in an item, in place, and prints it as DynamoDB's messages do.
#include "expr/path.h"

namespace keyfold::expr {

std::optional<ValueView> Path::Resolve(ItemView item) const {
  std::optional<ValueView> value = item.Find(root);
  for (const PathStep& step : steps) {
    if (!value || value->type() != (step.is_index ? Type::kL : Type::kM)) return std::nullopt;
    value = step.is_index ? value->At(step.index) : value->Find(step.name);
  }
  return value;
}

std::string Path::ToString() const {
  std::string out = "[" + root;
  for (const PathStep& step : steps) {
    out += ", ";
    out += step.is_index ? "[" + std::to_string(step.index) + "]" : step.name;
  }
  return out + "]";
}

}  // namespace keyfold::expr
