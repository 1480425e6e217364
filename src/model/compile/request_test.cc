#include "model/compile/request.h"

#include <gtest/gtest.h>

#include "testing/model/model.h"

namespace keyfold::model {
namespace {

// The request bodies of a call of one of the shop's patterns, one per line.
std::string Bodies(const Model& model, std::string_view name, CallInputs call, const RequestOptions& options = {}) {
  const Pattern* pattern = model.FindPattern(name);
  const Compiled compiled = Compile(model, static_cast<PatternId>(pattern - model.patterns.data()));
  call.now_ms = 1'700'000'000'000;
  std::string out;
  for (const ApiRequest& one : RequestsOf(model, std::get<Access>(compiled), call, options)) {
    out += (out.empty() ? "" : "\n") + std::string(NameOf(one.operation)) + ' ' + one.body;
  }
  return out;
}

TEST(Request, ShopReads) {
  const Model shop = LoadForTest(ExampleText("shop.yaml"));
  struct Row {
    const char* pattern;
    InputValues values;
    const char* body;
  };
  const Row rows[] = {
      {"getUser",
       {{"userId", "u\"1"}},
       R"j(GetItem {"TableName":"App","Key":{"PK":{"S":"USER#u\"1"},"SK":{"S":"PROFILE"}}})j"},
      {"getUserByEmail",
       {{"email", "Ann@X"}},
       R"j(Query {"TableName":"App","IndexName":"GSI1","KeyConditionExpression":"#GSI1PK = :GSI1PK AND #GSI1SK = :GSI1SK",)j"
       R"j("ExpressionAttributeNames":{"#GSI1PK":"GSI1PK","#GSI1SK":"GSI1SK"},)j"
       R"j("ExpressionAttributeValues":{":GSI1PK":{"S":"EMAIL#ann@x"},":GSI1SK":{"S":"PROFILE"}}})j"},
      {"userOrders",
       {{"userId", "1"}},
       R"j(Query {"TableName":"App","KeyConditionExpression":"#PK = :PK AND begins_with(#SK, :SK)",)j"
       R"j("ExpressionAttributeNames":{"#PK":"PK","#SK":"SK"},)j"
       R"j("ExpressionAttributeValues":{":PK":{"S":"USER#1"},":SK":{"S":"ORDER#"}},"ScanIndexForward":false,"Limit":20})j"},
      {"userSessions",
       {{"userId", "1"}},
       R"j(Query {"TableName":"App","IndexName":"GSI1","KeyConditionExpression":"#GSI1PK = :GSI1PK AND #GSI1SK >= :GSI1SK",)j"
       R"j("ExpressionAttributeNames":{"#GSI1PK":"GSI1PK","#GSI1SK":"GSI1SK"},)j"
       R"j("ExpressionAttributeValues":{":GSI1PK":{"S":"USER#1#SESSIONS"},":GSI1SK":{"S":"1700000000)j"
       "\xEF\xBF\xBF"
       R"j("}}})j"},
  };
  for (const Row& row : rows) EXPECT_EQ(Bodies(shop, row.pattern, {row.values, {}, 0}), row.body);
}

// A local index fetches what it does not project only if the request asks for it.
TEST(Request, AsksALocalIndexForWholeItems) {
  struct Row {
    const char* pattern;
    bool fetches;
  };
  const Row rows[] = {
      {"{query: A, index: L, by: [a], needs: [body]}", true},
      {"{query: A, index: L, by: [a], needs: [s, a, b]}", false},
      {"{query: A, index: L, by: [a]}", false},
      {"{query: A, index: L, by: [a], where: 'body = x'}", true},
      {"{query: A, index: L, by: [a, b]}", false},
      {"{scan: A, index: L, needs: [body]}", true},
      {"{query: A, index: All, by: [a], needs: [body]}", false},
  };
  for (const Row& row : rows) {
    const Model model = LoadForTest(ModelText(
        "{A: {keys: {PK: '{a}', SK: '{b}'}, attributes: {a: string, b: string, s: string, t: string, body: string}}}",
        std::string("{p: ") + row.pattern + "}",
        "{L: {pk: PK, sk: s, project: keys, local: true}, All: {pk: PK, sk: t, local: true}}"));
    const std::string body = Bodies(model, "p", {{{"a", "1"}, {"b", "2"}, {"x", "3"}}, {}, 0});
    EXPECT_EQ(body.find("\"Select\":\"ALL_ATTRIBUTES\"") != std::string::npos, row.fetches) << row.pattern << body;
  }
}

// One request for each bucket and shard; the last bucket comes first if the order is descending.
TEST(Request, FanOut) {
  const std::string text = ModelText(
      "{R: {keys: {PK: \"{at|month}#{shard}\", SK: \"{at|iso_ms}\"}, shard: {n: 2, by: random}, attributes: {at: "
      "time}}}",
      "{up: {query: R, between: {at: [from, to]}, fanout: shard, merge: [at]}, "
      "down: {query: R, between: {at: [from, to]}, fanout: shard, merge: [at], order: desc}}");
  const Model model = LoadForTest(text);
  const CallInputs call{{{"from", "2024-01-31T23"}, {"to", "2024-02-01"}}, {}, 0};
  for (const bool up : {true, false}) {
    const std::string bodies = Bodies(model, up ? "up" : "down", call);
    EXPECT_EQ(std::count(bodies.begin(), bodies.end(), '\n'), 3);
    for (const char* key : {"2024-01#0", "2024-01#1", "2024-02#0", "2024-02#1"}) {
      EXPECT_NE(bodies.find(key), std::string::npos) << key;
    }
    EXPECT_EQ(bodies.find("2024-01#0") < bodies.find("2024-02#0"), up);
  }
  EXPECT_EQ(Bodies(model, "up", {{{"from", "2024"}, {"to", "2024-02"}}, {}, 0}), "");
}

TEST(Request, Writes) {
  const std::string text = ModelText(
      "{J: {keys: {PK: \"J#{id}\", SK: J, GSI1PK: \"S#{state}\", GSI1SK: \"{id}\"}, when: {GSI1: \"state = open\"}, "
      "attributes: {id: string, state: [open, done], n: {type: number, default: 3}, b: binary, l: list, o: bool, "
      "e: {type: string, optional: true}}}}",
      "{put: {put: J if_new}, move: {update: J, by: [id], set: [state]}, drop: {delete: J, by: [id], if: n > least}, "
      "many: {batch_write: [put J x30]}, both: {transact: [check J if exists(state), put J x2], token: t}}");
  const Model model = LoadForTest(text);
  const InputValues item = {{"id", "1"}, {"state", "done"}, {"b", "\x01\x02"}, {"l", "[{\"S\":\"a\"}]"}, {"o", "true"}};
  InputValues open = item;
  open["state"] = "open";
  const std::string rest = R"j("n":{"N":"3"},"b":{"B":"AQI="},"l":{"L":[{"S":"a"}]},"o":{"BOOL":true}})j";
  const std::string fresh =
      ",\"ConditionExpression\":\"attribute_not_exists(#PK)\",\"ExpressionAttributeNames\":{\"#PK\":\"PK\"}}";
  EXPECT_EQ(
      Bodies(model, "put", {item, {}, 0}),
      R"j(PutItem {"TableName":"T","Item":{"PK":{"S":"J#1"},"SK":{"S":"J"},"id":{"S":"1"},"state":{"S":"done"},)j" +
          rest + fresh);
  EXPECT_EQ(Bodies(model, "put", {open, {}, 0}),
            R"j(PutItem {"TableName":"T","Item":{"PK":{"S":"J#1"},"SK":{"S":"J"},"GSI1PK":{"S":"S#open"},)j"
            R"j("GSI1SK":{"S":"1"},"id":{"S":"1"},"state":{"S":"open"},)j" +
                rest + fresh);
  EXPECT_NE(Bodies(model, "move", {open, {}, 0}).find("\"UpdateExpression\":\"SET #state = :state, #GSI1PK = :GSI1PK"),
            std::string::npos);
  EXPECT_NE(Bodies(model, "move", {item, {}, 0}).find("\"SET #state = :state REMOVE #GSI1PK, #GSI1SK\""),
            std::string::npos);
  EXPECT_EQ(
      Bodies(model, "drop", {{{"id", "1"}, {"least", "5"}}, {}, 0}),
      R"j(DeleteItem {"TableName":"T","Key":{"PK":{"S":"J#1"},"SK":{"S":"J"}},"ConditionExpression":"#n > :least",)j"
      R"j("ExpressionAttributeNames":{"#n":"n"},"ExpressionAttributeValues":{":least":{"N":"5"}}})j");
  CallInputs many{{}, {std::vector<InputValues>(30, item)}, 0};
  const std::string batches = Bodies(model, "many", many);
  EXPECT_EQ(std::count(batches.begin(), batches.end(), '\n'), 1);  // batches of 25 and 5
  const std::string both = Bodies(model, "both", {{{"id", "1"}, {"t", "once"}}, {{}, {item, open}}, 0});
  EXPECT_NE(both.find("{\"ConditionCheck\":{\"TableName\":\"T\",\"Key\""), std::string::npos) << both;
  EXPECT_NE(both.find("\"ClientRequestToken\":\"once\""), std::string::npos) << both;
}

TEST(Request, WritesNamesThatInputsGive) {
  const Model model = LoadForTest(ModelText(
      "{B: {keys: {PK: 'B#{k}', SK: B}, attributes: {k: string, who: string, votes: {type: map, values: number}}}}",
      "{vote: {update: B, by: [k], set: ['who?', 'votes.{who} = n'], if: 'exists(votes.{voter})'}}"));
  EXPECT_EQ(
      Bodies(model, "vote", {{{"k", "1"}, {"who", "Ann"}, {"voter", "#v"}, {"n", "3"}}, {}, 0}),
      R"j(UpdateItem {"TableName":"T","Key":{"PK":{"S":"B#1"},"SK":{"S":"B"}},)j"
      R"j("ConditionExpression":"attribute_exists(#votes.#voter)","UpdateExpression":"SET #who = :who, #votes.#who2 = :n",)j"
      R"j("ExpressionAttributeNames":{"#who":"who","#votes":"votes","#who2":"Ann","#voter":"#v"},)j"
      R"j("ExpressionAttributeValues":{":who":{"S":"Ann"},":n":{"N":"3"}}})j");
}

// What an update needs is what it returns: all of the item if it may not assign all of that.
TEST(Request, AsksForWhatAnUpdateNeeds) {
  struct Row {
    const char* pattern;
    const char* returns;
  };
  const Row rows[] = {
      {"set: [n += 1]", ""},
      {"set: [n += 1], needs: []", ""},
      {"set: [n += 1], needs: [n]", "UPDATED_NEW"},
      {"set: [n += 1, s], needs: [s, n]", "UPDATED_NEW"},
      {"set: [n += 1], if: v, needs: [n, v]", "UPDATED_NEW"},
      {"set: [n += 1], needs: [n, s]", "ALL_NEW"},
      {"set: ['n?'], needs: [n]", "ALL_NEW"},
      {"set: [m.x = n], needs: [m]", "ALL_NEW"},
      {"remove: [s], needs: [s]", "ALL_NEW"},
  };
  for (const Row& row : rows) {
    const Model model = LoadForTest(ModelText(
        "{A: {keys: {PK: 'A#{k}', SK: A}, attributes: {k: string, n: number, s: string, m: {type: map, fields: {x: number}}, v: {type: number, lock: true}}}}",
        "{p: {update: A, by: [k], " + std::string(row.pattern) + "}}"));
    const std::string body = Bodies(model, "p", {{{"k", "1"}, {"n", "2"}, {"s", "x"}, {"v", "1"}}, {}, 0});
    const std::string wanted = "\"ReturnValues\":\"" + std::string(row.returns) + '"';
    EXPECT_EQ(body.find(*row.returns == 0 ? "ReturnValues" : wanted) != std::string::npos, *row.returns != 0)
        << row.pattern << ' ' << body;
  }
}

TEST(Request, FollowPage) {
  EXPECT_EQ(FollowPage(R"({"TableName":"T"})", R"({"PK":{"S":"a"}})"),
            R"j({"TableName":"T","ExclusiveStartKey":{"PK":{"S":"a"}}})j");
}

}  // namespace
}  // namespace keyfold::model
