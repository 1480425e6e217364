#!/usr/bin/env python3
"""Tests the checker of transactions: it catches planted faults, each by itself and inside a busy history, and accepts correct histories.

A row consists of transactions, `BEGIN-END act act …`, with ? as the end of one without a response. An act is a key and
    ?a.b  read the list a, b      ?-  read nothing      ^a  checked that the last is a
    +a    appended a              :a  put a             !   deleted
then, if present, ^ and its condition, < and the list it saw before, = and the list it made.
"""
import random
import re
import sys

from serializable import check

RIGHT = {
    "one after the other": ["1-2 x+a y+b", "3-4 x?a y?b", "5-6 x+c^a y^b", "7-8 x?a.c y?b"],
    "a read beside a write sees all of it or nothing": ["1-2 x+a y+b", "3-9 x+c y+d", "4-5 x?a y?b", "6-7 x?a.c y?b.d"],
    "refused for what it saw": ["1-2 x+a", "3-4 x+b^-<a y+c refused", "5-6 x?a y?-"],
    "unanswered, and there": ["1-2 x+a y+b", "3-? x+c y+d", "4-5 x?a.c y?b.d"],
    "unanswered, and not there": ["1-2 x+a y+b", "3-? x+c y+d until 5", "6-7 x?a y?b", "8-9 x+e=a.e"],
    "an unanswered delete that must have been": ["1-2 x+a y+b", "3-? x! y+c until 5", "6-7 x?- y?b.c"],
    "an unanswered delete that only absence shows": ["1-2 x+a", "3-? x! until 5", "6-7 x?-", "8-9 x+b=b"],
    "deletes": ["1-2 x+a y+b", "3-4 x!^a y!", "5-6 x?- y?-", "7-8 x+c=c y+d", "9-10 x?c y?d"],
    "puts that overlap, in the order that the reader found": ["1-9 x:a y:b", "2-8 x:c y:d", "10-11 x?a y?b"],
    "puts nobody saw": ["1-2 x:a", "3-9 x:b", "4-8 x:c", "5-7 x+e", "10-11 x?c"],
    "two readers of two writes that overlap": ["1-20 x+a", "1-20 y+b", "2-3 x?a y?-", "4-5 x?a y?b"],
    "old values shown": ["1-2 x:a<-", "3-4 x:b<a", "5-6 x!<b", "7-8 x!<-", "9-10 x?-"],
}
# Correct, as the graph alone shows: the search does not backtrack.
PLAIN = {
    "absence, of one delete or of another": ["1-2 x+a", "3-4 x!", "5-8 x!", "7-12 x^- y+c", "9-10 x+b^-=b", "11-13 x?b", "14-15 y?c"],
}
WRONG = {
    "fractured read": ["1-2 x+a y+b", "3-4 x+c y+d", "5-6 x?a.c y?b"],
    "fractured read of overlapping writes": ["1-2 x+a y+b", "3-9 x+c y+d", "4-8 x?a.c y?b"],
    "lost update": ["1-2 x+a", "3-9 x+b^a", "4-8 x+c^a", "10-11 x?a.b"],
    "lost append": ["1-2 x+a", "3-4 x+b", "5-6 x?a"],
    "value of a refused transaction": ["1-2 x+a", "3-4 x+b^-<a y+c refused", "5-6 y?c"],
    "half of a transaction": ["1-2 x+a y+b", "3-4 x?a y?-"],
    "half of an unanswered transaction": ["1-2 x+a y+b", "3-? x+c y+d until 5", "6-7 x?a.c y?b"],
    "half of an unanswered transaction, one half a delete": ["1-2 x+a y+b", "3-? x! y+d until 5", "6-7 x?a y?b.d"],
    "write skew": ["1-2 x+a y+b", "3-9 x+c y^b", "4-8 y+d x^a", "10-11 x?a.c y?b.d"],
    "stale read": ["1-2 x+a y+b", "3-4 x+c y+d", "5-6 x?a y?b"],
    "applied twice": ["1-2 x+a y+b", "3-4 x?a.a y?b"],
    "put applied again": ["1-2 x:a", "3-4 x:b", "5-6 x?b", "7-8 x?a"],
    "never written": ["1-2 x+a", "3-4 x?a.z"],
    "writes seen in two orders": ["1-20 x+a", "1-20 y+b", "2-3 x?a y?-", "2-3 x?- y?b"],
    "lists in two orders": ["1-20 x+a", "1-20 x+b", "2-3 x?a.b", "4-5 x?b.a"],
    "resurrected delete": ["1-2 x+a y+b", "3-4 x!^a y+c", "5-6 x?- y?b.c", "7-8 x?a y?b.c"],
    "delete that took too much": ["1-2 x+a", "3-4 x+b=a.b", "5-6 x!^a", "7-8 x?-"],
    "lost after restart": ["1-2 x+a y+b", "3-4 x+c y+d", "5-? x+e y+f until 6", "7-8 x?a y?b"],
    "shown, then gone after restart": ["1-2 x+a y+b", "3-? x+c y+d until 7", "4-5 x?a.c y?b.d", "8-9 x?a y?b"],
    "ghost of a dead server": ["1-2 x+a y+b", "3-? x+c y+d until 5", "6-7 x?a y?b", "8-9 x?a.c y?b.d"],
    "condition judged on a stale value": ["1-2 x+a y+b", "3-4 x+c y+d", "5-6 x+e^a y+f"],
    "refused for a value long gone": ["1-2 x+a", "3-4 x+b", "5-6 x+c^b<a refused"],
    "refused although it held": ["1-2 x+a", "3-4 x+b^a<a refused"],
    "reads in a circle": ["1-20 x+a y?b", "2-19 y+b x?a"],
    "created twice": ["1-2 x+a^- y+b", "3-4 x+c^- y+d", "5-6 x?c"],
    "puts of two transactions mixed": ["1-9 x:a y:b", "2-8 x:c y:d", "10-11 x?a y?d"],
    "wrong old value": ["1-2 x:a", "3-4 x:b", "5-6 x:c<a", "7-8 x?c"],
    "absence that never was": ["1-2 x+a", "3-4 x+b", "5-6 x?-", "7-8 x?a.b"],
}
ACT = re.compile(r"(\w+?)(?:([?+:])([\w.-]+)|(!))?(?:\^([\w-]+))?(?:<([\w.-]+))?(?:=([\w.]+))?")
DOES = {"?": "read", "+": "append", ":": "put", "!": "delete", None: "check"}


