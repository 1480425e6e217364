#include "model/file/layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "model/check/check.h"
#include "model/plan/report.h"
#include "model/sample/sample.h"
#include "testing/base/repository.h"
#include "testing/model/model.h"

namespace keyfold::model {
namespace {

std::string Laid(const std::string& text) {
  const auto laid = LayOut(text);
  if (const auto* why = std::get_if<Unreadable>(&laid)) return LineOf("m.yaml", *why);
  return std::get<std::string>(laid);
}

struct LayoutCase {
  std::string_view what;
  std::string from;
  std::string to;
};

TEST(LayoutTest, Rows) {
  const LayoutCase cases[] = {
      {"as it should be", "model: 1\ntable: {name: T, key: {pk: PK}}\n", "model: 1\ntable: {name: T, key: {pk: PK}}\n"},
      {"indentation", "model: 1\ntable:\n      name: T\n      key:\n       pk: PK\n",
       "model: 1\ntable:\n  name: T\n  key:\n    pk: PK\n"},
      {"spaces in flow", "table: { name:  T ,key: {pk:   PK} }\n", "table: {name: T, key: {pk: PK}}\n"},
      {"lists", "table: {key: {pk: [ a,b ]}}\n", "table: {key: {pk: [a, b]}}\n"},
      {"the order of the tables", "entities: {}\nmodel: 1\n", "model: 1\nentities: {}\n"},
      {"in flow too", "table: {key: {sk: SK, pk: PK}, name: T}\n", "table: {name: T, key: {pk: PK, sk: SK}}\n"},
      {"names stay in theirs", "entities:\n  B: {count: 1}\n  A: {count: 2}\n",
       "entities:\n  B: {count: 1}\n  A: {count: 2}\n"},
      {"a comment above moves along", "# of entities\nentities: {}\n# of model\nmodel: 1\n# the end\n",
       "# of model\nmodel: 1\n# of entities\nentities: {}\n# the end\n"},
      {"a comment behind keeps its column", "model:   1   # one\n", "model: 1     # one\n"},
      {"unless it must move", "model: {a: 1,b: 2} # one\n", "model: {a: 1, b: 2} # one\n"},
      {"comments are indented with what follows", "table:\n    # name\n    name: T\n    # key\n    key: {pk: a}\n",
       "table:\n  # name\n  name: T\n  # key\n  key: {pk: a}\n"},
      {"blank lines", "\n\nmodel: 1\n\n\n\nentities: {}\n\n\n", "model: 1\n\nentities: {}\n"},
      {"line ends", "model: 1  \r\nentities: {}", "model: 1\nentities: {}\n"},
      {"quotes stay", "table: {name: 'T', separator: \"#\"}\n", "table: {name: 'T', separator: \"#\"}\n"},
      {"sequences", "accept:\n- {reason: x, rule: L01}\n-   rule: L02\n    reason: y\n",
       "accept:\n  - {rule: L01, reason: x}\n  - rule: L02\n    reason: y\n"},
      {"block scalars", "table:\n    description: |\n        one\n          two\n    name: T\n",
       "table:\n  name: T\n  description: |\n      one\n        two\n"},
      {"flow over several lines stays so", "table:\n    key: {pk: a,\n          sk: b}\n",
       "table:\n  key: {pk: a,\n        sk: b}\n"},
      {"a flow mapping below its key", "table:\n    {name:  T,key: {pk: a}}   # so\nmodel: 1\n",
       "model: 1\ntable:\n  {name: T, key: {pk: a}}     # so\n"},
      {"over several lines", "table: # it\n\n\n # here\n {key: {pk: a},\n    name: T}\n",
       "table: # it\n\n  # here\n  {key: {pk: a},\n     name: T}\n"},
      {"a flow list below its key", "patterns:\n    get:\n        by:\n              [ a,b ]\n",
       "patterns:\n  get:\n    by:\n      [a, b]\n"},
      {"a scalar below its key", "table:\n    description:\n        one\n        two\n    name:\n     'T'\n",
       "table:\n  name:\n    'T'\n  description:\n    one\n    two\n"},
      {"a block scalar below its key", "table:\n    description:\n        |\n        one\n         two\n",
       "table:\n  description:\n    |\n    one\n     two\n"},
      {"an accepted finding ends with its reason", "accept: [{reason: x, index: i, rule: L01}]\n",
       "accept: [{rule: L01, index: i, reason: x}]\n"},
      {"entries below their dashes", "accept:\n-\n      reason: x\n      rule: L01\n- # two\n {reason: y,rule: L02}\n",
       "accept:\n  -\n    rule: L01\n    reason: x\n  - # two\n    {rule: L02, reason: y}\n"},
      {"comments of entries below their dashes", "accept:\n# one\n-\n    # first\n    rule: L01\n    reason: x\n",
       "accept:\n  # one\n  -\n    # first\n    rule: L01\n    reason: x\n"},
      {"the end of a document", "---\nmodel:   1\n...\n", "---\nmodel: 1\n...\n"},
      {"JSON stays as it is", "{\"model\": 1,\n \"table\": {}}\n", "{\"model\": 1,\n \"table\": {}}\n"},
      {"nothing behind a key", "patterns:\nmodel: 1\n", "model: 1\npatterns:\n"},
      {"characters beyond ASCII", "table: {name: \"é\",key: {pk: a}} # ü\n",
       "table: {name: \"é\", key: {pk: a}} # ü\n"},
      {"a carriage return alone breaks lines for YAML only", "model:\r 1\n",
       "m.yaml:1:1: the file cannot be formatted without changing its meaning; nothing was written"},
      {"no YAML", "a: [1\n", "m.yaml:2:1: neither YAML nor JSON: did not find expected ',' or ']'"},
  };
  for (const LayoutCase& c : cases) {
    const std::string laid = Laid(c.from);
    EXPECT_EQ(laid, c.to) << c.what;
    if (laid.starts_with("m.yaml")) continue;
    EXPECT_EQ(Laid(laid), laid) << c.what << ", again";
  }
}

// The content of a model as seen in its sample, its requests and the checker's findings, without positions.
std::vector<std::string> DescribeParts(const Model& model) {
  std::vector<std::string> all;
  for (const SampleObject& object : Sampler(model, {.now_ms = kSamplePresentMs}).MakeAll()) {
    all.push_back(JsonOf(ItemOf(model, object, kSamplePresentMs)));
  }
  for (PatternId id = 0; id < model.patterns.size(); ++id) {
    const Compiled compiled = Compile(model, id);
    const auto* access = std::get_if<Access>(&compiled);
    all.push_back(model.patterns[id].name + ": " + (access != nullptr ? RequestText(model, *access) : "unserved"));
  }
  const size_t ordered = all.size();
  for (const Finding& finding : Check(model)) all.push_back(FingerprintOf("m.yaml", finding));
  std::sort(all.begin() + static_cast<ptrdiff_t>(ordered), all.end());
  return all;
}

// Runs over every model in the repository.
TEST(LayoutTest, KeepsTheMeaning) {
  const std::filesystem::path root = RepositoryPath("");
  size_t count = 0;
  for (const char* folder : {"examples", "tests/model"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      const std::string path = entry.path().string();
      if (entry.path().extension() != ".yaml" || path.find("node_modules") != std::string::npos) continue;
      ++count;
      std::ifstream in(path, std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
      const std::string laid = Laid(text);
      EXPECT_EQ(Laid(laid), laid) << path;
      EXPECT_EQ(DescribeParts(LoadForTest(text)), DescribeParts(LoadForTest(laid))) << path;
    }
  }
  EXPECT_GE(count, 30U);
}

}  // namespace
}  // namespace keyfold::model
