"""Tests a server with a model: attribution of requests and items, drift, modes, /_keyfold/models, /metrics, `model watch`."""
import json
import pathlib

from observing_test import samples
from program import expect, expect_in

SHOP = pathlib.Path(__file__).resolve().parents[2] / "examples" / "shop.yaml"
CREATED, CREATED_S = "2024-01-15T10:30:00.000Z", "2024-01-15T10:30:00Z"
TOP = "\uffff"


def n(number):
    return {"N": str(number)}


def item(**attributes):
    """Converts values: strings become S, numbers become N."""
    return {name: n(value) if isinstance(value, (int, float)) else {"S": value} for name, value in attributes.items()}


def gsi(name, *attributes):
    keys = [{"AttributeName": a, "KeyType": kind} for a, kind in attributes]
    return {"IndexName": name, "KeySchema": keys, "Projection": {"ProjectionType": "ALL"}}


def create_shop(client):
    texts = ["PK", "SK", "GSI1PK", "GSI1SK", "GSI2PK", "GSI2SK", "region", "status", "createdAt"]
    client.ok("CreateTable", {
        "TableName": "App", "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": a, "AttributeType": "S"} for a in texts]
        + [{"AttributeName": "orderId", "AttributeType": "N"}],
        "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
        "GlobalSecondaryIndexes": [
            gsi("GSI1", ("GSI1PK", "HASH"), ("GSI1SK", "RANGE")), gsi("GSI2", ("GSI2PK", "HASH"), ("GSI2SK", "RANGE")),
            gsi("ByRegion", ("region", "HASH"), ("status", "HASH"), ("createdAt", "RANGE"), ("orderId", "RANGE")),
        ]})  # fmt: skip


def shard_of(text, shards=10):
    value = 2166136261
    for byte in text.encode():
        value = (value ^ byte) * 16777619 % 2**32
    return value % shards


def user(number="1", **more):
    return {**item(_et="User", PK=f"USER#{number}", SK="PROFILE", GSI1PK="EMAIL#a@b.c", GSI1SK="PROFILE", userId=number, name="Ann",
                   email="A@b.c", plan="free"), **more}  # fmt: skip


def guard():
    return item(_et="EmailGuard", PK="EMAIL#a@b.c", SK="EMAIL", email="a@b.c", userId="1")


def order(status="pending", **more):
    padded = "00001001"
    index = item(GSI2PK=f"STATUS#pending#{shard_of(padded)}", GSI2SK=f"{CREATED_S}#{padded}") if status == "pending" else {}
    return {**item(_et="Order", PK="USER#1", SK=f"ORDER#{CREATED_S}#{padded}", userId="1", orderId=1001, createdAt=CREATED,
                   status=status, region="eu", total=12.5, version=1), **index, **more}  # fmt: skip


def header(status="pending"):
    return item(_et="OrderHeader", PK="ORDER#00001001", SK="METADATA", orderId=1001, userId="1", status=status, total=12.5,
                createdAt=CREATED)  # fmt: skip


def line(number):
    return item(_et="OrderItem", PK="ORDER#00001001", SK=f"ITEM#{number:03}", orderId=1001, line=number, sku="s1", qty=1, price=2)


def product(stock=9):
    return item(_et="Product", PK="PRODUCT#s1", SK="METADATA", GSI1PK="CATEGORY#toys", GSI1SK="PRODUCT#ball#s1", sku="s1",
                name="Ball", category="toys", price=2, stock=stock)  # fmt: skip


def session():
    return item(_et="Session", PK="SESSION#x", SK="SESSION", GSI1PK="USER#1#SESSIONS", GSI1SK="2000000000", sessionId="x", userId="1",
                expiresAt=2000000000)  # fmt: skip


def follow():
    return item(_et="Follow", PK="USER#1", SK="FOLLOWS#2", GSI1PK="FOLLOWED_BY#2", GSI1SK="USER#1", follower="1", followee="2",
                followedAt=CREATED)  # fmt: skip