def shown(text):
    return None if text == "-" else text.split(".")


def parse_act(word, number):
    key, sign, what, deleted, condition, saw, made = ACT.fullmatch(word).groups()
    act = {"key": key, "do": DOES[sign or deleted]}
    if sign == "?":
        act["saw"] = shown(what)
    elif sign or deleted:
        act["id"] = what or f"delete-{number}"
    if condition:
        act["if"] = shown(condition) and condition
    if saw:
        act["saw"] = shown(saw)
    if made:
        act["made"] = shown(made)
    return act


def parse(rows, start=0):
    lines = []
    for number, row in enumerate(rows):
        words = row.split()
        begin, end = words.pop(0).split("-")
        line = {"client": 0, "invoke": start + int(begin), "outcome": "ok"}
        if end == "?":
            line["outcome"] = "unknown"
        else:
            line["return"] = start + int(end)
        if "refused" in words:
            words.remove("refused")
            line["outcome"] = "refused"
        if "until" in words:
            line["until"] = start + int(words.pop())
            words.remove("until")
        line["acts"] = [parse_act(word, f"{start}-{number}") for word in words]
        lines.append(line)
    return lines


class RightServer:
    """Transactions of several clients with correct responses. One thread at a time."""

    def __init__(self, seed, keys=("x", "y", "z", "u")):
        self.random = random.Random(seed)
        self.state = dict.fromkeys(keys)
        self.seen = dict.fromkeys(keys)  # the state as clients know it
        self.lines, self.time, self.count = [], 0, 0

    def run(self, count, clients=8):
        free, spans = [self.time] * clients, []
        for _ in range(count):
            client = min(range(clients), key=lambda one: free[one])
            begin = free[client] + self.random.randint(1, 30)
            end = begin + self.random.randint(2, 200)
            free[client] = end
            spans.append((self.random.randint(begin, end), begin, end, client))
        for _, begin, end, client in sorted(spans):
            self.lines.append(self.transact({"client": client, "invoke": begin, "return": end}))
        self.time = max(free) + 10

    def transact(self, line):
        keys = self.random.sample(sorted(self.state), self.random.randint(1, min(3, len(self.state))))
        if self.random.random() < 0.3:
            acts = [{"key": key, "do": "read", "saw": self.state[key]} for key in keys]
            self.seen.update((key, self.state[key]) for key in keys)
            return {**line, "outcome": "ok", "acts": acts}
        acts = [self.write(key) for key in keys]
        refused = any("if" in act and act["if"] != (self.state[act["key"]] or [None])[-1] for act in acts)
        for act in acts:
            before = self.state[act["key"]]
            if refused:
                if "if" in act:
                    act["saw"] = before
                    self.seen[act["key"]] = before
                continue
            if act["do"] == "append":
                self.state[act["key"]] = (before or []) + [act["id"]]
                if len(acts) == 1:
                    act["made"] = self.state[act["key"]]
            elif act["do"] != "check":
                self.state[act["key"]] = [act["id"]] if act["do"] == "put" else None
        if self.random.random() < 0.03:
            line = {**line, "until": line["return"]}
            acts = [{name: value for name, value in act.items() if name not in ("saw", "made")} for act in acts]
            return {**line, "outcome": "unknown", "acts": acts}
        return {**line, "outcome": "refused" if refused else "ok", "acts": acts}

    def write(self, key):
        self.count += 1
        act = {"key": key, "do": self.random.choice(("append",) * 8 + ("put", "delete", "check"))}
        if act["do"] != "check":
            act["id"] = f"w{self.count}"
        if act["do"] == "check" or self.random.random() < 0.4:
            act["if"] = (self.seen[key] or [None])[-1]
        return act

    def plant(self, rows):
        """Inserts the rows on x and y, which are absent before and afterwards."""
        for part in (["1-2 x! y!"], rows, ["1-2 x! y!"]):
            lines = parse(part, self.time)
            self.lines += lines
            self.time = max(max(line.get("return", 0), line["invoke"], line.get("until", 0)) for line in lines) + 10
        self.state["x"] = self.state["y"] = None


