"""Tests `keyfold copy` between two servers: what arrives, what is refused, and what a kill costs."""
import base64
import json
import random
import signal

from between import Between
from program import Failed, expect, expect_in, until

MANY = 50_000
COPY_S = 90.0


def item_of(number):
    """Returns an item with every type of attribute, from 100 bytes to a few kilobytes."""
    rng = random.Random(number)
    text = "".join(rng.choice('ab "\\\u00e4\u6f22\U0001f600\n\t') for _ in range(rng.randrange(30)))
    raw = base64.b64encode(rng.randbytes(1 + rng.randrange(20))).decode()
    item = {
        "pk": {"S": f"p{number // 3}"},
        "sk": {"N": str(number % 3 - 1)},
        "s": {"S": text},
        "n": {"N": rng.choice(["0", "-1.5", "12345678901234567890123456789012345678", "1E-130", "9.99E+125", str(number)])},
        "b": {"B": raw},
        "ss": {"SS": [f"x{i}" for i in range(1 + number % 3)]},
        "ns": {"NS": [str(i) for i in range(1 + number % 4)]},
        "bs": {"BS": [raw]},
        "l": {"L": [{"S": ""}, {"N": "1"}, {"L": [{"NULL": True}]}]},
        "m": {"M": {"a": {"BOOL": number % 2 == 0}, '"\u00e9': {"M": {}}}},
        "t": {"NULL": True},
        "group": {"S": f"g{number % 11}"},
    }
    if number % 500 == 0:
        item["long"] = {"S": "y" * 20_000}
    return item


FULL = {
    "AttributeDefinitions": [
        {"AttributeName": "pk", "AttributeType": "S"},
        {"AttributeName": "sk", "AttributeType": "N"},
        {"AttributeName": "group", "AttributeType": "S"},
    ],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    "BillingMode": "PAY_PER_REQUEST",
    "LocalSecondaryIndexes": [
        {
            "IndexName": "in_group",
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "group", "KeyType": "RANGE"}],
            "Projection": {"ProjectionType": "KEYS_ONLY"},
        }
    ],
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "by_group",
            "KeySchema": [{"AttributeName": "group", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
            "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["n", "m"]},
        }
    ],
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
    "Tags": [{"Key": "team", "Value": "orders"}, {"Key": "stage", "Value": "t\u00e9st"}],
}


def fill(program, table, count, first=0):
    client = program.client()
    connection = client.connect()
    for start in range(first, first + count, 25):
        puts = [{"PutRequest": {"Item": item_of(i)}} for i in range(start, min(start + 25, first + count))]
        answer = client.ok("BatchWriteItem", {"RequestItems": {table: puts}}, connection=connection)
        expect(answer["UnprocessedItems"], {}, "unprocessed while filling")
    connection.close()


def source_with(place, count, table="orders"):
    program = place.serve()
    program.client().ok("CreateTable", {"TableName": table, **FULL})
    fill(program, table, count)
    return program


def url(program):
    return f"http://{program.host}:{program.port}"


def items_of(program, table, index=None):
    """Returns the items by key, with sorted sets."""
    client, items, more = program.client(), {}, {}
    while True:
        page = client.ok("Scan", {"TableName": table, **({"IndexName": index} if index else {}), **more})
        for item in page["Items"]:
            for name in ("ss", "ns", "bs"):
                for values in item.get(name, {}).values():
                    values.sort()
            items[item["pk"]["S"], item["sk"]["N"]] = item
        if "LastEvaluatedKey" not in page:
            return items
        more = {"ExclusiveStartKey": page["LastEvaluatedKey"]}


def expect_equal(source, target, table="orders", name=None, count=None):
    for index in (None, "by_group", "in_group"):
        wanted, got = items_of(source, table, index), items_of(target, name or table, index)
        if count is not None:
            expect(len(wanted), count, f"items of the source, {index}")
        if wanted != got:
            different = [key for key in {*wanted, *got} if wanted.get(key) != got.get(key)]
            raise Failed(f"{len(different)} items differ in {index or 'the table'}, as {different[:3]}")


def copy(place, *arguments, code=0):
    """Returns standard output and standard error together."""
    program = place.launch(["copy", *arguments])
    expect(program.wait(COPY_S), code, f"exit code of keyfold copy {' '.join(map(str, arguments))}: {program.log}")
    return program.log


def marks(place, name="keyfold-copy-orders.json"):
    """Returns the journal's segments, or none."""
    try:
        return json.loads(place.path(name).read_text())["tables"][0]["segments"]
    except FileNotFoundError:
        return []