def reading():
    return item(_et="Reading", PK="DEVICE#d#2024-01#3", SK=CREATED, deviceId="d", at=CREATED, temp=20.5)


def event():
    return item(_et="StatusEvent", PK="ORDER#00001001", SK=f"STATUS#{CREATED}#shipped", orderId=1001, at=CREATED, status="shipped",
                carrier="c", tracking="t")  # fmt: skip


def key(pk, sk):
    return item(PK=pk, SK=sk)


def query(condition, values, index=None, **more):
    """Returns a Query with every name aliased, as in generated code."""
    names, words = {}, []
    for word in condition.split():
        bare = word.strip("(),")
        if bare.isidentifier() and bare not in ("AND", "BETWEEN", "begins_with"):
            names["#" + bare] = bare
            word = word.replace(bare, "#" + bare)
        words.append(word)
    request = {"TableName": "App", "KeyConditionExpression": " ".join(words), "ExpressionAttributeNames": names,
               "ExpressionAttributeValues": {f":{name}": {"S": text} for name, text in values.items()}, **more}  # fmt: skip
    return ("Query", {**request, "IndexName": index} if index else request)


def put(what, **more):
    return ("PutItem", {"TableName": "App", "Item": what, **more})


def transact(*actions):
    return ("TransactWriteItems", {"TransactItems": [{kind: {"TableName": "App", **members}} for kind, members in actions]})


NEW = {"ConditionExpression": "attribute_not_exists(PK)"}


def buy(number):
    return ("Update", {"Key": key("PRODUCT#s1", "METADATA"), "UpdateExpression": "SET stock = stock - :q",
                       "ConditionExpression": "stock >= :q", "ExpressionAttributeValues": {":q": n(number)}})  # fmt: skip


def traffic():
    """Yields (pattern, operation, request) in an order in which each succeeds."""
    yield "createUser", *transact(("Put", {"Item": user(), **NEW}), ("Put", {"Item": guard(), **NEW}))
    yield "getUser", "GetItem", {"TableName": "App", "Key": key("USER#1", "PROFILE")}
    yield "getUserByEmail", *query("GSI1PK = :p AND GSI1SK = :s", {"p": "EMAIL#a@b.c", "s": "PROFILE"}, "GSI1")
    yield None, *put(product())
    yield "placeOrder", *transact(("Put", {"Item": order(), **NEW}), ("Put", {"Item": header(), **NEW}), ("Put", {"Item": line(1)}),
                                  ("Put", {"Item": line(2)}), buy(2))  # fmt: skip
    newest = {"ScanIndexForward": False}
    prefix = "PK = :p AND begins_with(SK, :s)"
    yield "userOrders", *query(prefix, {"p": "USER#1", "s": "ORDER#"}, **newest, Limit=20)
    yield "recentOrders", *query(prefix, {"p": "USER#1", "s": "ORDER#"}, **newest, Limit=10)
    yield "ordersByDate", *query("PK = :p AND SK BETWEEN :a AND :b", {"p": "USER#1", "a": "ORDER#2024-01", "b": f"ORDER#2024-02{TOP}"})
    yield "userWithAll", *query("PK = :p", {"p": "USER#1"})
    yield "getOrder", "GetItem", {"TableName": "App", "Key": key("ORDER#00001001", "METADATA"), "ConsistentRead": True}
    yield "orderWithItems", *query("PK = :p", {"p": "ORDER#00001001"})
    for shard in range(10):
        yield "pendingOrders", *query("GSI2PK = :p", {"p": f"STATUS#pending#{shard}"}, "GSI2", **newest)
    ship = {"UpdateExpression": "SET #s = :s, version = version + :one REMOVE GSI2PK, GSI2SK", "ConditionExpression": "version = :v",
            "ExpressionAttributeNames": {"#s": "status"},
            "ExpressionAttributeValues": {":s": {"S": "shipped"}, ":one": n(1), ":v": n(1)}}  # fmt: skip
    copy = {"UpdateExpression": "SET #s = :s", "ExpressionAttributeNames": {"#s": "status"},
            "ExpressionAttributeValues": {":s": {"S": "shipped"}}}  # fmt: skip
    order_key = {name: order()[name] for name in ("PK", "SK")}
    yield "shipOrder", *transact(("Update", {"Key": order_key, **ship}),
                                 ("Update", {"Key": key("ORDER#00001001", "METADATA"), **copy}), ("Put", {"Item": event()}))  # fmt: skip
    yield "follow", *put(follow())
    yield "following", *query(prefix, {"p": "USER#1", "s": "FOLLOWS#"})
    yield "followers", *query("GSI1PK = :p AND begins_with(GSI1SK, :s)", {"p": "FOLLOWED_BY#2", "s": "USER#"}, "GSI1")
    yield "doesFollow", "GetItem", {"TableName": "App", "Key": key("USER#1", "FOLLOWS#2")}
    yield "byCategory", *query("GSI1PK = :p AND begins_with(GSI1SK, :s)", {"p": "CATEGORY#toys", "s": "PRODUCT#"}, "GSI1")
    yield "createSession", *put(session())
    operation, sessions = query("GSI1PK = :p AND GSI1SK >= :s", {"p": "USER#1#SESSIONS", "s": f"1700000000{TOP}"}, "GSI1")
    yield "userSessions", operation, sessions
    yield "deptUsers", *query(prefix, {"p": "ORG#o", "s": "DEPT#d#USER#"})
    yield "putReading", *put(reading())
    for shard in range(10):
        yield "lastHour", *query("PK = :p AND SK BETWEEN :a AND :b", {"p": f"DEVICE#d#2024-01#{shard}", "a": "2024-01-15T09",
                                                                     "b": f"2024-01-15T11{TOP}"})  # fmt: skip


