"""Tests that data folders of earlier versions open with all of their data and can be written to. folders/make.py defines their contents."""
import pathlib
import sys
import tarfile
import time

import side_file
from program import Failed, expect

FOLDERS = pathlib.Path(__file__).resolve().parent / "folders"
sys.path.insert(0, str(FOLDERS))

import make  # noqa: E402


def check(client, more=()):
    for key in make.KEYS:
        expect(client.item(key), make.item(key), key)
    expect(client.item("k99"), None, "what was deleted")
    expect(client.item("count"), {"pk": {"S": "count"}, "n": {"N": "1"}})
    expect(client.ok("DescribeTable", {"TableName": "things"})["Table"]["ItemCount"], len(make.KEYS) + 1 + len(more))
    query = {"TableName": "things", "IndexName": "by_group", "KeyConditionExpression": "#g = :g"}
    query |= {"ExpressionAttributeNames": {"#g": "group"}, "ExpressionAttributeValues": {":g": {"S": "g1"}}}
    found = [item["pk"]["S"] for item in client.ok("Query", query)["Items"]]
    expect(found, sorted(key for key in make.KEYS if int(key[1:]) % 3 == 1), "by the index")
    for key in more:
        expect(client.item(key), {"pk": {"S": key}}, key)


def unpacked(place, archive):
    folder = place.path(archive.name.removesuffix(".tar.xz"))
    with tarfile.open(archive) as packed:
        packed.extractall(folder)
    return folder


def options_for(folder):
    """Returns the option that is needed if this machine's clock is far behind that of the machine that made the folder."""
    ahead_s = int(side_file.read(folder / "MARK")["time"]) / 1e6 - time.time()
    return ["--accept-clock-ahead"] if ahead_s > 6 * 86400 else []


def test_folders_of_earlier_versions(place):
    archives = sorted(FOLDERS.glob("*.tar.xz"))
    if len(archives) < 2:
        raise Failed(f"a closed and a killed folder are kept, not {archives}")
    for archive in archives:
        folder = unpacked(place, archive)
        options = options_for(folder)
        program = place.serve(*options, data=folder)
        check(program.client())
        expect(program.client().put("new").status, 200)
        expect(program.stop(), 0)
        program = place.serve(*options, data=folder)
        check(program.client(), more=["new"])
        expect(program.stop(), 0)
        if not options:
            expect(place.run("verify", "--data", folder)[0], 0, f"verify of {archive.name}")