def test_fifty_thousand_items_of_all_types(place):
    source, target = source_with(place, MANY), place.serve()
    said = copy(place, "orders", "--from", url(source), "--to", url(target), "--verify")
    expect_in("orders: verified, 50,000 items at the source, 50,000 at the target", said)
    expect_in("orders: 50,000 items, ", said)
    expect_equal(source, target, count=MANY)
    expect([path.name for path in place.folder.glob("keyfold-copy*")], [], "journals left")


def test_settings_arrive(place):
    source, target = source_with(place, 10), place.serve()
    source.client().ok(
        "UpdateTimeToLive", {"TableName": "orders", "TimeToLiveSpecification": {"Enabled": True, "AttributeName": "ends"}}
    )
    source.client().ok("UpdateTable", {"TableName": "orders", "DeletionProtectionEnabled": True})
    copy(place, "orders", "--from", url(source), "--to", url(target), "--rename", "orders=orders2")

    def described(program, table):
        client = program.client()
        table = client.ok("DescribeTable", {"TableName": table})["Table"]
        tags = client.ok("ListTagsOfResource", {"ResourceArn": table["TableArn"]})["Tags"]
        ttl = client.ok("DescribeTimeToLive", {"TableName": table["TableName"]})["TimeToLiveDescription"]
        kept = {name: table.get(name) for name in ("AttributeDefinitions", "KeySchema", "StreamSpecification", "DeletionProtectionEnabled")}
        kept["BillingMode"] = table["BillingModeSummary"]["BillingMode"]
        for kind in ("LocalSecondaryIndexes", "GlobalSecondaryIndexes"):
            kept[kind] = [[index[name] for name in ("IndexName", "KeySchema", "Projection")] for index in table[kind]]
        return {**kept, "tags": sorted(tags, key=str), "ttl": ttl}

    made = described(target, "orders2")
    expect(made, described(source, "orders"), "settings")
    expect(made["ttl"]["AttributeName"], "ends")
    expect(len(made["tags"]), 2)
    expect(made["StreamSpecification"], FULL["StreamSpecification"])
    expect_equal(source, target, name="orders2", count=10)


def test_settings_that_are_not_wanted(place):
    source, target = source_with(place, 1), place.serve()
    copy(place, "orders", "--from", url(source), "--to", url(target), "--no-stream", "--no-tags", "--schema-only")
    table = target.client().ok("DescribeTable", {"TableName": "orders"})["Table"]
    expect(table.get("StreamSpecification"), None, "stream")
    expect(target.client().ok("ListTagsOfResource", {"ResourceArn": table["TableArn"]})["Tags"], [], "tags")
    expect(items_of(target, "orders"), {}, "items of --schema-only")


def test_killed_three_times(place):
    source, target = source_with(place, MANY), place.serve()
    before = Between(source)
    options = ["--threads", "8", "--segments", "8", "--rate-items", "12000"]
    arguments = ["copy", "orders", "--from", before.url, "--to", url(target), *options]
    for life in range(1, 4):
        known = marks(place)
        before.forget()
        program = place.launch(arguments if life == 1 else ["copy", "--resume", "keyfold-copy-orders.json"])
        until(
            f"a quarter more in life {life}",
            lambda: program.process.poll() is not None or sum(mark["items"] for mark in marks(place)) >= life * MANY // 4,
            COPY_S,
        )
        expect(program.process.poll(), None, f"the copy is still under way: {program.log}")
        program.kill()
        expect_goes_on(known, before.seen("Scan"), life)
    known = marks(place)
    expect(sum(1 for mark in known if mark["next"] or mark["done"]) >= 6, True, f"most segments are journalled by now: {known}")
    before.forget()
    said = copy(place, "--resume", "keyfold-copy-orders.json", "--rate-items", "0", "--threads", "4")
    expect_goes_on(known, before.seen("Scan"), 4)
    expect_in("orders: 50,000 items, ", said, "what earlier lives copied is counted once")
    expect_equal(source, target, count=MANY)
    expect(place.path("keyfold-copy-orders.json").exists(), False, "the journal is there")
    before.close()


def expect_goes_on(known, scans, life):
    """Each segment continues after its position in the journal, and a finished segment is not read at all."""
    first = {}
    for scan in scans:
        if "Segment" in scan:
            first.setdefault(scan["Segment"], scan)
    for number, mark in enumerate(known):
        if mark["done"]:
            expect(number in first, False, f"life {life} reads segment {number}, which was done")
        elif number in first:
            wanted = json.loads(mark["next"]) if mark["next"] else None
            expect(first[number].get("ExclusiveStartKey"), wanted, f"where segment {number} goes on in life {life}")


