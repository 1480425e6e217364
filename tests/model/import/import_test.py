"""Tests `keyfold model import`: the shop's model is recovered from its items, other tools' files become models, and all pass `model check`."""
import json
import pathlib
import re

from program import expect, expect_in

SHOP = pathlib.Path(__file__).resolve().parents[3] / "examples" / "shop.yaml"
OF_EACH = 60
MONTHS = ["2024-01", "2024-02", "2024-03", "2024-04"]


def fnv1a(text):
    value = 0x811C9DC5
    for byte in text.encode():
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return value


def typed(value):
    return {"N": str(value)} if isinstance(value, (int, float)) else {"S": value}


def item(kind, **attributes):
    return {"_et": {"S": kind}, **{name: typed(value) for name, value in attributes.items()}}


def shop_items(i):
    """Yields one item of each entity of the shop, with the i-th values."""
    user, email, day = f"u{i * 7 % 101}x{i}", f"{'Ann' if i % 2 else 'bob'}{i}@x.org", f"{MONTHS[i % 4]}-{i % 28 + 1:02}"
    at, order, status = f"{day}T10:{i % 60:02}:07.{i:03}Z", 1000 + i * 37, ["pending", "paid", "shipped"][i % 3]
    sku, name, expires = f"sku-{i * 13}", f"Chair {i} Oak", 1_900_000_000 + i * 61
    second = at[:19] + "Z"
    total = i * 3 + 0.5
    yield item("User", PK=f"USER#{user}", SK="PROFILE", GSI1PK=f"EMAIL#{email.lower()}", GSI1SK="PROFILE", userId=user, email=email)
    yield item("EmailGuard", PK=f"EMAIL#{email.lower()}", SK="EMAIL", email=email, userId=user)
    yield item("Address", PK=f"USER#{user}", SK=f"ADDRESS#home{i}", userId=user, label=f"home{i}", city=f"Town{i % 9}")
    keys = {"PK": f"USER#{user}", "SK": f"ORDER#{second}#{order:08}"}
    if status == "pending":
        keys |= {"GSI2PK": f"STATUS#pending#{fnv1a(f'{order:08}') % 10}", "GSI2SK": f"{second}#{order:08}"}
    yield item("Order", **keys, userId=user, orderId=order, createdAt=at, status=status, region=f"r{i % 5}", total=total)
    yield item("OrderHeader", PK=f"ORDER#{order:08}", SK="METADATA", orderId=order, userId=user, status=status, createdAt=at)
    yield item("OrderItem", PK=f"ORDER#{order:08}", SK=f"ITEM#{i % 40 + 1:03}", orderId=order, line=i % 40 + 1, sku=sku, qty=i % 3)
    yield item("StatusEvent", PK=f"ORDER#{order:08}", SK=f"STATUS#{at}#{status}", orderId=order, at=at, status=status)
    yield item("Product", PK=f"PRODUCT#{sku}", SK="METADATA", GSI1PK=f"CATEGORY#c{i % 6}", GSI1SK=f"PRODUCT#{name.lower()}#{sku}",
               sku=sku, name=name, category=f"c{i % 6}", price=i + 0.25)
    yield item("Session", PK=f"SESSION#s{i}", SK="SESSION", GSI1PK=f"USER#{user}#SESSIONS", GSI1SK=f"{expires:010}",
               sessionId=f"s{i}", userId=user, expiresAt=expires)
    other = f"u{(i + 1) * 7 % 101}x{i + 1}"
    yield item("Follow", PK=f"USER#{user}", SK=f"FOLLOWS#{other}", GSI1PK=f"FOLLOWED_BY#{other}", GSI1SK=f"USER#{user}",
               follower=user, followee=other)
    yield item("Org", PK=f"ORG#o{i}", SK="ORG", org=f"o{i}")
    yield item("Dept", PK=f"ORG#o{i}", SK=f"DEPT#d{i % 7}#META", org=f"o{i}", dept=f"d{i % 7}")
    yield item("Member", PK=f"ORG#o{i}", SK=f"DEPT#d{i % 7}#USER#{user}", org=f"o{i}", dept=f"d{i % 7}", userId=user)
    yield item("Reading", PK=f"DEVICE#dev{i % 11}#{at[:7]}#{i * 3 % 10}", SK=at, deviceId=f"dev{i % 11}", at=at, temp=i - 5)


def load_shop(place, program):
    where = ["--endpoint", f"http://{program.host}:{program.port}"]
    code, out, err = place.run("model", "apply", SHOP, *where)
    expect(code, 0, out + err)
    client = program.client()
    for i in range(OF_EACH):
        for each in shop_items(i):
            client.ok("PutItem", {"TableName": "App", "Item": each})
    return where


def keys_of(text):
    """Returns {entity: {key attribute: template}} of a model file's text, in flow or block style."""
    found, entity = {}, None
    for line in text.split("entities:\n", 1)[1].split("\npatterns:", 1)[0].splitlines():
        head = re.match(r"  (\w+):", line)
        if head:
            entity = found.setdefault(head[1], {})
        if line.strip().startswith("#") or "attributes:" in line and "keys:" not in line:
            continue
        for name, quoted, plain in re.findall(r"\b((?:GSI\d)?[PS]K): (?:\"([^\"]*)\"|(\w+))", line):
            entity[name] = quoted or plain
    return found


def checked(place, file):
    code, out, err = place.run("model", "check", file)
    expect(code, 0, f"model check {file}: {out}{err}")
    return out


