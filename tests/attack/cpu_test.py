#!/usr/bin/env python3
"""Checks that no request that names its items costs more than a second of CPU time: tests/attack/cpu_test.py --binary PATH [--long] [--limit S] [--only REGEX]

It builds the worst requests of up to 16 MB that every operation and every form of expression allows, and reads the server's CPU time before and
after each. The limit is 1 s for a release build with --long, on an idle machine; without, it is 3 s, because a busy machine's processors are
slower. Builds with sanitizers or without optimization get a multiple of it. The test does not check what the responses are, only that there is one,
what it costs, and that the server keeps running. Scans and queries are tested only on one large item; another test covers the cost of a page.
"""
import argparse
import json
import os
import pathlib
import random
import re
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from endpoint.connection import Connection, request_bytes
from endpoint.server import Server
from endpoint.sigv4 import Signer

LIMIT_S, BUSY_LIMIT_S = 1.0, 3.0
FACTORS = ((b"__asan_init", 15.0), (b"__tsan_init", 15.0))  # factor allowed for a sanitizer
TABLE, INDEXED, SINGLE = "cpu", "cpu_indexed", "cpu_single"
LARGE = 390_000  # bytes of an item, leaving room for its key
EXPRESSION = 4096
STATEMENT = 8192
BODY = 16 * 1024 * 1024
random.seed(7)


def s(text):
    return {"S": text}


def n(number):
    return {"N": str(number)}


def names(count, width):
    """Yields distinct short names in order."""
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    for i in range(count):
        text = ""
        for _ in range(width):
            i, digit = divmod(i, len(letters))
            text = letters[digit] + text
        yield text


def repeated(part, separator, limit):
    """Returns as many copies of `part` as fit into `limit` bytes; "%" becomes the number of the copy, counted down from 190,000.
    A ConditionExpression has at most 300 operators; a statement may have more."""
    parts, used = [], 0
    most = 300 // (2 if re.search(r"[=<>]| IN | BETWEEN ", part) else 1) if separator.strip() in ("OR", "AND") and limit <= EXPRESSION else limit
    while len(parts) < most:
        one = part.replace("%", str(189_999 - len(parts)))
        used += len(one) + len(separator)
        if used > limit:
            break
        parts.append(one)
    return separator.join(parts)


