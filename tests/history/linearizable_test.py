#!/usr/bin/env python3
"""Tests the checker of single-item histories: it catches planted faults, each by itself and inside a busy history, and accepts correct histories.

A row consists of operations on one key, `BEGIN-END do …`, with ? as the end of an operation without a response:
    1-2 put a        3-4 get a        5-6 increment =a+1      7-8 delete
    1-2 put b if a   1-2 put b if -   (condition: the value is a; the item is absent)
    … refused        … until 9        … saw a      … =a (the item after it)
An item is written as its value, value+count, or - if it is absent.
"""
import random
import sys

from linearizable import check

RIGHT = {
    "one after the other": ["1-2 put a", "3-4 get a", "5-6 delete saw a", "7-8 get -"],
    "reads of overlapping writes in one order": ["1-9 put a", "2-8 put b", "3-4 get a", "5-6 get b", "10-11 get b"],
    "a write without answer that happened": ["1-2 put a", "3-? put b", "4-5 get a", "6-7 get b"],
    "a write without answer that did not": ["1-2 put a", "3-? put b until 5", "6-7 get a", "8-9 get a"],
    "a write without answer before the death": ["1-2 put a", "3-? put b until 5", "6-7 get b"],
    "a reader that began late, of what stood before": [
        "1-2 put a", "3-4 delete saw a", "5-? put b until 7", "9-14 delete saw b", "10-15 get -"
    ],
    "a late write without answer, server alive": ["1-2 put a", "3-? put b", "6-7 get a", "8-9 get b"],
    "conditions": ["1-2 put a if -", "3-4 put b if - refused saw a", "5-6 put c if a saw a", "7-8 delete if b refused saw c"],
    "a delete of nothing, or of what came then": ["1-2 delete", "3-6 put a", "4-9 delete", "7-8 get a", "10-11 get -"],
    "increments": ["1-2 increment =+1", "3-4 put a saw +1", "5-9 increment =a+2", "6-8 increment =a+1", "10-11 get a+2"],
    "an unanswered condition that held": ["1-2 put a", "3-? put b if a", "4-5 get b"],
}
WRONG = {
    "stale read": ["1-2 put a", "3-4 put b", "5-6 get a"],
    "lost write": ["1-2 put a", "3-4 put b", "5-6 put c if a saw a"],
    "resurrected delete": ["1-2 put a", "3-4 delete saw a", "5-6 get -", "7-8 get a"],
    "applied twice": ["1-2 put a", "3-4 increment", "5-6 get a+2"],
    "put applied again": ["1-2 put a", "3-4 put b", "5-6 get b", "7-8 get a"],
    "refused condition that applied": ["1-2 put a", "3-4 put b if - refused saw a", "5-6 get b"],
    "condition judged on a stale value": ["1-2 put a", "3-4 put b", "5-6 put c if a"],
    "condition refused though it held": ["1-2 put a", "3-4 delete if a refused", "5-6 get a"],
    "reordered writes": ["1-2 put a", "3-4 put b", "5-6 get b", "7-8 get a", "9-10 get b"],
    "reads in two orders": ["1-20 put a", "1-20 put b", "2-3 get a", "4-5 get b", "6-7 get a"],
    "never written": ["1-2 put a", "3-4 get z"],
    "write lost after restart": ["1-2 put a", "3-4 put b", "5-? put c until 6", "7-8 get a"],
    "shown, then gone after restart": ["1-2 put a", "3-? put b until 7", "4-5 get b", "8-9 get a"],
    "absence shown, then back after restart": ["1-2 put a", "3-? delete until 7", "4-5 get -", "8-9 get a"],
    "ghost of a dead server": ["1-2 put a", "3-? put b until 5", "6-7 get a", "8-9 get b"],
    "lost increment": ["1-2 put a", "3-8 increment =a+1", "4-7 increment =a+1", "9-10 get a+1"],
    "torn item": ["1-2 put a", "3-4 increment =a+1", "5-6 put b", "7-8 get b+1"],
    "wrong old item": ["1-2 put a", "3-4 put b", "5-6 put c saw a", "7-8 get c"],
    "created twice": ["1-2 put a if -", "3-4 put b if -", "5-6 get b"],
    "unanswered write that happened twice": ["1-2 put a", "3-? put b", "4-5 get b", "6-7 put c", "8-9 get c", "10-11 get b"],
}


