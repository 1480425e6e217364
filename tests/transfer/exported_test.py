#!/usr/bin/env python3
"""Tests the reader of exports with stored files: what it must read, and what it must not accept as complete."""
import json
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from exported import Exported, apply_changes, begun_exports, plain_number, read_ion  # noqa: E402
from history import Violation  # noqa: E402

BUCKET = HERE / "corpus" / "exports"
FULL, CHANGES = (f"kept/AWSDynamoDB/{id}/" for id in ("01700000000000-4ef9765a", "01700003660000-952c7996"))


class Ion(unittest.TestCase):
    def test_says_the_same_as_json(self):
        for name in ("instruments", "changes"):
            lines = [(HERE / "fixtures" / f"{name}.{ending}").read_text().splitlines() for ending in ("ion", "json")]
            for ion, as_json in zip(*lines, strict=True):
                self.assertEqual(read_ion(ion), json.loads(as_json))

    def test_other_lines(self):
        for ion, item in (
            (r"""{Item:{'it\'s':"a\u0000\"\\","é b":[],'\x07':{}}}""", {"it's": {"S": 'a\0"\\'}, "é b": {"L": []}, "\x07": {"M": {}}}),
            ("{Item:{a:{{}},b:[[1.],{c:null}]}}", {"a": {"B": ""}, "b": {"L": [{"L": [{"N": "1"}]}, {"M": {"c": {"NULL": True}}}]}}),
        ):
            self.assertEqual(read_ion("$ion_1_0 " + ion), {"Item": item})
        for broken in ("{Item:{}}", "$ion_1_0 {Item:{a:}}", "$ion_1_0 {Item:{}} {}", "$ion_1_0 [1.]", "$ion_1_0 {Item:{a:1."):
            with self.assertRaises(Violation, msg=broken):
                read_ion(broken)

    def test_numbers(self):
        for ion, plain in (("103.", "103"), ("6d2", "600"), ("-0.25", "-0.25"), ("1d-7", "0.0000001"), ("0.", "0")):
            self.assertEqual(plain_number(ion), plain)


class Whole(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="keyfold-exported-")
        self.bucket = pathlib.Path(self.folder.name) / "b"
        shutil.copytree(BUCKET, self.bucket)
        for summary in self.bucket.rglob("manifest-summary.json"):
            summary.touch()  # the last

    def tearDown(self):
        self.folder.cleanup()

    def exported(self, prefix):
        return Exported(self.bucket, self.bucket / prefix)

    def test_reads(self):
        self.assertEqual([found.prefix for found in begun_exports(self.bucket)], [FULL, CHANGES])
        full, changes = self.exported(FULL), self.exported(CHANGES)
        self.assertEqual([full.check()["itemCount"], changes.check()["itemCount"]], [4, 3])
        items = {record["Item"]["p"]["S"]: record["Item"] for record in full.records()}
        self.assertEqual(sorted(items), ["celesta", "harp", "oboe", "viola"])
        apply_changes(items, changes.records(), lambda key: key["p"]["S"], knows_before=True)
        self.assertEqual(sorted(items), ["celesta", "harp", "viola", "zither"])
        self.assertEqual(items["viola"]["strings"], {"N": "5"})
        with self.assertRaises(Violation):
            apply_changes(items, changes.records(), lambda key: key["p"]["S"], knows_before=True)

    def test_finds_damage(self):
        for prefix in (FULL, CHANGES):
            exported = self.exported(prefix)
            for path in exported.paths():
                content = path.read_bytes()
                for damaged in (content[:-1], content + b"x", bytes([content[0] ^ 1]) + content[1:], None):
                    path.unlink() if damaged is None else path.write_bytes(damaged)
                    with self.assertRaises(Violation, msg=f"{path} {damaged}"):
                        exported.check()
                path.write_bytes(content)
                (exported.folder / "manifest-summary.json").touch()
                exported.check()

    def test_finds_a_summary_that_was_not_the_last(self):
        exported = self.exported(FULL)
        summary = exported.folder / "manifest-summary.json"
        os.utime(summary, ns=(0, (exported.folder / "manifest-files.md5").stat().st_mtime_ns - 1))
        with self.assertRaisesRegex(Violation, "written after"):
            exported.check()


if __name__ == "__main__":
    unittest.main()
