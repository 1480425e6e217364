#!/usr/bin/env python3
"""Plants words that tools/check_words must find, and sentences that it must accept."""
import sys

import tool

module = tool.load("check_words")

FOUND = [
    "// The store's upkeep.",
    "int StopSign();",
    "int stop_sign = 0;",
    "// A chore that runs.",
    "class Witness {",
    "// It is told twice.",
    "// Of the item's collection after the write.",
    "int a;  // of the table",
    'constexpr char kText[] = "{} is no bucket";',
    "// These are no names.",
]
ACCEPTED = [
    "// The index rows are updated.",
    "// There is no bucket.",
    "// It is no longer used.",
    "// The stop request.",
    "// The number of items of the table.",
    "int anchored = 0;",
]


def main():
    failed = [f"not found: {text}" for text in FOUND if not list(module.faults_of("src/a.cc", text + "\n"))]
    failed += [f"found: {text}" for text in ACCEPTED if list(module.faults_of("src/a.cc", text + "\n"))]
    print("\n".join(failed) or f"{len(FOUND) + len(ACCEPTED)} passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
