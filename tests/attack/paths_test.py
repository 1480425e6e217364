#!/usr/bin/env python3
"""Tries names that lead out of their folder, and planted links, pipes and devices, with exports, imports, backups and restores.

Nothing outside the buckets may be read, written or revealed to a client.
"""
import json
import os
import time

from judge import main
from target import Target, keyed_table

SECRET = "the-secret-outside"
ARN = "arn:aws:dynamodb:us-east-1:123456789012:table/tab"
NAMES = [
    "..", ".", "../", "../..", "../outside", "../../outside", "a/../../outside", "..\\outside", "/", "//", "/etc", "/etc/passwd", "//etc/passwd", "./outside", "outside/..", "a/..", "a/./b", "a//b", "a/",
    "%2e%2e/outside", "%2e%2e%2foutside", "..%2foutside", "..%00/outside", "..\x00", "a\x00b", "\x00", "...", ". .", " ..", ".. ", "..;/outside", "~", "~root", "$HOME", "${HOME}", "`id`", "$(id)", "|id", "a;id",
    "file:///etc/passwd", "http://127.0.0.1:1/", "s3://other/x", "\\\\host\\share", "C:\\x", "con", "a" * 255, "a" * 256, "a" * 1024, "a/" * 500 + "a", "../" * 300 + "etc/passwd", "link", "link/secret.json", "file-link",
    "pipe", "device", "folder-link", "folder-link/secret.json", "loop", "loop/loop/loop", "\u2024\u2024/outside", "\uff0e\uff0e/outside", "\u202e", "\n", "a\nb", "\x1b[31m", "*", "?", "[a]", "-rf", "--data", ".keyfold", "AWSDynamoDB/../..",
    "s3", "../backups", "../db", "../MARK", "db/CURRENT", "\xe4", "\U0001f600",
]


class Place:
    """A server whose folder is next to files that it must not touch. One thread at a time."""

    def __init__(self, a):
        self.outer = a.folder / "outer"
        self.data, self.outside = self.outer / "data", self.outer / "outside"
        self.root = self.outer / "buckets"
        self.outside.mkdir(parents=True)
        bucket = self.root / "bucket"
        bucket.mkdir(parents=True)
        line = json.dumps({"Item": {"pk": {"S": SECRET}}}) + "\n"
        (self.outside / "secret.json").write_text(line)
        (bucket / "good").mkdir()
        (bucket / "good" / "data.json").write_text(json.dumps({"Item": {"pk": {"S": "good"}}}) + "\n")
        for folder in (self.root, bucket):
            os.symlink(self.outside, folder / "folder-link")
            os.symlink(self.outside, folder / "link")
            os.symlink(self.outside / "secret.json", folder / "file-link")
            os.symlink("loop", folder / "loop")
            os.mkfifo(folder / "pipe")
        os.symlink("/dev/zero", bucket / "device")
        (bucket / "mixed").mkdir()
        (bucket / "mixed" / "data.json").write_text(json.dumps({"Item": {"pk": {"S": "good"}}}) + "\n")
        os.symlink(self.outside / "secret.json", bucket / "mixed" / "planted.json")
        os.symlink(self.outside, bucket / "mixed" / "planted")
        self.target = Target(a, "--s3-root", str(self.root), data=self.data).start()

    def outside_files(self):
        """Returns everything outside data and buckets, with sizes."""
        found = {}
        for path in sorted(self.outer.rglob("*")):
            inside = path.is_relative_to(self.data) or path.is_relative_to(self.root)
            if not inside and not path.is_symlink() and path.is_file():
                found[str(path)] = path.stat().st_size
        return found


