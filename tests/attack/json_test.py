#!/usr/bin/env python3
"""Sends hostile JSON: deep nesting, broken UTF-8, surrogates, byte order marks, numbers, many members, large values."""
from judge import main
from target import Target, judge_answer, keyed_table

AROUND = {
    "item": (b'{"TableName":"tab","Item":{"pk":{"S":"a"},"v":', b"}}", "PutItem"),
    "member": (b'{"TableName":"tab","Key":{"pk":{"S":"a"}},"Extra":', b"}", "GetItem"),
    "name": (b'{"TableName":"tab","Key":{"pk":{"S":', b"}}}", "GetItem"),
    "number": (b'{"TableName":"tab","Limit":', b"}", "Scan"),
    "whole": (b"", b"", "ListTables"),
}
UTF8 = [
    b"\x80", b"\xbf", b"\xc0\x80", b"\xc1\xbf", b"\xc3", b"\xc3(", b"\xe0\x80\x80", b"\xe0\x9f\xbf", b"\xe2\x82", b"\xed\xa0\x80", b"\xed\xbf\xbf", b"\xf0\x80\x80\x80",
    b"\xf0\x8f\xbf\xbf", b"\xf0\x9f\x98", b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80", b"\xf8\x88\x80\x80\x80", b"\xfe", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff",
    b"\xf4\x8f\xbf\xbf", b"\xef\xbf\xbf", b"\xc2\xa0", b"\xe2\x80\xa8",
]
ESCAPES = [
    rb"\ud800", rb"\udc00", rb"\ud800\ud800", rb"\ud800\u0041", rb"\udc00\ud800", rb"\ud83d\ude00", rb"\u0000", rb"\uffff", rb"\u12", rb"\u12g4", rb"\x41", rb"\'", rb"\0", rb"\u",
    b"\\", rb"\ud83d", rb"\uD83D\\", b"\x00", b"\n", b"\x1f", b"\x7f", rb"\/", rb"\b\f\n\r\t", rb"\U0001f600", rb"\u00e9" * 1000,
]
NUMBERS = [
    b"1e400", b"-1e400", b"1e-400", b"0" * 50, b"01", b"-", b"+1", b".5", b"5.", b"1e", b"1e+", b"0x10", b"NaN", b"Infinity", b"-Infinity", b"1_000", b"9" * 400, b"-" + b"9" * 400,
    b"0." + b"9" * 400, b"1e99999999999999999999", b"1E5", b"1e5", b"2147483648", b"-0", b"-0.0", b"--1", b"1.2.3", b"0e0", b"\xef\xbc\x91", b"1a", b"true1", b"nul", b"TRUE",
    b"18446744073709551615", b"9007199254740993", b"1" + b"0" * 100_000,
]
SYNTAX = [
    b"", b" ", b"\x00", b"{", b"}", b"[", b"]", b"{}{}", b"{}]", b"[]", b"[}", b"null", b"1", b'"', b'"a"', b"{,}", b'{"a"}', b'{"a":}', b'{"a":1,}', b"{a:1}", b"{'a':1}", b'{"a":1 "b":2}', b"{}//c",
    b"/*c*/{}", b"{}\x00", b"\x00{}", b"\xef\xbb\xbf{}", b"\xff\xfe{\x00}\x00", b"\xfe\xff\x00{\x00}", b"{}\x1a", b"\x0b{}", b"\xc2\xa0{}", b'{"a":1}' * 2, b'{"a":undefined}', b'{"TableName":"tab"', b"{\"a\":\"",
    b'{"a":tru}', b"," * 1000, b":" * 1000, b'"' * 1001, b"\\" * 1000, b'{"":"","":""}', b'{"Limit":1,"Limit":2}', b'{"Limit":1,"\\u004cimit":"x"}',
]


def texts(a):
    """(where, text)"""
    for depth in (2, 31, 32, 33, 100, 1_000, 10_000, 100_000, *([1_000_000] if a.long else [])):
        for opening, closing, inside in ((b"[", b"]", b"1"), (b'{"M":{"a":', b"}}", b'{"S":"x"}'), (b'{"L":[', b"]}", b'{"S":"x"}'), (b'{"a":', b"}", b"1"), (b"[", b"", b""), (b'{"a":', b"", b"")):
            for where in ("item", "member", "whole"):
                yield where, opening * depth + inside + closing * depth
    for bad in UTF8 + ESCAPES:
        for where in ("name", "item", "member"):
            yield where, b'"' + bad + b'"'
        yield "item", b'{"S":"' + bad + b'"}'
        yield "item", b'{"N":"' + bad + b'"}'
        yield "item", b'{"B":"' + bad + b'"}'
        yield "item", b'{"M":{"' + bad + b'":{"S":"x"}}}'
        yield "whole", b'{"' + bad + b'":1}'
        yield "whole", bad + b"{}"
        yield "whole", b"{}" + bad
    for number in NUMBERS:
        for where in ("number", "member", "name"):
            yield where, number
        yield "item", b'{"N":"' + number + b'"}'
        yield "item", b'{"NS":["' + number + b'","1"]}'
    for text in SYNTAX:
        yield "whole", text
        yield "member", text
    count = 700_000 if a.long else 100_000
    many = b",".join(b'"%x":1' % i for i in range(count))
    yield "whole", b"{" + many + b"}"
    yield "member", b"{" + many + b"}"
    yield "item", b'{"M":{' + b",".join(b'"%x":{"S":""}' % i for i in range(count)) + b"}}"
    yield "item", b'{"L":[' + b",".join([b'{"NULL":true}'] * count) + b"]}"
    yield "item", b'{"NS":[' + b",".join(b'"%d"' % i for i in range(count)) + b"]}"
    yield "item", b'{"SS":[' + b",".join([b'"a"'] * count) + b"]}"
    yield "whole", b"[" * count
    yield "whole", b'{"a":' + b" " * 1_000_000 + b"1}"
    for size in (400_000, 410_000, 1 << 20, 15 << 20):
        yield "item", b'{"S":"' + b"a" * size + b'"}'
        yield "name", b'"' + b"a" * size + b'"'
        yield "item", b'{"B":"' + b"YWFh" * (size // 4) + b'"}'
        yield "item", b'{"N":"' + b"1" * size + b'"}'
    yield "item", b'{"S":"' + rb"\u0061" * 2_000_000 + b'"}'


def attack(a):
    target = Target(a).start()
    target.must("CreateTable", keyed_table("tab"))
    for where, text in a.sample(texts(a), 700):
        before, after, operation = AROUND[where]
        answer = target.send_body(operation, before + text + after)
        judge_answer(a.judge, answer, lambda: f"{where} of {operation}: {text[:60]!r} of {len(text)} bytes")
    a.judge.check(target.ask("ListTables")[0] == 200, "the server still responds")
    for key, item in target.items("tab").items():
        a.judge.check("pk" in item, lambda: f"a strange item: {key!r}")
    target.stop()


if __name__ == "__main__":
    main(attack)
