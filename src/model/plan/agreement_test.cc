// The figures that check prints are those of the plan.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "model/check/check.h"
#include "model/check/rule.h"
#include "model/core/figures.h"
#include "model/plan/plan.h"
#include "testing/base/repository.h"
#include "testing/model/model.h"

namespace keyfold::model {
namespace {

namespace fs = std::filesystem;

PriceFile ShippedPrices() {
  const std::span<const EmbeddedPrices> all = AllEmbeddedPrices();
  const auto one = std::find_if(all.begin(), all.end(), [](const auto& file) { return file.name == "aws-us-east-1"; });
  Result<PriceFile> read = ReadPriceFile(std::string(one->name), std::string(one->text));
  EXPECT_TRUE(read.ok());
  return *std::move(read);
}

std::string ModelFileText(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// The models that the two are compared on, by name: all examples and clean models, seeds, and the models that explain
// the rules, which have findings of every kind.
std::map<std::string, std::string> ComparedModels() {
  std::map<std::string, std::string> models;
  for (const char* folder : {"examples", "tests/model/clean", "tests/model/seeds"}) {
    for (const auto& entry : fs::directory_iterator(RepositoryPath(folder))) {
      if (entry.path().extension() == ".yaml") models[entry.path().stem()] = ModelFileText(entry.path());
    }
  }
  for (const check::LintRule* rule : check::LintRules()) {
    if (rule->bad.empty()) continue;
    models[std::string(rule->id) + " bad"] = rule->bad;
    models[std::string(rule->id) + " good"] = rule->good;
  }
  models["two parents"] =
      "model: 1\ntable: {name: App, key: {pk: PK, sk: SK}}\nentities:\n"
      "  User: {keys: {PK: \"USER#{userId}\", SK: PROFILE}, attributes: {userId: string}, count: 10}\n"
      "  Shop: {keys: {PK: \"SHOP#{shopId}\", SK: PROFILE}, attributes: {shopId: string}, count: 1000}\n"
      "  Order:\n    keys: {PK: \"ORDER#{orderId}\", SK: ORDER}\n"
      "    attributes: {orderId: string, userId: string, shopId: string}\n"
      "    per: {User: {avg: 10}, Shop: {avg: 1000}}\n    size: {avg: 1024}\n"
      "patterns:\n  allOrders: {scan: Order, rps: {avg: 1, peak: 1}}\n";
  models["keys only"] =
      "model: 1\ntable: {name: App, key: {pk: PK, sk: SK}}\n"
      "indexes: {GSI1: {pk: GSI1PK, sk: GSI1SK, project: keys}}\nentities:\n"
      "  Job:\n    keys: {PK: \"JOB#{jobId}\", SK: JOB, GSI1PK: \"STATUS#{status}\", GSI1SK: \"{at|iso_ms}\"}\n"
      "    attributes: {jobId: string, status: [open, done], at: time}\n    size: {avg: 3000}\n    count: 1000\n"
      "patterns:\n  put: {put: Job, rps: {avg: 400, peak: 6000}}\n"
      "  open: {query: Job, by: [status], index: GSI1, limit: 10, rps: {avg: 1, peak: 2}}\n";
  return models;
}

// A model with its plan and its findings.
struct Compared {
  explicit Compared(const std::string& text)
      : model(LoadForTest(text)), plan(MakePlan(model, ShippedPrices(), {})), findings(Check(model)) {}

  const PatternPlan& PatternOf(const Finding& finding) const {
    return plan.patterns[model.pattern_ids.at(std::string(finding.pattern))];
  }
  std::vector<const Finding*> Of(std::string_view rule) const {
    std::vector<const Finding*> found;
    for (const Finding& one : findings) {
      if (one.rule == rule) found.push_back(&one);
    }
    return found;
  }

  const Model model;
  const Plan plan;
  const std::vector<Finding> findings;
};

bool Has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

size_t ComparePages(const Compared& one) {
  std::set<std::string> planned;
  for (const PatternPlan& pattern : one.plan.patterns) {
    const Pattern& declared = one.model.patterns[pattern.pattern];
    const bool open = declared.verb == Verb::kQuery && !declared.limit && !declared.paginate;
    if (open && pattern.pages_max > 1) planned.insert(declared.name);
  }
  std::set<std::string> checked;
  for (const Finding* finding : one.Of("L14")) checked.emplace(finding->pattern);
  EXPECT_EQ(planned, checked);
  return planned.size();
}

size_t CompareUnits(const Compared& one) {
  size_t compared = 0;
  for (const Finding* finding : one.Of("L11")) {
    const double units = one.PatternOf(*finding).units.read;
    EXPECT_TRUE(finding->example.starts_with(Figure(units) + " units x ")) << finding->example;
    ++compared;
  }
  for (const Finding* finding : one.Of("L12")) {
    const ReadVolume& volume = one.PatternOf(*finding).volume;
    double unwanted = 0;
    for (const ReadPart& part : volume.parts) unwanted += part.wanted ? 0 : part.bytes();
    EXPECT_TRUE(Has(finding->Message(), Percent(unwanted / volume.bytes))) << finding->Message();
    ++compared;
  }
  for (const Finding* finding : one.Of("L13")) {
    if (!Has(finding->example, "read units per scan")) continue;
    EXPECT_TRUE(finding->example.starts_with(Figure(one.PatternOf(*finding).units.read) + " ")) << finding->example;
    ++compared;
  }
  return compared;
}

// Every key that the plan shows above 70 % of a partition is an L15 with the same figure, and no other is.
size_t CompareHeat(const Compared& one) {
  const PlanRules& rules = one.plan.prices.rules;
  std::multiset<std::string> planned;
  for (const KeyHeat& heat : one.plan.heat) {
    const std::string index = heat.index ? one.model.indexes[*heat.index].name : "";
    const auto add = [&](double units, double limit, const char* kind) {
      if (units / heat.shards <= limit * rules.heat_target) return;
      planned.insert(index + ": " + Figure(units / heat.shards) + " " + kind + " " +
                     Percent(units / heat.shards / limit));
    };
    add(heat.write_units, rules.partition_write_units, "write");
    add(heat.read_units, rules.partition_read_units, "read");
  }
  size_t checked = 0;
  for (const Finding* finding : one.Of("L15")) {
    if (!Has(finding->Message(), "that one partition provides")) continue;  // few or unknown values
    ++checked;
    const auto same = std::find_if(planned.begin(), planned.end(), [&](const std::string& text) {
      const std::string rest = text.substr(text.find(": ") + 2);
      const size_t kind = rest.find(' ');
      const std::string units = rest.substr(0, rest.find(' ', kind + 1));
      return text.starts_with(std::string(finding->index) + ": ") && Has(finding->Message(), units + " units/s") &&
             Has(finding->Message(), rest.substr(rest.find(' ', kind + 1) + 1));
    });
    EXPECT_TRUE(same != planned.end()) << finding->Message();
    if (same != planned.end()) planned.erase(same);
  }
  EXPECT_TRUE(planned.empty()) << *planned.begin();
  return checked;
}

// Shards that the plan does not need are an L17, with the same number.
size_t CompareShards(const Compared& one) {
  size_t compared = 0;
  for (const KeyHeat& heat : one.plan.heat) {
    if (!heat.share && !heat.IsDeclared()) continue;
    const std::string entity = one.model.entities[heat.loaded].name;
    const auto found = one.Of("L17");
    const auto same = std::find_if(found.begin(), found.end(), [&](const Finding* finding) {
      return finding->entity == entity && finding->index == (heat.index ? one.model.indexes[*heat.index].name : "");
    });
    EXPECT_EQ(same != found.end(), heat.shards > 2 * heat.min_shards) << entity;
    if (same == found.end()) continue;
    EXPECT_TRUE(Has((*same)->Message(), "need only " + Figure(heat.min_shards))) << (*same)->Message();
    ++compared;
  }
  return compared;
}

TEST(Agreement, CheckPrintsTheFiguresOfThePlan) {
  size_t pages = 0;
  size_t units = 0;
  size_t heat = 0;
  size_t shards = 0;
  for (const auto& [name, text] : ComparedModels()) {
    SCOPED_TRACE(name);
    const Compared one(text);
    pages += ComparePages(one);
    units += CompareUnits(one);
    heat += CompareHeat(one);
    shards += CompareShards(one);
  }
  EXPECT_GT(pages, 2u);
  EXPECT_GT(units, 4u);
  EXPECT_GT(heat, 1u);
  EXPECT_GT(shards, 0u);
}

TEST(Agreement, GrowthOfACollection) {
  const check::LintRule& rule = *check::FindLintRule("L20");
  const Compared one{std::string(rule.bad)};
  ASSERT_EQ(one.Of("L20").size(), 1u);
  const Collection& collection = one.plan.collections.at(0);
  const CollectionPart& part = collection.parts.at(1);
  EXPECT_GT(part.bytes_1y, part.bytes());
  for (const double bytes : {part.bytes(), part.bytes_1y, part.bytes_3y}) {
    EXPECT_GT(bytes, 0);
  }
  EXPECT_DOUBLE_EQ(collection.bytes_1y - collection.parts[0].bytes(), part.bytes_1y);
}

}  // namespace
}  // namespace keyfold::model
