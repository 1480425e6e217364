#include "model/generate/generate.h"

#include <gtest/gtest.h>

#include "model/generate/code.h"
#include "model/generate/literal.h"
#include "model/generate/program.h"
#include "model/generate/runtime.h"
#include "testing/model/model.h"

namespace keyfold::model {
namespace {

TEST(Cased, MakesIdentifiers) {
  struct Row {
    std::string_view name;
    std::string_view camel;
    std::string_view pascal;
    std::string_view snake;
  };
  const Row rows[] = {
      {"userId", "userId", "UserId", "user_id"},
      {"GSI1PK", "gsi1PK", "GSI1PK", "gsi1_pk"},
      {"order-line 2", "orderLine2", "OrderLine2", "order_line_2"},
      {"GSIKey", "gsiKey", "GSIKey", "gsi_key"},
      {"_et", "et", "Et", "et"},
      {"2nd", "_2nd", "_2nd", "_2nd"},
      {"äöü", "x", "X", "x"},
      {"", "x", "X", "x"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Cased(Case::kCamel, row.name), row.camel) << row.name;
    EXPECT_EQ(Cased(Case::kPascal, row.name), row.pascal) << row.name;
    EXPECT_EQ(Cased(Case::kSnake, row.name), row.snake) << row.name;
  }
}

TEST(Code, BreaksLongLists) {
  Code code("  ");
  code.Open("{");
  code.AddList("f({ ", {"a", "b"}, " });");
  const std::string longer(60, 'x');
  code.AddList("g({ ", {longer, longer}, " });");
  code.AddList("h(", {longer + longer}, ");");
  EXPECT_EQ(code.text(), "{\n  f({ a, b });\n  g({\n    " + longer + ",\n    " + longer + ",\n  });\n  h(" + longer +
                             longer + ");\n");
}

TEST(Scope, GivesEachNameOnce) {
  Scope scope("for class");
  EXPECT_EQ(scope.Take("class"), "class_");
  EXPECT_EQ(scope.Take("class"), "class2");
  EXPECT_EQ(scope.Take("order"), "order");
  EXPECT_EQ(scope.Take("order"), "order_");
  EXPECT_EQ(scope.Take("order"), "order2");
  EXPECT_EQ(scope.Take("cla"), "cla");  // not a reserved word, only the start of one
}

TEST(UsedSnippets, FollowsUses) {
  constexpr Snippet kAll[] = {{"a", "a uses b()\n"}, {"b", "b\n"}, {"c", "c\n"}, {"T", "T\n"}};
  EXPECT_EQ(UsedSnippets(kAll, "x = a(1)"), "\na uses b()\n\nb\n");
  EXPECT_EQ(UsedSnippets(kAll, "...c()"), "\nc\n");
  EXPECT_EQ(UsedSnippets(kAll, "x.c() and a, ac()"), "");
  EXPECT_EQ(UsedSnippets(kAll, "List[T]"), "\nT\n");
}

TEST(Runtime, IsDividedByItsMarkers) {
  const Runtime runtime = ReadRuntime("not copied\n# @top\na\n\nb\n\n\n# @snippet f\ndef f\n\n\n# @snippet g\ndef g\n");
  EXPECT_EQ(runtime.top, "a\n\nb\n");
  ASSERT_EQ(runtime.snippets.size(), 2u);
  EXPECT_EQ(runtime.snippets[0].name, "f");
  EXPECT_EQ(runtime.snippets[0].text, "def f\n");
  EXPECT_EQ(runtime.snippets[1].name, "g");
  EXPECT_EQ(runtime.snippets[1].text, "def g\n");
}

TEST(Runtime, OfEachLanguageDefinesItsSnippets) {
  for (const Runtime* runtime : {&TypescriptRuntime(), &PythonRuntime(), &CppRuntime()}) {
    EXPECT_FALSE(runtime->top.empty());
    EXPECT_GT(runtime->snippets.size(), 20u);
    for (const Snippet& one : runtime->snippets) {
      EXPECT_NE(one.text.find(one.name), std::string_view::npos) << one.name;
      EXPECT_TRUE(one.text.ends_with('\n') && !one.text.ends_with("\n\n")) << one.name;
      EXPECT_EQ(one.text.find(" @"), std::string_view::npos) << one.name;
    }
  }
}

TEST(Commented, NeverEndsAComment) {
  struct Row {
    std::string_view text;
    std::string_view comment;
  };
  const Row rows[] = {
      {"a */ b", "a * / b"},
      {"line\nbreak", "line\\nbreak"},
      {"\"\"\"", "'''"},
      {"ends in \\", "ends in "},
  };
  for (const Row& row : rows) EXPECT_EQ(Commented(row.text), row.comment) << row.text;
}

TEST(LaidOut, PrintsEachLanguage) {
  const std::string json = R"({"a":[1,true,null],"b":{"N":"N","c d":"x"}})";
  EXPECT_EQ(LaidOut(json, Layout::kJson), R"({"a": [1, true, null], "b": {"N": "N", "c d": "x"}})");
  EXPECT_EQ(LaidOut(json, Layout::kPython), R"({"a": [1, True, None], "b": {"N": "N", "c d": "x"}})");
  EXPECT_EQ(LaidOut(json, Layout::kYaml), "a:\n  - 1\n  - true\n  - null\nb:\n  \"N\": \"N\"\n  \"c d\": x");
}

std::string ExpressionForTest(const std::string& key, const std::string& separator) {
  const Model model = LoadForTest("model: 1\ntable: {name: T, key: {pk: PK}, separator: \"" + separator +
                                  "\"}\nentities: {A: {keys: {PK: '" + key +
                                  "'}, attributes: {s: string, n: number, t: time, e: [a.b, c], z: string}}}\n");
  return model.entities.empty() ? "" : KeyExpression(model.entities[0].keys[0].value);
}

TEST(KeyExpression, MatchesTheTemplatesKeys) {
  struct Row {
    std::string key;
    std::string separator;
    std::string_view expression;
  };
  const Row rows[] = {
      {"U#{s}", "#", "U#([^#]+)"},
      {"U.{s|lower}", ".", "U\\.([^.A-Z]+)"},
      {"U::{s}::{n|pad3}", "::", "U::((?:(?!::)[\\s\\S])+)::([0-9]{3})"},
      {"{t|month}-{s}", "-", "([0-9]{4}-[0-9]{2})-([^\\-]+)"},
      {"(${{x}})|{e}", "|", "\\(\\$\\{x\\}\\)\\|(a\\.b|c)"},
      {"x#{n}", "#", "x#(-?[0-9]+(?:\\.[0-9]+)?)"},
  };
  for (const Row& row : rows) EXPECT_EQ(ExpressionForTest(row.key, row.separator), row.expression) << row.key;
}

const Access& FindAccess(const Program& program, std::string_view name) {
  for (const Access& access : program.accesses) {
    if (program.model.patterns[access.pattern].name == name) return access;
  }
  ADD_FAILURE() << name;
  return program.accesses[0];
}

TEST(Program, KnowsWhatReadsReturn) {
  const Model model = LoadForTest(ExampleText("shop.yaml"));
  const Program program(model);
  EXPECT_TRUE(program.unserved.empty());
  struct Row {
    std::string_view pattern;
    std::vector<std::string> attributes;
    bool whole;
    bool only_wanted;
  };
  const Row rows[] = {
      {"getUserByEmail", {"userId", "name", "email"}, false, true},
      // createdAt and orderId come from the keys.
      {"pendingOrders", {"userId", "orderId", "createdAt", "total"}, false, true},
      {"followers", {"follower", "followee"}, false, true},
      {"following", {"follower", "followee", "followedAt"}, true, true},
      {"userWithAll", {"userId", "name", "email", "plan", "postCount"}, true, false},
  };
  for (const Row& row : rows) {
    const Access& access = FindAccess(program, row.pattern);
    const KeyRead& read = access.read();
    const std::vector<Returned> returns = ReturnsOf(model, access, read);
    EXPECT_EQ(returns[0].attributes, row.attributes) << row.pattern;
    EXPECT_EQ(returns[0].whole, row.whole) << row.pattern;
    EXPECT_EQ(program.CoversOnlyWanted(read), row.only_wanted) << row.pattern;
  }
}

TEST(Program, DescribesCallsAndTheirCost) {
  const Model model = LoadForTest(ExampleText("shop.yaml"));
  const Program program(model);
  struct Row {
    std::string_view pattern;
    std::vector<std::string> lines;
    std::string_view cost;
  };
  const Row rows[] = {
      {"getUser", {"GetItem: PK = USER#{userId}, SK = PROFILE"}, "1 request, 0.5 read units"},
      {"pendingOrders", {"Query of GSI2: GSI2PK = STATUS#pending#{0..9}, descending"}, "10 requests, 50 read units"},
      {"createUser",
       {"TransactWriteItems of", "- put User (PK = USER#{userId}, SK = PROFILE) if attribute_not_exists(#PK)",
        "- put EmailGuard (PK = EMAIL#{email|lower}, SK = EMAIL) if attribute_not_exists(#PK)"},
       "1 request, 5 write units"},
  };
  for (const Row& row : rows) {
    const Access& access = FindAccess(program, row.pattern);
    EXPECT_EQ(RequestLines(model, access), row.lines) << row.pattern;
    EXPECT_EQ(program.costs[static_cast<size_t>(&access - program.accesses.data())], row.cost) << row.pattern;
  }
}

TEST(Program, KnowsHowFanOutsMerge) {
  struct Row {
    std::string pattern;
    Merging merging;
    bool buckets_in_turn;
  };
  const Row rows[] = {
      {"{query: A, by: [d], between: {at: [from, to]}, fanout: shard, merge: [at]}", Merging::kSorted, true},
      {"{query: A, by: [d], between: {at: [from, to]}, fanout: shard, merge: [v]}", Merging::kCollected, false},
      {"{query: A, by: [d], between: {at: [from, to]}, fanout: shard, merge: []}", Merging::kInTurn, true},
      {"{query: A, by: [d, at], fanout: shard, merge: [v]}", Merging::kCollected, false},
      {"{query: B, by: [d]}", Merging::kOne, false},
  };
  for (const Row& row : rows) {
    const Model model = LoadForTest(ModelText(
        "{A: {keys: {PK: 'A#{d}#{at|month}#{shard}', SK: '{at|iso_ms}'}, shard: {n: 4, by: random},"
        " attributes: {d: string, at: time, v: number}}, B: {keys: {PK: 'B#{d}', SK: 'B'}, attributes: {d: string}}}",
        "{p: " + row.pattern + "}"));
    const Program program(model);
    ASSERT_EQ(program.accesses.size(), 1u) << row.pattern;
    const FanOut fan = FanOutOf(model, program.accesses[0]);
    EXPECT_EQ(fan.merging, row.merging) << row.pattern;
    EXPECT_EQ(fan.buckets_in_turn, row.buckets_in_turn) << row.pattern;
  }
}

TEST(Generate, NamesItsFileAndItsOrigin) {
  Model model = LoadForTest(ExampleText("shop.yaml"));
  model.file = "models/of/shop.yaml";
  struct Row {
    TargetLanguage language;
    std::string_view file;
  };
  const Row rows[] = {
      {TargetLanguage::kTypescript, "app.ts"},
      {TargetLanguage::kPython, "app.py"},
      {TargetLanguage::kCpp, "app.h"},
      {TargetLanguage::kCloudFormation, "app.template.json"},
      {TargetLanguage::kCloudFormationYaml, "app.template.yaml"},
      {TargetLanguage::kTerraform, "app.tf"},
  };
  for (const Row& row : rows) {
    const Generated generated = Generate(model, row.language, "1.2.3");
    EXPECT_EQ(generated.file, row.file);
    EXPECT_NE(generated.text.find("Generated from shop.yaml by keyfold 1.2.3"), std::string::npos) << row.file;
    EXPECT_EQ(generated.text, Generate(model, row.language, "1.2.3").text) << row.file;
  }
}

TEST(Generate, ImportsWhatPythonCodeUses) {
  const std::string text =
      Generate(LoadForTest(ModelText("{A: {description: 'Not at random. In time. An islice of all.',"
                                     " keys: {PK: 'random.{x}', SK: 'A'}, attributes: {x: string}}}",
                                     "{readA: {get: A, by: [x]}}")),
               TargetLanguage::kPython, "1")
          .text;
  EXPECT_NE(text.find("In time."), std::string::npos);
  EXPECT_NE(text.find("import re\n"), std::string::npos);
  for (const std::string_view needless : {"import random", "import time", "import islice", "import boto3"})
    EXPECT_EQ(text.find(needless), std::string::npos) << needless;
}

TEST(Generate, KeepsPatternNames) {
  const Model model = LoadForTest(ModelText("{User: {keys: {PK: 'U#{id}', SK: U}, attributes: {id: string}}}",
                                            "{readUser: {get: User, by: [id]}}"));
  EXPECT_NE(Generate(model, TargetLanguage::kTypescript, "1").text.find("async function readUser(db"),
            std::string::npos);
  EXPECT_NE(Generate(model, TargetLanguage::kPython, "1").text.find("def read_user(db"), std::string::npos);
  EXPECT_NE(Generate(model, TargetLanguage::kCpp, "1").text.find(" readUser(const"), std::string::npos);
}

TEST(Generate, ReportsPatternsWithoutAFunction) {
  const Model model = LoadForTest(ModelText("{A: {keys: {PK: 'A#{x}', SK: A}, attributes: {x: string, y: string}}}",
                                            "{p: {query: A, by: [y]}, q: {get: A, by: [x]}}"));
  for (const TargetLanguage language : {TargetLanguage::kTypescript, TargetLanguage::kPython, TargetLanguage::kCpp}) {
    const Generated generated = Generate(model, language, "1");
    ASSERT_EQ(generated.unserved.size(), 1u);
    EXPECT_NE(generated.text.find("p has no function: the PK of A is A#{x}, and x is not given"), std::string::npos);
  }
}

}  // namespace
}  // namespace keyfold::model
