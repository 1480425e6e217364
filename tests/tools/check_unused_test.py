#!/usr/bin/env python3
"""Plants declarations that nothing uses and expects tools/check_unused to find them."""
import sys

import tool

module = tool.load("check_unused")

# ({path: text}, names that must be found)
ROWS = [
    ({"a.h": "int F(int n);\n", "a.cc": "int F(int n) { return n; }\n"}, ["F"]),
    ({"a.h": "int F(int n);\n", "a.cc": "int F(int n) { return n; }\n", "b.cc": "int g = F(1);\n"}, []),
    ({"a.h": "class A {\n public:\n  int F() const { return 1; }\n  int G();\n};\n", "a.cc": "int A::G() { return 2; }\n"}, ["F", "G"]),
    ({"a.h": "class A {\n public:\n  int F() const { return 1; }\n  int G() { return F(); }\n};\n", "b.cc": "int x = A().G();\n"}, []),
    ({"a.h": "inline constexpr int kMax = 3;\n"}, ["kMax"]),
    ({"a.h": "inline constexpr int kMax = 3;\n", "b.cc": "int x[kMax];\n"}, []),
    ({"a.h": "class A {\n  A();\n  ~A();\n  virtual void F();\n  void G() override;\n  bool operator==(const A&) const = default;\n};\n"}, []),
    ({"a.h": "// F is mentioned in a comment.\nint F();\n"}, ["F"]),
]


def main():
    failed = []
    for texts, expected in ROWS:
        found = [name for _, name in module.unused(texts)]
        if found != expected:
            failed.append(f"{texts}: expected {expected}, got {found}")
    print("\n".join(failed) or f"{len(ROWS)} passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
