// keyfold model explain: a rule of check, the reason for it, a model that breaks it with the findings of check, and the
// same model corrected.
#include <fmt/format.h>

#include <variant>

#include "cli/model/commands.h"
#include "cli/model/prose.h"
#include "cli/shell/options.h"
#include "model/check/check.h"
#include "model/check/rule.h"
#include "model/file/load.h"

namespace keyfold::cli {
namespace {

using model::check::LintRule;

std::string Indented(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    out.append("    ").append(text.substr(0, end)).append("\n");
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return out;
}

// The findings of this rule for the bad model.
std::string FindingsOf(const LintRule& rule) {
  auto loaded = model::Load("bad.yaml", std::string(rule.bad));
  const auto* read = std::get_if<model::Model>(&loaded);
  if (read == nullptr) return "";
  std::string out;
  for (const model::Finding& one : model::Check(*read)) {
    if (one.rule != rule.id) continue;
    out += fmt::format("    line {}: {}\n", one.mark.line, one.Message());
    if (!one.example.empty()) out += fmt::format("    example: {}\n", one.example);
  }
  return out;
}

void Explain(const LintRule& rule, terminal::Console& console) {
  PrintProse(fmt::format("{} ({}): {}\n\n{}\n\n{} {}\n", console.Painted(terminal::Paint::kBold, rule.id),
                         NameOf(rule.severity), rule.title, rule.why, console.Painted(terminal::Paint::kBold, "Fix:"),
                         rule.fix),
             console);
  if (rule.bad.empty()) return;
  console.Print(fmt::format("\nReported:\n\n{}\n", Indented(rule.bad)));
  PrintProse(FindingsOf(rule), console);
  console.Print(fmt::format("\nMended:\n\n{}", Indented(rule.good)));
}

void ListRules(terminal::Console& console) {
  for (const LintRule* rule : model::check::LintRules()) {
    console.Print(fmt::format("{}  {:<7}  {}\n", console.Painted(terminal::Paint::kBold, rule->id),
                              NameOf(rule->severity), rule->title));
  }
}

}  // namespace

int RunModelExplain(const Arguments& arguments, terminal::Console& console) {
  std::vector<std::string> ids;
  OptionParser parser("keyfold model explain", "Explains a rule of check and how to fix its findings");
  parser.Texts("RULE", ids, "A rule such as L04; without it, all rules are listed");
  if (const std::optional<int> code = parser.Parse(arguments, console)) return *code;
  if (ids.empty()) ListRules(console);
  for (const std::string& id : ids) {
    const LintRule* rule = model::check::FindLintRule(id);
    if (rule == nullptr) {
      const std::string why = fmt::format("there is no rule {}; run explain without a rule to list all", id);
      return RefuseUsage("keyfold model explain", why, console);
    }
    if (&id != &ids.front()) console.Print("\n");
    Explain(*rule, console);
  }
  return kExitOk;
}

}  // namespace keyfold::cli
