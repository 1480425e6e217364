"""Tests shutdown: SIGTERM lets begun requests finish, a second one ends the server immediately; nothing acknowledged is lost either way."""
import json
import signal
import socket
import threading
import time

from endpoint.connection import Connection, ConnectionLost, request_bytes
from program import Failed, expect, until

WRITERS = 6
DRAIN_S = 10


def put_bytes(client, key):
    body = json.dumps({"TableName": "things", "Item": {"pk": {"S": key}}}).encode()
    headers = {**client.signed("PutItem", body), "Content-Length": str(len(body))}
    return request_bytes("POST", "/", headers.items(), body)


class Writer(threading.Thread):
    """Puts item after item on one connection until it is closed."""

    def __init__(self, client, name):
        super().__init__(daemon=True)
        self.client, self.prefix = client, name
        self.acknowledged, self.fault = [], None

    def run(self):
        connection = Connection("127.0.0.1", self.client.port)
        try:
            for number in range(1_000_000):
                key = f"{self.prefix}-{number}"
                connection.send(put_bytes(self.client, key))
                answer = connection.receive()
                expect(answer.status, 200, answer.body)
                self.acknowledged.append(key)
                if (answer.header("Connection") or "").lower() == "close":
                    return
        except (ConnectionLost, ConnectionError, OSError):
            pass  # the server has closed the connection: without a response there is no promise
        except Exception as fault:
            self.fault = fault
        finally:
            connection.close()


def stop_under_load(place, end, *arguments):
    """Starts writers, then calls `end(program)`; afterwards every acknowledged item must be present. Returns the exit code."""
    data = place.path("d")
    program = place.serve(*arguments, data=data)
    program.client().create()
    writers = [Writer(program.client(), f"w{n}") for n in range(WRITERS)]
    for writer in writers:
        writer.start()
    until("each writer has some answers", lambda: all(len(w.acknowledged) > 20 or w.fault for w in writers))
    code = end(program)
    for writer in writers:
        writer.join(30)
        expect(writer.is_alive(), False, "a writer still waits for an answer")
        if writer.fault:
            raise Failed(f"a writer got {writer.fault!r}")
    client = place.serve(data=data).client()
    connection = client.connect()
    for key in (key for writer in writers for key in writer.acknowledged):
        found = client.ok("GetItem", {"TableName": "things", "Key": {"pk": {"S": key}}}, connection=connection)
        expect(found.get("Item"), {"pk": {"S": key}}, "an acknowledged item")
    connection.close()
    return code


def test_terminate_under_load(place):
    expect(stop_under_load(place, lambda program: program.stop()), 0)


def test_interrupt_under_load(place):
    def interrupt(program):
        program.signal(signal.SIGINT)
        return program.wait()

    expect(stop_under_load(place, interrupt), 0)


def test_kill_under_load(place):
    def kill(program):
        program.kill()
        return program.wait()

    expect(stop_under_load(place, kill), -signal.SIGKILL)


def begun(program, key):
    """Sends a request except for its last byte; returns the connection and that byte."""
    sent = put_bytes(program.client(), key)
    connection = socket.create_connection(("127.0.0.1", program.port), 30)
    connection.sendall(sent[:-1])
    return connection, sent[-1:]


def wait_until_stopping(program):
    def refused():
        try:
            socket.create_connection(("127.0.0.1", program.port), 5).close()
            return False
        except ConnectionError:
            return True

    until("no more connections are taken", refused)


def test_a_request_that_has_begun_is_finished(place):
    data = place.path("d")
    program = place.serve(data=data)
    program.client().create()
    connection, rest = begun(program, "begun")
    expect(program.client().put("other").status, 200)  # by now the first bytes have been read
    program.signal(signal.SIGTERM)
    wait_until_stopping(program)
    expect(program.process.poll(), None, "exit code while a request is under way")
    program.signal(signal.SIGHUP)  # is not a reason to stop
    connection.sendall(rest)
    answer = connection.makefile("rb").read()
    connection.close()
    expect(answer.split(b"\r\n")[0], b"HTTP/1.1 200 OK")
    expect(program.wait(), 0)
    expect(place.serve(data=data).client().item("begun"), {"pk": {"S": "begun"}})


