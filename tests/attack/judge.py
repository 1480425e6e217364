"""Counts what was tried and what failed, and provides the main program of every kind of attack.

Each kind is a file KIND_test.py that can be run by itself: KIND_test.py --binary PATH [--long] [--seed N]. Its last line is
`KIND: tried N failed M`, and its exit code is 1 if anything failed. Without --long it tries a sample that depends on the seed.
"""
import argparse
import os
import pathlib
import random
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

FAILURES_SHOWN = 40


class Judge:
    """One thread at a time."""

    def __init__(self, name):
        self.name, self.tried, self.failed = name, 0, 0

    def check(self, holds, what):
        """Counts one check. `what` is a text, or a function that makes one if the check failed. Returns `holds`."""
        self.tried += 1
        if not holds:
            self.failed += 1
            if self.failed <= FAILURES_SHOWN:
                print(f"FAIL {self.name}: {what() if callable(what) else what}"[:1000], flush=True)
        return holds

    def note(self, text):
        print(f"{self.name}: {text}", flush=True)

    def closing_line(self):
        return f"{self.name}: tried {self.tried} failed {self.failed}"


class Attack:
    """The context of a kind: the judge, the program, a scratch folder, random numbers from its seed."""

    def __init__(self, judge, options, folder):
        self.judge, self.binary, self.long = judge, options.binary.resolve(), options.long
        self.folder, self.options = pathlib.Path(folder), options
        self.random = random.Random(options.seed)

    def is_sanitized(self):
        """Returns whether the program is built with AddressSanitizer, which keeps freed memory for a while."""
        return b"__asan_init" in self.binary.read_bytes()

    def sample(self, things, short):
        """Returns all of them with --long, otherwise `short` of them, in their order."""
        things = list(things)
        if self.long or len(things) <= short:
            return things
        return [things[i] for i in sorted(self.random.sample(range(len(things)), short))]


def main(attack, add_options=None):
    """Runs `attack(Attack)` as a program. The file's name gives the name of the kind."""
    name = pathlib.Path(sys.argv[0]).stem.removesuffix("_test")
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__)
    parser.add_argument("--binary", type=pathlib.Path, required=True)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("ATTACK_SEED", "1")))
    if add_options:
        add_options(parser)
    options = parser.parse_args()
    if not options.binary.is_file():
        sys.exit(f"{options.binary} does not exist; build it first")
    judge, began = Judge(name), time.monotonic()
    with tempfile.TemporaryDirectory(prefix="keyfold-attack-") as folder:
        attack(Attack(judge, options, folder))
    judge.note(f"{time.monotonic() - began:.1f} s, seed {options.seed}")
    print(judge.closing_line(), flush=True)
    sys.exit(1 if judge.failed or not judge.tried else 0)