def periodic(count, unit="a"):
    return (unit * (count // len(unit) + 1))[:count]


def coin_flips(count):
    return "".join(random.choices("ab", k=count))


class Request:
    """A worst case: its family, operation and members, or the body itself; `short` cases also run in ./test. Immutable."""

    def __init__(self, family, name, operation, members, short=False, prepare=()):
        self.family, self.name, self.operation, self.members = family, name, operation, members
        self.short, self.prepare = short, prepare

    def body(self):
        made = self.members() if callable(self.members) else self.members
        return made if isinstance(made, bytes) else json.dumps(made, separators=(",", ":")).encode()


class Target:
    """One thread at a time."""

    def __init__(self, binary, folder):
        self.log = pathlib.Path(folder) / "log"
        self.server = Server(binary, data=pathlib.Path(folder) / "data", log_path=self.log)
        self.server.start()
        self.connection = Connection("127.0.0.1", self.server.port, 600.0)

    def send(self, operation, body):
        headers = Signer().headers(self.server.authority, f"DynamoDB_20120810.{operation}", body)
        return self.connection.request(request_bytes("POST", "/", [*headers.items(), ("Content-Length", len(body))], body))

    def must(self, operation, members):
        answer = self.send(operation, json.dumps(members, separators=(",", ":")).encode())
        if answer.status != 200:
            raise SystemExit(f"{operation} in the setup: {answer.status} {answer.body[:500]!r}")

    def cpu_s(self):
        fields = pathlib.Path(f"/proc/{self.server.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def wait_until_idle(self):
        """Waits until the server is idle, so that the flushes and compactions of one request do not count for the next."""
        before = self.cpu_s()
        for _ in range(200):
            time.sleep(0.03)
            now = self.cpu_s()
            if now == before:
                return
            before = now


# --- the items

def put(target, key, attributes, table=TABLE):
    target.must("PutItem", {"TableName": table, "Item": {"pk": s(key), **attributes}})


def null_list(count=194_000):
    return {"L": [{"NULL": True}] * count}


def wide_map(count=80_000):
    return {"M": {name: {"NULL": True} for name in names(count, 3)}}


def nested(depth, innermost):
    value = innermost
    for _ in range(depth):
        value = {"M": {"a": value}}
    return value


def chain():
    """a0 holds a1, which holds a2, …, and the last one almost all of the item."""
    value = null_list(190_000)
    for i in range(30, 0, -1):
        value = {"M": {f"a{i}": value}}
    return {"a0": value}


def indexes(count):
    return [
        {
            "IndexName": f"g{i:02}",
            "KeySchema": [{"AttributeName": f"zz{i:02}", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": [f"zy{i:02}{j}" for j in range(100 // count)]},
        }
        for i in range(count)
    ]


def wide_item(count=95_000):
    return {**{name: {"NULL": True} for name in names(count, 3)}, **{f"zz{i:02}": s("v") for i in range(20)}}


def set_up(target):
    plain = {"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], "BillingMode": "PAY_PER_REQUEST"}
    key = [{"AttributeName": "pk", "AttributeType": "S"}]
    for table in (TABLE, SINGLE):
        target.must("CreateTable", {"TableName": table, "AttributeDefinitions": key, **plain})
    target.must("CreateTable", {
        "TableName": INDEXED, "GlobalSecondaryIndexes": indexes(20), **plain,
        "AttributeDefinitions": key + [{"AttributeName": f"zz{i:02}", "AttributeType": "S"} for i in range(20)],
    })
    put(target, "text", {"a": s(periodic(LARGE))})
    put(target, "text", {"a": s(periodic(LARGE))}, SINGLE)
    put(target, "flips", {"a": s(coin_flips(LARGE))})
    put(target, "twins", {"a": s(periodic(LARGE // 2)), "b": s(periodic(LARGE // 2 - 1) + "b")})
    put(target, "list", {"a": null_list()})
    put(target, "numbers", {"a": {"L": [n(i) for i in range(100_000, 160_000)]}})
    put(target, "map", {"a": wide_map()})
    put(target, "wide", {name: {"NULL": True} for name in names(95_000, 3)})
    put(target, "deep", {"a": nested(30, null_list(190_000))})
    put(target, "chain", chain())
    put(target, "strings", {"a": {"SS": [f"{i:09}" for i in range(40_000)]}})
    for i in range(25):
        put(target, f"text{i}", {"a": s(periodic(LARGE))})
    for i in range(10):
        put(target, f"list{i}", {"a": null_list()})


# --- the requests

LONG = periodic(195_000) + "b"


def contains(times, separator=" OR "):
    return separator.join(["contains(a,:v)"] * times)


def keyed(key, table=TABLE, **members):
    return {"TableName": table, "Key": {"pk": s(key)}, **members}


def with_value(value, **members):
    """Adds :v if the condition or the update uses it."""
    text = members.get("ConditionExpression", "") + members.get("UpdateExpression", "") + members.get("FilterExpression", "")
    return {**members, "ExpressionAttributeValues": {":v": value}} if ":v" in text else members


def contains_requests():
    for times in (1, 10, 40, 100):
        for operation in ("DeleteItem", "UpdateItem"):
            yield Request("contains", f"{operation} {times} x contains", operation,
                          with_value(s(LONG), **keyed("text"), ConditionExpression=contains(times)))
        yield Request("contains", f"Query {times} x contains", "Query", {
            "TableName": TABLE, "KeyConditionExpression": "pk=:p", "FilterExpression": contains(times),
            "ExpressionAttributeValues": {":p": s("text"), ":v": s(LONG)}})
        yield Request("contains", f"Scan {times} x contains", "Scan",
                      with_value(s(LONG), TableName=SINGLE, FilterExpression=contains(times)), short=times == 100)
    yield Request("contains", "DeleteItem 20 x contains", "DeleteItem",
                  with_value(s(LONG), **keyed("text"), ConditionExpression=contains(20)), short=True)
    parts = {"2": "ab", "8": periodic(7) + "b", "31": periodic(30) + "b", "32 in the middle": periodic(16) + "b" + periodic(15),
             "33": periodic(32) + "b", "256": "b" + periodic(255), "257": periodic(128) + "b" + periodic(128), "long": LONG}
    most = repeated("contains(a,:v)", "OR ", EXPRESSION)
    for name, part in parts.items():
        yield Request("contains", f"DeleteItem, as many contains as fit, part {name}", "DeleteItem",
                      with_value(s(part), **keyed("text"), ConditionExpression=most), short=name in ("31", "long"))
    for count in (3, 16, 24, 64, 195_000):
        yield Request("contains", f"DeleteItem, as many contains as fit, coin flips, part of {count}", "DeleteItem",
                      with_value(s(coin_flips(count) + "c"), **keyed("flips"), ConditionExpression=most))
    yield Request("contains", "PutItem Expected CONTAINS", "PutItem", {
        "TableName": TABLE, "Item": {"pk": s("text")},
        "Expected": {"a": {"ComparisonOperator": "NOT_CONTAINS", "AttributeValueList": [s(periodic(2))]}}})
    yield Request("contains", "Scan ScanFilter CONTAINS", "Scan", {
        "TableName": SINGLE, "ScanFilter": {"a": {"ComparisonOperator": "CONTAINS", "AttributeValueList": [s(LONG)]}}})
    yield Request("contains", "TransactWriteItems, 10 large items, as many contains as fit", "TransactWriteItems", {
        "TransactItems": [{"ConditionCheck": with_value(s(periodic(195_000) + "b"), **keyed(f"text{i}"), ConditionExpression=most)}
                          for i in range(10)]}, short=True)
    yield Request("contains", "TransactWriteItems, 10 large items, as many short contains as fit", "TransactWriteItems", {
        "TransactItems": [{"ConditionCheck": with_value(s(periodic(30) + "b"), **keyed(f"text{i}"), ConditionExpression=most)}
                          for i in range(10)]})
    yield Request("contains", "TransactWriteItems, 10 large lists, as many contains as fit", "TransactWriteItems", {
        "TransactItems": [{"ConditionCheck": with_value(s("x"), **keyed(f"list{i}"), ConditionExpression=most)} for i in range(10)]},
        short=True)
    for key in ("list", "numbers", "strings", "deep"):
        for value in (s("x"), n(5)):
            yield Request("contains", f"DeleteItem, as many contains as fit on {key}", "DeleteItem",
                          with_value(value, **keyed(key), ConditionExpression=most))


def partiql_requests():
    for times in (1, 5):
        where = "".join([" AND contains(a,?)"] * times)
        yield Request("partiql", f"ExecuteStatement {times} x contains", "ExecuteStatement", {
            "Statement": f'SELECT pk FROM "{TABLE}" WHERE pk IN [\'text\',\'text0\']{where}', "Parameters": [s(LONG)] * times},
            short=times == 5)
    head = f"DELETE FROM {TABLE} WHERE pk='text' AND ("
    where = repeated("contains(a,?)", "OR ", STATEMENT - len(head) - 2)
    marks = where.count("?")
    yield Request("partiql", "ExecuteStatement, as many contains as fit", "ExecuteStatement",
                  {"Statement": f"{head}{where})", "Parameters": [s(periodic(24_000) + "b")] * marks}, short=True)
    yield Request("partiql", "BatchExecuteStatement, 25 x as many contains as fit", "BatchExecuteStatement", {
        "Statements": [{"Statement": f"{head}{where})".replace("'text'", f"'text{i}'"), "Parameters": [s(periodic(30) + "b")] * marks}
                       for i in range(25)]})
    for needle in (periodic(30) + "b", periodic(40) + "b", periodic(26, "ab") + "b", periodic(60, "aab") + "b"):
        yield Request("partiql", f"ExecuteTransaction, 10 x as many contains as fit of {len(needle)} bytes", "ExecuteTransaction", {
            "TransactStatements": [
                {"Statement": f"{head}{where})".replace("'text'", f"'text{i}'"), "Parameters": [s(needle)] * marks}
                for i in range(10)]})
    for key, part in (("list", "a[%]='x'"), ("map", "a.zzz='x'"), ("wide", "zzz='x'"), ("list", "a[%] IN ['x',a[189000]]")):
        head = f"DELETE FROM {TABLE} WHERE pk='{key}' AND ("
        yield Request("partiql", f"ExecuteStatement, as many paths as fit on {key}", "ExecuteStatement",
                      {"Statement": f"{head}{repeated(part, 'OR ', STATEMENT - len(head) - 2)})"})
    columns = repeated("a[%]", ",", STATEMENT - 60)
    yield Request("partiql", "ExecuteStatement, as many columns as fit", "ExecuteStatement",
                  {"Statement": f"SELECT {columns} FROM {TABLE} WHERE pk='list'"}, short=True)
    holders = [".".join(f"a{i}" for i in range(depth + 1)) for depth in range(31)]
    for count in (4, 31):
        select = {"Statement": f"SELECT {','.join(holders[:count])} FROM {TABLE} WHERE pk='chain'"}
        yield Request("partiql", f"ExecuteStatement, {count} columns that hold one another", "ExecuteStatement", select)
    removes = repeated("REMOVE a[%]", " ", STATEMENT - 60)
    yield Request("partiql", "ExecuteStatement, as many REMOVEs as fit", "ExecuteStatement",
                  {"Statement": f"UPDATE {TABLE} {removes} WHERE pk='nobody'"})
    keys = ",".join(f"'{name}'" for name in names(100, 2))
    yield Request("partiql", "ExecuteStatement, IN of IN", "ExecuteStatement",
                  {"Statement": f"SELECT * FROM {TABLE} WHERE pk IN [{keys}]" + f" AND a IN [{keys}]" * 12})
    ors = repeated("pk='%'", " OR ", STATEMENT - 60)
    yield Request("partiql", "ExecuteStatement, as many keys as fit", "ExecuteStatement", {"Statement": f"SELECT * FROM {TABLE} WHERE {ors}"})
    for literal in ("[" * 31 + "]" * 31, "[" + repeated("1", ",", 8000) + "]", "<<" + repeated("%", ",", 8000) + ">>", "'" + "x" * 8000 + "'",
                    "{" + repeated("'%':1", ",", 8000) + "}", "(" * 4000 + ")" * 4000, "-" * 8000, "NOT " * 2000):
        yield Request("partiql", f"ExecuteStatement, literal {literal[:8]}…", "ExecuteStatement",
                      {"Statement": f"INSERT INTO {TABLE} VALUE {{'pk':'lit','a':{literal}}}"[:STATEMENT]})
    yield Request("partiql", "ExecuteStatement, a parameter of 15 MB", "ExecuteStatement", lambda: {
        "Statement": f"INSERT INTO {TABLE} VALUE ?", "Parameters": [{"M": {"pk": s("p"), "a": s("x" * 15_000_000)}}]})
    yield Request("partiql", "ExecuteStatement, 1,000,000 parameters", "ExecuteStatement",
                  lambda: {"Statement": f"SELECT * FROM {TABLE}", "Parameters": [{"NULL": True}] * 1_000_000})


def set_requests():
    def number_set(first, count):
        return {"NS": [str(first + i) for i in range(count)]}

    base = {"a": number_set(0, 60_000)}
    restore = (("PutItem", {"TableName": TABLE, "Item": {"pk": s("ns"), **base}}),)
    yield Request("sets", "ADD 60,000 to 60,000", "UpdateItem",
                  with_value(number_set(60_000, 60_000), **keyed("ns"), UpdateExpression="ADD a :v"), True, restore)
    yield Request("sets", "ADD, interleaved", "UpdateItem",
                  with_value({"NS": [str(i + 0.5) for i in range(60_000)]}, **keyed("ns"), UpdateExpression="ADD a :v"), False, restore)
    yield Request("sets", "DELETE 300,000 from 60,000", "UpdateItem",
                  lambda: with_value(number_set(50_000, 250_000), **keyed("ns"), UpdateExpression="DELETE a :v"), True, restore)
    strings = (("PutItem", {"TableName": TABLE, "Item": {"pk": s("ss"), "a": {"SS": [f"{i:09}" for i in range(30_000)]}}}),)
    yield Request("sets", "ADD 20,000 strings to 30,000", "UpdateItem",
                  with_value({"SS": [f"x{i:06}" for i in range(20_000)]}, **keyed("ss"), UpdateExpression="ADD a :v"), True, strings)
    yield Request("sets", "AttributeUpdates ADD and DELETE", "UpdateItem", lambda: {
        **keyed("ns"), "AttributeUpdates": {"a": {"Action": "DELETE", "Value": number_set(1, 1_000_000)}}}, False, restore)
    yield Request("sets", "PartiQL set_add", "ExecuteStatement", {
        "Statement": f"UPDATE {TABLE} SET a=set_add(a,?) WHERE pk='ns'", "Parameters": [number_set(60_000, 60_000)]}, False, restore)
    yield Request("sets", "sets that are equal but for their end", "DeleteItem", with_value(
        {"SS": [f"{i:09}" for i in range(39_999)] + ["x"]}, **keyed("strings"), ConditionExpression=repeated("a=:v", " OR ", EXPRESSION)))
    for name, elements in (("300,000 numbers", [str(i) for i in range(300_000)]), ("300,000 equal numbers", ["1"] * 300_000),
                           ("numbers of 38 digits", [str(10**37 + i) for i in range(250_000)]),
                           ("numbers of 38 digits, backwards", [str(10**37 - i) for i in range(250_000)])):
        yield Request("sets", f"PutItem NS of {name}", "PutItem",
                      lambda elements=elements: {"TableName": TABLE, "Item": {"pk": s("new"), "a": {"NS": elements}}})
    yield Request("sets", "PutItem SS of strings that differ at their end", "PutItem", lambda: {
        "TableName": TABLE, "Item": {"pk": s("new"), "a": {"SS": ["x" * 1000 + str(i) for i in range(15_000)]}}}, short=True)
    yield Request("sets", "PutItem SS of 800,000 equal strings", "PutItem", lambda: {
        "TableName": TABLE, "Item": {"pk": s("new"), "a": {"SS": ["x"] * 800_000}}})


def operand_requests():
    """Conditions with many operands over large values and over attributes that are deep or at the end."""
    million = {":v": s(periodic(1_000_000)), ":w": s(periodic(999_999) + "b")}
    same = repeated(":v=:w", " OR ", EXPRESSION)
    in_list = ":v IN (" + ",".join([":w"] * 99) + ")"
    for name, condition in (("equality", same), ("order", repeated(":v>:w", " AND ", EXPRESSION)), ("IN", repeated(in_list, " OR ", EXPRESSION)),
                            ("begins_with", repeated("begins_with(:v,:w)", " OR ", EXPRESSION)), ("size", repeated("size(:v)<size(:w)", " OR ", EXPRESSION)),
                            ("contains", repeated("contains(:v,:w)", " OR ", EXPRESSION)), ("BETWEEN", repeated(":v BETWEEN :w AND :v", " AND ", EXPRESSION))):
        yield Request("operands", f"DeleteItem, two values of 1 MB, {name}", "DeleteItem", lambda condition=condition: {
            **keyed("nobody"), "ConditionExpression": condition, "ExpressionAttributeValues": million}, short=name == "IN")
        yield Request("operands", f"TransactWriteItems, two values of 200 KB in each, {name}", "TransactWriteItems", lambda condition=condition: {
            "TransactItems": [{"ConditionCheck": {
                **keyed(f"nobody{i}"), "ConditionExpression": condition,
                "ExpressionAttributeValues": {":v": s(periodic(200_000)), ":w": s(periodic(199_999) + "b")}}} for i in range(10)]})
    for key, part in (("twins", "a=b"), ("twins", "a>b"), ("twins", "contains(a,b)"), ("twins", "begins_with(a,b)"), ("text", "size(a)<:v"),
                      ("list", "a[%]=:v"), ("list", "a[%]=a[1]"), ("map", "a.zzz=:v"), ("map", "a.abc=a.zyx"), ("wide", "zzz=:v"), ("wide", "abc=zyx"),
                      ("deep", ".".join("a" * 31) + "[%]=:v"), ("deep", "size(" + ".".join("a" * 31) + ")<:v"), ("strings", "contains(a,:v)"),
                      ("list", "attribute_exists(a[%].b)"), ("list", "attribute_type(a[%],:v)")):
        yield Request("operands", f"DeleteItem, as many {part} as fit on {key}", "DeleteItem", with_value(
            s("S"), **keyed(key), ConditionExpression=repeated(part, " OR ", EXPRESSION)), short=part in ("a[%]=a[1]", "abc=zyx"))
    paths = "a[%] IN (" + ",".join(f"a[{189_000 + i}]" for i in range(99)) + ")"
    for operation, items in (("DeleteItem", 1), ("TransactWriteItems", 10)):
        check = {"ConditionExpression": repeated(paths, " OR ", EXPRESSION)}
        members = {**keyed("list"), **check} if items == 1 else {
            "TransactItems": [{"ConditionCheck": {**keyed(f"list{i}"), **check}} for i in range(items)]}
        yield Request("operands", f"{operation}, IN of paths", operation, members, short=items == 10)
    deep_not = "NOT " * 290 + "a=:v"
    for condition in (deep_not, "(" * 500 + "a=:v" + ")" * 500, "(" * 2000, repeated("(NOT(a=:v", "AND ", 3000)):
        yield Request("operands", f"DeleteItem {condition[:9]}…", "DeleteItem", with_value(s("x"), **keyed("text"), ConditionExpression=condition))
    yield Request("operands", "DeleteItem Expected of 100,000 attributes", "DeleteItem", lambda: {
        **keyed("wide"), "Expected": {x: {"ComparisonOperator": "NULL"} for x in (*names(190_000, 4), "pk")}, "ConditionalOperator": "AND"}, short=True)
    yield Request("operands", "DeleteItem Expected IN of 400,000 values", "DeleteItem", lambda: {
        **keyed("text"), "Expected": {"a": {"ComparisonOperator": "IN", "AttributeValueList": [s(str(i)) for i in range(400_000)]}}})
    yield Request("operands", "DeleteItem Expected IN of 40 values of 390 KB", "DeleteItem", lambda: {
        **keyed("text"), "Expected": {"a": {"ComparisonOperator": "IN", "AttributeValueList": [s(periodic(LARGE - 1) + "b")] * 40}}})


def projection_requests():
    for key, part in (("list", "a[%]"), ("deep", ".".join("a" * 31) + "[%]"), ("map", None), ("wide", None)):
        if part:
            projection = repeated(part, ",", EXPRESSION)
        else:
            prefix = "a." if key == "map" else ""
            late = [name for name in list(names(80_000, 3))[-1500:] if name.isalpha()]
            projection = ",".join(prefix + name for name in late)[: EXPRESSION - 20].rpartition(",")[0]
        yield Request("projections", f"GetItem, as many paths as fit of {key}", "GetItem", keyed(key, ProjectionExpression=projection))
        keys = [{"pk": s(f"{key}{i}")} for i in range(10)] if key == "list" else [{"pk": s(key)}]
        yield Request("projections", f"BatchGetItem, as many paths as fit of {key}", "BatchGetItem", {
            "RequestItems": {TABLE: {"Keys": keys, "ProjectionExpression": projection}}}, short=key == "list")
        yield Request("projections", f"TransactGetItems, as many paths as fit of {key}", "TransactGetItems", {
            "TransactItems": [{"Get": {"TableName": TABLE, "Key": one, "ProjectionExpression": projection}} for one in keys]})
        yield Request("projections", f"UpdateItem, UPDATED_NEW of {key}", "UpdateItem", {
            **keyed(key), "UpdateExpression": "REMOVE " + projection[:4000].rpartition(",")[0], "ReturnValues": "UPDATED_OLD",
            "ConditionExpression": "attribute_not_exists(pk)"})
    yield Request("projections", "GetItem, AttributesToGet of 500,000", "GetItem",
                  lambda: keyed("wide", AttributesToGet=list(names(500_000, 4))), short=True)
    yield Request("projections", "BatchGetItem of 20 large items", "BatchGetItem", {
        "RequestItems": {TABLE: {"Keys": [{"pk": s(f"{key}{i}")} for key in ("text", "list") for i in range(10)]}}})
    yield Request("projections", "GetItem, paths that overlap", "GetItem", keyed("list", ProjectionExpression=repeated("a[1]", ",", EXPRESSION)))


def update_requests():
    restore = {"list": ("PutItem", lambda: {"TableName": TABLE, "Item": {"pk": s("u"), "a": null_list()}}),
               "map": ("PutItem", lambda: {"TableName": TABLE, "Item": {"pk": s("u"), "a": wide_map(75_000)}}),
               "wide": ("PutItem", lambda: {"TableName": TABLE, "Item": {"pk": s("u"), **{x: {"NULL": True} for x in names(90_000, 3)}}}),
               "text": ("PutItem", lambda: {"TableName": TABLE, "Item": {"pk": s("u"), "a": s(periodic(LARGE)), "l": {"L": []}}}),
               "half": ("PutItem", lambda: {"TableName": TABLE, "Item": {"pk": s("u"), "a": null_list(97_000)}})}
    for item, section, part in (
        ("list", "SET ", "a[%]=:v"), ("list", "SET ", "a[%]=a[1]"), ("list", "REMOVE ", "a[%]"), ("map", "SET ", "a.n%=:v"), ("map", "REMOVE ", "a.n%"),
        ("wide", "SET ", "n%=:v"), ("wide", "REMOVE ", "n%"), ("map", "ADD ", "a.n% :v"), ("text", "SET ", "n%=a"), ("half", "SET ", "n%=list_append(a,a)"),
        ("list", "SET ", "n%=a"), ("text", "SET ", "n%=if_not_exists(a,:v)"), ("list", "SET ", "a[%]=if_not_exists(a[189999],:v)"),
        ("list", "SET ", "n%=a[189999]"),
    ):
        expression = section + repeated(part, ",", EXPRESSION - len(section))
        members = with_value(n(1), **keyed("u"), UpdateExpression=expression, ReturnValues="UPDATED_NEW")
        yield Request("updates", f"UpdateItem of {item}, as many {section}{part} as fit", "UpdateItem", members,
                      part in ("a[%]=a[1]", "n%=a", "n%=list_append(a,a)", "a.n%=:v"), (restore[item],))
    members = [{"Update": {**keyed(f"list{i}"), "UpdateExpression": "SET " + repeated("a[%]=a[1]", ",", EXPRESSION - 4),
                           "ConditionExpression": repeated("a[%]=a[1]", " OR ", 3900) + " OR attribute_not_exists(a)"}} for i in range(10)]
    yield Request("updates", "TransactWriteItems, 10 large lists, as many changes as fit", "TransactWriteItems", {"TransactItems": members}, short=True)
    for action, value in (("DELETE", None), ("PUT", {"NULL": True}), ("ADD", n(1))):
        change = {"Action": action, **({"Value": value} if value else {})}
        count = 450_000 if value is None else 250_000
        yield Request("updates", f"UpdateItem AttributeUpdates {action} of {count}", "UpdateItem",
                      lambda change=change, count=count: keyed("wide", AttributeUpdates={x: change for x in names(count, 4)}), action == "DELETE")
        yield Request("updates", f"UpdateItem AttributeUpdates {action} of {count}, 20 indexes", "UpdateItem",
                      lambda change=change, count=count: keyed("new", INDEXED, AttributeUpdates={x: change for x in names(count, 4)}))


def placeholder_requests():
    for count, used in ((200_000, "#x0=:v"), (200_000, "a=:v")):
        yield Request("placeholders", f"DeleteItem, {count} names, {used}", "DeleteItem", lambda used=used, count=count: with_value(
            s("x"), **keyed("text"), ConditionExpression=used, ExpressionAttributeNames={f"#x{i}": "a" for i in range(count)}))
    most = repeated("#x%=:x%", " OR ", EXPRESSION)
    yield Request("placeholders", "DeleteItem, 60,000 names and values, as many as fit used", "DeleteItem", lambda: {
        **keyed("text"), "ConditionExpression": most,
        "ExpressionAttributeNames": {f"#x{i}": "a" for i in range(130_000, 190_000)},
        "ExpressionAttributeValues": {f":x{i}": {"NULL": True} for i in range(130_000, 190_000)}}, short=True)
    yield Request("placeholders", "TransactWriteItems, 100 x 2,000 names", "TransactWriteItems", lambda: {"TransactItems": [
        {"Update": {**keyed(f"p{i}"), "UpdateExpression": "REMOVE #x0", "ExpressionAttributeNames": {f"#x{j}": "a" for j in range(2000)}}}
        for i in range(100)]})


def json_requests():
    yield Request("json", "PutItem of 700,000 attributes", "PutItem", lambda: {
        "TableName": TABLE, "Item": {"pk": s("new"), **{x: {"NULL": True} for x in reversed(list(names(700_000, 4)))}}}, short=True)
    yield Request("json", "PutItem of a list of 1,100,000", "PutItem", lambda: {
        "TableName": TABLE, "Item": {"pk": s("new"), "a": {"L": [{"NULL": True}] * 1_100_000}}})

    def out_of_order(depth, width):
        value = {"M": {f"k{i:06}": {"NULL": True} for i in range(width)}}
        for _ in range(depth):
            value = {"M": {"b": value, "a": {"NULL": True}}}
        return {"TableName": TABLE, "Item": {"pk": s("new"), "a": value}}

    yield Request("json", "PutItem, 31 levels out of order around 500,000", "PutItem", lambda: out_of_order(30, 500_000))
    yield Request("json", "PutItem, 240 levels out of order around 500,000", "PutItem", lambda: out_of_order(240, 500_000), short=True)
    yield Request("json", "PutItem of 16 MB of escapes", "PutItem",
                  lambda: b'{"TableName":"cpu","Item":{"pk":{"S":"new"},"a":{"S":"' + rb"\u0041" * 2_700_000 + b'"}}}')
    yield Request("json", "PutItem, one type again and again", "PutItem",
                  lambda: b'{"TableName":"cpu","Item":{"pk":{"S":"new"},"a":{' + b'"S":"x",' * 1_900_000 + b'"S":"y"}}}')
    yield Request("json", "PutItem, one member again and again", "PutItem",
                  lambda: b'{"TableName":"cpu",' + b'"Item":{"pk":{"S":"new"}},' * 600_000 + b'"Item":{"pk":{"S":"n"}}}')
    yield Request("json", "PutItem, numbers of 126 zeros", "PutItem", lambda: {
        "TableName": TABLE, "Item": {"pk": s("new"), "a": {"L": [n("0." + "0" * 120 + "1")] * 110_000}}})
    yield Request("json", "PutItem, a number of 15 MB", "PutItem",
                  lambda: {"TableName": TABLE, "Item": {"pk": s("new"), "a": n("0" * 15_000_000 + "1")}})
    yield Request("json", "PutItem, binaries", "PutItem", lambda: {
        "TableName": TABLE, "Item": {"pk": s("new"), "a": {"BS": ["AAAA" * 3 + f"{i:08}" for i in range(500_000)]}}})
    operations = ("BatchGetItem", "BatchWriteItem", "CreateTable", "DeleteItem", "DescribeTable", "GetItem", "ListTables", "PutItem", "Query", "Scan",
                  "TagResource", "TransactGetItems", "TransactWriteItems", "UpdateItem", "UpdateTable", "UpdateTimeToLive", "CreateBackup", "ListBackups",
                  "ExecuteStatement", "BatchExecuteStatement", "ExecuteTransaction", "ExportTableToPointInTime", "ImportTable", "RestoreTableFromBackup")
    for operation in operations:
        yield Request("json", f"{operation}, a name of 15 MB", operation, lambda: {"TableName": "x" * 15_000_000, "ResourceArn": "arn:" + "x" * 900_000})
        yield Request("json", f"{operation}, a member nobody knows", operation, lambda: {"TableName": TABLE, "Zz": list(range(1_500_000))})
        yield Request("json", f"{operation}, 700,000 members", operation, lambda: {f"x{i:06}": None for i in range(700_000)})
    for operation, member, element in (
        ("BatchGetItem", "RequestItems", None), ("TransactWriteItems", "TransactItems", {"Put": {}}), ("TransactGetItems", "TransactItems", {"Get": {}}),
        ("ExecuteTransaction", "TransactStatements", {"Statement": ""}), ("BatchExecuteStatement", "Statements", {"Statement": ""}),
        ("TagResource", "Tags", {"Key": ""}), ("CreateTable", "GlobalSecondaryIndexes", {"IndexName": ""}),
        ("CreateTable", "AttributeDefinitions", {"AttributeName": "a", "AttributeType": "S"}), ("CreateTable", "KeySchema", {"AttributeName": "a"}),
        ("UpdateTable", "GlobalSecondaryIndexUpdates", {"Create": {}}),
    ):
        made = (lambda: {f"t{i:06}": {"Keys": []} for i in range(390_000)}) if element is None else (lambda element=element: [element] * 390_000)
        yield Request("json", f"{operation}, 390,000 {member}", operation,
                      lambda made=made, member=member: {"TableName": TABLE, "ResourceArn": "arn:x", member: made()})


def write_requests():
    """Large items of a table with twenty indexes."""
    wide = lambda i: ("PutItem", lambda: {"TableName": INDEXED, "Item": {"pk": s(f"w{i}"), **wide_item()}})  # noqa: E731
    items = tuple(wide(i) for i in range(10))
    yield Request("writes", "PutItem of a wide item over a wide one, 20 indexes", "PutItem", items[0][1], False, (items[0],))
    yield Request("writes", "UpdateItem of a wide item, 20 indexes", "UpdateItem", keyed("w0", INDEXED, UpdateExpression="SET zz00=zz01"), True, (items[0],))
    yield Request("writes", "BatchWriteItem, 10 wide items away, 20 indexes", "BatchWriteItem", {
        "RequestItems": {INDEXED: [{"DeleteRequest": {"Key": {"pk": s(f"w{i}")}}} for i in range(10)]}}, False, items)
    yield Request("writes", "TransactWriteItems, 10 wide items changed, 20 indexes", "TransactWriteItems", {
        "TransactItems": [{"Update": keyed(f"w{i}", INDEXED, UpdateExpression="SET zz00=zz01, zy001=zz02")} for i in range(10)]}, False, items)
    yield Request("writes", "BatchWriteItem, 25 items of 390 KB", "BatchWriteItem", lambda: {
        "RequestItems": {TABLE: [{"PutRequest": {"Item": {"pk": s(f"b{i}"), "a": s(periodic(LARGE))}}} for i in range(25)]}}, short=True)
    yield Request("writes", "BatchWriteItem, 25 lists of 390 KB", "BatchWriteItem", lambda: {
        "RequestItems": {TABLE: [{"PutRequest": {"Item": {"pk": s(f"b{i}"), "a": {"L": [{"S": "x" * 22}] * 17_000}}}} for i in range(25)]}})


FAMILIES = (contains_requests, partiql_requests, set_requests, operand_requests, projection_requests, update_requests, placeholder_requests,
            json_requests, write_requests)


# --- checking

def factor_of(binary):
    content = pathlib.Path(binary).read_bytes()
    return max([1.0] + [factor for mark, factor in FACTORS if mark in content])


def judge(target, request, limit_s):
    """Returns what is wrong or None, the cost, and the start of the response."""
    for operation, members in request.prepare:
        target.must(operation, members() if callable(members) else members)
    body = request.body()
    if len(body) > BODY:
        return f"the test's own fault: a body of {len(body)} bytes", 0.0, ""
    if request.prepare or request.family == "writes":
        target.wait_until_idle()
    before = target.cpu_s()
    try:
        answer = target.send(request.operation, body)
    except Exception as failure:  # noqa: BLE001: whatever it is, it is the finding
        return f"no response: {failure!r}", 0.0, ""
    cost = target.cpu_s() - before
    shown = f"{answer.status} {answer.body[:160].decode('utf-8', 'replace')}"
    if answer.status >= 500 or answer.status < 200:
        return f"answered {shown}", cost, shown
    if cost > limit_s:
        return f"{cost:.2f} s of CPU, answered {shown}", cost, shown
    return None, cost, shown


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--long", action="store_true", help="every request; without it the worst of each family")
    parser.add_argument("--limit", type=float, help="seconds of CPU that a request may cost")
    parser.add_argument("--only", default="", help="requests whose family and name match")
    parser.add_argument("--verbose", action="store_true", help="print the cost of each request and its response")
    options = parser.parse_args()
    limit_s = options.limit or (LIMIT_S if options.long else BUSY_LIMIT_S) * factor_of(options.binary)
    tried = failed = 0
    worst = (0.0, "")
    with tempfile.TemporaryDirectory() as folder:
        target = Target(options.binary, folder)
        try:
            set_up(target)
            for request in (request for family in FAMILIES for request in family()):
                name = f"{request.family}: {request.name}"
                if not (options.long or options.only or request.short) or not re.search(options.only, name):
                    continue
                tried += 1
                wrong, cost, shown = judge(target, request, limit_s)
                worst = max(worst, (cost, name))
                if options.verbose:
                    print(f"{cost:6.2f} s  {name}: {shown}", flush=True)
                if wrong:
                    failed += 1
                    print(f"FAILED {name}: {wrong}", flush=True)
                if target.server.process.poll() is not None:
                    failed += 1
                    print(f"the server ended: {target.log.read_text('utf-8', 'replace')[-2000:]}")
                    break
        finally:
            if target.server.process.poll() is None:
                target.connection.close()
                target.server.kill()
    print(f"the dearest: {worst[0]:.2f} s of {limit_s:g} s, {worst[1]}")
    print(f"cpu: tried {tried} failed {failed}")
    return 1 if failed or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