def item(text):
    if text == "-":
        return None
    value, plus, count = text.partition("+")
    return [value or None, int(count) if plus else 0]


def parse(row, start=0, key="k"):
    words = row.split()
    begin, end = words[0].split("-")
    line = {"key": key, "client": 0, "do": words[1], "invoke": start + int(begin), "outcome": "ok"}
    if end == "?":
        line["outcome"] = "unknown"
    else:
        line["return"] = start + int(end)
    rest = words[2:]
    if line["do"] == "put":
        line["v"] = rest.pop(0)
    if line["do"] == "get":
        line["saw"] = item(rest.pop(0))
    while rest:
        word = rest.pop(0)
        if word == "refused":
            line["outcome"] = "refused"
        elif word == "if":
            expected = rest.pop(0)
            line["if"] = {"absent": True} if expected == "-" else {"v": expected}
        elif word == "saw":
            line["saw"] = item(rest.pop(0))
        elif word == "until":
            line["until"] = start + int(rest.pop(0))
        else:
            line["made"] = item(word[1:])
    return line


def busy(seed, key, start, state, count=48, clients=5):
    """Generates operations of several clients on one key with the responses of a correct server; returns lines, their end, and the item."""
    rng = random.Random(f"{seed}/{key}/{start}")
    free, lines = [start] * clients, []
    spans = []
    for at in range(count):
        client = min(range(clients), key=lambda one: free[one])
        begin = free[client] + rng.randint(1, 30)
        end = begin + rng.randint(2, 200)
        free[client] = end
        spans.append((rng.randint(begin, end), begin, end, client, at))
    for _, begin, end, client, at in sorted(spans):
        line = {"key": key, "client": client, "invoke": begin, "return": end, "outcome": "ok", "saw": state and list(state)}
        line["do"] = rng.choice(("get", "get", "put", "put", "increment", "delete"))
        if line["do"] in ("put", "delete") and rng.random() < 0.6:
            expected = state[0] if state and state[0] and rng.random() < 0.6 else "none"
            line["if"] = {"v": expected}
            if state is None or expected != state[0]:
                line["outcome"] = "refused"
        if line["do"] == "put":
            line["v"] = f"{key}-{start}-{at}"
        if line["outcome"] == "ok" and line["do"] == "put":
            state = (line["v"], 0)
        elif line["outcome"] == "ok" and line["do"] == "delete":
            state = None
        elif line["do"] == "increment":
            state = (state[0], state[1] + 1) if state else (None, 1)
            line["made"] = list(state)
        lines.append(line)
    return lines, max(free) + 10, state


def planted(rows, seed):
    """Puts the rows into a busy history of their key, with a delete on either side and with other keys."""
    lines, end, _ = busy(seed, "k", 0, None)
    lines += [parse("0-1 delete", start=end)] + [parse(row, start=end + 10) for row in rows]
    end = max(line.get("return", 0) for line in lines) + 10
    lines.append(parse("0-1 delete", start=end))
    lines += busy(seed, "k", end + 10, None)[0]
    for other in range(4):
        lines += busy(seed, f"other{other}", 0, None)[0]
    return lines


def verdict_of(lines):
    return {verdict.kind for verdict in check(lines).values()}


def main():
    wrong = []
    for name, rows in RIGHT.items():
        if verdict_of([parse(row) for row in rows]) != {"ok"}:
            wrong.append(f"right, but not passed: {name}")
        if verdict_of(planted(rows, 0)) != {"ok"}:
            wrong.append(f"right, but not passed in a busy history: {name}")
    for name, rows in WRONG.items():
        if verdict_of([parse(row) for row in rows]) != {"fault"}:
            wrong.append(f"not caught: {name}")
        for seed in range(3):
            if verdict_of(planted(rows, seed)) != {"ok", "fault"}:
                wrong.append(f"not caught in the busy history {seed}: {name}")
    for seed in range(20):
        if verdict_of(busy(seed, "k", 0, None, count=100)[0]) != {"ok"}:
            wrong.append(f"busy history {seed} is right, but not passed")
    # A search that was cut short must not give a verdict.
    if {verdict.kind for verdict in check(busy(1, "k", 0, None, count=100)[0], states_max=10).values()} != {"undecided"}:
        wrong.append("a search that was cut short has a verdict")
    print("\n".join(wrong) or f"{len(WRONG)} planted faults caught, {len(RIGHT)} right histories and 20 busy ones passed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
