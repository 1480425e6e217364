#!/usr/bin/env python3
"""Damages files of a data folder, closed or killed: flips bytes, and truncates, empties, deletes, zeroes or extends files.

The server must refuse to start, return an error, or have everything; it must never return less or other data than was acknowledged. Files that
are created again at every start (OPTIONS, IDENTITY, LOCK, LOG) may contain anything. The last writes before a kill are not checked: their part of
the log is beyond MARK, where damage cannot be distinguished from a write that was in progress.
"""
import shutil

from judge import main  # first, because it makes `endpoint` importable
from disk_faults_test import INDEX, LAST_KEY, crashed_folder, fill, judge_state
from endpoint.connection import ConnectionLost
from oracle import Oracle
from target import Refused, Target, keyed_table

def clean_folder(a, folder):
    oracle = Oracle()
    target = Target(a, data=folder).start()
    target.must("CreateTable", keyed_table("tab", **INDEX))
    fill(a, target, oracle, 500)
    target.stop()
    return oracle


def cut(data, random):
    return data[: random.randrange(1, len(data))] if len(data) > 1 else b""


def zeroed(data, random):
    start = random.randrange(len(data))
    return data[:start] + bytes(len(data) - start)


def block_of_zeros(data, random):
    start = random.randrange(len(data))
    return data[:start] + bytes(min(4096, len(data) - start)) + data[start + 4096 :]


def flipped(data, random):
    at = random.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :]


def garbled(data, random):
    return random.randbytes(len(data))


def longer(data, random):
    return data + random.randbytes(random.randrange(1, 5000))


def empty(data, random):
    return b""


def missing(data, random):
    return None


WHOLE = (cut, zeroed, block_of_zeros, garbled, longer, empty, missing)


def damages(a, folder):
    """Yields (path within the folder, name, function)."""
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        if not path.stat().st_size:
            continue
        name = path.relative_to(folder)
        for number in range(60 if a.long else 6):
            yield name, f"flip {number}", flipped
        for damage in WHOLE:
            yield name, damage.__name__, damage


def try_one(a, template, oracle, name, what, damage):
    """Returns whether the start was refused."""
    data = a.folder / "damaged"
    shutil.copytree(template, data)
    before = (data / name).read_bytes()
    after = damage(before, a.random)
    if after is None:
        (data / name).unlink()
    else:
        (data / name).write_bytes(after)
    what = f"{template.name}: {name} {what} ({len(before)} bytes)"
    target = Target(a, data=data, log=a.folder / "damaged.log")
    came_up = target.starts()
    if came_up:
        judge_state(a, oracle, target, what, but=(LAST_KEY,))
        if target.is_alive():
            judge_index(a, oracle, target, what)
            a.judge.check(target.is_alive(), lambda: f"{what}: the server exited with {target.server.process.poll()}: {target.log[-300:]}")
    else:
        code = target.server.process.returncode
        a.judge.check(code in (1, 2, 74, 78), lambda: f"{what}: the server exited with {code}: {target.log[-300:]}")
    target.kill()
    target.judge_log()
    target.log_path.unlink(missing_ok=True)
    shutil.rmtree(data)
    return not came_up


def judge_index(a, oracle, target, what):
    """Checks that an index returns the same items or an error."""
    try:
        found = target.items("tab", "by_g")
    except (Refused, ConnectionLost, OSError):
        return
    wrong = oracle.faults_in(found, but=(LAST_KEY,))
    a.judge.check(not wrong, lambda: f"{what}: {len(wrong)} items of the index differ without a word: {wrong[:2]}")


def attack(a):
    clean, crashed = a.folder / "clean", a.folder / "crashed"
    folders = [(clean, clean_folder(a, clean)), (crashed, crashed_folder(a, crashed))]
    tries = [(folder, oracle, *damage) for folder, oracle in folders for damage in damages(a, folder)]
    refused = sum(try_one(a, *one) for one in a.sample(tries, 40))
    a.judge.note(f"{refused} starts refused")
    a.judge.check(refused > 0, "no damage was refused at all")


if __name__ == "__main__":
    main(attack)
