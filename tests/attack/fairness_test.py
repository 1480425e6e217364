#!/usr/bin/env python3
"""Checks small requests during heavy ones: tests/attack/fairness_test.py --binary PATH [--long]

64 clients send the most expensive requests: pages with filters of 200 operators over thousands of items and over items of
390 KB, updates and deletes with such conditions on one hot item, transactions. During that load a small GetItem and GET
/health must be answered, as well as a small write to the hot item, whose lock the heavy requests take too, and a heavy
request; and SIGTERM must stop the server.

The limits detect hangs (2 s and 15 s). --long uses the limits that users are promised on an idle machine (250 ms and 5 s),
checks that no write waits for the hot item's lock for more than 250 ms, and that a page never holds its thread for more than 10 ms.
"""
import argparse
import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

CLIENTS = 64
LARGE = "a" * 390_000
NEEDLE = "a" * 195_000 + "b"
KEY = {"pk": {"S": "large-0"}}


def operators(count, name="a"):
    return " OR ".join(f"contains({name},:v)" for _ in range(count))


# One request of each kind; a client sends the same request again and again.
HEAVY = [
    ("Scan", {"TableName": "small", "FilterExpression": operators(200, "b"), "ExpressionAttributeValues": {":v": {"S": "zz"}}}),
    ("Scan", {"TableName": "large", "FilterExpression": operators(100), "ExpressionAttributeValues": {":v": {"S": NEEDLE}}}),
    ("Query", {"TableName": "large", "KeyConditionExpression": "pk = :p", "FilterExpression": operators(100),
               "ExpressionAttributeValues": {":v": {"S": NEEDLE}, ":p": {"S": "large-1"}}}),
    ("DeleteItem", {"TableName": "large", "Key": KEY, "ConditionExpression": operators(100),
                    "ExpressionAttributeValues": {":v": {"S": NEEDLE}}}),
    ("UpdateItem", {"TableName": "large", "Key": KEY, "UpdateExpression": "SET n = :n", "ConditionExpression": "NOT (" + operators(50) + ")",
                    "ExpressionAttributeValues": {":v": {"S": NEEDLE}, ":n": {"N": "1"}}}),
    ("TransactWriteItems", {"TransactItems": [
        {"ConditionCheck": {"TableName": "large", "Key": {"pk": {"S": f"large-{i}"}}, "ConditionExpression": operators(100),
                            "ExpressionAttributeValues": {":v": {"S": NEEDLE[-100_000:]}}}} for i in range(8)]}),
    ("ExecuteStatement", {"Statement": "SELECT * FROM large WHERE " + " OR ".join("contains(a,?)" for _ in range(20)),
                          "Parameters": [{"S": NEEDLE[-40_000:]}] * 20}),
    ("BatchGetItem", {"RequestItems": {"large": {"Keys": [{"pk": {"S": f"large-{i}"}} for i in range(10)]}}}),
]


