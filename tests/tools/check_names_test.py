#!/usr/bin/env python3
"""Plants names that are declared twice and expects tools/check_names to find them."""
import sys

import tool

module = tool.load("check_names")

HEADER = "namespace keyfold::wire {\nstruct Request {\n  int a = 0;\n};\nenum class Mode { kA };\nint Count(int n);\n}\n"
SOURCE = '#include "wire/a.h"\nnamespace keyfold::wire {\nnamespace {\nstruct Helper {};\nconstexpr int kMost = 2;\nint Add(int n) { return n; }\n}\nint Count(int n) { return Add(n); }\n}\n'
GOOD = {"src/wire/a.h": HEADER, "src/wire/a.cc": SOURCE, "src/wire/c_test.cc": SOURCE.replace("int Count(int n) { return Add(n); }\n", "")}
# (what is planted, path, text, part of the message)
ROWS = [
    ("a struct", "copy/b.h", "namespace keyfold::wire {\nstruct Request { long b; };\n}\n", "keyfold::wire::Request is defined in several places"),
    ("an enum", "copy/b.h", "namespace keyfold::wire {\nenum class Mode : int { kB };\n}\n", "keyfold::wire::Mode is defined"),
    ("nested namespaces", "copy/b.h", "namespace keyfold {\nnamespace wire {\nclass Request {\n};\n}\n}\n", "keyfold::wire::Request is defined"),
    ("a function in a header", "copy/b.h", "namespace keyfold::wire {\nint Count(const char* text);\n}\n", "keyfold::wire::Count() is declared in several headers"),
    ("a template", "copy/b.h", "namespace keyfold::wire {\ntemplate <typename T>\nint Count(T text) {\n  return 0;\n}\n}\n", "Count() is declared in several headers"),
    ("a private function", "copy/b.cc", "namespace keyfold::wire {\nnamespace {\nint Count(long n) { return 1; }\n}\n}\n", "has the name of a function in"),
    ("a private function twice", "src/wire/b.cc", "namespace keyfold::wire {\nnamespace {\nint Add(int n) { return n; }\n}\n}\n", "keyfold::wire::Add is in the anonymous"),
    ("a private type twice", "src/wire/b.cc", "namespace keyfold::wire {\nnamespace {\nstruct Helper { int n; };\n}\n}\n", "keyfold::wire::Helper is in the anonymous"),
    ("a private constant twice", "src/wire/b.cc", "namespace keyfold::wire {\nnamespace {\nconstexpr int kMost = 3;\n}\n}\n", "keyfold::wire::kMost is in the anonymous"),
]
BOTH = {"x.cc": "namespace k {\nint F(int a) { return a; }\n}\n", "y.cc": "namespace k {\nint F(int a) { return -a; }\n}\n"}
ALLOWED = [
    {"x.h": "namespace k {\nenum class A { kX };\nint NameOf(A a);\n}\n", "y.h": "namespace k {\nenum class B { kX };\nint NameOf(B b);\n}\n"},
    {"x.h": "namespace k {\nstruct A { int F(); };\n}\n", "y.h": "namespace k {\nstruct B { int F(); };\n}\n"},
    {"x.h": "namespace k {\nclass A;\n}\n", "y.h": "namespace k {\nclass A {};\n}\n"},
]


def main():
    failed = [f"without a fault: {fault}" for texts in [GOOD, *ALLOWED] for fault in module.faults_of(texts)]
    for what, path, text, expected in ROWS:
        found = module.faults_of({**GOOD, path: text})
        if not any(expected in fault for fault in found):
            failed.append(f"{what}: not found; got {found}")
    if not any("k::F() is defined in several sources" in fault for fault in module.faults_of(BOTH)):
        failed.append("two definitions in sources: not found")
    print("\n".join(failed) or f"{len(ROWS) + 1} passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
