"""The processes that write and read over HTTP while the server is killed.

Each worker owns its keys, sends one request at a time over one connection, and stops at the first sign that the server is gone. Requests and
responses go into its log as they happen, and to the parent when it stops: ("write", key, state, begin, end or None) per item,
("read", key, state, begin, end) per item seen.
"""
import json
import random
import time

from endpoint.connection import Connection, ConnectionLost, request_bytes
from endpoint.sigv4 import Signer
from history import Violation

TABLE = "crash"
KEYS_PER_WRITER = 48
PARTITIONS_PER_WRITER = 6
VALUE_BYTES = (8, 40, 300, 2000, 20000)


class Unanswered(Exception):
    """There was no response, or one that leaves open whether the request took effect."""


class Caller:
    """Sends signed requests over one persistent connection. One thread at a time."""

    def __init__(self, port):
        self.connection = Connection("127.0.0.1", port, timeout_s=20.0)
        self.host = f"127.0.0.1:{port}"
        self.signer = Signer()

    def exchange(self, operation, request):
        """Returns the response as received; never sends twice. `operation` is one of DynamoDB's, or SERVICE.OPERATION of another service."""
        body = json.dumps(request).encode()
        target = operation if "." in operation else f"DynamoDB_20120810.{operation}"
        headers = self.signer.headers(self.host, target, body)
        headers["Content-Length"] = str(len(body))
        try:
            self.connection.send(request_bytes("POST", "/", headers.items(), body))
            answer = self.connection.receive()
        except (ConnectionLost, OSError) as error:
            self.connection.close()
            raise Unanswered(str(error)) from None
        if answer.status >= 500:
            raise Unanswered(answer.text())
        return answer

    def call(self, operation, request):
        """(status, answer)"""
        answer = self.exchange(operation, request)
        return answer.status, json.loads(answer.text())

    def must(self, operation, request):
        status, answer = self.call(operation, request)
        if status != 200:
            raise Violation(f"{operation} answered {status} {answer}\nto {json.dumps(request)[:2000]}")
        return answer


def keys_of(writer):
    return [(f"w{writer}-p{i % PARTITIONS_PER_WRITER}", i) for i in range(KEYS_PER_WRITER)]


def key_item(key):
    return {"pk": {"S": key[0]}, "sk": {"N": str(key[1])}}


def key_of(item):
    return item["pk"]["S"], int(item["sk"]["N"])