def report(client, table="App"):
    reply = client.get(f"/_keyfold/models/{table}")
    expect(reply.status, 200, f"report: {reply.text}")
    return reply.json


def counts(reported):
    return {p["name"]: p["calls"] for p in reported["patterns"] if p["calls"]}


def by_name(reported, part, name):
    return next(one for one in reported[part] if one["name"] == name)


def test_shop_traffic_is_attributed(place):
    client = place.serve("--model", SHOP).client()
    create_shop(client)
    wanted, before = {}, {}
    for pattern, operation, request in traffic():
        reply = client.call(operation, request)
        expect(reply.status, 200, f"{pattern}: {reply.text}")
        expect("x-keyfold-model" in reply.headers, False, "a header nobody asked for")
        if pattern:
            wanted[pattern] = wanted.get(pattern, 0) + 1
        now = counts(report(client))
        expect({name: count - before.get(name, 0) for name, count in now.items() if count != before.get(name, 0)},
               {pattern: 1} if pattern else {}, f"{operation} {json.dumps(request)[:300]}")  # fmt: skip
        before = now
    reported = report(client)
    expect(counts(reported), wanted)
    expect(len(reported["patterns"]), 22)
    expect(reported["requests"], {"attributed": sum(wanted.values()), "unplanned": 1})
    expect([one["request"] for one in reported["unplanned"]], ["PutItem: put Product"])
    expect([f for f in reported["findings"] if f["rule"] == "L49"], [], "drift")


