#!/usr/bin/env python3
"""A small disk filled by each of items, backups, exports, imports, restores and indexes.

Whatever fills it stops before the reserve. Reads go on, everything acknowledged is there, a stopped or killed server starts again, and what
is deleted gives room for writes that no waiting job takes. Disks are mounted for it, which needs root: without, one notice says that it was
skipped. The short form fills a tmpfs of 160 MB by items and by backups; --long fills disks of 400 MB by all six, tmpfs and ext4 in turn.
"""
import base64
import contextlib
import gzip
import json
import os
import pathlib
import shutil
import subprocess
import time

from judge import main  # first: it makes `endpoint` found
from oracle import Oracle
from target import Refused, Target, keyed_table

KINDS = ("items", "backups", "exports", "imports", "restores", "indexes")
SHORT_KINDS = ("items", "backups")
JOBS = ("backups", "exports", "imports", "restores")  # what they leave is for items
MB = 1 << 20
VALUE_BYTES = 150_000
FREE_MB_MIN = 24  # of the reserve of 32 MB; other files grow a little meanwhile
ROUNDS_MAX = 200
ARN = "arn:aws:dynamodb:us-east-1:123456789012:table/tab"


class NotPermitted(Exception):
    """This process may not mount disks."""


@contextlib.contextmanager
def mounted_disk(a, name, megabytes, ext4):
    folder, image = a.folder / f"disk-{name}", a.folder / f"{name}.image"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    if ext4:
        with open(image, "wb") as file:
            file.truncate(megabytes * MB)
        subprocess.run(["mkfs.ext4", "-q", "-m", "0", str(image)], check=True)
        command = ["mount", "-o", "loop", str(image), str(folder)]
    if subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 0:
        raise NotPermitted(" ".join(command))
    try:
        yield folder
    finally:
        for _ in range(100):
            if subprocess.run(["umount", str(folder)], stderr=subprocess.DEVNULL).returncode == 0:
                break
            time.sleep(0.1)
        image.unlink(missing_ok=True)


def free_mb(folder):
    disk = os.statvfs(folder)
    return disk.f_bavail * disk.f_frsize // MB


