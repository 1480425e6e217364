"""Tests the audit log: which requests are recorded, what a line contains, and that it never fails a request."""
import json
import os
import signal
import stat
import subprocess

from endpoint.connection import Connection
from endpoint.sigv4 import Signer
from program import ANNOUNCED, Client, expect, expect_in, table_request, until

KEYS = "[default]\naws_access_key_id = AKIDALICE\naws_secret_access_key = alice-secret\n"
ALICE, EVE = Signer("AKIDALICE", "alice-secret"), Signer("AKIDEVE", "alice-secret")
SECRET = "only-in-an-item"
MEMBERS = {"eventTime", "eventSource", "eventName", "awsRegion", "sourceIPAddress", "userAgent", "userIdentity", "requestID", "httpStatus",
           "errorCode", "requestParameters"}  # fmt: skip


def lines_of(path):
    """Returns the events; every line must be one JSON object with known members."""
    whole = path.read_text("ascii").rpartition("\n")[0] if path.exists() else ""  # the last line may be incomplete
    events = [json.loads(line) for line in whole.splitlines()]
    for event in events:
        expect(set(event) - MEMBERS, set(), "unknown members")
    return events


def await_lines(path, count):
    return until(f"{count} lines in {path.name}", lambda: len(lines_of(path)) >= count and lines_of(path))


def mark(place, program, name):
    """Makes a management call; returns the number of lines once its own, the last one, has been written."""
    path = place.path("audit.jsonl")
    program.client(ALICE).call("DeleteTable", {"TableName": name})
    parameters = {"tableName": name}
    until(f"the line of {name}", lambda: any(e.get("requestParameters") == parameters for e in lines_of(path)))
    expect(lines_of(path)[-1].get("requestParameters"), parameters, "the last line")
    return len(lines_of(path))


def recorded(place, program, act):
    """Returns the events that `act` adds."""
    before = mark(place, program, f"before-{len(lines_of(place.path('audit.jsonl')))}")
    act()
    after = mark(place, program, f"after-{before}")
    return lines_of(place.path("audit.jsonl"))[before : after - 1]


def serve(place, *arguments):
    return place.serve("--audit", place.path("audit.jsonl"), "--credentials", place.write("keys.ini", KEYS), *arguments)


def test_refusals_have_a_line_each(place):
    program = serve(place)
    client = program.client(ALICE)
    unsigned = {"X-Amz-Target": "DynamoDB_20120810.ListTables", "Content-Type": "application/x-amz-json-1.0"}
    rows = [
        ("a wrong key", lambda: client.call("ListTables", signer=EVE), "UnrecognizedClientException", "ListTables", "AKIDEVE"),
        ("no signature", lambda: client.send("POST", "/", unsigned, b"{}"), "MissingAuthenticationTokenException", "ListTables", None),
        ("Host", lambda: client.get("/", headers={"Host": "evil.example"}), "HostNotAllowed", "GET /", None),
        ("Origin", lambda: client.get("/", headers={"Origin": "http://evil.example"}), "OriginNotAllowed", "GET /", None),
        ("metrics", lambda: client.get("/metrics"), "MissingAuthenticationTokenException", "GET /metrics", None),
        ("reset", lambda: client.send("POST", "/_keyfold/reset"), "AdminRequestsDisabled", "POST /_keyfold/reset", None),
        ("clock", lambda: client.send("POST", "/_keyfold/clock"), "AdminRequestsDisabled", "POST /_keyfold/clock", None),
        ("no such path", lambda: client.get("/admin.php"), "UnknownOperationException", "GET /admin.php", None),
        ("no such operation", lambda: client.call("Nope"), "UnknownOperationException", "DynamoDB_20120810.Nope", "AKIDALICE"),
        ("no JSON", lambda: client.send("POST", "/", unsigned, b"{"), "SerializationException", "DynamoDB_20120810.ListTables", None),
    ]  # fmt: skip
    for what, act, code, name, key in rows:
        replies = []
        events = recorded(place, program, lambda: replies.append(act()))
        expect([(e["errorCode"], e["eventName"], e["userIdentity"].get("accessKeyId")) for e in events], [(code, name, key)], what)
        expect(events[0]["requestID"], replies[0].headers["x-amzn-RequestId"], what)
        expect((events[0]["httpStatus"], events[0]["sourceIPAddress"]), (replies[0].status, "127.0.0.1"), what)
        expect(events[0]["userIdentity"]["verified"], False, what)
    expect(program.stop(), 0)


def test_protocol_errors_have_a_line_each(place):
    program = serve(place)
    rows = [
        (b"nonsense\r\n\r\n", 400, "MalformedRequest"),
        (b"GET / HTTP/9.9\r\nHost: a\r\n\r\n", 505, "HttpVersionNotSupported"),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n", 413, "RequestEntityTooLarge"),
    ]
    for sent, status, code in rows:
        def act():
            connection = Connection("127.0.0.1", program.port)
            connection.send(sent)
            expect(connection.receive("GET").status, status)
            connection.close()

        events = recorded(place, program, act)
        expect([(e["errorCode"], e["httpStatus"], e["sourceIPAddress"]) for e in events], [(code, status, "127.0.0.1")], code)


