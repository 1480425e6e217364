#include "model/observe/item_judge.h"

#include <gtest/gtest.h>

#include <tuple>

#include "testing/expr/value_notation.h"
#include "testing/model/model.h"

namespace keyfold::model {
namespace {

constexpr int64_t kNowMs = 1'700'000'000'000;  // 2023-11-14

// "Order: key, sparse", or "Order" if nothing is wrong, or "?" if it belongs to no entity.
std::string Verdict(const Model& model, const std::string& item) {
  const ItemJudge judge(model);
  JudgeRoom room;
  std::vector<Drift> drifts;
  const ManualClock clock(kNowMs * 1000);
  const Item read = expr::ValueNotation::ReadItem(item);
  const std::optional<EntityId> entity = judge.Judge(read, clock, room, drifts);
  std::string out = entity ? model.entities[*entity].name : "?";
  for (size_t i = 0; i < drifts.size(); ++i) {
    out.append(i == 0 ? ": " : ", ").append(NameOf(drifts[i].kind));
    EXPECT_NE(drifts[i].message, "");
  }
  return out;
}

constexpr char kUser[] =
    "PK='USER#1', SK='PROFILE', GSI1PK='EMAIL#a@b.c', GSI1SK='PROFILE', userId='1', name='Ann', email='A@b.c', "
    "plan='free'";
constexpr char kOrder[] =
    "PK='USER#1', SK='ORDER#2024-01-15T10:30:00Z#00001001', userId='1', orderId=1001, "
    "createdAt='2024-01-15T10:30:00.000Z', region='eu', total=12.5, version=1";

struct JudgeCase {
  std::string item;
  std::string verdict;
};

TEST(ItemJudge, JudgesItemsOfTheShop) {
  const Model shop = LoadForTest(ExampleText("shop.yaml"));
  const std::string user = std::string("{_et='User', ") + kUser, order = std::string("{_et='Order', ") + kOrder;
  const std::string shard = std::to_string(ShardOf("00001001", 10));
  const std::string other_shard = std::to_string((ShardOf("00001001", 10) + 1) % 10);
  const auto pending = [&](const std::string& of_shard) {
    return order + ", status='pending', GSI2PK='STATUS#pending#" + of_shard +
           "', GSI2SK='2024-01-15T10:30:00Z#00001001'}";
  };
  const JudgeCase cases[] = {
      {user + "}", "User"},
      {user + ", extra='any'}", "User"},
      {user + ", postCount='7'}", "User: attribute_type"},
      {user + ", plan='gold'}", "User: attribute_type"},
      {user + ", userId='2'}", "User: key"},
      {user + ", email='x@b.c'}", "User: index_key"},
      {user + ", GSI1PK='MAIL#a@b.c'}", "User: index_key"},
      {user + ", GSI2PK='x'}", "User: index_key"},
      {std::string("{") + kUser + "}", "User: type_attribute"},
      {std::string("{_et='Client', ") + kUser + "}", "User: type_attribute"},
      {std::string("{_et='Order', ") + kUser + "}", "?: key"},
      {"{PK='THING#1', SK='PROFILE'}", "?: no_entity"},
      {"{PK='USER#1', SK='PROFIL'}", "?: no_entity"},
      {"{_et='EmailGuard', PK='EMAIL#a@b.c', SK='EMAIL', email='a@b.c', userId='1'}", "EmailGuard"},
      {"{_et='EmailGuard', PK='EMAIL#a@b.c', SK='EMAIL', userId='1'}", "EmailGuard"},
      {"{_et='EmailGuard', PK='EMAIL#a@b.c', SK='EMAIL'}", "EmailGuard: missing"},
      {order + ", status='paid'}", "Order"},
      {pending(shard), "Order"},
      {pending(other_shard), "Order: index_key"},
      {order + ", status='pending'}", "Order: index_key, index_key"},
      {order + ", status='paid', GSI2PK='STATUS#pending#" + shard + "'}", "Order: sparse"},
      {"{_et='Session', PK='SESSION#s', SK='SESSION', GSI1PK='USER#1#SESSIONS', GSI1SK='1700000100', sessionId='s', "
       "userId='1', expiresAt=1700000100}",
       "Session"},
      {"{_et='Session', PK='SESSION#s', SK='SESSION', GSI1PK='USER#1#SESSIONS', GSI1SK='1500000000', sessionId='s', "
       "userId='1', expiresAt=1500000000}",
       "Session: ttl"},
      {"{_et='Session', PK='SESSION#s', SK='SESSION', sessionId='s', userId='1', expiresAt='2024-01-15'}",
       "Session: index_key, index_key, ttl"},
      {"{_et='EmailGuard', PK='EMAIL#a@b.c', SK='EMAIL', userId='1', expiresAt=1700000000000}", "EmailGuard: ttl"},
      {"{_et='Reading', PK='DEVICE#d#2024-01#9', SK='2024-01-15T10:30:00.000Z', deviceId='d', "
       "at='2024-01-15T10:30:00.000Z', temp=3}",
       "Reading"},
      {"{_et='Reading', PK='DEVICE#d#2024-02#9', SK='2024-01-15T10:30:00.000Z', deviceId='d', "
       "at='2024-01-15T10:30:00.000Z', temp=3}",
       "Reading: key"},
      {"{_et='Reading', PK='DEVICE#d#2024-01#10', SK='2024-01-15T10:30:00.000Z', deviceId='d'}", "?: key"},
  };
  for (const JudgeCase& c : cases) EXPECT_EQ(Verdict(shop, c.item), c.verdict) << c.item;
}

TEST(ItemJudge, NativeKeysLeaveASparseIndexToo) {
  const Model model = LoadForTest(
      ModelText("{Job: {keys: {PK: 'JOB#{id}', SK: JOB}, attributes: {id: string, state: [open, done], due: {type: "
                "number, optional: true}}, when: {Due: \"state = open\"}}}",
                "{}", "{Due: {pk: state, sk: due}}"));
  EXPECT_EQ(Verdict(model, "{PK='JOB#1', SK='JOB', state='open', due=3}"), "Job");
  EXPECT_EQ(Verdict(model, "{PK='JOB#1', SK='JOB', state='done'}"), "Job");
  EXPECT_EQ(Verdict(model, "{PK='JOB#1', SK='JOB', state='done', due=3}"), "Job: sparse");
}

// As in DynamoDB, <> is true for a missing attribute. Strings and numbers are compared in different ways.
TEST(ItemJudge, AMissingAttributeDiffersFromEveryValue) {
  for (const auto& [condition, other, same] : {std::tuple("state <> 'done'", "state='open'", "state='done'"),
                                               std::tuple("tries <> 3", "tries=2", "tries=3")}) {
    const Model model = LoadForTest(ModelText(
        "{Job: {keys: {PK: 'JOB#{id}', SK: JOB, GSI1PK: 'OPEN#{id}', GSI1SK: JOB}, attributes: {id: string, state: "
        "{type: string, optional: true}, tries: {type: number, optional: true}}, when: {GSI1: \"" +
        std::string(condition) + "\"}}}"));
    const std::string job = "{PK='JOB#1', SK='JOB'", keys = ", GSI1PK='OPEN#1', GSI1SK='JOB'";
    EXPECT_EQ(Verdict(model, job + keys + "}"), "Job") << condition;
    EXPECT_EQ(Verdict(model, job + "}"), "Job: index_key, index_key") << condition;
    EXPECT_EQ(Verdict(model, job + keys + ", " + other + "}"), "Job") << condition;
    EXPECT_EQ(Verdict(model, job + ", " + same + "}"), "Job") << condition;
  }
}

TEST(ItemJudge, FindsByKeyWithoutATypeAttribute) {
  const Model model = LoadForTest(ModelText(
      "{User: {keys: {PK: 'USER#{id}', SK: PROFILE}, attributes: {id: string}}, Note: {keys: {PK: 'USER#{id}', SK: "
      "'NOTE#{n|pad4}'}, attributes: {id: string, n: number}}}"));
  EXPECT_EQ(Verdict(model, "{PK='USER#1', SK='PROFILE'}"), "User");
  EXPECT_EQ(Verdict(model, "{PK='USER#1', SK='NOTE#0012', n=12}"), "Note");
  EXPECT_EQ(Verdict(model, "{PK='USER#1', SK='NOTE#0012', n=13}"), "Note: key");
  EXPECT_EQ(Verdict(model, "{PK='USER#1', SK='NOTE#12', n=12}"), "?: no_entity");
}

}  // namespace
}  // namespace keyfold::model
