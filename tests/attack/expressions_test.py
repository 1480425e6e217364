#!/usr/bin/env python3
"""Sends hostile expressions and PartiQL: nesting, length, numbers of operators, paths, placeholders and odd shapes.

Every response must be JSON with 200 or 4xx. Another test limits their cost.
"""
import json

from judge import main
from target import Target, judge_answer, keyed_table

KEY = {"pk": {"S": "a"}}
SHAPES = [
    "SELECT", "SELECT *", "SELECT * FROM", "SELECT * FROM tab", "SELECT * FROM \"tab\" WHERE", "SELECT * FROM tab WHERE pk = 'a' AND", "SELECT pk, pk FROM tab",
    "SELECT * FROM tab WHERE pk IN [" + ",".join("'a'" for _ in range(200)) + "]", "SELECT * FROM \"tab\".\"missing\"", "SELECT * FROM tab ORDER BY pk", "SELECT COUNT(*) FROM tab",
    "SELECT * FROM tab t1, tab t2", "SELECT * FROM tab WHERE pk = (SELECT pk FROM tab)", "INSERT INTO tab VALUE {'pk':'x','pk':'y'}", "INSERT INTO tab VALUE {}", "INSERT INTO tab VALUE [1]",
    "UPDATE tab SET a=1", "UPDATE tab SET a=a+a WHERE pk='a'", "UPDATE tab REMOVE pk WHERE pk='a'", "UPDATE tab SET a[99999999999]=1 WHERE pk='a'", "DELETE FROM tab", "DELETE FROM tab WHERE pk='a' RETURNING ALL NEW *",
    "DROP TABLE tab", "CREATE TABLE x", "EXISTS(SELECT * FROM tab WHERE pk='a')", "SELECT * FROM tab WHERE pk = ?", "SELECT * FROM tab WHERE ? = ?", "SELECT * FROM tab WHERE pk = 'a", "SELECT * FROM \"tab",
    "SELECT * FROM tab -- c", "SELECT * FROM tab /* c", "SELECT/**/*/**/FROM/**/tab", "SELECT * FROM tab; SELECT * FROM tab", "select * from tab where pk = `a`", "SELECT * FROM tab WHERE contains(pk)",
    "SELECT * FROM tab WHERE pk = 1e999", "SELECT * FROM tab WHERE pk = 0x1", "SELECT * FROM tab WHERE pk = -", "SELECT * FROM tab WHERE NOT NOT NOT pk = 'a'", "SELECT \u00e4 FROM tab", "SELECT * FROM tab WHERE \U0001f600 = 1",
    "SELECT * FROM tab WHERE pk = '\u0000'", "\x00", "SELECT * FROM tab WHERE pk = <<1,2>>", "SELECT * FROM tab WHERE pk = <<>>", "SELECT * FROM tab WHERE pk = {'a':<<{}>>}",
]
PIECES = ["a", "#n", ":v", "=", "<>", "<", "<=", ">", ">=", "AND", "OR", "NOT", "(", ")", ",", ".", "[0]", "[", "]", "[1]", "IN", "BETWEEN", "contains", "begins_with", "size", "attribute_exists",
          "attribute_not_exists", "attribute_type", "if_not_exists", "list_append", "SET", "REMOVE", "ADD", "DELETE", "+", "-", "pk", "#", ":", "'", "\"", "1", "99999999999999999999", "\u00e4", "\t", "\u0000", "/*", "--", "\U0001f600"]


def put(condition, values=None, names=None):
    request = {"TableName": "tab", "Key": KEY, "UpdateExpression": "SET a = :v", "ConditionExpression": condition, "ExpressionAttributeValues": values or {":v": {"S": "x"}}}
    return "UpdateItem", {**request, **({"ExpressionAttributeNames": names} if names else {})}


def scan(expression):
    return "Scan", {"TableName": "tab", "FilterExpression": expression, "ExpressionAttributeValues": {":v": {"S": "x"}}}


def update(expression, values=None):
    return "UpdateItem", {"TableName": "tab", "Key": KEY, "UpdateExpression": expression, "ExpressionAttributeValues": values or {":v": {"N": "1"}}}


def project(expression):
    return "GetItem", {"TableName": "tab", "Key": KEY, "ProjectionExpression": expression}