def test_a_target_that_throttles(place):
    source, target = source_with(place, 3000), place.serve()
    rng = random.Random(7)
    came_back = []

    def meddle(operation, members, forward):
        if operation != "BatchWriteItem":
            return forward()
        fate = rng.random()
        if fate < 0.1:
            kind = "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException"
            return 400, {"__type": kind, "message": "slow down"}
        if fate > 0.6:
            return forward()
        puts = members["RequestItems"]["orders"]
        kept = [put for put in puts if rng.random() < 0.5]
        back = [put for put in puts if put not in kept]
        came_back.append(len(back))
        if kept:
            forward({"RequestItems": {"orders": kept}})
        return 200, {"UnprocessedItems": {"orders": back} if back else {}}

    after = Between(target, meddle)
    copy(place, "orders", "--from", url(source), "--to", after.url, "--verify")
    expect(sum(came_back) > 100, True, f"items came back: {sum(came_back)}")
    expect_equal(source, target, count=3000)
    after.close()


def test_stopped_and_taken_up(place):
    source, target = source_with(place, 3000), place.serve()
    program = place.launch(["copy", "orders", "--from", url(source), "--to", url(target), "--rate-items", "500", "--rate-bytes", "5MB"])
    until("some pages are copied", lambda: sum(mark["items"] for mark in marks(place)) > 0, COPY_S)
    program.signal(signal.SIGINT)
    expect(program.wait(), 1, f"exit code: {program.log}")
    expect_in("keyfold: stopped\nResume it with: keyfold copy --resume keyfold-copy-orders.json\n", program.log)
    refused = place.refused(1, "it belongs to an unfinished copy", "copy", "orders", "--from", url(source), "--to", url(target), "--append")
    expect_in("--resume keyfold-copy-orders.json", refused)
    journal = json.loads(place.path("keyfold-copy-orders.json").read_text())
    expect((journal["rate_items"], journal["rate_bytes"], journal["threads"]), (500, 5_000_000, 8), "speed in the journal")
    copy(place, "--resume", "keyfold-copy-orders.json", "--rate-items", "0")
    expect_equal(source, target, count=3000)


def test_many_tables(place):
    source, target = source_with(place, 100), place.serve()
    source.client().create("things")
    source.client().put("one")
    ends = ["--from", url(source), "--to", url(target)]
    said = copy(place, "--all", *ends, "--rename", "things=other", "--dry-run")
    expect_in("things as other: creates the table, about 1 items in 8 segments\n", said)
    expect(target.client().ok("ListTables")["TableNames"], [], "tables after --dry-run")
    said = copy(place, "--all", *ends, "--rename", "things=other")
    expect(target.client().ok("ListTables")["TableNames"], ["orders", "other"])
    expect(target.client().item("one", "other"), {"pk": {"S": "one"}})
    expect_equal(source, target, count=100)
    fill(source, "orders", 50, first=100)
    place.refused(1, "the table orders already has items; --append writes into it", "copy", "orders", *ends)
    expect_in("orders already exists; its settings are not changed\n", copy(place, "orders", *ends, "--append"))
    expect_equal(source, target, count=150)


def test_within_one_server(place):
    program = source_with(place, 100)
    ends = ["--from", url(program), "--to", url(program)]
    place.refused(1, "orders would be copied to itself", "copy", "orders", *ends)
    copy(place, "orders", *ends, "--rename", "orders=twin")
    expect_equal(program, program, name="twin", count=100)


def test_refusals(place):
    source, target = place.serve(), place.serve()
    ends = ["--from", url(source), "--to", url(target)]
    rows = [
        (2, "name tables, or give --all", []),
        (2, "--all cannot be combined with table names", ["orders", "--all"]),
        (2, "--resume cannot be combined with TABLE", ["orders", "--resume", "x.json"]),
        (2, "--threads", ["orders", "--threads", "0"]),
        (2, "--schema-only", ["orders", "--schema-only", "--items-only"]),
        (1, "x.json: No such file or directory", ["--resume", "x.json"]),
        (1, "there is no table orders to copy", ["orders", *ends]),
        (1, "--rename takes OLD=NEW, not x", ["orders", "--rename", "x", *ends]),
        (1, "a/b is not a valid table name", ["a/b", *ends]),
        (1, "127.0.0.1:1", ["orders", "--from", "http://127.0.0.1:1", "--to", url(target)]),
    ]
    for code, part, arguments in rows:
        place.refused(code, part, "copy", *arguments)
    expect([path.name for path in place.folder.glob("keyfold-copy*")], [], "journals of copies that never began")
