"""Tests database time: --clock, the requests of --admin, and everything that depends on it."""
import json
import re
import socket
import time

import side_file
from endpoint.sigv4 import Signer
from program import expect, expect_in, table_request, until
from skipping import Skipped

MANUAL = ("--clock", "manual", "--admin", "--ttl-interval-ms", "3600000")
YEAR_S = 365 * 86400
REFUSED = 78
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")


def clock(client):
    reply = client.get("/_keyfold/clock")
    expect(reply.status, 200, "GET /_keyfold/clock")
    return reply.json


def post(client, path="/_keyfold/clock", headers=None, **members):
    return client.send("POST", path, headers, json.dumps(members).encode())


def move(client, **members):
    reply = post(client, **members)
    expect(reply.status, 200, f"{members}: {reply.text}")
    return reply.json


def expiring(client, *keys, attribute="ttl", table="things"):
    for key, second in keys:
        expect(client.put(key, table, **{attribute: {"N": str(second)}, "g": {"S": "x"}}).status, 200)


def enable(client, table="things"):
    client.ok("UpdateTimeToLive", {"TableName": table, "TimeToLiveSpecification": {"Enabled": True, "AttributeName": "ttl"}})


def keys(client, table="things", **query):
    operation = "Query" if query else "Scan"
    return sorted(item["pk"]["S"] for item in client.ok(operation, {"TableName": table, **query})["Items"])


def test_off_by_default(place):
    client = place.serve("--clock", "manual").client()
    for method, path in (("GET", "clock"), ("POST", "clock"), ("POST", "streams/split")):
        expect(client.send(method, f"/_keyfold/{path}").status, 404, path)


def test_other_paths_stay_unknown(place):
    client = place.serve(*MANUAL).client()
    for method, path in (("PUT", "clock"), ("DELETE", "clock"), ("GET", "clock/"), ("GET", "clocks"), ("POST", "reset"), ("GET", "")):
        expect(client.send(method, f"/_keyfold/{path}").status, 404, f"{method} {path}")


def test_system_time(place):
    client = place.serve("--admin").client()
    before = time.time()
    seen = clock(client)
    expect(seen["mode"], "system")
    expect(before - 0.001 <= seen["now"] <= time.time() + 0.001, True, f"{seen} at {before}")
    expect(seen["iso"].startswith(time.strftime("%Y-%m-%dT%H", time.gmtime(seen["now"]))), True, seen["iso"])
    reply = post(client, advance=1)
    expect(reply.status, 409)
    expect_in("--clock=manual", reply.text)


def test_a_manual_clock_stands_still_until_it_is_moved(place):
    start = time.time()
    client = place.serve(*MANUAL).client()
    first = clock(client)
    expect(start - 1 <= first["now"] <= time.time(), True, "it starts with system time")
    expect((first["mode"], clock(client)), ("manual", first))
    expect(round(move(client, advance=90)["now"] - first["now"], 6), 90)
    expect(round(move(client, advance="25h30m")["now"] - first["now"], 6), 90 + 25.5 * 3600)
    expect(round(move(client, advance=0.25)["now"] - first["now"], 6), 90.25 + 25.5 * 3600)
    expect(move(client, to=4102444800), {"now": 4102444800, "iso": "2100-01-01T00:00:00Z", "mode": "manual"})
    expect(move(client, to="2100-01-01T02:00:01+02:00")["now"], 4102444801)
    expect(move(client, advance=0)["now"], 4102444801)
    expect(clock(client)["now"], 4102444801)
    expect(client.create()["CreationDateTime"], 4102444801, "a table made then")
    reply = client.get("/health")
    expect(reply.headers["Date"].split()[3], time.strftime("%Y", time.gmtime()), "the Date header stays on system time")


def test_time_goes_forward_only(place):
    client = place.serve(*MANUAL).client()
    move(client, to=4102444800)
    for members, status, part in (
        ({"to": 4102444799}, 409, "2100-01-01T00:00:00Z"),
        ({"to": "2099-12-31T23:59:59Z"}, 409, "forward"),
        ({"advance": -1}, 400, "forward"),
        ({"advance": "1 hour"}, 400, "25h30m"),
        ({"advance": True}, 400, "advance"),
        ({"advance": 253402300799}, 400, "9999"),
        ({"advance": 1e300}, 400, "advance"),
        ({"to": "tomorrow"}, 400, "2030-01-31T12:00:00Z"),
        ({"to": 253402300800}, 400, "to"),
        ({"to": None}, 400, "to"),
        ({}, 400, "advance"),
        ({"advance": 1, "to": 4102444900}, 400, "either"),
        ({"forward": 1}, 400, "advance"),
    ):
        reply = post(client, **members)
        expect(reply.status, status, f"{members}: {reply.text}")
        expect_in(part, reply.text)
    for body in (b"", b"{", b"[]", b"1"):
        expect(client.send("POST", "/_keyfold/clock", body=body).status, 400, body)
    expect(clock(client)["now"], 4102444800)


