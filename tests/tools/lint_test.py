#!/usr/bin/env python3
"""Plants faults of each kind in a small tree and expects tools/lint to find them, once each, and to check nothing twice."""
import json
import pathlib
import shutil
import sys
import tempfile

import tool

module = tool.load("lint")

GUARDED = """#pragma once
#include "base/mutex.h"
namespace keyfold {
class Counter {
 public:
  void Add() {
    BODY
  }

 private:
  Mutex mutex_;
  int count_ GUARDED_BY(mutex_) = 0;
};
}  // namespace keyfold
"""
CLEAN = {
    "src/demo/counter.h": GUARDED.replace("BODY", "const MutexLock lock(mutex_);\n    count_++;"),
    "src/demo/a.cc": '#include "demo/counter.h"\n\nnamespace keyfold {\nvoid UseA(Counter& counter) { counter.Add(); }\n}  // namespace keyfold\n',
    "src/demo/b.cc": '#include "demo/counter.h"\n\nnamespace keyfold {\nvoid UseB(Counter& counter) { counter.Add(); }\n}  // namespace keyfold\n',
}
# (what is planted, file, text, part of the message, whether only --all finds it)
ROWS = [
    ("layout", "src/demo/a.cc", CLEAN["src/demo/a.cc"].replace("counter.Add();", "counter.Add()  ;"), "a.cc: not formatted", False),
    ("clang-tidy", "src/demo/a.cc", "bool Same(double a) { return a + 1 == a ? true : true; }\n", "bugprone-branch-clone", False),
    ("a field without its mutex", "src/demo/counter.h", GUARDED.replace("BODY", "count_++;"), "requires holding mutex 'mutex_'", False),
    ("a header that needs another", "src/demo/counter.h", "#pragma once\nnamespace keyfold {\ninline std::string Name() { return {}; }\n}  // namespace keyfold\n", "counter.h: does not compile by itself", False),
    ("the analyzer", "src/demo/b.cc", "int Divide(int a) {\n  const int zero = a - a;\n  if (zero == 0) return a / zero;\n  return 0;\n}\n", "clang-analyzer-core.DivideZero", True),
]


def plant(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def check(files, analyze):
    """Returns (faults, files checked) of a tree with these files beside the headers of base/."""
    module.read.cache_clear()
    plant(module.ROOT, files)
    names = sorted(files)
    faults = module.check_layout(names)
    findings, checked, remaining = module.check_code(names, float("inf"), analyze)
    return faults + findings, checked, remaining


def main():
    failed = []
    with tempfile.TemporaryDirectory() as place:
        root = pathlib.Path(place)
        for name in (".clang-format", ".clang-tidy"):
            shutil.copy(module.ROOT / name, root / name)
        (root / "src").mkdir()
        shutil.copytree(module.ROOT / "src" / "base", root / "src" / "base")
        module.ROOT, module.CACHE = root, root / "cache"
        batch = root / "build/dev/CMakeFiles/demo.dir/Unity/unity_0_cxx.cxx"
        plant(root, {str(batch.relative_to(root)): "".join(f'#include "{root}/src/demo/{name}.cc"\n' for name in "ab")})
        entry = {"file": str(batch), "command": f"c++ -I{root}/src -std=c++20 -o CMakeFiles/demo.dir/Unity/unity_0_cxx.cxx.o -c {batch}"}
        plant(root, {"build/dev/compile_commands.json": json.dumps([entry])})
        # Two sources, a header, and two sources once more for the analyzer.
        for what, expected in (("at first", ([], 5, 0)), ("again", ([], 0, 0))):
            found = check(CLEAN, True)
            if found != expected:
                failed.append(f"without a fault, {what}: expected {expected}, got {found}")
        for what, name, text, message, only_all in ROWS:
            found = check({**CLEAN, name: text}, only_all)[0]
            if not any(message in fault for fault in found):
                failed.append(f"{what}: not found; got {found}")
        if check(CLEAN, True)[1] != 0:
            failed.append("files that were found clean before are checked again")
    print("\n".join(failed) or f"{len(ROWS) + 3} passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