def test_units_items_and_keys(place):
    client = place.serve("--model", SHOP).client()
    create_shop(client)
    for _, operation, request in traffic():
        client.ok(operation, request)
    reported = report(client)
    expect(by_name(reported, "patterns", "getUser")["readUnits"], 0.5)
    expect(by_name(reported, "patterns", "getOrder")["readUnits"], 1, "a consistent read")
    expect(by_name(reported, "patterns", "follow")["writeUnits"], 2)
    expect(by_name(reported, "patterns", "createUser")["writeUnits"], 5, "2 puts, twice, and GSI1")
    expect(by_name(reported, "patterns", "orderWithItems")["items"], 3)
    expect(by_name(reported, "patterns", "pendingOrders")["calls"], 10)
    expect(by_name(reported, "patterns", "pendingOrders")["measured"]["readUnits"], 5, "ten calls are one invocation")
    planned = by_name(reported, "patterns", "getUser")["planned"]
    expect({name: round(value, 2) for name, value in planned.items()}, {"perSecond": 200, "readUnits": 0.5, "writeUnits": 0, "usdPerMonth": 32.85})
    users = by_name(reported, "entities", "User")
    expect((users["puts"], users["updates"], users["deletes"]), (1, 0, 0))
    expect(users["reads"], 3, "getUser, getUserByEmail, userWithAll")
    expect(by_name(reported, "entities", "Order")["updates"], 1)
    table, gsi1 = reported["places"][0], reported["places"][1]
    expect((table["index"], gsi1["index"]), (None, "GSI1"))
    expect(table["hotKeys"][0]["key"] in ("ORDER#00001001", "USER#1"), True, table["hotKeys"][:2])
    expect({one["key"] for one in gsi1["hotKeys"]},
           {"EMAIL#a@b.c", "FOLLOWED_BY#2", "CATEGORY#toys", "USER#1#SESSIONS"})  # fmt: skip


DRIFTS = (
    # finding, entity, item
    ("no_entity", None, item(PK="THING#1", SK="PROFILE")),
    ("type_attribute", "User", {name: value for name, value in user().items() if name != "_et"}),
    ("key", "User", user(userId={"S": "2"})),
    ("attribute_type", "User", user(plan={"S": "gold"})),
    ("missing", "EmailGuard", item(_et="EmailGuard", PK="EMAIL#a@b.c", SK="EMAIL")),
    ("index_key", "User", user(email={"S": "other@b.c"})),
    ("sparse", "Order", order("paid", GSI2PK={"S": f"STATUS#pending#{shard_of('00001001')}"})),
    ("ttl", "EmailGuard", {**guard(), "expiresAt": n(1700000000000)}),
    ("ttl", "EmailGuard", {**guard(), "expiresAt": n(1000000000)}),
)


def test_drift_is_reported(place):
    for kind, entity, drifting in DRIFTS:
        client = place.serve("--model", SHOP).client()
        create_shop(client)
        client.ok(*put(drifting))
        found = [f for f in report(client)["findings"] if f["rule"] == "L49"]
        expect([(f["kind"], f["entity"], f["severity"], f["count"], f["refused"]) for f in found], [(kind, entity, "error", 1, 0)])
        expect(found[0]["example"], f"{drifting['PK']['S']} / {drifting['SK']['S']}")
        expect(samples(client)[f'keyfold_model_drift_total{{TableName="App",Entity="{entity or ""}",Kind="{kind}"}}'], 1)


def test_each_attribute_is_a_finding(place):
    client = place.serve("--model", SHOP).client()
    create_shop(client)
    client.ok(*put({**follow(), "followedAt": {"S": "30/04/2023"}}))
    client.ok(*put(user(plan={"S": "gold"})))
    client.ok(*put(user(postCount={"S": "7"})))
    client.ok(*put(user(plan={"S": "silver"})))
    found = [f for f in report(client)["findings"] if f["rule"] == "L49"]
    expect({(f["entity"], f["attribute"]): (f["kind"], f["count"], f["message"]) for f in found}, {
        ("Follow", "followedAt"): ("attribute_type", 1, 'followedAt is "30/04/2023", but must be a time such as 2024-01-15T10:30:00.000Z'),
        ("User", "plan"): ("attribute_type", 2, 'plan is "silver", which is not one of its values'),
        ("User", "postCount"): ("attribute_type", 1, "postCount must be N, but is S")})  # fmt: skip


