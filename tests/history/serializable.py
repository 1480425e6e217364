#!/usr/bin/env python3
"""Checks histories of transactions: is there one order of all of them that respects time and explains every response?

    tests/history/serializable.py FILE…

A history is a file of JSON lines, one per transaction; an operation on one item is a transaction of one.
    client, invoke, return, outcome, until    as in linearizable.py; refused: some condition did not hold, nothing may have changed
    acts    per item: key, do, and
        do      read | check (a condition only) | append | put | delete
        id      for a write: unique in the history
        if      condition, if there was one: the last id of the list, null for an absent item
        saw     the item before, if the response showed it: null, or its list
        made    the item after, if the response showed it
An item is the list of ids of its writes: append adds its id (an absent item becomes [id]), put replaces the list by [id], delete removes the
item. So any one of an item's lists shows most of the order of its versions.

The known facts form a graph: which transaction wrote what was read, which overwrote it, which ended before another began. A cycle is a fault,
and so is an item that never existed. Without a cycle, the transactions are executed in an order that the graph allows, and every response is
compared, so the verdict ok is a proof. If the order of some writes is not determined and no matching order is found, the verdict is undecided.
"""
import collections
import json
import random
import sys

from precedence import Graph

INFINITY = float("inf")
NOT_SHOWN = object()
ABSENT = None
STEPS_BACK_MAX = 20_000
ATTEMPTS_MAX = 8  # limit if something has to be guessed
START = object()  # precedes the first id of a list

Verdict = collections.namedtuple("Verdict", "kind why")


class Fault(Exception):
    """No order can explain what was seen."""


class Act:
    """What a transaction did to one item, and what it saw of it. Immutable."""

    __slots__ = ("key", "do", "id", "condition", "saw")

    def __init__(self, part):
        self.key, self.do, self.id = part["key"], part["do"], part.get("id")
        self.condition = part["if"] if "if" in part else NOT_SHOWN
        self.saw = part["saw"] if "saw" in part else NOT_SHOWN
        if "made" in part:
            made = part["made"]
            if not made or made[-1] != self.id:
                raise Fault(f"a write of {self.id} to {self.key} made {made}")
            before = made[:-1] or ABSENT
            if self.saw is not NOT_SHOWN and self.saw != before:
                raise Fault(f"a write of {self.id} to {self.key} made {made} of {self.saw}")
            self.saw = before

    def writes(self):
        return self.do in ("append", "put", "delete")

    def version_read(self):
        """Returns the last id, ABSENT or NOT_SHOWN, provided that the transaction was not refused."""
        return self.condition if self.saw is NOT_SHOWN else last_of(self.saw)

    def apply(self, state):
        if self.do == "append":
            return (state or ()) + (self.id,)
        if self.do == "put":
            return (self.id,)
        return None if self.do == "delete" else state


def last_of(shown):
    return shown[-1] if shown else ABSENT


class Transaction:
    """A transaction. Immutable except for `happened`, which may become known later."""

    def __init__(self, number, line):
        self.number, self.line, self.outcome = number, line, line["outcome"]
        self.invoke = line["invoke"]
        self.end = line.get("until", INFINITY) if self.outcome == "unknown" else line["return"]
        self.acts = [Act(part) for part in line["acts"]]
        self.happened = self.outcome == "ok"
        self.reads_only = self.outcome == "refused" or not any(act.writes() for act in self.acts)

    def check_conditions(self):
        pairs = [(act.condition, last_of(act.saw)) for act in self.acts if NOT_SHOWN not in (act.condition, act.saw)]
        if self.outcome == "ok" and any(wanted != found for wanted, found in pairs):
            raise Fault(f"a condition that does not hold was accepted: {self.describe()}")
        if self.outcome == "refused" and all(wanted == found for wanted, found in pairs):
            raise Fault(f"refused although every condition held: {self.describe()}")

    def reads(self):
        """Yields (key, version) of everything that it is known to have seen."""
        for act in self.acts:
            version = act.version_read() if self.outcome != "refused" else NOT_SHOWN if act.saw is NOT_SHOWN else last_of(act.saw)
            if version is not NOT_SHOWN:
                yield act.key, version

    def writes(self):
        return [] if self.outcome == "refused" else [act for act in self.acts if act.writes()]

    def describe(self):
        return json.dumps(self.line)


