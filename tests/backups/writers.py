"""The table of the trials, and the clients that continuously write to it."""
import random
import threading
import time

from history import Violation
from workload import Caller, Unanswered

TABLE = "trials"
DEFINITION = {
    "TableName": TABLE,
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [
        {"AttributeName": "pk", "AttributeType": "S"},
        {"AttributeName": "group", "AttributeType": "S"},
        {"AttributeName": "ver", "AttributeType": "N"},
    ],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "by_group",
            "KeySchema": [{"AttributeName": "group", "KeyType": "HASH"}, {"AttributeName": "ver", "KeyType": "RANGE"}],
            "Projection": {"ProjectionType": "ALL"},
        }
    ],
}


def item_of(key, version):
    group = {"group": {"S": f"g{version % 7}"}} if version % 4 else {}
    return {"pk": {"S": key}, "ver": {"N": str(version)}, "text": {"S": "x" * (version * 37 % 300)}, **group}


def load_still_items(port, count):
    """Loads the items that nobody changes, with several clients at once."""
    threads = [Loader(port, range(first, count, 4)) for first in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if any(thread.failure for thread in threads):
        raise Violation(f"loading: {next(thread.failure for thread in threads if thread.failure)}")


class Loader(threading.Thread):
    def __init__(self, port, numbers):
        super().__init__(daemon=True)
        self.port, self.numbers, self.failure = port, numbers, None

    def run(self):
        caller = Caller(self.port)
        try:
            for first in range(0, len(self.numbers), 25):
                puts = [{"PutRequest": {"Item": item_of(f"still-{i}", i)}} for i in self.numbers[first : first + 25]]
                if caller.must("BatchWriteItem", {"RequestItems": {TABLE: puts}})["UnprocessedItems"]:
                    raise Violation("items were not processed")
        except (Violation, Unanswered) as error:
            self.failure = error


class Writer(threading.Thread):
    """Writes its own keys, one request after the other, across restarts of the server."""

    SINGLES, PAIRS = 20, 10

    def __init__(self, number, seed, port, journal):
        super().__init__(daemon=True)
        self.random = random.Random(f"{seed}/{number}")
        self.singles = [f"w{number}-s{i}" for i in range(self.SINGLES)]
        self.pairs = [(f"w{number}-a{i}", f"w{number}-b{i}") for i in range(self.PAIRS)]
        self.port, self.journal, self.stopping = port, journal, threading.Event()
        self.versions = {}
        self.written = 0

    def run(self):
        caller = Caller(self.port)
        while not self.stopping.is_set():
            keys = self.random.choice(self.pairs) if self.random.random() < 0.4 else (self.random.choice(self.singles),)
            version = self.versions[keys] = self.versions.get(keys, 0) + 1
            present = self.random.random() < 0.85
            entry = self.journal.sent(keys, version, present)
            try:
                self.send(caller, keys, version, present)
            except Unanswered:
                time.sleep(0.02)
                continue
            self.journal.acknowledged(entry)
            self.written += 1

    def send(self, caller, keys, version, present):
        if len(keys) == 1 and present:
            return caller.must("PutItem", {"TableName": TABLE, "Item": item_of(keys[0], version)})
        if len(keys) == 1:
            return caller.must("DeleteItem", {"TableName": TABLE, "Key": {"pk": {"S": keys[0]}}})
        actions = [
            {"Put": {"TableName": TABLE, "Item": item_of(key, version)}}
            if present
            else {"Delete": {"TableName": TABLE, "Key": {"pk": {"S": key}}}}
            for key in keys
        ]
        return caller.must("TransactWriteItems", {"TransactItems": actions})
