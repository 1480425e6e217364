#!/usr/bin/env python3
"""Sends wrong types: every member of every operation at every depth with each hostile value, and random mixtures of them.

Every response must be JSON in valid UTF-8 with 200 or 4xx. Without --long the test tries a sample of about one in thirty.
"""
import time

from judge import main
from shapes import HOSTILE, Raw, Shapes, write_json
from target import Target, judge_answer, keyed_table

# If these succeed they process a whole table, so values that succeed are tried only a few times.
SLOW_S = 20.0


def prepare(target):
    target.must("CreateTable", keyed_table("tab", StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}))
    target.put("tab", "s", a={"S": "x"})


def send(a, target, operation, body, what):
    began = time.monotonic()
    answer = target.send_body(operation, body.encode("utf-8", "surrogatepass"))
    judge_answer(a.judge, answer, lambda: f"{operation} {what}")
    took = time.monotonic() - began
    a.judge.check(took < SLOW_S, lambda: f"{operation} {what} took {took:.1f} s")


def members(a, target, shapes):
    tries = [(operation, path, value) for operation in shapes.operations for path in shapes.paths_of(operation) for value in HOSTILE]
    a.judge.note(f"{len(tries)} members and values")
    chosen = a.sample(tries, 2_500)
    if not a.long:
        # An error shows the text of a Binary member, so each of them is tried with multi-byte characters.
        chosen += [t for t in tries if t[1][-1] == "B" and t[2] in ('"\U0001f600"', '"YQ\u20ac="')][::7]
    for operation, path, value in chosen:
        send(a, target, operation, write_json(shapes.request(operation, path, value)), f"{path} = {value[:60]}")
        if operation in ("DeleteTable", "CreateTable", "UpdateTable") and not a.random.randrange(20):
            target.ask("CreateTable", keyed_table("tab"))  # a hostile value may have been valid


def mixtures(a, target, shapes):
    operations = list(shapes.operations)
    paths = {operation: shapes.paths_of(operation) for operation in operations}
    for number in range(30_000 if a.long else 1_000):
        operation = a.random.choice(operations)
        tree = {}
        for _ in range(a.random.randrange(1, 6)):
            if paths[operation]:
                tree.update(shapes.request(operation, a.random.choice(paths[operation]), a.random.choice(HOSTILE)))
        body = write_json(tree)
        if number % 3 == 0 and body:
            at = a.random.randrange(len(body))
            body = body[:at] + a.random.choice(['"', "{", "}", "\\", "\x00", "\udc80", ",", ":", "é", "9"]) + body[at + a.random.randrange(3):]
        send(a, target, operation, Raw(body), body[:100].encode("utf-8", "backslashreplace").decode())


def attack(a):
    shapes = Shapes()
    a.judge.check(not shapes.missing(), lambda: f"operations without shapes: {shapes.missing()}")
    target = Target(a).start()
    prepare(target)
    members(a, target, shapes)
    mixtures(a, target, shapes)
    a.judge.check(target.ask("ListTables")[0] == 200, "the server still responds")
    target.stop()


if __name__ == "__main__":
    main(attack)
