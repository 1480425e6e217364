"""The runtime of generated Python. A program has everything below `@top`, and of the snippets only those that it uses
(model/generate/runtime.h). The lines above `@top` stand for what the program itself declares.
"""
from __future__ import annotations

import random
import re
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from itertools import chain, islice
from typing import Any, Callable, Dict, Generic, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple, TypeVar, Union

import boto3
from boto3.dynamodb.types import TypeDeserializer, TypeSerializer
from botocore.exceptions import ClientError

TABLE_NAME = ""
TABLE_KEY = [""]
TYPE_ATTRIBUTE = ""
SEPARATOR = "#"

# @top
Item = Dict[str, Any]
Number = Union[int, float, Decimal]
# A point in time: a datetime with its zone, or its text in UTC, 2024-01-15T10:30:00Z or 2024-01-15T10:30:00.000Z.
Time = Union[str, datetime]

_SERIALIZER = TypeSerializer()
_DESERIALIZER = TypeDeserializer()


class Db(NamedTuple):
    """A table on an endpoint. `client` is a low-level boto3 client, which threads may share."""

    client: Any
    table: str


def connect(client: Any = None, table: str = TABLE_NAME) -> Db:
    return Db(client or boto3.client("dynamodb"), table)


# @snippet Page
T = TypeVar("T")


class Page(Generic[T]):
    """One page of results. Pass `next` as start_key to read the next page; it is None on the last one."""

    def __init__(self, items: List[T], next: Optional[Item]) -> None:
        self.items = items
        self.next = next


# @snippet ConditionFailed
class ConditionFailed(Exception):
    """A condition of a write failed, and nothing was written. The SDK's error is its cause.

    `failed` has the writes that failed: the entity, and the position among the call's writes of that entity, from 0.
    """

    def __init__(self, failed: List[Tuple[str, int]]) -> None:
        super().__init__("a condition failed: " + ", ".join(f"{entity} {index}" for entity, index in failed))
        self.failed = failed


# @snippet _conditional
def _conditional(entities: List[str], write: Callable[..., Any], **request: Any) -> Any:
    """Runs a write with conditions. `entities` are the entities of its writes, in order."""
    try:
        return write(**request)
    except ClientError as error:
        reasons = [one.get("Code") for one in error.response.get("CancellationReasons", [])]
        if error.response["Error"]["Code"] == "ConditionalCheckFailedException":
            reasons = ["ConditionalCheckFailed"]
        refused = [i for i, reason in enumerate(reasons) if reason == "ConditionalCheckFailed"]
        if not refused:
            raise
        raise ConditionFailed([(entities[i], entities[:i].count(entities[i])) for i in refused]) from error


# @snippet _is_of
def _is_of(shape: dict, item: Item) -> bool:
    """Returns whether the item is of the entity: by the type attribute or, if that is not projected, by its key."""
    kind = item.get(TYPE_ATTRIBUTE) if TYPE_ATTRIBUTE else None
    if kind is not None:
        return kind == shape["name"]
    keys = [(name, texts) for name, texts, _ in shape["keys"] if name in TABLE_KEY]
    return all(texts.fullmatch(str(item.get(name))) for name, texts in keys)


# @snippet _read
def _read(shape: dict, item: Item, names: Optional[Sequence[str]] = None) -> Any:
    """Reads an item's attributes, or those named, from the item itself or from the keys that contain them."""
    recovered: Dict[str, str] = {}
    for attribute, texts, groups in shape["keys"]:
        found = texts.fullmatch(item[attribute]) if isinstance(item.get(attribute), str) else None
        for name, value in zip(groups, found.groups() if found else ()):
            if name:
                recovered.setdefault(name, value)
    out = {}
    for name in shape["attributes"] if names is None else names:
        value = item.get(name, recovered.get(name, shape["defaults"].get(name)))
        if value is not None:
            out[name] = _plain(value, shape["attributes"][name])
    return out


# @snippet _plain
def _plain(value: Any, kind: str) -> Any:
    """Converts a value to the type that the entity has."""
    if kind in ("number", "decimal"):
        return Decimal(_number_text(value))
    if kind == "epoch_s":
        return int(value)
    if kind == "time":
        return _start_of_time(value)
    return bytes(value) if kind == "binary" else value


# @snippet _attributes
def _attributes(item: Item) -> Dict[str, Any]:
    """Converts an item to the API's form."""
    return {name: _SERIALIZER.serialize(_exact(value)) for name, value in item.items()}


# @snippet _exact
def _exact(value: Any) -> Any:
    """Converts floats to the decimals that they print, also inside lists and maps."""
    if isinstance(value, float):
        return Decimal(repr(value))
    if isinstance(value, (list, tuple)):
        return [_exact(one) for one in value]
    return {name: _exact(one) for name, one in value.items()} if isinstance(value, dict) else value


# @snippet _item
def _item(attributes: Dict[str, Any]) -> Item:
    return {name: _DESERIALIZER.deserialize(value) for name, value in attributes.items()}


