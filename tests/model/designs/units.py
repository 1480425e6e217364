"""Compares the planned units of every pattern with those that a server consumes.

A read finds as many items in its partition as `model plan` counts, each of exactly the declared size: they are clones of an item that the pattern's recorded
call returns, with another value in one attribute, and keys computed from the model's templates. A write is a recorded call on items of the declared size.
"""
import copy
import http.client
import json
import math
import re

import yaml

from endpoint.sigv4 import Signer

SLACK = 8  # bytes by which an item may miss its declared size
BATCH = 25  # items of a BatchWriteItem
ITEMS_MOST = 15_000  # a pattern that reads more is compared with smaller counts
PLACEHOLDER = re.compile(r"\{([^{}|]+)(?:\|([^{}]+))?\}")
PART = re.compile(r"([\d,.]+) x ([\d,.]+) B of (\S+)")


class Fault(Exception):
    """A pattern that cannot be measured; the message says why."""


class Api:
    """Calls a server. Used by one thread at a time."""

    def __init__(self, authority):
        self.authority, self.connection = authority, http.client.HTTPConnection(authority, timeout=120)

    def call(self, operation, body):
        text = json.dumps(body).encode()
        self.connection.request("POST", "/", text, Signer().headers(self.authority, f"DynamoDB_20120810.{operation}", text))
        answer = self.connection.getresponse()
        result = json.loads(answer.read())
        if answer.status != 200:
            raise Fault(f"{operation} is refused: {result.get('message', result)}")
        return result


def value_bytes(value):
    (kind, content), = value.items()
    if kind == "S":
        return len(content.encode())
    if kind == "N":
        digits = content.lstrip("-").replace(".", "").strip("0")
        return (len(digits) + 1) // 2 + 1 + content.startswith("-")
    if kind == "B":
        return len(content) * 3 // 4
    if kind in ("SS", "NS", "BS"):
        return sum(value_bytes({kind[0]: one}) for one in content)
    if kind == "L":
        return 3 + sum(1 + value_bytes(one) for one in content)
    if kind == "M":
        return 3 + sum(1 + len(name.encode()) + value_bytes(one) for name, one in content.items())
    return 1


def item_bytes(item):
    return sum(len(name.encode()) + value_bytes(value) for name, value in item.items())


def padded(item, size):
    """Returns the item with as much padding as makes it `size` bytes."""
    bare = {name: value for name, value in item.items() if name != "padding"}
    missing = round(size) - item_bytes(bare)
    if missing < -SLACK:
        raise Fault(f"an item has {item_bytes(bare)} bytes without padding, but its declared size is {size}")
    if missing < len("padding"):
        return bare  # no attribute is that short
    return {**bare, "padding": {"S": "." * (missing - len("padding"))}}


def formatted(value, form):
    (_, text), = value.items()
    text = str(text).lower() if isinstance(text, bool) else text
    if form is None:
        return text
    if form.startswith("pad"):
        return text.zfill(int(form[3:]))
    if form.startswith("desc"):
        width = int(form[4:])
        return str(10**width - 1 - int(text)).zfill(width)
    if form in ("lower", "upper"):
        return getattr(text, form)()
    length = {"year": 4, "month": 7, "day": 10, "hour": 13, "iso_s": 19, "iso_ms": 23, "iso_us": 26}[form]
    fraction = {"iso_s": "", "iso_ms": "Z", "iso_us": "Z"}
    cut = text.rstrip("Z")[:length]
    if form == "iso_ms" and len(cut) == 19:
        cut += ".000"
    return cut + ("Z" if form in fraction else "")


def key_text(template, item):
    """Returns the text that a template writes for the item, or None if it lacks an attribute."""
    out, at = "", 0
    for found in PLACEHOLDER.finditer(template):
        if found[1] not in item:
            return None
        out += template[at : found.start()] + formatted(item[found[1]], found[2])
        at = found.end()
    return out + template[at:]


def is_lone(template):
    return PLACEHOLDER.fullmatch(template) and "|" not in template


