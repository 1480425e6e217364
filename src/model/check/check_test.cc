// Tests of the rules: case files with complete models and exactly the findings they must yield (tests/model/check), the
// models that `explain` shows, clean models of many domains (tests/model/clean), and designs from well-known articles
// (tests/model/seeds).
#include "model/check/check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include "json/document.h"
#include "model/check/rule.h"
#include "model/check/sarif.h"
#include "model/finding/baseline.h"
#include "testing/base/repository.h"
#include "testing/model/model.h"

namespace keyfold::model {
namespace {

std::filesystem::path CasesFolder() { return RepositoryPath("tests/model"); }

std::string TextOfFile(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// A case is "=== name", then the expected findings of the file's rule, one per line, then "---" and the model.
struct CheckCase {
  std::string name;
  std::vector<std::string> expected;
  std::string model;
};

std::vector<CheckCase> ReadCases(const std::string& text) {
  std::vector<CheckCase> cases;
  std::istringstream in(text);
  bool in_model = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("=== ")) {
      cases.emplace_back().name = line.substr(4);
      in_model = false;
    } else if (line == "---") {
      in_model = true;
    } else if (!cases.empty() && in_model) {
      cases.back().model += line + '\n';
    } else if (!cases.empty() && !line.empty()) {
      cases.back().expected.push_back(line);
    }
  }
  return cases;
}

// "error entity=User related=Order pattern=p index=GSI1". Names that the finding does not have are left out.
std::string DescribeFinding(const Finding& one) {
  std::string text(NameOf(one.severity));
  const auto add = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) text += " " + std::string(name) + "=" + value;
  };
  add("entity", one.entity);
  add("related", one.related);
  add("pattern", one.pattern);
  add("index", one.index);
  return text;
}

// The expectation may end in " :: a part of the message or example".
bool Meets(const Finding& one, const std::string& expected) {
  const size_t at = expected.find(" :: ");
  if (DescribeFinding(one) != expected.substr(0, at)) return false;
  if (at == std::string::npos) return true;
  const std::string part = expected.substr(at + 4);
  return one.Message().find(part) != std::string::npos || one.example.find(part) != std::string::npos;
}

std::vector<Finding> AllFindings(const Model& model, std::string_view rule) {
  std::vector<Finding> findings = Check(model);
  std::erase_if(findings, [&](const Finding& one) { return one.rule != rule; });
  return findings;
}

std::string ListOf(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& one : findings)
    text += std::string(one.rule) + " " + DescribeFinding(one) + " :: " + one.Message() + " :: " + one.example + "\n";
  return text;
}

void RunCase(const std::string& rule, const CheckCase& one) {
  SCOPED_TRACE(rule + ": " + one.name);
  const Model model = LoadForTest(one.model);
  const std::vector<Finding> findings = AllFindings(model, rule);
  EXPECT_EQ(findings.size(), one.expected.size()) << ListOf(findings);
  for (const std::string& expected : one.expected) {
    const bool met =
        std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) { return Meets(finding, expected); });
    EXPECT_TRUE(met) << expected << "\nnot among:\n" << ListOf(findings);
  }
}

TEST(Check, Cases) {
  // The models that `explain` shows count as cases too: one that breaks each rule and one that keeps it.
  std::map<std::string, std::pair<int, int>> counts;
  for (const check::LintRule* rule : check::LintRules()) {
    if (!rule->bad.empty()) counts[std::string(rule->id)] = {1, 1};
  }
  for (const auto& entry : std::filesystem::directory_iterator(CasesFolder() / "check")) {
    if (entry.path().extension() != ".cases") continue;
    const std::string rule = entry.path().stem();
    ASSERT_TRUE(counts.contains(rule)) << rule;
    for (const CheckCase& one : ReadCases(TextOfFile(entry.path()))) {
      RunCase(rule, one);
      ++(one.expected.empty() ? counts[rule].second : counts[rule].first);
    }
  }
  for (const auto& [rule, count] : counts) {
    EXPECT_GE(count.first, 2) << rule << " has too few models that break it";
    EXPECT_GE(count.second, 2) << rule << " has too few models that keep it";
  }
}

