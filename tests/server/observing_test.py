"""Tests what the server reports about itself: /health and /metrics."""
import re
import socket

from program import expect, expect_in, until

SAMPLE = re.compile(r"^([A-Za-z_]+)(\{[^}]*\})? (\S+)$")


def samples(client):
    """Returns {name and labels: number}; fails on a line that Prometheus could not parse."""
    found, declared = {}, set()
    for line in client.get("/metrics").text.splitlines():
        if line.startswith("# TYPE "):
            declared.add(line.split()[2])
        if line.startswith("#"):
            continue
        match = SAMPLE.match(line)
        expect(bool(match), True, f"a sample: {line!r}")
        name, labels, value = match.groups()
        expect(re.sub("_(bucket|sum|count)$", "", name) in declared, True, f"a TYPE for {name}")
        expect(name + (labels or "") in found, False, f"{line!r} twice")
        found[name + (labels or "")] = float(value)
    return found


def test_health(place):
    program = place.serve(data=place.path("d"))
    reply = program.client().get("/health")
    health = reply.json
    version = place.run("--version")[1].split()[1]
    expect((reply.status, reply.headers["Content-Type"]), (200, "application/json"))
    expect(health.pop("diskFreeBytes") > 0, True)
    expect(health, {"status": "ok", "version": version, "store": "rocksdb", "durability": "always", "format": 1, "insecureOpen": False,
                    "lastError": ""})  # fmt: skip
    memory = place.serve().client().get("/health").json
    expect((memory["store"], memory["durability"], "diskFreeBytes" in memory), ("memory", "none", False))


def test_metrics_count_by_table_and_operation(place):
    client = place.serve(data=place.path("d")).client()
    client.create()
    expect(samples(client)['SuccessfulRequests{TableName="things",Operation="CreateTable"}'], 1)
    for number in range(3):
        expect(client.put(f"k{number}", v={"S": "x" * 1500}).status, 200)  # 2 units each
    condition = {"TableName": "things", "Item": {"pk": {"S": "k0"}}, "ConditionExpression": "attribute_not_exists(pk)"}
    expect(client.call("PutItem", condition).error, "ConditionalCheckFailedException")
    client.item("k0")  # 1 unit
    expect(client.call("GetItem", {"TableName": "things", "Key": {"pk": {"S": "k1"}}}).status, 200)  # half a unit
    expect(client.ok("Scan", {"TableName": "things"})["Count"], 3)
    expect(client.put("x", "absent").error, "ResourceNotFoundException")
    expect(client.call("PutItem", {"TableName": "things"}).error, "ValidationException")
    expect(client.call("NoSuchThing").error, "UnknownOperationException")
    found = samples(client)
    for sample, value in {
        'ConsumedWriteCapacityUnits{TableName="things",Operation="PutItem"}': 6,
        'ConsumedReadCapacityUnits{TableName="things",Operation="GetItem"}': 1.5,
        'ConsumedReadCapacityUnits{TableName="things",Operation="Scan"}': 1,
        'ReturnedItemCount{TableName="things",Operation="Scan"}': 3,
        'SuccessfulRequests{TableName="things",Operation="PutItem"}': 3,
        'SuccessfulRequests{TableName="things",Operation="GetItem"}': 2,
        'ConditionalCheckFailedRequests{TableName="things",Operation="PutItem"}': 1,
        'UserErrors{Operation="PutItem"}': 2,
        'UserErrors{Operation="Unknown"}': 1,
        'SuccessfulRequestLatency_count{TableName="things",Operation="PutItem"}': 3,
        'SuccessfulRequestLatency_bucket{TableName="things",Operation="PutItem",le="+Inf"}': 3,
    }.items():
        expect(found.get(sample), value, sample)
    expect(found['SuccessfulRequestLatency_sum{TableName="things",Operation="PutItem"}'] > 0, True)
    expect(any("absent" in sample for sample in found), False, "a table that does not exist")


def test_metrics_buckets_add_up(place):
    client = place.serve().client()
    client.create()
    for number in range(20):
        expect(client.put(f"k{number}").status, 200)
    prefix = 'SuccessfulRequestLatency_bucket{TableName="things",Operation="PutItem",le="'
    buckets = [value for sample, value in samples(client).items() if sample.startswith(prefix)]
    expect(buckets, sorted(buckets), "buckets grow")
    expect(buckets[-1], 20)


def test_system_and_paths_are_reported_as_text(place):
    client = place.serve().client()
    expect(client.get("/metrics").headers["Content-Type"], "text/plain; version=0.0.4")
    expect_in("# HELP ConsumedReadCapacityUnits ", client.get("/metrics").text)
    for name in ("ConsumedWriteCapacityUnits", "ReturnedItemCount", "SuccessfulRequestLatency", "UserErrors", "SystemErrors",
                 "ThrottledRequests", "ConditionalCheckFailedRequests"):  # fmt: skip
        expect_in(f"# TYPE {name} ", client.get("/metrics").text)


def test_too_few_descriptors_end_the_start(place):
    line = "the process may open only 100 files and sockets and needs 256: raise ulimit -n"
    place.refused(2, line, "serve", "--in-memory", "--port", "0", descriptors=100)


def test_signs_before_trouble(place):
    """Near a limit there is one warning in the log and a detail in /health, which stays 200; /metrics always has the figures."""
    program = place.serve("--threads", "1", data=place.path("d"), descriptors=256)
    client = program.client()
    found = samples(client)
    limit = int(found["keyfold_connections_limit"])
    expect(limit, 63, "connections of 256 descriptors, with one loop")
    expect(found["keyfold_descriptors_limit"], 256)
    expect(found["keyfold_in_flight_bytes_limit"] >= 64 << 20, True)
    expect("warnings" in client.get("/health").json, False)
    idle = [socket.create_connection(("127.0.0.1", program.port), 30) for _ in range(limit - 1)]
    reply = until("a warning", lambda: (r := client.get("/health")).json.get("warnings") and r)
    expect((reply.status, reply.json["status"]), (200, "ok"))
    expect("connections" in [warning["resource"] for warning in reply.json["warnings"]], True)
    program.wait_for_log("connections are open")
    for connection in idle:
        connection.close()
    until("no warning", lambda: "warnings" not in client.get("/health").json)
