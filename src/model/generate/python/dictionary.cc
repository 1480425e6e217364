#include "model/generate/python/dictionary.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/generate/literal.h"
#include "model/generate/python/values.h"

namespace keyfold::model::python {
namespace {

bool IsMemberName(std::string_view name) {
  return IsPlainIdentifier(name) && !name.starts_with("__") && !HasWord(kReserved, name);
}

std::vector<Field> Those(const std::vector<Field>& fields, bool optional) {
  std::vector<Field> some;
  for (const Field& one : fields)
    if (one.optional == optional) some.push_back(one);
  return some;
}

void WriteClass(const std::string& bases, const std::string& name, const std::string& about,
                const std::vector<Field>& fields, Code& code) {
  code.Add("\n\n");
  code.Open(fmt::format("class {}({}):", name, bases));
  if (!about.empty()) code.Add(fmt::format("r\"\"\"{}\"\"\"", about));
  if (!about.empty() && !fields.empty()) code.Add();
  for (const Field& one : fields) code.Add(one.name + ": " + one.type);
  if (about.empty() && fields.empty()) code.Add("pass");
  code.Close();
}

void WriteCall(const std::string& name, const std::vector<Field>& fields, std::string_view total, Code& code) {
  std::vector<std::string> members;
  for (const Field& one : fields) members.push_back(QuotedText(one.name) + ": " + QuotedText(one.type));
  code.Add("\n\n");
  code.AddList(fmt::format("{} = TypedDict({}, {{", name, QuotedText(name)), members, fmt::format("}}{})", total));
}

}  // namespace

void WriteDictionary(const std::string& name, const std::string& about, const std::vector<Field>& fields, Scope& scope,
                     Code& code) {
  const bool as_class =
      std::all_of(fields.begin(), fields.end(), [](const Field& one) { return IsMemberName(one.name); });
  const std::vector<Field> optional = Those(fields, true);
  if (optional.empty())
    return as_class ? WriteClass("TypedDict", name, about, fields, code) : WriteCall(name, fields, "", code);
  const std::string base = scope.Take('_' + name + "Required");
  if (as_class) {
    WriteClass("TypedDict", base, "", Those(fields, false), code);
    return WriteClass(base + ", total=False", name, about, optional, code);
  }
  const std::string more = scope.Take('_' + name + "Optional");
  WriteCall(base, Those(fields, false), "", code);
  WriteCall(more, optional, ", total=False", code);
  WriteClass(base + ", " + more, name, about, {}, code);
}

}  // namespace keyfold::model::python