# The new grammar: a repeated placeholder, roles, a range, sets, a patch, two actions of one entity.
BANK = """
model: 1
table: {name: Bank, key: {pk: PK, sk: SK}}
entities:
  Account:
    keys: {PK: "ACCOUNT#{id}", SK: "ACCOUNT#{id}"}
    attributes: {id: string, balance: {type: number, optional: true}, name: {type: string, optional: true},
      bio: {type: string, optional: true}, tags: {type: string_set, optional: true}, story: {type: list, optional: true},
      details: {type: map, optional: true, fields: {pages: number}}}
  Entry:
    keys: {PK: "ACCOUNT#{id}", SK: "ENTRY#{at|iso_ms}#{entry}"}
    attributes: {id: string, at: time, entry: ulid, amount: number}
patterns:
  open: {put: Account}
  account: {get: Account, by: ["id = account"]}
  since: {query: Entry, by: [id], where: "at >= since"}
  until: {query: Entry, by: [id], where: "at < until"}
  transfer:
    transact:
      - update Account with id = from set balance -= amount
      - update Account with id = to set balance += amount
      - put Entry with id = from if_new
      - put Entry with id = to if_new
  patch: {update: Account, by: [id], set: ["name?", "bio?"]}
  tag: {update: Account, by: [id], set: ["tags += more"]}
  untag: {update: Account, by: [id], set: ["tags -= less"]}
  append: {update: Account, by: [id], set: ["story += more"]}
  pages: {update: Account, by: [id], set: ["details.pages = pages"]}
"""


def bank_traffic():
    """Yields (pattern, operation, request) like traffic(); None for a request that no pattern matches."""
    entry = "01HM5S3GZK0000000000000000"

    def account(number, **more):
        return {**item(PK=f"ACCOUNT#{number}", SK=f"ACCOUNT#{number}", id=number, balance=100), "details": {"M": {"pages": n(1)}}, **more}

    def record(number):
        return item(PK=f"ACCOUNT#{number}", SK=f"ENTRY#{CREATED}#{entry}", id=number, at=CREATED, entry=entry, amount=5)

    def change(expression, values):
        request = {"TableName": "Bank", "Key": key("ACCOUNT#1", "ACCOUNT#1"), "UpdateExpression": expression,
                   "ExpressionAttributeValues": values}  # fmt: skip
        if "#name" in expression:
            request["ExpressionAttributeNames"] = {"#name": "name"}
        return "UpdateItem", request

    def bank(operation, request):
        return operation, json.loads(json.dumps(request).replace('"App"', '"Bank"'))

    def move(number, sign):
        return ("Update", {"Key": key(f"ACCOUNT#{number}", f"ACCOUNT#{number}"), "UpdateExpression": f"SET balance = balance {sign} :a",
                           "ExpressionAttributeValues": {":a": n(5)}})  # fmt: skip

    yield "open", *bank(*put(account("1", tags={"SS": ["a"]}, story={"L": []})))
    yield "open", *bank(*put(account("2")))
    yield "account", "GetItem", {"TableName": "Bank", "Key": key("ACCOUNT#1", "ACCOUNT#1")}
    yield None, "GetItem", {"TableName": "Bank", "Key": key("ACCOUNT#1", "ACCOUNT#2")}
    yield "transfer", *bank(*transact(move("1", "-"), move("2", "+"), ("Put", {"Item": record("1"), **NEW}), ("Put", {"Item": record("2"), **NEW})))
    between = "PK = :p AND SK BETWEEN :a AND :b"
    yield "since", *bank(*query(between, {"p": "ACCOUNT#1", "a": f"ENTRY#{CREATED}", "b": f"ENTRY#{TOP}"}))
    yield "until", *bank(*query(between, {"p": "ACCOUNT#1", "a": "ENTRY#", "b": f"ENTRY#{CREATED}"}))
    text, words, list_ = {"S": "x"}, {"SS": ["b"]}, {"L": [{"S": "x"}]}
    yield "patch", *change("SET bio = :b", {":b": text})
    yield "patch", *change("SET #name = :b, bio = :b", {":b": text})
    yield None, *change("SET bio = :b, balance = :n", {":b": text, ":n": n(1)})
    yield "tag", *change("ADD tags :t", {":t": words})
    yield "untag", *change("DELETE tags :t", {":t": words})
    yield "append", *change("SET story = list_append(story, :l)", {":l": list_})
    yield "pages", *change("SET details.pages = :n", {":n": n(2)})