def own_address():
    """Returns an address of this machine other than its loopback, or none without a network. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return probe.getsockname()[0]


def test_only_from_this_machine(place):
    address = own_address()
    if address is None or address.startswith("127."):
        raise Skipped("this machine has no address but its loopback")
    program = place.serve(*MANUAL, "--host", "0.0.0.0", "--insecure-open")
    outside = program.client(host=address)
    expect(outside.call("ListTables").status, 200)
    expect(outside.get("/_keyfold/clock").status, 403)
    expect(post(outside, advance=1).status, 403)
    expect(program.client(host="127.0.0.1").get("/_keyfold/clock").status, 200)


def test_hosts_origins_and_credentials(place):
    client = place.serve(*MANUAL).client()
    first = clock(client)
    for headers in ({"Host": "evil.example"}, {"Origin": "http://evil.example"}):
        expect(client.get("/_keyfold/clock", headers=headers).status, 403)
        expect(post(client, headers=headers, advance=1).status, 403)
    expect(clock(client), first)
    alice = Signer(key="ALICE", secret="alice-secret")
    known = place.write("keys.ini", "[default]\naws_access_key_id = ALICE\naws_secret_access_key = alice-secret\n")
    client = place.serve(*MANUAL, "--credentials", known).client(alice)
    expect(client.get("/_keyfold/clock").status, 403)
    expect(post(client, advance=1).status, 403)
    expect(client.get("/_keyfold/clock", sign=alice).status, 200)


def test_items_are_gone_when_the_clock_has_moved(place):
    index = {"IndexName": "by_g", "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}
    definitions = [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "g")]
    client = place.serve(*MANUAL).client()
    client.create(AttributeDefinitions=definitions, GlobalSecondaryIndexes=[index])
    now = int(clock(client)["now"])
    expiring(client, ("early", now + 60))
    enable(client)
    expiring(client, ("hour", now + 3600), ("day", now + 86400), ("mistake", now - 5 * YEAR_S - 1), ("month", now + 30 * 86400))
    in_index = {"IndexName": "by_g", "KeyConditionExpression": "g = :g", "ExpressionAttributeValues": {":g": {"S": "x"}}}
    for advance, left in (
        (59, ["day", "early", "hour", "mistake", "month"]),
        (10, ["day", "hour", "mistake", "month"]),
        ("1h", ["day", "mistake", "month"]),
        ("25h", ["mistake", "month"]),
        ("40d", ["mistake"]),
    ):
        move(client, advance=advance)
        expect(keys(client), left, f"items after {advance} more")
        expect(keys(client, **in_index), left, f"of the index, after {advance} more")
    # An item that was put while the clock stood still and has already expired.
    expiring(client, ("due", now + 60))
    move(client, advance=0)
    expect(keys(client), ["mistake"])
    # A time more than five years in the past counts as a mistake.
    client.ok("UpdateTimeToLive", {"TableName": "things", "TimeToLiveSpecification": {"Enabled": False, "AttributeName": "ttl"}})
    expiring(client, ("late", now + 60))
    move(client, advance=5 * YEAR_S)
    enable(client)
    move(client, advance=0)
    expect(keys(client), ["late", "mistake"])


def test_system_time_sweeps_by_itself(place):
    client = place.serve("--ttl-interval-ms", "5").client()
    client.create()
    enable(client)
    expiring(client, ("past", int(time.time()) - 60), ("later", int(time.time()) + 600))
    end = time.monotonic() + 20
    while keys(client) != ["later"] and time.monotonic() < end:
        time.sleep(0.005)
    expect(keys(client), ["later"])


def test_many_items_expire_at_once(place):
    client = place.serve(*MANUAL, data=place.path("d")).client()
    client.create()
    now = int(clock(client)["now"])
    for batch in range(40):
        puts = [{"PutRequest": {"Item": {"pk": {"S": f"{batch}-{n}"}, "ttl": {"N": str(now + 10)}}}} for n in range(25)]
        client.ok("BatchWriteItem", {"RequestItems": {"things": puts}})
    enable(client)
    move(client, advance=0)
    expect(client.ok("DescribeTimeToLive", {"TableName": "things"})["TimeToLiveDescription"]["TimeToLiveStatus"], "ENABLED")
    move(client, advance=11)
    expect(keys(client), [])
    expect(client.ok("DescribeTable", {"TableName": "things"})["Table"]["ItemCount"], 0)


def test_restarts_keep_the_setting_and_go_on_from_the_last_time(place):
    data = place.path("d")
    program = place.serve(*MANUAL, data=data)
    client = program.client()
    client.create()
    enable(client)
    move(client, to=4102444800)
    expiring(client, ("soon", 4102444805), ("later", 4102444899))
    program.kill()
    program = place.serve(*MANUAL, data=data)
    client = program.client()
    expect(clock(client)["now"] >= 4102444800, True, f"time after a restart: {clock(client)}")
    expect(client.ok("DescribeTimeToLive", {"TableName": "things"})["TimeToLiveDescription"], {"TimeToLiveStatus": "ENABLED", "AttributeName": "ttl"})
    move(client, to=4102444806)
    expect(keys(client), ["later"])
    expect(program.stop(), 0)
    # System time is far behind: the folder opens only if that is accepted, and then uses system time.
    place.refused(REFUSED, "--accept-clock-ahead", "serve", "--port", "0", "--data", data)
    program = place.serve("--admin", "--accept-clock-ahead", data=data)
    first = clock(program.client())
    expect((first["mode"], abs(first["now"] - time.time()) < 3600), ("system", True), f"{first}")
    expect_in("2100-01-01T00:00:06", program.log)
    expect(keys(program.client()), ["later"])
    expect(program.stop(), 0)
    place.serve(*MANUAL, data=data)


def set_ahead(folder, seconds):
    """Changes a folder to what a write leaves if the system clock was that far ahead."""
    ahead = int((time.time() + seconds) * 1_000_000)
    side_file.change(folder / "MARK", time=ahead)


def warnings(program, folder):
    return [line for line in program.log.splitlines() if " warning " in line and str(folder) in line]


def metric(client, name):
    lines = [line for line in client.get("/metrics").text.splitlines() if line.startswith(name + " ")]
    expect(len(lines), 1, f"lines of {name}")
    return float(lines[0].split()[1])


def records(client, arn):
    """Returns the number of records in the stream."""
    count = 0
    for shard in shards(client, arn):
        asked = {"StreamArn": arn, "ShardId": shard["ShardId"], "ShardIteratorType": "TRIM_HORIZON"}
        iterator = streams(client, "GetShardIterator", asked)["ShardIterator"]
        for _ in range(3):
            page = streams(client, "GetRecords", {"ShardIterator": iterator})
            count += len(page["Records"])
            iterator = page.get("NextShardIterator")
            if not iterator:
                break
    return count


def streams(client, operation, members):
    body = json.dumps(members).encode()
    headers = client.signer.headers(client.authority, f"DynamoDBStreams_20120810.{operation}", body)
    reply = client.send("POST", "/", headers, body)
    expect(reply.status, 200, f"{operation}: {reply.text}")
    return reply.json


def test_after_a_clock_that_was_ahead_nothing_expires_early(place):
    folder = place.path("d")
    program = place.serve(data=folder)
    client = program.client()
    arn = client.create(StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"})["LatestStreamArn"]
    enable(client)
    once = {
        "TransactItems": [{"Update": {"TableName": "things", "Key": {"pk": {"S": "count"}}, "UpdateExpression": "ADD n :one", "ExpressionAttributeValues": {":one": {"N": "1"}}}}],
        "ClientRequestToken": "the-same",
    }
    client.ok("TransactWriteItems", once)
    now = int(time.time())
    expiring(client, ("in two hours", now + 7200), ("in four days", now + 4 * 86400))
    before = records(client, arn)
    expect(before, 3, "records")
    expect(program.stop(), 0)
    set_ahead(folder, 3 * 86400)
    program = place.serve("--ttl-interval-ms", "1", data=folder)
    client = program.client()
    expect(len(warnings(program, folder)), 1, f"warnings in {program.log!r}")
    expect(len(TIME.findall(warnings(program, folder)[0])), 3, "its own time, and both times")
    expect(2.9 * 86400 < metric(client, "keyfold_clock_ahead_seconds") <= 3 * 86400, True, "seconds ahead")
    expiring(client, ("an hour ago", now - 3600), ("in an hour", now + 3600))
    until("the sweep removes what has expired", lambda: "an hour ago" not in keys(client))
    expect(keys(client), ["count", "in an hour", "in four days", "in two hours"])
    client.ok("TransactWriteItems", once)
    expect(client.item("count")["n"], {"N": "1"}, "a transaction whose token is known")
    expect(records(client, arn) >= before + 2, True, "records are not trimmed early")
    expect(program.stop(), 0)
    expect(len(warnings(place.serve(data=folder), folder)), 1, "it stays ahead until the clock has passed it")


def test_a_folder_far_ahead_of_the_clock(place):
    folder = place.path("d")
    program = place.serve(data=folder)
    program.client().create()
    expect(program.stop(), 0)
    set_ahead(folder, 8 * 86400)
    line = place.refused(REFUSED, "--accept-clock-ahead", "serve", "--port", "0", "--data", folder)
    expect(len(TIME.findall(line)), 2, f"both times are in {line!r}")
    place.serve(*MANUAL, data=folder).kill()
    program = place.serve("--accept-clock-ahead", data=folder)
    expect(program.client().put("a").status, 200)


def test_tables_change_on_database_time(place):
    client = place.serve(*MANUAL, "--table-delay-ms", "60000").client()
    client.create()
    expect(client.status_of(), "CREATING")
    move(client, advance=59)
    expect(client.status_of(), "CREATING")
    move(client, advance=1)
    expect(client.status_of(), "ACTIVE")
    client.ok("DeleteTable", {"TableName": "things"})
    expect(client.status_of(), "DELETING")
    move(client, advance=60)
    expect(client.status_of(), "ResourceNotFoundException")
    client.ok("CreateTable", table_request("things"))


def test_signatures_stay_on_system_time(place):
    client = place.serve(*MANUAL).client()
    move(client, advance="365d")
    expect(client.call("ListTables").status, 200)
    expect(client.call("ListTables", now=time.time() + 365 * 86400).error, "InvalidSignatureException")


def test_settings(place):
    for arguments, part in (
        (("--clock", "lunar"), "--clock"),
        (("--ttl-interval-ms", "0"), "--ttl-interval-ms"),
        (("--ttl-interval-ms", "x"), "--ttl-interval-ms"),
    ):
        place.refused(2, part, "serve", "--in-memory", "--port", "0", *arguments)
    program = place.serve(variables={"KEYFOLD_CLOCK": "manual", "KEYFOLD_ADMIN": "1", "KEYFOLD_TTL_INTERVAL_MS": "50"})
    expect(clock(program.client())["mode"], "manual")
    expect_in("database time is", program.log)


def shards(client, arn):
    body = json.dumps({"StreamArn": arn}).encode()
    headers = client.signer.headers(client.authority, "DynamoDBStreams_20120810.DescribeStream", body)
    reply = client.send("POST", "/", headers, body)
    expect(reply.status, 200, reply.text)
    return reply.json["StreamDescription"]["Shards"]


def test_splitting_shards(place):
    client = place.serve("--admin", "--stream-shards", "2").client()
    arn = client.create(StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"})["LatestStreamArn"]
    first = shards(client, arn)
    expect([shard.get("ParentShardId") for shard in first], [None, None])
    split = "/_keyfold/streams/split"
    expect(post(client, split, StreamArn=arn, ShardId=first[0]["ShardId"]).status, 200)
    expect([shard.get("ParentShardId") for shard in shards(client, arn)], [None, None, *[first[0]["ShardId"]] * 2])
    expect(post(client, split, StreamArn=arn).status, 200)
    opened = [shard for shard in shards(client, arn) if "EndingSequenceNumber" not in shard["SequenceNumberRange"]]
    expect((len(shards(client, arn)), len(opened)), (10, 6), "shards, and open ones")
    for members in (
        {},
        {"StreamArn": 1},
        {"StreamArn": arn, "ShardId": 1},
        {"StreamArn": "arn:aws:dynamodb:us-east-1:123456789012:table/none/stream/2026-01-01T00:00:00.000"},
        {"StreamArn": arn, "ShardId": first[0]["ShardId"]},
        {"StreamArn": arn, "ShardId": "shardId-00000000000000000000-00000000"},
    ):
        expect(post(client, split, **members).status, 400, f"{members}")
    expect(len(shards(client, arn)), 10)
    # 6, 12, … 768 open shards; the limit is 1,024.
    for _ in range(7):
        expect(post(client, split, StreamArn=arn).status, 200)
    reply = post(client, split, StreamArn=arn)
    expect(reply.status, 400)
    expect_in("1024", reply.text)
    expect(client.get(split).status, 404)


def test_streams_on_a_manual_clock(place):
    client = place.serve(*MANUAL, "--stream-shards", "1").client()
    arn = client.create(StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"})["LatestStreamArn"]
    move(client, advance="5h")
    expect(len(shards(client, arn)), 2, "a shard of an age has a child")
    client.ok("DeleteTable", {"TableName": "things"})
    move(client, advance="25h")
    body = json.dumps({"StreamArn": arn}).encode()
    headers = client.signer.headers(client.authority, "DynamoDBStreams_20120810.DescribeStream", body)
    expect(client.send("POST", "/", headers, body).error, "ResourceNotFoundException", "a day after its table")
