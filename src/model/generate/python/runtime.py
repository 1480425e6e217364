"""The runtime of generated Python. A program has everything below `@top`, and of the snippets only those that it uses
(model/generate/runtime.h). The lines above `@top` stand for what the program itself declares.
"""
from __future__ import annotations

import base64
import json
import random
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from itertools import chain, islice
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeVar

TABLE_NAME = ""
TABLE_KEY = [""]
TYPE_ATTRIBUTE = ""
SEPARATOR = "#"


class Client(Protocol):
    def query(self, *args: Any, **kwargs: Any) -> Mapping[str, Any]: ...
    def batch_get_item(self, *args: Any, **kwargs: Any) -> Mapping[str, Any]: ...
    def batch_write_item(self, *args: Any, **kwargs: Any) -> Mapping[str, Any]: ...


# @top
Item = dict[str, Any]
Number = int | float | Decimal
# A point in time: a datetime with its zone, or its text in UTC, 2024-01-15T10:30:00Z, with up to six decimals; or a date,
# 2024-01-15.
Time = str | datetime


class Db(NamedTuple):
    """A table on an endpoint. Threads may share it, as they may share boto3's low-level clients."""

    client: Client
    table: str


def connect(client: Client, table: str = TABLE_NAME) -> Db:
    """The table for the functions of this file. `client` is the application's own, such as boto3.client("dynamodb")."""
    return Db(client, table)


# @snippet T
T = TypeVar("T")


# @snippet Page
class Page(Generic[T]):
    """One page of results. Pass `next` as the cursor to read the next page; it is None on the last one.

    It is text that can be stored, sent as JSON or put into a URL.
    """

    def __init__(self, items: list[T], next: str | None) -> None:
        self.items = items
        self.next = next


# @snippet InvalidCursor
class InvalidCursor(ValueError):
    """A cursor is malformed, or was returned by another pattern."""


# @snippet _cursor
def _cursor(pattern: str, *state: Any) -> str:
    """Text for where a read goes on: base64url of the format's version, the pattern and `state` as JSON."""
    text = json.dumps([1, pattern, *state], separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


# @snippet _state_of
def _state_of(pattern: str, cursor: str) -> list[Any]:
    """Returns what _cursor was given for the state."""
    try:
        state = json.loads(base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True))
    except (ValueError, TypeError, RecursionError) as error:
        raise InvalidCursor("the cursor is malformed") from error
    if not isinstance(state, list) or len(state) < 3 or state[0] != 1:
        raise InvalidCursor("the cursor is malformed")
    if state[1] != pattern:
        raise InvalidCursor(f"the cursor is of {state[1]!r}, not of {pattern!r}")
    return state[2:]


# @snippet _key_text
def _key_text(key: Item) -> Item:
    """A key in the API's form as JSON can hold it: bytes in base64."""
    return {
        name: {"B": base64.b64encode(value["B"]).decode()} if "B" in value else value for name, value in key.items()
    }


# @snippet _key_of
def _key_of(types: Mapping[str, str], text: Any) -> Item:
    """The key that _key_text was given. `types` are the attributes it must have."""
    if not isinstance(text, dict) or text.keys() != types.keys():
        raise InvalidCursor("the cursor is malformed")
    key: Item = {}
    for name, kind in types.items():
        value = text[name].get(kind) if isinstance(text[name], dict) and len(text[name]) == 1 else None
        if not isinstance(value, str) or (kind == "N" and not re.fullmatch(r"[-+.0-9eE]{1,64}", value)):
            raise InvalidCursor("the cursor is malformed")
        try:
            key[name] = {kind: base64.b64decode(value, validate=True) if kind == "B" else value}
        except ValueError as error:
            raise InvalidCursor("the cursor is malformed") from error
    return key


# @snippet _start_of
def _start_of(pattern: str, types: Mapping[str, str], cursor: str | None) -> Item:
    """The members by which a request starts at the cursor."""
    if cursor is None:
        return {}
    state = _state_of(pattern, cursor)
    if len(state) != 2 or state[0] != "" or not isinstance(state[1], list) or len(state[1]) != 1:
        raise InvalidCursor("the cursor is malformed")
    return {"ExclusiveStartKey": _key_of(types, state[1][0])}