class Unit:
    """Versions of one item without any others between them: a list as it grew, or a removal. One thread at a time."""

    def __init__(self, first, removal):
        self.ids, self.removal = [first], removal
        self.writers, self.readers = [], []  # transactions; of `readers` any version
        self.last_readers = []  # of the last version

    def participants(self):
        return self.writers + self.readers


class Item:
    """The versions of one key, as far as their order follows from the responses. One thread at a time."""

    def __init__(self, key):
        self.key = key
        self.writer = {}  # id -> transaction, refused ones too
        self.act = {}  # id -> Act
        self.before, self.after = {}, {}  # id -> neighbor in its list
        self.units, self.unit_of = [], {}
        self.order = {}  # (unit index, unit index) -> True: first before second
        self.absent_readers = []  # whose source is not known yet
        self.first_readers = []  # readers of the item before all writes
        self.bounds = set()  # (number of a reader that saw nothing, unit index): the unit began after that

    def link(self, earlier, later):
        """`later` was appended to a list that ended with `earlier`, or to nothing (START)."""
        if self.before.setdefault(later, earlier) is not earlier and self.before[later] != earlier:
            raise Fault(f"{self.key}: {later} follows {name(earlier)} and {name(self.before[later])}: two orders, or a lost update")
        if earlier is not START and self.after.setdefault(earlier, later) != later:
            raise Fault(f"{self.key}: {later} and {self.after[earlier]} both follow {earlier}: a lost update")

    def absorb_list(self, shown, reader):
        """Adds a list that was shown."""
        if len(set(shown)) != len(shown):
            raise Fault(f"{self.key}: applied twice: {shown}, seen by {reader.describe()}")
        earlier = START
        for at, version in enumerate(shown):
            writer = self.writer.get(version)
            if writer is None:
                raise Fault(f"{self.key}: {version} was never written; seen by {reader.describe()}")
            if writer.outcome == "refused":
                raise Fault(f"{self.key}: {version} is of a refused transaction; seen by {reader.describe()}")
            if self.act[version].do == "delete" or (self.act[version].do == "put" and at > 0):
                raise Fault(f"{self.key}: {version} cannot stand in {shown}; seen by {reader.describe()}")
            writer.happened = True
            self.link(earlier, version)
            earlier = version

    def link_known_writes(self):
        """Links the writes that happened to their predecessors, if these are known or there is none."""
        for version, writer in self.writer.items():
            act = self.act[version]
            if not writer.happened or act.do == "delete":
                continue
            found = act.version_read()
            if act.do == "put" or found is ABSENT:
                self.link(START, version)
            elif found is not NOT_SHOWN:
                self.link(found, version)

    def began_a_list(self, version):
        """Returns whether it is known that `version` was appended to nothing."""
        return self.before.get(version) is START and self.act[version].do == "append"

    def follows(self, version, state):
        """Returns whether the write is possible when the item is `state`."""
        before = self.before.get(version)
        if before is None or self.act[version].do != "append":
            return True
        return state is None if before is START else last_of(state) == before

    def make_units(self):
        for version, writer in self.writer.items():
            if not writer.happened:
                continue
            act = self.act[version]
            if act.do == "delete" and act.version_read() is ABSENT:
                continue  # it changed nothing
            if self.before.get(version, START) is not START:
                continue
            unit = Unit(version, act.do == "delete")
            while unit.ids[-1] in self.after:
                unit.ids.append(self.after[unit.ids[-1]])
            unit.writers = [self.writer[one] for one in unit.ids]
            for one in unit.ids:
                self.unit_of[one] = len(self.units)
            self.units.append(unit)


def name(version):
    return "nothing" if version is START or version is ABSENT else version


