#!/usr/bin/env python3
"""Tests a server with a hostile S3 service: tests/attack/s3_test.py --binary PATH [--long]

Each bucket of the fake service misbehaves in its own way: it is silent, trickles, lists endlessly, redirects, sends XML bombs, forged log lines
or endless responses, or lies about lengths. Every import must end with a message, the server must keep running, its log must have one line for
each event, it must not connect to any other host, and SIGTERM must stop the server promptly whatever it is waiting for. --long adds tests that
take minutes: limits of time and of long listings.
"""
import argparse
import collections
import http.client
import json
import os
import pathlib
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

# Detects a hang, even on a machine that is doing other work.
END_S, STOP_S = 60.0, 15.0
LOG_LINE = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (trace|debug|info|warning|error|critical) \S")
FORGED = "2026-01-01T00:00:00.000Z critical forged\x1b[31m"


def answer(status, body=b"", headers=(), length=None):
    body = body.encode() if isinstance(body, str) else body
    lines = [f"HTTP/1.1 {status} x", *headers, f"Content-Length: {len(body) if length is None else length}"]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def listing(keys, token=None, tags=""):
    contents = "".join(f"<Contents><Key>{urllib.parse.quote(key)}</Key><Size>{size}</Size></Contents>" for key, size in keys)
    more = f"<IsTruncated>true</IsTruncated><NextContinuationToken>{token}</NextContinuationToken>" if token else ""
    return answer(200, f"<ListBucketResult><EncodingType>url</EncodingType>{more}{contents}{tags}</ListBucketResult>")


def refusal(code, message):
    return answer(403, f"<Error><Code>{code}</Code><Message>{message}</Message></Error>")


def range_of(content, total=None):
    return answer(206, content, [f"Content-Range: bytes 0-{len(content) - 1}/{len(content) if total is None else total}", 'ETag: "e"'])


LINE = b'{"Item":{"pk":{"S":"a"}}}\n'
BOMB = '<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa">' + "".join(
    f'<!ENTITY {n} "{("&" + p + ";") * 10}">' for p, n in zip("abcdefgh", "bcdefghi")) + "]><ListBucketResult>&i;</ListBucketResult>"


class Request:
    """A request of the server. Immutable."""

    def __init__(self, head):
        line, *fields = head.split("\r\n")
        self.method, target, _ = line.split(" ", 2)
        path, _, query = target.partition("?")
        self.bucket, _, self.key = urllib.parse.unquote(path).lstrip("/").partition("/")
        self.query = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))
        self.fields = {name.strip().lower(): value.strip() for name, _, value in (field.partition(":") for field in fields)}

    @property
    def lists(self):
        return not self.key and "list-type" in self.query


def one_object(content, key="data"):
    """A bucket with one object; `content` is its bytes, or a function that returns the response to a request for it."""
    def serve(request, service):
        if request.lists:
            return listing([(key, 10)])
        return content(request, service) if callable(content) else range_of(content)
    return serve


def listed_by(page):
    """A bucket whose listing pages come from `page`; the request that checks its existence succeeds."""
    def serve(request, service):
        opening = request.query.get("max-keys") == "1"
        return listing([]) if opening else page(int(request.query.get("continuation-token", "0")), service)
    return serve


def endless(head, piece):
    def serve(request, service):
        return head, piece
    return serve


