#include "model/generate/python/dictionary.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/generate/literal.h"
#include "model/generate/python/values.h"

namespace keyfold::model::python {
namespace {

bool IsMemberName(std::string_view name) {
  return IsPlainIdentifier(name) && !name.starts_with("__") && !HasWord(ReservedIn(Place::kMember), name);
}

std::string TypeOfField(const Field& one) { return one.optional ? "NotRequired[" + one.type + ']' : one.type; }

}  // namespace

void WriteDictionary(const std::string& name, const std::string& about, const std::vector<Field>& fields, Code& code) {
  const bool as_class =
      std::all_of(fields.begin(), fields.end(), [](const Field& one) { return IsMemberName(one.name); });
  code.Add("\n\n");
  if (!as_class) {
    std::vector<std::string> members;
    for (const Field& one : fields) members.push_back(QuotedText(one.name) + ": " + TypeOfField(one));
    code.Add(fmt::format("# {}", about));
    return code.AddList(fmt::format("{} = TypedDict({}, {{", name, QuotedText(name)), members, "})");
  }
  code.Open(fmt::format("class {}(TypedDict):", name));
  code.Add(fmt::format("r\"\"\"{}\"\"\"", about));
  if (!fields.empty()) code.Add();
  for (const Field& one : fields) code.Add(one.name + ": " + TypeOfField(one));
  code.Close();
}

}  // namespace keyfold::model::python
