"""Tracks what is known about each item: its states in order, which reader saw which, and which of them may be present after a crash.

One process writes a key, so its writes have an order: position 0 is the state at the start of a cycle, and each write has the next position. An
acknowledged write has an end; the last one may have none (unknown). From this follow the states that a read may have returned, and the position
below which the item must never fall again: that of the last acknowledged write, or of anything that a read has shown, including absence.
"""
INFINITY = float("inf")


def short(state):
    text = str(state)
    return text if len(text) <= 300 else f"{text[:300]}… ({len(text)} characters)"


class Violation(Exception):
    """The server lost, invented or reverted something."""


class KeyHistory:
    """States of one key within one cycle, in the order in which they were written. One thread at a time."""

    def __init__(self, state):
        self.states = [state]  # None: absent
        self.begins = [-INFINITY]
        self.ends = [-INFINITY]

    def write(self, state, begin, end):
        self.states.append(state)
        self.begins.append(begin)
        self.ends.append(INFINITY if end is None else end)

    def lowest_position_of(self, state, begin, end, floor):
        """Returns the earliest position from `floor` on that a read within begin..end may have shown as `state`; None if there is none.

        A state can be seen from the moment its write begins until the next write has ended.
        """
        for position in self.positions_of(state, floor):
            gone = self.ends[position + 1] if position + 1 < len(self.states) else INFINITY
            if self.begins[position] <= end and gone >= begin:
                return position
        return None

    def last_acknowledged(self):
        return max(position for position, end in enumerate(self.ends) if end < INFINITY)

    def positions_of(self, state, floor):
        return [position for position in range(floor, len(self.states)) if self.states[position] == state]


class Ledger:
    """All keys of the table, over all cycles. One thread at a time."""

    def __init__(self):
        self.resolved = {}  # key -> state at the start of the cycle
        self.histories = {}
        self.shown = {}  # key -> (end, position) of each read

    def begin_cycle(self):
        self.histories, self.shown = {}, {}

    def history(self, key):
        if key not in self.histories:
            self.histories[key] = KeyHistory(self.resolved.get(key))
        return self.histories[key]

    def read(self, key, state, begin, end):
        """Reads arrive in the order of their start. A read that began after another ended must not show an older state."""
        earlier = self.shown.setdefault(key, [])
        floor = max((position for ended, position in earlier if ended < begin), default=0)
        position = self.history(key).lowest_position_of(state, begin, end, floor)
        if position is None:
            raise Violation(
                f"a read of {key} at {begin:.6f}..{end:.6f} returned {short(state)}\n"
                f"which it was not then, or after a read had shown position {floor}\n{self.describe(key)}"
            )
        earlier.append((end, position))

    def resolve(self, found):
        """`found` (key -> item) is the whole table after the restart; it becomes what is certain."""
        for key in found.keys() - self.resolved.keys() - self.histories.keys():
            raise Violation(f"{key} was never written: {short(found[key])}")
        for key in self.resolved.keys() | self.histories.keys():
            history = self.history(key)
            seen = max((position for _, position in self.shown.get(key, [])), default=0)
            floor, why = max((seen, "read"), (history.last_acknowledged(), "acknowledged"))
            if not history.positions_of(found.get(key), floor):
                raise Violation(
                    f"{key} is {short(found.get(key))}\nbut must not be older than position {floor} ({why})\n{self.describe(key)}"
                )
        self.resolved = dict(found)

    def describe(self, key, last=6):
        history = self.history(key)
        lines = [f"history of {key}, the last of {len(history.states)} positions:"]
        for position in range(max(0, len(history.states) - last), len(history.states)):
            span = f"{history.begins[position]:.6f}..{history.ends[position]:.6f}"
            lines.append(f"  {position} [{span}] {short(history.states[position])}")
        return "\n".join(lines)