class Analysis:
    """The analysis of one history, given which unanswered transactions are known to have happened. One thread at a time."""

    def __init__(self, transactions):
        self.transactions = transactions
        self.items = {}
        for one in transactions:
            one.check_conditions()
            for act in one.acts:
                self.items.setdefault(act.key, Item(act.key))
                if act.writes():
                    self.items[act.key].writer[act.id] = one
                    self.items[act.key].act[act.id] = act
        self.absorb_lists()
        self.counted = [one for one in transactions if one.happened or one.outcome == "refused"]
        for item in self.items.values():
            item.link_known_writes()
            item.make_units()
        self.graph = Graph(self.counted)
        self.add_reads()
        self.order_units()

    def absorb_lists(self):
        for one in self.transactions:
            for act in one.acts:
                if act.saw is not NOT_SHOWN and act.saw:
                    self.items[act.key].absorb_list(act.saw, one)
        # A condition names a version without showing its list.
        for one in self.transactions:
            for key, version in one.reads():
                if version is ABSENT or not (one.happened or one.outcome == "refused"):
                    continue
                writer = self.items[key].writer.get(version)
                if writer is None or writer.outcome == "refused":
                    raise Fault(f"{key}: {version} was never there; seen by {one.describe()}")
                writer.happened = True

    def add_reads(self):
        for one in self.counted:
            for key, version in one.reads():
                self.add_read(self.items[key], version, one)
        for item in self.items.values():
            for version, writer in item.writer.items():
                if item.began_a_list(version) and item.act[version].version_read() is NOT_SHOWN:
                    item.absent_readers.append(writer)
            for earlier, later in item.after.items():
                self.graph.add(item.writer[earlier], item.writer[later])

    def add_read(self, item, version, reader):
        if version is ABSENT:
            item.absent_readers.append(reader)
            return
        unit = item.units[item.unit_of[version]]
        unit.readers.append(reader)
        if version == unit.ids[-1]:
            unit.last_readers.append(reader)
        self.graph.add(item.writer[version], reader)
        if version in item.after:
            self.graph.add(reader, item.writer[item.after[version]])

    # --- the order of an item's units
    def order_units(self):
        for item in self.items.values():
            self.order_by_time(item)
        changed = True
        while changed:
            changed = False
            for item in self.items.values():
                changed = self.order_by_reach(item) or changed
                changed = self.find_absence(item) or changed

    def order_by_time(self, item):
        spans = [
            (min(one.end for one in unit.participants()), max(one.invoke for one in unit.participants())) for unit in item.units
        ]
        for first, (first_end, last_begin) in enumerate(spans):
            for second in range(first + 1, len(spans)):
                if first_end < spans[second][1]:
                    self.put_before(item, first, second)
                if spans[second][0] < last_begin:
                    self.put_before(item, second, first)

    def order_by_reach(self, item):
        changed = False
        for first in range(len(item.units)):
            for second in range(first + 1, len(item.units)):
                if (first, second) in item.order or (second, first) in item.order:
                    continue
                one, other = item.units[first].participants(), item.units[second].participants()
                if self.graph.reaches(one, other):
                    self.put_before(item, first, second)
                    changed = True
                elif self.graph.reaches(other, one):
                    self.put_before(item, second, first)
                    changed = True
        return changed

    def put_before(self, item, first, second):
        if (first, second) in item.order:
            return
        item.order[first, second] = True
        after = item.units[second].writers[0]
        self.graph.add(item.units[first].writers[-1], after)
        for one in item.units[first].last_readers:
            self.graph.add(one, after)

    def find_absence(self, item):
        """Returns whether, for some readers that saw nothing, it becomes clear before or after which write that was."""
        open_readers, item.absent_readers = item.absent_readers, []
        bounded = False
        for reader in open_readers:
            sources = self.sources_of_absence(item, reader)
            if not sources:
                raise Fault(f"{item.key}: was not absent when {reader.describe()} saw that")
            if len(sources) > 1 or (sources[0] is not START and not item.writer[sources[0]].happened):
                item.absent_readers.append(reader)
                bounded = self.put_before_later_lists(item, sources, reader) or bounded
            elif sources[0] is START:
                item.first_readers.append(reader)
                for unit in item.units:
                    self.graph.add(reader, unit.writers[0])
            else:
                self.attach_to_removal(item, item.unit_of[sources[0]], reader)
        return bounded or len(item.absent_readers) < len(open_readers)

    def put_before_later_lists(self, item, sources, reader):
        """Whichever removal `reader` saw, whatever comes after all of them came after the reader."""
        bounded = False
        for at, unit in enumerate(item.units):
            behind_all = all(
                source is START or (item.writer[source].happened and (item.unit_of[source], at) in item.order) for source in sources
            )
            if behind_all and unit.writers[0] is not reader and (reader.number, at) not in item.bounds:
                item.bounds.add((reader.number, at))
                self.graph.add(reader, unit.writers[0])
                bounded = True
        return bounded

    def attach_to_removal(self, item, at, reader):
        unit = item.units[at]
        unit.readers.append(reader)
        unit.last_readers.append(reader)
        self.graph.add(unit.writers[0], reader)
        for second in range(len(item.units)):
            if (at, second) in item.order:
                self.graph.add(reader, item.units[second].writers[0])

    def sources_of_absence(self, item, reader):
        """Returns the versions that `reader` may have seen as nothing: START, or removals."""
        earlier = {
            at for at, unit in enumerate(item.units)
            if any(one is not reader and self.precedes(one, reader) for one in unit.participants())
        }
        found = [] if earlier else [START]
        for version, writer in item.writer.items():
            if item.act[version].do != "delete" or writer is reader or writer.outcome == "refused" or writer.invoke > reader.end:
                continue
            if item.act[version].version_read() is ABSENT:
                continue  # it changed nothing
            if not writer.happened:
                if not self.surely_no_source(item, version, writer, earlier):
                    found.append(version)
                continue
            at = item.unit_of[version]
            overwritten = any((at, other) in item.order for other in earlier)
            if not overwritten and not self.precedes(reader, writer):
                found.append(version)
        return found

    def surely_no_source(self, item, version, writer, earlier):
        """Returns whether an unanswered removal, if it happened, was overwritten by `earlier` units, or cannot have happened."""
        condition = item.act[version].condition
        if condition is not NOT_SHOWN and (condition in item.after or condition not in item.unit_of):
            return True
        return any(writer.end < item.units[at].writers[0].invoke for at in earlier)

    def precedes(self, one, other):
        return one.end < other.invoke or (one.invoke <= other.end and self.graph.reaches([one], [other]))

    def open_unknowns(self):
        """Yields, for each reader that saw nothing and has no other explanation, the unanswered removals of which one must have happened."""
        for item in self.items.values():
            for reader in item.absent_readers:
                sources = self.sources_of_absence(item, reader)
                if not any(source is START or item.writer[source].happened for source in sources):
                    yield [item.writer[source] for source in sources]


