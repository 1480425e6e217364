"""Tests `keyfold model apply` and `sample --load` against a server: what they create, change, refuse and leave unchanged."""
import json
import pathlib
import re
import time

from program import expect, expect_in

SHOP = pathlib.Path(__file__).resolve().parents[3] / "examples" / "shop.yaml"

ONE = """model: 1
table: {{name: Table, key: {{pk: PK, sk: SK}}{more}}}
indexes: {indexes}
entities:
  U:
    keys: {{PK: "U#{{id}}", SK: P, GSI1PK: "E#{{e}}", GSI1SK: P}}
    attributes: {{id: string, e: string, n: number}}
"""
GSI1 = "{GSI1: {pk: GSI1PK, sk: GSI1SK}}"
TWO = "{GSI1: {pk: GSI1PK, sk: GSI1SK}, ByN: {pk: n, project: keys}}"


def endpoint(program):
    return ["--endpoint", f"http://{program.host}:{program.port}"]


def model(place, name, indexes=GSI1, more=""):
    return place.write(name, ONE.format(indexes=indexes, more=more))


def apply(place, program, file, *options, code=0):
    got, out, err = place.run("model", "apply", file, *endpoint(program), *options)
    expect(got, code, f"exit code of apply: {out}{err}")
    return out + err


def described(program, table="Table"):
    return program.client().ok("DescribeTable", {"TableName": table})["Table"]


def index_names(program):
    return sorted(index["IndexName"] for index in described(program).get("GlobalSecondaryIndexes", []))


def test_the_shop_is_created_and_stays(place):
    program = place.serve()
    expect_in("changes made", apply(place, program, SHOP), "first time")
    table = described(program, "App")
    names = [index["IndexName"] for index in table["GlobalSecondaryIndexes"]]
    expect(sorted(names), ["ByRegion", "GSI1", "GSI2"], "indexes")
    by_region = next(index for index in table["GlobalSecondaryIndexes"] if index["IndexName"] == "ByRegion")
    expect([part["AttributeName"] for part in by_region["KeySchema"]], ["region", "status", "createdAt", "orderId"])
    expect(table["StreamSpecification"]["StreamViewType"], "NEW_AND_OLD_IMAGES", "stream")
    ttl = program.client().ok("DescribeTimeToLive", {"TableName": "App"})["TimeToLiveDescription"]
    expect((ttl["TimeToLiveStatus"], ttl["AttributeName"]), ("ENABLED", "expiresAt"), "expiry")
    again = apply(place, program, SHOP)
    if "point-in-time" not in again:  # an endpoint without this operation is called again each time
        expect_in("nothing to do", again, "second time")


def test_an_index_is_added_with_its_items_in_it(place):
    program = place.serve()
    apply(place, program, model(place, "a.yaml"))
    client = program.client()
    for i in range(20):
        item = {"PK": {"S": f"U#{i}"}, "SK": {"S": "P"}, "n": {"N": str(i)}}
        client.ok("PutItem", {"TableName": "Table", "Item": item})
    out = apply(place, program, model(place, "b.yaml", TWO))
    expect_in("create index ByN on n (N)", out)
    expect(index_names(program), ["ByN", "GSI1"])
    expect(client.ok("Scan", {"TableName": "Table", "IndexName": "ByN"})["Count"], 20, "entries")
    expect_in("nothing to do", apply(place, program, place.path("b.yaml")))


def test_an_index_is_deleted_only_when_asked(place):
    program = place.serve()
    apply(place, program, model(place, "two.yaml", TWO))
    fewer = model(place, "one.yaml")
    expect_in("left: index ByN is not in the model", apply(place, program, fewer))
    expect(index_names(program), ["ByN", "GSI1"])
    apply(place, program, fewer, "--delete-indexes")
    expect(index_names(program), ["GSI1"])


def test_a_dry_run_calls_nothing(place):
    program = place.serve()
    out = apply(place, program, model(place, "a.yaml"), "--dry-run")
    expect_in("CreateTable {", out)
    request = json.loads(out[out.index("{") : out.rindex("}") + 1].splitlines()[0])
    expect(request["TableName"], "Table")
    expect(program.client().call("DescribeTable", {"TableName": "Table"}).error, "ResourceNotFoundException")