def test_management_calls_have_a_line_each(place):
    program = serve(place)
    client = program.client(ALICE)
    arn = client.create("mine")["TableArn"]
    calls = [
        ("CreateTable", table_request("other"), {"tableName": "other", "billingMode": "PAY_PER_REQUEST"}, None),
        ("CreateTable", table_request("other"), {"tableName": "other", "billingMode": "PAY_PER_REQUEST"}, "ResourceInUseException"),
        ("UpdateTable", {"TableName": "other", "DeletionProtectionEnabled": False}, {"tableName": "other"}, None),
        ("UpdateTimeToLive", {"TableName": "other", "TimeToLiveSpecification": {"Enabled": True, "AttributeName": "until"}},
         {"tableName": "other", "timeToLiveSpecification": {"attributeName": "until"}}, None),
        ("TagResource", {"ResourceArn": arn, "Tags": [{"Key": "k", "Value": SECRET}]}, {"resourceArn": arn}, None),
        ("UntagResource", {"ResourceArn": arn, "TagKeys": ["k"]}, {"resourceArn": arn}, None),
        ("CreateBackup", {"TableName": "mine", "BackupName": "b-1"}, {"tableName": "mine", "backupName": "b-1"}, None),
        ("DeleteTable", {"TableName": "none"}, {"tableName": "none"}, "ResourceNotFoundException"),
        ("DeleteTable", {"TableName": "other"}, {"tableName": "other"}, None),
    ]  # fmt: skip
    for operation, members, parameters, code in calls:
        replies = []
        events = recorded(place, program, lambda: replies.append(client.call(operation, members, extra={"User-Agent": "tests/1"})))
        expect(replies[0].error, code, operation)
        got = [(e["eventName"], e["eventSource"], e["requestParameters"], e.get("errorCode"), e["userAgent"]) for e in events]
        expect(got, [(operation, "dynamodb.amazonaws.com", parameters, code, "tests/1")], operation)
        expect(events[0]["userIdentity"], {"accountId": "123456789012", "accessKeyId": "AKIDALICE", "verified": True})


def test_items_and_reads_leave_no_line_and_no_value(place):
    program = serve(place)
    client = program.client(ALICE)
    client.create()
    key = {"pk": {"S": SECRET}}

    def act():
        expect(client.put(SECRET, v={"S": SECRET}).status, 200)
        expect(client.item(SECRET), {**key, "v": {"S": SECRET}})
        failing = {"TableName": "things", "Item": key, "ConditionExpression": "attribute_not_exists(pk)"}
        expect(client.call("PutItem", failing).error, "ConditionalCheckFailedException")
        expect(client.call("PutItem", {"TableName": "things", "Item": {}}).error, "ValidationException")
        expect(client.call("GetItem", {"TableName": "none", "Key": key}).error, "ResourceNotFoundException")
        for operation in ("ListTables", "DescribeLimits"):
            client.ok(operation)
        client.ok("DescribeTable", {"TableName": "things"})
        expect(client.get("/").status, 200)
        expect(client.get("/health").status, 403, "an unsigned health check")

    expect(recorded(place, program, act), [])
    expect(SECRET in place.path("audit.jsonl").read_text(), False)


def test_admin_requests_have_a_line_each(place):
    program = place.serve("--audit", place.path("audit.jsonl"), "--admin", "--allow-reset", "--clock=manual")
    client = program.client()
    rows = [
        ("POST", "/_keyfold/clock", b'{"advance":1}', 1, None),
        ("POST", "/_keyfold/clock", b"nonsense", 1, "AdminRequestFailed"),
        ("GET", "/_keyfold/clock", b"", 0, None),
        ("POST", "/_keyfold/reset", b"", 1, None),
    ]
    for method, path, body, count, code in rows:
        events = recorded(place, program, lambda: client.send(method, path, body=body))
        expect([(e["eventName"], e["eventSource"], e.get("errorCode")) for e in events], [(f"{method} {path}", "keyfold", code)] * count)


def test_the_file_is_private_and_is_reopened_on_hangup(place):
    program = serve(place)
    path = place.path("audit.jsonl")
    client = program.client(ALICE)
    client.create("first")
    await_lines(path, 1)
    expect(stat.S_IMODE(path.stat().st_mode), 0o600, "mode")
    os.rename(path, place.path("old.jsonl"))
    program.signal(signal.SIGHUP)
    program.wait_for_log("reopened the audit log")
    client.create("second")
    expect([e["requestParameters"]["tableName"] for e in await_lines(path, 1)], ["second"])
    expect(len(lines_of(place.path("old.jsonl"))), 1)
    path.unlink()
    path.mkdir()
    program.signal(signal.SIGHUP)
    program.wait_for_log("audit log not reopened")
    client.create("third")
    expect(program.stop(), 0)


def test_a_log_that_cannot_be_written_costs_no_request(place):
    program = place.serve("--audit", "/dev/full")
    client = program.client()
    for number in range(5):
        client.create(f"table-{number}")
    counted = "\nAuditLinesFailed 5\n"
    until("the lines are counted", lambda: counted in client.get("/metrics").text)
    lines = [line for line in program.log.splitlines() if "audit log" in line]
    expect(len(lines), 1, f"warnings in {program.log!r}")
    expect(program.stop(), 0)


def test_an_audit_log_that_cannot_be_opened_is_refused(place):
    line = place.refused(2, "none", "serve", "--in-memory", "--port", "0", "--audit", place.path("none") / "a")
    expect_in("audit log", line)


def test_standard_output(place):
    process = subprocess.Popen(
        [place.binary, "serve", "--in-memory", "--port", "0", "--audit", "-"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        cwd=place.folder,
    )  # fmt: skip
    try:
        port = int(next(found[3] for found in map(ANNOUNCED.search, process.stderr) if found))
        Client("http", "127.0.0.1", port).create("seen")
        event = json.loads(process.stdout.readline())
        expect((event["eventName"], event["requestParameters"]["tableName"]), ("CreateTable", "seen"))
        process.terminate()
        expect(process.wait(30), 0)
    finally:
        process.kill()
        process.communicate()
