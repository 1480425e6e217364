#!/usr/bin/env python3
"""Sends invalid signatures: mutants of a valid one, wrong forms, dates, scopes, payload hashes and presigned requests. None may be accepted.

Equivalent forms (order and case of header names, spaces around values) must be accepted.
"""
import hashlib
import json
import time
import urllib.parse

from judge import main  # first, because it makes `endpoint` importable
from endpoint.connection import request_bytes
from endpoint.sigv4 import Signer
from target import JSON_TYPE, Target, keyed_table, target_of

KEY, SECRET, TOKEN = "AKIAKEYFOLDTEST", "keyfold-test-secret", "session-token-of-the-test"
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
BODY = json.dumps({"TableName": "kept"}).encode()
OPERATION = "DescribeTable"


def pairs(target, body=BODY, signer=None, **settings):
    """Returns the headers of a valid request as a list."""
    headers = (signer or Signer(KEY, SECRET)).headers(target.server.authority, target_of(OPERATION), body, **settings)
    return list(headers.items())


def status_of(target, headers, body=BODY, method="POST", path="/"):
    answer = target.connection.request(request_bytes(method, path, [*headers, ("Content-Length", str(len(body)))], body))
    if answer.status == 200:
        return 200 if b"TableId" in answer.body or b"TableNames" in answer.body else 404
    return answer.status


def changed(headers, name, change):
    return [(n, change(v) if n.lower() == name else v) for n, v in headers]


def replace_letter(random, text):
    """Replaces one letter or digit by another that differs in more than case."""
    places = [i for i, c in enumerate(text) if c.isalnum()]
    at = random.choice(places)
    other = random.choice([c for c in LETTERS if c != text[at].lower()])
    return text[:at] + other + text[at + 1 :]


def drop_letter(random, text):
    places = [i for i, c in enumerate(text) if c.isalnum()]
    at = random.choice(places)
    return text[:at] + text[at + 1 :]


def mutant(random, headers, body):
    """Returns (description, headers, body, method, path) that differ in meaning from the signed ones."""
    kind = random.randrange(10)
    if kind < 5:
        name = random.choice([n.lower() for n, _ in headers if n.lower() != "host"])
        value = next(v for n, v in headers if n.lower() == name)
        edit = random.choice((replace_letter, drop_letter))
        new = edit(random, value)
        return f"{name}: {value} -> {new}", changed(headers, name, lambda _: new), body, "POST", "/"
    if kind < 7:
        at = random.randrange(len(body))
        new = body[:at] + bytes([body[at] ^ 1 << random.randrange(7)]) + body[at + 1 :]
        return f"body {new!r}", headers, new, "POST", "/"
    if kind == 7:
        path = random.choice(("/?", "/?a", "/?a=b", "/?X-Amz-Date=20000101T000000Z", "/?Action=ListTables", "/?X-Amz-Signature=0"))
        return f"path {path}", headers, body, "POST", path if path != "/?" else "/?a="
    if kind == 8:
        name = random.choice(["X-Amz-Date", "X-Amz-Target", "Authorization", "Content-Type"])
        return f"without {name}", [(n, v) for n, v in headers if n != name], body, "POST", "/"
    value = random.choice(("x-amz-target", "x-amz-date", "host", "content-type"))
    new = changed(headers, "authorization", lambda v: v.replace(value, "accept").replace(";;", ";"))
    return f"{value} is not signed", new, body, "POST", "/"