def test_the_whole_grammar_is_attributed(place):
    client = place.serve("--model", place.write("bank.yaml", BANK)).client()
    client.ok("CreateTable", {
        "TableName": "Bank", "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": a, "AttributeType": "S"} for a in ("PK", "SK")],
        "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}]})  # fmt: skip
    before = {}
    for pattern, operation, request in bank_traffic():
        client.ok(operation, request)
        now = counts(report(client, "Bank"))
        expect({name: count - before.get(name, 0) for name, count in now.items() if count != before.get(name, 0)},
               {pattern: 1} if pattern else {}, f"{operation} {json.dumps(request)[:300]}")  # fmt: skip
        before = now
    expect([f for f in report(client, "Bank")["findings"] if f["rule"] == "L49"], [], "drift")


def test_an_update_can_drift(place):
    client = place.serve("--model", SHOP, "--model-mode", "enforce").client()
    create_shop(client)
    client.ok(*put(order()))
    paid = {"TableName": "App", "Key": {name: order()[name] for name in ("PK", "SK")}, "UpdateExpression": "SET #s = :s",
            "ExpressionAttributeNames": {"#s": "status"}, "ExpressionAttributeValues": {":s": {"S": "paid"}}}  # fmt: skip
    reply = client.call("UpdateItem", paid)
    expect((reply.status, reply.error), (400, "ValidationException"))
    expect_in("The model of table App refuses this item: L49: Order: it has GSI2PK although status = pending does not hold",
              reply.json["message"])  # fmt: skip
    expect(client.ok("UpdateItem", {**paid, "UpdateExpression": "SET #s = :s REMOVE GSI2PK, GSI2SK"}), {})


def test_modes(place):
    program = place.serve("--model", SHOP, "--admin")
    client = program.client()
    create_shop(client)
    kind, entity, drifting = DRIFTS[6]
    for mode, status, reported in (("observe", 200, False), ("warn", 200, True), ("enforce", 400, False)):
        expect(client.send("POST", f"/_keyfold/models/App?mode={mode}").json["mode"], mode)
        reply = client.call(*put(drifting))
        expect(reply.status, status, mode)
        expect("x-keyfold-model" in reply.headers, reported or mode == "enforce", mode)
        if reported:
            expect_in("L49 Order: it has GSI2PK", reply.headers["x-keyfold-model"])
    expect_in("L49", reply.json["message"])
    refused = client.call(*transact(("Put", {"Item": guard()}), ("Put", {"Item": drifting})))
    expect(refused.error, "TransactionCanceledException")
    expect([r["Code"] for r in refused.json["CancellationReasons"]], ["None", "ValidationError"])
    expect("Item" in client.ok("GetItem", {"TableName": "App", "Key": key("EMAIL#a@b.c", "EMAIL")}), False, "nothing was written")
    expect(client.call("DeleteItem", {"TableName": "App", "Key": key("THING#1", "x")}).status, 200, "deletes are let through")
    finding = next(f for f in report(client)["findings"] if f["kind"] == kind)
    expect((finding["entity"], finding["index"], finding["count"], finding["refused"]), (entity, "GSI2", 4, 2))
    expect(client.send("POST", "/_keyfold/models/App?mode=warn").status, 200)
    scan = client.call("Scan", {"TableName": "App"})
    expect(scan.headers["x-keyfold-model"], "L50 no pattern: Scan")
    expect(client.send("POST", "/_keyfold/models/App?mode=loud").status, 400)


