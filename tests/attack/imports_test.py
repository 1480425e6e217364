#!/usr/bin/env python3
"""Imports hostile files: forged log lines, bombs, deep nesting, endless lines, huge headers, damaged compression, wrong formats.

Each import must end as COMPLETED or FAILED, the server must keep running, and it must have written every line of its log itself.
"""
import gzip
import json
import re

from judge import main
from limits_test import peak_mb, zeros_in_gzip
from paths_test import import_of
from target import Target

FORGED = "2026-01-01T00:00:00.000Z critical forged"
LOG_LINE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (trace|debug|info|warning|error|critical) .*|keyfold \S+ on .*|\s*(data in|in memory).*|\s*\S.*https?://.*|")
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f\x80-\x9f\u2028\u2029]")


def line(**attributes):
    return json.dumps({"Item": {"pk": {"S": "k"}, **attributes}}).encode() + b"\n"


def forged_lines():
    """Yields texts that a message might repeat."""
    for text in (f"bad\u001b[31m\n{FORGED}", f"bad\r\n{FORGED}", f"bad\u2028{FORGED}", f"bad\x00\n{FORGED}", f"\n{FORGED}\n", f"bad\u0085{FORGED}", "\x1b]0;title\x07", "\u202e" + FORGED):
        yield "number", line(v={"N": text}), "DYNAMODB_JSON", "NONE"
        yield "type", line(v={text: "x"}), "DYNAMODB_JSON", "NONE"
        yield "name", json.dumps({text: {}}).encode() + b"\n", "DYNAMODB_JSON", "NONE"
        yield "binary", line(v={"B": text}), "DYNAMODB_JSON", "NONE"
        yield "set", line(v={"NS": [text, text]}), "DYNAMODB_JSON", "NONE"
        yield "key", json.dumps({"Item": {"pk": {"N": text}}}).encode() + b"\n", "DYNAMODB_JSON", "NONE"
        yield "ion", ("$ion_1_0 {Item:{pk:\"k\",v:'''" + text + "'''::1}}\n").encode(), "ION", "NONE"
        yield "ion symbol", ("{Item:{pk:'" + text.replace("\n", "\\n").replace("\x00", "") + "'}}").encode(), "ION", "NONE"
        yield "csv", ("pk,v\n\"" + text + "\"x,1\n").encode(), "CSV", "NONE"
        yield "csv header", ("\"" + text + "\",\"" + text + "\"\n1,2\n").encode(), "CSV", "NONE"


def files(a):
    """Yields (name, bytes, format, compression)."""
    yield from forged_lines()
    large = 3_000 if a.long else 300
    for form in ("DYNAMODB_JSON", "ION", "CSV"):
        for name, data in (("empty", b""), ("spaces", b" \n\n\n "), ("zeros", bytes(100_000)), ("noise", bytes(range(256)) * 400), ("byte order mark", b"\xef\xbb\xbf" + line()), ("utf-16", "a,b\n".encode("utf-16")),
                           ("one line of 8 MB", b"a" * (8 << 20)), ("a quote that does not end", b"\"" + b"a" * 100_000), ("line ends", b"\n" * 1_000_000), ("carriage returns", b"\r" * 100_000)):
            yield name, data, form, "NONE"
        yield f"bomb of {large} MB", zeros_in_gzip(large), form, "GZIP"
        yield "cut gzip", gzip.compress(line() * 1000)[:-20], form, "GZIP"
        yield "not gzip", b"not gzip", form, "GZIP"
        yield "not zstd", b"\x28\xb5\x2f\xfd" + bytes(50), form, "ZSTD"
        yield "members", gzip.compress(b"") * 50_000, form, "GZIP"
    for depth in (40, 10_000, 500_000):
        yield f"maps {depth} deep", b'{"Item":{"pk":{"S":"k"},"v":' + b'{"M":{"a":' * depth + b"1" + b"}}" * depth + b"}}\n", "DYNAMODB_JSON", "NONE"
        yield f"lists {depth} deep", b'{"Item":{"pk":{"S":"k"},"v":' + b'{"L":[' * depth + b"]}" * depth + b"}}\n", "DYNAMODB_JSON", "NONE"
        yield f"ion {depth} deep", b'{Item:{pk:"k",v:' + b"[" * depth + b"]" * depth + b"}}\n", "ION", "NONE"
        yield f"ion annotations {depth}", b'{Item:{pk:"k",v:' + b"a::" * depth + b"1}}\n", "ION", "NONE"
        yield f"ion comments {depth}", b"/*" * depth, "ION", "NONE"
    for bad in (b'{"Item":', b'{"Item":{}}', b"[]", b"{}", b"null", b'{"Item":null}', b'{"Item":{"pk":{"S":"\xff"}}}', rb'{"Item":{"pk":{"S":"\ud800"}}}', b'{"Item":{"pk":{"S":"' + b"k" * 3000 + b'"}}}',
                b'{"Item":{"pk":{"S":"k"},"v":{"S":"' + b"v" * 500_000 + b'"}}}', b'{"Item":{"pk":{"S":"k"}},"Item":{"pk":{"S":"l"}}}'):
        yield f"record {bad[:40]!r}", bad + b"\n", "DYNAMODB_JSON", "NONE"
    yield "wide record", b"pk,a\nk" + b",x" * 300_000 + b"\n", "CSV", "NONE"


def run_import(a, target, bucket, number, name, data, form, compression):
    """Returns the final description of the import."""
    folder = bucket / f"files{number}"
    folder.mkdir()
    (folder / "data").write_bytes(data)
    request = {**import_of("bucket", f"files{number}/", number, form), "InputCompressionType": compression}
    status, answer = target.ask("ImportTable", request)
    if not a.judge.check(status == 200, lambda: f"{name} ({form}): {status} {answer}"):
        return None
    arn = answer["ImportTableDescription"]["ImportArn"]

    def ended():
        description = target.must("DescribeImport", {"ImportArn": arn})["ImportTableDescription"]
        return description if description["ImportStatus"] in ("COMPLETED", "FAILED", "CANCELLED") else None

    description = target.wait_until(f"{name} ({form}) ends", ended)
    (folder / "data").unlink()
    return description


def judge_log_lines(a, target):
    """A reader of the log must be able to trust that a line is the server's, and it must not contain terminal control characters."""
    for row in target.log.split("\n"):
        a.judge.check(LOG_LINE.fullmatch(row) and not CONTROL.search(row), lambda: f"a log line that the server did not write: {row[:200]!r}")


def attack(a):
    bucket = a.folder / "buckets" / "bucket"
    bucket.mkdir(parents=True)
    target = Target(a, "--s3-root", str(bucket.parent), data=a.folder / "data").start()
    before = peak_mb(target)
    forged = list(forged_lines())
    others = list(files(a))[len(forged):]
    for number, one in enumerate([*a.sample(forged, 20), *a.sample(others, 15)]):
        run_import(a, target, bucket, number, *one)
    grown = peak_mb(target) - before
    a.judge.note(f"{grown:.0f} MB at most above the start")
    count = 2_000_000 if a.long else 100_000
    columns = b",".join(b"c%x" % i for i in range(count))
    description = run_import(a, target, bucket, 9999, f"{count} columns", b"pk," + columns + b"\nk" + b"," * count + b"\n", "CSV", "NONE")
    a.judge.check(description and description["ImportStatus"] == "FAILED", lambda: f"a header of {count} columns: {description}")
    judge_log_lines(a, target)
    a.judge.check(target.ask("ListTables")[0] == 200, "the server still responds")
    target.stop()


if __name__ == "__main__":
    main(attack)