class Writer:
    """Knows the exact state of its keys, and therefore what every response must be. One thread at a time."""

    def __init__(self, number, seed, log):
        self.number, self.log = number, log
        self.random = random.Random(f"{seed}/{number}")
        self.version = 0
        self.keys = keys_of(number)
        self.states = {}
        self.caller, self.journal, self.counts = None, [], {}

    def run(self, port, states):
        """Writes until the server is gone. `states` are its keys as the parent found them."""
        self.caller, self.journal, self.counts = Caller(port), [], {"ok": 0, "refused": 0, "unknown": 0}
        self.states = {key: states.get(key) for key in self.keys}
        steps = [self.put, self.put, self.update, self.update, self.count, self.delete, self.put_if, self.put_if_not, self.batch]
        try:
            while True:
                self.random.choice(steps)()
        except Unanswered as error:
            self.counts["unknown"] += 1
            self.note("unknown", str(error)[:200])
        self.log.flush()
        return self.journal, self.counts

    # --- one write each
    def put(self):
        key = self.random.choice(self.keys)
        item = self.new_item(key)
        self.send("PutItem", {"TableName": TABLE, "Item": item, "ReturnValues": "ALL_OLD"}, {key: item}, returns=self.states[key])

    def update(self):
        key = self.random.choice(self.keys)
        fresh = self.new_item(key)
        item = dict(self.states[key] or key_item(key))
        sets, names, values, removes = [], {}, {}, []
        for name in ("ver", "val", "sparse", "group", "local"):
            if name in fresh:
                names[f"#{name}"], values[f":{name}"] = name, fresh[name]
                sets.append(f"#{name} = :{name}")
                item[name] = fresh[name]
            elif name in item:
                names[f"#{name}"] = name
                removes.append(f"#{name}")
                del item[name]
        expression = "SET " + ", ".join(sets) + (" REMOVE " + ", ".join(removes) if removes else "")
        request = self.update_request(key, expression, names, values)
        self.send("UpdateItem", request, {key: item}, returns=item)

    def count(self):
        key = self.random.choice(self.keys)
        item = dict(self.states[key] or key_item(key))
        item["hits"] = {"N": str(int(item.get("hits", {"N": "0"})["N"]) + 1)}
        item["ver"] = self.next_version()
        request = self.update_request(key, "SET #v = :v ADD hits :one", {"#v": "ver"}, {":v": item["ver"], ":one": {"N": "1"}})
        self.send("UpdateItem", request, {key: item}, returns=item)

    def delete(self):
        key = self.random.choice(self.keys)
        request = {"TableName": TABLE, "Key": key_item(key), "ReturnValues": "ALL_OLD"}
        self.send("DeleteItem", request, {key: None}, returns=self.states[key])

    def put_if(self):
        """A condition that holds."""
        key = self.random.choice(self.keys)
        item, old = self.new_item(key), self.states[key]
        request = {"TableName": TABLE, "Item": item, "ConditionExpression": "attribute_not_exists(pk)"}
        if old:
            request["ConditionExpression"] = "ver = :seen"
            request["ExpressionAttributeValues"] = {":seen": old["ver"]}
        self.send("PutItem", request, {key: item})

    def put_if_not(self):
        """A condition that does not hold: the response shows the item, and nothing changes."""
        key = self.random.choice(self.keys)
        old = self.states[key]
        request = {"TableName": TABLE, "Item": self.new_item(key), "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
        request["ConditionExpression"] = "attribute_not_exists(pk)" if old else "attribute_exists(pk)"
        begin = time.monotonic()
        self.note("invoke", "PutItem refused", key)
        status, answer = self.caller.call("PutItem", request)
        if status != 400 or not answer["__type"].endswith("#ConditionalCheckFailedException") or answer.get("Item") != old:
            raise Violation(f"a put that {request['ConditionExpression']} forbids answered {status} {answer}\nthe item is {old}")
        self.counts["refused"] += 1
        self.note("refused")
        self.journal.append(("read", key, old, begin, time.monotonic()))

    def batch(self):
        """Each put or delete of a batch is independent; unprocessed ones were not done."""
        changes, requests = {}, []
        for key in self.random.sample(self.keys, self.random.randint(2, 8)):
            item = None if self.random.random() < 0.3 else self.new_item(key)
            changes[key] = item
            requests.append({"PutRequest": {"Item": item}} if item else {"DeleteRequest": {"Key": key_item(key)}})
        answer, begin = self.exchange("BatchWriteItem", {"RequestItems": {TABLE: requests}}, changes)
        for request in answer["UnprocessedItems"].get(TABLE, []):
            part = request.get("PutRequest", {}).get("Item") or request["DeleteRequest"]["Key"]
            del changes[key_of(part)]
        self.acknowledge(changes, begin)

    # --- shared by the writes
    def update_request(self, key, expression, names, values):
        return {
            "TableName": TABLE, "Key": key_item(key), "UpdateExpression": expression, "ExpressionAttributeNames": names,
            "ExpressionAttributeValues": values, "ReturnValues": "ALL_NEW",
        }

    def send(self, operation, request, changes, returns=None):
        answer, begin = self.exchange(operation, request, changes)
        if "ReturnValues" in request and answer.get("Attributes") != returns:
            raise Violation(f"{operation} returned {answer.get('Attributes')}\nexpected {returns}\nlog: {self.log.name}")
        self.acknowledge(changes, begin)

    def exchange(self, operation, request, changes):
        begin = time.monotonic()
        self.note("invoke", operation, list(changes.items()))
        try:
            return self.caller.must(operation, request), begin
        except Unanswered:
            self.journal += [("write", key, state, begin, None) for key, state in changes.items()]
            raise

    def acknowledge(self, changes, begin):
        end = time.monotonic()
        self.note("ok")
        self.counts["ok"] += 1
        for key, state in changes.items():
            self.states[key] = state
            self.journal.append(("write", key, state, begin, end))

    def next_version(self):
        self.version += 1
        return {"N": str(self.version)}

    def new_item(self, key):
        item = key_item(key)
        item["ver"] = self.next_version()
        text = f"{self.number}-{self.version}-"
        item["val"] = {"S": text + "x" * self.random.choice(VALUE_BYTES)}
        if self.random.random() < 0.4:
            item["sparse"] = {"S": f"s{self.random.randint(0, 5)}"}
        if self.random.random() < 0.8:
            item["group"] = {"S": f"g{self.random.randint(0, 3)}"}
        if self.random.random() < 0.6:
            item["local"] = {"S": f"l{self.random.randint(0, 9)}"}
        return item

    def note(self, what, *more):
        print(json.dumps([round(time.monotonic(), 6), what, *more]), file=self.log)


class Reader:
    """Consistent reads of all workers' keys. One thread at a time."""

    def __init__(self, writers, seed, log):
        self.random = random.Random(f"{seed}/reader")
        self.writers, self.log = writers, log

    def run(self, port, _states):
        caller, journal, counts = Caller(port), [], {"read": 0}
        try:
            while True:
                writer = self.random.randrange(self.writers)
                step = self.partition if self.random.random() < 0.2 else self.item
                begin = time.monotonic()
                seen = step(caller, keys_of(writer))
                end = time.monotonic()
                counts["read"] += 1
                journal += [("read", key, state, begin, end) for key, state in seen]
                print(json.dumps([round(begin, 6), round(end, 6), seen]), file=self.log)
        except Unanswered:
            self.log.flush()
        return journal, counts

    def item(self, caller, keys):
        key = self.random.choice(keys)
        answer = caller.must("GetItem", {"TableName": TABLE, "Key": key_item(key), "ConsistentRead": True})
        return [(key, answer.get("Item"))]

    def partition(self, caller, keys):
        wanted = self.random.choice(keys)[0]
        request = {
            "TableName": TABLE, "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": wanted}},
            "ConsistentRead": True,
        }
        found = {key_of(item): item for item in caller.must("Query", request)["Items"]}
        return [(key, found.get(key)) for key in keys if key[0] == wanted]
