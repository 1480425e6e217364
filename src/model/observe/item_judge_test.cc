#include "model/observe/item_judge.h"

#include <gtest/gtest.h>

#include <tuple>

#include "testing/expr/value_notation.h"
#include "testing/model/model.h"

namespace keyfold::model {
namespace {

constexpr int64_t kNowMs = 1'700'000'000'000;  // 2023-11-14

std::vector<Drift> DriftsOf(const Model& model, const std::string& item, std::optional<EntityId>& entity) {
  const ItemJudge judge(model);
  JudgeRoom room;
  std::vector<Drift> drifts;
  const ManualClock clock(kNowMs * 1000);
  const Item read = expr::ValueNotation::ReadItem(item);
  entity = judge.Judge(read, clock, room, drifts);
  return drifts;
}

// "Order: key, sparse", or "Order" if nothing is wrong, or "?" if it belongs to no entity.
std::string Verdict(const Model& model, const std::string& item) {
  std::optional<EntityId> entity;
  const std::vector<Drift> drifts = DriftsOf(model, item, entity);
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

// The item is a note with this attribute.
struct FormCase {
  const char* attribute;
  const char* message;  // empty if nothing is wrong
};

TEST(ItemJudge, ChecksTheFormOfValues) {
  const Model model = LoadForTest(ModelText(
      "{Note: {keys: {PK: 'NOTE#{id}', SK: NOTE}, attributes: {id: string, day: {type: date, optional: true}, second: "
      "{type: time_s, optional: true}, at: {type: time, optional: true}, micro: {type: time_us, optional: true}, since: "
      "{type: epoch_s, optional: true}, seen: {type: epoch_ms, optional: true}, u: {type: ulid, optional: true}, k: "
      "{type: ksuid, optional: true}, v: {type: uuid7, optional: true}, tags: {type: string_set, optional: true}, sums: "
      "{type: number_set, optional: true}, blobs: {type: binary_set, optional: true}}}}"));
  const FormCase cases[] = {
      {"day='2024-02-29'", ""},
      {"day='2023-02-29'", "day is \"2023-02-29\", but must be a date such as 2024-01-15"},
      {"day='30/04/2023'", "day is \"30/04/2023\", but must be a date such as 2024-01-15"},
      {"second='2024-01-15T10:30:00Z'", ""},
      {"second='2024-01-15T10:30:00.000Z'",
       "second is \"2024-01-15T10:30:00.000Z\", but must be a time such as 2024-01-15T10:30:00Z"},
      {"at='2024-01-15T10:30:00.000Z'", ""},
      {"at='30/04/2023'", "at is \"30/04/2023\", but must be a time such as 2024-01-15T10:30:00.000Z"},
      {"at='2024-01-15T10:30:00+01:00'",
       "at is \"2024-01-15T10:30:00+01:00\", but must be a time such as 2024-01-15T10:30:00.000Z"},
      {"at=7", "at must be S, but is N"},
      {"micro='2024-01-15T10:30:00.000000Z'", ""},
      {"micro='2024-01-15T10:30:00.000Z'",
       "micro is \"2024-01-15T10:30:00.000Z\", but must be a time such as 2024-01-15T10:30:00.000000Z"},
      {"since=1700000000", ""},
      {"since=1700000000.5", "since is 1700000000.5, but must be a whole number of seconds since 1970"},
      {"since=1700000000000", "since is 1700000000000, which is in milliseconds: store seconds"},
      {"seen=1700000000000", ""},
      {"seen=-86400000", ""},
      {"seen=1700000000", "seen is 1700000000, which is in seconds: store milliseconds"},
      {"u='01HM5S3GZK0000000000000000'", ""},
      {"u='81HM5S3GZK0000000000000000'", "u is \"81HM5S3GZK0000000000000000\", but must be a ULID"},
      {"u='01hm5s3gzk0000000000000000'", "u is \"01hm5s3gzk0000000000000000\", but must be a ULID"},
      {"k='2aX4Fy00000000000000000000z'", ""},
      {"k='2aX4Fy'", "k is \"2aX4Fy\", but must be a KSUID"},
      {"v='018d0b6c-1c5e-7000-8000-000000000001'", ""},
      {"v='018d0b6c-1c5e-4000-8000-000000000001'",
       "v is \"018d0b6c-1c5e-4000-8000-000000000001\", but must be a version 7 UUID in lower case"},
      {"tags=<'a', 'b'>", ""},
      {"tags=<1, 2>", "tags must be SS, but is NS"},
      {"tags=['a']", "tags must be SS, but is L"},
      {"sums=<1, 2>", ""},
      {"sums=<'1'>", "sums must be NS, but is SS"},
      {"blobs=<x'00'>", ""},
      {"blobs=x'00'", "blobs must be BS, but is B"},
  };
  for (const FormCase& c : cases) {
    std::optional<EntityId> entity;
    const std::vector<Drift> drifts =
        DriftsOf(model, std::string("{PK='NOTE#1', SK='NOTE', id='1', ") + c.attribute + "}", entity);
    ASSERT_EQ(drifts.size(), *c.message == '\0' ? 0U : 1U) << c.attribute;
    if (drifts.empty()) continue;
    EXPECT_EQ(drifts[0].message, c.message);
    EXPECT_EQ(drifts[0].kind, DriftKind::kAttributeType);
    EXPECT_EQ(drifts[0].attribute, std::string_view(c.attribute).substr(0, std::string_view(c.attribute).find('=')));
  }
}

TEST(ItemJudge, ChecksTheDeclaredFieldsOfMaps) {
  const Model model = LoadForTest(
      ModelText("{Book: {keys: {PK: 'BOOK#{id}', SK: BOOK}, attributes: {id: string, details: {type: map, fields: "
                "{pages: number, state: [new, old], geo: {type: map, optional: true, fields: {lat: decimal}}}}}}}"));
  const auto messages = [&](const std::string& details) {
    std::optional<EntityId> entity;
    std::string out;
    for (const Drift& drift : DriftsOf(model, "{PK='BOOK#1', SK='BOOK', details=" + details + "}", entity)) {
      out += std::string(NameOf(drift.kind)) + ' ' + drift.attribute + ": " + drift.message + '\n';
    }
    return out;
  };
  EXPECT_EQ(messages("{pages=1, state='new', more='any', geo={lat=1.5}}"), "");
  EXPECT_EQ(messages("{pages='1', state='lost'}"),
            "attribute_type details.pages: details.pages must be N, but is S\n"
            "attribute_type details.state: details.state is \"lost\", which is not one of its values\n");
  EXPECT_EQ(messages("{state='new', geo={lon=1}}"),
            "missing details.pages: details.pages is missing\nmissing details.geo.lat: details.geo.lat is missing\n");
}

// A placeholder has one value at all its places, however it is formatted there.
TEST(ItemJudge, ComparesRepeatedPlaceholders) {
  const Model model = LoadForTest(ModelText(
      "{User: {keys: {PK: 'USER#{id}', SK: 'USER#{id}', GSI1PK: 'MAIL#{id|lower}', GSI1SK: '{x}-{x}'}, attributes: "
      "{id: string, x: {type: string, optional: true}}}, Log: {keys: {PK: 'LOG#{at|month}#{n|pad4}', SK: "
      "'{at|iso_s}#{n}#{at|iso_ms}'}, attributes: {at: time, n: number}}, Follow: {keys: {PK: 'u#{a}#follower', SK: "
      "'u#{a|upper}'}, attributes: {a: string}}}"));
  EXPECT_EQ(Verdict(model, "{PK='USER#a', SK='USER#a', GSI1PK='MAIL#a'}"), "User");
  EXPECT_EQ(Verdict(model, "{PK='USER#a', SK='USER#b'}"), "?: no_entity");
  EXPECT_EQ(Verdict(model, "{PK='USER#A', SK='USER#A', GSI1PK='MAIL#a', GSI1SK='y-y'}"), "User");
  EXPECT_EQ(Verdict(model, "{PK='USER#A', SK='USER#A', GSI1PK='MAIL#b'}"), "User: index_key");
  EXPECT_EQ(Verdict(model, "{PK='USER#A', SK='USER#A', GSI1PK='MAIL#a', GSI1SK='y-z'}"), "User: index_key");
  EXPECT_EQ(Verdict(model, "{PK='LOG#2024-01#0012', SK='2024-01-15T10:30:00Z#12#2024-01-15T10:30:00.123Z'}"), "Log");
  EXPECT_EQ(Verdict(model, "{PK='LOG#2024-02#0012', SK='2024-01-15T10:30:00Z#12#2024-01-15T10:30:00.123Z'}"),
            "?: no_entity");
  EXPECT_EQ(Verdict(model, "{PK='LOG#2024-01#0012', SK='2024-01-15T10:30:00Z#12#2024-01-15T10:30:01.123Z'}"),
            "?: no_entity");
  EXPECT_EQ(Verdict(model, "{PK='LOG#2024-01#0012', SK='2024-01-15T10:30:00Z#120#2024-01-15T10:30:00.123Z'}"),
            "?: no_entity");
  EXPECT_EQ(Verdict(model, "{PK='u#aB#follower', SK='u#AB'}"), "Follow");
  EXPECT_EQ(Verdict(model, "{PK='u#1#follower', SK='u#2'}"), "?: no_entity");
  const Model typed =
      LoadForTest(ModelText("{User: {keys: {PK: 'USER#{id}', SK: 'USER#{id}'}, attributes: {id: string}}}", "{}", "{}",
                            ", type_attribute: t"));
  EXPECT_EQ(Verdict(typed, "{t='User', PK='USER#a', SK='USER#a'}"), "User");
  EXPECT_EQ(Verdict(typed, "{t='User', PK='USER#a', SK='USER#b'}"), "User: key");
  EXPECT_EQ(Verdict(typed, "{t='User', PK='USER#a', SK='USER#b', id='a'}"), "User: key");
}

TEST(ItemJudge, ComparesIndexKeysWithThoseOfTheVariant) {
  const Model model = LoadForTest(ModelText(
      "{Repo: {keys: {PK: 'REPO#{owner}#{name}', SK: REPO, GSI1PK: 'REPO#{owner}#{name}', GSI1SK: '#REPO'}, variants: "
      "{Fork: {when: 'exists(from) and not stars > 9', keys: {GSI1PK: 'REPO#{from}#{name}', GSI1SK: 'FORK#{owner}'}}, "
      "Star: {when: 'stars > 9', keys: {GSI1PK: 'STAR#{name}'}}}, attributes: {owner: string, name: string, stars: "
      "number, from: {type: string, optional: true}}}}"));
  const auto verdict = [&](const std::string& more) {
    return Verdict(model, "{PK='REPO#o#n', SK='REPO', owner='o', name='n', " + more + "}");
  };
  EXPECT_EQ(verdict("stars=1, GSI1PK='REPO#o#n', GSI1SK='#REPO'"), "Repo");
  EXPECT_EQ(verdict("stars=1, from='p', GSI1PK='REPO#p#n', GSI1SK='FORK#o'"), "Repo");
  EXPECT_EQ(verdict("stars=1, from='p', GSI1PK='REPO#o#n', GSI1SK='#REPO'"), "Repo: index_key, index_key");
  EXPECT_EQ(verdict("stars=1, GSI1PK='REPO#o#n', GSI1SK='FORK#o'"), "Repo: index_key");
  EXPECT_EQ(verdict("stars=10, from='p', GSI1PK='STAR#n', GSI1SK='#REPO'"), "Repo");
  EXPECT_EQ(verdict("stars=10, from='p', GSI1PK='REPO#p#n', GSI1SK='FORK#o'"), "Repo: index_key, index_key");
}

// An item has the index's keys exactly while the condition holds.
TEST(ItemJudge, TestsEveryKindOfCondition) {
  struct Row {
    const char* condition;
    const char* holds;
    const char* fails;
  };
  constexpr Row kRows[] = {
      {"a = 'x' or n > 5", "a='y', n=6", "a='y', n=5"},
      {"not (a = 'x' or n > 5)", "a='y', n=5", "a='x', n=5"},
      {"not a in ('x', 'y')", "a='z'", "a='y'"},
      {"n in (1, 2)", "n=2", "n=3"},
      {"contains(a, 'b')", "a='abc'", "a='ac'"},
      {"contains(tags, 'b')", "tags=<'a', 'b'>", "tags=<'a', 'c'>"},
      {"contains(sums, 2)", "sums=<1, 2>", "sums=<12>"},
      {"contains(list, 'b')", "list=['b', 1]", "list=['bb', 1]"},
      {"size(tags) > 1", "tags=<'a', 'b'>", "tags=<'a'>"},
      {"size(a) <= 4", "a='caf\xC3\xA9'", "a='cafes'"},
      {"missing(tags)", "n=1", "tags=<'a'>"},
      {"m.deep.n >= 2.5", "m={deep={n=2.50}}", "m={deep={n=2}}"},
      {"list[1] = 'b'", "list=['a', 'b']", "list=['b']"},
      {"begins_with(a, 'ab')", "a='abc'", "a='b'"},
      {"flag = true and at < now", "flag=true, at=1", "flag=true, at=1800000000"},
      {"when <= now", "when='2023-11-14T22:13:20Z'", "when='2023-11-14T22:13:21Z'"},
      {"n <> 3", "n=4", "n=3"},
      {"n <> 3", "a='none'", "n=3.0"},
  };
  for (const Row& row : kRows) {
    const Model model = LoadForTest(ModelText(
        "{Job: {keys: {PK: 'JOB#{id}', SK: JOB, GSI1PK: 'OPEN#{id}', GSI1SK: JOB}, attributes: {id: string, a: {type: "
        "string, optional: true}, n: {type: number, optional: true}, tags: {type: string_set, optional: true}, sums: "
        "{type: number_set, optional: true}, list: {type: list, optional: true}, flag: {type: bool, optional: true}, at: "
        "{type: epoch_s, optional: true}, when: {type: time_s, optional: true}, m: {type: map, optional: true, fields: "
        "{deep: {type: map, fields: {n: decimal}}}}}, when: {GSI1: \"" +
        std::string(row.condition) + "\"}}}"));
    const std::string job = "{PK='JOB#1', SK='JOB', ", keys = "GSI1PK='OPEN#1', GSI1SK='JOB', ";
    EXPECT_EQ(Verdict(model, job + keys + row.holds + "}"), "Job") << row.condition;
    EXPECT_EQ(Verdict(model, job + row.holds + "}"), "Job: index_key, index_key") << row.condition;
    EXPECT_EQ(Verdict(model, job + row.fails + "}"), "Job") << row.condition;
    EXPECT_EQ(Verdict(model, job + keys + row.fails + "}"), "Job: sparse, sparse") << row.condition;
  }
}

}  // namespace
}  // namespace keyfold::model