def planted(rows, seed):
    server = RightServer(seed)
    server.run(60)
    server.plant(rows)
    server.run(60)
    return server.lines


def busy(seed, count):
    server = RightServer(seed)
    server.run(count)
    shown = " ".join(f"{key}?{'.'.join(ids) if ids else '-'}" for key, ids in server.state.items())
    server.lines += parse([f"1-2 {shown}"], server.time)
    return server.lines


def main():
    wrong = []
    for name, rows in RIGHT.items():
        verdict = check(parse(rows))
        if verdict.kind != "ok":
            wrong.append(f"right, but {verdict.kind}: {name}: {verdict.why}")
        if (verdict := check(planted(rows, 0))).kind != "ok":
            wrong.append(f"right, but {verdict.kind} in a busy history: {name}: {verdict.why}")
    for name, rows in PLAIN.items():
        if (verdict := check(parse(rows), steps_back_max=0)).kind != "ok":
            wrong.append(f"plain, but {verdict.kind}: {name}")
    for name, rows in WRONG.items():
        if (verdict := check(parse(rows))).kind != "fault":
            wrong.append(f"not caught ({verdict.kind}): {name}")
        for seed in range(3):
            if (verdict := check(planted(rows, seed))).kind != "fault":
                wrong.append(f"not caught ({verdict.kind}) in the busy history {seed}: {name}")
    undecided = 0
    for seed in range(50):
        verdict = check(busy(seed, 150))
        undecided += verdict.kind == "undecided"
        if verdict.kind == "fault":
            wrong.append(f"busy history {seed} is right, but {verdict.kind}: {verdict.why}")
    if undecided > 1:
        wrong.append(f"{undecided} of 50 busy histories undecided")
    passed = f"{len(WRONG)} planted faults caught, {len(RIGHT) + len(PLAIN)} right histories passed, {undecided} of 50 busy ones undecided"
    print("\n".join(wrong) or passed)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