def forms(target):
    """Yields (description, headers, body, method, path) of well-known tricks; each must be refused."""
    now = time.time()
    base = pairs(target)
    authorization = dict(base)["Authorization"]
    yield "unsigned", [("Host", target.server.authority), ("X-Amz-Target", target_of(OPERATION)), ("Content-Type", JSON_TYPE)], BODY, "POST", "/"
    for text in ("", "AWS4-HMAC-SHA256", "AWS4-HMAC-SHA256 ", "Basic QUtJQTpi", "Bearer x", "AWS " + KEY + ":x", authorization.replace("AWS4-HMAC-SHA256", "AWS4-HMAC-SHA1"),
                 authorization.replace("AWS4-HMAC-SHA256", "AWS4-ECDSA-P256-SHA256"), authorization.replace("AWS4-HMAC-SHA256", "NONE"), authorization.split(", Signature")[0],
                 authorization.split("Signature=")[0] + "Signature=", authorization[:-1], authorization + "0", authorization.replace("aws4_request", "aws3_request"),
                 authorization.replace("/dynamodb/", "/s3/"), authorization.replace("/us-east-1/", "/eu-west-1/"), authorization.replace("/us-east-1/", "//"), authorization.replace(KEY, ""),
                 authorization.replace(KEY, KEY + "/x"), authorization.replace(KEY, "*"), authorization.replace("Credential=", "Credential=" + KEY),
                 authorization.split("Signature=")[0] + "Signature=" + "0" * 64, authorization.split("Signature=")[0] + "Signature=" + "0" * 63, "\x00", "A" * 8000):
        yield f"Authorization {text[:30]!r} … {text[-40:]!r}", changed(base, "authorization", lambda _: text), BODY, "POST", "/"
    yield "a wrong Authorization before the right one", [("Authorization", authorization[:-64] + "0" * 64), *base], BODY, "POST", "/"
    yield "two dates", [*base, ("X-Amz-Date", "20000101T000000Z")], BODY, "POST", "/"
    yield "two targets", [*base, ("X-Amz-Target", target_of("DeleteTable"))], BODY, "POST", "/"
    for ago in (-86_400 * 365, -86_400, -16 * 60, 16 * 60, 3_600, 86_400, 86_400 * 365 * 100, 86_400 * 365 * 5000):
        yield f"{ago} s old", pairs(target, now=max(0, now - ago)), BODY, "POST", "/"
    for date in ("", "20261116", "now", "20261116T000000", "20261301T000000Z", "99999999T999999Z", "20261116t000000z", "-0261116T000000Z", "2026-11-16T00:00:00Z", "20261116T000000Z "):
        yield f"date {date!r}", changed(base, "x-amz-date", lambda _: date), BODY, "POST", "/"
    for secret in ("", "wrong", SECRET + " ", SECRET.upper(), SECRET[:-1]):
        yield f"secret {secret!r}", pairs(target, signer=Signer(KEY, secret)), BODY, "POST", "/"
    for key in ("AKIAOTHER", KEY.lower(), KEY + "\u00e4".encode().decode("latin-1")):
        yield f"key {key!r}", pairs(target, signer=Signer(key, SECRET)), BODY, "POST", "/"
    # A valid signature for another region is accepted, because clients of one server may use any region.
    for region, service in (("us-east-1", "s3"), ("us-east-1", "iam"), ("", "dynamodb")):
        yield f"scope {region}/{service}", pairs(target, signer=Signer(KEY, SECRET, region, service)), BODY, "POST", "/"
    other = hashlib.sha256(b"{}").hexdigest()
    for stated in ("UNSIGNED-PAYLOAD", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD", "STREAMING-UNSIGNED-PAYLOAD-TRAILER", "", other, other.upper()):
        yield f"payload hash {stated!r}", [*base, ("X-Amz-Content-Sha256", stated)], BODY, "POST", "/"
        unsigned = [(n, v) for n, v in base if n != "Authorization"] + [("X-Amz-Content-Sha256", stated)]
        yield f"payload hash {stated!r} unsigned body", [*unsigned, ("Authorization", authorization)], b"{}", "POST", "/"
    yield "a token that does not exist", [*base, ("X-Amz-Security-Token", TOKEN)], BODY, "POST", "/"
    yield "the temporary key without its token", pairs(target, signer=Signer("ASIATEMPORARY", SECRET)), BODY, "POST", "/"
    yield "the temporary key with another token", [*pairs(target, signer=Signer("ASIATEMPORARY", SECRET)), ("X-Amz-Security-Token", "x")], BODY, "POST", "/"
    yield "signed for another host", [(n, "localhost" if n == "Host" else v) for n, v in base], BODY, "POST", "/"
    yield "another operation", changed(base, "x-amz-target", lambda _: target_of("DeleteTable")), BODY, "POST", "/"
    yield "a trailer", base, BODY, "POST", "/?x-amz-target=" + target_of("DeleteTable")


def presigned(target, age_s=0, expires="900", method="POST", secret=SECRET, drop=(), add=(), tamper=False):
    """Returns (headers, path) with the signature in the query."""
    now = int(time.time()) - age_s
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(now))
    signer = Signer(KEY, secret)
    query = {"X-Amz-Algorithm": "AWS4-HMAC-SHA256", "X-Amz-Credential": f"{KEY}/{signer.scope(stamp)}", "X-Amz-Date": stamp, "X-Amz-Expires": expires,
             "X-Amz-SignedHeaders": "host;x-amz-target"}
    query = {name: value for name, value in {**query, **dict(add)}.items() if name not in drop}
    text = "&".join(f"{urllib.parse.quote(n, safe='')}={urllib.parse.quote(v, safe='')}" for n, v in sorted(query.items()))
    signed = [("host", target.server.authority), ("x-amz-target", target_of(OPERATION))]
    signature = signer.signature(stamp, method, "/", text, signed, BODY)
    if tamper:
        text = text.replace("X-Amz-Expires=", "X-Amz-Expires=9")
    headers = [("Host", target.server.authority), ("X-Amz-Target", target_of(OPERATION)), ("Content-Type", JSON_TYPE)]
    return headers, f"/?{text}&X-Amz-Signature={signature}"


