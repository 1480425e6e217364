#!/usr/bin/env python3
"""Plants a fault of each kind in a small tree and expects tools/check_layers to find it, and nothing in the tree without it."""
import sys

import tool

module = tool.load("check_layers")

LAYERS = """
base
store            base
store/disk       base store
engine/items     base store
ops              base engine/
testing/engine   base engine/
only secret.h    store
"""
GOOD = {
    "base/text.h": "class Text {\n};\n",
    "store/store.h": '#include "base/text.h"\nclass Store {\n};\n',
    "store/disk/disk.h": '#include "store/store.h"\n#include <secret.h>\n',
    "engine/items/write.h": '#include "store/store.h"\nclass Store;\n',
    "engine/items/write_test.cc": '#include "testing/engine/database.h"\n',
    "testing/engine/database.h": '#include "engine/items/write.h"\n',
    "ops/put.cc": '#include "engine/items/write.h"\n',
}
# (what is planted, {path: text}, part of the message)
ROWS = [
    ("an include of a higher layer", {"store/store.h": '#include "engine/items/write.h"\n'}, "store may not use engine/items"),
    ("an include of a sub-folder", {"engine/items/write.h": '#include "store/disk/disk.h"\n'}, "engine/items may not use store/disk"),
    ("a forward declaration", {"engine/items/query.h": "class Query {\n};\n", "store/store.h": "class Query;\n"}, "not even by a forward declaration"),
    ("a library", {"base/text.h": "#include <secret.h>\n"}, "may be included only below store"),
    ("a file that is missing", {"ops/put.cc": '#include "engine/gone.h"\n'}, "does not exist"),
    ("testing code in a source", {"engine/items/write.cc": '#include "testing/engine/database.h"\n'}, "may not use testing/engine"),
    ("a folder without a row", {"lab/lab.h": "\n"}, "not in LAYERS"),
    ("a cycle", {"base/text.h": '#include "store/store.h"\n'}, "a cycle of folders"),
    ("a full folder", {f"base/f{i}.h": "\n" for i in range(56)}, "base holds 57 files"),
]


def faults(texts):
    return module.faults_of(texts, LAYERS)


def main():
    failed = [f"without a fault: {fault}" for fault in faults(GOOD)]
    for what, planted, expected in ROWS:
        found = faults({**GOOD, **planted})
        if not any(expected in fault for fault in found):
            failed.append(f"{what}: not found; got {found}")
    print("\n".join(failed) or f"{len(ROWS)} passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
