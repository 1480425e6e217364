#include "model/file/load.h"

#include <gtest/gtest.h>

#include "model/file/fields.h"
#include "testing/model/model.h"

namespace keyfold::model {
namespace {

TEST(Load, ReadsTheShop) {
  const Model model = LoadForTest(ExampleText("shop.yaml"));
  EXPECT_EQ(model.table.name, "App");
  EXPECT_EQ(model.table.stream, Stream::kNewAndOldImages);
  EXPECT_TRUE(model.table.pitr);
  ASSERT_EQ(model.indexes.size(), 3u);
  EXPECT_EQ(model.indexes[2].pk, (KeySide{"region", "status"}));
  EXPECT_EQ(model.indexes[2].project, Project::kKeys);
  ASSERT_EQ(model.entities.size(), 14u);
  EXPECT_EQ(model.patterns.size(), 22u);

  const Entity& order = *model.FindEntity("Order");
  EXPECT_EQ(order.mark, (Mark{31, 3}));
  EXPECT_EQ(order.shard->hash_of, "orderId");
  EXPECT_EQ(order.shard->hash_format, Format::kPad);
  EXPECT_EQ(order.shard->hash_width, 8);
  EXPECT_EQ(order.native_keys.size(), 4u);  // ByRegion's region, status, createdAt, orderId
  EXPECT_TRUE(order.Has(model.indexes[2]));
  EXPECT_EQ(order.FindWhen(1)->condition.all[0].right.kind, Operand::Kind::kString);
  EXPECT_EQ(order.per[0].max, 5000);

  const Entity& header = *model.FindEntity("OrderHeader");
  EXPECT_EQ(header.attributes.size(), 5u);  // the copied attributes, and orderId from the key
  EXPECT_EQ(header.Find("orderId")->max, 99999999);
  EXPECT_FALSE(header.Has(model.indexes[2]));
  EXPECT_EQ(model.FindEntity("User")->Find("email")->unique, EntityId{1});
  EXPECT_EQ(model.FindEntity("Session")->ttl_after_s, 2592000u);

  const Pattern& place = *model.FindPattern("placeOrder");
  ASSERT_EQ(place.actions.size(), 4u);
  EXPECT_EQ(place.actions[3].times, 3u);
  EXPECT_EQ(place.actions[3].set[0].op, Assignment::Op::kSubtract);
  EXPECT_EQ(place.actions[3].condition.all[0].comparator, Comparator::kGreaterEqual);
  EXPECT_EQ(place.token, "orderId");
  const Pattern& ship = *model.FindPattern("shipOrder");
  EXPECT_EQ(ship.actions[0].condition.all[0].comparator, Comparator::kLock);
  EXPECT_EQ(model.FindPattern("followers")->needs, std::vector<std::string>());
  EXPECT_EQ(model.FindPattern("getUser")->rps_peak, 800);
  EXPECT_EQ(model.FindPattern("follow")->rps_peak, 5);
}

TEST(Load, ReadsTheSameFromJson) {
  const std::string json =
      "{\"model\": 1, \"table\": {\"name\": \"T\", \"key\": {\"pk\": \"PK\"}},\n"
      " \"entities\": {\"A\": {\"keys\": {\"PK\": \"A#{x}\"}, \"attributes\": {\"x\": \"string\"}}},\n"
      " \"patterns\": {\"p\": {\"get\": \"A\", \"by\": [\"x\"]}}}\n";
  EXPECT_EQ(LoadForTest(json).FindPattern("p")->by[0].attribute, "x");
}

struct FaultRow {
  std::string_view what;
  std::string text;
  std::string_view line;
};

// A model with these entities.
std::string WithEntity(const std::string& entity) { return ModelText(entity); }
std::string WithKeys(const std::string& keys) {
  return ModelText("{A: {keys: " + keys + ", attributes: {x: string, n: number, t: time, l: list, e: [p, q]}}}");
}
std::string WithPattern(const std::string& pattern) {
  return ModelText(
      "{A: {keys: {PK: 'A#{x}', SK: A}, attributes: {x: string, n: number, s: [open, done], v: {type: number, lock: "
      "true}}}}",
      "{p: " + pattern + "}");
}
std::string WithMore(const std::string& more) {
  return ModelText("{A: {keys: {PK: 'A#{x}', SK: A}, attributes: {x: string}}}") + more;
}

TEST(Load, RefusesWhatTheGrammarDoesNotAllow) {
  const std::string good = "table: {name: T, key: {pk: PK}}\nentities: {A: {keys: {PK: A}}}\n";
  const FaultRow rows[] = {
      {"a good one", "model: 1\n" + good, "read"},
      {"no model", good, "m.yaml:1:1: the model needs the field model"},
      {"a list", "[1]", "m.yaml:1:1: the model must be a mapping, not a list"},
      {"another version", "model: 2\n" + good, "m.yaml:1:8: model must be from 1 to 1, not 2"},
      {"a quoted version", "model: \"1\"\n" + good, "m.yaml:1:9: model must be an integer, not a string"},
      {"an unknown field", "model: 1\nentites: {}\n" + good,
       "m.yaml:2:1: the model has no field entites; did you mean entities?"},
      {"a far field", "model: 1\nzzzzzz: {}\n" + good,
       "m.yaml:2:1: the model has no field zzzzzz; its fields are model, table, indexes, entities, patterns, "
       "consumers, accept"},
      {"no table", "model: 1\nentities: {A: {keys: {PK: A}}}\n", "m.yaml:1:1: the model needs the field table"},
      {"no table name", "model: 1\ntable: {key: {pk: PK}}\nentities: {A: {keys: {PK: A}}}\n",
       "m.yaml:2:1: table needs the field name"},
      {"no partition key", "model: 1\ntable: {name: T, key: {sk: SK}}\nentities: {A: {keys: {SK: A}}}\n",
       "m.yaml:2:18: table.key needs the field pk"},
      {"no entities", "model: 1\ntable: {name: T, key: {pk: PK}}\n", "m.yaml:1:1: the model needs the field entities"},
      {"entities without one", "model: 1\ntable: {name: T, key: {pk: PK}}\nentities: {}\n",
       "m.yaml:3:1: entities is empty; it needs at least one entry"},
      {"a number for a name", "model: 1\ntable: {name: 5, key: {pk: PK}}\nentities: {A: {keys: {PK: A}}}\n",
       "m.yaml:2:15: table.name must be a string (quote it), not an integer"},
      {"a wrong choice",
       "model: 1\ntable: {name: T, key: {pk: PK}, stream: newimage}\nentities: {A: {keys: {PK: A}}}\n",
       "m.yaml:2:41: table.stream must be one of none, keys_only, new_image, old_image, new_and_old_images, not "
       "newimage; did you mean new_image?"},
      {"an empty separator",
       "model: 1\ntable: {name: T, key: {pk: PK}, separator: \"\"}\nentities: {A: {keys: {PK: A}}}\n",
       "m.yaml:2:45: the separator must be 1 to 16 bytes long"},
      {"an index without key", ModelText("{A: {keys: {PK: A, SK: A}}}", "{}", "{G: {sk: X}}"),
       "m.yaml:3:11: indexes.G needs the field pk"},
      {"a key attribute twice", ModelText("{A: {keys: {PK: A, SK: A}}}", "{}", "{G: {pk: X, sk: [Y, X]}}"),
       "m.yaml:3:14: the key names X twice"},
      {"a nested unknown field", WithEntity("{A: {keys: {PK: A, SK: A}, size: {average: 1}}}"),
       "m.yaml:4:45: entities.A.size has no field average; its fields are avg, max"},
      {"a wrong type", WithEntity("{A: {keys: {PK: A, SK: A}, count: many}}"),
       "m.yaml:4:45: entities.A.count must be a number, not a string"},
      {"a count below zero", WithEntity("{A: {keys: {PK: A, SK: A}, count: -1}}"),
       "m.yaml:4:45: entities.A.count must be from 0 to 1000000000000000, not -1"},
      {"a duration", WithEntity("{A: {keys: {PK: A, SK: A}, ttl: {after: 30 days}}}"),
       "m.yaml:4:51: a duration must be an integer followed by s, m, h, d or w, such as 30d, not 30 days"},
      {"a key twice", WithEntity("{A: {keys: {PK: A, SK: A, PK: B}}}"),
       "m.yaml:4:37: PK appears twice in this mapping, first on line 4"},
      {"a null", WithEntity("{A: {keys: {PK: A, SK: }}}"),
       "m.yaml:4:34: entities.A.keys.SK must be a string, not null"},
  };
  for (const FaultRow& row : rows) EXPECT_EQ(FaultForTest(row.text), row.line) << row.what;
}

// The text at the position that a message names.
std::string_view AtPlace(std::string_view text, std::string_view message) {
  const auto number = [&] {
    message.remove_prefix(message.find(':') + 1);
    return std::stoul(std::string(message.substr(0, message.find(':'))));
  };
  const size_t line = number();
  const size_t column = number();
  for (size_t i = 1; i < line; ++i) text.remove_prefix(text.find('\n') + 1);
  return text.substr(column - 1);
}

TEST(Load, RefusesUnknownNames) {
  const FaultRow rows[] = {
      {"a parent", WithEntity("{User: {keys: {PK: A, SK: A}}, B: {keys: {PK: B, SK: B}, per: {Usr: {avg: 1}}}}"),
       "m.yaml:4:74: there is no entity Usr; did you mean User?"},
      {"an attribute of per",
       WithEntity("{B: {keys: {PK: B, SK: B}, attributes: {site: string}, per: {'site, rom': {avg: 1}}}}"),
       "m.yaml:4:79: B has no attribute rom"},
      {"a source", WithEntity("{A: {keys: {PK: A, SK: A}, copy_of: {entity: Z, attributes: []}}}"),
       "m.yaml:4:56: there is no entity Z; did you mean A?"},
      {"a copied attribute",
       WithEntity(
           "{A: {keys: {PK: A, SK: A}, attributes: {name: string}}, B: {keys: {PK: B, SK: B}, copy_of: {entity: A, "
           "attributes: [nmae]}}}"),
       "m.yaml:4:127: A has no attribute nmae; did you mean name?"},
      {"a guard", WithEntity("{A: {keys: {PK: A, SK: A}, attributes: {x: {type: string, unique: Guard}}}}"),
       "m.yaml:4:77: there is no entity Guard"},
      {"a key attribute", WithEntity("{A: {keys: {PK: A, SK: A, GSI9PK: B}}}"),
       "m.yaml:4:37: A has no key attribute GSI9PK; did you mean GSI1PK?; keys are those of the table and its indexes"},
      {"no base key", WithEntity("{A: {keys: {PK: A}}}"),
       "m.yaml:4:12: A has no SK: give it a template in keys, or an attribute of that name"},
      {"a sparse rule's index", WithEntity("{A: {keys: {PK: A, SK: A}, when: {GSI2: x = 1}}}"),
       "m.yaml:4:45: there is no index GSI2; did you mean GSI1?"},
      {"a sparse rule's attribute",
       WithEntity("{A: {keys: {PK: A, SK: A}, when: {GSI1: status = 1}, attributes: {state: string}}}"),
       "m.yaml:4:51: A has no attribute status; did you mean state?"},
      {"a shard's attribute", WithEntity("{A: {keys: {PK: A, SK: A}, shard: {n: 3, by: hash(x)}}}"),
       "m.yaml:4:56: A has no attribute x"},
      {"a shard's way", WithEntity("{A: {keys: {PK: A, SK: A}, shard: {n: 3, by: hsh(x)}}}"),
       "m.yaml:4:56: shard.by must be hash(attribute) or random, not hsh(x)"},
      {"a pattern's entity", WithPattern("{get: B}"), "m.yaml:5:21: there is no entity B; did you mean A?"},
      {"a pattern's index", WithPattern("{query: A, index: GSI2}"),
       "m.yaml:5:33: there is no index GSI2; did you mean GSI1?"},
      {"by", WithPattern("{get: A, by: [y]}"), "m.yaml:5:29: A has no attribute y; did you mean x?"},
      {"needs", WithPattern("{get: A, by: [x], needs: [name]}"), "m.yaml:5:41: A has no attribute name"},
      {"merge", WithPattern("{query: A, by: [x], merge: [at]}"), "m.yaml:5:43: A has no attribute at"},
      {"where", WithPattern("{query: A, by: [x], where: \"z > 1\"}"),
       "m.yaml:5:43: A has no attribute z; did you mean x?"},
      {"set", WithPattern("{update: A, by: [x], set: [n, mm += 1]}"), "m.yaml:5:45: A has no attribute mm"},
      {"remove", WithPattern("{update: A, by: [x], remove: [zz]}"), "m.yaml:5:45: A has no attribute zz"},
      {"between", WithPattern("{query: A, by: [x], between: {at: [a, b]}}"), "m.yaml:5:45: A has no attribute at"},
      {"begins", WithPattern("{query: A, by: [x], begins: {at: a}}"), "m.yaml:5:44: A has no attribute at"},
      {"an action's entity", WithPattern("{transact: [put A, put Bee]}"), "m.yaml:5:38: there is no entity Bee"},
      {"an action's attribute", WithPattern("{transact: [update A set nn]}"),
       "m.yaml:5:40: A has no attribute nn; did you mean n?"},
      {"an action's condition", WithPattern("{transact: [delete A if exists(q)]}"),
       "m.yaml:5:46: A has no attribute q; did you mean x?"},
      {"a consumer's entity", WithMore("consumers: {c: {entities: B}}\n"),
       "m.yaml:6:27: there is no entity B; did you mean A?"},
      {"an accepted rule", WithMore("accept: [{rule: L54, reason: x}]\n"),
       "m.yaml:6:17: L54 is not a rule; rules are L01 to L53"},
      {"an accepted pattern", WithMore("accept: [{rule: L12, reason: x, pattern: q}]\n"),
       "m.yaml:6:42: there is no pattern q"},
      {"an accepted finding without reason", WithMore("accept: [{rule: L12}]\n"),
       "m.yaml:6:10: accept[0] needs the field reason"},
  };
  for (const FaultRow& row : rows) {
    EXPECT_EQ(FaultForTest(row.text), row.line) << row.what;
    for (const std::string_view before :
         {"no entity ", "no index ", "no pattern ", "no attribute ", "no key attribute "}) {
      const size_t at = row.line.find(before);
      if (at == std::string_view::npos) continue;
      const std::string_view name = row.line.substr(at + before.size());
      if (row.what == "a shard's attribute") continue;  // inside hash(...)
      EXPECT_TRUE(AtPlace(row.text, row.line).starts_with(name.substr(0, name.find(';')))) << row.what;
    }
  }
}

TEST(Load, RefusesTemplates) {
  const FaultRow rows[] = {
      {"open", WithKeys("{PK: 'A#{x', SK: A}"), "m.yaml:4:30: a placeholder is not closed; a literal brace is {{"},
      {"not open", WithKeys("{PK: 'A#x}', SK: A}"),
       "m.yaml:4:31: a closing brace has no opening brace; a literal brace is }}"},
      {"nameless", WithKeys("{PK: 'A#{}', SK: A}"),
       "m.yaml:4:31: a placeholder has no name; it must name an attribute"},
      {"unknown attribute", WithKeys("{PK: 'A#{x}#{y}', SK: A}"), "m.yaml:4:35: A has no attribute y; did you mean x?"},
      {"unknown format", WithKeys("{PK: 'A#{x|lowr}', SK: A}"),
       "m.yaml:4:33: unknown format lowr; formats are pad1 to pad38, desc1 to desc38, iso_s, iso_ms, iso_us, year, month, day, hour, "
       "lower, upper"},
      {"pad0", WithKeys("{PK: 'A#{n|pad0}', SK: A}"),
       "m.yaml:4:33: unknown format pad0; formats are pad1 to pad38, desc1 to desc38, iso_s, iso_ms, iso_us, year, month, day, hour, "
       "lower, upper"},
      {"pad39", WithKeys("{PK: 'A#{n|pad39}', SK: A}"),
       "m.yaml:4:33: unknown format pad39; formats are pad1 to pad38, desc1 to desc38, iso_s, iso_ms, iso_us, year, month, day, hour, "
       "lower, upper"},
      {"desc0", WithKeys("{PK: 'A#{n|desc0}', SK: A}"),
       "m.yaml:4:33: unknown format desc0; formats are pad1 to pad38, desc1 to desc38, iso_s, iso_ms, iso_us, year, month, "
       "day, hour, lower, upper"},
      {"desc of a string", WithKeys("{PK: 'A#{x|desc8}', SK: A}"),
       "m.yaml:4:31: format desc8 is for number, decimal, epoch_s and epoch_ms; x is of type string"},
      {"a format of another type", WithKeys("{PK: 'A#{x|pad8}', SK: A}"),
       "m.yaml:4:31: format pad8 is for number, decimal, epoch_s and epoch_ms; x is of type string"},
      {"a time format of a number", WithKeys("{PK: 'A#{n|iso_s}', SK: A}"),
       "m.yaml:4:31: format iso_s is for times; n is of type number"},
      {"a list", WithKeys("{PK: 'A#{l}', SK: A}"),
       "m.yaml:4:31: l is of type list, which cannot be part of a key's text"},
      {"no shard", WithKeys("{PK: 'A#{shard}', SK: A}"),
       "m.yaml:4:31: the entity has no shard; declare shard with n and by"},
      {"empty", WithKeys("{PK: '', SK: A}"), "m.yaml:4:28: the template is empty; a key has at least one character"},
  };
  for (const FaultRow& row : rows) EXPECT_EQ(FaultForTest(row.text), row.line) << row.what;
}

TEST(Load, RefusesPatterns) {
  const FaultRow rows[] = {
      {"no verb", WithPattern("{by: [x]}"),
       "m.yaml:5:12: patterns.p needs one verb: get, query, scan, put, update, delete, batch_get, batch_write, "
       "transact, transact_get"},
      {"two verbs", WithPattern("{get: A, query: A}"),
       "m.yaml:5:24: patterns.p has two verbs, get and query; it needs exactly one"},
      {"by as a string", WithPattern("{get: A, by: x}"),
       "m.yaml:5:28: patterns.p.by must be a list of strings, not a string"},
      {"three bounds", WithPattern("{query: A, between: {n: [1, 2, 3]}}"),
       "m.yaml:5:39: patterns.p.between.n must be a list of two bounds, not a list"},
      {"set of a get", WithPattern("{get: A, set: [n]}"), "m.yaml:5:24: set is allowed only for update"},
      {"an action's verb", WithPattern("{transact: [insert A]}"),
       "m.yaml:5:27: an action starts with put, update, delete or check, not insert"},
      {"an action's rest", WithPattern("{transact: [put A if_old]}"),
       "m.yaml:5:33: if_old is not allowed here; the form is put Entity [xN] [with a = b] [if_new]"},
      {"a multiplicity", WithPattern("{transact: [put A x0]}"),
       "m.yaml:5:33: x followed by a number from 1 to 100000 is expected, not x0"},
      {"no actions", WithPattern("{transact: []}"), "m.yaml:5:26: p has no actions"},
      {"a condition in a batch", WithPattern("{batch_write: [put A if_new]}"),
       "m.yaml:5:30: batch_write takes put and delete without conditions; use transact for put A if_new"},
      {"a check without condition", WithPattern("{transact: [check A]}"),
       "m.yaml:5:27: a check needs a condition: check A if ..."},
      {"arithmetic on a string", WithPattern("{update: A, by: [x], set: [x += 1]}"),
       "m.yaml:5:42: x is of type string; += needs a number, a set or a list, and -= a number or a set"},
      {"an amount", WithPattern("{update: A, by: [x], set: [n += 'a']}"),
       "m.yaml:5:47: += and -= take a number or the name of an input, not a"},
      {"a bare attribute that is not a lock", WithPattern("{update: A, by: [x], set: [n], if: n}"),
       "m.yaml:5:50: n is not a lock attribute, so it needs a comparison: n = value"},
      {"two comparisons without a word", WithPattern("{query: A, by: [x], where: n = 1 n = 2}"),
       "m.yaml:5:48: conditions are joined by and or or; n is not allowed here"},
      {"an open parenthesis", WithPattern("{query: A, by: [x], where: not (n = 1 or n = 2}"),
       "m.yaml:5:61: ) is expected here"},
      {"size of a number", WithPattern("{query: A, by: [x], where: size(n) > 1}"),
       "m.yaml:5:47: size is that of a string, a binary, a list, a map or a set; n is of type number"},
      {"a bare date", WithPattern("{query: A, by: [x], where: n > 2024-01-01}"),
       "m.yaml:5:46: 2024-01-01 is neither a number nor the name of an input; quote it if it is a string"},
      {"no right side", WithPattern("{query: A, by: [x], where: n >}"),
       "m.yaml:5:45: a value is expected here: a number, a quoted string, true, false, now or the name of an input"},
      {"an open quote", WithPattern("{query: A, by: [x], where: \"x = 'a\"}"),
       "m.yaml:5:47: a quoted string is not closed"},
      {"an unknown function", WithPattern("{query: A, by: [x], where: length(x) > 1}"),
       "m.yaml:5:42: a condition is expected here: attribute = value, attribute in (value, value), exists(attribute), "
       "missing(attribute), begins_with(attribute, value), contains(attribute, value) or size(attribute) = value"},
  };
  for (const FaultRow& row : rows) EXPECT_EQ(FaultForTest(row.text), row.line) << row.what;
}

TEST(Load, NamesEntriesOfMapsByInputs) {
  const std::string attributes =
      "{A: {keys: {PK: 'A#{x}', SK: A}, attributes: {x: string, plain: map, votes: {type: map, fields: {total: number}, values: "
      "{type: number, default: 0}}, shelves: {type: map, values: {type: map, fields: {books: number}}}}}}";
  const FaultRow rows[] = {
      {"no values", "set: ['plain.{who} = vote']",
       "plain is not a map that declares its values, so {who} cannot name an entry of it; declare values for the map"},
      {"not a map", "set: ['votes.{who}.{what} = vote']",
       "votes.{who} is not a map that declares its values, so {what} cannot name an entry of it; declare values for the map"},
      {"no input", "set: ['votes.{2} = vote']", "{2} is expected to be the name of an input in braces, such as {name}"},
      {"an open brace", "remove: ['votes.{who']",
       "{who is expected to be the name of an input in braces, such as {name}"},
      {"no value", "set: ['votes.{who}']", "votes.{who} needs a value: votes.{who} = value"},
      {"in a condition", "set: [plain], if: \"exists(plain.{who})\"",
       "plain is not a map that declares its values, so {who} cannot name an entry of it; declare values for the map"},
  };
  for (const FaultRow& row : rows) {
    const std::string fault = FaultForTest(ModelText(attributes, "{p: {update: A, by: [x], " + row.text + "}}"));
    EXPECT_TRUE(fault.ends_with(row.line)) << row.what << ": " << fault;
  }
  const Model model = LoadForTest(ModelText(
      attributes,
      "{p: {update: A, by: [x], set: ['votes.{who} += 1', 'shelves.{where}.books = n'], remove: ['shelves.{old}']}}"));
  const Entity& entity = model.entities[0];
  EXPECT_EQ(entity.FindPath("votes.{who}")->type, AttributeType::kNumber);
  EXPECT_EQ(entity.FindPath("votes.anyone")->default_value->text, "0");
  EXPECT_EQ(entity.FindPath("votes.total")->name, "total");
  EXPECT_EQ(entity.FindPath("shelves.{where}.books")->name, "books");
  EXPECT_EQ(entity.FindPath("shelves.{where}.pens"), nullptr);
  const std::string sparse = FaultForTest(WithEntity(
      "{A: {keys: {PK: A, SK: A, GSI1PK: A, GSI1SK: A}, when: {GSI1: \"exists(m.{who})\"}, attributes: {m: {type: map, values: "
      "number}}}}"));
  EXPECT_TRUE(sparse.ends_with("who would be an input, but this condition is on the item alone; name the entry"))
      << sparse;
  const FaultRow attribute_rows[] = {
      {"values of a list", "{l: {type: list, values: number}}", "values are those of a map; l is of type list"},
      {"values that are optional", "{m: {type: map, values: {type: number, optional: true}}}",
       "values cannot have optional; it is for attributes of the item"},
      {"values of no type", "{m: {type: map, values: text}}",
       "entities.A.attributes.m.values must be one of string, number, decimal, bool, binary, list, map, string_set, "
       "number_set, binary_set, date, time_s, time, time_us, epoch_s, epoch_ms, ulid, ksuid, uuid7, not text"},
  };
  for (const FaultRow& row : attribute_rows) {
    const std::string fault = FaultForTest(WithEntity("{A: {keys: {PK: A, SK: A}, attributes: " + row.text + "}}"));
    EXPECT_TRUE(fault.ends_with(row.line)) << row.what << ": " << fault;
  }
}

TEST(Load, PerCountsForAParentOrForValues) {
  const Model model = LoadForTest(WithEntity(
      "{Site: {keys: {PK: 'S#{site}', SK: S}, attributes: {site: string}}, B: {keys: {PK: 'B#{site}#{room}', SK: "
      "'{at|iso_s}'}, attributes: {site: string, room: string, at: time}, per: {'site,  room': {avg: 2, max: 9}, room: "
      "{avg: 3}, Site: {avg: 4}}}}"));
  const Entity& entity = *model.FindEntity("B");
  ASSERT_EQ(entity.per.size(), 3u);
  EXPECT_EQ(entity.per[0].attributes, (std::vector<std::string>{"site", "room"}));
  EXPECT_FALSE(entity.per[0].parent);
  EXPECT_EQ(entity.per[0].max, 9.0);
  EXPECT_EQ(entity.per[1].attributes, std::vector<std::string>{"room"});
  EXPECT_EQ(entity.per[2].parent, EntityId{0});
  EXPECT_TRUE(entity.per[2].attributes.empty());
  EXPECT_EQ(entity.FirstParent(), &entity.per[2]);
}

TEST(Load, RefusesCycles) {
  EXPECT_EQ(FaultForTest(WithEntity(
                "{A: {keys: {PK: A, SK: A}, per: {B: {avg: 1}}}, B: {keys: {PK: B, SK: B}, per: {A: {avg: 1}}}}")),
            "m.yaml:4:44: per forms a cycle: A -> B -> A");
  EXPECT_EQ(FaultForTest(WithEntity("{A: {keys: {PK: A, SK: A}, per: {A: {avg: 1}}}}")),
            "m.yaml:4:44: per forms a cycle: A -> A");
  EXPECT_EQ(FaultForTest(WithEntity(
                "{A: {keys: {PK: A, SK: A}, copy_of: {entity: B, attributes: []}}, B: {keys: {PK: B, SK: B}, "
                "copy_of: {entity: A, attributes: []}}}")),
            "m.yaml:4:38: copy_of forms a cycle: A -> B -> A");
}

TEST(Load, ParsesEveryOperand) {
  struct Row {
    std::string_view condition;
    Operand::Kind kind;
    std::string_view text;
  };
  const Row rows[] = {
      {"n = 5", Operand::Kind::kNumber, "5"},
      {"n <> -1.5e3", Operand::Kind::kNumber, "-1.5e3"},
      {"s = open", Operand::Kind::kString, "open"},
      {"s = opened", Operand::Kind::kInput, "opened"},
      {"x = 'it''s'", Operand::Kind::kString, "it's"},
      {"x = true", Operand::Kind::kBool, "true"},
      {"n > now", Operand::Kind::kNow, ""},
      {"begins_with(x, start)", Operand::Kind::kInput, "start"},
      {"x=open", Operand::Kind::kInput, "open"},
  };
  for (const Row& row : rows) {
    const Model model = LoadForTest(WithPattern("{query: A, by: [x], where: \"" + std::string(row.condition) + "\"}"));
    const Operand& right = model.patterns[0].where.all[0].right;
    EXPECT_EQ(right.kind, row.kind) << row.condition;
    EXPECT_EQ(right.text, row.text) << row.condition;
  }
}

TEST(Condition, Holds) {
  const Model model = LoadForTest(ModelText(
      "{A: {keys: {PK: A, SK: A}, attributes: {n: number, s: string, t: time, e: epoch_s, m: map, a.b: string}}}",
      "{p: {query: A}}"));
  struct Row {
    std::string_view condition;
    bool holds;
  };
  const Row rows[] = {
      {"n > 9", true},
      {"n = 10.0", true},
      {"n < 9", false},
      {"s = 'b'", true},
      {"s < 'a'", false},
      {"exists(s)", true},
      {"missing(s)", false},
      {"missing(t)", true},
      {"t = 'x'", false},
      {"t <> 'x'", true},
      {"begins_with(s, b)", true},
      {"n > 9 and s = 'c'", false},
      {"e > now", true},
      {"e < now", false},
      {"m.k >= 2", true},
      {"a.b = 'whole'", true},
      {"n = low", false},
      {"n >= low", true},
      {"n = 1 or n = 10", true},
      {"n = 1 or n = 2 and s = 'b'", false},
      {"(n = 1 or n = 10) and not s = 'c'", true},
      {"not (n = 10 and s = 'b')", false},
      {"not t = 'x'", true},
      {"not exists(t) and not missing(n)", true},
      {"n in (9, low, 10)", true},
      {"s in ('a', 'c')", false},
      {"contains(s, 'b') and contains(set, 'y')", true},
      {"contains(set, 'z') or size(set) = 2", true},
      {"size(s) > 1 or size(t) >= 0", false},
  };
  for (const Row& row : rows) {
    Model one = LoadForTest(ModelText(
        "{A: {keys: {PK: A, SK: A}, attributes: {n: number, s: string, t: time, e: epoch_s, m: map, set: string_set, a.b: "
        "string}}}",
        "{p: {query: A, where: \"" + std::string(row.condition) + "\"}}"));
    const auto value = [](std::string_view path) -> std::optional<std::string> {
      if (path == "n") return "10";
      if (path == "s") return "b";
      if (path == "e") return "2000";
      if (path == "m.k") return "10";
      if (path == "a.b") return "whole";
      if (path == "set") return R"(["x","y"])";
      return {};
    };
    const auto input = [](std::string_view name) -> std::optional<std::string> { return name == "low" ? "9" : "b"; };
    const auto find = [&](std::string_view path) { return one.entities[0].FindPath(path); };
    EXPECT_EQ(Holds(one.patterns[0].where, {find, value, input, 1'000'000}), row.holds) << row.condition;
  }
}

// Every field has a description for the schema, and every record is reachable from the root.
void CheckRecordForTest(const Record& record) {
  for (const Field& field : record.fields) {
    EXPECT_FALSE(field.says.empty()) << record.title << '.' << field.name;
    // The fields and values of a map are attributes again.
    if (field.record != nullptr && field.record != &record) CheckRecordForTest(*field.record);
  }
}
TEST(Fields, AllHaveDescriptions) { CheckRecordForTest(kModelRecord); }

}  // namespace
}  // namespace keyfold::model