def test_settings_are_changed(place):
    program = place.serve()
    apply(place, program, model(place, "a.yaml"))
    more = ", ttl: n, stream: new_image, billing: {mode: provisioned}"
    apply(place, program, model(place, "b.yaml", more=more), "--read-units", "7")
    table = described(program)
    expect(table["StreamSpecification"]["StreamViewType"], "NEW_IMAGE")
    expect(table["ProvisionedThroughput"]["ReadCapacityUnits"], 7)
    apply(place, program, model(place, "c.yaml", more=", ttl: n, stream: keys_only"))
    expect(described(program)["StreamSpecification"]["StreamViewType"], "KEYS_ONLY")
    expect(described(program)["BillingModeSummary"]["BillingMode"], "PAY_PER_REQUEST")


def test_keys_and_projections_are_refused(place):
    program = place.serve()
    apply(place, program, model(place, "a.yaml"))
    where = endpoint(program)
    projected = model(place, "b.yaml", "{GSI1: {pk: GSI1PK, sk: GSI1SK, project: keys}}")
    place.refused(1, "a projection cannot be changed", "model", "apply", projected, *where)
    other = "model: 1\ntable: {name: Table, key: {pk: id}}\nentities: {U: {keys: {id: '{id}'}, attributes: {id: string}}}\n"
    place.refused(1, "a key cannot be changed", "model", "apply", place.write("c.yaml", other), *where)
    expect(index_names(program), ["GSI1"])


def test_what_cannot_be_read_or_reached(place):
    place.refused(2, "cannot open", "model", "apply", "missing.yaml", "--endpoint", "http://127.0.0.1:1")
    code, _, err = place.run("model", "apply", place.write("bad.yaml", "model: 1\n"), "--endpoint", "http://127.0.0.1:1")
    expect(code, 2, err)
    expect_in("bad.yaml:1:", err)
    good = model(place, "good.yaml")
    place.refused(1, "127.0.0.1:1", "model", "apply", good, "--endpoint", "http://127.0.0.1:1")


def scanned(program, table):
    """Returns all items, page by page."""
    client, items, start = program.client(), [], {}
    while True:
        page = client.ok("Scan", {"TableName": table, "ConsistentRead": True, **start})
        items += page["Items"]
        if "LastEvaluatedKey" not in page:
            return items
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}


def load(place, program, *options):
    """Loads a sample of the shop; returns the number of items that the command reports."""
    code, out, err = place.run("model", "sample", SHOP, "--load", *endpoint(program), *options)
    expect((code, out), (0, ""), f"loading: {err}")
    return int(re.fullmatch(r"Loading items: ([\d,]+) in .*\n", err.splitlines(keepends=True)[-1]).group(1).replace(",", ""))


def test_a_sample_is_loaded_whole(place):
    program = place.serve()
    apply(place, program, SHOP)
    began = time.time()
    said = load(place, program)
    items = scanned(program, "App")
    expect(len(items), said, "items in the table")
    expect(said, len(place.run("model", "sample", SHOP)[1].splitlines()), "as many as are printed")
    expiries = [float(item["expiresAt"]["N"]) for item in items if "expiresAt" in item]
    expect((len(expiries) > 5, min(expiries) > began), (True, True), "none has expired")
    expect(load(place, program), said, "again")
    expect(len(scanned(program, "App")), said, "the same items")
    # More than fits into a batch, a page or a request.
    many = load(place, program, "--count", "3000", "--seed", "7")
    expect((many > 2000, len(scanned(program, "App")) > many), (True, True), "many")


def test_a_sample_needs_its_table(place):
    program = place.serve()
    place.refused(1, "there is no table App at the endpoint", "model", "sample", SHOP, "--load", *endpoint(program))
    place.refused(1, "127.0.0.1:1", "model", "sample", SHOP, "--load", "--endpoint", "http://127.0.0.1:1")