# name: (behavior, expected part of the failure's code and message, whether it runs without --long)
BUCKETS = {
    "moved": (lambda r, s: answer(301, "", [f"Location: http://127.0.0.1:{s.elsewhere}/"]), "HTTP 301"),
    "found": (lambda r, s: answer(302, "", [f"Location: http://127.0.0.1:{s.elsewhere}/"]), "HTTP 302"),
    "temporary": (lambda r, s: answer(307, "<Error><Code>TemporaryRedirect</Code><Endpoint>127.0.0.1</Endpoint></Error>",
                                      [f"Location: http://127.0.0.1:{s.elsewhere}/"]), "TemporaryRedirect"),
    "objectmoved": (one_object(lambda r, s: answer(308, "", [f"Location: http://127.0.0.1:{s.elsewhere}/"])), "HTTP 308"),
    "bomb": (lambda r, s: answer(200, BOMB), "S3ReadFailed"),
    "entity": (lambda r, s: answer(200, '<!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/passwd">]><ListBucketResult>&x;</ListBucketResult>'),
               "S3ReadFailed"),
    "deep": (lambda r, s: answer(200, "<a>" * 100_000), "S3ReadFailed"),
    "page": (lambda r, s: answer(200, "<html>hello</html>"), "S3ReadFailed"),
    "garbage": (lambda r, s: answer(200, os.urandom(5000)), "S3ReadFailed"),
    "longlisting": (lambda r, s: answer(200, b"<ListBucketResult>" + b"x" * (17 << 20)), "S3ReadFailed"),
    "longhead": (lambda r, s: b"HTTP/1.1 200 x\r\n" + b"A: b\r\n" * 100_000, "S3ReadFailed"),
    "longerror": (lambda r, s: answer(403, "<Error><Code>Denied</Code><Message>" + "x" * (2 << 20) + "</Message></Error>"), "S3Denied"),
    "forged": (lambda r, s: refusal("Denied", f"no\n{FORGED}"), "S3Denied"),
    "forgedcode": (lambda r, s: refusal(f"Den\n{FORGED}", "no"), "S3Den"),
    "forgedvalue": (one_object(b'{"Item":{"pk":{"S":"a"},"v":{"N":"bad\\u001b[31m\\n' + FORGED.encode().replace(b"\x1b", b"\\u001b") + b'"}}}\n'),
                    "ItemValidationError"),
    "forgedkey": (one_object(lambda r, s: refusal("Denied", "no"), f"data\n{FORGED}\xff"), "S3Denied"),
    "notutf8": (lambda r, s: answer(403, b"<Error><Code>Denied</Code><Message>\xff\xfe \xe2\x80\xae</Message></Error>"), "S3Denied|HTTP 403"),
    "climbing": (one_object(LINE, "../../other/data"), "S3ReadFailed"),
    "sametoken": (listed_by(lambda page, s: listing([], token=7)), "S3ReadFailed"),
    "emptypages": (listed_by(lambda page, s: listing([], token=page + 1)), "S3ReadFailed"),
    "samepages": (listed_by(lambda page, s: listing([("a", 1), ("b", 1)], token=page + 1)), "S3ReadFailed"),
    "toolong": (one_object(lambda r, s: range_of(b"x" * (9 << 20))), "S3ReadFailed"),
    "tooshort": (one_object(lambda r, s: range_of(LINE, total=10_000)), "S3ReadFailed"),
    "norange": (one_object(lambda r, s: answer(206, LINE)), "S3ReadFailed"),
    "huge": (one_object(lambda r, s: range_of(LINE, total=1 << 63)), "S3ReadFailed"),
    "negative": (one_object(lambda r, s: answer(206, LINE, ["Content-Range: bytes 0-9/-5"])), "S3ReadFailed"),
    "chunks": (one_object(lambda r, s: b"HTTP/1.1 206 x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n"), "S3ReadFailed"),
    "twolengths": (lambda r, s: b"HTTP/1.1 200 x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", "S3ReadFailed"),
    "endlessobject": (one_object(endless(b"HTTP/1.1 206 x\r\nContent-Range: bytes 0-9/10\r\n\r\n", b"x" * 65536)), "S3ReadFailed"),
    "columns": (one_object(b"pk" + b"".join(b",c%d" % i for i in range(900_000)) + b"\na\n"), "ItemValidationError"),
    "cells": (one_object(b"pk\n" + b"," * (6 << 20) + b"\na\n"), "ItemValidationError"),
}
CSV = ("columns", "cells")
# These are retried, and therefore take seconds.
LONG_BUCKETS = {
    "newpages": (listed_by(lambda page, s: listing([(f"{page:09}", 1)], token=page + 1)), "S3ReadFailed"),
    "cut": (one_object(lambda r, s: answer(206, LINE, ["Content-Range: bytes 0-9999/10000"], length=10_000) + b"close"), "S3ReadFailed"),
    "busy": (lambda r, s: answer(503, "<Error><Code>SlowDown</Code></Error>"), "S3SlowDown"),
    "nothing": (lambda r, s: b"close", "S3ReadFailed"),
}


