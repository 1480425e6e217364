#include "model/compile/access.h"

#include <gtest/gtest.h>

#include "model/keys/coverage.h"
#include "testing/model/model.h"

namespace keyfold::model {
namespace {

std::string PrintedAliases(const Aliases& aliases) {
  std::string out;
  for (const auto& [alias, name] : aliases.names) out += ' ' + alias + '=' + name;
  for (const NamedValue& value : aliases.values) {
    out += ' ' + value.name + '=' + std::string(NameOf(value.value.type)) + ':' + value.value.ToString();
  }
  return out;
}

std::string PrintedAliases(const Model& model, const KeyRead& read) {
  std::string out;
  if (read.index) out += ' ' + model.indexes[*read.index].name;
  for (const auto* parts : {&read.partition, &read.sort}) {
    for (const KeyPart& part : *parts) out += ' ' + part.attribute + '=' + part.value.ToString();
  }
  const SortRange& range = read.range;
  if (range.op == SortRange::Op::kBeginsWith)
    out += " begins_with(" + range.attribute + ", " + range.low.ToString() + ')';
  if (range.op == SortRange::Op::kBetween) {
    out += ' ' + range.attribute + " between " + range.low.ToString() + " and " + range.high.ToString();
  }
  if (range.op > SortRange::Op::kBetween) out += ' ' + range.attribute + " compared with " + range.low.ToString();
  return out;
}

std::string PrintedGuards(const Guards& guards) {
  std::string out;
  for (const Guard& guard : guards) out += (guard.holds ? "[" : "[not ") + guard.condition->text + ']';
  return out;
}

std::string PrintedAliases(const Model& model, const Write& write) {
  constexpr std::string_view kVerbs[] = {"get", "query", "scan", "put", "update", "delete", "", "", "", "", "check"};
  constexpr std::string_view kEffects[] = {"enters", "leaves", "moves", "rewrites"};
  std::string out =
      " | " + std::string(kVerbs[static_cast<size_t>(write.verb)]) + ' ' + model.entities[write.entity].name;
  if (write.times > 1) out += " x" + std::to_string(write.times);
  for (const KeyPart& part : write.key) out += ' ' + part.attribute + '=' + part.value.ToString();
  for (const ItemPart& part : write.item) {
    if (part.is_key && !model.IsBaseKey(part.attribute)) {
      out += ' ' + part.attribute + '=' + part.value.ToString() + PrintedGuards(part.guards);
    }
  }
  if (const std::string update = UpdateOf(write).update; !update.empty()) out += ' ' + update;
  if (!write.condition.empty()) out += " if " + write.condition;
  for (const IndexEffect& effect : write.effects) {
    out +=
        " (" + std::string(kEffects[static_cast<size_t>(effect.kind)]) + ' ' + model.indexes[effect.index].name + ')';
  }
  for (const StaleKey& stale : write.stale) out += " stale " + stale.key_attribute;
  return out;
}

// The request on one line, without its aliases.
std::string PrintedAliases(const Model& model, const Access& access) {
  const Pattern& pattern = model.patterns[access.pattern];
  std::string out(NameOf(access.operation));
  for (const KeyRead& read : access.reads) out += PrintedAliases(model, read);
  for (const Write& write : access.writes) out += PrintedAliases(model, write);
  if (!access.filter.empty()) out += " filter " + access.filter;
  if (!access.forward) out += " desc";
  if (pattern.limit) out += " limit " + std::to_string(*pattern.limit);
  if (access.shards > 1) out += " shards " + std::to_string(access.shards);
  if (access.buckets) out += " buckets of " + access.buckets->attribute;
  if (!access.token.empty()) out += " token " + access.token;
  return out;
}

std::string CompiledForTest(const Model& model, std::string_view name) {
  const Pattern* pattern = model.FindPattern(name);
  if (pattern == nullptr) return "no such pattern";
  const Compiled compiled = Compile(model, static_cast<PatternId>(pattern - model.patterns.data()));
  if (const auto* access = std::get_if<Access>(&compiled)) return PrintedAliases(model, *access);
  const auto& unserved = std::get<Unserved>(compiled);
  std::string out = "unserved: " + unserved.message;
  if (unserved.served_by_table) out += "; the table serves";
  if (unserved.served_by) out += "; " + model.indexes[*unserved.served_by].name + " serves";
  return out;
}

TEST(Access, CompilesEveryPatternOfTheShop) {
  const Model model = LoadForTest(ExampleText("shop.yaml"));
  struct Row {
    std::string_view pattern;
    std::string_view request;
  };
  const Row rows[] = {
      {"getUser", "GetItem PK=USER#{userId} SK=PROFILE"},
      {"getUserByEmail", "Query GSI1 GSI1PK=EMAIL#{email|lower} GSI1SK=PROFILE"},
      {"createUser",
       "TransactWriteItems"
       " | put User PK=USER#{userId} SK=PROFILE GSI1PK=EMAIL#{email|lower} GSI1SK=PROFILE if attribute_not_exists(#PK) "
       "(enters GSI1)"
       " | put EmailGuard PK=EMAIL#{email|lower} SK=EMAIL if attribute_not_exists(#PK)"},
      {"userOrders", "Query PK=USER#{userId} begins_with(SK, ORDER#) desc limit 20"},
      {"recentOrders", "Query PK=USER#{userId} begins_with(SK, ORDER#) desc limit 10"},
      {"ordersByDate", "Query PK=USER#{userId} SK between ORDER#{from|iso_s} and ORDER#{to|iso_s}\\uFFFF"},
      {"userWithAll", "Query PK=USER#{userId}"},
      {"getOrder", "GetItem PK=ORDER#{orderId|pad8} SK=METADATA"},
      {"orderWithItems", "Query PK=ORDER#{orderId|pad8}"},
      {"pendingOrders", "Query GSI2 GSI2PK=STATUS#pending#{0..9} desc shards 10"},
      {"placeOrder",
       "TransactWriteItems"
       " | put Order PK=USER#{userId} SK=ORDER#{createdAt|iso_s}#{orderId|pad8} "
       "GSI2PK=STATUS#pending#{hash(orderId|pad8)%10}[status = pending] GSI2SK={createdAt|iso_s}#{orderId|pad8}[status "
       "= pending] if attribute_not_exists(#PK) (enters GSI2) (enters ByRegion)"
       " | put OrderHeader PK=ORDER#{orderId|pad8} SK=METADATA if attribute_not_exists(#PK)"
       " | put OrderItem x3 PK=ORDER#{orderId|pad8} SK=ITEM#{line|pad3}"
       " | update Product x3 PK=PRODUCT#{sku} SK=METADATA SET #stock = #stock - :qty if #stock >= :qty token orderId"},
      {"shipOrder",
       "TransactWriteItems"
       " | update Order PK=USER#{userId} SK=ORDER#{createdAt|iso_s}#{orderId|pad8} SET #status = :status, #version = "
       "#version + :one REMOVE #GSI2PK, #GSI2SK if #version = :version (leaves GSI2) (moves ByRegion)"
       " | update OrderHeader PK=ORDER#{orderId|pad8} SK=METADATA SET #status = :status, #_et = :_et"
       " | put StatusEvent PK=ORDER#{orderId|pad8} SK=STATUS#{at|iso_ms}#{status}"},
      {"follow",
       "PutItem"
       " | put Follow PK=USER#{follower} SK=FOLLOWS#{followee} GSI1PK=FOLLOWED_BY#{followee} GSI1SK=USER#{follower} "
       "(enters GSI1)"},
      {"following", "Query PK=USER#{follower} begins_with(SK, FOLLOWS#)"},
      {"followers", "Query GSI1 GSI1PK=FOLLOWED_BY#{followee} begins_with(GSI1SK, USER#)"},
      {"doesFollow", "GetItem PK=USER#{follower} SK=FOLLOWS#{followee}"},
      {"byCategory", "Query GSI1 GSI1PK=CATEGORY#{category} begins_with(GSI1SK, PRODUCT#)"},
      {"createSession",
       "PutItem"
       " | put Session PK=SESSION#{sessionId} SK=SESSION GSI1PK=USER#{userId}#SESSIONS GSI1SK={expiresAt|pad10} "
       "(enters GSI1)"},
      {"userSessions", "Query GSI1 GSI1PK=USER#{userId}#SESSIONS GSI1SK compared with {now|pad10}\\uFFFF"},
      {"deptUsers", "Query PK=ORG#{org} begins_with(SK, DEPT#{dept}#USER#)"},
      {"putReading",
       "PutItem"
       " | put Reading PK=DEVICE#{deviceId}#{at|month}#{random%10} SK={at|iso_ms}"},
      {"lastHour",
       "Query PK=DEVICE#{deviceId}#{at|month}#{0..9} SK between {from|iso_ms} and {to|iso_ms}\\uFFFF shards 10 buckets "
       "of at"},
  };
  EXPECT_EQ(std::size(rows), model.patterns.size());
  for (const Row& row : rows) EXPECT_EQ(CompiledForTest(model, row.pattern), row.request) << row.pattern;
}

const Access CompileForTest(const Model& model, std::string_view name) {
  const Pattern* pattern = model.FindPattern(name);
  Compiled compiled = Compile(model, static_cast<PatternId>(pattern - model.patterns.data()));
  if (auto* access = std::get_if<Access>(&compiled)) return std::move(*access);
  ADD_FAILURE() << std::get<Unserved>(compiled).message;
  return {};
}

TEST(Access, AliasesEveryNameAndNoOther) {
  const Model model = LoadForTest(ExampleText("shop.yaml"));
  const Access query = CompileForTest(model, "ordersByDate");
  EXPECT_EQ(query.key_condition, "#PK = :PK AND #SK BETWEEN :SK_from AND :SK_to");
  EXPECT_EQ(PrintedAliases(query.aliases),
            " #PK=PK #SK=SK :PK=S:USER#{userId} :SK_from=S:ORDER#{from|iso_s} :SK_to=S:ORDER#{to|iso_s}\\uFFFF");
  const Access sessions = CompileForTest(model, "userSessions");
  EXPECT_EQ(PrintedAliases(sessions.aliases),
            " #GSI1PK=GSI1PK #GSI1SK=GSI1SK :GSI1PK=S:USER#{userId}#SESSIONS :GSI1SK=S:{now|pad10}\\uFFFF");
  const Access ship = CompileForTest(model, "shipOrder");
  EXPECT_EQ(PrintedAliases(UpdateOf(ship.writes[0]).aliases),
            " #status=status #version=version #GSI2PK=GSI2PK #GSI2SK=GSI2SK :status=S:{status} :one=N:1 "
            ":version=N:{version}");
  // The status goes back from shipped to pending: the item enters the index again.
  const UpdateText enters = UpdateOf(
      ship.writes[0], [](const Condition&) { return true; }, [](std::string_view) { return true; });
  EXPECT_EQ(enters.update, "SET #status = :status, #version = #version + :one, #GSI2PK = :GSI2PK, #GSI2SK = :GSI2SK");
  EXPECT_EQ(enters.aliases.values.size(), 5u);
}

std::string PrintedAliases(const std::vector<Input>& inputs) {
  std::string out;
  for (const Input& input : inputs) {
    out += ' ' + input.name + ':' + std::string(input.attribute != nullptr ? NameOf(input.attribute->type) : "string");
    if (input.optional) out += '?';
    if (input.default_after_s) out += '+' + std::to_string(*input.default_after_s);
  }
  return out;
}

TEST(Access, HasTheInputsOfAFunction) {
  const Model model = LoadForTest(ExampleText("shop.yaml"));
  struct Row {
    std::string_view pattern;
    std::string_view inputs;
  };
  const Row rows[] = {
      {"getUser", " userId:string"},
      {"ordersByDate", " userId:string from:time to:time"},
      {"pendingOrders", ""},
      {"lastHour", " deviceId:string from:time to:time"},
      {"createUser", " userId:string name:string email:string plan:enum postCount:number?"},
      {"createSession", " sessionId:string userId:string expiresAt:epoch_s+2592000"},
      {"shipOrder",
       " userId:string createdAt:time orderId:number status:enum version:number at:time carrier:string "
       "tracking:string"},
      {"placeOrder",
       " userId:string createdAt:time orderId:number status:enum region:string total:decimal version:number"},
  };
  for (const Row& row : rows)
    EXPECT_EQ(PrintedAliases(CompileForTest(model, row.pattern).inputs), row.inputs) << row.pattern;
  const Access place = CompileForTest(model, "placeOrder");
  EXPECT_EQ(PrintedAliases(place.writes[2].each), " line:number sku:string qty:number price:decimal");
  EXPECT_EQ(PrintedAliases(place.writes[3].each), " sku:string qty:number");
}

// One pattern p on a small model, named after what is special about it.
struct CompileRow {
  std::string_view what;
  std::string pattern;
  std::string_view compiled;
};

constexpr std::string_view kAccessEntities =
    "{A: {keys: {PK: 'A#{x}', SK: 'V#{n|pad4}#{at|iso_s}', GSI1PK: 'S#{s}', GSI1SK: '{at|iso_s}'}, when: {GSI1: \"s = "
    "open\"},"
    " attributes: {x: string, n: number, at: time, s: [open, done], c: {type: number, default: 0}, v: {type: number, "
    "lock: true},"
    " m: map, t: {type: string, optional: true}}},"
    " B: {keys: {PK: 'A#{x}', SK: 'V#META'}, attributes: {x: string, note: string}},"
    " C: {keys: {PK: 'C#{y}', SK: C}, attributes: {y: string}},"
    " D: {keys: {PK: 'D#{z}#{shard}', SK: '{z}'}, shard: {n: 4, by: hash(z)}, attributes: {z: string}},"
    " E: {keys: {PK: 'E#{day|day}', SK: '{shard}'}, shard: {n: 4, by: random}, attributes: {day: time}},"
    " N: {keys: {PK: 'N', SK: 'N#{k}'}, attributes: {k: string, r: string, w: number, k2: string}}}";
constexpr std::string_view kAccessIndexes =
    "{GSI1: {pk: GSI1PK, sk: GSI1SK, project: keys}, Nat: {pk: r, sk: [w, k2], project: [k]}, Inv: {pk: SK, sk: PK, "
    "project: keys}}";

TEST(Access, CompilesByTheRules) {
  const CompileRow rows[] = {
      {"a get with a whole key", "{get: B, by: [x]}", "GetItem PK=A#{x} SK=V#META"},
      {"a get without its sort key", "{get: A, by: [x]}",
       "unserved: the SK of A is V#{n|pad4}#{at|iso_s}, and n is not given"},
      {"a get on an index", "{get: A, index: GSI1, by: [s]}",
       "unserved: a get reads the table by its key; an index is read by query"},
      {"a query whose partition another index serves", "{query: A, by: [s]}",
       "unserved: the PK of A is A#{x}, and x is not given; GSI1 serves"},
      {"a query whose partition the table serves", "{query: A, index: GSI1, by: [x]}",
       "unserved: the GSI1PK of A is S#{s}, and s is not given; the table serves"},
      {"an index without the entity", "{query: B, index: GSI1, by: [x]}",
       "unserved: no entity of the result has the whole key of GSI1; the table serves"},
      {"partitions apart", "{query: [A, C], by: [x, y]}",
       "unserved: A and C are in different partitions (A#{x} and C#{y}), which one query cannot read"},
      {"several entities, cut to the separator", "{query: [A, B], by: [x]}", "Query PK=A#{x} begins_with(SK, V#)"},
      {"a part of the sort key given", "{query: A, by: [x, n]}", "Query PK=A#{x} begins_with(SK, V#{n|pad4}#)"},
      {"all of the sort key given", "{query: A, by: [x, n, at]}", "Query PK=A#{x} SK=V#{n|pad4}#{at|iso_s}"},
      {"a range behind a part", "{query: A, by: [x, n], between: {at: [from, to]}}",
       "Query PK=A#{x} SK between V#{n|pad4}#{from|iso_s} and V#{n|pad4}#{to|iso_s}\\uFFFF"},
      {"a range on a part that is not next", "{query: A, by: [x], between: {at: [from, to]}}",
       "Query PK=A#{x} begins_with(SK, V#) filter #at BETWEEN :at_from AND :at_to"},
      {"a short literal bound stays short", "{query: A, by: [x, n], between: {at: [\"2024-01\", \"2024-06\"]}}",
       "Query PK=A#{x} SK between V#{n|pad4}#2024-01 and V#{n|pad4}#2024-06"},
      {"a number's bounds are padded", "{query: A, by: [x], between: {n: [1, 99]}}",
       "Query PK=A#{x} SK between V#0001 and V#0099\\uFFFF"},
      {"a prefix of a placeholder", "{query: N, by: [], begins: {k: start}}", "Query PK=N begins_with(SK, N#{start})"},
      {"an equality of where fills the key", "{query: A, index: GSI1, where: \"s = open\", order: desc}",
       "Query GSI1 GSI1PK=S#open desc"},
      {"what is in no key is filtered", "{query: A, by: [x, c], where: \"exists(t) and m.a > 3\"}",
       "Query PK=A#{x} begins_with(SK, V#) filter #c = :c AND attribute_exists(#t) AND #m.#a > :m"},
      {"a hash of an input finds its shard", "{get: D, by: [z]}", "GetItem PK=D#{z}#{hash(z)%4} SK={z}"},
      {"a fan-out", "{query: E, by: [day]}", "Query PK=E#{day|day}"},
      {"a bucket by its attribute and by a range", "{query: E, between: {day: [from, to]}}",
       "Query PK=E#{day|day} filter #day BETWEEN :day_from AND :day_to buckets of day"},
      {"native keys left to right", "{query: N, index: Nat, by: [r], between: {w: [from, to]}}",
       "Query Nat r={r} w between {from} and {to}"},
      {"a comparison on a native key", "{query: N, index: Nat, by: [r, w], where: \"k2 >= start\"}",
       "Query Nat r={r} w={w} k2 compared with {start}"},
      {"a native key that cannot be filtered", "{query: N, index: Nat, by: [r, k2]}", "Query Nat r={r}"},
      {"a scan keeps its entities", "{scan: [A, B], where: \"c > 1\"}",
       "Scan filter #_et IN (:_et, :_et2) AND #c > :c"},
      {"keys of a batch are inputs", "{batch_get: B, returns: {items: 5}}", "BatchGetItem PK=A#{x} SK=V#META"},
      {"keys of a transaction are inputs", "{transact_get: [B, C]}",
       "TransactGetItems PK=A#{x} SK=V#META PK=C#{y} SK=C"},
      {"an update without its key", "{update: A, by: [x], set: [s]}",
       "unserved: SK of A is V#{n|pad4}#{at|iso_s}, and n is not given in by; an update or delete must name its item's "
       "whole key"},
      {"a random shard is lost", "{delete: E, by: [day]}",
       "unserved: SK of E is {shard}, and its random shard cannot be determined again; use hash(...)"},
      {"a sparse rule that fails", "{update: A, by: [x, n, at], set: [s = done]}",
       "UpdateItem | update A PK=A#{x} SK=V#{n|pad4}#{at|iso_s} SET #s = :s, #_et = :_et REMOVE #GSI1PK, #GSI1SK "
       "(leaves GSI1)"},
      {"a sparse rule that holds", "{update: A, by: [x, n, at], set: [s = open]}",
       "UpdateItem | update A PK=A#{x} SK=V#{n|pad4}#{at|iso_s} SET #s = :s, #_et = :_et, #GSI1PK = :GSI1PK, #GSI1SK = "
       ":GSI1SK (enters GSI1)"},
      {"an explicit remove is left as it is", "{update: A, by: [x, n, at], set: [s = done], remove: [GSI1PK]}",
       "UpdateItem | update A PK=A#{x} SK=V#{n|pad4}#{at|iso_s} SET #s = :s, #_et = :_et REMOVE #GSI1PK (leaves GSI1)"},
      {"a counter with a default", "{update: A, by: [x, n, at], set: [c += 1], if: v}",
       "UpdateItem | update A PK=A#{x} SK=V#{n|pad4}#{at|iso_s} SET #c = if_not_exists(#c, :c_default) + :c, #v = #v + "
       ":one if #v = :v"},
      {"a native key that is set", "{update: N, by: [k], set: [r], if: exists(r)}",
       "UpdateItem | update N PK=N SK=N#{k} SET #r = :r if attribute_exists(#r) (moves Nat)"},
      {"a native key that is removed", "{update: N, by: [k], remove: [w], if: exists(r)}",
       "UpdateItem | update N PK=N SK=N#{k} REMOVE #w if attribute_exists(#r) (leaves Nat)"},
      {"a projected attribute", "{transact: [update N set k if exists(r), check C if exists(y), delete B]}",
       "TransactWriteItems | update N PK=N SK=N#{k} SET #k = :k if attribute_exists(#r) (rewrites Nat) | check C "
       "PK=C#{y} SK=C if attribute_exists(#y) | delete B PK=A#{x} SK=V#META (leaves Inv)"},
      {"an inverted index", "{query: C, index: Inv}", "Query Inv SK=C begins_with(PK, C#)"},
      {"a batch", "{batch_write: [put C x25, delete B]}",
       "BatchWriteItem | put C x25 PK=C#{y} SK=C (enters Inv) | delete B PK=A#{x} SK=V#META (leaves Inv)"},
  };
  for (const CompileRow& row : rows) {
    const Model model = LoadForTest(ModelText(std::string(kAccessEntities), "{p: " + row.pattern + "}",
                                              std::string(kAccessIndexes), ", type_attribute: _et"));
    EXPECT_EQ(CompiledForTest(model, "p"), row.compiled) << row.what;
  }
}

// Designs as they are published: one id under two names, two items of one entity, ranges with one bound, the parent in
// the middle of its collection, forks.
constexpr std::string_view kPublishedEntities =
    "{Account: {keys: {PK: 'ACC#{accountId}', SK: ACC}, attributes: {accountId: string, balance: {type: number, default: 0}, note: "
    "{type: string, optional: true}, tags: string_set, tags2: number_set, lines: list, details: {type: map, fields: {pages: number, "
    "city: string, old: string}}}},"
    " User: {keys: {PK: 'U#{username}', SK: U}, attributes: {username: string}},"
    " Repo: {keys: {PK: 'U#{owner}', SK: 'R#{name}'}, attributes: {owner: string, name: string, username: string}},"
    " Entry: {keys: {PK: 'ACC#{accountId}', SK: 'E#{at|iso_ms}#{id}'}, attributes: {accountId: string, at: time, id: ulid, amount: "
    "number, note: string, tags: string_set}},"
    " Log: {keys: {PK: 'L#{k}', SK: 'AT#{at|iso_s}'}, attributes: {k: string, at: time_s}},"
    " Day: {keys: {PK: 'Y#{k}', SK: '{at|day}#{k}'}, attributes: {k: string, at: time}},"
    " Num: {keys: {PK: 'N#{k}', SK: '{n|pad5}'}, attributes: {k: string, n: number}},"
    " Key: {keys: {PK: 'E#{k}', SK: X, GSI1PK: X, GSI1SK: X}, attributes: {k: string, PK: string, n: number}},"
    " Repo2: {keys: {PK: 'P#{owner}#{name}', SK: 'REPO#{owner}#{name}'}, attributes: {owner: string, name: string}},"
    " Down: {keys: {PK: 'M#{k}', SK: '{n|desc5}#{k}'}, attributes: {k: string, n: number}},"
    " Flag: {keys: {PK: 'Z#{k}', SK: 'Z#{open}#{at}', GSI1PK: 'Z#{k}', GSI1SK: '{e}#{at}'}, attributes: {k: string, open: bool, at: "
    "time_s, e: [a, 'a#', b]}},"
    " Board: {keys: {PK: 'B#{k}', SK: B}, attributes: {k: string, votes: {type: map, values: string}, sums: {type: map, values: {type: "
    "number, default: 0}}}},"
    " Issue: {keys: {PK: 'P#{owner}#{name}', SK: 'ISSUE#{n|pad4}'}, attributes: {owner: string, name: string, n: number}},"
    " Star: {keys: {PK: 'P#{owner}#{name}', SK: 'STAR#{who}'}, attributes: {owner: string, name: string, who: string}},"
    " Task: {keys: {PK: 'T#{shard}', SK: '{task}'}, shard: {n: 4, by: hash(assignee)}, attributes: {assignee: string, task: string}},"
    " Repo3: {keys: {PK: 'G#{name}', SK: G, GSI1PK: 'F#{name}', GSI1SK: OWN}, variants: {Fork: {when: exists(forkOf), keys: {GSI1PK: "
    "'F#{forkOf}', GSI1SK: 'FORK#{name}'}}}, attributes: {name: string, state: string, forkOf: {type: string, optional: true}}},"
    " Ticket: {keys: {PK: 'K#{k}', SK: '{id}', GSI1PK: 'K#{k}', GSI1SK: 'OPEN#{id}'}, variants: {Closed: {when: state = closed, keys: "
    "{GSI1SK: 'CLOSED#{title}'}}}, attributes: {k: string, id: string, title: string, state: [open, closed]}}}";

TEST(Access, CompilesPublishedDesigns) {
  const CompileRow rows[] = {
      {"a role in a get", "{get: Account, by: ['accountId = id']}", "GetItem PK=ACC#{id} SK=ACC"},
      {"a role in several entities", "{query: [User, Repo], by: [username, 'owner = username']}",
       "Query PK=U#{username}"},
      {"a role of one entity", "{query: [User, Repo], by: ['User.username = who', 'owner = who', username]}",
       "Query PK=U#{who}"},
      {"a range with one bound", "{query: Entry, by: [accountId], where: at >= since}",
       "Query PK=ACC#{accountId} SK between E#{since|iso_ms} and E#\\uFFFF"},
      {"after a bound", "{query: Entry, by: [accountId], where: at > since}",
       "Query PK=ACC#{accountId} SK between E#{since|iso_ms}\\uFFFF and E#\\uFFFF"},
      {"up to a bound", "{query: Entry, by: [accountId], where: at <= until}",
       "Query PK=ACC#{accountId} SK between E# and E#{until|iso_ms}\\uFFFF"},
      {"before a bound, with more behind it", "{query: Entry, by: [accountId], where: at < until}",
       "Query PK=ACC#{accountId} SK between E# and E#{until|iso_ms}"},
      {"before a bound at the end of the key", "{query: Log, by: [k], where: at < until}",
       "Query PK=L#{k} SK between AT# and AT#{until} - 1\\uFFFF"},
      {"two bounds", "{query: Entry, by: [accountId], where: at > since and at <= until}",
       "Query PK=ACC#{accountId} SK between E#{since|iso_ms}\\uFFFF and E#{until|iso_ms}\\uFFFF"},
      {"a bound and more conditions",
       "{query: Entry, by: [accountId], where: at >= now and (amount > 5 or not exists(note))}",
       "Query PK=ACC#{accountId} SK between E#{now|iso_ms} and E#\\uFFFF filter (#amount > :amount OR attribute_not_exists(#note))"},
      {"a short literal", "{query: Entry, by: [accountId], where: at > '2024-06'}",
       "Query PK=ACC#{accountId} SK between E#2024-06 and E#\\uFFFF"},
      {"a range of a text at the end", "{query: Repo, by: [owner], where: name > after and name <= till}",
       "Query PK=U#{owner} SK between R#{after}\\u0001 and R#{till}"},
      {"an exclusive upper bound of a text", "{query: Repo, by: [owner], where: name < till}",
       "Query PK=U#{owner} SK between R# and R#{till} filter #name < :till"},
      {"a coarser format filters too", "{query: Day, by: [k], where: at >= since}",
       "Query PK=Y#{k} SK compared with {since|day} filter #at >= :since"},
      {"a range of numbers", "{query: Num, by: [k], where: n >= low and n < high}",
       "Query PK=N#{k} SK between {low|pad5} and {high|pad5} - 1\\uFFFF"},
      {"from a parent downwards", "{query: [Repo2, Issue], by: [owner, name], from: Repo2, order: desc, limit: 8}",
       "Query PK=P#{owner}#{name} SK between ISSUE# and REPO#{owner}#{name} desc limit 8"},
      {"from a parent upwards", "{query: [Repo2, Star], by: [owner, name], from: Repo2, limit: 8}",
       "Query PK=P#{owner}#{name} SK between REPO#{owner}#{name} and STAR#\\uFFFF limit 8"},
      {"from a parent on the wrong side", "{query: [Repo2, Issue], by: [owner, name], from: Repo2}",
       "unserved: the read starts at the item of Repo2 and goes up, but items of Issue are not all on that side of it (REPO#{owner}#{name} and ISSUE#{n|pad4})"},
      {"from a parent that is not given", "{query: [Repo2, Star], by: [owner, name], from: Star}",
       "unserved: the read starts at the item of Star, whose SK is STAR#{who}, and not all of it is given"},
      {"or on a key", "{query: Key, by: [k], where: n = 1 or n = 2}",
       "Query PK=E#{k} SK=X filter (#n = :n OR #n = :n2)"},
      {"in, contains and size",
       "{query: Entry, by: [accountId], where: \"note in ('a', b) and contains(tags, t) and size(note) < 9\"}",
       "Query PK=ACC#{accountId} begins_with(SK, E#) filter #note IN (:note, :b) AND contains(#tags, :t) AND size(#note) < :note2"},
      {"the hashed attribute filters", "{query: Task, by: [assignee]}",
       "Query PK=T#{hash(assignee)%4} filter #assignee = :assignee"},
      {"the hashed attribute in a get", "{get: Task, by: [assignee, task]}",
       "GetItem PK=T#{hash(assignee)%4} SK={task}"},
      {"a variant's partition", "{query: Repo3, index: GSI1, by: ['forkOf = name']}",
       "Query GSI1 GSI1PK=F#{name} begins_with(GSI1SK, FORK#)"},
      {"the entity's own partition", "{query: Repo3, index: GSI1, by: [name]}",
       "Query GSI1 GSI1PK=F#{name} GSI1SK=OWN"},
      {"both", "{query: Repo3, index: GSI1, by: [name, 'forkOf = name']}", "Query GSI1 GSI1PK=F#{name}"},
      {"a variant by its condition", "{query: Ticket, index: GSI1, by: [k], where: state = closed}",
       "Query GSI1 GSI1PK=K#{k} begins_with(GSI1SK, CLOSED#)"},
      {"the entity's own items by their condition",
       "{query: Ticket, index: GSI1, by: [k], where: state = open, limit: 5}",
       "Query GSI1 GSI1PK=K#{k} begins_with(GSI1SK, OPEN#) limit 5"},
      {"a range of numbers that count down", "{query: Down, by: [k], where: n >= low and n < high}",
       "Query PK=M#{k} SK between {high|desc5}\\uFFFF and {low|desc5}\\uFFFF"},
      {"numbers that count down from a bound", "{query: Down, by: [k], where: n > low}",
       "Query PK=M#{k} SK compared with {low|desc5}"},
      {"numbers that count down to a bound", "{query: Down, by: [k], where: n <= high}",
       "Query PK=M#{k} SK compared with {high|desc5}"},
      {"between numbers that count down", "{query: Down, by: [k], between: {n: [from, to]}}",
       "Query PK=M#{k} SK between {to|desc5} and {from|desc5}\\uFFFF"},
      {"a bool before the range", "{query: Flag, by: [k], where: open = false, limit: 5}",
       "Query PK=Z#{k} begins_with(SK, Z#false#) limit 5"},
      {"an input before the range", "{query: Flag, by: [k], where: open = o and at > t}",
       "Query PK=Z#{k} SK between Z#{o}#{t}\\uFFFF and Z#{o}#\\uFFFF"},
      {"what by gives is not what where asks for", "{query: Flag, by: [k, open], where: open = false}",
       "Query PK=Z#{k} begins_with(SK, Z#{open}#) filter #open = :open"},
      {"a value that begins another", "{query: Flag, index: GSI1, by: [k], where: e = a}",
       "Query GSI1 GSI1PK=Z#{k} begins_with(GSI1SK, a#) filter #e = :e"},
      {"a value that no other begins with", "{query: Flag, index: GSI1, by: [k], where: e = b}",
       "Query GSI1 GSI1PK=Z#{k} begins_with(GSI1SK, b#)"},
      {"an entry of a map that the caller names",
       "{update: Board, by: [k], set: ['votes.{who} = vote', 'sums.{emoji} += 1'], if: 'exists(votes.{who}) and missing(votes.{other})'}",
       "UpdateItem | update Board PK=B#{k} SK=B SET #votes.#who = :vote, #sums.#emoji = if_not_exists(#sums.#emoji, :sums_default) + :sums "
       "if attribute_exists(#votes.#who) AND attribute_not_exists(#votes.#other)"},
      {"an entry that is removed", "{transact: [\"update Board remove votes.{k}\"]}",
       "TransactWriteItems | update Board PK=B#{k} SK=B REMOVE #votes.#k"},
      {"an entry that a filter tests", "{query: Board, by: [k], where: 'votes.{who} = vote'}",
       "Query PK=B#{k} SK=B filter #votes.#who = :vote"},
      {"two items of one entity",
       "{transact: [update Account with accountId = giver set balance -= amount if balance >= amount, update Account with accountId = taker set balance += amount, \"put Entry with accountId = giver, note = 'paid', at = now if_new\"]}",
       "TransactWriteItems | update Account PK=ACC#{giver} SK=ACC SET #balance = if_not_exists(#balance, :balance_default) - :amount if #balance >= :amount | update Account PK=ACC#{taker} SK=ACC SET #balance = if_not_exists(#balance, :balance_default) + :amount | put Entry PK=ACC#{giver} SK=E#{now|iso_ms}#{id} if attribute_not_exists(#PK)"},
      {"sets and lists",
       "{update: Account, by: [accountId], set: ['tags += more', 'tags2 -= gone', 'lines += added'], if: exists(balance)}",
       "UpdateItem | update Account PK=ACC#{accountId} SK=ACC SET #lines = list_append(if_not_exists(#lines, :empty), :added) ADD #tags :more DELETE #tags2 :gone if attribute_exists(#balance)"},
      {"a patch", "{update: Account, by: [accountId], set: ['note?', 'balance = newBalance?'], if: exists(balance)}",
       "UpdateItem | update Account PK=ACC#{accountId} SK=ACC SET #note = :note, #balance = :newBalance if attribute_exists(#balance)"},
      {"paths",
       "{update: Account, by: [accountId], set: [details.pages, 'details.city = place'], remove: [details.old], if: details.pages > 3 or missing(note)}",
       "UpdateItem | update Account PK=ACC#{accountId} SK=ACC SET #details.#pages = :pages, #details.#city = :place REMOVE #details.#old if (#details.#pages > :details OR attribute_not_exists(#note))"},
      {"a variant's keys in a put", "{put: Repo3}",
       "PutItem | put Repo3 PK=G#{name} SK=G GSI1PK=F#{forkOf}[exists(forkOf)] GSI1PK=F#{name}[not exists(forkOf)] GSI1SK=FORK#{name}[exists(forkOf)] GSI1SK=OWN[not exists(forkOf)] (enters GSI1)"},
      {"a variant's keys in an update", "{update: Repo3, by: [name], set: [forkOf], if: exists(state)}",
       "UpdateItem | update Repo3 PK=G#{name} SK=G SET #forkOf = :forkOf, #GSI1PK = :GSI1PK2, #GSI1SK = :GSI1SK2 if attribute_exists(#state) (moves GSI1)"},
      {"a variant's keys that are not known", "{update: Ticket, by: [k, id], set: [title]}",
       "UpdateItem | update Ticket PK=K#{k} SK={id} SET #title = :title (moves GSI1) stale GSI1PK"},
  };
  for (const CompileRow& row : rows) {
    const Model model = LoadForTest(
        ModelText(std::string(kPublishedEntities), "{p: " + row.pattern + "}", "{GSI1: {pk: GSI1PK, sk: GSI1SK}}"));
    EXPECT_EQ(CompiledForTest(model, "p"), row.compiled) << row.what;
  }
}

TEST(Access, SaysWhichIndexKeysGoStale) {
  const std::string entities =
      "{A: {keys: {PK: 'A#{x}', SK: A, GSI1PK: 'C#{city}', GSI1SK: '{city}#{zip}#{n}'},"
      " attributes: {x: string, city: string, zip: string, n: number}}}";
  struct Row {
    std::string_view pattern;
    std::string_view missing;
  };
  const Row rows[] = {
      {"{update: A, by: [x], set: [city]}", "GSI1SK: zip n"},
      {"{update: A, by: [x], set: [city, zip, n]}", ""},
      {"{update: A, by: [x, zip, n], set: [city]}", ""},
      {"{update: A, by: [x, city, zip], set: [n += 1]}", "GSI1SK: n"},
  };
  for (const Row& row : rows) {
    const Model model = LoadForTest(ModelText(entities, "{p: " + std::string(row.pattern) + "}"));
    const Access access = CompileForTest(model, "p");
    std::string stale;
    for (const StaleKey& one : access.writes[0].stale) {
      stale += one.key_attribute + ':';
      for (const std::string& name : one.missing) stale += ' ' + name;
    }
    EXPECT_EQ(stale, row.missing) << row.pattern;
  }
}

TEST(Access, TakesWhatARebuiltIndexKeyNeeds) {
  const std::string entities =
      "{A: {keys: {PK: 'A#{x}', SK: A, GSI1PK: 'C#{city}', GSI1SK: '{zip}#{n}'}, when: {GSI1: \"s = open\"},"
      " attributes: {x: string, city: string, zip: string, n: number, s: [open, done]}}}";
  struct Row {
    std::string_view pattern;
    std::string_view inputs;
  };
  const Row rows[] = {
      {"{update: A, by: [x, city, zip, n], set: [s = open]}", " x:string city:string zip:string n:number"},
      {"{update: A, by: [x, city, zip, n], set: [s = done]}", " x:string"},
      {"{update: A, by: [x, city, n], set: [s = open, zip = code]}", " x:string code:string city:string n:number"},
      {"{update: A, by: [x, city, zip], set: ['s = open', 'n?']}", " x:string n:number? city:string zip:string"},
  };
  for (const Row& row : rows) {
    const Model model = LoadForTest(ModelText(entities, "{p: " + std::string(row.pattern) + "}"));
    EXPECT_EQ(PrintedAliases(CompileForTest(model, "p").inputs), row.inputs) << row.pattern;
  }
}

std::string CoveredForTest(const Model& model, std::string_view name) {
  std::string out;
  for (const Coverage::Covered& one : Coverage(model).Of(CompileForTest(model, name).read())) {
    out += ' ' + model.entities[one.entity].name;
    for (const auto& [attribute, text] : one.example) out += ' ' + attribute + '=' + text;
  }
  return out;
}

TEST(Coverage, FindsWhatAKeyConditionReads) {
  const Model model = LoadForTest(ExampleText("shop.yaml"));
  struct Row {
    std::string_view pattern;
    std::string_view covered;
  };
  const Row rows[] = {
      {"userOrders", " Order PK=USER#a SK=ORDER#0000-01-01T00:00:00Z#00000000"},
      {"userWithAll", " User PK=USER#a Address PK=USER#a Order PK=USER#a Follow PK=USER#a"},
      {"ordersByDate", " Order PK=USER#a SK=ORDER#1000-01-01T00:00:00Z#00000000"},
      {"getUserByEmail", " User GSI1PK=EMAIL#a GSI1SK=PROFILE"},
      {"byCategory", " Product GSI1PK=CATEGORY#a GSI1SK=PRODUCT#a#a"},
      {"deptUsers", " Member PK=ORG#a SK=DEPT#a#USER#a"},
      {"lastHour", " Reading PK=DEVICE#a#0000-01#0 SK=0000-01-10T00:00:00.000Z"},
      {"orderWithItems", " OrderHeader PK=ORDER#00000000 OrderItem PK=ORDER#00000000 StatusEvent PK=ORDER#00000000"},
  };
  for (const Row& row : rows) EXPECT_EQ(CoveredForTest(model, row.pattern), row.covered) << row.pattern;
  EXPECT_TRUE(Coverage(model).Collisions().empty());
}

TEST(Coverage, FindsLeaks) {
  struct Row {
    std::string_view other;  // sort key of another entity in the same partition
    std::string_view pattern;
    std::string_view covered;
  };
  const Row rows[] = {
      {"V#META", "{query: A, by: [x]}", " A PK=A#a SK=V#0000 B PK=A#a SK=V#META"},
      {"W#META", "{query: A, by: [x]}", " A PK=A#a SK=V#0000"},
      {"V#META", "{query: A, by: [x], between: {n: [from, to]}}", " A PK=A#a SK=V#1000"},
      {"V#1META", "{query: A, by: [x], between: {n: [from, to]}}", " A PK=A#a SK=V#1000 B PK=A#a SK=V#1META"},
      {"V#1META", "{query: A, by: [x], between: {n: [2, 3]}}", " A PK=A#a SK=V#0002"},
      {"{y}", "{query: A, by: [x]}", " A PK=A#a SK=V#0000"},
      {"{y}#{z}", "{query: A, by: [x]}", " A PK=A#a SK=V#0000 B PK=A#a SK=V#a"},
  };
  for (const Row& row : rows) {
    const Model model =
        LoadForTest(ModelText("{A: {keys: {PK: 'A#{x}', SK: 'V#{n|pad4}'}, attributes: {x: string, n: number}}, B: "
                              "{keys: {PK: 'A#{x}', SK: '" +
                                  std::string(row.other) + "'}, attributes: {x: string, y: string, z: string}}}",
                              "{p: " + std::string(row.pattern) + "}"));
    EXPECT_EQ(CoveredForTest(model, "p"), row.covered) << row.other << ' ' << row.pattern;
  }
}

TEST(Coverage, FindsCollisions) {
  struct Row {
    std::string_view first;
    std::string_view second;
    std::string_view collision;
  };
  const Row rows[] = {
      {"{PK: 'U#{a}', SK: 'O#{b}'}", "{PK: 'U#{a}', SK: 'P#{b}'}", ""},
      {"{PK: 'U#{a}', SK: 'O#{b}'}", "{PK: 'U#{a}', SK: 'O#{c}'}", "U#a O#a"},
      {"{PK: 'U#{a}', SK: 'O#{b}'}", "{PK: 'U#{a}', SK: 'O#META'}", "U#a O#META"},
      {"{PK: 'U#{a}', SK: 'O#{n|pad4}'}", "{PK: 'U#{a}', SK: 'O#META'}", ""},
      {"{PK: 'U#{a}', SK: 'O#{n|pad4}'}", "{PK: 'U#{a}', SK: 'O#1234'}", "U#a O#1234"},
      {"{PK: 'U#{a}', SK: 'O#{e}'}", "{PK: 'U#{a}', SK: 'O#{n}'}", ""},
      // The attribute has one value in both keys.
      {"{PK: 'U#{a}', SK: 'O#{a}'}", "{PK: 'U#1', SK: 'O#2'}", ""},
      {"{PK: 'U#{a}', SK: 'O#{a}'}", "{PK: 'U#{b}', SK: 'O#2'}", "U#2 O#2"},
      {"{PK: 'U#{a}', SK: 'O#{a}'}", "{PK: 'U#{n}', SK: 'O#{m|pad2}'}", "U#11 O#11"},
      {"{PK: 'U#{a|lower}', SK: 'O#{a}'}", "{PK: 'U#{b}', SK: 'O#X'}", "U#x O#X"},
      {"{PK: 'U#{a|lower}', SK: 'O#{a}'}", "{PK: 'U#Y', SK: 'O#X'}", ""},
      {"{PK: 'U#{t|month}', SK: '{t|iso_ms}'}", "{PK: 'U#2024-02', SK: '{u|iso_ms}'}",
       "U#2024-02 2024-02-01T00:00:00.000Z"},
      {"{PK: 'U#{t|month}', SK: '{t|iso_ms}'}", "{PK: 'U#2024-02', SK: '2024-03-01T00:00:00.000Z'}", ""},
      {"{PK: 'U#{e}', SK: 'O#{e}'}", "{PK: 'U#{b}', SK: 'O#{b}'}", "U#x O#x"},
      {"{PK: 'U#{a|lower}', SK: '{a}#{a}'}", "{PK: 'U#x', SK: 'X#x'}", ""},
      {"{PK: 'U#{b}#{b|lower}', SK: '2024'}", "{PK: 'U#{b}#{b|upper}', SK: '{b}'}", "U#2024#2024 2024"},
      {"{PK: 'U', SK: '{a}{a}#X'}", "{PK: 'U', SK: '{b}12#X'}", "U 1212#X"},
  };
  for (const Row& row : rows) {
    const std::string attributes =
        "{a: string, b: string, c: string, n: number, m: number, t: time, u: time, e: [x, y]}";
    const Model model =
        LoadForTest(ModelText("{A: {keys: " + std::string(row.first) + ", attributes: " + attributes +
                              "}, B: {keys: " + std::string(row.second) + ", attributes: " + attributes + "}}"));
    std::string found;
    for (const Coverage::Collision& one : Coverage(model).Collisions()) {
      found += one.example[0].second + ' ' + one.example[1].second;
    }
    EXPECT_EQ(found, row.collision) << row.first << ' ' << row.second;
  }
}

// A shard by hash() is that of the attribute in the same key.
TEST(Coverage, FindsCollisionsOfShards) {
  const auto collision = [](const std::string& first, const std::string& second) -> std::string {
    const Model model = LoadForTest(
        ModelText("{A: {keys: {PK: '" + first +
                  "', SK: X}, shard: {n: 5, by: hash(a)}, attributes: {a: string, n: number}}, B: " + "{keys: {PK: '" +
                  second + "', SK: X}, shard: {n: 7, by: hash(n)}, attributes: {a: string, n: number}}}"));
    const std::vector<Coverage::Collision> found = Coverage(model).Collisions();
    return found.empty() ? "" : found[0].example[0].second;
  };
  const std::string right = std::to_string(ShardOf("x", 5));
  for (const char* const shard : {"0", "1", "2", "3", "4"}) {
    const std::string key = std::string("U#x#") + shard;
    EXPECT_EQ(collision("U#{a}#{shard}", key), shard == right ? key : "");
    EXPECT_EQ(collision("U#{a|lower}#{shard}", key), shard == right ? key : "");
  }
  for (const char* const shard : {"0", "1", "2", "3", "4"}) {
    const std::string found = collision("U#{a}#{shard}", std::string("U#{a}#") + shard);
    ASSERT_EQ(found.substr(0, 2), "U#");
    EXPECT_EQ(std::to_string(ShardOf(found.substr(2, found.size() - 4), 5)), shard) << found;
  }
  const std::string both = collision("U#{a}#{shard}", "U#{n}#{shard}");
  const std::string value = both.substr(2, both.size() - 4);
  EXPECT_EQ(ShardOf(value, 5), ShardOf(value, 7)) << both;
}

}  // namespace
}  // namespace keyfold::model
