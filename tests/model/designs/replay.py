"""Makes the recorded calls of models with their generated programs, and prints each result as one line of JSON: replay.py FOLDER ENDPOINT NAME…

FOLDER has NAME.py and NAME.calls.json for each model. The clock of a program stands at the time that its calls were recorded for.
"""
import base64
import datetime
import importlib.util
import inspect
import json
import keyword
import pathlib
import re
import sys
from decimal import Decimal

import boto3
from boto3.dynamodb.types import Binary, TypeDeserializer

BATCH = 25  # items of a BatchWriteItem


def snake(name):
    return re.sub("(?<=[a-z0-9])(?=[A-Z])", "_", re.sub("[^A-Za-z0-9]+", "_", name)).lower().strip("_")


def named(names, name):
    """Returns `name` as declared or in Python's case, with a trailing _ if the language or the program reserves it."""
    forms = (name, name + "_", snake(name), snake(name) + "_")
    return next(one for one in forms if one in names and not keyword.iskeyword(one))


def given(value):
    """Converts a recorded input to what a caller gives."""
    if isinstance(value, dict):
        return TypeDeserializer().deserialize(value["value"])
    return value


def comparable(value):
    """Converts numbers to text, so that no language rounds them, and what JSON lacks to objects."""
    if isinstance(value, (int, Decimal)) and not isinstance(value, bool):
        text = format(Decimal(value), "f")
        return text.rstrip("0").rstrip(".") if "." in text else text
    if isinstance(value, (Binary, bytes)):
        return {"binary": base64.b64encode(bytes(value)).decode()}
    if isinstance(value, (set, frozenset)):
        return {"set": sorted((comparable(one) for one in value), key=json.dumps)}
    if isinstance(value, (list, tuple)):
        return [comparable(one) for one in value]
    if isinstance(value, dict):
        return {name: comparable(one) for name, one in value.items() if one is not None}
    return value


def all_of(result, again, limit):
    """Returns the items of a get, an iterator, or of pages until there are `limit`."""
    if result is None:
        return []
    if hasattr(result, "next") and hasattr(result, "items") and not isinstance(result, dict):
        items = list(result.items)
        while result.next is not None and len(items) < limit:
            result = again(result.next)
            items += result.items
        return items[:limit]
    if isinstance(result, dict):
        return [result]
    return [one for one in result if one is not None]


def inputs_of(call, parameters):
    values = {named(parameters, name): given(one) for name, one in call["input"].items()}
    for element in call["elements"]:
        lists = [{name: given(one) for name, one in values.items()} for values in element["inputs"]]
        values["keys" if "keys" in parameters else snake(element["entity"]) + "s"] = lists
    return values


def outcome_of(program, db, call):
    function = getattr(program, named(set(vars(program)) - {"all", "random", "time"}, call["pattern"]))
    values = inputs_of(call, inspect.signature(function).parameters)
    result = function(db, **values)
    if "after" in call:
        read = [db.client.get_item(TableName=db.table, Key=one["key"], ConsistentRead=True).get("Item") for one in call["after"]]
        return {"after": read}
    found = all_of(result, lambda key: function(db, **values, cursor=key), call.get("limit") or sys.maxsize)
    pairs = [one if isinstance(one, (tuple, list)) else (None, one) for one in found]
    return {"result": [[entity, comparable(item)] for entity, item in pairs]}


def load(path, now_ms):
    """Imports a generated program whose clock stands still."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    program = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(program)
    now = datetime.datetime.fromtimestamp(now_ms / 1000, datetime.timezone.utc)

    class Stopped(datetime.datetime):
        @classmethod
        def now(cls, tz=None):
            return now.astimezone(tz) if tz else now.replace(tzinfo=None)

    program.datetime = Stopped
    if hasattr(program, "time"):
        program.time = type("Clock", (), {"time": staticmethod(lambda: now_ms / 1000)})
    return program


def replay(folder, name, client):
    with open(folder / f"{name}.calls.json", encoding="utf-8") as file:
        record = json.load(file)
    program = load(folder / f"{name}.py", record["now"])
    db = program.connect(client, f"{name}-python")
    program.create_table(db)
    puts = [{"PutRequest": {"Item": item}} for item in record["items"]]
    for at in range(0, len(puts), BATCH):
        client.batch_write_item(RequestItems={db.table: puts[at : at + BATCH]})
    for i, call in enumerate(record["calls"]):
        try:
            outcome = outcome_of(program, db, call)
        except Exception as error:  # an exception is the outcome of a call
            outcome = {"error": type(error).__name__, "message": str(error)}
        print(json.dumps({"model": name, "call": i, **outcome}))


def main(folder, endpoint, *names):
    client = boto3.client("dynamodb", endpoint_url=endpoint, region_name="us-east-1", aws_access_key_id="python", aws_secret_access_key="secret")
    for name in names:
        replay(pathlib.Path(folder), name, client)


if __name__ == "__main__":
    main(*sys.argv[1:])
