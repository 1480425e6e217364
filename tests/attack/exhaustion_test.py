#!/usr/bin/env python3
"""Checks that other clients are still served while strangers hold connections and memory.

Usage: exhaustion_test.py --binary PATH [--long]

Prints `exhaustion: tried N failed M`; the exit code is 1 unless M is 0. Uses only Python's standard library.
  idle       more idle connections than descriptors, then enough writes for the log to roll: the process survives
  few        a limit of descriptors that is too low is refused at startup, with exit code 2 and one line
  bodies     large requests that never end: small requests of other clients are served
  readers    large responses that nobody reads: small requests of other clients are served
  crowd      all of it at once, against a server with --credentials: memory stays within its limits
"""
import argparse
import atexit
import concurrent.futures
import hashlib
import hmac
import http.client
import json
import pathlib
import resource
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

KEY, SECRET, REGION = "AKIAEXHAUSTION", "exhaustion-secret", "us-east-1"
JSON_TYPE = "application/x-amz-json-1.0"
MB = 1 << 20
CACHE_MB, WRITE_BUFFERS_MB = 16, 3 * 64
ITEM_BYTES = 390_000


def signed_headers(host, target, body):
    """Returns the headers of a DynamoDB request with a version 4 signature."""
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    scope = f"{stamp[:8]}/{REGION}/dynamodb/aws4_request"
    signed = {"content-type": JSON_TYPE, "host": host, "x-amz-date": stamp, "x-amz-target": target}
    names = ";".join(signed)
    canonical = "\n".join(
        ["POST", "/", ""] + [f"{n}:{v}" for n, v in signed.items()] + ["", names, hashlib.sha256(body).hexdigest()]
    )
    text = "\n".join(["AWS4-HMAC-SHA256", stamp, scope, hashlib.sha256(canonical.encode()).hexdigest()])
    key = ("AWS4" + SECRET).encode()
    for part in scope.split("/"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    signature = hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
    return {
        "Host": host,
        "Content-Type": JSON_TYPE,
        "X-Amz-Date": stamp,
        "X-Amz-Target": target,
        "Content-Length": str(len(body)),
        "Authorization": f"AWS4-HMAC-SHA256 Credential={KEY}/{scope}, SignedHeaders={names}, Signature={signature}",
    }


class Judge:
    """Counts and prints what was tried and what failed. Thread-safe."""

    def __init__(self):
        self.lock, self.tried, self.failed = threading.Lock(), 0, 0

    def check(self, holds, what):
        with self.lock:
            self.tried += 1
            if holds:
                return
            self.failed += 1
            if self.failed <= 20:
                print(f"exhaustion: FAILED {what}", flush=True)


class Server:
    """A server process with its own folder and its own limit of descriptors."""

    def __init__(self, binary, folder, descriptors, *arguments, credentials=False):
        self.folder = pathlib.Path(folder)
        if credentials:
            keys = self.folder / "keys.ini"
            keys.write_text(f"[default]\naws_access_key_id = {KEY}\naws_secret_access_key = {SECRET}\n")
            keys.chmod(0o600)
            arguments += ("--credentials", str(keys))
        self.log = self.folder / "log"
        command = [binary, "serve", "--port", "0", "--data", str(self.folder / "data"), *arguments]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors)),
            )
        atexit.register(self.process.kill)  # in case a check does not finish

    def await_start(self, time_s=60):
        end = time.monotonic() + time_s
        while time.monotonic() < end and self.process.poll() is None:
            text = self.log.read_text(errors="replace")
            for line in text.splitlines():
                if line.startswith("keyfold ") and " on http://127.0.0.1:" in line:
                    self.port = int(line.rpartition(":")[2])
                    self.host = f"127.0.0.1:{self.port}"
                    return self
            time.sleep(0.01)
        raise SystemExit(f"exhaustion: the server did not start: {self.log.read_text(errors='replace')}")

    def request(self, operation, members):
        body = json.dumps(members).encode()
        headers = signed_headers(self.host, f"DynamoDB_20120810.{operation}", body)
        head = "POST / HTTP/1.1\r\n" + "".join(f"{n}: {v}\r\n" for n, v in headers.items()) + "\r\n"
        return head.encode() + body

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def call(self, operation, members, connection=None):
        """Returns the status and the body of the response; the status is 0 if there was none."""
        body = json.dumps(members).encode()
        one = connection or self.connect()
        try:
            one.request("POST", "/", body, signed_headers(self.host, f"DynamoDB_20120810.{operation}", body))
            answer = one.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException) as fault:
            return 0, repr(fault).encode()
        finally:
            if connection is None:
                one.close()

    def memory_mb(self, field):
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith(field + ":"):
                return int(line.split()[1]) / 1024
        return 0.0

    def create(self):
        key = [{"AttributeName": "pk", "KeyType": "HASH"}]
        types = [{"AttributeName": "pk", "AttributeType": "S"}]
        members = {"TableName": "things", "KeySchema": key, "AttributeDefinitions": types, "BillingMode": "PAY_PER_REQUEST"}
        status, body = self.call("CreateTable", members)
        if status != 200:
            raise SystemExit(f"exhaustion: CreateTable: {status} {body}")

    def put(self, key, value="v", connection=None):
        return self.call("PutItem", {"TableName": "things", "Item": {"pk": {"S": key}, "v": {"S": value}}}, connection)

    def get(self, key, connection=None):
        return self.call("GetItem", {"TableName": "things", "Key": {"pk": {"S": key}}}, connection)

    def stop(self):
        """Returns the exit code, or -9 if the process did not stop."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return -9


class Strangers:
    """Sockets that are opened and held. The server may close them, which is not a failure."""

    def __init__(self, server):
        self.server, self.sockets = server, []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for one in self.sockets:
            one.close()

    def open(self, count, receive_bytes=None):
        for _ in range(count):
            one = socket.socket()
            if receive_bytes:
                one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
            one.settimeout(20)
            try:
                one.connect(("127.0.0.1", self.server.port))
            except OSError:
                one.close()
                continue
            self.sockets.append(one)
        return self.sockets[-count:]

    @staticmethod
    def send(one, data):
        try:
            one.sendall(data)
        except OSError:
            pass

    def statuses(self):
        """Returns the statuses of the responses that can be read now, without waiting."""
        found = []
        for one in self.sockets:
            if one.fileno() >= 0 and select.select([one], [], [], 0)[0]:
                try:
                    head = one.recv(4096)
                except OSError:
                    continue
                if head.startswith(b"HTTP/1.1 "):
                    found.append((int(head[9:12]), b"\r\nRetry-After: 1\r\n" in head))
        return found


def hold_bodies(strangers, count, body_bytes=16 * MB):
    """Sends requests whose last byte never arrives."""
    head = f"POST / HTTP/1.1\r\nHost: {strangers.server.host}\r\nContent-Length: {body_bytes}\r\n\r\n".encode()
    most = head + bytes(body_bytes - 1)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for one in strangers.open(count):
            pool.submit(strangers.send, one, most)


def hold_answers(strangers, count):
    """Requests responses of about 16 MB that are never read."""
    keys = [{"pk": {"S": f"large{n}"}} for n in range(40)]
    request = strangers.server.request("BatchGetItem", {"RequestItems": {"things": {"Keys": keys}}})
    for one in strangers.open(count, receive_bytes=4096):
        strangers.send(one, request)


def put_large_items(server):
    for number in range(40):
        status, body = server.put(f"large{number}", "x" * ITEM_BYTES)
        if status != 200:
            raise SystemExit(f"exhaustion: PutItem: {status} {body}")


def judge_few(judge, binary, folder, _long):
    for descriptors, starts in ((128, False), (255, False), (256, True)):
        own = pathlib.Path(folder) / str(descriptors)
        own.mkdir()
        server = Server(binary, own, descriptors)
        if starts:
            server.await_start()
            judge.check(server.stop() == 0, f"{descriptors} descriptors: it should start and end with 0")
            continue
        try:
            code = server.process.wait(20)
        except subprocess.TimeoutExpired:
            code = None
        lines = server.log.read_text().splitlines()
        server.stop()
        judge.check(code == 2, f"{descriptors} descriptors: exit code {code} instead of 2")
        judge.check(len(lines) == 1, f"{descriptors} descriptors: not one line but {lines}")


def judge_idle(judge, binary, folder, long):
    descriptors = 256
    server = Server(binary, folder, descriptors, "--cache-mb", str(CACHE_MB)).await_start()
    server.create()
    with Strangers(server) as strangers:
        strangers.open(descriptors + 50)
        kept = server.connect()
        for number in range(500 if long else 200):  # the log rolls after about 170
            status, body = server.put(f"k{number}", "x" * ITEM_BYTES, kept)
            judge.check(status == 200, f"write {number} during idle connections: {status} {body[:200]}")
            if status == 0:
                break
        kept.close()
        for number in range(50):
            judge.check(server.get(f"k{number}")[0] == 200, f"read {number} during idle connections")
        judge.check(server.process.poll() is None, "the process lives")
    code = server.stop()
    judge.check(code == 0, f"exit code {code}")
    judge.check("Too many open files" not in server.log.read_text(), "descriptors ran out")


def judge_share(judge, binary, folder, hold, seconds):
    """Sends small requests while `hold` runs, each on a new connection."""
    server = Server(binary, folder, 1024, "--cache-mb", str(CACHE_MB), "--max-in-flight-mb", "128").await_start()
    server.create()
    server.put("small")
    put_large_items(server)
    with Strangers(server) as strangers:
        holder = threading.Thread(target=hold, args=(strangers,))
        holder.start()
        end = time.monotonic() + seconds
        while time.monotonic() < end or holder.is_alive():
            status, body = server.get("small")
            judge.check(status == 200, f"small request: {status} {body[:200]}")
        holder.join()
        for status, retry_after in strangers.statuses():
            judge.check(status != 503 or retry_after, "503 without Retry-After")
    judge.check(server.stop() == 0, "exit code")


def judge_bodies(judge, binary, folder, long):
    judge_share(judge, binary, folder, lambda s: hold_bodies(s, 32 if long else 12), 20 if long else 1)


def judge_readers(judge, binary, folder, long):
    judge_share(judge, binary, folder, lambda s: hold_answers(s, 34 if long else 12), 20 if long else 1)


def keep_opening(strangers, stop):
    """Opens idle connections in place of those that the server has closed, about 200 per second."""
    while not stop.wait(0.05):
        for one in strangers.sockets[:10]:
            one.close()
        del strangers.sockets[:10]
        strangers.open(10)


def judge_crowd(judge, binary, folder, long):
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    in_flight_mb = 512 if long else 128
    idle, slow, requests = (2048, 64, 10_000) if long else (600, 12, 600)
    arguments = ("--cache-mb", str(CACHE_MB), "--max-in-flight-mb", str(in_flight_mb))
    server = Server(binary, folder, 1024, *arguments, credentials=True).await_start()
    server.create()
    server.put("small")
    put_large_items(server)
    before_mb = server.memory_mb("VmRSS")
    with Strangers(server) as waiting, Strangers(server) as senders, Strangers(server) as readers:
        waiting.open(idle)
        stop = threading.Event()
        opener = threading.Thread(target=keep_opening, args=(waiting, stop))
        opener.start()
        helpers = [
            threading.Thread(target=hold_bodies, args=(senders, slow)),
            threading.Thread(target=hold_answers, args=(readers, slow)),
        ]
        for helper in helpers:
            helper.start()

        def ask(share):
            kept = server.connect()
            for number in range(share):
                status, body = server.get("small", kept if number % 2 else None)
                judge.check(status == 200, f"request {number} in the crowd: {status} {body[:200]}")
            kept.close()

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(ask, [requests // 4] * 4))
        stop.set()
        for helper in (opener, *helpers):
            helper.join()
        peak_mb = server.memory_mb("VmHWM")
        allowed_mb = before_mb + CACHE_MB + WRITE_BUFFERS_MB + 1.25 * in_flight_mb
        print(f"exhaustion: peak {peak_mb:.0f} MB, {before_mb:.0f} before, {allowed_mb:.0f} allowed", flush=True)
        judge.check(peak_mb <= allowed_mb, f"peak of {peak_mb:.0f} MB is more than {allowed_mb:.0f}")
    judge.check(server.stop() == 0, "exit code")


PARTS = {
    "few": judge_few,
    "idle": judge_idle,
    "bodies": judge_bodies,
    "readers": judge_readers,
    "crowd": judge_crowd,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", required=True)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--part", choices=PARTS, action="append")
    options = parser.parse_args()
    judge = Judge()
    for name in options.part or PARTS:
        began, before = time.monotonic(), (judge.tried, judge.failed)
        with tempfile.TemporaryDirectory() as folder:
            PARTS[name](judge, options.binary, folder, options.long)
        tried, failed = judge.tried - before[0], judge.failed - before[1]
        print(f"exhaustion: {name}: {tried} checks, {failed} failed, {time.monotonic() - began:.1f} s", flush=True)
    print(f"exhaustion: tried {judge.tried} failed {judge.failed}")
    return 1 if judge.failed else 0


if __name__ == "__main__":
    sys.exit(main())
