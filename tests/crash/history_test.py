#!/usr/bin/env python3
"""Tests the checker: each row is a history, what was read and found, and whether that is a violation."""
import sys

from history import Ledger, Violation

A, B, C = {"v": "a"}, {"v": "b"}, {"v": "c"}

# (name, writes (state, begin, end), reads (state, begin, end), found after the crash, allowed)
ROWS = [
    ("acknowledged write is there", [(A, 1, 2)], [], A, True),
    ("acknowledged write is lost", [(A, 1, 2)], [], None, False),
    ("unknown write is there", [(A, 1, 2), (B, 3, None)], [], B, True),
    ("unknown write is not there", [(A, 1, 2), (B, 3, None)], [], A, True),
    ("older than the acknowledged one", [(A, 1, 2), (B, 3, 4)], [], A, False),
    ("never written", [(A, 1, 2)], [], C, False),
    ("acknowledged delete is undone", [(A, 1, 2), (None, 3, 4)], [], A, False),
    ("unknown write was read, then lost", [(A, 1, 2), (B, 3, None)], [(B, 5, 6)], A, False),
    ("unknown write was read and is there", [(A, 1, 2), (B, 3, None)], [(B, 5, 6)], B, True),
    ("unknown delete was seen, then undone", [(A, 1, 2), (None, 3, None)], [(None, 5, 6)], A, False),
    ("absence before the first write binds nothing", [(A, 3, None)], [(None, 1, 2)], None, True),
    ("stale read of an overwritten state", [(A, 1, 2), (B, 3, 4)], [(A, 5, 6)], B, False),
    ("read while the next write is under way", [(A, 1, 2), (B, 3, 6)], [(A, 4, 5)], B, True),
    ("read goes backwards during a write", [(A, 1, 2), (B, 3, 9)], [(B, 4, 5), (A, 6, 7)], B, False),
    ("overlapping reads may disagree", [(A, 1, 2), (B, 3, 9)], [(B, 4, 7), (A, 5, 6)], B, True),
    ("read of a state before it was sent", [(A, 5, 6)], [(A, 1, 2)], A, False),
]


def allowed(writes, reads, found):
    ledger = Ledger()
    ledger.begin_cycle()
    try:
        for write in writes:
            ledger.history("k").write(*write)
        for read in reads:
            ledger.read("k", *read)
        ledger.resolve({} if found is None else {"k": found})
    except Violation:
        return False
    return True


wrong = [name for name, writes, reads, found, expected in ROWS if allowed(writes, reads, found) != expected]
print("\n".join(f"wrong: {name}" for name in wrong) or f"{len(ROWS)} passed")
sys.exit(1 if wrong else 0)