# @snippet _next_of
def _next_of(pattern: str, page: Mapping[str, Any]) -> str | None:
    """The cursor after a page that one request read."""
    return _cursor(pattern, "", [_key_text(page["LastEvaluatedKey"])]) if "LastEvaluatedKey" in page else None


# @snippet _positions
def _positions(pattern: str, types: Mapping[str, str], cursor: str | None, parts: list[str]) -> dict[str, Any]:
    """Where each of several queries goes on: 0 at its start, 1 if it is read to its end, otherwise after that key.

    The cursor has the name of the first query that is not read to its end, and the positions from there on.
    """
    positions: dict[str, Any] = {part: 0 for part in parts}
    if cursor is None:
        return positions
    state = _state_of(pattern, cursor)
    if len(state) != 2 or not isinstance(state[1], list):
        raise InvalidCursor("the cursor is malformed")
    if state[0] not in parts or parts.index(state[0]) + len(state[1]) > len(parts):
        raise InvalidCursor("the cursor is of a read with other inputs")
    first = parts.index(state[0])
    for part in parts[:first]:
        positions[part] = 1
    for part, at in zip(parts[first:], state[1]):
        positions[part] = at if type(at) is int and at in (0, 1) else _key_of(types, at)
    return positions


# @snippet _next_after
def _next_after(pattern: str, positions: dict[str, Any]) -> str | None:
    """The cursor for what _positions returned, after a page was read."""
    parts = list(positions)
    while parts and positions[parts[0]] == 1:
        del parts[0]
    while len(parts) > 1 and positions[parts[-1]] == 0:
        del parts[-1]
    texts = [_key_text(at) if isinstance(at, dict) else at for at in (positions[part] for part in parts)]
    return _cursor(pattern, parts[0], texts) if parts else None


# @snippet _Stream
class _Stream(Generic[T]):
    """A page of one of several queries: its items that are not taken yet, and where the query goes on after them."""

    def __init__(
        self, part: str, page: Mapping[str, Any], types: Mapping[str, str], keep: Callable[[Item], T | None]
    ) -> None:
        self.part = part
        self.end = page.get("LastEvaluatedKey", 1)
        found = [({name: item[name] for name in types}, keep(_item(item))) for item in page["Items"]]
        self.items = [(key, one) for key, one in found if one is not None]


# @snippet _page_of
def _page_of(
    db: Db,
    pattern: str,
    types: Mapping[str, str],
    cursor: str | None,
    limit: int,
    groups: list[list[tuple[str, Item]]],
    keep: Callable[[Item], T | None],
    order: Callable[[T], Any] = lambda _: 0,
    descending: bool = False,
) -> Page[T]:
    """Reads a page of several queries. Groups are read in turn, and the items of a group are merged by `order`.

    Each query is read once, so a page can have fewer items than the limit, or none, and still have a next one.
    """
    positions = _positions(pattern, types, cursor, [part for group in groups for part, _ in group])
    items: list[T] = []

    def place(one: _Stream[T]) -> Any:
        return order(one.items[0][1])

    for group in groups:
        if len(items) == limit:
            break
        streams = _streams(db, types, limit - len(items), group, positions, keep)
        for one in streams:
            if not one.items:
                positions[one.part] = one.end
        # A query that goes on after a page that is used up may have the next item, so no other query gives it.
        while len(items) < limit and all(one.items or one.end == 1 for one in streams):
            heads = [one for one in streams if one.items]
            if not heads:
                break
            head = max(heads, key=place) if descending else min(heads, key=place)
            key, item = head.items.pop(0)
            items.append(item)
            positions[head.part] = key if head.items else head.end
        if any(positions[part] != 1 for part, _ in group):
            break
    return Page(items, _next_after(pattern, positions))


# @snippet _streams
def _streams(
    db: Db,
    types: Mapping[str, str],
    limit: int,
    group: list[tuple[str, Item]],
    positions: dict[str, Any],
    keep: Callable[[Item], T | None],
) -> list[_Stream[T]]:
    """Reads a page of each query that is not read to its end, at the same time."""

    def read(one: tuple[str, Item]) -> _Stream[T]:
        part, request = one
        start = {} if positions[part] == 0 else {"ExclusiveStartKey": positions[part]}
        return _Stream(part, db.client.query(**{**request, "Limit": limit, **start}), types, keep)

    unread = [one for one in group if positions[one[0]] != 1]
    with ThreadPoolExecutor(max_workers=min(len(unread), 32) or 1) as pool:
        return list(pool.map(read, unread))