def presigned_forms(target):
    yield "expired", presigned(target, age_s=1000)
    yield "a changed end", presigned(target, tamper=True)
    yield "a wrong secret", presigned(target, secret="wrong")
    for expires in ("-1", "604801", "x", "", "99999999999999999999", "1e9", " 900"):
        yield f"end {expires!r}", presigned(target, expires=expires, age_s=1_000_000)
    for name in ("X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Date", "X-Amz-SignedHeaders"):
        yield f"without {name}", presigned(target, drop=(name,))
    yield "host is not signed", presigned(target, add={"X-Amz-SignedHeaders": "x-amz-target"}.items())
    yield "target is not signed", presigned(target, add={"X-Amz-SignedHeaders": "host"}.items())


def equal_forms(a, target):
    """Different bytes with the same meaning are accepted."""
    base = pairs(target)
    same = {
        "as it is": base,
        "headers in another order": [base[0], *reversed(base[1:])],
        "names in capitals": [(n.upper(), v) for n, v in base],
        "spaces around values": [(n, f"  {v}  ") for n, v in base],
        "the true payload hash": [*base, ("X-Amz-Content-Sha256", hashlib.sha256(BODY).hexdigest())],
        "an unsigned header more": [*base, ("User-Agent", "x")],
    }
    for name, headers in same.items():
        a.judge.check(status_of(target, headers) == 200, f"{name} is not accepted")
    a.judge.check(status_of(target, pairs(target, now=time.time() - 14 * 60)) == 200, "14 minutes old is not accepted")
    temporary = Signer("ASIATEMPORARY", SECRET)
    a.judge.check(status_of(target, [*pairs(target, signer=temporary), ("X-Amz-Security-Token", TOKEN)]) == 200, "a temporary key is not accepted")
    headers, path = presigned(target)
    a.judge.note(f"a right presigned request: {status_of(target, headers, path=path)}")


def attack(a):
    keys = a.folder / "keys.ini"
    keys.write_text(f"[a]\naws_access_key_id = {KEY}\naws_secret_access_key = {SECRET}\n"
                    f"[b]\naws_access_key_id = ASIATEMPORARY\naws_secret_access_key = {SECRET}\naws_session_token = {TOKEN}\n")
    keys.chmod(0o600)
    target = Target(a, "--credentials", str(keys), signer=Signer(KEY, SECRET)).start()
    target.must("CreateTable", keyed_table("kept"))
    equal_forms(a, target)

    def refused(what, headers, body, method, path):
        status = status_of(target, headers, body, method, path)
        a.judge.check(400 <= status < 500, lambda: f"{what}: {status}")

    for form in forms(target):
        refused(*form)
    for what, (headers, path) in presigned_forms(target):
        refused(f"presigned, {what}", headers, BODY, "POST", path)
    for number in range(25_000 if a.long else 1_500):
        if number % 200 == 0:
            base = pairs(target)
        refused(*mutant(a.random, base, BODY))
    a.judge.check(target.must("ListTables")["TableNames"] == ["kept"], "the table is there")
    a.judge.check(SECRET not in target.log, "a secret is in the log")
    target.stop()


if __name__ == "__main__":
    main(attack)
