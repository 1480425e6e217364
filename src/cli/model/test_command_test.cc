// The trial of a model with the command: the shop example passes, and each way to break its keys fails the pattern that
// it breaks.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "cli/model/commands.h"
#include "model_test/trial.h"
#include "testing/model/model.h"
#include "testing/terminal/console.h"

namespace keyfold::cli {
namespace {

std::string FailedPatterns(const model::Model& model, const model_test::TrialReport& report) {
  std::string names;
  for (const model_test::PatternTrial& trial : report.patterns) {
    if (!trial.ok()) names += (names.empty() ? "" : " ") + model.patterns[trial.pattern].name;
  }
  return names;
}

std::string Edited(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// DynamoDB requires three letters in a table name.
std::string SmallModel(const std::string& entities, const std::string& patterns, const std::string& more = "") {
  return Edited(model::ModelText(entities, patterns, "{GSI1: {pk: GSI1PK, sk: GSI1SK}}", more), "name: T,",
                "name: Tab,");
}

TEST(ModelTrial, ShopPasses) {
  const model::Model shop = model::LoadForTest(model::ExampleText("shop.yaml"));
  for (const uint64_t seed : {1, 2, 3}) {
    const model_test::TrialReport report = model_test::RunTrial(shop, {seed});
    EXPECT_TRUE(report.ok()) << model_test::TrialText(shop, report);
    for (const model_test::PatternTrial& trial : report.patterns) {
      const std::string& name = shop.patterns[trial.pattern].name;
      EXPECT_EQ(trial.untried, "") << name;
      EXPECT_GT(trial.items, 0U) << name;
      ASSERT_TRUE(trial.planned_units.has_value()) << name;
      EXPECT_DOUBLE_EQ(trial.measured_units, *trial.planned_units) << name;
    }
  }
}

struct Breakage {
  const char* about;
  const char* from;
  const char* to;
  const char* fails;  // all patterns that fail
};

constexpr Breakage kBreakages[] = {
    {"line numbers without padding sort as texts", "ITEM#{line|pad3}", "ITEM#{line}", "orderWithItems"},
    {"order numbers without padding sort as texts within a second", "SK: \"ORDER#{createdAt|iso_s}#{orderId|pad8}\"",
     "SK: \"ORDER#{createdAt|iso_s}#{orderId}\"", "userOrders recentOrders ordersByDate userWithAll"},
    {"a department's members and its own row share a prefix", "DEPT#{dept}#USER#{userId}", "DEPT#{dept}#{userId}",
     "deptUsers"},
    {"a department's name begins another's", "DEPT#{dept}#USER#{userId}", "DEPT#{dept}{userId}", "deptUsers"},
    {"orders of one day overwrite each other", "SK: \"ORDER#{createdAt|iso_s}#{orderId|pad8}\"",
     "SK: \"ORDER#{createdAt|day}\"", "userOrders recentOrders ordersByDate userWithAll pendingOrders"},
    {"the guard overwrites the user", "{PK: \"EMAIL#{email|lower}\", SK: EMAIL}",
     "{PK: \"USER#{userId}\", SK: PROFILE}", "createUser"},
    {"a guard by user guards no address", "{PK: \"EMAIL#{email|lower}\", SK: EMAIL}",
     "{PK: \"EMAIL#{userId}\", SK: EMAIL}", "createUser"},
    {"the header is an order's first item", "{PK: \"ORDER#{orderId|pad8}\", SK: METADATA}",
     "{PK: \"ORDER#{orderId|pad8}\", SK: \"ITEM#001\"}", "getOrder orderWithItems"},
    {"who is followed looks like an order", "SK: \"FOLLOWS#{followee}\"", "SK: \"ORDER#{followee}\"",
     "userOrders recentOrders following"},
    {"the index of pending orders lacks the total", "GSI2: {pk: GSI2PK, sk: GSI2SK, project: [total]}",
     "GSI2: {pk: GSI2PK, sk: GSI2SK, project: keys}", "pendingOrders"},
    {"the index of users lacks what is needed", "project: [name, price, email, expiresAt]",
     "project: [name, price, expiresAt]", "getUserByEmail"},
    {"followers are found by who follows", "GSI1PK: \"FOLLOWED_BY#{followee}\"", "GSI1PK: \"FOLLOWED_BY#{follower}\"",
     "followers"},
    {"sessions have no key in the index", "GSI1PK: \"USER#{userId}#SESSIONS\", GSI1SK: \"{expiresAt|pad10}\"",
     "GSI1PK: \"USER#{userId}#SESSIONS\"", "userSessions"},
    {"addresses of a user are one item", "SK: \"ADDRESS#{label}\"", "SK: PROFILE",
     "getUser getUserByEmail userWithAll"},
};

TEST(ModelTrial, BrokenKeysFail) {
  for (const Breakage& row : kBreakages) {
    const model::Model broken = model::LoadForTest(Edited(model::ExampleText("shop.yaml"), row.from, row.to));
    const model_test::TrialReport report = model_test::RunTrial(broken, {1});
    EXPECT_FALSE(report.ok()) << row.about;
    EXPECT_EQ(FailedPatterns(broken, report), row.fails) << row.about << '\n' << model_test::TrialText(broken, report);
  }
}

// Write patterns that leave an index key stale, or a copy inconsistent, are detected in the rows.
TEST(ModelTrial, WritesAreAudited) {
  struct Row {
    const char* about;
    const char* patterns;
    const char* fails;
  };
  const std::string entities =
      "{User: {keys: {PK: \"U#{id}\", SK: U, GSI1PK: \"M#{mail|lower}\", GSI1SK: \"{id}\"}, attributes: {id: string, "
      "mail: string, city: string, n: {type: number, default: 0}}, size: {avg: 200}}, Job: {keys: {PK: \"J#{id}\", SK: "
      "J, GSI1PK: \"S#{state}#{city}\", GSI1SK: \"{id}\"}, when: {GSI1: \"state = open\"}, attributes: {id: string, "
      "state: [open, done], city: string}}}";
  const Row rows[] = {
      {"a set that touches no key", "{p: {update: User, by: [id], set: [city]}}", ""},
      {"a counter", "{p: {update: User, by: [id], set: [\"n += 1\"]}}", ""},
      {"the index key follows its component", "{p: {update: User, by: [id], set: [mail]}}", ""},
      {"leaving a sparse index", "{p: {update: Job, by: [id], set: [state = done]}}", ""},
      {"a key of which a part is not known goes stale", "{p: {update: Job, by: [id], set: [city]}}", "p"},
      {"a key that the rule brings back cannot be built", "{p: {update: Job, by: [id], set: [state = open]}}", "p"},
      {"one that can be built", "{p: {update: Job, by: [id, city], set: [state]}}", ""},
      {"a delete leaves nothing", "{p: {delete: User, by: [id]}}", ""},
      {"a put may be repeated", "{p: {put: User}}", ""},
      {"a batch", "{p: {batch_write: [put User x30, delete Job x2]}}", ""},
      {"a get of several", "{p: {batch_get: User, returns: {items: 5}}}", ""},
      {"gets at one moment", "{p: {transact_get: [User, Job]}}", ""},
      {"a scan", "{p: {scan: Job, where: \"city = town\"}}", ""},
  };
  for (const Row& row : rows) {
    const model::Model model = model::LoadForTest(SmallModel(entities, row.patterns, ", type_attribute: _et"));
    const model_test::TrialReport report = model_test::RunTrial(model, {1});
    EXPECT_EQ(FailedPatterns(model, report), row.fails) << row.about << '\n' << model_test::TrialText(model, report);
    EXPECT_EQ(report.patterns[0].untried, "") << row.about;
  }
}

// An index that projects only keys: the entity can be determined only from the key.
TEST(ModelTrial, IndexOfKeys) {
  struct Row {
    const char* about;
    const char* patterns;
    const char* fails;
  };
  const std::string entities =
      "{A: {keys: {PK: \"A#{a}\", SK: A, GSI1PK: \"{g}\", GSI1SK: \"A#{a}\"}, attributes: {a: string, g: string}}, "
      "B: {keys: {PK: \"B#{b}\", SK: B, GSI1PK: \"{g}\", GSI1SK: \"B#{b}\"}, attributes: {b: string, g: string}}, "
      "C: {keys: {PK: \"C#{c}\", SK: C}, attributes: {c: string}}}";
  const Row rows[] = {
      {"one entity", "{p: {query: A, index: GSI1, by: [g]}}", ""},
      {"several", "{p: {query: [A, B], index: GSI1, by: [g], order: asc}}", ""},
      {"all that the index has", "{p: {scan: [A, B], index: GSI1, paginate: all}}", ""},
      {"the type attribute cannot distinguish some of it", "{p: {scan: A, index: GSI1, paginate: all}}", "p"},
  };
  for (const Row& row : rows) {
    const model::Model model = model::LoadForTest(
        Edited(SmallModel(entities, row.patterns, ", type_attribute: _et"), "sk: GSI1SK", "sk: GSI1SK, project: keys"));
    const model_test::TrialReport report = model_test::RunTrial(model, {1});
    EXPECT_EQ(FailedPatterns(model, report), row.fails) << row.about << '\n' << model_test::TrialText(model, report);
    EXPECT_EQ(report.patterns[0].untried, "") << row.about;
  }
}

// Patterns that cannot be tried fail, and what the model accepts does not.
TEST(ModelTrial, AcceptedFindings) {
  struct Row {
    const char* about;
    std::string model;
    bool ok;
    const char* part;  // some text of the report
  };
  const std::string twice =
      SmallModel("{A: {keys: {PK: \"A#{id}\", SK: A}, attributes: {id: string, n: number}}}",
                 "{p: {transact: [update A set n if exists(id), update A set n if exists(n)], token: k}}");
  const std::string leak = SmallModel(
      "{A: {keys: {PK: \"U#{u}\", SK: \"A#{id}\"}, attributes: {u: string, id: string}}, "
      "B: {keys: {PK: \"U#{u}\", SK: \"A#{id}#B#{b}\"}, attributes: {u: string, id: string, b: string}, per: {A: {avg: "
      "2}}}}",
      "{p: {query: A, by: [u]}}");
  const auto shared = [](const std::string& put) {
    return SmallModel(
        "{User: {keys: {PK: \"N#{name}\", SK: N}, attributes: {name: string, mail: string}}, "
        "Org: {keys: {PK: \"N#{name}\", SK: N}, attributes: {name: string, plan: string}}}",
        "{user: {get: User, by: [name]}, org: {get: Org, by: [name]}, addUser: {put: User" + put +
            "}, addOrg: {put: Org" + put + "}}",
        ", type_attribute: _et");
  };
  const auto kinds = [](const std::string& put) {
    return SmallModel(
        "{User: {keys: {PK: \"N#{user}\", SK: \"N#{user}\", GSI1PK: \"N#{user}\", GSI1SK: \"N#{user}\"}, attributes: "
        "{user: string}}, "
        "Org: {keys: {PK: \"N#{org}\", SK: \"N#{org}\", GSI1PK: \"N#{org}\", GSI1SK: \"N#{org}\"}, attributes: {org: "
        "string}}, "
        "Repo: {keys: {PK: \"R#{owner}#{repo}\", SK: R, GSI1PK: \"N#{owner}\", GSI1SK: \"#{repo}\"}, attributes: {owner: "
        "string, repo: string}, per: {User: {avg: 3, max: 9}, Org: {avg: 3, max: 9}}}}",
        "{reposOf: {query: [User, Repo], by: [user, owner = user], index: GSI1, from: User, order: desc, limit: 4}, addUser: "
        "{put: User" +
            put + "}, addOrg: {put: Org" + put + "}}",
        ", type_attribute: _et");
  };
  const std::string unsorted = SmallModel(
      "{V: {keys: {PK: \"D#{d}\", SK: \"V#{v}\"}, attributes: {d: string, v: {type: number, max: 999}}, per: {D: {avg: "
      "30}}}, D: {keys: {PK: \"D#{d}\", SK: D}, attributes: {d: string}}}",
      "{p: {query: V, by: [d], order: asc}}");
  const Row rows[] = {
      {"untried", twice, false, "L51: not tried: "},
      {"untried for a reason", twice + "accept: [{rule: L51, pattern: p, reason: rare}]\n", true,
       "accepted, L51: rare"},
      {"untried, but another is accepted", twice + "accept: [{rule: L51, entity: A, index: GSI1, reason: rare}]\n",
       false, "Line 6 accepts L51, but every pattern that it names was tried; remove it."},
      {"a leak", leak, false, "unexpected"},
      {"a leak for a reason", leak + "accept: [{rule: L04, pattern: p, reason: old}]\n", true, "accepted, L04: old"},
      {"a leak, but something else is accepted", leak + "accept: [{rule: L14, pattern: p, reason: old}]\n", false,
       "unexpected"},
      {"shared names", shared(" if_new"), true, "passed, 0 failed\n"},
      {"shared names that overwrite each other", shared(""), false, "items overwrite each other: User and Org"},
      {"shared names for a reason", shared("") + "accept: [{rule: L03, entity: Org, reason: old}]\n", true,
       "passed, 0 failed\n"},
      {"a wrong order", unsorted, false, "came next"},
      {"a wrong order for a reason of its key", unsorted + "accept: [{rule: L07, entity: V, reason: few}]\n", true,
       "accepted, L07: few"},
      {"wrong items are not a wrong order", leak + "accept: [{rule: L07, entity: A, reason: few}]\n", false,
       "unexpected"},
      {"two kinds in one partition", kinds(" if_new"), true, "passed, 0 failed\n"},
      {"two kinds that overwrite each other", kinds(""), false, "unexpected  Org GSI1PK="},
  };
  for (const Row& row : rows) {
    const model::Model model = model::LoadForTest(row.model);
    const model_test::TrialReport report = model_test::RunTrial(model, {1});
    const std::string text = model_test::TrialText(model, report);
    EXPECT_EQ(report.ok(), row.ok) << row.about << '\n' << text;
    EXPECT_NE(text.find(row.part), std::string::npos) << row.about << '\n' << text;
  }
}

TEST(ModelTrial, SeveralFiles) {
  const std::string folder = testing::TempDir() + "keyfold-trials-" + std::to_string(::getpid());
  const std::string good = folder + "-good.yaml", bad = folder + "-bad.yaml", broken = folder + "-broken.yaml";
  std::ofstream(good) << SmallModel("{A: {keys: {PK: \"A#{id}\", SK: A}, attributes: {id: string}}}",
                                    "{getA: {get: A, by: [id]}}");
  std::ofstream(bad) << SmallModel("{A: {keys: {PK: \"A#{id}\", SK: A}, attributes: {id: string}}}",
                                   "{getA: {get: A, by: []}}");
  std::ofstream(broken) << "model: 2\n";
  const struct {
    Arguments arguments;
    int code;
    std::string out;
  } rows[] = {
      {{good, good}, kExitOk, "2 models: 2 passed, 0 failed"},
      {{good, bad}, kExitFailure, "2 models: 1 passed, 1 failed"},
      {{good, bad}, kExitFailure, bad + "\n"},
      {{good, bad, "--format", "json"}, kExitFailure, "}\n{\"file\":\"" + bad + "\""},
      {{good, broken}, kExitUsage, ""},
  };
  for (const auto& row : rows) {
    terminal::TestConsole test;
    EXPECT_EQ(RunModelTest(row.arguments, test.console()), row.code) << test.out();
    EXPECT_NE(test.out().find(row.out), std::string::npos) << test.out();
  }
  for (const std::string& file : {good, bad, broken}) std::remove(file.c_str());
}

// Designs of which the trial must have the right idea: what two attributes share, and in which order items lie.
TEST(ModelTrial, RightDesigns) {
  struct Row {
    const char* about;
    const char* entities;
    const char* patterns;
  };
  const Row rows[] = {
      {"one input for two attributes",
       "{A: {keys: {PK: \"A#{a}\", SK: A, GSI1PK: \"{b}\", GSI1SK: \"A#{a}\"}, attributes: {a: string, b: string}}}",
       "{p: {put: A with b = a if_new}}"},
      {"a name and an id with nothing between them sort as one text",
       "{A: {keys: {PK: \"P#{p}\", SK: \"{name}{id}\"}, attributes: {p: string, name: string, id: ulid}}}",
       "{p: {query: A, by: [p], paginate: all}}"},
      {"a read from an item has a direction, not an order of time",
       "{A: {keys: {PK: \"A#{a}\", SK: A}, attributes: {a: string}}, B: {keys: {PK: \"A#{a}\", SK: \"B#{b}\"}, "
       "attributes: {a: string, b: string, at: time}, per: {A: {avg: 5, max: 9}}}}",
       "{p: {query: [A, B], by: [a], from: A, order: asc}}"},
      {"an entry of a map that the caller names",
       "{A: {keys: {PK: \"A#{a}\", SK: A}, attributes: {a: string, votes: {type: map, values: string}, sums: {type: map, values: {type: "
       "number, default: 0}}}}}",
       "{p: {update: A, by: [a], set: [\"votes.{who} = vote\", \"sums.{emoji} += 1\"], if: \"exists(votes.{who})\"}, "
       "q: {update: A, by: [a], remove: [\"votes.{who}\"], if: \"missing(votes.{other})\"}, "
       "r: {scan: A, where: \"votes.{who} = vote\", paginate: all}}"},
      {"numbers that count down",
       "{A: {keys: {PK: \"P#{p}\", SK: \"{n|desc6}\", GSI1PK: X, GSI1SK: \"{n|desc6}\"}, attributes: {p: string, n: {type: number, "
       "min: 0, max: 999999}}}}",
       "{p: {query: A, by: [p], order: asc, limit: 9}, q: {query: A, by: [p], where: \"n > low and n <= high\"}, "
       "r: {query: A, by: [p], between: {n: [from, to]}}, s: {query: A, index: GSI1, where: \"n >= low\", needs: [n]}, "
       "t: {query: A, by: [p], where: n < high}}"},
      {"what an update returns",
       "{A: {keys: {PK: \"A#{a}\", SK: A}, attributes: {a: string, n: {type: number, default: 0}, s: {type: string, optional: true}}}}",
       "{p: {update: A, by: [a], set: [n += 1], if: exists(a), needs: [n]}, q: {update: A, by: [a], set: [n += 1], if: exists(a), needs: "
       "[n, s]}}"},
      {"values that contain the separator",
       "{A: {keys: {PK: \"A#{a}\", SK: \"k_{k}#b_{b}\"}, attributes: {a: string, k: {type: string, default: \"#\"}, b: string}}}",
       "{p: {query: A, by: [a, k]}, q: {put: A}, r: {put: \"A with k = '#'\"}}"},
      {"a condition on what the item lacks",
       "{A: {keys: {PK: \"A#{a}\", SK: A}, attributes: {a: string, code: {type: string, optional: true}}}}",
       "{p: {query: A, by: [a], where: code = given}}"},
  };
  for (const Row& row : rows) {
    const model::Model model = model::LoadForTest(SmallModel(row.entities, row.patterns, ", type_attribute: _et"));
    const model_test::TrialReport report = model_test::RunTrial(model, {1});
    EXPECT_EQ(FailedPatterns(model, report), "") << row.about << '\n' << model_test::TrialText(model, report);
    EXPECT_EQ(report.patterns[0].untried, "") << row.about;
  }
}

// A map can be needed like any other attribute.
TEST(ModelTrial, NeedsOfAnIndex) {
  struct Row {
    const char* project;
    const char* fails;
  };
  const std::string entities =
      "{A: {keys: {PK: \"A#{a}\", SK: A, GSI1PK: \"{g}\", GSI1SK: \"A#{a}\"}, "
      "attributes: {a: string, g: string, m: map}}}";
  for (const Row& row : {Row{"[m]", ""}, Row{"keys", "p"}}) {
    const model::Model model =
        model::LoadForTest(Edited(SmallModel(entities, "{p: {query: A, index: GSI1, by: [g], needs: [m]}}"),
                                  "sk: GSI1SK", std::string("sk: GSI1SK, project: ") + row.project));
    EXPECT_EQ(FailedPatterns(model, model_test::RunTrial(model, {1})), row.fails) << row.project;
  }
}

TEST(ModelTrial, Command) {
  const std::string path = testing::TempDir() + "keyfold-trial-" + std::to_string(::getpid()) + ".yaml";
  struct Row {
    std::string text;
    Arguments arguments;
    int code;
    const char* says;  // text on either stream
  };
  const std::string good =
      SmallModel("{A: {keys: {PK: \"A#{id}\", SK: A}, attributes: {id: string}}}", "{getA: {get: A, by: [id]}}");
  const std::string bad = SmallModel(
      "{A: {keys: {PK: \"A#{id}\", SK: A}, attributes: {id: string}}, "
      "B: {keys: {PK: \"A#{id}\", SK: A}, attributes: {id: string, n: number}}}",
      "{getA: {get: A, by: [id]}}");
  const std::string stale =
      SmallModel(
          "{A: {keys: {PK: \"A#{id}\", SK: A, GSI1PK: \"{s}#{t}\", GSI1SK: A}, attributes: {id: string, s: string, t: string}}}",
          "{p: {update: A, by: [id], set: [s], if: exists(id)}}") +
      "accept: [{rule: L27, pattern: p, reason: old}]\n";
  const std::string returned =
      SmallModel("{A: {keys: {PK: \"A#{id}\", SK: A}, attributes: {id: string, n: {type: number, default: 0}}}}",
                 "{p: {update: A, by: [id], set: [n += 1], if: exists(id), needs: [n]}}");
  const Row rows[] = {
      {good, {}, kExitOk, "1 patterns: 1 passed, 0 failed"},
      {good,
       {"--format", "json"},
       kExitOk,
       "\"summary\":{\"ok\":true,\"right\":1,\"wrong\":0,\"accepted\":0,\"untried\":0}"},
      {good, {"--seed", "7"}, kExitOk, "seed 7"},
      {good,
       {"--format", "calls"},
       kExitOk,
       "{\"pattern\":\"getA\",\"operation\":\"GetItem\",\"input\":{\"id\":\"engineering\"},"},
      {bad, {"--format", "calls"}, kExitFailure, "A and B can have the same key"},
      {stale, {}, kExitOk, "accepted, L27: old"},
      {stale,
       {"--format", "calls"},
       kExitFailure,
       "The calls are not recorded, because p is accepted although it fails"},
      {returned, {"--format", "calls"}, kExitOk, "\"returned\":{\"n\":{\"N\":"},
      {bad, {}, kExitFailure, "A and B can have the same key"},
      {model::ModelText("{A: {keys: {PK: \"A#{id}\", SK: A}, attributes: {id: string}}}", "{getA: {get: A, by: [id]}}"),
       {},
       kExitFailure,
       "not tried: there is no table"},
      {"model: 2\n", {}, kExitUsage, ".yaml:1:"},
      {good, {"--format", "xml"}, kExitUsage, "keyfold model test --help"},
  };
  for (const Row& row : rows) {
    std::ofstream(path) << row.text;
    terminal::TestConsole test;
    Arguments arguments = row.arguments;
    arguments.push_back(path);
    EXPECT_EQ(RunModelTest(arguments, test.console()), row.code) << row.text;
    EXPECT_NE((test.out() + test.err()).find(row.says), std::string::npos) << test.out() << test.err();
  }
  std::remove(path.c_str());
}

}  // namespace
}  // namespace keyfold::cli