# @snippet _page_of_all
def _page_of_all(pattern: str, cursor: str | None, limit: int, items: list[T]) -> Page[T]:
    """A page of results that are read as a whole, because only then can they be sorted."""
    at = 0
    if cursor is not None:
        state = _state_of(pattern, cursor)
        if len(state) != 1 or type(state[0]) is not int or state[0] < 0:
            raise InvalidCursor("the cursor is malformed")
        at = state[0]
    return Page(items[at : at + limit], _cursor(pattern, at + limit) if at + limit < len(items) else None)


# @snippet ConditionFailed
class ConditionFailed(Exception):
    """A condition of a write failed, and nothing was written. The SDK's error is its cause.

    `failed` has the writes that failed: the entity, and the position among the call's writes of that entity, from 0.
    """

    def __init__(self, failed: list[tuple[str, int]]) -> None:
        super().__init__("a condition failed: " + ", ".join(f"{entity} {index}" for entity, index in failed))
        self.failed = failed


# @snippet _error_of
def _error_of(error: Exception) -> Item:
    """The response in an error of boto3's clients; empty for another error."""
    response = getattr(error, "response", None)
    return response if isinstance(response, dict) else {}


# @snippet _code_of
def _code_of(error: Exception) -> Any:
    return _error_of(error).get("Error", {}).get("Code")


# @snippet _conditional
def _conditional(entities: list[str], write: Callable[..., Mapping[str, Any]], **request: Any) -> Mapping[str, Any]:
    """Runs a write with conditions. `entities` are the entities of its writes, in order."""
    try:
        return write(**request)
    except Exception as error:
        reasons = [one.get("Code") for one in _error_of(error).get("CancellationReasons", [])]
        if _code_of(error) == "ConditionalCheckFailedException":
            reasons = ["ConditionalCheckFailed"]
        refused = [i for i, reason in enumerate(reasons) if reason == "ConditionalCheckFailed"]
        if not refused:
            raise
        raise ConditionFailed([(entities[i], entities[:i].count(entities[i])) for i in refused]) from error


# @snippet _is_of
def _is_of(shape: Item, item: Item) -> bool:
    """Returns whether the item is of the entity: by the type attribute or, if that is not projected, by its key."""
    kind = item.get(TYPE_ATTRIBUTE) if TYPE_ATTRIBUTE else None
    if kind is not None:
        return bool(kind == shape["name"])
    keys = [(name, texts) for name, texts, _ in shape["keys"] if name in TABLE_KEY]
    return all(texts.fullmatch(str(item.get(name))) for name, texts in keys)


# @snippet _read
def _read(shape: Item, item: Item, names: Sequence[str] | None = None) -> Item:
    """Reads an item's attributes, or those named, from the item itself or from the keys that contain them."""
    recovered: dict[str, str] = {}
    for attribute, texts, groups in shape["keys"]:
        found = texts.fullmatch(item[attribute]) if isinstance(item.get(attribute), str) else None
        for name, value in zip(groups, found.groups() if found else ()):
            if name:
                recovered.setdefault(name, value)
    out: Item = {}
    for name in shape["attributes"] if names is None else names:
        value = item.get(name, recovered.get(name, shape["defaults"].get(name)))
        if value is not None:
            out[name] = _plain(value, shape["attributes"][name])
    return out


# @snippet _time_length
def _time_length(kind: Any) -> int:
    """The characters of a time of the type; 0 for another type."""
    return {"date": 10, "time_s": 20, "time": 24, "time_us": 27}.get(kind, 0) if isinstance(kind, str) else 0


# @snippet _plain
def _plain(value: Any, shape: Any) -> Any:
    """Converts a value to the type that the entity has."""
    if isinstance(shape, dict):
        return {name: _plain(one, shape.get(name)) for name, one in value.items()}
    if shape in ("number", "decimal"):
        return Decimal(_number_text(value))
    if shape in ("epoch_s", "epoch_ms"):
        return int(value)
    if _time_length(shape):
        return _start_of_time(value, _time_length(shape))
    return set(value) if isinstance(value, set) else value


