"""Makes the calls of a file with a generated program and prints each result as one line of JSON:
calls.py PROGRAM CALLS ENDPOINT"""
import base64
import importlib.util
import inspect
import json
import keyword
import re
import sys
import urllib.parse
from decimal import Decimal

import boto3


CURSORS = {}


def snake(name):
    out = re.sub("(?<=[a-z0-9])(?=[A-Z])", "_", re.sub("[^A-Za-z0-9]+", "_", name)).lower()
    return out.strip("_")


def named(names, name):
    """Returns `name` as declared or in Python's case, with a trailing _ if the language or the program reserves it."""
    forms = (name, name + "_", snake(name), snake(name) + "_")
    return next(one for one in forms if one in names and not keyword.iskeyword(one))


def with_bytes(value):
    """Bytes are written as {"$bytes": "base64"}, sets as {"$set": [elements]}."""
    if isinstance(value, list):
        return [with_bytes(one) for one in value]
    if not isinstance(value, dict):
        return value
    if "$set" in value:
        return set(with_bytes(value["$set"]))
    return base64.b64decode(value["$bytes"]) if "$bytes" in value else {name: with_bytes(one) for name, one in value.items()}


def pages_of(read, call):
    """Reads pages. Their cursors go through JSON, as they would between a client and a web server, and need no escapes in a URL."""
    pages = []
    cursor = CURSORS[call["cursorOf"]] if "cursorOf" in call else call.get("cursor")
    while True:
        page = read(cursor=cursor)
        pages.append(page.items)
        cursor = json.loads(json.dumps(page.next))
        if cursor is not None:
            assert urllib.parse.quote(cursor, safe="") == cursor, cursor
            CURSORS.setdefault(call["call"], cursor)
        if cursor is None or not call.get("pages"):
            return pages if call.get("pages") else pages[0]


def comparable(value, keep=None):
    """Converts numbers to text, so that no language rounds them, and several entities to [entity, item]."""
    if isinstance(value, (int, float, Decimal)) and not isinstance(value, bool):
        text = format(Decimal(value), "f")
        return text.rstrip("0").rstrip(".") if "." in text else text
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, set):
        return sorted(comparable(one) for one in value)
    if isinstance(value, (list, tuple)):
        return [comparable(one, keep) for one in value]
    if isinstance(value, dict):
        return {name: comparable(one) for name, one in value.items() if keep is None or name in keep}
    return value


def result_of(program, db, call):
    if "entity" in call:
        item = getattr(program, snake(call["entity"]) + "_to_item")(call["values"])
        db.client.put_item(TableName=db.table, Item=program._attributes(item))
        return None
    function = getattr(program, named(set(vars(program)) - {"all", "random", "time"}, call["call"]))
    parameters = inspect.signature(function).parameters
    if "keys" in call:
        return function(db, keys=call["keys"])
    given = {named(parameters, name): with_bytes(one) for name, one in call["input"].items()}
    if call.get("page") or call.get("pages"):
        return pages_of(lambda cursor: function(db, cursor=cursor, **given), call)
    result = function(db, **given)
    return list(result) if hasattr(result, "__next__") else result


def main(path, calls, endpoint):
    spec = importlib.util.spec_from_file_location("program", path)
    program = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(program)
    client = boto3.client("dynamodb", endpoint_url=endpoint, region_name="us-east-1", aws_access_key_id="python", aws_secret_access_key="secret")
    db = program.connect(client, program.TABLE_NAME + "-python")
    program.create_table(db)
    with open(calls, encoding="utf-8") as file:
        rows = json.load(file)
    for call in rows:
        try:
            result = comparable(result_of(program, db, call), call.get("keep"))
            print(json.dumps({"result": sorted(result, key=json.dumps) if call.get("sorted") else result}))
        except Exception as error:  # an exception is the result of a call
            code = getattr(error, "response", {}).get("Error", {}).get("Code")
            print(json.dumps({"error": code or type(error).__name__, "message": str(error)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