TEST(Check, ExplainedModels) {
  for (const check::LintRule* rule : check::LintRules()) {
    if (rule->bad.empty()) continue;
    SCOPED_TRACE(rule->id);
    const std::vector<Finding> bad = AllFindings(LoadForTest(std::string(rule->bad)), rule->id);
    EXPECT_FALSE(bad.empty());
    const Model good = LoadForTest(std::string(rule->good));
    EXPECT_EQ(ListOf(AllFindings(good, rule->id)), "");
    for (const Finding& one : Check(good)) EXPECT_NE(one.severity, Severity::kError) << ListOf({one});
    for (const Finding& one : bad) {
      EXPECT_GT(one.mark.line, 0u);
      EXPECT_GT(one.mark.column, 0u);
      for (const std::string& sentence : {one.problem, one.remedy}) {
        EXPECT_TRUE(sentence.size() > 1 && sentence.ends_with('.')) << ListOf({one});
        EXPECT_FALSE(sentence.ends_with("..")) << ListOf({one});
      }
    }
  }
}

TEST(Check, AllRulesExist) {
  const std::vector<const check::LintRule*> rules = check::LintRules();
  ASSERT_EQ(rules.size(), 54u);
  for (size_t i = 0; i < rules.size(); ++i) {
    EXPECT_EQ(rules[i]->id, (i < 10 ? "L0" : "L") + std::to_string(i));
    EXPECT_FALSE(rules[i]->title.empty() || rules[i]->why.empty() || rules[i]->fix.empty()) << rules[i]->id;
  }
  EXPECT_EQ(check::FindLintRule("l04")->id, "L04");
  EXPECT_EQ(check::FindLintRule("L99"), nullptr);
}

TEST(Check, CleanModels) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(CasesFolder() / "clean")) {
    SCOPED_TRACE(entry.path().filename());
    ++files;
    for (const Finding& one : Check(LoadForTest(TextOfFile(entry.path()))))
      EXPECT_EQ(one.severity, Severity::kInfo) << ListOf({one});
  }
  EXPECT_GE(files, 10);
}

TEST(Check, ShopHasNoErrors) {
  for (const Finding& one : Check(LoadForTest(ExampleText("shop.yaml"))))
    EXPECT_NE(one.severity, Severity::kError) << ListOf({one});
}

// Files in tests/model/seeds start with "# finds RULE FINDING" lines: all errors, and the warnings the design is known
// for.
TEST(Check, SeedDesigns) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(CasesFolder() / "seeds")) {
    SCOPED_TRACE(entry.path().filename());
    ++files;
    const std::string text = TextOfFile(entry.path());
    const std::vector<Finding> findings = Check(LoadForTest(text));
    std::istringstream in(text);
    size_t errors = 0;
    for (std::string line; std::getline(in, line);) {
      if (!line.starts_with("# finds ")) continue;
      const std::string rule = line.substr(8, 3);
      const std::string reported = line.substr(12);
      errors += reported.starts_with("error");
      const bool met = std::any_of(findings.begin(), findings.end(),
                                   [&](const Finding& one) { return one.rule == rule && Meets(one, reported); });
      EXPECT_TRUE(met) << line << "\nnot among:\n" << ListOf(findings);
    }
    const auto is_error = [](const Finding& one) { return one.severity == Severity::kError; };
    EXPECT_EQ(static_cast<size_t>(std::count_if(findings.begin(), findings.end(), is_error)), errors)
        << ListOf(findings);
  }
  EXPECT_EQ(files, 5);
}

constexpr char kTwoFindings[] =
    "model: 1\ntable: {name: Tab, key: {pk: PK, sk: SK}}\nentities:\n"
    "  A: {keys: {PK: \"A#{id}\", SK: \"{n}-{m}\"}, attributes: {id: string, n: number, m: number}}\n";

TEST(Accept, MarksAndCounts) {
  const Model model =
      LoadForTest(std::string(kTwoFindings) +
                  "accept:\n  - {rule: L07, reason: old data, entity: A}\n  - {rule: L13, reason: gone}\n");
  const std::vector<FileFindings> files{{"m.yaml", model.text, Check(model)}};
  const Summary sum = Summarize(files);
  EXPECT_EQ(sum.errors, 0u) << ListOf(files[0].findings);
  EXPECT_EQ(sum.warnings, 1u);  // the accept that matches no finding
  EXPECT_GE(sum.accepted, 1u);
  const std::string json = FindingsJson(files);
  EXPECT_NE(json.find("\"accepted\":\"old data\""), std::string::npos) << json;
  EXPECT_NE(json.find("\"rule\":\"L00\""), std::string::npos) << json;
}

// Findings of a server and of `model test` are not known here, so their accepts cannot be stale.
TEST(Accept, OfFindingsThatCheckDoesNotMake) {
  const Model model = LoadForTest(std::string(kTwoFindings) +
                                  "accept:\n  - {rule: L49, reason: old}\n  - {rule: L51, reason: rare}\n"
                                  "  - {rule: L52, reason: gone}\n");
  const std::vector<Finding> stale = AllFindings(model, "L00");
  ASSERT_EQ(stale.size(), 1u) << ListOf(stale);
  EXPECT_NE(stale[0].problem.find("L52"), std::string::npos) << ListOf(stale);
}

