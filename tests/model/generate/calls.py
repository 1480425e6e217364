"""Makes the calls of a file with a generated program and prints each result as one line of JSON:
calls.py PROGRAM CALLS ENDPOINT"""
import importlib.util
import inspect
import json
import keyword
import re
import sys
from decimal import Decimal

import boto3


def snake(name):
    out = re.sub("(?<=[a-z0-9])(?=[A-Z])", "_", re.sub("[^A-Za-z0-9]+", "_", name)).lower()
    return out.strip("_")


def named(names, name):
    """Returns `name` in Python's case, with a trailing _ if the language or the program reserves it."""
    return next(one for one in (snake(name), snake(name) + "_") if one in names and not keyword.iskeyword(one))


def comparable(value, keep=None):
    """Converts numbers to text, so that no language rounds them, and several entities to [entity, item]."""
    if isinstance(value, (int, Decimal)) and not isinstance(value, bool):
        text = format(Decimal(value), "f")
        return text.rstrip("0").rstrip(".") if "." in text else text
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
    result = function(db, **{named(parameters, name): one for name, one in call["input"].items()})
    if call.get("page"):
        return result.items
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