class RequestObserver:
    """Executes the transactions in an order that the graph allows and compares responses; backtracks if none matches. One thread at a time."""

    def __init__(self, analysis):
        self.analysis, self.next = analysis, analysis.graph.next
        self.by_number = {one.number: one for one in analysis.counted}
        self.state = dict.fromkeys(analysis.items)  # key -> tuple of ids, or None
        self.current = dict.fromkeys(analysis.items)  # key -> index of the unit that is being written
        self.left = collections.defaultdict(set)  # (key, unit index) -> participants not yet executed
        for key, item in analysis.items.items():
            for at, unit in enumerate(item.units):
                self.left[key, at] = {one.number for one in unit.participants()}
            self.left[key, None] = {one.number for one in item.first_readers}
        self.memberships = collections.defaultdict(list)
        for place, numbers in self.left.items():
            for number in numbers:
                self.memberships[number].append(place)
        self.degree = [0] * len(self.next)
        for nodes in self.next:
            for node in nodes:
                self.degree[node] += 1
        self.ready = set()

    def run(self, steps_back_max):
        """Returns whether all could be executed, and the largest number that were."""
        for node in [node for node, degree in enumerate(self.degree) if degree == 0]:
            self.release(node, [])
        trail, tried, most, steps_back = [], set(), 0, 0
        while len(trail) < len(self.by_number):
            one = self.choose(tried)
            if one is not None:
                trail.append((one, tried, self.execute(one), self.leave(one)))
                tried, most = set(), max(most, len(trail))
                continue
            # A step that changed nothing cannot be the mistake.
            while trail:
                one, tried, undo, released = trail.pop()
                self.take_back(one, undo, released)
                if not one.reads_only:
                    break
            steps_back += 1
            tried = tried | {one.number}
            if one.reads_only or steps_back > steps_back_max:
                return False, most
        return True, most

    def choose(self, tried):
        for number in sorted(self.ready, key=lambda number: (not self.by_number[number].reads_only, self.by_number[number].end)):
            if number not in tried and self.fits(self.by_number[number]):
                return self.by_number[number]
        return None

    def fits(self, one):
        for act in one.acts:
            state = self.state[act.key]
            if act.saw is not NOT_SHOWN and (None if act.saw is None else tuple(act.saw)) != state:
                return False
            if one.outcome == "refused":
                continue
            if act.condition is not NOT_SHOWN and act.condition != last_of(state):
                return False
            if act.writes() and not (self.analysis.items[act.key].follows(act.id, state) and self.may_move_on(act, one)):
                return False
        return True

    def may_move_on(self, act, one):
        """A new unit begins only after all participants are done with the current one."""
        at, current = self.analysis.items[act.key].unit_of.get(act.id), self.current[act.key]
        return at is None or at == current or not self.left[act.key, current] - {one.number}

    def execute(self, one):
        """Executes a transaction; returns what is needed to undo it."""
        undo = [(act.key, self.state[act.key], self.current[act.key]) for act in one.writes()]
        for act in one.writes():
            self.state[act.key] = act.apply(self.state[act.key])
            self.current[act.key] = self.analysis.items[act.key].unit_of.get(act.id, self.current[act.key])
        for place in self.memberships[one.number]:
            self.left[place].discard(one.number)
        return undo

    def leave(self, one):
        """Makes the nodes ready that waited for it; returns the nodes that were counted down."""
        self.ready.discard(one.number)
        released = []
        self.count_down(one.number, released)
        return released

    def count_down(self, node, released):
        todo = [node]
        while todo:
            for follower in self.next[todo.pop()]:
                self.degree[follower] -= 1
                released.append(follower)
                if self.degree[follower] > 0:
                    continue
                if follower in self.by_number:
                    self.ready.add(follower)
                else:
                    todo.append(follower)

    def release(self, node, released):
        if node in self.by_number:
            self.ready.add(node)
        else:
            self.count_down(node, released)

    def take_back(self, one, undo, released):
        for node in released:
            self.degree[node] += 1
            self.ready.discard(node)
        self.ready.add(one.number)
        for key, state, current in undo:
            self.state[key], self.current[key] = state, current
        for place in self.memberships[one.number]:
            self.left[place].add(one.number)