# @snippet _stored
def _stored(value: Any, shape: Any) -> Any:
    """Converts a value of a map with declared fields to the form in which items store it."""
    if isinstance(shape, dict):
        fields = {name: _stored(one, shape.get(name)) for name, one in value.items()}
        return {name: one for name, one in fields.items() if one is not None and one != set()}
    return _time(value, _time_length(shape)) if _time_length(shape) and value is not None else value


# @snippet _filled
def _filled(given: Mapping[str, object], defaults: Item) -> Item:
    """What is given, and the defaults for the rest. None counts as not given."""
    return {**defaults, **{name: one for name, one in given.items() if one is not None}}


# @snippet _attributes
def _attributes(item: Mapping[str, Any]) -> Item:
    """Converts an item to the API's form."""
    return {name: _attribute(value) for name, value in item.items()}


# @snippet _attribute
def _attribute(value: Any) -> Item:
    """Converts a value to the API's form. Floats become the decimals that they print."""
    if isinstance(value, str):
        return {"S": value}
    if value is None or isinstance(value, bool):
        return {"NULL": True} if value is None else {"BOOL": value}
    if isinstance(value, (int, float, Decimal)):
        return {"N": _number_text(value)}
    if isinstance(value, (bytes, bytearray)):
        return {"B": bytes(value)}
    if isinstance(value, Mapping):
        return {"M": _attributes(value)}
    if isinstance(value, (list, tuple)):
        return {"L": [_attribute(one) for one in value]}
    if isinstance(value, (set, frozenset)):
        elements = [_attribute(one) for one in value]
        kind = next(iter(elements[0])) if elements else ""
        if kind in ("S", "N", "B") and all(kind in one for one in elements):
            return {kind + "S": [one[kind] for one in elements]}
        raise ValueError(f"{value!r} is not a set of texts, numbers or bytes")
    raise TypeError(f"an item cannot have a value of type {type(value).__name__}")


# @snippet _item
def _item(attributes: Mapping[str, Any]) -> Item:
    """Converts an item from the API's form."""
    return {name: _value(value) for name, value in attributes.items()}


# @snippet _value
def _value(attribute: Mapping[str, Any]) -> Any:
    """Converts a value from the API's form."""
    ((kind, value),) = attribute.items()
    if kind == "N":
        return Decimal(value)
    if kind == "NULL":
        return None
    if kind == "M":
        return _item(value)
    if kind == "L":
        return [_value(one) for one in value]
    if kind == "NS":
        return {Decimal(one) for one in value}
    return set(value) if kind in ("SS", "BS") else value


# @snippet _time
def _time(value: Time, length: int) -> str:
    """The time as items store it, always of the same length, so that text order is time order."""
    whole = _start_of_time(value, length)
    if len(whole) != length or not re.fullmatch(r"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?Z)?", whole):
        raise ValueError(f"{whole} is not a time in UTC")
    return whole


# @snippet _start_of_time
def _start_of_time(value: Time, length: int) -> str:
    """The same, but also accepts the start of a time, such as 2024-01, which stays as it is."""
    if isinstance(value, datetime):
        value = value.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    if length < 20:
        return value[:length]
    if not re.fullmatch(r".{19}(\.\d+)?Z", value):
        return value
    decimals = value[20:-1].ljust(6, "0")[: max(length - 21, 0)]
    return value[:19] + ("." + decimals if length > 20 else "") + "Z"


# @snippet _now_time
def _now_time(length: int) -> str:
    return _start_of_time(datetime.now(timezone.utc), length)


# @snippet _now_millis
def _now_millis() -> int:
    return time.time_ns() // 1_000_000


# @snippet _less_one
def _less_one(whole: str) -> str:
    """The text with one less in its last character: a text before all texts that begin with the given one."""
    return whole[:-1] + chr(ord(whole[-1]) - 1)


# @snippet _is_empty_range
def _is_empty_range(low: Any, high: Any) -> bool:
    """Returns whether the lower bound is above the upper one. DynamoDB refuses such a request."""
    return bool(low > high)


# @snippet _now_seconds
def _now_seconds() -> int:
    return int(time.time())


# @snippet _text
def _text(name: str, value: str) -> str:
    """A value as part of a key. An empty value or one with the separator in it could form another entity's key."""
    if not isinstance(value, str) or value == "" or (SEPARATOR and SEPARATOR in value):
        raise ValueError(f"{name} cannot be part of a key: {value!r}")
    return value