def other_value(value, declared, n):
    """Returns the n-th value beside the given one, or None if the type has no others."""
    kind = declared if isinstance(declared, (str, list)) else declared["type"]
    (stored, text), = value.items()
    if isinstance(kind, list) or stored not in ("S", "N"):
        return None
    if stored == "N":
        return {"N": str(int(float(text)) + n)}
    if kind == "date":
        return None
    if kind.startswith("time"):
        return {"S": text[:11] + f"{n // 3600 % 24:02}:{n // 60 % 60:02}:{n % 60:02}" + text[19:]}
    if kind in ("ulid", "ksuid", "uuid7"):
        tail = f"{n:07}"
        return {"S": text[: -len(tail)] + tail}
    return {"S": f"{text}{n:05}"}


class Entity:
    """An entity of a model, with the keys of its items."""

    def __init__(self, model, name):
        self.model, self.name, self.about = model, name, model["entities"][name]
        if "copy_of" in self.about:
            raise Fault("copies are not supported")

    def templates(self, attribute):
        variants = self.about.get("variants", {}).values()
        every = [self.about["keys"].get(attribute)] + [one["keys"].get(attribute) for one in variants]
        return [one for one in every if one is not None]

    def changed(self, item, attribute, value):
        """Returns the item with another value of an attribute, and its keys with it."""
        after = {**item, attribute: value}
        for key in {key for one in [self.about, *self.about.get("variants", {}).values()] for key in one["keys"]} - {attribute}:
            if key not in item or key in self.about["attributes"]:
                continue
            now = [one for one in self.templates(key) if key_text(one, item) == formatted(item[key], None)]
            if not now:
                raise Fault(f"no template of {self.name} makes {key} = {item[key]}")
            (kind, _), = item[key].items()
            after[key] = {kind: key_text(now[0], after)}
        return after

    def clones(self, item, count, fits):
        """Returns `count` items with different keys, all of which `fits`, that differ from the item in one attribute."""
        for name in reversed([name for name in self.about["attributes"] if name in item]):
            made = {json.dumps(self.base_key(item)): item}
            for n in range(1, count + 2):
                value = other_value(item[name], self.about["attributes"][name], n)
                other = self.changed(item, name, value) if value is not None else None
                if len(made) >= count or len(made) + 1 < n or other is None or not fits(other):
                    break
                made[json.dumps(self.base_key(other))] = other
            if len(made) >= count:
                return list(made.values())
        raise Fault(f"{count} items of {self.name} cannot be made")

    def base_key(self, item):
        return {name: item[name] for name in self.model["table"]["key"].values()}


def holds(body, item):
    """Returns True if the item satisfies the request's key condition."""
    names, values = body.get("ExpressionAttributeNames", {}), body.get("ExpressionAttributeValues", {})
    comparable = lambda value: float(value["N"]) if "N" in value else next(iter(value.values()))
    text = re.sub(r"(BETWEEN \S+) AND", r"\1 ..", body["KeyConditionExpression"])
    for one in text.split(" AND "):
        begins = re.fullmatch(r"begins_with\((\S+), (\S+)\)", one)
        left, operator, *right = (begins[1], "begins", begins[2]) if begins else one.replace(" ..", "").split()
        if names.get(left, left) not in item:
            return False
        value, operands = comparable(item[names.get(left, left)]), [comparable(values[name]) for name in right]
        good = {
            "=": lambda: value == operands[0],
            "<": lambda: value < operands[0],
            "<=": lambda: value <= operands[0],
            ">": lambda: value > operands[0],
            ">=": lambda: value >= operands[0],
            "BETWEEN": lambda: operands[0] <= value <= operands[1],
            "begins": lambda: value.startswith(operands[0]),
        }[operator]()
        if not good:
            return False
    return True


def units_in(answer):
    consumed = answer.get("ConsumedCapacity", [])
    return sum(one["CapacityUnits"] for one in (consumed if isinstance(consumed, list) else [consumed]))