def test_unplanned_requests(place):
    client = place.serve("--model", SHOP).client()
    create_shop(client)
    client.ok("Scan", {"TableName": "App", "IndexName": "GSI1"})
    client.ok("GetItem", {"TableName": "App", "Key": key("USER#1", "ADDRESS#home")})
    client.ok("GetItem", {"TableName": "App", "Key": key("USER#2", "ADDRESS#work")})
    client.ok(*query("GSI1PK = :p AND begins_with(GSI1SK, :s)", {"p": "EMAIL#a@b.c", "s": "P"}, "GSI1"))
    client.ok("BatchWriteItem", {"RequestItems": {"App": [{"PutRequest": {"Item": guard()}}, {"PutRequest": {"Item": product()}}]}})
    client.ok("BatchGetItem", {"RequestItems": {"App": {"Keys": [key("EMAIL#a@b.c", "EMAIL"), key("X", "Y")]}}})
    reported = report(client)
    expect({one["request"]: one["count"] for one in reported["unplanned"]}, {
        "Scan GSI1": 1, "GetItem: PK = USER#…, SK = ADDRESS#…": 2, "Query GSI1: GSI1PK = EMAIL#…, GSI1SK begins with …": 1,
        "BatchWriteItem: put EmailGuard, put Product": 1, "BatchGetItem: EmailGuard, items of no entity": 1})  # fmt: skip
    expect({f["kind"] for f in reported["findings"]}, {"unplanned"})
    expect(reported["requests"], {"attributed": 0, "unplanned": 6})


def test_statements_are_attributed(place):
    client = place.serve("--model", SHOP).client()
    create_shop(client)
    client.ok(*put(user()))
    statement = "SELECT * FROM App WHERE PK = 'USER#1' AND SK = 'PROFILE'"
    expect(len(client.ok("ExecuteStatement", {"Statement": statement})["Items"]), 1)
    expect(counts(report(client)), {"getUser": 1})


def test_plan_against_measurement(place):
    program = place.serve("--model", SHOP, "--clock", "manual", "--admin", "--model-unseen-days", "7")
    client = program.client()
    create_shop(client)
    for number in range(40):
        client.ok(*put(user(str(number), bio={"S": "x" * 3000})))
        client.ok("GetItem", {"TableName": "App", "Key": key(f"USER#{number}", "PROFILE")})
    expect({f["kind"] for f in report(client)["findings"]}, {"unplanned", "size"})
    client.send("POST", "/_keyfold/clock", body=b'{"advance":"2h"}')
    reported = report(client)
    found = {(f["kind"], f["entity"] or f["pattern"]): f["message"] for f in reported["findings"]}
    expect(found[("size", "User")].endswith("but are declared with 1,024"), True, found)
    expect(found[("rate", "getUser")], "0.006 per second, but declared as 200")
    expect(round(by_name(reported, "patterns", "getUser")["measured"]["perSecond"], 6), round(40 / 7200, 6))
    expect(reported["usdPerMonth"] > 0, True)
    expect(any(f["kind"] == "unseen" for f in reported["findings"]), False)
    client.send("POST", "/_keyfold/clock", body=b'{"advance":"170h"}')
    unseen = [f["pattern"] for f in report(client)["findings"] if f["kind"] == "unseen"]
    expect((len(unseen), "getUser" in unseen, "createUser" in unseen), (22, True, True))


def test_attach_and_detach(place):
    client = place.serve("--admin").client()
    expect(client.get("/_keyfold/models").json, {"models": []})
    attached = client.send("POST", "/_keyfold/models?file=shop.yaml&mode=warn", body=SHOP.read_bytes())
    expect((attached.status, attached.json["table"], attached.json["file"], attached.json["mode"]), (200, "App", "shop.yaml", "warn"))
    expect([one["table"] for one in client.get("/_keyfold/models").json["models"]], ["App"])
    # The rule is model-unreadable; the line is the loader's.
    broken = client.send("POST", "/_keyfold/models?file=b.yaml", body=b"model: 1\ntable: {name: T}\n")
    expect(broken.status, 400)
    expect(broken.text.startswith("b.yaml:"), True, broken.text)
    expect(broken.text.count("\n"), 1)
    expect(client.get("/_keyfold/models/Nope").status, 404)
    expect(client.send("DELETE", "/_keyfold/models/App").status, 200)
    expect(client.send("DELETE", "/_keyfold/models/App").status, 404)
    expect(client.get("/_keyfold/models").json, {"models": []})


