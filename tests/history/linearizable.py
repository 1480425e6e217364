#!/usr/bin/env python3
"""Checks histories of single-item operations: does each key have an order of its operations that respects time and explains every response?

    tests/history/linearizable.py FILE…

A history is a file of JSON lines, one per operation:
    key, client
    do        get | put | increment | delete
    v         for a put: the value, unique in the history
    if        condition, if there was one: {"v": value} | {"absent": true} | {"exists": true}
    invoke    nanoseconds when it was sent
    return    nanoseconds when its response arrived; absent without a response
    outcome   ok | refused (the condition did not hold, nothing may have changed) | unknown (no response: it happened once or never)
    until     for unknown: it happened before this moment (the crash of the server) or never; if absent, at any time
    saw       the item before the operation, if the response showed it: null, or [value, count]
    made      the item after it, if the response showed it
A put makes [v, 0]; an increment adds one to the count and keeps the value, and turns an absent item into [null, 1].

Keys are independent, so each is searched separately with Wing and Gong's search, which remembers the sets of operations that were tried with
each state. The verdict on a key is ok, fault, or undecided if the search has visited too many states.
"""
import collections
import json
import sys

INFINITY = float("inf")
STATES_MAX = 300_000

Verdict = collections.namedtuple("Verdict", "kind why")


class Operation:
    """One line of a history, prepared for the search. Immutable."""

    __slots__ = (
        "line", "do", "value", "condition", "required", "refused", "invoke", "end", "until", "saw", "made", "shows_saw", "shows_made"
    )

    def __init__(self, line):
        self.line = line
        self.do, self.value, self.condition = line["do"], line.get("v"), line.get("if")
        self.required, self.refused = line["outcome"] != "unknown", line["outcome"] == "refused"
        self.invoke = line["invoke"]
        self.end = line["return"] if self.required else INFINITY
        self.until = INFINITY if self.required else line.get("until", INFINITY)
        self.shows_saw, self.shows_made = "saw" in line, "made" in line
        self.saw, self.made = as_state(line.get("saw")), as_state(line.get("made"))

    def holds(self, state):
        """Returns whether the condition holds for `state`."""
        if self.condition is None:
            return True
        if "v" in self.condition:
            return state is not None and state[0] == self.condition["v"]
        return (state is None) == ("absent" in self.condition)

    def explains(self, state):
        """Returns whether the operation would have had its response if it had found the item in `state`."""
        if self.holds(state) == self.refused:
            return False
        return not self.shows_saw or self.saw == state

    def apply(self, state):
        if self.refused or self.do == "get":
            return state
        if self.do == "put":
            return (self.value, 0)
        if self.do == "increment":
            return (None, 1) if state is None else (state[0], state[1] + 1)
        return None


def as_state(shown):
    return None if shown is None else (shown[0], shown[1])


class Search:
    """One key: its operations in the order in which they were sent. One thread at a time."""

    def __init__(self, lines, states_max=STATES_MAX):
        self.operations = sorted((Operation(line) for line in lines), key=lambda operation: operation.invoke)
        # A read without a response proves nothing.
        self.operations = [one for one in self.operations if one.required or one.do != "get"]
        self.required = sum(1 << at for at, one in enumerate(self.operations) if one.required)
        self.states_max = states_max

    def run(self):
        """Searches depth first; a step is (operations done, item, latest start of an operation that is done)."""
        seen = {(0, None)}
        stack = [(0, None, -INFINITY)]
        furthest = (0, None)
        while stack:
            done, state, latest = stack.pop()
            if done & self.required == self.required:
                return Verdict("ok", "")
            if done.bit_count() > furthest[0].bit_count():
                furthest = (done, state)
            for step in self.steps_from(done, state, latest):
                if step[:2] not in seen:
                    seen.add(step[:2])
                    stack.append(step)
            if len(seen) > self.states_max:
                return Verdict("undecided", f"more than {self.states_max} states")
        return Verdict("fault", self.explain(*furthest))

    def steps_from(self, done, state, latest):
        """Returns the operations that may come next. The last one is tried first."""
        optional, steps = [], []
        for at in self.candidates(done):
            one = self.operations[at]
            if one.until < latest or not one.explains(state):
                continue
            after = one.apply(state)
            if one.shows_made and one.made != after:
                continue
            step = (done | 1 << at, after, max(latest, one.invoke))
            if not one.required:
                # If it changes nothing, it is equivalent to never having happened.
                if after != state:
                    optional.append(step)
            elif (one.refused or one.do == "get") and not self.shuts_out(done, latest, one):
                return [step]  # it can never change anything, so taking it later gains nothing
            else:
                steps.append(step)
        return optional + steps[::-1]

    def shuts_out(self, done, latest, one):
        """Returns whether `one` began too late for an operation without a response to come before it."""
        left = (self.operations[at] for at in self.candidates(done))
        return any(latest <= other.until < one.invoke for other in left if not other.required)

    def candidates(self, done):
        """Returns those that began before any other remaining operation ended."""
        found, first_end = [], INFINITY
        for at, one in enumerate(self.operations):
            if done >> at & 1:
                continue
            if one.invoke > first_end:
                break
            first_end = min(first_end, one.end)
            found.append(at)
        return found

    def explain(self, done, state):
        left = [self.operations[at].line for at in self.candidates(done)]
        shown = "\n".join("    " + json.dumps(line) for line in left[:12])
        return f"after {done.bit_count()} operations the item is {state}, and none of these can be next:\n{shown}"


def check(lines, states_max=STATES_MAX):
    """Returns {key: Verdict} for a history given as dicts."""
    by_key = collections.defaultdict(list)
    for line in lines:
        by_key[line["key"]].append(line)
    return {key: Search(of_key, states_max).run() for key, of_key in by_key.items()}


def read(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def main():
    failed = False
    for path in sys.argv[1:]:
        verdicts = check(read(path))
        counts = collections.Counter(verdict.kind for verdict in verdicts.values())
        print(f"{path}: {len(verdicts)} keys, " + ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))
        for key, verdict in verdicts.items():
            if verdict.kind != "ok":
                print(f"  {key}: {verdict.kind}: {verdict.why}")
        failed = failed or counts["fault"] > 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