class Service:
    """The fake S3 service. Thread-safe."""

    def __init__(self):
        self.buckets = {name: serve for name, (serve, *_) in {**BUCKETS, **LONG_BUCKETS}.items()}
        self.buckets |= {"silent": lambda r, s: (b"", b""), "trickle": lambda r, s: (b"HTTP/1.1 200 x\r\n\r\n", b"<"), "good": one_object(LINE)}
        self.listener, self.port = self._listen(self._serve)
        self._elsewhere, self.elsewhere = self._listen(self._count_stranger)
        self.requests, self.strangers, self.connections = collections.Counter(), 0, 0
        self.trickle_s = 0.1

    @staticmethod
    def _listen(serve):
        listener = socket.create_server(("127.0.0.1", 0), backlog=64)

        def accept():
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                threading.Thread(target=serve, args=(connection,), daemon=True).start()
        threading.Thread(target=accept, daemon=True).start()
        return listener, listener.getsockname()[1]

    def _count_stranger(self, connection):
        self.strangers += 1
        connection.close()

    def _serve(self, connection):
        self.connections += 1
        try:
            with connection:
                while self._answer_one(connection):
                    pass
        except (OSError, ValueError):
            pass

    def _answer_one(self, connection):
        head = b""
        while b"\r\n\r\n" not in head:
            piece = connection.recv(65536)
            if not piece:
                return False
            head += piece
        request = Request(head.partition(b"\r\n\r\n")[0].decode("latin-1"))
        self.requests[request.bucket] += 1
        reply = self.buckets.get(request.bucket, lambda r, s: answer(404, "<Error><Code>NoSuchBucket</Code></Error>"))(request, self)
        if isinstance(reply, bytes):
            connection.sendall(reply.removesuffix(b"close"))
            return not reply.endswith(b"close")
        first, piece = reply
        connection.sendall(first)
        while len(piece) > 1:
            connection.sendall(piece)
        while not select.select([connection], [], [], self.trickle_s)[0]:
            connection.sendall(piece)
        return False


class Server:
    """A Keyfold server that uses the fake S3 service. One thread at a time."""

    def __init__(self, binary, folder, endpoint):
        self.binary, self.folder, self.endpoint, self.log = binary, folder, endpoint, folder / "log"
        self.start()

    def start(self):
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("KEYFOLD_", "AWS_"))}
        environment |= {"AWS_ACCESS_KEY_ID": "ID", "AWS_SECRET_ACCESS_KEY": "secret"}
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        command = [self.binary, "serve", "--port", str(self.port), "--data", self.folder / "data", "--s3-endpoint", self.endpoint]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=environment)
        end = time.monotonic() + END_S
        while time.monotonic() < end:
            try:
                return self.call("ListTables", {})
            except OSError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.01)
        raise SystemExit(f"the server does not start:\n{self.log.read_text(errors='replace')}")

    def call(self, operation, members):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=END_S)
        now = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        headers = {
            "X-Amz-Target": f"DynamoDB_20120810.{operation}",
            "Content-Type": "application/x-amz-json-1.0",
            "X-Amz-Date": now,
            # Without --credentials the signature's value is not checked.
            "Authorization": f"AWS4-HMAC-SHA256 Credential=ID/{now[:8]}/us-east-1/dynamodb/aws4_request, "
            f"SignedHeaders=host;x-amz-date;x-amz-target, Signature={'0' * 64}",
        }
        connection.request("POST", "/", json.dumps(members), headers)
        reply = connection.getresponse()
        body = reply.read().decode("utf-8")  # strictly
        connection.close()
        return reply.status, json.loads(body)

    def begin_import(self, bucket):
        request = {
            "ClientToken": bucket,
            "S3BucketSource": {"S3Bucket": bucket},
            "InputFormat": "CSV" if bucket in CSV else "DYNAMODB_JSON",
            "TableCreationParameters": {
                "TableName": f"table-{bucket}",
                "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
                "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                "BillingMode": "PAY_PER_REQUEST",
            },
        }
        status, body = self.call("ImportTable", request)
        if status != 200:
            raise AssertionError(f"ImportTable from {bucket}: {status} {body}")
        return body["ImportTableDescription"]["ImportArn"]

    def look(self, arn):
        return self.call("DescribeImport", {"ImportArn": arn})[1]["ImportTableDescription"]

    def await_import(self, arn, timeout_s=END_S):
        end = time.monotonic() + timeout_s
        while time.monotonic() < end:
            import_ = self.look(arn)
            if import_["ImportStatus"] != "IN_PROGRESS":
                return import_
            time.sleep(0.01)
        return None

    def stop(self):
        """Returns (exit code or None, seconds)."""
        begun = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(END_S), time.monotonic() - begun
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None, time.monotonic() - begun

    def peak_mb(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) // 1024


class Tally:
    """One thread at a time."""

    def __init__(self):
        self.tried = self.failed = 0

    def check(self, holds, what):
        self.tried += 1
        if not holds:
            self.failed += 1
            print(f"s3: FAILED {what}", flush=True)