TEST(Baseline, ReportsOnlyWhatIsNew) {
  const Model before = LoadForTest(kTwoFindings);
  std::vector<FileFindings> files{{"m.yaml", before.text, Check(before)}};
  ASSERT_FALSE(files[0].findings.empty());
  std::optional<Baseline> baseline = Baseline::Read(Baseline::Write(files));
  ASSERT_TRUE(baseline.has_value());
  // The same model two lines further down, with one more entity.
  const Model after =
      LoadForTest("# one\n# two\n" + std::string(kTwoFindings) +
                  "  B: {keys: {PK: \"B#{id}\", SK: \"X#{at}\"}, attributes: {id: string, at: time}}\n");
  FileFindings now{"m.yaml", after.text, Check(after)};
  baseline->Remove(now);
  ASSERT_EQ(now.findings.size(), 1u) << ListOf(now.findings);
  EXPECT_EQ(now.findings[0].rule, "L08");
  EXPECT_FALSE(Baseline::Read("[]").has_value());
  EXPECT_FALSE(Baseline::Read("{\"findings\":[]}").has_value());
}

TEST(Findings, Text) {
  const Model model =
      LoadForTest(ModelText("{A: {keys: {PK: \"A#{id}\", SK: \"E#{at}\"}, attributes: {id: string, at: time}}}"));
  const std::vector<FileFindings> files{{"m.yaml", model.text, AllFindings(model, "L08")}};
  EXPECT_EQ(
      FindingsText(files, [](Severity, std::string_view word) { return "<" + std::string(word) + ">"; }),
      "m.yaml:4:42: <error> L08: SK of A has the time at without a format, so its precision depends on the writer. "
      "Write {at|iso_s} or {at|iso_ms}.\n"
      "    entities: {A: {keys: {PK: \"A#{id}\", SK: \"E#{at}\"}, attributes: {id: string, at: time}}}\n"
      "                                             ^\n"
      "    example: 2024-01-15T10:30:29Z sorts after 2024-01-15T10:30:29.017Z\n"
      "\n1 model: 1 error, 0 warnings, 0 infos\n");
  EXPECT_EQ(FindingsText(
                files, [](Severity, std::string_view word) { return "\x1b[31m" + std::string(word) + "\x1b[0m"; }, 60),
            "m.yaml:4:42: \x1b[31merror\x1b[0m L08: SK of A has the time at without a\n"
            "    format, so its precision depends on the writer.\n"
            "    Write {at|iso_s} or {at|iso_ms}.\n"
            "    ...keys: {PK: \"A#{id}\", SK: \"E#{at}\"}, attributes: {id: \n"
            "                                 ^\n"
            "    example: 2024-01-15T10:30:29Z sorts after\n    2024-01-15T10:30:29.017Z\n"
            "\n1 model: 1 error, 0 warnings, 0 infos\n");
}

TEST(Findings, JsonAndSarif) {
  const Model model = LoadForTest(kTwoFindings);
  const std::vector<FileFindings> files{{"dir/a b.yaml", model.text, Check(model)}};
  json::Parser parser;
  const auto json = parser.Parse(FindingsJson(files));
  ASSERT_TRUE(json.has_value());
  for (const json::Member& member : json->members()) {
    if (member.name != "findings") continue;
    EXPECT_EQ(member.value.CountElements(), files[0].findings.size());
    for (const json::Value& one : member.value.elements()) {
      std::vector<std::string> names;
      for (const json::Member& field : one.members()) names.emplace_back(field.name);
      for (const char* name : {"rule", "severity", "entity", "pattern", "index", "message", "problem", "remedy",
                               "example", "file", "line"})
        EXPECT_TRUE(std::find(names.begin(), names.end(), name) != names.end()) << name;
    }
  }
  const std::string sarif = FindingsSarif(files);
  EXPECT_TRUE(parser.Parse(sarif).has_value());
  for (const char* part : {"\"version\":\"2.1.0\"", "\"uri\":\"dir/a%20b.yaml\"", "\"ruleId\":\"L07\"",
                           "\"primaryLocationLineHash\":", "\"level\":\"error\"", "\"help\":"})
    EXPECT_NE(sarif.find(part), std::string::npos) << part;
}

}  // namespace
}  // namespace keyfold::model
