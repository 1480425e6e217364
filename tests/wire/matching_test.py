#!/usr/bin/env python3
"""Tests the matcher, the macros and how messages are compared: each row is one statement of README.md."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from endpoint.connection import Answer  # noqa: E402
from matching import differences  # noqa: E402
from rule_records import compared_messages  # noqa: E402
from sending import expand, fill_body, raw_bytes  # noqa: E402

NAMES = {"T": "t1", "last": {"pk": {"S": "a"}}, "word": 'a"b'}

# (expected, actual, fits)
MATCHES = [
    ("{}", "{}", True),
    ("{}", '{"a":1}', False),
    ('{"a":1}', "{}", False),
    ('{"a":1}', '{"a":1.0}', True),
    ('{"a":1}', '{"a":"1"}', False),
    ('{"a":1}', '{"a":true}', False),
    ('{"a":null}', '{"a":null}', True),
    ('{"a":null}', "{}", False),
    ('{"a":false}', '{"a":0}', False),
    ('{"a":"*"}', '{"a":{"b":[]}}', True),
    ('{"a":"*"}', "{}", False),
    ('{"a":"~x+"}', '{"a":"xx"}', True),
    ('{"a":"~x+"}', '{"a":"xxy"}', False),
    ('{"a":"~x+"}', '{"a":1}', False),
    ('{"a":"$T.orders"}', '{"a":"t1.orders"}', True),
    ('{"a":"${T}x"}', '{"a":"t1x"}', True),
    ('{"a":"$last"}', '{"a":{"pk":{"S":"a"}}}', True),
    ('{"a":"$last"}', '{"a":{"pk":{"S":"b"}}}', False),
    ('{"a":"=new","b":"$new"}', '{"a":[1],"b":[1]}', True),
    ('{"a":"=new","b":"$new"}', '{"a":[1],"b":[2]}', False),
    ('{"$T":1}', '{"t1":1}', True),
    ('{"a":1,"...":"..."}', '{"a":1,"b":2}', True),
    ('{"a":1,"...":"..."}', '{"b":2}', False),
    ("[1,2]", "[2,1]", False),
    ("[1,2]", "[1,2,3]", False),
    ('{"any-order":[1,2,2]}', "[2,1,2]", True),
    ('{"any-order":[1,2,2]}', "[1,1,2]", False),
    ('{"any-order":[1]}', "[1,1]", False),
    ('{"any-order":[{"a":1,"...":"..."},"*"]}', '[{"b":1},{"a":1,"c":2}]', True),
    ('"\\\\*"', '"*"', True),
    ('"\\\\*"', '"x"', False),
    ('"a$$b"', '"a$b"', True),
]
# (function, text, result)
TEXTS = [
    (expand, "${a*3}b", "aaab"),
    (expand, '${{"L":[*2}', '{"L":[{"L":['),
    (expand, "[${1..3:{%}}]", "[{1},{2},{3}]"),
    (expand, "${T}${x*2}", "${T}xx"),
    (lambda text: fill_body(text, NAMES), '{"k":"$last"}', '{"k":{"pk": {"S": "a"}}}'),
    (lambda text: fill_body(text, NAMES), '{"k":"$T-$word"}', '{"k":"t1-a\\"b"}'),
    (lambda text: fill_body(text, NAMES), "cost $$5", "cost $5"),
    (lambda text: raw_bytes(text, NAMES), r"a\r\n\x00\\$T", b"a\r\n\0\\t1"),
]
CANCELLED = '{"Message":"cancelled","CancellationReasons":[{"Code":"None"},{"Code":"ValidationError","Message":"bad"}]}'
BATCH = '{"Responses":[{"TableName":"t"},{"Error":{"Code":"ValidationError","Message":"bad"}}]}'
# (expected, status, response, its messages and how they are compared)
COMPARED = [
    ('{"message":"bad"}', 400, '{"message":"bad"}', [("bad", "exact", None)]),
    ('{"message":"~b.$T"}', 400, '{"message":"bad"}', [("bad", "pattern", "b.t1")]),
    ('{"message":"*"}', 400, '{"message":"bad"}', [("bad", "nothing", None)]),
    ('{"message":"=why"}', 400, '{"message":"bad"}', [("bad", "nothing", None)]),
    ('{"...":"..."}', 400, '{"message":"bad"}', [("bad", "nothing", None)]),
    ("null", 400, '{"message":"bad"}', [("bad", "nothing", None)]),
    ('{"__type":"x"}', 400, '{"__type":"x"}', [("", "exact", None)]),
    ('"bad\\n"', 400, "bad\n", [("bad\n", "exact", None)]),
    (CANCELLED, 400, CANCELLED, [("cancelled", "exact", None), ("bad", "exact", None)]),
    ('{"Message":"~c.*","CancellationReasons":"*"}', 400, CANCELLED, [("cancelled", "pattern", "c.*"), ("bad", "nothing", None)]),
    (BATCH, 200, BATCH, [("bad", "exact", None)]),
]

wrong = [f"{e} against {a}" for e, a, fits in MATCHES if (not differences(json.loads(e), json.loads(a), dict(NAMES))) != fits]
wrong += [f"{text}: {function(text)!r}" for function, text, result in TEXTS if function(text) != result]
for expected, status, text, messages in COMPARED:
    compared = list(compared_messages(json.loads(expected), Answer(status, [], text.encode()), NAMES))
    wrong += [] if compared == messages else [f"{expected} against {text}: {compared}"]
print("\n".join(f"wrong: {one}" for one in wrong) or f"{len(MATCHES) + len(TEXTS) + len(COMPARED)} passed")
sys.exit(1 if wrong else 0)