def import_of(bucket, prefix, number, form="DYNAMODB_JSON"):
    table = {"TableName": f"imported{number}", "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
             "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], "BillingMode": "PAY_PER_REQUEST"}
    source = {"S3Bucket": bucket, **({} if prefix is None else {"S3KeyPrefix": prefix})}
    return {"ClientToken": f"token-{number}", "S3BucketSource": source, "InputFormat": form, "InputCompressionType": "NONE", "TableCreationParameters": table}


def requests(a):
    """Yields (operation, request) with each name in each member that becomes part of a path."""
    number = 0
    for name in NAMES:
        number += 1
        export = {"TableArn": ARN, "S3Bucket": "bucket"}
        yield "ExportTableToPointInTime", {**export, "S3Bucket": name}
        yield "ExportTableToPointInTime", {**export, "S3Prefix": name}
        yield "ImportTable", import_of(name, "good", f"{number}-bucket")
        yield "ImportTable", import_of("bucket", name, f"{number}-prefix")
        yield "CreateBackup", {"TableName": "tab", "BackupName": name}
        for form in (name, f"{ARN}/backup/{name}", f"arn:aws:dynamodb:us-east-1:123456789012:table/{name}/backup/01700000000000-12345678"):
            yield "DescribeBackup", {"BackupArn": form}
            yield "DeleteBackup", {"BackupArn": form}
            yield "RestoreTableFromBackup", {"TargetTableName": f"restored{number}", "BackupArn": form}
        yield "DescribeExport", {"ExportArn": f"{ARN}/export/{name}"}
        yield "DescribeImport", {"ImportArn": f"{ARN}/import/{name}"}
        yield "CreateTable", keyed_table(name)
        yield "ImportExports", {**import_of("bucket", "good", f"{number}-full"), "Increments": [name]}


def wait_until_idle(target):
    """Waits until no export, import, backup or restore is in progress."""
    busy = {"IN_PROGRESS", "CREATING"}

    def idle():
        if target.must("ListJobs").get("Jobs"):
            return False
        return not any(entry.get(key) in busy for operation, members, key in (
            ("ListExports", "ExportSummaries", "ExportStatus"), ("ListImports", "ImportSummaryList", "ImportStatus"), ("ListBackups", "BackupSummaries", "BackupStatus"))
            for entry in target.must(operation).get(members, []))

    return target.wait_until("all moves of tables have ended", idle)


def attack(a):
    place = Place(a)
    target, before = place.target, place.outside_files()
    target.must("CreateTable", keyed_table("tab"))
    target.must("UpdateContinuousBackups", {"TableName": "tab", "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True}})
    target.put("tab", "a")
    reported = []

    def look(operation, request):
        status, answer = target.ask(operation, request)
        text = json.dumps(answer)
        a.judge.check(status == 200 or 400 <= status < 500, lambda: f"{operation} {request}: {status} {text[:200]}")
        a.judge.check(SECRET not in text, lambda: f"{operation} {request} shows what is outside: {text[:200]}")
        # A client may see a name that it gave itself, but never where the server keeps its files.
        a.judge.check(str(place.outer) not in text, lambda: f"{operation} {request} tells a path of the server: {text[:300]}")
        reported.append(answer)

    for operation, request in a.sample(requests(a), 260):
        look(operation, request)
    look("ImportTable", import_of("bucket", "mixed/", "mixed"))
    wait_until_idle(target)
    for answer in list(reported):
        for kind, member in (("ExportDescription", "ExportArn"), ("ImportTableDescription", "ImportArn")):
            if kind in answer:
                look(f"Describe{kind[:6]}", {member: answer[kind][member]})
    for table in target.must("ListTables")["TableNames"]:
        status, page = target.ask("Scan", {"TableName": table})
        a.judge.check(SECRET not in json.dumps(page), lambda: f"{table} has what is outside")
    a.judge.check(place.outside_files() == before, lambda: f"files outside changed: {place.outside_files()}")
    a.judge.check(SECRET not in target.log, "the log shows what is outside")
    began = time.monotonic()
    target.stop()
    a.judge.note(f"stopped in {time.monotonic() - began:.1f} s")


if __name__ == "__main__":
    main(attack)
