"""What clients do while a history is recorded, and how their requests and responses become its lines (linearizable.py, serializable.py).

Clients work in groups, each on its own keys: a few keys at a time, each until it has had its share of operations, so that every key is contended
and none has more operations than the checkers can handle.
"""
import collections
import random
import time

from lives import Client, Unanswered, Unexpected

TABLE = "history"
CLIENTS_PER_KEY = 5
OPERATIONS_PER_KEY = 100
PADDING_MAX = 1500
THROTTLED = "ThrottlingException"  # it did not happen


class Group:
    """Keys that the same few clients use, and what they last saw there. One event loop."""

    def __init__(self, name, keys, window, seed):
        self.random = random.Random(f"{seed}/{name}")
        self.waiting = [f"{name}-{number}" for number in range(keys)]
        # The last operation of a key is the read that closes the history.
        self.left = dict.fromkeys(self.waiting, OPERATIONS_PER_KEY - 1)
        self.active = [self.waiting.pop() for _ in range(min(window, keys))]
        self.seen = dict.fromkeys(self.left)

    def take(self, count):
        """Returns up to `count` keys, or none if all have had their share."""
        keys = self.random.sample(self.active, min(count, len(self.active)))
        for key in keys:
            self.left[key] -= 1
            if self.left[key] == 0:
                self.active.remove(key)
                if self.waiting:
                    self.active.append(self.waiting.pop())
        return keys


class Worker:
    """A client of a group; subclasses choose the requests. One event loop, one request at a time."""

    def __init__(self, lives, group, number, lines, stop):
        self.client, self.lives, self.group, self.number = Client(lives), lives, group, number
        self.random = random.Random(f"{group.random.random()}/{number}")
        self.lines, self.stop, self.count = lines, stop, 0

    async def run(self):
        while not self.stop() and await self.step():
            pass
        self.client.close()

    def unique(self):
        self.count += 1
        return f"{self.number}.{self.count}"

    async def exchange(self, operation, request, line):
        """Returns (status, response), or (None, None) without a response, which is recorded in `line`. Times go into `line`."""
        self.lives.count()
        line["invoke"] = time.monotonic_ns()
        try:
            status, answer = await self.client.call(operation, request)
        except Unanswered:
            line["outcome"], line["until"] = "unknown", await self.lives.outlive(self.client.life)
            return None, None
        line["return"] = time.monotonic_ns()
        return status, answer

    def record(self, line):
        # A request to a server that had already crashed did not happen.
        if line["outcome"] != "unknown" or line["invoke"] < line["until"]:
            self.lines.append(line)


def error_of(status, answer):
    return "" if status == 200 else answer["__type"].partition("#")[2]


# --- operations on single items
def item_state(item):
    """Returns [value, count] of an item."""
    return [item["v"]["S"] if "v" in item else None, int(item["n"]["N"])] if item else None


