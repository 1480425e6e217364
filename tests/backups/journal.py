"""Records what clients know about their writes, and determines what a copy of their table at one moment may contain."""
import bisect
import pathlib
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "crash"))

from history import Violation  # noqa: E402


class Entry:
    """A write of one key, or of several in one transaction. Times are wall-clock times."""

    __slots__ = ("keys", "version", "present", "sent", "acknowledged")

    def __init__(self, keys, version, present):
        self.keys, self.version, self.present = keys, version, present
        self.sent, self.acknowledged = time.time(), None


class Journal:
    """The writes of all groups of keys. Each group has one writer, which waits for each response, so its versions are ordered. Thread-safe."""

    def __init__(self):
        self._lock = threading.Lock()
        self._entries = {}  # keys to entries, ascending by version

    def sent(self, keys, version, present):
        entry = Entry(keys, version, present)
        with self._lock:
            self._entries.setdefault(keys, []).append(entry)
        return entry

    @staticmethod
    def acknowledged(entry):
        entry.acknowledged = time.time()

    def groups(self):
        with self._lock:
            return {keys: list(entries) for keys, entries in self._entries.items()}


def allowed(entries, begin, end):
    """Returns the states that a group of keys may have at a moment between the two times: (version, present), with version 0 for never written."""
    possible = entries[: bisect.bisect_right([entry.sent for entry in entries], end)]
    least = 0
    for place, entry in enumerate(possible):
        if entry.acknowledged is not None and entry.acknowledged < begin:
            least = place + 1
    states = [(entry.version, entry.present) for entry in possible[max(least - 1, 0) :]]
    return states if least else [(0, False), *states]


def judge(journal, items, begin, end, still, item_of):
    """Checks `items`, by key, as the table at a moment between the two times; `still` items of it were never changed."""
    left = dict(items)
    for number in range(still):
        key = f"still-{number}"
        if left.pop(key, None) != item_of(key, number):
            raise Violation(f"{key} is missing or another")
    for keys, entries in journal.groups().items():
        found = {key: left.pop(key, None) for key in keys}
        states = allowed(entries, begin, end)
        fits = [all(found[k] == (item_of(k, version) if present else None) for k in keys) for version, present in states]
        if not any(fits):
            seen = {key: item and item["ver"]["N"] for key, item in found.items()}
            raise Violation(f"{seen} at {begin:.6f} to {end:.6f}, allowed (version, present): {states}")
    if left:
        raise Violation(f"{len(left)} items nobody wrote, such as {next(iter(left))}")
