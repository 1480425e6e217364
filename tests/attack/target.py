"""The server under attack: starts it, sends it whatever a client could, and examines how it stopped."""
import json
import pathlib
import re
import socket
import time

from endpoint.connection import Answer, Connection, request_bytes
from endpoint.server import Server, StartFailed
from endpoint.sigv4 import Signer

HANG_S = 60.0  # generous, because a slower response on a loaded machine would count as a hang
JSON_TYPE = "application/x-amz-json-1.0"
REPORTS = re.compile(r"AddressSanitizer|LeakSanitizer|runtime error:|UndefinedBehaviorSanitizer|Assertion .* failed|CHECK failed")
STREAMS = {"ListStreams", "DescribeStream", "GetShardIterator", "GetRecords"}
KEYFOLD = {"DescribeVerification", "ImportExports", "ListJobs", "StartVerification"}


def target_of(operation):
    """Returns the X-Amz-Target of an operation."""
    if operation in STREAMS:
        return f"DynamoDBStreams_20120810.{operation}"
    return f"Keyfold_20261116.{operation}" if operation in KEYFOLD else f"DynamoDB_20120810.{operation}"


def keyed_table(name, **members):
    return {
        "TableName": name,
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "BillingMode": "PAY_PER_REQUEST",
        **members,
    }


class Refused(Exception):
    """The server returned an error for a request that had to succeed."""


class Caller:
    """Sends API requests over one persistent connection. One thread at a time."""

    def __init__(self, port, signer=None):
        self.port, self.authority = port, f"127.0.0.1:{port}"
        self.signer = signer or Signer()
        self.connection = Connection("127.0.0.1", port, HANG_S)
        self._headers = {}

    def send_body(self, operation, body):
        """Sends a body as it is and returns the response. The signature's date is renewed now and then; its value is correct only for a JSON call."""
        known = self._headers.get(operation)
        if known is None or time.monotonic() - known[0] > 60:
            headers = Signer().headers(self.authority, target_of(operation), b"")
            known = (time.monotonic(), [*headers.items()])
            self._headers[operation] = known
        return self.connection.request(request_bytes("POST", "/", [*known[1], ("Content-Length", len(body))], body))

    def ask(self, operation, members=None):
        """Returns (status, decoded response) of a signed call."""
        body = json.dumps(members or {}).encode()
        headers = self.signer.headers(self.authority, target_of(operation), body)
        answer = self.connection.request(request_bytes("POST", "/", [*headers.items(), ("Content-Length", len(body))], body))
        return answer.status, json.loads(answer.text())

    def must(self, operation, members=None):
        status, answer = self.ask(operation, members)
        if status != 200:
            raise Refused(f"{operation}: {status} {answer}")
        return answer

    def put(self, table, key, **attributes):
        return self.must("PutItem", {"TableName": table, "Item": {"pk": {"S": key}, **attributes}})

    def items(self, table, index=None):
        """Returns everything that a scan finds, by key; raises Refused if a page returns an error."""
        found, start = {}, None
        while True:
            request = {"TableName": table, "ConsistentRead": index is None}
            request.update({"ExclusiveStartKey": start} if start else {}, **({"IndexName": index} if index else {}))
            page = self.must("Scan", request)
            found.update((item["pk"]["S"], item) for item in page["Items"])
            start = page.get("LastEvaluatedKey")
            if not start:
                return found


class Target(Caller):
    """A server process. `data` is a folder, or None for --in-memory. One thread at a time."""

    def __init__(self, attack, *args, data=None, variables=None, signer=None, log=None):
        self.judge = attack.judge
        self.log_path = pathlib.Path(log or attack.folder / f"log-{time.monotonic_ns()}")
        self.server = Server(attack.binary, data, args, self.log_path, variables=variables)
        super().__init__(self.server.port, signer)

    @property
    def log(self):
        return self.log_path.read_text("utf-8", "replace") if self.log_path.exists() else ""

    def start(self):
        self.server.start(HANG_S)
        return self

    def starts(self):
        """Returns whether the server started; a refusal returns False, a hang is a failed check."""
        try:
            self.start()
            return True
        except StartFailed as failure:
            self.judge.check("no response within" not in str(failure), lambda: f"the server hangs at its start: {failure}")
            return False

    def is_alive(self):
        return self.server.process.poll() is None

    def stop(self):
        """Sends SIGTERM. The server must stop cleanly, and no sanitizer may have reported anything."""
        self.connection.close()
        status = self.server.stop(HANG_S)
        self.judge.check(status == 0, lambda: f"the server exited with {status} after SIGTERM: {self.log[-1500:]}")
        self.judge_log()

    def kill(self):
        self.connection.close()
        if self.server.process:
            self.server.kill()

    def judge_log(self):
        found = REPORTS.search(self.log)
        self.judge.check(not found, lambda: f"in the log: {self.log[max(0, found.start() - 200):found.start() + 2000]}")

    def wait_until(self, what, look, timeout_s=HANG_S):
        """Calls `look` until it returns something true, and returns that; the check fails if it never does."""
        end = time.monotonic() + timeout_s
        while True:
            found = look()
            if found or time.monotonic() > end:
                self.judge.check(bool(found), f"not within {timeout_s:g} s: {what}")
                return found
            time.sleep(0.01)

    # --- raw bytes

    def raw(self, *pieces, half_close=True):
        """Sends the pieces one after another and reads until the server closes. Returns (responses, the rest or the error)."""
        received = b""
        with socket.create_connection(("127.0.0.1", self.port), HANG_S) as one:
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            try:
                for piece in pieces:
                    one.sendall(piece)
                if half_close:
                    one.shutdown(socket.SHUT_WR)
            except OSError:
                pass  # closed by the server; its response may still be readable
            try:
                while block := one.recv(1 << 18):
                    received += block
            except TimeoutError:
                return split_answers(received)[0], b"no end within the time"
            except OSError:
                pass
        return split_answers(received)


def split_answers(data):
    """Returns (responses, bytes that are not a complete response) of the data of one connection, without interim responses."""
    answers = []
    while data:
        head, mark, rest = data.partition(b"\r\n\r\n")
        lines = head.split(b"\r\n")
        if not mark or not re.fullmatch(rb"HTTP/1\.[01] \d{3}( .*)?", lines[0]):
            return answers, data
        status = int(lines[0][9:12])
        headers = [tuple(part.strip().decode("latin-1") for part in line.partition(b":")[::2]) for line in lines[1:]]
        answer = Answer(status, headers, b"")
        length = int(answer.header("Content-Length") or 0)
        if len(rest) < length:
            return answers, data
        answer.body, data = rest[:length], rest[length:]
        if status >= 200:
            answers.append(answer)
    return answers, b""


def judge_answer(judge, answer, what, statuses=None):
    """Checks an API response: JSON in valid UTF-8, 200 or 4xx, and an error has its type. Returns the decoded body, or None."""
    try:
        empty = answer.status == 200 and not answer.body  # TagResource and UntagResource return no body
        members = {} if empty else json.loads(answer.text())
    except ValueError as error:  # includes UnicodeDecodeError
        judge.check(False, lambda: f"{what()}: {answer.status}, not JSON in UTF-8 ({error}): {answer.body[:200]!r}")
        return None
    right = answer.status == 200 or (400 <= answer.status < 500 and "__type" in members)
    if statuses is not None:
        right = answer.status in statuses
    judge.check(right, lambda: f"{what()}: {answer.status} {answer.body[:300]!r}")
    return members
