"""Tracks what a table of a failing server may contain: acknowledged writes must be present, unanswered ones may be."""
import json

from endpoint.connection import ConnectionLost

ABSENT = None


class Oracle:
    """For each key, the last acknowledged state, and those that an unanswered request may have left since. One thread at a time."""

    def __init__(self, table="tab"):
        self.table, self.certain, self.possible = table, {}, {}

    def copy(self):
        other = Oracle(self.table)
        other.certain = dict(self.certain)
        other.possible = {key: list(states) for key, states in self.possible.items()}
        return other

    def write(self, target, key, value):
        """Puts the value, or deletes the item if it is None. Returns True if it was acknowledged, False if the server is gone."""
        item = {"TableName": self.table}
        state = ABSENT if value is None else {"pk": {"S": key}, **value}
        item.update({"Key": {"pk": {"S": key}}} if value is None else {"Item": state})
        try:
            status, _ = target.ask("DeleteItem" if value is None else "PutItem", item)
        except (ConnectionLost, OSError, ValueError):
            status = None
        if status == 200:
            self.certain[key], self.possible[key] = state, []
        elif status is None or status >= 500:
            self.possible.setdefault(key, []).append(state)
        return status == 200 if status is not None else False

    def faults_in(self, found, but=()):
        """Returns descriptions of the differences; `found` is the whole table by key. Keys in `but` are skipped."""
        wrong = []
        for key in (self.certain.keys() | self.possible.keys() | found.keys()) - set(but):
            allowed = [self.certain.get(key, ABSENT), *self.possible.get(key, [])]
            if found.get(key) not in allowed:
                wrong.append(f"{key} is {json.dumps(found.get(key))[:80]}, not {json.dumps(allowed[0])[:80]}")
        return wrong
