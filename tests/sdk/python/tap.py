"""Runs named checks in order and prints one TAP line for each; the process fails if any check failed."""
import json
import os
import sys
import time
import traceback
import urllib.request

ENDPOINT = os.environ["KEYFOLD_ENDPOINT"]
CLIENT = {
    "endpoint_url": ENDPOINT,
    "region_name": "us-east-1",
    "aws_access_key_id": "AKIAKEYFOLDTEST",
    "aws_secret_access_key": "keyfold-test-secret",
}

_checks = []


def check(function):
    """Marks a check; its docstring is its name."""
    _checks.append(function)
    return function


def unique(name):
    """Returns a name that no other program or earlier run has used on this server."""
    return f"{name}-{os.getpid()}-{time.time_ns():x}"


def database_time(**move):
    """Returns the server's time in seconds; advance=SECONDS first advances it and waits until everything due is done."""
    request = urllib.request.Request(ENDPOINT + "/_keyfold/clock", json.dumps(move).encode() if move else None)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)["now"]


def run():
    failures = 0
    for number, function in enumerate(_checks, 1):
        try:
            function()
            print(f"ok {number} - {function.__doc__}", flush=True)
        except Exception:
            failures += 1
            print(f"not ok {number} - {function.__doc__}")
            print("\n".join(f"  # {line}" for line in traceback.format_exc().splitlines()), flush=True)
    print(f"1..{len(_checks)}")
    sys.exit(1 if failures or not _checks else 0)
