"""The keyfold program under test, started with any arguments, variables and working folder, and called over HTTP or HTTPS.

Every test gets a `Place`: its own folder; every program that it starts is stopped with it.
"""
import http.client
import json
import os
import pathlib
import re
import resource
import signal
import ssl
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from endpoint.sigv4 import Signer  # noqa: E402

ANNOUNCED = re.compile(r"^keyfold \S+ on (https?)://(\S+):(\d+)$", re.MULTILINE)
START_S, END_S = 60.0, 30.0
JSON_TYPE = "application/x-amz-json-1.0"


def prepare_child(descriptors):
    """Runs in the child: makes Ctrl+C work as from a terminal, even if the tests run in the background, and limits descriptors."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if descriptors:
        resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))


class Failed(Exception):
    """A check of a test failed."""


def expect(actual, wanted, what=""):
    if actual != wanted:
        raise Failed(f"{what or 'value'}: expected {wanted!r}, got {actual!r}")


def expect_in(part, whole, what=""):
    if part not in whole:
        raise Failed(f"{what or 'text'}: {part!r} is not in {whole!r}")


def until(what, look, timeout_s=20.0):
    """Calls `look` until it returns something true, and returns that. Fails after the time is over."""
    end = time.monotonic() + timeout_s
    while True:
        found = look()
        if found:
            return found
        if time.monotonic() > end:
            raise Failed(f"not within {timeout_s:g} s: {what}")
        time.sleep(0.005)


class Reply:
    """An HTTP response, with its body decoded if it is JSON. Immutable."""

    def __init__(self, answer):
        self.status, self.headers, self.body = answer.status, answer.headers, answer.read()

    @property
    def text(self):
        return self.body.decode("utf-8")

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def error(self):
        """Returns the name of the exception without its namespace; None on success."""
        return None if self.status == 200 else self.json["__type"].rpartition("#")[2]


class Client:
    """Uses one connection per request unless `keep` is set. One thread at a time."""

    def __init__(self, scheme, host, port, signer=None, trust=None):
        self.scheme, self.host, self.port = scheme, host, port
        self.signer = signer or Signer()
        self.trust = trust

    @property
    def authority(self):
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    def connect(self, timeout_s=30.0):
        if self.scheme == "http":
            return http.client.HTTPConnection(self.host, self.port, timeout=timeout_s)
        context = ssl.create_default_context(cafile=self.trust)
        context.check_hostname = False
        return http.client.HTTPSConnection(self.host, self.port, timeout=timeout_s, context=context)

    def send(self, method, path, headers=None, body=b"", connection=None):
        """Sends a request as it is, unsigned."""
        one = connection or self.connect()
        one.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in {"Host": self.authority, "Content-Length": str(len(body)), **(headers or {})}.items():
            if value is not None:
                one.putheader(name, value)
        one.endheaders(body)
        reply = Reply(one.getresponse())
        if connection is None:
            one.close()
        return reply

    def signed(self, operation, body, signer=None, host=None, now=None):
        """Returns the headers of a call."""
        target = f"DynamoDB_20120810.{operation}"
        return (signer or self.signer).headers(host or self.authority, target, body, content_type=JSON_TYPE, now=now)

    def call(self, operation, members=None, signer=None, host=None, now=None, connection=None, extra=None):
        body = json.dumps(members or {}).encode()
        headers = {**self.signed(operation, body, signer, host, now), **(extra or {})}
        return self.send("POST", "/", headers, body, connection)

    def ok(self, operation, members=None, **how):
        reply = self.call(operation, members, **how)
        if reply.status != 200:
            raise Failed(f"{operation}: {reply.status} {reply.text}")
        return reply.json

    def get(self, path, sign=None, headers=None):
        signed = {}
        if sign:
            signed = {"Host": self.authority, "X-Amz-Date": time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())}
            signed["Authorization"] = sign.authorization("GET", path, "", signed, b"")
        return self.send("GET", path, {**signed, **(headers or {})})

    # Shorthands for common operations on a table.
    def create(self, name="things", **members):
        return self.ok("CreateTable", {**table_request(name), **members})["TableDescription"]

    def put(self, key, table="things", **attributes):
        return self.call("PutItem", {"TableName": table, "Item": {"pk": {"S": key}, **attributes}})

    def item(self, key, table="things"):
        request = {"TableName": table, "Key": {"pk": {"S": key}}, "ConsistentRead": True}
        return self.ok("GetItem", request).get("Item")

    def status_of(self, table="things"):
        reply = self.call("DescribeTable", {"TableName": table})
        return reply.json["Table"]["TableStatus"] if reply.status == 200 else reply.error


def table_request(name):
    return {
        "TableName": name,
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "BillingMode": "PAY_PER_REQUEST",
    }


class Program:
    """A server process. One thread at a time."""

    def __init__(self, process, log, trust):
        self.process, self._log, self._trust = process, log, trust
        self.scheme = self.host = self.port = None

    @property
    def log(self):
        return self._log.read_text("utf-8", "replace")

    def wait_until_serving(self):
        def look():
            if self.process.poll() is not None:
                raise Failed(f"the server ended with {self.process.returncode}: {self.log}")
            return "data in" in self.log or "in memory:" in self.log

        until("the server announces itself", look, START_S)
        self.scheme, self.host, port = ANNOUNCED.search(self.log).groups()
        self.port = int(port)

    def client(self, signer=None, host=None):
        return Client(self.scheme, host or self.host.strip("[]"), self.port, signer, self._trust)

    def signal(self, number):
        self.process.send_signal(number)

    def wait(self, timeout_s=END_S):
        """The exit code."""
        try:
            return self.process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            raise Failed(f"the server does not end: {self.log}") from None

    def stop(self):
        self.signal(signal.SIGTERM)
        return self.wait()

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def wait_for_log(self, text):
        until(f"{text!r} in the log", lambda: text in self.log)


class Place:
    """The context of one test. One thread at a time."""

    def __init__(self, binary, folder):
        self.binary, self.folder = str(binary), pathlib.Path(folder)
        self._programs, self._mounts, self._count = [], [], 0

    def path(self, name):
        return self.folder / name

    def write(self, name, content, mode=0o600):
        path = self.path(name)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        path.chmod(mode)
        return str(path)

    def _environment(self, variables):
        clean = {name: value for name, value in os.environ.items() if not name.startswith("KEYFOLD_")}
        return {**clean, **(variables or {})}

    def launch(self, arguments, variables=None, trust=None, descriptors=None):
        """Starts `keyfold` with exactly these arguments and that many descriptors."""
        self._count += 1
        log = self.path(f"log-{self._count}")
        with open(log, "wb") as out:
            process = subprocess.Popen(
                [self.binary, *map(str, arguments)],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                env=self._environment(variables),
                cwd=self.folder,
                preexec_fn=lambda: prepare_child(descriptors),
            )
        program = Program(process, log, trust)
        self._programs.append(program)
        return program

    def serve(self, *arguments, data=None, variables=None, trust=None, descriptors=None):
        """Starts a server on a free port: in memory, or in the folder `data`."""
        store = ["--in-memory"] if data is None else ["--data", data]
        program = self.launch(["serve", "--port", "0", *store, *arguments], variables, trust, descriptors)
        program.wait_until_serving()
        return program

    def run(self, *arguments, variables=None, descriptors=None):
        """Returns (exit code, standard output, standard error) of a program that should exit by itself."""
        try:
            done = subprocess.run(
                [self.binary, *map(str, arguments)],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=END_S,
                env=self._environment(variables),
                cwd=self.folder,
                preexec_fn=lambda: prepare_child(descriptors),
            )
        except subprocess.TimeoutExpired:
            raise Failed(f"keyfold {' '.join(map(str, arguments))} does not end") from None
        return done.returncode, done.stdout, done.stderr

    def refused(self, code, part, *arguments, variables=None, descriptors=None):
        """The program must exit with `code` and one line on standard error that contains `part`; returns the line."""
        got, out, err = self.run(*arguments, variables=variables, descriptors=descriptors)
        what = f"keyfold {' '.join(map(str, arguments))}"
        expect_in(part, err, what)
        expect(got, code, f"exit code of {what}")
        expect(out, "", f"standard output of {what}")
        expect((err.count("\n"), err[-1:], err.startswith("keyfold: ")), (1, "\n", True), f"one line from {what}: {err!r}")
        return err

    def mount(self, name, *options):
        """Mounts a file system at a new folder of that name; returns None if mounting is not allowed here."""
        target = self.path(name)
        target.mkdir(exist_ok=True)
        done = subprocess.run(["mount", *options, str(target)], capture_output=True)
        if done.returncode != 0:
            return None
        self._mounts.append(target)
        return target

    def close(self):
        for program in self._programs:
            program.kill()
        for target in reversed(self._mounts):
            subprocess.run(["umount", str(target)], check=True)