def analyse(transactions, rng):
    """Returns an analysis in which everything that must have happened has happened, and whether that took a guess."""
    guessed = False
    try:
        while True:
            before = sum(one.happened for one in transactions)
            analysis = Analysis(transactions)
            if sum(one.happened for one in transactions) > before:
                continue
            options = list(analysis.open_unknowns())
            if not options:
                break
            certain = [of_reader[0] for of_reader in options if len(of_reader) == 1]
            if not certain:
                guessed = True
                certain = [rng.choice(options[0])]
            for one in certain:
                one.happened = True
        if cycle := analysis.graph.find_cycle():
            raise Fault("each must come before the next, and the last before the first:\n    " + "\n    ".join(
                one.describe() for one in cycle))
    except Fault as fault:
        if guessed:
            return None, True
        raise fault
    return analysis, guessed


def components(lines):
    """Splits the history into parts that share no item; the whole has an order exactly if each part has one."""
    parent = {}

    def root(key):
        while parent.setdefault(key, key) != key:
            parent[key] = parent[parent[key]]
            key = parent[key]
        return key

    for line in lines:
        first = root(line["acts"][0]["key"])
        for act in line["acts"][1:]:
            parent[root(act["key"])] = first
    parts = collections.defaultdict(list)
    for line in lines:
        parts[root(line["acts"][0]["key"])].append(line)
    return parts.values()


def check_component(lines, steps_back_max):
    rng, most = random.Random(1), 0
    try:
        for _ in range(ATTEMPTS_MAX):
            transactions = [Transaction(number, line) for number, line in enumerate(lines)]
            analysis, guessed = analyse(transactions, rng)
            complete, executed = RequestObserver(analysis).run(steps_back_max) if analysis else (False, 0)
            if complete:
                return Verdict("ok", "")
            most = max(most, executed)
            if not guessed:
                break
    except Fault as fault:
        return Verdict("fault", str(fault))
    return Verdict("undecided", f"no cycle, but of {len(lines)} transactions at most {most} fit into an order that was tried")


def check(lines, steps_back_max=STEPS_BACK_MAX):
    """Returns the Verdict on a history given as dicts: the worst of its parts."""
    verdicts = [check_component(part, steps_back_max) for part in components(lines)]
    for kind in ("fault", "undecided"):
        for verdict in verdicts:
            if verdict.kind == kind:
                return verdict
    return Verdict("ok", "")


def read(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def main():
    failed = False
    for path in sys.argv[1:]:
        lines = read(path)
        verdict = check(lines)
        print(f"{path}: {len(lines)} transactions, {verdict.kind}" + (f": {verdict.why}" if verdict.why else ""))
        failed = failed or verdict.kind == "fault"
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