def statement(text, parameters=None):
    return "ExecuteStatement", {"Statement": text, **({"Parameters": parameters} if parameters else {})}


def shaped(a):
    """(operation, request)"""
    for depth in (1, 10, 100, 300, 1000, 2000):
        yield put("(" * depth + "a = :v" + ")" * depth)
        yield put("NOT " * depth + "a = :v")
        yield put("NOT(" * depth + "a = :v" + ")" * depth)
        yield put("(" * depth)
        yield put("a = :v" + ")" * depth)
        yield update("SET a = " + "if_not_exists(a, " * depth + ":v" + ")" * depth)
        yield update("SET a = " + "list_append(a, " * depth + ":v" + ")" * depth)
        yield update("SET a = " + "(" * depth + ":v" + ")" * depth)
        yield project("a" + ".b" * depth)
        yield project("a" + "[0]" * depth)
        yield project("a" + "[" * depth)
        yield put("a" + "[0].b" * depth + " = :v")
        yield statement("SELECT * FROM tab WHERE " + "(" * depth + "pk = 'a'" + ")" * depth)
        yield statement("SELECT * FROM tab WHERE " + "NOT " * depth + "pk = 'a'")
        yield statement("INSERT INTO tab VALUE {'pk':'x','v':" + "[" * depth + "]" * depth + "}")
        yield statement("INSERT INTO tab VALUE {'pk':'x','v':" + "{'a':" * depth + "1" + "}" * depth + "}")
        yield statement("SELECT a" + ".b" * depth + " FROM tab")
    for count in (99, 100, 101, 299, 300, 301, 600):
        yield put(" AND ".join(["a = :v"] * count))
        yield put(" OR ".join(["size(a) > :v"] * count))
        yield put("a IN (" + ", ".join([":v"] * count) + ")")
        yield update("SET " + ", ".join(f"a{i} = :v" for i in range(count)))
        yield update("ADD " + ", ".join(f"a{i} :v" for i in range(count)))
        yield update("REMOVE " + ", ".join(f"a{i}" for i in range(count)))
        yield project(", ".join(f"a{i}" for i in range(count)))
        yield statement("SELECT * FROM tab WHERE " + " OR ".join(["pk = 'a'"] * count))
        yield statement("SELECT * FROM tab WHERE pk IN [" + ",".join(["?"] * count) + "]", [{"S": "a"}] * count)
    for size in (4095, 4096, 4097, 100_000):
        yield put("a = :v" + " " * (size - 6))
        yield project("a" * size)
        yield statement("SELECT * FROM tab WHERE pk = '" + "a" * size + "'")
    for count in (1000, 20_000, *([200_000] if a.long else [])):
        yield put("a = :v", {":v": {"S": "x"}, **{f":v{i}": {"S": ""} for i in range(count)}})
        yield put("#a = :v", None, {"#a": "a", **{f"#a{i}": "a" for i in range(count)}})
        yield statement("SELECT * FROM tab WHERE pk = ?", [{"S": "a"}] * count)
    for text in SHAPES:
        yield statement(text)
        yield statement(text, [{"S": "a"}])
        yield "BatchExecuteStatement", {"Statements": [{"Statement": text}] * 3}
        yield "ExecuteTransaction", {"TransactStatements": [{"Statement": text}, {"Statement": text}]}


def random_shapes(a):
    makers = (put, scan, update, project)
    for number in range(20_000 if a.long else 600):
        text = " ".join(a.random.choice(PIECES) for _ in range(a.random.randrange(1, 14)))
        yield makers[number % 4](text)
        if number % 4 == 0:
            words = a.random.choice(SHAPES).split(" ")
            words.insert(a.random.randrange(len(words) + 1), a.random.choice(PIECES))
            a.random.shuffle(words) if number % 3 == 0 else None
            yield statement(" ".join(words))


def attack(a):
    target = Target(a).start()
    target.must("CreateTable", keyed_table("tab"))
    target.put("tab", "a", a={"L": [{"S": "x"}]})
    for operation, request in [*a.sample(shaped(a), 150), *random_shapes(a)]:
        answer = target.send_body(operation, json.dumps(request).encode())
        judge_answer(a.judge, answer, lambda: f"{operation} {json.dumps(request)[:300]}")
    a.judge.check(target.ask("ListTables")[0] == 200, "the server still responds")
    target.stop()


if __name__ == "__main__":
    main(attack)