# @snippet _lower
def _lower(value: str) -> str:
    """Lowercases ASCII letters only, like the model's keys."""
    return re.sub("[A-Z]", lambda letter: letter[0].lower(), value)


# @snippet _upper
def _upper(value: str) -> str:
    """Uppercases ASCII letters only, like the model's keys."""
    return re.sub("[a-z]", lambda letter: letter[0].upper(), value)


# @snippet _bool_text
def _bool_text(value: bool) -> str:
    return "true" if value else "false"


# @snippet _pad
def _pad(name: str, value: Number, width: int) -> str:
    """A natural number with leading zeros, so that text order is number order."""
    digits = _number_text(value)
    if not re.fullmatch("[0-9]+", digits) or len(digits) > width:
        raise ValueError(f"{name} must be a natural number of at most {width} digits: {value}")
    return digits.zfill(width)


# @snippet _number
def _number(value: Number) -> Decimal:
    return Decimal(_number_text(value))


# @snippet _number_text
def _number_text(value: Number | str) -> str:
    """A number as DynamoDB prints it: no exponent, no unnecessary zeros."""
    number = value if isinstance(value, Decimal) else Decimal(repr(value) if isinstance(value, float) else str(value))
    if not number.is_finite():
        raise ValueError(f"{value} is not a number")
    text = format(number, "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


# @snippet _shard_of
def _shard_of(value: str, shards: int) -> str:
    """FNV-1a, 32 bits, over the UTF-8 bytes of a text, modulo the number of shards."""
    digest = 2166136261
    for byte in value.encode():
        digest = (digest ^ byte) * 16777619 & 0xFFFFFFFF
    return str(digest % shards)


# @snippet _random_shard
def _random_shard(shards: int) -> str:
    return str(random.randrange(shards))


# @snippet _required
def _required(name: str, value: T | None) -> T:
    if value is None:
        raise TypeError(f"{name} is missing")
    return value


# @snippet _holds
def _holds(left: Any, sign: str, right: Any) -> bool:
    """One comparison of a model's condition. For a missing value only <> is true, as in DynamoDB."""
    if left is None:
        return sign == "<>"
    if sign == "begins_with":
        return str(left).startswith(str(right))
    if isinstance(left, datetime):
        left = _start_of_time(left, 24)
    if isinstance(right, (int, Decimal)) and not isinstance(right, bool):
        left, right = Decimal(_number_text(left)), Decimal(right)
    equal, below = bool(left == right), bool(left < right)
    results = {"=": equal, "<>": not equal, "<": below, "<=": below or equal, ">": not (below or equal), ">=": not below}
    return results[sign]


# @snippet _size_of
def _size_of(value: Any) -> int | None:
    """The size of a value as DynamoDB counts it: bytes of a text, elements of a set, list or map."""
    if isinstance(value, str):
        return len(value.encode())
    return len(value) if isinstance(value, (bytes, list, tuple, set, frozenset, dict)) else None


# @snippet _contains_part
def _contains_part(value: Any, part: Any) -> bool:
    """Returns whether a text has the part, or a set or list the element."""
    if isinstance(value, str):
        return str(part) in value
    return isinstance(value, (list, tuple, set, frozenset)) and any(_holds(one, "=", part) for one in value)


# @snippet _below
def _below(value: Any, *path: str | int) -> Any:
    """A value inside a list or map; None if it does not exist."""
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value


# @snippet _expires
def _expires(at: int | None) -> bool:
    """Returns whether the item has expired. DynamoDB deletes expired items only some time later."""
    return at is not None and at <= _now_seconds()


# @snippet _pages
def _pages(request: Callable[..., Mapping[str, Any]], arguments: Item, follow: bool = True) -> Iterator[Item]:
    """Yields every item of a query or scan, and reads pages as they are needed."""
    while True:
        page = request(**arguments)
        yield from (_item(one) for one in page["Items"])
        if not follow or "LastEvaluatedKey" not in page:
            return
        arguments = {**arguments, "ExclusiveStartKey": page["LastEvaluatedKey"]}


# @snippet _buckets
def _buckets(length: int, start: Time, end: Time) -> list[str]:
    """The years, months, days or hours (4, 7, 10 or 13 characters) from one time to another, inclusive."""
    last = _start_of_time(end, length)
    first = _start_of_time(start, length)
    if len(first) < length or len(last) < length:
        raise ValueError(f"{start} to {end} is not a time range")
    at = datetime.strptime(first + "0000-01-01T00"[length:], "%Y-%m-%dT%H")
    out: list[str] = []
    while (one := at.strftime("%Y-%m-%dT%H").zfill(13)[:length]) <= last:
        out.append(one)
        if len(out) > 1000:
            raise ValueError(f"{start} to {end} spans more than 1000 partitions")
        if length >= 10:
            at += timedelta(days=1) if length == 10 else timedelta(hours=1)
        else:
            months = at.year * 12 + at.month - 1 + (12 if length == 4 else 1)
            at = at.replace(year=months // 12, month=months % 12 + 1)
    return out


# @snippet _started
def _started(streams: Iterable[Iterator[T]]) -> list[Iterator[T]]:
    """Returns the same streams after reading their first pages in parallel."""
    streams = list(streams)
    with ThreadPoolExecutor(max_workers=min(len(streams), 32) or 1) as pool:
        heads = list(pool.map(lambda stream: list(islice(stream, 1)), streams))
    return [chain(head, stream) for head, stream in zip(heads, streams)]


# @snippet _update_of
def _update_of(
    clauses: dict[str, list[str | Literal[False]]],
    condition: str | None,
    names: dict[str, str],
    values: Item,
    one_of: Sequence[object] = (0,),
    always: bool = False,
) -> Item:
    """An update and its condition, with only the names and values that they use: DynamoDB refuses unused ones.

    `one_of` are the optional inputs, if there are no others. An update that changes nothing is refused, unless it has a
    condition and is not in a transaction (`always`).
    """
    some = {word: [one for one in all_ if one] for word, all_ in clauses.items()}
    update = " ".join(f"{word} {', '.join(all_)}" for word, all_ in some.items() if all_)
    if (not update or all(one is None for one in one_of)) and (always or not condition):
        raise TypeError("the update changes nothing: give at least one of its optional inputs")
    out: Item = {}
    if update:
        out["UpdateExpression"] = update
    if condition:
        out["ConditionExpression"] = condition
    used = set(re.findall("[#:][A-Za-z0-9_]+", " ".join(out.values())))
    kept_names = {name: one for name, one in names.items() if name in used}
    kept_values = {name: one for name, one in values.items() if name in used}
    if kept_names:
        out["ExpressionAttributeNames"] = kept_names
    if kept_values:
        out["ExpressionAttributeValues"] = _attributes(kept_values)
    return out


# @snippet _batch_get
def _batch_get(db: Db, keys: Iterable[Item], consistent: bool) -> Iterator[Item]:
    """Gets the items that exist, in any order: 100 keys per request, retrying those that DynamoDB did not process.

    A key that is given twice is read once, because DynamoDB refuses a request with duplicates.
    """
    once = list({tuple((name, *value.items()) for name, value in key.items()): key for key in keys}.values())
    for at in range(0, len(once), 100):
        rest = once[at : at + 100]
        attempt = 0
        while rest:
            answer = db.client.batch_get_item(RequestItems={db.table: {"Keys": rest, "ConsistentRead": consistent}})
            yield from (_item(one) for one in answer["Responses"].get(db.table, []))
            rest = answer.get("UnprocessedKeys", {}).get(db.table, {}).get("Keys", [])
            attempt = _pause(attempt, len(rest)) if rest else 0


# @snippet _batch_write
def _batch_write(db: Db, writes: list[Item]) -> None:
    """Runs puts and deletes: 25 per request, retrying those that DynamoDB did not process."""
    for at in range(0, len(writes), 25):
        rest = writes[at : at + 25]
        attempt = 0
        while rest:
            answer = db.client.batch_write_item(RequestItems={db.table: rest})
            rest = answer.get("UnprocessedItems", {}).get(db.table, [])
            attempt = _pause(attempt, len(rest)) if rest else 0


# @snippet _pause
def _pause(attempt: int, left: int) -> int:
    """Waits before a retry: exponential backoff with full jitter, at most ten attempts."""
    if attempt == 10:
        raise RuntimeError(f"DynamoDB left {left} requests of a batch unprocessed after ten attempts")
    time.sleep(min(0.05 * 2**attempt, 5) * random.random())
    return attempt + 1