class Trial:
    """One thread at a time. One disk, one server on it, and what fills it."""

    def __init__(self, a, kind, disk, megabytes):
        self.a, self.kind, self.disk, self.megabytes = a, kind, disk, megabytes
        self.oracle, self.number = Oracle(), 0
        self.buckets = disk / "buckets" if kind == "exports" else a.folder / f"buckets-{kind}"
        (self.buckets / "bucket").mkdir(parents=True)
        self.target = self.start()

    def check(self, holds, what):
        return self.a.judge.check(holds, lambda: f"{self.kind}: {what() if callable(what) else what}")

    def start(self):
        target = Target(self.a, "--s3-root", str(self.buckets), "--cache-mb", "8", data=self.disk / "data")
        began = target.starts()
        self.check(began, lambda: f"the server does not start with {free_mb(self.disk)} MB free: {target.log[-500:]}")
        if not began:
            raise Refused(f"{self.kind}: no start")
        return target

    def value(self):
        self.number += 1
        return {"v": {"B": base64.b64encode(self.a.random.randbytes(VALUE_BYTES)).decode()}, "g": {"S": f"g{self.number}"}}

    def write(self, key):
        return self.oracle.write(self.target, key, self.value())

    def read_all(self, when):
        wrong = self.oracle.faults_in(self.target.items("tab"))
        self.check(not wrong, lambda: f"{when}: {len(wrong)} items differ: {wrong[:2]}")

    def begin(self):
        self.target.must("CreateTable", keyed_table("tab"))
        for number in range(self.megabytes * MB // 9 // VALUE_BYTES):
            self.check(self.write(f"k{number}"), "a disk with room refuses an item")
        if self.kind == "exports":
            self.target.must("UpdateContinuousBackups", {"TableName": "tab", "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True}})

    # --- what fills the disk; each returns when it is refused, or fails for want of room

    def fill_items(self):
        self.target.must("CreateTable", keyed_table("more"))
        for number in range(self.megabytes * MB // VALUE_BYTES):
            status, answer = self.target.ask("PutItem", {"TableName": "more", "Item": {"pk": {"S": f"m{number}"}, **self.value()}})
            if status != 200:
                return self.check(status == 503, lambda: f"{status} {answer}")
        return self.check(False, "the disk takes more than it has")

    def fill_backups(self):
        for number in range(ROUNDS_MAX):
            status, answer = self.target.ask("CreateBackup", {"TableName": "tab", "BackupName": f"backup{number}"})
            if status != 200:
                self.check(status == 503, lambda: f"{status} {answer}")
                return self.target.wait_until("backups end", lambda: all(b["BackupStatus"] == "AVAILABLE" for b in self.backups()))
        return self.check(False, "no backup is refused")

    def backups(self):
        return self.target.must("ListBackups", {"TableName": "tab"})["BackupSummaries"]

    def fill_exports(self):
        for _ in range(ROUNDS_MAX):
            made = self.target.must("ExportTableToPointInTime", {"TableArn": ARN, "S3Bucket": "bucket"})["ExportDescription"]["ExportArn"]
            look = lambda: self.target.must("DescribeExport", {"ExportArn": made})["ExportDescription"]
            ended = self.target.wait_until("an export ends", lambda: (d := look())["ExportStatus"] != "IN_PROGRESS" and d)
            if not ended or ended["ExportStatus"] == "FAILED":
                left = [path for path in self.buckets.rglob("*") if made.split("/")[-1] in str(path) and path.is_file()]
                self.check(not left, lambda: f"the export that failed left {left[:2]}")
                return self.check(ended and ended.get("FailureCode") == "DiskFull" and ended.get("FailureMessage"), lambda: f"{ended}")
        return self.check(False, "no export fails")

    def write_source(self):
        with gzip.open(self.buckets / "bucket" / "source.json.gz", "wt", compresslevel=1) as file:
            for number in range(self.megabytes * MB // 12 // VALUE_BYTES):
                file.write(json.dumps({"Item": {"pk": {"S": f"i{number}"}, **self.value()}}) + "\n")

    def fill_imports(self):
        self.write_source()
        for number in range(ROUNDS_MAX):
            order = {"ClientToken": f"import{number}", "S3BucketSource": {"S3Bucket": "bucket"}, "InputFormat": "DYNAMODB_JSON", "InputCompressionType": "GZIP", "TableCreationParameters": keyed_table(f"import{number}")}
            made = self.target.must("ImportTable", order)["ImportTableDescription"]["ImportArn"]
            look = lambda: self.target.must("DescribeImport", {"ImportArn": made})["ImportTableDescription"]
            ended = self.target.wait_until("an import ends", lambda: (d := look())["ImportStatus"] != "IN_PROGRESS" and d)
            if not ended or ended["ImportStatus"] == "FAILED":
                return self.check(ended and ended.get("FailureCode") == "DiskFull", lambda: f"{ended}")
        return self.check(False, "no import fails")

    def fill_restores(self):
        backup = self.target.must("CreateBackup", {"TableName": "tab", "BackupName": "one"})["BackupDetails"]["BackupArn"]
        self.target.wait_until("the backup is there", lambda: self.backups()[0]["BackupStatus"] == "AVAILABLE")
        for number in range(ROUNDS_MAX):
            status, answer = self.target.ask("RestoreTableFromBackup", {"TargetTableName": f"restore{number}", "BackupArn": backup})
            if status != 200:
                return self.check(status == 503, lambda: f"{status} {answer}")
            ended = self.target.wait_until("a restore ends", lambda: self.status_of(f"restore{number}") != "CREATING" and "yes")
            if not ended or self.status_of(f"restore{number}") is None:
                return ended
        return self.check(False, "no restore is refused")

    def status_of(self, table):
        status, answer = self.target.ask("DescribeTable", {"TableName": table})
        return answer["Table"]["TableStatus"] if status == 200 else None

    def is_stuck(self):
        """An index is being filled, and has not taken any more of the disk for some seconds: it waits for room."""
        free = free_mb(self.disk)
        for _ in range(20):
            time.sleep(0.25)
            if free_mb(self.disk) != free or self.status_of("tab") == "ACTIVE":
                return False
        return True

    def fill_indexes(self):
        for number in range(20):
            self.last_index = f"index{number}"
            index = {"IndexName": self.last_index, "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}
            self.target.must("UpdateTable", {"TableName": "tab", "AttributeDefinitions": [{"AttributeName": n, "AttributeType": "S"} for n in ("pk", "g")], "GlobalSecondaryIndexUpdates": [{"Create": index}]})
            if self.target.wait_until("an index is filled", lambda: self.is_stuck() and "full" or self.status_of("tab") == "ACTIVE") == "full":
                return True
        return self.check(False, "20 indexes fit")

    # --- what an operator deletes

    def free_some(self):
        if self.kind == "items":
            self.target.must("DeleteTable", {"TableName": "more"})
        elif self.kind == "backups":
            for backup in self.backups()[:2]:
                self.target.must("DeleteBackup", {"BackupArn": backup["BackupArn"]})
        elif self.kind == "exports":
            shutil.rmtree(self.buckets / "bucket" / "AWSDynamoDB")
        elif self.kind in ("imports", "restores"):
            self.target.must("DeleteTable", {"TableName": f"{self.kind[:-1]}0"})
        else:
            for index in (self.last_index, "index0"):  # the one that waits first, which alone can go while the table is UPDATING
                self.target.must("UpdateTable", {"TableName": "tab", "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": index}}]})
                self.target.wait_until(f"{index} is gone", lambda: self.status_of("tab") == "ACTIVE")

    def judge_full(self):
        free = free_mb(self.disk)
        self.check(free >= FREE_MB_MIN, f"{free} MB are left of the reserve")
        self.read_all("on the full disk")
        if self.kind in JOBS:
            self.check(self.write("beside"), "a job took the room that is for items")
        self.check(self.oracle.write(self.target, "k0", None), "an item cannot be deleted from a full disk")

    def restart(self, how):
        self.target.stop() if how == "stop" else self.target.kill()
        self.target = self.start()
        self.read_all(f"after a {how} and a start")

    def run(self):
        self.begin()
        getattr(self, f"fill_{self.kind}")()
        self.judge_full()
        for how in ("stop", "kill"):
            self.restart(how)
        self.free_some()
        self.target.wait_until(f"{self.kind}: there is room for items again", lambda: self.write("after"))
        for number in range(8):
            self.check(self.write(f"after{number}"), "what was freed is taken again")
        self.check(not self.target.must("ListJobs")["Jobs"], "a job that was refused goes on")
        self.restart("stop")
        self.target.stop()
        self.a.judge.note(f"{self.kind}: {self.megabytes} MB, held")


def attack(a):
    kinds, megabytes = (KINDS, 400) if a.long else (SHORT_KINDS, 160)
    for number, kind in enumerate(kinds):
        trial = None
        try:
            ext4 = a.long and number % 2 == 1 and shutil.which("mkfs.ext4") is not None
            with mounted_disk(a, kind, megabytes, ext4) as disk:
                try:
                    trial = Trial(a, kind, disk, megabytes)
                    trial.run()
                except Refused as refused:
                    a.judge.check(False, f"{kind}: {refused}")
                finally:
                    if trial:
                        trial.target.kill()
        except NotPermitted as why:
            a.judge.check(True, "")
            return a.judge.note(f"skipped: this user may not mount disks ({why})")


if __name__ == "__main__":
    main(attack)
