#!/usr/bin/env python3
"""Checks the memory during an hour of mixed requests on constant data: the median of the last sixth must be within 5 % of that of the fourth sixth.

For an hour these are minutes 50 to 60 and 30 to 40. The test runs only with --long, or by itself: growth_test.py --binary PATH --duration-s 60
"""
import pathlib
import random
import statistics
import threading
import time

from judge import main  # first, because it makes `endpoint` importable
from endpoint.connection import ConnectionLost
from shapes import HOSTILE, Shapes, write_json
from target import HANG_S, Caller, Target, keyed_table

KEYS, CLIENTS = 5_000, 4
ALLOWED = 1.05


def add_options(parser):
    parser.add_argument("--duration-s", type=float, default=3600.0)


class Client(threading.Thread):
    """Writes and reads the same keys again and again, and sends invalid requests. One thread."""

    def __init__(self, port, seed, end):
        super().__init__(daemon=True)
        self.port, self.random, self.end, self.requests, self.fault = port, random.Random(seed), end, 0, None
        self.shapes = Shapes()

    def run(self):
        caller = Caller(self.port)
        try:
            while time.monotonic() < self.end:
                self.one(caller)
                self.requests += 1
        except (ConnectionLost, OSError, ValueError) as error:
            self.fault = error

    def one(self, caller):
        key, turn = f"k{self.random.randrange(KEYS)}", self.random.randrange(20)
        item = {"pk": {"S": key}, "g": {"S": f"g{self.random.randrange(50)}"}, "v": {"S": "x" * self.random.choice((10, 200, 2000))}}
        if turn < 8:
            caller.ask("PutItem", {"TableName": "tab", "Item": item})
        elif turn < 12:
            caller.ask("GetItem", {"TableName": "tab", "Key": {"pk": {"S": key}}})
        elif turn < 14:
            update = {"UpdateExpression": "SET c = if_not_exists(c, :z) + :o", "ExpressionAttributeValues": {":z": {"N": "0"}, ":o": {"N": "1"}}}
            caller.ask("UpdateItem", {"TableName": "tab", "Key": {"pk": {"S": key}}, **update})
        elif turn < 16:
            values = {":g": {"S": f"g{self.random.randrange(50)}"}}
            caller.ask("Query", {"TableName": "tab", "IndexName": "by_g", "Limit": 20, "KeyConditionExpression": "g = :g", "ExpressionAttributeValues": values})
        elif turn < 17:
            caller.ask("Scan", {"TableName": "tab", "Limit": 50, "ExclusiveStartKey": {"pk": {"S": key}}})
        elif turn < 18:
            caller.ask("TransactWriteItems", {"TransactItems": [{"Put": {"TableName": "tab", "Item": item}}]})
        else:
            operation = self.random.choice(("PutItem", "Query", "UpdateItem", "BatchGetItem", "TransactGetItems"))
            path = self.random.choice(self.shapes.paths_of(operation))
            body = write_json(self.shapes.request(operation, path, self.random.choice(HOSTILE)))
            caller.send_body(operation, body.encode("utf-8", "surrogatepass"))


def rss_mb(pid):
    pages = int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * 4096 / (1 << 20)


def attack(a):
    duration = a.options.duration_s
    target = Target(a, "--cache-mb", "64", data=a.folder / "data").start()
    index = {"IndexName": "by_g", "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}
    target.must("CreateTable", keyed_table("tab", GlobalSecondaryIndexes=[index], AttributeDefinitions=[{"AttributeName": n, "AttributeType": "S"} for n in ("pk", "g")]))
    for number in range(KEYS):
        target.put("tab", f"k{number}", g={"S": "g0"}, v={"S": "x" * 200})
    began = time.monotonic()
    clients = [Client(target.port, a.random.randrange(1 << 30), began + duration) for _ in range(CLIENTS)]
    for client in clients:
        client.start()
    samples = []
    while (at := time.monotonic() - began) < duration and target.is_alive():
        samples.append((at / duration, rss_mb(target.server.process.pid)))
        time.sleep(min(1.0, duration / 200))
    for client in clients:
        client.join(HANG_S)
        a.judge.check(client.fault is None, lambda: f"a client ended: {client.fault!r}")
    parts = [statistics.median([mb for at, mb in samples if i / 6 <= at < (i + 1) / 6]) for i in range(6)]
    a.judge.note(f"{sum(c.requests for c in clients)} requests; medians of sixths in MB: {[round(p, 1) for p in parts]}")
    a.judge.check(parts[5] <= parts[3] * ALLOWED, f"memory grew from {parts[3]:.1f} to {parts[5]:.1f} MB")
    target.stop()


if __name__ == "__main__":
    main(attack, add_options)