def test_idle_connections_do_not_delay_the_end(place):
    program = place.serve()
    connections = [program.client().connect() for _ in range(5)]
    for connection in connections[:3]:
        expect(program.client().call("ListTables", connection=connection).status, 200)
    for connection in connections[3:]:
        connection.connect()
    began = time.monotonic()
    expect(program.stop(), 0)
    expect(time.monotonic() - began < DRAIN_S / 2, True, f"seconds to stop: {time.monotonic() - began:.1f}")


def test_a_client_that_never_finishes_does_not_hold_the_server(place):
    data = place.path("d")
    program = place.serve(data=data)
    program.client().create()
    connection, _ = begun(program, "never")
    expect(program.client().put("other").status, 200)
    began = time.monotonic()
    expect(program.stop(), 0)
    expect(time.monotonic() - began < DRAIN_S + 5, True)
    answer = connection.makefile("rb").read()
    expect(answer.split(b"\r\n")[0], b"HTTP/1.1 503 Service Unavailable")
    expect(b"\r\nRetry-After: 1\r\n" in answer and b"\r\nConnection: close\r\n" in answer, True, answer)
    connection.close()
    client = place.serve(data=data).client()
    expect((client.item("never"), client.item("other")), (None, {"pk": {"S": "other"}}))


def test_second_terminate_ends_at_once(place):
    data = place.path("d")
    program = place.serve(data=data)
    program.client().create()
    expect(program.client().put("kept").status, 200)
    connection, _ = begun(program, "never")
    expect(program.client().put("other").status, 200)
    program.signal(signal.SIGTERM)
    wait_until_stopping(program)
    began = time.monotonic()
    expect(program.stop(), 128 + signal.SIGTERM)
    expect(time.monotonic() - began < DRAIN_S / 2, True, f"seconds to end: {time.monotonic() - began:.1f}")
    connection.close()
    client = place.serve(data=data).client()
    expect((client.item("kept"), client.item("other")), ({"pk": {"S": "kept"}}, {"pk": {"S": "other"}}))


def test_terminate_while_an_index_is_built(place):
    data = place.path("d")
    program = place.serve(data=data)
    client = program.client()
    client.create()
    for number in range(200):
        expect(client.put(f"k{number}", g={"S": "x"}).status, 200)
    client.ok("UpdateTable", {
        "TableName": "things",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "g", "AttributeType": "S"}],
        "GlobalSecondaryIndexUpdates": [{"Create": {"IndexName": "by_g", "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
                                                    "Projection": {"ProjectionType": "KEYS_ONLY"}}}],
    })  # fmt: skip
    expect(program.stop(), 0)
    client = place.serve(data=data).client()

    def ready():
        index = client.ok("DescribeTable", {"TableName": "things"})["Table"]["GlobalSecondaryIndexes"][0]
        return index["IndexStatus"] == "ACTIVE"

    until("the index is ACTIVE", ready)
    query = {"TableName": "things", "IndexName": "by_g", "KeyConditionExpression": "g = :g", "ExpressionAttributeValues": {":g": {"S": "x"}}}
    expect(client.ok("Query", query)["Count"], 200)


def test_clients_that_leave_early(place):
    program = place.serve(data=place.path("d"))
    client = program.client()
    client.create()
    for number in range(50):
        connection = socket.create_connection(("127.0.0.1", program.port), 30)
        connection.sendall(put_bytes(client, f"left-{number}"))
        connection.close()
    for number in range(20):
        connection, _ = begun(program, f"torn-{number}")
        connection.close()
    until("all whole requests were served", lambda: client.ok("Scan", {"TableName": "things", "Select": "COUNT"})["Count"] == 50)
    expect(program.stop(), 0)