# @snippet _time
def _time(value: Time) -> str:
    """The time as items store it: 2024-01-15T10:30:00.000Z, so that text order is time order."""
    whole = _start_of_time(value)
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", whole):
        raise ValueError(f"{whole} is not a time in UTC")
    return whole


# @snippet _start_of_time
def _start_of_time(value: Time) -> str:
    """The same, but also accepts the start of a time, such as 2024-01."""
    if isinstance(value, datetime):
        return value.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.") + f"{value.microsecond // 1000:03}Z"
    return value[:19] + ".000Z" if len(value) == 20 and value.endswith("Z") else value


# @snippet _iso_s
def _iso_s(whole: str) -> str:
    """Truncates to seconds."""
    return whole[:19] + "Z" if len(whole) > 19 else whole


# @snippet _up_to
def _up_to(whole: str, length: int) -> str:
    return whole[:length]


# @snippet _now_time
def _now_time() -> str:
    return _start_of_time(datetime.now(timezone.utc))


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
def _number_text(value: Union[Number, str]) -> str:
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
def _required(name: str, value: Any) -> Any:
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
        left = _start_of_time(left)
    if isinstance(right, (int, Decimal)) and not isinstance(right, bool):
        left, right = Decimal(_number_text(left)), Decimal(right)
    equal, below = left == right, left < right
    return {"=": equal, "<>": not equal, "<": below, "<=": below or equal, ">": not below and not equal, ">=": not below}[sign]


# @snippet _below
def _below(value: Any, *path: Union[str, int]) -> Any:
    """A value inside a list or map; None if it does not exist."""
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value


# @snippet _expires
def _expires(at: Optional[int]) -> bool:
    """Returns whether the item has expired. DynamoDB deletes expired items only some time later."""
    return at is not None and at <= _now_seconds()


# @snippet _pages
def _pages(request: Callable[..., Any], arguments: Item, follow: bool = True) -> Iterator[Item]:
    """Yields every item of a query or scan, and reads pages as they are needed."""
    while True:
        page = request(**arguments)
        yield from map(_item, page["Items"])
        if not follow or "LastEvaluatedKey" not in page:
            return
        arguments = {**arguments, "ExclusiveStartKey": page["LastEvaluatedKey"]}


# @snippet _buckets
def _buckets(length: int, start: Time, end: Time) -> List[str]:
    """The years, months, days or hours (4, 7, 10 or 13 characters) from one time to another, inclusive."""
    last = _start_of_time(end)[:length]
    first = _start_of_time(start)[:length]
    if len(first) < length or len(last) < length:
        raise ValueError(f"{start} to {end} is not a time range")
    at = datetime.strptime(first + "0000-01-01T00"[length:], "%Y-%m-%dT%H")
    out: List[str] = []
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
def _started(streams: Iterable[Iterator[Any]]) -> List[Iterator[Any]]:
    """Returns the same streams after reading their first pages in parallel."""
    streams = list(streams)
    with ThreadPoolExecutor(max_workers=min(len(streams), 32) or 1) as pool:
        heads = list(pool.map(lambda stream: list(islice(stream, 1)), streams))
    return [chain(head, stream) for head, stream in zip(heads, streams)]


# @snippet _update_of
def _update_of(set_: List[Any], remove: List[Any], condition: Optional[str], names: Item, values: Item) -> Item:
    """An update and its condition, with only the names and values that they use: DynamoDB refuses unused ones."""
    clauses = {"SET": list(filter(None, set_)), "REMOVE": list(filter(None, remove))}
    update = " ".join(f"{word} {', '.join(some)}" for word, some in clauses.items() if some)
    out: Item = {"UpdateExpression": update}
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
def _batch_get(db: Db, keys: List[Item], consistent: bool) -> Iterator[Item]:
    """Gets the items that exist, in any order: 100 keys per request, retrying those that DynamoDB did not process."""
    for at in range(0, len(keys), 100):
        rest = keys[at : at + 100]
        attempt = 0
        while rest:
            answer = db.client.batch_get_item(RequestItems={db.table: {"Keys": rest, "ConsistentRead": consistent}})
            yield from map(_item, answer["Responses"].get(db.table, []))
            rest = answer.get("UnprocessedKeys", {}).get(db.table, {}).get("Keys", [])
            attempt = _pause(attempt, len(rest)) if rest else 0


# @snippet _batch_write
def _batch_write(db: Db, writes: List[Item]) -> None:
    """Runs puts and deletes: 25 per request, retrying those that DynamoDB did not process."""
    for at in range(0, len(writes), 25):
        rest = writes[at : at + 25]
        attempt = 0
        while rest:
            rest = db.client.batch_write_item(RequestItems={db.table: rest}).get("UnprocessedItems", {}).get(db.table, [])
            attempt = _pause(attempt, len(rest)) if rest else 0


# @snippet _pause
def _pause(attempt: int, left: int) -> int:
    """Waits before a retry: exponential backoff with full jitter, at most ten attempts."""
    if attempt == 10:
        raise RuntimeError(f"DynamoDB left {left} requests of a batch unprocessed after ten attempts")
    time.sleep(min(0.05 * 2**attempt, 5) * random.random())
    return attempt + 1