class ItemWorker(Worker):
    """Puts, increments, deletes, conditions and reads of one item each. One event loop, one request at a time."""

    async def step(self):
        keys = self.group.take(1)
        if not keys:
            return False
        key = keys[0]
        do = self.random.choices(("get", "put", "increment", "delete"), (30, 40, 15, 15))[0]
        line = {"key": key, "client": self.number, "do": do}
        request = {"TableName": TABLE}
        shows = self.random.choice(("NONE", "ALL_OLD", "ALL_NEW" if do == "increment" else "ALL_OLD"))
        if do == "get":
            request.update(Key={"pk": {"S": key}}, ConsistentRead=True)
        else:
            request["ReturnValues"] = shows
        if do in ("increment", "delete"):
            request["Key"] = {"pk": {"S": key}}
        if do == "increment":
            request.update(UpdateExpression="ADD n :one", ExpressionAttributeValues={":one": {"N": "1"}})
        if do == "put":
            line["v"] = self.unique()
            padding = "p" * self.random.randint(0, PADDING_MAX)
            request["Item"] = {"pk": {"S": key}, "v": {"S": line["v"]}, "n": {"N": "0"}, "padding": {"S": padding}}
        if do in ("put", "delete") and self.random.random() < 0.55:
            self.add_condition(key, line, request)
        names = {"get": "GetItem", "put": "PutItem", "increment": "UpdateItem", "delete": "DeleteItem"}
        self.absorb(line, shows, *await self.exchange(names[do], request, line))
        return True

    def add_condition(self, key, line, request):
        seen = self.group.seen[key]
        if seen and seen[0] and self.random.random() < 0.8:
            line["if"] = {"v": seen[0]}
            request.update(ConditionExpression="v = :seen", ExpressionAttributeValues={":seen": {"S": seen[0]}})
        elif seen is None or self.random.random() < 0.3:
            line["if"], request["ConditionExpression"] = {"absent": True}, "attribute_not_exists(pk)"
        else:
            line["if"], request["ConditionExpression"] = {"exists": True}, "attribute_exists(pk)"
        request["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"

    def absorb(self, line, shows, status, answer):
        error = error_of(status, answer) if status else ""
        if status == 200:
            line["outcome"] = "ok"
            if line["do"] == "get":
                line["saw"] = item_state(answer.get("Item"))
            elif shows != "NONE":
                line["made" if shows == "ALL_NEW" else "saw"] = item_state(answer.get("Attributes"))
        elif error == "ConditionalCheckFailedException" and "if" in line:
            line["outcome"], line["saw"] = "refused", item_state(answer.get("Item"))
        elif error == THROTTLED:
            return
        elif error:
            raise Unexpected(f"{line} answered {status} {answer}")
        if "made" in line or "saw" in line:
            self.group.seen[line["key"]] = line.get("made", line.get("saw"))
        if line.get("outcome") == "ok" and line["do"] == "put":
            self.group.seen[line["key"]] = [line["v"], 0]
        self.record(line)


async def read_items(client, keys, lines):
    """The read that closes the history."""
    for key in keys:
        line = {"key": key, "client": -1, "do": "get", "invoke": time.monotonic_ns(), "outcome": "ok"}
        answer = await client.must("GetItem", {"TableName": TABLE, "Key": {"pk": {"S": key}}, "ConsistentRead": True})
        line["return"], line["saw"] = time.monotonic_ns(), item_state(answer.get("Item"))
        lines.append(line)


# --- transactions
def item_list(item):
    return [one["S"] for one in item["ids"]["L"]] if item else None


class TransactionWorker(Worker):
    """Transactions over a few items, and operations on single items. One event loop, one request at a time."""

    async def step(self):
        one = self.random.random() < 0.3
        keys = self.group.take(1 if one else self.random.randint(2, 4))
        if not keys:
            return False
        line = {"client": self.number, "acts": []}
        if self.random.random() < 0.35:
            await (self.get(keys[0], line) if len(keys) == 1 else self.get_many(keys, line))
        elif len(keys) == 1:
            await self.write(keys[0], line)
        else:
            await self.write_many(keys, line)
        return True

    async def get(self, key, line):
        request = {"TableName": TABLE, "Key": {"pk": {"S": key}}, "ConsistentRead": True}
        status, answer = await self.exchange("GetItem", request, line)
        if self.answered(line, status, answer):
            self.saw(line, key, item_list(answer.get("Item")))

    async def get_many(self, keys, line):
        gets = [{"Get": {"TableName": TABLE, "Key": {"pk": {"S": key}}}} for key in keys]
        status, answer = await self.exchange("TransactGetItems", {"TransactItems": gets}, line)
        if self.answered(line, status, answer):
            for key, found in zip(keys, answer["Responses"], strict=True):
                line["acts"].append({"key": key, "do": "read", "saw": item_list(found.get("Item"))})
                self.group.seen[key] = item_list(found.get("Item"))
            self.lines.append(line)

    def saw(self, line, key, found):
        line["acts"].append({"key": key, "do": "read", "saw": found})
        self.group.seen[key] = found
        self.lines.append(line)

    def answered(self, line, status, answer):
        """A read without a response is not part of the history."""
        if status is None or error_of(status, answer) == THROTTLED:
            return False
        if status != 200:
            raise Unexpected(f"a read answered {status} {answer}")
        line["outcome"] = "ok"
        return True

    async def write(self, key, line):
        """Performs an operation on one item whose response shows the item."""
        operation, act, request = self.make_act(key, alone=True)
        request["ReturnValues"] = "ALL_NEW" if act["do"] == "append" and operation == "Update" else "ALL_OLD"
        line["acts"].append(act)
        status, answer = await self.exchange(f"{operation}Item", request, line)
        if status is None:
            self.record(line)
            return
        error = error_of(status, answer)
        if error == "ConditionalCheckFailedException" and "if" in act:
            line["outcome"], act["saw"] = "refused", item_list(answer.get("Item"))
        elif error == THROTTLED:
            return
        elif error:
            raise Unexpected(f"{line} answered {status} {answer}")
        else:
            line["outcome"] = "ok"
            act["made" if request["ReturnValues"] == "ALL_NEW" else "saw"] = item_list(answer.get("Attributes"))
        self.group.seen[key] = act.get("made", act.get("saw"))
        self.record(line)

    async def write_many(self, keys, line):
        parts, expected = [], []
        for key in keys:
            operation, act, request = self.make_act(key, alone=False)
            line["acts"].append(act)
            expected.append(self.group.seen[key])
            parts.append({operation: request})
        request = {"TransactItems": parts}
        if self.random.random() < 0.6:
            request["ClientRequestToken"] = f"{self.group.random.getrandbits(64)}-{self.unique()}"
        status, answer = await self.exchange("TransactWriteItems", request, line)
        began = line["invoke"]
        # With a token the same request may be sent again; its response is then that of the first request that took effect.
        while status is None and "ClientRequestToken" in request:
            del line["outcome"], line["until"]
            status, answer = await self.exchange("TransactWriteItems", request, line)
            line["invoke"] = began
        if status is not None and error_of(status, answer) == THROTTLED:
            return
        if status is not None:
            self.absorb_write(line, expected, status, answer)
        self.record(line)

    def absorb_write(self, line, expected, status, answer):
        error = error_of(status, answer)
        if error == "TransactionCanceledException":
            line["outcome"] = "refused"
            for act, held, reason in zip(line["acts"], expected, answer["CancellationReasons"], strict=True):
                if reason["Code"] == "ConditionalCheckFailed" and "if" in act:
                    act["saw"] = self.group.seen[act["key"]] = item_list(reason.get("Item"))
                elif reason["Code"] != "None":
                    raise Unexpected(f"{line} answered {status} {answer}")
                elif "if" in act:
                    act["saw"] = held
        elif error:
            raise Unexpected(f"{line} answered {status} {answer}")
        else:
            line["outcome"] = "ok"
            for act, held in zip(line["acts"], expected):
                if "if" in act and act["do"] == "append":
                    self.group.seen[act["key"]] = (held or []) + [act["id"]]

    def make_act(self, key, alone):
        """Returns (API action, act, its request)."""
        seen = self.group.seen[key]
        do = self.random.choices(("append", "replace", "put", "delete", "check"), (60, 14, 8, 7, 0 if alone else 11))[0]
        act = {"key": key, "do": "append" if do == "replace" else do}
        if do != "check":
            act["id"] = self.unique()
        request = {"TableName": TABLE}
        values = {}
        if do in ("check", "replace") or self.random.random() < 0.3:
            act["if"] = seen[-1] if seen else None
            request["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
            request["ConditionExpression"] = "v = :seen" if seen else "attribute_not_exists(pk)"
            if seen:
                values[":seen"] = {"S": seen[-1]}
        if do in ("replace", "put"):
            ids = [*(seen or []), act["id"]] if do == "replace" else [act["id"]]
            padding = "p" * self.random.randint(0, PADDING_MAX)
            item = {"pk": {"S": key}, "v": {"S": act["id"]}, "ids": {"L": [{"S": one} for one in ids]}, "padding": {"S": padding}}
            request["Item"] = item
        else:
            request["Key"] = {"pk": {"S": key}}
        if do == "append":
            request["UpdateExpression"] = "SET v = :id, ids = list_append(if_not_exists(ids, :empty), :one)"
            values.update({":id": {"S": act["id"]}, ":one": {"L": [{"S": act["id"]}]}, ":empty": {"L": []}})
        if values:
            request["ExpressionAttributeValues"] = values
        names = {"append": "Update", "replace": "Put", "put": "Put", "delete": "Delete", "check": "ConditionCheck"}
        return names[do], act, request


async def read_lists(client, keys, lines):
    """Performs the reads that close the history: many items at a time, in one transaction each; all of one group, to be checked with it."""
    groups = collections.defaultdict(list)
    for key in keys:
        groups[key.partition("-")[0]].append(key)
    for some in (group[at:at + 50] for group in groups.values() for at in range(0, len(group), 50)):
        line = {"client": -1, "invoke": time.monotonic_ns(), "outcome": "ok"}
        gets = [{"Get": {"TableName": TABLE, "Key": {"pk": {"S": key}}}} for key in some]
        answer = await client.must("TransactGetItems", {"TransactItems": gets})
        line["return"] = time.monotonic_ns()
        line["acts"] = [
            {"key": key, "do": "read", "saw": item_list(found.get("Item"))} for key, found in zip(some, answer["Responses"], strict=True)
        ]
        lines.append(line)