def test_without_admin_models_can_only_be_read(place):
    client = place.serve("--model", SHOP).client()
    expect(client.get("/_keyfold/models").status, 200)
    expect(client.send("POST", "/_keyfold/models", body=SHOP.read_bytes()).status, 404)
    expect(client.send("DELETE", "/_keyfold/models/App").status, 404)
    plain = place.serve().client()
    expect(plain.get("/_keyfold/models").status, 404)
    expect("keyfold_model" in plain.get("/metrics").text, False)


def test_answers_are_the_same_with_and_without_a_model(place):
    plain, watched = place.serve().client(), place.serve("--model", SHOP).client()
    for client in (plain, watched):
        create_shop(client)
    for _, operation, request in traffic():
        request = {**request, "ReturnConsumedCapacity": "INDEXES"}
        one, other = plain.call(operation, request), watched.call(operation, request)
        expect((one.status, one.body), (other.status, other.body), operation)
        expect(sorted(name.lower() for name in one.headers), sorted(name.lower() for name in other.headers))


def test_metrics(place):
    client = place.serve("--model", SHOP).client()
    create_shop(client)
    for _, operation, request in traffic():
        client.ok(operation, request)
    found = samples(client)
    for sample, value in {
        'keyfold_model_requests_total{TableName="App",Pattern="lastHour"}': 10,
        'keyfold_model_requests_total{TableName="App",Pattern=""}': 1,
        'keyfold_model_write_units_total{TableName="App",Pattern="createUser"}': 5,
        'keyfold_model_items_written_total{TableName="App",Entity="OrderItem"}': 2,
        'keyfold_model_latency_seconds_count{TableName="App",Pattern="getUser"}': 1,
    }.items():
        expect(found.get(sample), value, sample)


def test_bad_model_file_ends_the_start(place):
    broken = place.write("b.yaml", "model: 2\n")
    place.refused(2, f"{broken}:1", "serve", "--in-memory", "--port", "0", "--model", broken)
    place.refused(2, f"the model {place.path('absent.yaml')} cannot be read: No such file", "serve", "--in-memory", "--port", "0", "--model", place.path("absent.yaml"))
    place.refused(2, "Is a directory", "serve", "--in-memory", "--port", "0", "--model", place.path(""))
    empty = place.write("e.yaml", "")
    place.refused(2, f"{empty}:1:1", "serve", "--in-memory", "--port", "0", "--model", empty)
    long = place.write("l.yaml", "#" * (5 << 20))
    place.refused(2, "4 MiB", "serve", "--in-memory", "--port", "0", "--model", long)


def test_watch(place):
    program = place.serve("--model", SHOP)
    client = program.client()
    create_shop(client)
    for _, operation, request in traffic():
        client.ok(operation, request)
    endpoint = ("--endpoint", f"http://{client.authority}")
    code, out, err = place.run("model", "watch", *endpoint, "--once")
    expect((code, err), (0, ""))
    lines = out.splitlines()
    expect_in("App", lines[0])
    expect(lines[0].endswith("observe"), True, lines[0])
    expect(any(line.startswith("getUser ") and "GetItem" in line for line in lines), True, out)
    expect(any(line.startswith("L50 unplanned") and "put Product" in line for line in lines), True, out)
    expect_in("ORDER#00001001", out)
    expect("\x1b" in out, False, "escapes outside a terminal")
    by_name_lines = place.run("model", "watch", "App", *endpoint, "--once", "--sort", "name")[1].splitlines()
    expect([line.split()[0] for line in by_name_lines[4:7]], ["byCategory", "createSession", "createUser"])
    expect(place.run("model", "watch", *endpoint, "--once", "--all-findings")[0], 0)
    code, out, _ = place.run("model", "watch", *endpoint, "--once", "--format", "json")
    expect((code, json.loads(out)["table"]), (0, "App"))
    expect(place.run("model", "watch", "Nope", *endpoint, "--once")[0], 1)
    bare = place.serve().client()
    code, _, err = place.run("model", "watch", "--endpoint", f"http://{bare.authority}", "--once")
    expect((code, err.count("\n")), (1, 1))
    expect_in("no model is attached", err)
