#!/usr/bin/env python3
"""Tests tools/check_rules: a small sound tree has no faults, and each row plants one fault that the check must report."""
import pathlib
import sys
import tempfile

import tool

module = tool.load("check_rules")

PUT = "src/ops/put.cc"
KEY = "src/value/key.h"
CASES = "tests/wire/cases/put.case"
TREE = {
    "src/LAYERS": "base\nvalue  base\nmodel  base\nops  base value\nserver  ops\n",
    PUT: 'constexpr Rule<"Put {} at "\n    "\\"{}\\""> kPut{"put-fault", Kind::kValidation};\n'
    'constexpr Rule<"Stale"> kStale{"put-stale", Kind::kStale};\n'
    'constexpr TableExists kMade{"put-exists", Kind::kResourceInUse};  // Rule<"not one"> kX{\n',
    KEY: 'inline constexpr Rule<"Key is empty"> kEmpty{"key-empty", Kind::kValidation};\n'
    'using TableExists = Rule<"Table exists: {}">;\n'
    'constexpr TableExists kFound{"key-exists", Kind::kTableAlreadyExists};\n'
    'constexpr Rule<"The disk is full"> kFull{"disk-full", Kind::kUnavailable};\n',
    "src/model/check.cc": 'constexpr Rule<"Key is empty"> kOne{"L01", Kind::kValidation};\n'
    'constexpr Rule<"never sent"> kTwo{"L01", Kind::kValidation};\n',
    "src/value/key_test.cc": 'TEST(Disk, IsFull) { EXPECT_EQ(text, "The disk is full"); }\n',
    CASES: "case an empty key  rule: key-empty  source: docs\n> PutItem {}\n< 400\ncase fine  source: docs\n> PutItem {}\n< 200\n",
    "tools/rules_elsewhere": "# A full disk.\nsrc/value/key_test.cc  Disk.IsFull\n  disk-full\n",
}


def record(rule, message, how="exact", pattern=None):
    return {"rule": rule, "case": "put.case:3", "how": how, "message": message, "pattern": pattern}


PUT_HIT = record("put-fault", 'Invalid: Put a at "b"', "pattern", r'Invalid: Put .* at "[a-c]"')
KEY_HIT = record("key-empty", "Key is empty")
RECORDS = [PUT_HIT, KEY_HIT, record("put-exists", "Table exists: t"), record("key-exists", "Table exists: t")]
WITHOUT_PUT = [one for one in RECORDS if one["rule"] != "put-fault"]

# (what is planted, {file: (text, replacement)}, records, a part of the fault that must be reported)
ROWS = [
    ("an id twice", {KEY: ('"key-empty"', '"put-fault"')}, None, "the id put-fault is declared twice"),
    ("a sentence twice", {KEY: ("Key is empty", 'Put {} at \\"{}\\"')}, None, "a sentence is declared twice"),
    ("a sentence in a rule and in an alias", {KEY: ("Key is empty", "Table exists: {}")}, None, "a sentence is declared twice"),
    ("a rule that is written in another way", {PUT: ('kPut{"put-fault", Kind::kValidation}', "kPut = Make()")}, None, "cannot be read"),
    ("a case that names no rule", {CASES: ("rule: key-empty", "rule: key_errors")}, None, "key_errors is not the id"),
    ("a case that names a rule no request meets", {CASES: ("rule: key-empty", "rule: put-stale")}, None, "put-stale is not the id"),
    ("a search in a message", {PUT: ("\n", '\nbool F() { return e.message().find("x") != 0; }\n')}, None, "put.cc:2: the text of a message"),
    ("a comparison of a message", {PUT: ("\n", '\nbool F() { return e.message() == "x"; }\n')}, None, "the text of a message"),
    ("a table row without a rule", {"tools/rules_elsewhere": ("disk-full", "disk-half-full")}, None, "disk-half-full is not the id"),
    ("a table row without a file", {"tools/rules_elsewhere": ("key_test", "no_test")}, None, "no_test.cc does not exist"),
    ("a table row without a test", {"tools/rules_elsewhere": ("IsFull", "IsEmpty")}, None, "has no test Disk.IsEmpty"),
    ("a test without the rule", {"src/value/key_test.cc": ("The disk", "A disk")}, None, "neither the id nor the wording of disk-full"),
    ("a rule without a case", {}, WITHOUT_PUT, "no case shows the wording of put-fault"),
    ("a rule whose case has no message", {}, [*WITHOUT_PUT, record("put-fault", "", "nothing")], "the message is not compared"),
    ("a loose pattern", {}, [*RECORDS, record("key-empty", "Key is empty", "pattern", ".*empty")], "would also match other words"),
    ("a loose prefix", {}, [*RECORDS, PUT_HIT | {"pattern": r'.*Put a at "b"'}], "would also match other words"),
    ("a loose dot", {}, [*RECORDS, record("key-empty", "Key is empty", "pattern", "Key is.empty")], "would also match other words"),
    ("an alternative", {}, [*RECORDS, PUT_HIT | {"pattern": r'Invalid: Put a at "b"|.*'}], "would also match other words"),
    ("a message of another rule", {}, [*RECORDS, record("key-empty", "Key", "pattern", "Key")], "the message is not the rule's"),
    ("an unknown rule", {}, [*RECORDS, record("gone", "Gone")], "the unknown rule gone"),
    ("a table row for a rule with a case", {}, [*RECORDS, record("disk-full", "The disk is full")], "remove it"),
]


def faults_of(changes, records):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in TREE.items():
            old, new = changes.get(name, ("", ""))
            assert old in text, f"{name} does not have {old}"
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text.replace(old, new, 1) if old else text)
        return module.check(root, records)[0]


wrong = [f"the sound tree: {fault}" for fault in faults_of({}, RECORDS)]
for planted, changes, records, expected in ROWS:
    faults = faults_of(changes, records)
    if not any(expected in fault for fault in faults):
        wrong.append(f"{planted}: expected “{expected}”, reported {faults}")
print("\n".join(f"wrong: {one}" for one in wrong) or f"{len(ROWS) + 1} passed")
sys.exit(1 if wrong else 0)