class Design:
    """One model, its plan and its recorded calls, measured on a server."""

    def __init__(self, name, model, plan, record, definition, shared, api):
        self.name, self.model, self.record, self.definition, self.api = name, model, record, definition, api
        self.shared = shared  # pairs of entities that share their keys, so that a partition has an item of one or the other
        self.plans = {one["name"]: one for one in plan["patterns"]}
        self.tables = 0

    def size_of(self, entity):
        return self.model["entities"][entity].get("size", {}).get("avg", 1024)

    def new_table(self, items):
        self.tables += 1
        table = f"{self.name}-{self.tables}"
        self.api.call("CreateTable", {**self.definition, "TableName": table})
        for at in range(0, len(items), BATCH):
            puts = [{"PutRequest": {"Item": item}} for item in items[at : at + BATCH]]
            self.api.call("BatchWriteItem", {"RequestItems": {table: puts}})
        return table

    def drop(self, table):
        self.api.call("DeleteTable", {"TableName": table})

    def send(self, operation, body, table):
        """Returns the units and the answer of one request."""
        body = json.loads(json.dumps(body).replace(json.dumps({"TableName": self.model["table"]["name"]})[1:-1], json.dumps({"TableName": table})[1:-1]))
        if "RequestItems" in body:
            body["RequestItems"] = {table: next(iter(body["RequestItems"].values()))}
        answer = self.api.call(operation, {**body, "ReturnConsumedCapacity": "INDEXES"})
        return units_in(answer), answer

    def entity_of(self, item):
        """Finds an item's entity by what its key looks like."""
        for name in self.model["entities"]:
            entity = Entity(self.model, name)
            fits = lambda key: key not in entity.about["keys"] or any(key_text(one, item) == formatted(item[key], None) for one in entity.templates(key))
            if set(entity.about["attributes"]) >= set(item) - set(entity.about["keys"]) - {"padding", self.model["table"].get("type_attribute")}:
                if all(fits(key) for key in self.model["table"]["key"].values()):
                    return entity
        raise Fault(f"no entity of the model has the item {item}")

    def read(self, pattern):
        """Returns (planned units, measured units, pages)."""
        plan = self.plans[pattern]
        calls = [call for call in self.record["calls"] if call["pattern"] == pattern]
        if plan["operation"] in ("Query", "Scan"):
            return self.read_range(pattern, plan, calls)
        if not any(call["result"] for call in calls):
            raise Fault("no recorded call returns an item")
        call = max(calls, key=lambda one: len(one["result"]))
        items = [padded(one["item"], self.size_of(one["entity"])) for one in call["result"]]
        requests = call["requests"]
        if plan["operation"] == "BatchGetItem":
            items, requests = self.batch(call, int(plan["items"]))
        table = self.new_table(items)
        measured = sum(self.send(plan["operation"], body, table)[0] for body in requests)
        self.drop(table)
        return plan["readUnits"], measured, 1

    def batch(self, call, count):
        first = call["result"][0]
        entity = Entity(self.model, first["entity"])
        items = entity.clones(first["item"], count, lambda item: True)
        items = [padded(item, self.size_of(first["entity"])) for item in items]
        keys = [entity.base_key(item) for item in items]
        return items, [{"RequestItems": {"": {"Keys": keys[at : at + 100]}}} for at in range(0, count, 100)]

    def read_range(self, pattern, plan, calls):
        parts = [(float(n.replace(",", "")), float(size.replace(",", "")), entity)
                 for one in plan["trace"] for n, size, entity in PART.findall(one["about"])]
        if sum(part[0] for part in parts) > ITEMS_MOST:
            raise Fault(f"it reads {sum(part[0] for part in parts):,.0f} items")
        faults = []
        for call in sorted(calls, key=lambda one: -len(one["result"]))[:20]:
            try:
                items = self.items_of(call, parts, plan["index"])
            except Fault as fault:
                faults.append(str(fault))
                continue
            return self.measure_range(pattern, plan, call["requests"], items)
        raise Fault(faults[0])

    def items_of(self, call, parts, index):
        """Makes the items that a call reads; of several requests, all that the first one reads."""
        body, items = call["requests"][0], []
        fits = (lambda item: holds(body, item)) if "KeyConditionExpression" in body else (lambda item: True)
        whole = index is None or self.model["indexes"][index].get("project", "all") == "all"
        for count, size, name in parts:
            entity = Entity(self.model, name)
            known = [one["item"] for one in call["result"] if one["entity"] == name]
            known += [item for item in self.record["items"] if fits(item) and self.entity_of(item).name == name]
            wanted = self.model["patterns"][call["pattern"]]["query"] if "KeyConditionExpression" in body else []
            if not known and any({name, other} in self.shared for other in wanted):
                continue
            if not known:
                raise Fault(f"the sample has no {name} that the call reads")
            made = entity.clones(known[0], max(1, round(count)), fits)
            items += [padded(item, size if whole else self.size_of(name)) for item in made]
        return items

    def measure_range(self, pattern, plan, requests, items):
        about = self.model["patterns"][pattern]
        table, measured, pages = self.new_table(items), 0, 0
        follow = about.get("paginate") == "all" or "scan" in about and "limit" not in about
        for body in requests:
            next_body = body
            while next_body is not None:
                units, answer = self.send(plan["operation"], next_body, table)
                measured, pages = measured + units, pages + 1
                last = answer.get("LastEvaluatedKey")
                next_body = {**body, "ExclusiveStartKey": last} if last and follow else None
        self.drop(table)
        return plan["readUnits"], measured, pages

    def writes(self):
        """Replays the recorded writes on items of their declared sizes; yields (pattern, planned, the most that a call consumed)."""
        table = self.new_table([padded(item, self.size_of(self.entity_of(item).name)) for item in self.record["items"]])
        most = {}
        for i, call in enumerate(self.record["calls"]):
            if "after" not in call:
                continue
            measured = 0
            for body in call["requests"]:
                body = self.with_padding(copy.deepcopy(body))
                if "ClientRequestToken" in body:
                    body["ClientRequestToken"] = f"{self.name[:20]}-{i}"
                try:
                    measured += self.send(call["operation"], body, table)[0]
                except Fault:
                    measured = 0  # the repetition of a call with a token, which is another call here
                    break
            most[call["pattern"]] = max(measured, most.get(call["pattern"], 0))
        self.drop(table)
        for pattern, measured in most.items():
            yield pattern, self.plans[pattern]["writeUnits"], measured

    def with_padding(self, body):
        """Pads every item that a request puts."""
        elements = [one for one in body.get("TransactItems", [])] + [one for all in body.get("RequestItems", {}).values() for one in all]
        for holder in [body] + [inner for one in elements for inner in one.values()]:
            if "Item" in holder:
                holder["Item"] = padded(holder["Item"], self.size_of(self.entity_of(holder["Item"]).name))
        return body

    def compare(self):
        """Yields (pattern, fault or None) for every pattern."""
        for pattern, plan in self.plans.items():
            if plan["writeUnits"] or plan["operation"] is None:
                continue
            try:
                planned, measured, pages = self.read(pattern)
                good = abs(planned - measured) <= 0.5 * max(1, pages)
                yield pattern, None if good else f"{planned:g} read units are planned, and {measured:g} are consumed"
            except Fault as fault:
                yield pattern, str(fault)
        try:
            for pattern, planned, measured in self.writes():
                yield pattern, None if math.isclose(planned, measured) else f"{planned:g} write units are planned, and {measured:g} are consumed"
        except Fault as fault:
            yield "writes", str(fault)


def with_fewer_items(text, factor):
    """Returns the model with smaller counts, for patterns that read all items of a kind."""
    return re.sub(r"\bcount: (\d+)", lambda one: f"count: {max(1, round(int(one[1]) * factor))}", text)


def load(text):
    return yaml.safe_load(text)
