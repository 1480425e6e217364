#!/usr/bin/env python3
"""Injects disk faults with a preloaded library: each call on each file in turn fails, is cut short or returns other bytes, at startup and later.

The oracle knows every acknowledged write. A server may refuse to start, exit, or return an error, but it must never return less or other data than
was acknowledged, neither during the fault nor after a clean start. Bytes that were changed on their way to the disk may be refused permanently
afterwards, but must not be returned.
"""
import collections
import os
import shutil
import time

from judge import main  # first, because it makes `endpoint` importable
from endpoint.connection import ConnectionLost
from oracle import Oracle
from shim import Shim
from target import Refused, Target, keyed_table

INDEX = {
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "g")],
    "GlobalSecondaryIndexes": [{"IndexName": "by_g", "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}],
}
ARN = "arn:aws:dynamodb:us-east-1:123456789012:table/tab"
CLASSES = (".log", ".sst", "MANIFEST-", "CURRENT", "MARK", "FORMAT", "OPTIONS-", "IDENTITY", "LOCK", ".dbtmp", "rows-", "MANIFEST", ".gz", ".json", ".md5")
MODES = {"read": ("eio", "flip", "short"), "write": ("eio", "enospc", "short", "flip"), "open": ("eio", "emfile"), "sync": ("eio", "enospc"),
         "rename": ("eio", "enospc"), "truncate": ("eio",), "unlink": ("eio",), "mkdir": ("eio", "enospc"), "link": ("eio",)}
OPENINGS_LONG, OPENINGS_SHORT = 2_000, 14
STRIKES_LONG, STRIKES_SHORT = 500, 6
LAST_KEY = "tick"  # written at about the last update of MARK or after it


def value_of(a, number):
    size = a.random.choice((5, 50, 400, 3000))
    return {"v": {"S": a.random.randbytes(size).hex()}, "g": {"S": f"g{number % 7}"}, "n": {"N": str(number)}}


def fill(a, target, oracle, writes):
    for number in range(writes):
        key = f"k{a.random.randrange(400)}"
        oracle.write(target, key, None if a.random.randrange(6) == 0 else value_of(a, number))


def crashed_folder(a, folder):
    """Makes a folder with tables and the log that a kill left; returns what it must contain."""
    oracle = Oracle()
    target = Target(a, data=folder).start()
    target.must("CreateTable", keyed_table("tab", **INDEX))
    fill(a, target, oracle, 200)
    target.stop()
    target = Target(a, data=folder).start()
    fill(a, target, oracle, 300)
    # MARK is updated about once a second; only beyond it is a damaged log taken for writes that were in progress.
    mark = (folder / "MARK").read_bytes()
    target.wait_until("MARK is raised", lambda: oracle.write(target, LAST_KEY, value_of(a, 1)) and (folder / "MARK").read_bytes() != mark)
    target.kill()
    return oracle


def class_of(path):
    name = os.path.basename(path)
    return next((c for c in CLASSES if name.endswith(c) or name.startswith(c)), "")


def judge_state(a, oracle, target, what, but=()):
    """Reads everything. An error is acceptable, because it is reported; a wrong or missing item is not."""
    try:
        wrong = oracle.faults_in(target.items("tab"), but)
    except (Refused, ConnectionLost, OSError):
        return
    a.judge.check(not wrong, lambda: f"{what}: {len(wrong)} items differ without a word: {wrong[:2]}")


def clean_start(a, oracle, data, what, may_refuse):
    target = Target(a, data=data)
    if target.starts():
        if may_refuse:
            judge_state(a, oracle, target, f"{what}, then a clean start")
        else:
            try:
                wrong = oracle.faults_in(target.items("tab"))
                a.judge.check(not wrong, lambda: f"{what}, then a clean start: {len(wrong)} items differ: {wrong[:2]}")
            except (Refused, ConnectionLost) as error:
                a.judge.check(False, lambda: f"{what}, then a clean start: {error}")
    else:
        a.judge.check(may_refuse, lambda: f"{what}, then a clean start is refused: {target.log[-300:]}")
    target.kill()
    target.log_path.unlink(missing_ok=True)


def counts_of(trace):
    """Returns calls by (call, kind of file)."""
    rows = [row.split(" ", 1) for row in trace.read_text().splitlines()]
    return collections.Counter((call, class_of(path)) for call, path in rows if class_of(path) and call in MODES)


def calls_at_opening(a, shim, folder):
    data, trace = a.folder / "traced", a.folder / "trace"
    shutil.copytree(folder, data)
    target = Target(a, data=data, variables=shim.variables(root=data, trace=trace)).start()
    target.items("tab")
    target.kill()
    counts = counts_of(trace)
    shutil.rmtree(data)
    trace.unlink()
    return counts


def places(counts):
    """Yields (call, path, nth, mode) for every call in every mode, alternating between the kinds of files."""
    lists = [[(call, path, nth, mode) for nth in range(1, count + 1) for mode in MODES[call]] for (call, path), count in sorted(counts.items())]
    while any(lists):
        for one in lists:
            if one:
                yield one.pop(0)


def at_opening(a, shim, folder, oracle):
    counts = calls_at_opening(a, shim, folder)
    faults = list(places(counts))
    if not a.long:
        # The log is read twice, and the second time matters as much as the first, so some of its positions are always in the sample.
        reads = counts[("read", ".log")]
        chosen = a.sample(faults, OPENINGS_SHORT) + [("read", ".log", nth, "flip") for nth in (reads // 2 + 1, reads * 3 // 4)]
    else:
        again = [(c, p, n, m) for c, p, n, m in faults if m not in ("short",)]
        chosen = (faults + again * (OPENINGS_LONG // max(1, len(again)) + 1))[:max(OPENINGS_LONG, len(faults))]
    struck = 0
    for number, (call, path, nth, mode) in enumerate(chosen):
        times = 1 if number < len(faults) or number % 2 else 0
        struck += opening(a, shim, folder, oracle, call, path, nth, mode, times)
    a.judge.note(f"{len(chosen)} faults at opening, of which {struck} struck")


def opening(a, shim, folder, oracle, call, path, nth, mode, times):
    """Returns whether the fault occurred."""
    what = f"{mode} at {call} {nth} of {path}{'' if times else ' and from then on'} while opening"
    data, report = a.folder / "faulty", a.folder / "report"
    shutil.copytree(folder, data)
    variables = shim.variables(root=data, call=call, path=path, nth=nth, mode=mode, times=times, report=report)
    target = Target(a, data=data, variables=variables, log=a.folder / "faulty.log")
    came_up = target.starts()
    if came_up:
        judge_state(a, oracle, target, what)
    else:
        code = target.server.process.returncode
        a.judge.check(code in (1, 2, 74, 78), lambda: f"{what}: the server exited with {code}: {target.log[-300:]}")
    target.kill()
    struck = report.exists()
    changed_on_disk = call == "write" and mode == "flip"
    clean_start(a, oracle, data, what, may_refuse=changed_on_disk)
    for leftover in (report, target.log_path):
        leftover.unlink(missing_ok=True)
    shutil.rmtree(data)
    return struck


def busy(a, target, oracle, report=None, number=0):
    """Writes items and runs operations on whole tables, which create and read files, until a fault has occurred."""
    name, recovery = f"made{number}", {"PointInTimeRecoveryEnabled": True}
    steps = [
        lambda: quietly(target, "CreateBackup", {"TableName": "tab", "BackupName": name}),
        lambda: quietly(target, "CreateTable", keyed_table(name)),
        lambda: wait_until_idle(target),
        lambda: restore(target, name),
        lambda: quietly(target, "UpdateContinuousBackups", {"TableName": "tab", "PointInTimeRecoverySpecification": recovery}),
        lambda: quietly(target, "ExportTableToPointInTime", {"TableArn": ARN, "S3Bucket": "bucket"}),
        lambda: quietly(target, "DeleteTable", {"TableName": name}),
        lambda: wait_until_idle(target),
    ]
    for step in steps:
        if (report and report.exists()) or not target.is_alive():
            break
        fill(a, target, oracle, 15)
        step()
    if target.is_alive():
        fill(a, target, oracle, 20)


def wait_until_idle(target):
    """Waits until no backup, restore or export is in progress, but not for long, because a fault may keep one from ending."""
    end = time.monotonic() + 1
    while time.monotonic() < end and quietly(target, "ListJobs", {})[1].get("Jobs"):
        time.sleep(0.01)


def quietly(target, operation, members):
    try:
        return target.ask(operation, members)
    except (ConnectionLost, OSError, ValueError):
        return None, {}


def restore(target, name):
    _, listed = quietly(target, "ListBackups", {"TableName": "tab"})
    for backup in listed.get("BackupSummaries", [])[:1]:
        quietly(target, "RestoreTableFromBackup", {"TargetTableName": f"restored-{name}", "BackupArn": backup["BackupArn"]})


def calls_while_running(a, shim, folder, oracle):
    data, trace = a.folder / "traced", a.folder / "trace"
    shutil.copytree(folder, data)
    (data / "s3" / "bucket").mkdir(parents=True)
    target = Target(a, data=data, variables=shim.variables(root=data, trace=trace)).start()
    trace.unlink()
    busy(a, target, oracle)
    target.kill()
    counts = counts_of(trace)
    shutil.rmtree(data)
    trace.unlink()
    return counts


def while_running(a, shim, folder, oracle):
    """Injects faults at calls seen in a run without faults, until enough have occurred."""
    counts = calls_while_running(a, shim, folder, oracle.copy())
    # Changed writes to the log are not tried: beyond MARK they cannot be distinguished from writes that were in progress.
    cells = [(call, path, mode) for call, path in sorted(counts) for mode in MODES[call] if (call, path, mode) != ("write", ".log", "flip")]
    a.random.shuffle(cells)
    wanted = STRIKES_LONG if a.long else STRIKES_SHORT
    struck = tried = 0
    while struck < wanted and tried < wanted * 3:
        call, path, mode = cells[tried % len(cells)]
        nth = a.random.randrange(1, max(2, counts[(call, path)] // 2))
        struck += running(a, shim, folder, oracle.copy(), call, path, nth, mode, a.random.randrange(2), tried)
        tried += 1
    a.judge.note(f"{tried} faults while running, of which {struck} struck")
    a.judge.check(struck >= wanted, f"only {struck} of {wanted} faults struck while running")


def running(a, shim, folder, oracle, call, path, nth, mode, times, number):
    what = f"{mode} at {call} {nth} of {path or 'any file'}{'' if times else ' and from then on'} while running"
    data, report, arm = a.folder / "busy", a.folder / "report", a.folder / "arm"
    shutil.copytree(folder, data)
    (data / "s3" / "bucket").mkdir(parents=True)
    variables = shim.variables(root=data, call=call, path=path, nth=nth, mode=mode, times=times, report=report, arm=arm)
    target = Target(a, data=data, variables=variables, log=a.folder / "busy.log").start()
    arm.write_text("")
    busy(a, target, oracle, report, number)
    if target.is_alive():
        judge_state(a, oracle, target, what)
    else:
        code = target.server.process.returncode
        a.judge.check(code == 74, lambda: f"{what}: the server exited with {code}: {target.log[-300:]}")
    target.kill()
    target.judge_log()
    struck = report.exists()
    clean_start(a, oracle, data, what, may_refuse=mode == "flip" and call == "write")
    for leftover in (report, arm, target.log_path):
        leftover.unlink(missing_ok=True)
    shutil.rmtree(data)
    return struck


def attack(a):
    shim, folder = Shim(a.folder), a.folder / "template"
    oracle = crashed_folder(a, folder)
    at_opening(a, shim, folder, oracle)
    while_running(a, shim, folder, oracle)


if __name__ == "__main__":
    main(attack)
