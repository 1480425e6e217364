#!/usr/bin/env python3
"""Makes the data folders that are stored here, with the program of the version that they belong to:
tests/server/folders/make.py --binary KEYFOLD --name VERSION

VERSION-closed.tar.xz is the folder of a server that was stopped, VERSION-killed.tar.xz of one that was killed with its last writes only in the
log. They are archives because a checkout keeps neither modes nor empty folders. kept_folders_test.py opens copies of them.
"""
import argparse
import io
import pathlib
import sys
import tarfile
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE.parent))

from program import Place, table_request  # noqa: E402

KEYS = [f"k{number}" for number in range(24)]
TOKEN = "kept-token"


def item(key):
    number = int(key[1:])
    return {
        "pk": {"S": key},
        "group": {"S": f"g{number % 3}"},
        "n": {"N": f"{number}.5"},
        "bytes": {"B": "AAEC/w=="},
        "set": {"SS": ["a", "b"]},
        "deep": {"M": {"list": {"L": [{"BOOL": True}, {"NULL": True}]}}},
    }


def table():
    described = table_request("things")
    described["AttributeDefinitions"].append({"AttributeName": "group", "AttributeType": "S"})
    schema = [{"AttributeName": "group", "KeyType": "HASH"}, {"AttributeName": "pk", "KeyType": "RANGE"}]
    described["GlobalSecondaryIndexes"] = [{"IndexName": "by_group", "KeySchema": schema, "Projection": {"ProjectionType": "ALL"}}]
    described["StreamSpecification"] = {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
    return described


def transaction():
    update = {
        "TableName": "things",
        "Key": {"pk": {"S": "count"}},
        "UpdateExpression": "ADD n :one",
        "ExpressionAttributeValues": {":one": {"N": "1"}},
    }
    return {"TransactItems": [{"Update": update}], "ClientRequestToken": TOKEN}


def fill(client, keys):
    for key in keys:
        client.ok("PutItem", {"TableName": "things", "Item": item(key)})


def pack(folder, to):
    """Makes an archive that has the same bytes for the same folder."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:xz", format=tarfile.USTAR_FORMAT) as archive:
        for path in sorted(folder.rglob("*")):
            entry = archive.gettarinfo(path, str(path.relative_to(folder)))
            entry.uid = entry.gid = entry.mtime = 0
            entry.uname = entry.gname = ""
            with open(path, "rb") if path.is_file() else io.BytesIO() as content:
                archive.addfile(entry, content if path.is_file() else None)
    to.write_bytes(packed.getvalue())
    print(f"{to.name}: {len(packed.getvalue())} bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=pathlib.Path, required=True)
    parser.add_argument("--name", required=True)
    options = parser.parse_args()
    for how in ("closed", "killed"):
        with tempfile.TemporaryDirectory() as scratch:
            place = Place(options.binary.resolve(), scratch)
            folder = place.path("data")
            program = place.serve(data=folder)
            client = program.client()
            client.ok("CreateTable", table())
            client.ok("UpdateTimeToLive", {"TableName": "things", "TimeToLiveSpecification": {"Enabled": True, "AttributeName": "ttl"}})
            fill(client, KEYS[:12])
            program.stop()
            program = place.serve(data=folder)
            client = program.client()
            fill(client, KEYS[12:] + ["k99"])
            client.ok("DeleteItem", {"TableName": "things", "Key": {"pk": {"S": "k99"}}})
            client.ok("TransactWriteItems", transaction())
            program.stop() if how == "closed" else program.kill()
            pack(folder, HERE / f"{options.name}-{how}.tar.xz")


if __name__ == "__main__":
    main()
