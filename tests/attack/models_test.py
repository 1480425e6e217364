#!/usr/bin/env python3
"""Reads hostile model files: multiplying anchors, deep nesting, tags, broken encodings, sizes. Each is refused with an exit code and without a crash."""
import subprocess

from judge import main
from target import HANG_S, REPORTS, Target

GOOD = """version: 1
table: {name: shop, partition_key: PK, sort_key: SK}
entities:
  Customer: {keys: {PK: "C#{id}", SK: C}, attributes: {id: string}}
patterns:
  read: {get: Customer}
"""
OPENED = (0, 1)  # with findings or without; it only has to finish
REFUSED = (1, 2, 65, 66, 78)


def files():
    """(name, bytes)"""
    laughs = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(f"{chr(98 + i)}: &{chr(98 + i)} [{','.join(['*' + chr(97 + i)] * 9)}]\n" for i in range(12))
    yield "anchors that multiply", laughs.encode()
    yield "an anchor within itself", b"a: &a [*a]\n"
    yield "an anchor of keys", b"&a ? *a : *a\n"
    yield "merge keys", b"a: &a {x: 1}\nb: {<<: *a, <<: *a}\n"
    for depth in (100, 10_000, 300_000):
        yield f"lists {depth} deep", b"[" * depth + b"]" * depth
        yield f"maps {depth} deep", b"{a: " * depth + b"}" * depth
        yield f"blocks {depth} deep", b"- " * depth
        yield f"JSON {depth} deep", b'{"a":' * depth + b"1" + b"}" * depth
    for tag in (b"!!python/object/apply:os.system ['id']", b"!!js/function 'x'", b"!<tag:x> a", b"!!binary AAAA", b"%YAML 9.9\n--- a", b"!include /etc/passwd"):
        yield f"tag {tag!r}", tag + b"\n"
    for bad in (b"", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\xc3", b"\t", b"a: b: c", b"'", b"\"", b"|", b"---\n---\n", b"a: [", b"{", b"null", b"[]", b"1", b"~", b"? ", b": ", b"\xed\xa0\x80: 1"):
        yield f"text {bad!r}", bad
    yield "4 MB of one word", b"a" * (4 << 20)
    yield "4 MB of members", b"".join(b"k%d: v\n" % i for i in range(300_000))
    yield "a template of 100,000 holes", GOOD.replace("C#{id}", "{id}" * 100_000).encode()
    yield "nested holes", GOOD.replace("C#{id}", "{" * 5_000 + "id" + "}" * 5_000).encode()
    yield "a forged line", GOOD.replace("shop", "\"a\\n2026-01-01T00:00:00.000Z critical forged\\e[31m\"").encode()
    yield "names that climb", GOOD.replace("shop", "../../etc/passwd").encode()


def attack(a):
    path = a.folder / "model.yaml"
    for name, data in a.sample(files(), 14):
        path.write_bytes(data)
        for command in (["model", "check", str(path)], ["model", "plan", str(path)])[: 2 if a.long else 1]:
            try:
                done = subprocess.run([str(a.binary), *command], capture_output=True, timeout=HANG_S, stdin=subprocess.DEVNULL)
            except subprocess.TimeoutExpired:
                a.judge.check(False, f"{command[1]} of {name} does not end")
                continue
            text = (done.stdout + done.stderr).decode("utf-8", "replace")
            a.judge.check(done.returncode in (*OPENED, *REFUSED) and not REPORTS.search(text), lambda: f"{command[1]} of {name}: {done.returncode} {text[:300]}")
            a.judge.check("\x1b" not in text and "\n2026-01-01T" not in text, lambda: f"{command[1]} of {name} prints what it was given: {text[:300]!r}")
    # A server that gets such a file at startup exits cleanly; one that gets it in a request keeps running.
    target = Target(a, "--admin").start()
    for name, data in a.sample(files(), 25):
        answers, rest = target.raw(b"POST /_keyfold/models HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % len(data) + data, half_close=False)
        a.judge.check(len(answers) == 1 and 400 <= answers[0].status < 500, lambda: f"{name} by a request: {[x.status for x in answers]} {rest[:100]}")
    a.judge.check(target.ask("ListTables")[0] == 200, "the server still responds")
    target.stop()


if __name__ == "__main__":
    main(attack)
