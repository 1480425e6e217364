#!/usr/bin/env python3
"""Tests the matcher and the macros: each row is one statement of README.md."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from matching import differences  # noqa: E402
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

wrong = [f"{e} against {a}" for e, a, fits in MATCHES if (not differences(json.loads(e), json.loads(a), dict(NAMES))) != fits]
wrong += [f"{text}: {function(text)!r}" for function, text, result in TEXTS if function(text) != result]
print("\n".join(f"wrong: {one}" for one in wrong) or f"{len(MATCHES) + len(TEXTS)} passed")
sys.exit(1 if wrong else 0)