class Client:
    """One connection. One thread at a time."""

    def __init__(self, port, timeout):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)

    def call(self, operation, body):
        """Returns (status, response as text)."""
        headers = {"X-Amz-Date": time.strftime("%Y%m%dT%H%M%SZ", time.gmtime()), "X-Amz-Target": "DynamoDB_20120810." + operation, "Content-Type": "application/x-amz-json-1.0",
                   "Authorization": "AWS4-HMAC-SHA256 Credential=a/" + time.strftime("%Y%m%d", time.gmtime()) + "/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0"}
        self.connection.request("POST", "/", body if isinstance(body, bytes) else json.dumps(body).encode(), headers)
        answer = self.connection.getresponse()
        return answer.status, answer.read()

    def get(self, path):
        self.connection.request("GET", path)
        answer = self.connection.getresponse()
        return answer.status, answer.read().decode()


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Server:
    def __init__(self, binary, folder):
        self.port = free_port()
        where = ["--data", folder] if folder else ["--in-memory"]
        self.process = subprocess.Popen([binary, "serve", "--port", str(self.port), *where], stderr=subprocess.DEVNULL)
        for _ in range(600):
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("the server does not listen")

    def load(self, items):
        client = Client(self.port, 60)
        for table in ("small", "large"):
            status, answer = client.call("CreateTable", {
                "TableName": table, "BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]})
            assert status == 200, answer
        for start in range(0, items, 25):
            puts = [{"PutRequest": {"Item": {"pk": {"S": f"small-{i}"}, "b": {"S": "xyz" * 50}}}} for i in range(start, start + 25)]
            status, answer = client.call("BatchWriteItem", {"RequestItems": {"small": puts}})
            assert status == 200, answer
        for i in range(10):
            status, answer = client.call("PutItem", {"TableName": "large", "Item": {"pk": {"S": f"large-{i}"}, "a": {"S": LARGE}}})
            assert status == 200, answer


class Crowd:
    """The heavy clients and the responses that they got."""

    def __init__(self, port, clients):
        self.stopping = False
        self.lock = threading.Lock()
        self.answers, self.lost = {}, 0
        self.threads = [threading.Thread(target=self.send, args=(port, *HEAVY[i % len(HEAVY)]), daemon=True) for i in range(clients)]
        for thread in self.threads:
            thread.start()

    def send(self, port, operation, request):
        client, body = Client(port, 300), json.dumps(request).encode()
        while not self.stopping:
            try:
                status, _ = client.call(operation, body)
            except (OSError, http.client.HTTPException):
                with self.lock:
                    self.lost += 1
                return
            with self.lock:
                self.answers[operation, status] = self.answers.get((operation, status), 0) + 1

    def join(self):
        self.stopping = True
        for thread in self.threads:
            thread.join(60)


class Judge:
    def __init__(self):
        self.tried = self.failed = 0

    def check(self, what, holds, shown=""):
        self.tried += 1
        if not holds:
            self.failed += 1
            print(f"FAILED: {what} {shown}")


def small_read(client, number, timeout):
    """Returns whether it was answered as it should be. Every tenth is a /health on a separate connection."""
    if number % 10 == 9:
        return Client(client.connection.port, timeout).get("/health")[0] == 200
    return client.call("GetItem", {"TableName": "small", "Key": {"pk": {"S": "small-1"}}})[0] == 200


def small_write(client, number, timeout):
    """Writes to the item that heavy requests lock. Its condition fails, so it costs nothing but the lock."""
    status, answer = client.call("DeleteItem", {"TableName": "large", "Key": KEY, "ConditionExpression": "attribute_not_exists(pk)"})
    return status == 400 and b"ConditionalCheckFailed" in answer


def latencies(port, send, seconds, timeout):
    """Returns the times of small requests, one after the other."""
    client, taken, end = Client(port, timeout), [], time.monotonic() + seconds
    while time.monotonic() < end or len(taken) < 100:
        began = time.monotonic()
        if not send(client, len(taken), timeout):
            raise RuntimeError(f"a small request ({send.__name__}) was not answered as it should be")
        taken.append(time.monotonic() - began)
        time.sleep(0.005)
    return sorted(taken)


def run(binary, folder, long, judge):
    store = "folder" if folder else "memory"
    p99_max, stop_max = (0.25, 5) if long else (2, 15)
    server = Server(binary, folder)
    try:
        server.load(5_000 if long else 1_000)
        crowd = Crowd(server.port, CLIENTS if long else CLIENTS // 2)
        time.sleep(3 if long else 1)
        taken = latencies(server.port, small_read, 30 if long else 3, 30)
        p99 = taken[len(taken) * 99 // 100]
        print(f"{store}: {len(taken)} small requests during heavy ones: p50 {taken[len(taken) // 2] * 1000:.1f} ms, "
              f"p99 {p99 * 1000:.1f} ms, longest {taken[-1] * 1000:.1f} ms")
        judge.check(f"{store}: p99 of small requests", p99 <= p99_max, f"{p99:.3f} s")
        waited = latencies(server.port, small_write, 30 if long else 1, 30)
        print(f"{store}: {len(waited)} small writes to the hot item: p50 {waited[len(waited) // 2] * 1000:.1f} ms, longest {waited[-1] * 1000:.1f} ms")
        judge.check(f"{store}: waiting for a lock", waited[-1] <= (0.25 if long else 10), f"{waited[-1]:.3f} s")
        metrics = Client(server.port, 60).get("/metrics")[1]
        held = float(re.search(r"^keyfold_page_held_seconds_max (\S+)", metrics, re.MULTILINE).group(1))
        print(f"{store}: a page held its thread for at most {held * 1000:.1f} ms")
        judge.check(f"{store}: a page holds its thread", 0 < held <= (0.010 if long else 1), f"{held:.4f} s")
        began = time.monotonic()
        server.process.send_signal(signal.SIGTERM)
        try:
            code = server.process.wait(120)
        except subprocess.TimeoutExpired:
            code = None
        stopped = time.monotonic() - began
        print(f"{store}: SIGTERM to the end {stopped:.2f} s")
        judge.check(f"{store}: the time to stop", code == 0 and stopped <= stop_max, f"{stopped:.1f} s, exit code {code}")
        crowd.join()
        print(f"{store}: heavy requests: {dict(sorted(crowd.answers.items()))}, {crowd.lost} connections closed without a response")
        answered = {operation for operation, status in crowd.answers if status in (200, 400)}
        judge.check(f"{store}: heavy requests are answered", len(answered) >= (len({o for o, _ in HEAVY}) if long else 2), str(answered))
        wrong = [status for _, status in crowd.answers if status not in (200, 400, 503)]
        judge.check(f"{store}: status of heavy requests", not wrong, str(wrong))
    finally:
        server.process.kill()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--long", action="store_true")
    options = parser.parse_args()
    judge = Judge()
    with tempfile.TemporaryDirectory() as folder:
        for place in (None, folder):
            run(options.binary, place, options.long, judge)
    print(f"fairness: tried {judge.tried} failed {judge.failed}")
    return 1 if judge.failed else 0


if __name__ == "__main__":
    sys.exit(main())
