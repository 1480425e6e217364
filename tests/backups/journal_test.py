#!/usr/bin/env python3
"""Tests the checker of restored tables with handwritten journals: what it must allow, and what it must not."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from journal import Entry, Journal, allowed, judge  # noqa: E402
from history import Violation  # noqa: E402


def entry(version, sent, acknowledged, present=True, keys=("k",)):
    made = Entry(keys, version, present)
    made.sent, made.acknowledged = sent, acknowledged
    return made


def item_of(key, version):
    return {"pk": {"S": key}, "ver": {"N": str(version)}}


def journal_of(*entries):
    journal = Journal()
    for one in entries:
        journal._entries.setdefault(one.keys, []).append(one)
    return journal


class Allowed(unittest.TestCase):
    def test_states(self):
        entries = [entry(1, 10, 11), entry(2, 20, None), entry(3, 30, 31, present=False), entry(4, 40, 41)]
        for begin, end, states in (
            (5, 6, [(0, False)]),
            (10.5, 10.6, [(0, False), (1, True)]),
            (12, 13, [(1, True)]),
            (12, 25, [(1, True), (2, True)]),
            (25, 26, [(1, True), (2, True)]),
            (32, 33, [(3, False)]),
            (30.5, 40.5, [(1, True), (2, True), (3, False), (4, True)]),
            (50, 51, [(4, True)]),
        ):
            self.assertEqual(allowed(entries, begin, end), states, (begin, end))


class Judge(unittest.TestCase):
    def judge(self, items, *entries):
        judge(journal_of(*entries), {item["pk"]["S"]: item for item in items}, 100, 101, 1, item_of)

    def test_holds(self):
        self.judge([item_of("still-0", 0), item_of("k", 1)], entry(1, 10, 11))
        pair = ("a", "b")
        self.judge([item_of("still-0", 0), item_of("a", 2), item_of("b", 2)], entry(2, 10, 11, keys=pair))

    def test_finds(self):
        pair = ("a", "b")
        for why, items, entries in (
            ("lost", [item_of("still-0", 0)], [entry(1, 10, 11)]),
            ("too old", [item_of("still-0", 0), item_of("k", 1)], [entry(1, 10, 11), entry(2, 20, 21)]),
            ("sent later", [item_of("still-0", 0), item_of("k", 2)], [entry(1, 10, 11), entry(2, 200, 201)]),
            ("half", [item_of("still-0", 0), item_of("a", 1)], [entry(1, 10, None, keys=pair)]),
            (
                "mixed",
                [item_of("still-0", 0), item_of("a", 1), item_of("b", 2)],
                [entry(1, 10, None, keys=pair), entry(2, 20, None, keys=pair)],
            ),
            ("still gone", [item_of("k", 1)], [entry(1, 10, 11)]),
            ("still changed", [item_of("still-0", 9), item_of("k", 1)], [entry(1, 10, 11)]),
            ("from nowhere", [item_of("still-0", 0), item_of("k", 1), item_of("z", 1)], [entry(1, 10, 11)]),
        ):
            with self.assertRaises(Violation, msg=why):
                self.judge(items, *entries)


if __name__ == "__main__":
    unittest.main()
