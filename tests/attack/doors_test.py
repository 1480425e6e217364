#!/usr/bin/env python3
"""Tests access by web pages and strangers: DNS rebinding, foreign origins, preflights, the admin paths, /metrics and /health."""
import itertools
import json

from judge import main  # first, because it makes `endpoint` importable
from endpoint.sigv4 import Signer
from target import Target, target_of

EVIL_HOSTS = ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "localhost.evil.example", "evil-localhost", "metadata.google.internal",
              "0", "2130706433", "0x7f000001", "127.1", "a@localhost", "localhost,evil.example", "xn--lcalhost-54a", "host.docker.internal"]
EVIL_ORIGINS = ["http://evil.example", "https://evil.example", "null", "http://localhost.evil.example", "http://localhost", "http://127.0.0.1", "http://127.0.0.1:8000",
                "file://", "chrome-extension://abc", "http://good.example.evil.example", "http://good.example:81", "https://good.example", "HTTP://GOOD.EXAMPLE.", "*",
                "http://good.example http://evil.example", "http://good.example, http://evil.example"]
PATHS = ["/", "/health", "/metrics", "/_keyfold/reset", "/_keyfold/clock", "/_keyfold/streams/split", "/_keyfold/models", "/_keyfold/", "/_keyfold", "/shell/", "/favicon.ico"]
ADMIN = ["/_keyfold/reset", "/_keyfold/clock", "/_keyfold/streams/split", "/_keyfold/models"]
METHODS = ["GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD", "PATCH"]
CLIMBS = ["/_keyfold/../_keyfold/reset", "//_keyfold/reset", "/_keyfold/reset/", "/_keyfold/reset?x", "/%5fkeyfold/reset", "/_KEYFOLD/RESET", "/_keyfold/reset;a",
          "/./_keyfold/reset", "/health/../_keyfold/reset", "/_keyfold%2freset"]


def request(method, path, headers, body=b""):
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items()), f"Content-Length: {len(body)}", "Connection: close"]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


def api(target, host=None, **headers):
    host = host or target.server.authority
    signed = Signer().headers(host, target_of("ListTables"), b"{}")
    return {**signed, "Host": host, **headers}


def one(target, data):
    """Returns the only response, or None."""
    answers, _ = target.raw(data, half_close=False)
    return answers[0] if len(answers) == 1 else None


def hosts_and_origins(a, target):
    judge = a.judge
    for method, path, host in itertools.product(("GET", "POST"), PATHS, EVIL_HOSTS):
        answer = one(target, request(method, path, api(target, host), b"{}" if method == "POST" else b""))
        judge.check(answer and answer.status in (400, 403) and b"Table" not in answer.body, lambda: f"Host {host} {method} {path}: {answer and answer.status}")
    for method, path, origin in itertools.product(("GET", "POST", "OPTIONS"), PATHS, EVIL_ORIGINS):
        headers = api(target, Origin=origin, **{"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "x-amz-target"})
        answer = one(target, request(method, path, headers, b"{}" if method == "POST" else b""))
        good = answer and answer.status == 403 and not answer.header("Access-Control-Allow-Origin")
        judge.check(good, lambda: f"Origin {origin} {method} {path}: {answer and (answer.status, answer.headers)}")
    answer = one(target, request("POST", "/", api(target, Origin="http://good.example"), b"{}"))
    allowed = answer and (answer.status, answer.header("Access-Control-Allow-Origin")) == (200, "http://good.example")
    judge.check(allowed, lambda: f"the allowed origin: {answer and (answer.status, answer.headers)}")
    answer = one(target, request("POST", "/", api(target, "named.example"), b"{}"))
    judge.check(answer and answer.status == 200, "the allowed host")
    # A page can send some content types without a preflight; no body of such a type reaches an operation.
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        answer = one(target, request("POST", "/", {**api(target), "Content-Type": kind}, b"{}"))
        judge.check(answer and answer.status in (400, 403, 404, 415), lambda: f"a form of type {kind}: {answer and answer.status}")


def closed_doors(a, target, open_paths):
    for method, path in itertools.product(METHODS, [*PATHS, *CLIMBS]):
        if path in ("/", "/health", "/metrics") or path.split("?")[0] in open_paths:
            continue
        answers, rest = target.raw(request(method, path, api(target), b"{}" if method in ("POST", "PUT") else b""), half_close=False)
        status = answers[0].status if answers else int(rest[9:12] or 0)
        a.judge.check(status in (400, 403, 404, 405), lambda: f"{method} {path}: {status}")


def judge_tables(a, target, wanted):
    tables = target.must("ListTables")["TableNames"]
    a.judge.check(tables == wanted, lambda: f"tables are {tables}, not {wanted}")


def with_credentials(a):
    """Every path besides the API requires a signature as well, and reveals nothing without one."""
    keys = a.folder / "keys.ini"
    keys.write_text("[default]\naws_access_key_id = AKIAKEYFOLDTEST\naws_secret_access_key = keyfold-test-secret\n")
    keys.chmod(0o600)
    target = Target(a, "--credentials", str(keys), "--admin", "--allow-reset").start()
    target.must("CreateTable", {"TableName": "kept", "BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                                "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]})
    bad = {
        "unsigned": {"Host": target.server.authority},
        "wrong key": Signer(secret="wrong").headers(target.server.authority, target_of("ListTables"), b"{}"),
        "unknown key": Signer(key="AKIAOTHER").headers(target.server.authority, target_of("ListTables"), b"{}"),
        "basic": {"Host": target.server.authority, "Authorization": "Basic YTpi"},
        "bearer": {"Host": target.server.authority, "Authorization": "Bearer AKIAKEYFOLDTEST"},
    }
    for (name, headers), method, path in itertools.product(bad.items(), ("GET", "POST"), ["/", "/health", "/metrics", *ADMIN]):
        body = json.dumps({"advance": 1}).encode() if method == "POST" else b""
        answer = one(target, request(method, path, {**headers, "X-Amz-Target": target_of("ListTables"), "Content-Type": "application/json"}, body))
        bare = method == "GET" and path == "/"  # reveals only that a server is running
        good = answer and (answer.status in (400, 403, 404, 405) or bare) and b"kept" not in answer.body and b"RequestCount" not in answer.body
        a.judge.check(good, lambda: f"{name} {method} {path}: {answer and (answer.status, answer.body[:80])}")
    judge_tables(a, target, ["kept"])
    target.stop()


def attack(a):
    target = Target(a, "--allow-origin", "http://good.example", "--allow-host", "named.example").start()
    hosts_and_origins(a, target)
    closed_doors(a, target, {"/_keyfold/models"})
    target.stop()
    target = Target(a, "--admin", "--allow-reset", "--allow-origin", "http://good.example", "--allow-host", "named.example").start()
    hosts_and_origins(a, target)
    closed_doors(a, target, set(ADMIN))
    target.stop()
    with_credentials(a)


if __name__ == "__main__":
    main(attack)
