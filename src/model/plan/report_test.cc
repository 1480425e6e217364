#include "model/plan/report.h"

#include <gtest/gtest.h>

#include "json/document.h"
#include "model/check/check.h"
#include "testing/model/model.h"

namespace keyfold::model {
namespace {

Plan PlanForTest(const Model& model) { return MakePlan(model, *BuiltInPrices("us-east-1"), {false, 1790000000000}); }

std::string NamesOf(json::Value object) {
  std::string names;
  for (const json::Member member : object.members()) names += (names.empty() ? "" : " ") + std::string(member.name);
  return names;
}

json::Value FirstOf(json::Value document, std::string_view name) {
  return *json::Find(document, name)->elements().begin();
}

// Programs depend on these member names: removing one breaks them.
TEST(PlanJson, HasItsMembers) {
  const Model model = LoadForTest(ExampleText("shop.yaml"));
  const Plan plan = PlanForTest(model);
  json::Parser parser;
  const PlannedFile file{&plan, nullptr};
  const std::optional<json::Value> document = parser.Parse(PlanJson({&file, 1}));
  ASSERT_TRUE(document);
  EXPECT_EQ(
      NamesOf(*document),
      "file table patterns total modes capacity classes storage collections heat indexes alternatives remarks rules "
      "prices");
  const struct {
    const char* of;
    const char* members;
  } kRows[] = {
      {"patterns",
       "name operation index calls pages pagesMax items bytes readUnits writeUnits usdPerMonth rps rpsPeak readUnitsAtMaxSize "
       "writeUnitsAtMaxSize largest request unserved trace charges warnings"},
      {"modes", "mode usdPerMonth writeBlocks readBlocks breakEvenUtilization rule charges"},
      {"capacity", "index readUnits writeUnits readUnitsMax writeUnitsMax rule"},
      {"classes", "class billing usdPerMonth storageUsdPerMonth rule"},
      {"storage", "index items bytes bytesIn1Year bytesIn3Years rule"},
      {"collections",
       "index key entities partitions counted items bytes bytesIn1Year bytesIn3Years bytesMax pagesMax rule"},
      {"heat",
       "index key entities values hottestShare declared shards minimumShards readUnitsPerSecond writeUnitsPerSecond "
       "readHeat writeHeat rule"},
      {"indexes",
       "name usdPerMonth writeUsdPerMonth readUsdPerMonth storageUsdPerMonth writeUnitsPerMonth readUnitsPerMonth "
       "patterns rule"},
      {"alternatives", "kind subject cheapest savesUsdPerMonth rule options"},
      {"remarks", "kind text rule"},
  };
  for (const auto& row : kRows) EXPECT_EQ(NamesOf(FirstOf(*document, row.of)), row.members) << row.of;
  EXPECT_EQ(NamesOf(*json::Find(*document, "total")),
            "usdPerMonth storageUsdPerMonth backupUsdPerMonth allUsdPerMonth readUnitsPerMonth writeUnitsPerMonth "
            "billing class freeTier rule charges");
  EXPECT_EQ(NamesOf(*json::Find(FirstOf(*document, "patterns"), "request")),
            "text keyCondition filter names values forward shards limit token");
}

// Every rule and price row that a line names is in the document.
TEST(PlanJson, TracesNumbersToRulesAndPriceRows) {
  const Model model = LoadForTest(ExampleText("shop.yaml"));
  const Plan plan = PlanForTest(model);
  const PlannedFile file{&plan, nullptr};
  json::Parser parser;
  const std::optional<json::Value> document = parser.Parse(PlanJson({&file, 1}));
  ASSERT_TRUE(document);
  const json::Value rules = *json::Find(*document, "rules");
  const json::Value rows = *json::Find(*json::Find(*document, "prices"), "rows");
  size_t lines = 0;
  for (const json::Value pattern : json::Find(*document, "patterns")->elements()) {
    double units = 0;
    for (const json::Value line : json::Find(pattern, "trace")->elements()) {
      units += json::Find(line, "units")->AsDouble();
      EXPECT_TRUE(json::Find(rules, json::Find(line, "rule")->AsString()));
      ++lines;
    }
    EXPECT_NEAR(units, json::Find(pattern, "readUnits")->AsDouble() + json::Find(pattern, "writeUnits")->AsDouble(),
                1e-6);
    double usd = 0;
    for (const json::Value charge : json::Find(pattern, "charges")->elements()) {
      usd += json::Find(charge, "usd")->AsDouble();
      bool found = false;
      for (const json::Value row : rows.elements()) {
        found = found || json::Find(row, "usage_type")->AsString() == json::Find(charge, "price")->AsString();
      }
      EXPECT_TRUE(found) << json::Find(charge, "price")->AsString();
    }
    EXPECT_NEAR(usd, json::Find(pattern, "usdPerMonth")->AsDouble(), 1e-6);
  }
  EXPECT_GT(lines, 22u);
}

TEST(PlanJson, AnUnservedPatternHasNoOperation) {
  const Model model = LoadForTest(
      ModelText("{A: {keys: {PK: 'A#{id}', SK: A}, attributes: {id: string, x: string}}}", "{p: {get: A, by: [x]}}"));
  const Plan plan = PlanForTest(model);
  const PlannedFile file{&plan, nullptr};
  json::Parser parser;
  const std::optional<json::Value> document = parser.Parse(PlanJson({&file, 1}));
  ASSERT_TRUE(document);
  const json::Value pattern = FirstOf(*document, "patterns");
  EXPECT_TRUE(json::Find(pattern, "operation")->is_null());
  EXPECT_TRUE(json::Find(pattern, "request")->is_null());
  EXPECT_TRUE(json::Find(pattern, "unserved")->is_string());
}

TEST(PlanJson, SeveralFilesFormOneDocument) {
  const Model model = LoadForTest(ExampleText("shop.yaml"));
  const Plan plan = PlanForTest(model);
  const PlannedFile files[] = {{&plan, nullptr}, {&plan, nullptr}};
  json::Parser parser;
  const std::optional<json::Value> document = parser.Parse(PlanJson(files));
  ASSERT_TRUE(document);
  EXPECT_EQ(json::Find(*document, "files")->CountElements(), 2u);
}

TEST(PlanText, NamesTotalsPricesAndRequests) {
  const Model model = LoadForTest(ExampleText("shop.yaml"));
  const Plan plan = PlanForTest(model);
  const PlannedFile file{&plan, nullptr};
  const std::string text = PlanText({&file, 1});
  for (const char* part : {"$3,638.14", "aws-us-east-1, effective 2024-11-01", "10 x Query", "begins_with(SK, ORDER#)",
                           "GSI2PK = STATUS#pending#{0..9}", "writes are 93 % of the", "[read-query]"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text.substr(0, 3000);
  }
}

// Returns "" if every opened element is closed in order, otherwise the first one that is not.
std::string Unbalanced(const std::string& html) {
  std::vector<std::string> open;
  for (size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
    const size_t end = html.find('>', at);
    if (end == std::string::npos) return html.substr(at, 40);
    const std::string tag = html.substr(at + 1, end - at - 1);
    const std::string name = tag.substr(0, tag.find_first_of(" /", 1));
    if (tag.ends_with('/') || name == "!doctype" || name == "meta" || name == "br") continue;
    if (name[0] != '/') {
      open.push_back(name);
    } else if (open.empty() || open.back() != name.substr(1)) {
      return "</" + name;
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : open.back();
}

TEST(PlanHtml, IsWellFormedAndAccessible) {
  for (const char* name : {"shop.yaml", "counters.yaml", "sessions.yaml"}) {
    const Model model = LoadForTest(ExampleText(name));
    const Plan plan = PlanForTest(model);
    const std::vector<Finding> findings = Check(model);
    const PlannedFile files[] = {{&plan, &findings}, {&plan, nullptr}};
    const std::string html = PlanHtml(files);
    EXPECT_EQ(Unbalanced(html), "") << name;
    EXPECT_EQ(html.find("<main>"), html.rfind("<main>")) << name;
    // Every chart has its figures as text, and every header cell has a scope.
    for (size_t at = html.find("<svg"); at != std::string::npos; at = html.find("<svg", at + 1)) {
      const std::string tag = html.substr(at, html.find('>', at) - at);
      EXPECT_NE(tag.find("role=\"img\" aria-label=\""), std::string::npos) << tag;
      EXPECT_NE(tag.find(": "), std::string::npos) << tag;
    }
    for (size_t at = html.find("<th "); at != std::string::npos; at = html.find("<th ", at + 1)) {
      EXPECT_EQ(html.substr(at, 15), "<th scope=\"col\"");
    }
  }
}

TEST(PlanHtml, IsOnePageAndEscapesTheModel) {
  Model model = LoadForTest(
      ModelText("{\"<script>alert(1)</script>\": {keys: {PK: 'A#{id}', SK: A}, attributes: {id: string}, count: 10}}",
                "{\"a<b>&'\\\"\": {get: \"<script>alert(1)</script>\", by: [id], rps: {avg: 1}}}"));
  model.file = "<img src=x>.yaml";
  const Plan plan = PlanForTest(model);
  Finding finding;
  finding.rule = "L04";
  finding.problem = "<b>leak</b>";
  const std::vector<Finding> findings{finding};
  const PlannedFile file{&plan, &findings};
  const std::string html = PlanHtml({&file, 1});
  for (const char* never : {"<script", "<img", "<b>leak", "a<b>", "http://", "https://", "url("}) {
    EXPECT_EQ(html.find(never), std::string::npos) << never;
  }
  for (const char* part : {"<!doctype html>", "a&lt;b&gt;&amp;&#39;&quot;", "&lt;b&gt;leak", "prefers-color-scheme",
                           "@media print", "<svg", "L04", "</html>"}) {
    EXPECT_NE(html.find(part), std::string::npos) << part;
  }
}

}  // namespace
}  // namespace keyfold::model
