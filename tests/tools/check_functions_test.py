#!/usr/bin/env python3
"""Tests the function scanner: each row has a piece of code and the lines and nesting that it must count."""
import pathlib
import sys
import tempfile

import tool

module = tool.load("check_functions")

# (code, [(lines, nesting)] of its functions)
ROWS = [
    ("int F() { return 1; }\n", [(1, 0)]),
    ("int F() {\n  if (a) {\n    b();\n  }\n  return 1;\n}\n", [(6, 1)]),
    ("int F() {\n  for (;;) {\n    if (a) {\n      while (b) {\n        switch (c) {\n        }\n      }\n    }\n  }\n}\n", [(10, 4)]),
    ("int F() {\n  if (a) {\n  } else if (b) {\n  } else {\n  }\n}\n", [(6, 1)]),
    ("int F() {\n  switch (x) {\n    case kA: {\n      if (y) {\n      }\n    }\n  }\n}\n", [(8, 2)]),
    ("int F() {\n  Do([&](int x) {\n    if (x) {\n    }\n  });\n}\n", [(6, 1)]),
    ("int F() {\n  if (a) {\n    if (b) return {1, 2};\n  }\n}\n", [(5, 1)]),
    ("int F() {\n  if constexpr (a) {\n    try {\n    } catch (E& e) {\n    }\n  }\n}\n", [(7, 2)]),
    ("struct S {\n  int a = 0;\n  int G() const { return a; }\n};\n", [(1, 0)]),
    ("int F() {\n  const int t[] = {\n      1,\n      2,\n  };\n  return t[0];\n}\n", [(4, 0)]),
    ("constexpr int kT[] = {\n  F(1),\n  2,\n};\n", []),
    ('int F() {\n  return S("{{{"); // {\n}\n', [(3, 0)]),
    ("int F(std::vector<int> v = {}) {\n  return 1;\n}\n", [(3, 0)]),
    ("namespace a {\nnamespace {\nint F() {\n}\n}\n}\n", [(2, 0)]),
]


def measured(code):
    with tempfile.NamedTemporaryFile("w", suffix=".cc") as file:
        file.write(code)
        file.flush()
        return [(lines, nesting) for _, _, lines, nesting in module.scan(pathlib.Path(file.name))]


wrong = [f"{code}\n  counted {measured(code)}, expected {expected}" for code, expected in ROWS if measured(code) != expected]
print("\n".join(f"wrong: {one}" for one in wrong) or f"{len(ROWS)} passed")
sys.exit(1 if wrong else 0)