def test_the_shop_comes_back_from_its_items(place):
    program = place.serve()
    where = load_shop(place, program)
    code, _, err = place.run("model", "import", "--table", "App", *where, "-o", "found.yaml")
    expect(code, 0, err)
    text = place.path("found.yaml").read_text()
    expect_in(f"from all {OF_EACH * 14} items of table App", text)
    found, wanted = keys_of(text), keys_of(SHOP.read_text())
    expect(sorted(found), sorted(wanted), "entities")
    for entity, keys in wanted.items():
        expect(found[entity], keys, f"keys of {entity}")
    expect_in("shard: {n: 10, by: \"hash(orderId)\"}", text)
    expect_in("when: {GSI2: \"status = 'pending'\"}", text)
    expect_in("PK 100 %, SK 100 %", text)
    expect_in("per: {User: {avg: 1, max: 1}}", text)
    checked(place, "found.yaml")
    expect(place.run("model", "fmt", "--check", "found.yaml"), (0, "", ""), "layout")
    # The import found what is in the table.
    code, out, err = place.run("model", "apply", "found.yaml", *where, "--dry-run")
    expect(code, 0, err)
    expect("UpdateTable" in out or "CreateTable" in out, False, out)


def test_a_sample_is_bounded(place):
    program = place.serve()
    where = load_shop(place, program)
    code, out, err = place.run("model", "import", "--table", "App", *where, "--sample", "100")
    expect(code, 0, err)
    expect_in("from a sample of 100 items", out)
    checked(place, place.write("sampled.yaml", out))


def test_an_empty_table(place):
    program = place.serve()
    program.client().create()
    code, out, err = place.run("model", "import", "--table", "things", "--endpoint", f"http://{program.host}:{program.port}")
    expect(code, 0, err)
    expect_in("guess: there were no items to look at", out)
    checked(place, place.write("empty.yaml", out))


def test_no_such_table(place):
    program = place.serve()
    where = ["--endpoint", f"http://{program.host}:{program.port}"]
    place.refused(1, "there is no table nothing", "model", "import", "--table", "nothing", *where)
    place.refused(2, "is missing", "model", "import", *where)


WORKBENCH = {
    "ModelName": "Fleet",
    "ModelMetadata": {"Author": "", "DateCreated": "", "Description": "", "AWSService": "Amazon DynamoDB", "Version": "3.0"},
    "DataModel": [
        {
            "TableName": name,
            "KeyAttributes": {
                "PartitionKey": {"AttributeName": "PK", "AttributeType": "S"},
                "SortKey": {"AttributeName": "SK", "AttributeType": "S"},
            },
            "NonKeyAttributes": [{"AttributeName": "plate", "AttributeType": "S"}],
            "TableFacets": [
                {
                    "FacetName": "Truck",
                    "KeyAttributeAlias": {"PartitionKeyAlias": "TRUCK#truckId", "SortKeyAlias": "META"},
                    "TableData": [{"PK": {"S": f"TRUCK#{i}"}, "SK": {"S": "META"}, "plate": {"S": f"B-{i}"}} for i in range(4)],
                    "NonKeyAttributes": ["plate"],
                    "DataAccess": {"MySql": {}},
                },
                {
                    "FacetName": "Trip",
                    "KeyAttributeAlias": {"PartitionKeyAlias": "TRUCK#truckId", "SortKeyAlias": "TRIP#startedAt"},
                    "NonKeyAttributes": [],
                    "DataAccess": {"MySql": {}},
                },
            ],
            "GlobalSecondaryIndexes": [],
            "DataAccess": {"MySql": {}},
            "BillingMode": "PAY_PER_REQUEST",
        }
        for name in ("Fleet", "Spare")
    ],
}


def test_nosql_workbench(place):
    file = place.write("fleet.json", WORKBENCH)
    place.refused(2, "--table must choose one of the file's tables: Fleet, Spare", "model", "import", file)
    code, out, err = place.run("model", "import", file, "--table", "Fleet")
    expect(code, 0, err)
    found = keys_of(out)
    expect(found["Truck"], {"PK": "TRUCK#{truckId}", "SK": "META"})
    expect(found["Trip"], {"PK": "TRUCK#{truckId}", "SK": "TRIP#{startedAt}"})
    checked(place, place.write("fleet.yaml", out))
    old = {**WORKBENCH, "ModelMetadata": {"Version": "1.0"}}
    place.refused(2, "use version 3.0", "model", "import", place.write("old.json", old))


def test_cloudformation_and_create_table(place):
    program = place.serve()
    properties = {
        "TableName": "Orders",
        "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}, {"AttributeName": "at", "AttributeType": "N"}],
        "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}, {"AttributeName": "at", "KeyType": "RANGE"}],
        "BillingMode": "PAY_PER_REQUEST",
    }
    template = {"Resources": {"Orders": {"Type": "AWS::DynamoDB::Table", "Properties": properties}}}
    for name, content in (("create.json", properties), ("template.json", template)):
        code, out, err = place.run("model", "import", place.write(name, content))
        expect(code, 0, err)
        checked(place, place.write(name + ".yaml", out))
        code, out, err = place.run(
            "model", "apply", name + ".yaml", "--endpoint", f"http://{program.host}:{program.port}"
        )
        expect(code, 0, err)
    expect([part["AttributeName"] for part in program.client().ok("DescribeTable", {"TableName": "Orders"})["Table"]["KeySchema"]],
           ["id", "at"])


def test_files_that_are_nothing(place):
    place.refused(2, "is not valid JSON", "model", "import", place.write("a.json", "model: 1"))
    place.refused(2, "neither NoSQL Workbench JSON", "model", "import", place.write("b.json", json.dumps({"a": 1})))
    place.refused(2, "cannot open", "model", "import", "missing.json")