def try_bucket(server, bucket, reported, tally, timeout_s=END_S):
    try:
        import_ = server.await_import(server.begin_import(bucket), timeout_s)
    except (AssertionError, OSError, ValueError, KeyError) as fault:
        return tally.check(False, f"{bucket}: {fault!r}")
    if import_ is None:
        return tally.check(False, f"{bucket}: the import does not end")
    code, message = import_.get("FailureCode", ""), import_.get("FailureMessage", "")
    tally.check(import_["ImportStatus"] == "FAILED" and re.search(reported, f"{code} {message}"), f"{bucket}: {import_['ImportStatus']} {code}: {message}")
    tally.check(message.isprintable() and len(message) < 4000, f"{bucket}: the message is not one short line: {message[:200]!r}")


def check_log(server, tally):
    """Checks that every line is a log line or an announcement, and that none begins with forged text."""
    lines = server.log.read_bytes().split(b"\n")
    for line in lines[:-1]:
        known = LOG_LINE.match(line.decode("utf-8", "replace")) or line.startswith((b"keyfold ", b"data in "))
        sound = known and not re.search(rb"[\x00-\x1f\x7f]|\xe2\x80\xae", line) and b"critical forged" not in line[:45] and len(line) < 70_000
        tally.check(sound, f"a line of the log: {line[:200]!r}")
    tally.check(any(b"critical forged" in line for line in lines), "no forged line came to the log at all")


def try_stops(server, service, tally):
    """Sends SIGTERM while the service is silent, trickles, and is silent again; each next start resumes the import."""
    ways = ("silent", "trickle", "silent", "good")
    serves = {way: service.buckets[way] for way in ways}
    asked, arn = service.requests["silent"], server.begin_import("silent")
    for way, following in zip(ways, ways[1:]):
        end = time.monotonic() + END_S
        while service.requests["silent"] == asked and time.monotonic() < end:
            time.sleep(0.005)
        begun = service.connections
        status, seconds = server.stop()
        tally.check(status == 0 and seconds < STOP_S, f"a {way} service holds SIGTERM for {seconds:.1f} s, exit {status}")
        tally.check(service.connections == begun, f"a {way} service was asked again after SIGTERM")
        asked, service.buckets["silent"] = service.requests["silent"], serves[following]
        server.start()
        if following != "good":
            tally.check(server.look(arn)["ImportStatus"] == "IN_PROGRESS", f"{way}: the import was not taken up")
    import_ = server.await_import(arn)
    tally.check(import_ and import_["ImportStatus"] == "COMPLETED", f"the import did not complete: {import_}")


def try_total_time(server, service, tally):
    """A steady trickle ends after the time limit of a request, which is then retried."""
    service.trickle_s = 20.0
    asked = service.requests["trickle"]
    server.begin_import("trickle")
    end = time.monotonic() + 200
    while service.requests["trickle"] < asked + 2 and time.monotonic() < end:
        time.sleep(0.5)
    tally.check(service.requests["trickle"] >= asked + 2, "a trickle is not bounded in time")
    service.trickle_s = 0.1
    status, seconds = server.stop()
    tally.check(status == 0 and seconds < STOP_S, f"a trickling service holds SIGTERM for {seconds:.1f} s")
    server.start()


def try_silent_tls(binary, folder, service, tally):
    server = Server(binary, folder, f"https://127.0.0.1:{service.port}")
    silent = socket.create_server(("127.0.0.1", 0))
    server.stop()
    server.endpoint = f"https://127.0.0.1:{silent.getsockname()[1]}"
    server.start()
    server.begin_import("silent")
    connection, _ = silent.accept()
    status, seconds = server.stop()
    tally.check(status == 0 and seconds < STOP_S, f"a silent TLS handshake holds SIGTERM for {seconds:.1f} s")
    connection.close()
    silent.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--long", action="store_true")
    args = parser.parse_args()
    binary = pathlib.Path(args.binary).resolve()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="keyfold-s3-attack-"))
    tally, service = Tally(), Service()
    (folder / "tls").mkdir()
    server = Server(binary, folder, f"http://127.0.0.1:{service.port}")
    try:
        for bucket, (_, reported) in BUCKETS.items():
            try_bucket(server, bucket, reported, tally)
        tally.check(server.peak_mb() < 700, f"the server took {server.peak_mb()} MB")
        if args.long:
            for bucket, (_, reported) in LONG_BUCKETS.items():
                try_bucket(server, bucket, reported, tally, timeout_s=600)
            try_total_time(server, service, tally)
            try_silent_tls(binary, folder / "tls", service, tally)
        try_stops(server, service, tally)
        tally.check(service.strangers == 0, f"{service.strangers} connections to where a redirect pointed")
        check_log(server, tally)
    finally:
        server.process.kill()
        server.process.wait()
    if tally.failed:
        print(server.log.read_text(errors="replace")[-6000:])
    else:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"s3: tried {tally.tried} failed {tally.failed}")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
