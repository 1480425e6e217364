"""Tests access control: signatures, credentials files and their reload, TLS, Host and Origin, and the paths besides the API."""
import hashlib
import os
import pathlib
import signal
import ssl
import subprocess
import time
import urllib.parse

from endpoint.sigv4 import Signer
from program import Failed, expect, expect_in, until

KEYS = "[default]\naws_access_key_id = AKIDALICE\naws_secret_access_key = alice-secret\n"
MORE_KEYS = KEYS + "[bob]\naws_access_key_id = AKIDBOB\naws_secret_access_key = bob-secret\n"
ALICE, BOB = Signer("AKIDALICE", "alice-secret"), Signer("AKIDBOB", "bob-secret")
MINUTE = 60


def query_signed(client, signer, method, path, body, target=None):
    """Returns the path and query of a request that is signed in its query string."""
    headers = [("host", client.authority)] + ([("x-amz-target", target)] if target else [])
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    members = {
        "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
        "X-Amz-Credential": f"{signer.key}/{signer.scope(stamp)}",
        "X-Amz-Date": stamp,
        "X-Amz-Expires": "300",
        "X-Amz-SignedHeaders": ";".join(name for name, _ in headers),
    }
    query = "&".join(f"{name}={urllib.parse.quote(value, safe='-_.~')}" for name, value in sorted(members.items()))
    signature = signer.signature(stamp, method, path, query, headers, body)
    return f"{path}?{query}&X-Amz-Signature={signature}"


def by_query(client, signer):
    target = "DynamoDB_20120810.ListTables"
    headers = {"X-Amz-Target": target, "Content-Type": "application/x-amz-json-1.0"}
    return client.send("POST", query_signed(client, signer, "POST", "/", b"{}", target), headers, b"{}")


def test_without_credentials_any_current_signature_passes(place):
    client = place.serve().client()
    for signer in (ALICE, BOB, Signer("x", "y", region="mars-1")):
        expect(client.call("ListTables", signer=signer).status, 200)
    expect(by_query(client, ALICE).status, 200, "signed in the query")
    for minutes, part in ((-20, "Signature expired"), (20, "Signature not yet current")):
        reply = client.call("ListTables", now=time.time() + minutes * MINUTE)
        expect((reply.status, reply.error), (400, "InvalidSignatureException"), reply.text)
        expect_in(part, reply.text)
    headers = client.signed("ListTables", b"{}")
    del headers["Authorization"]
    expect(client.send("POST", "/", headers, b"{}").error, "MissingAuthenticationTokenException")
    headers["Authorization"] = "AWS4-HMAC-SHA256 nonsense"
    expect(client.send("POST", "/", headers, b"{}").error, "IncompleteSignatureException")


def test_no_signature_time(place):
    client = place.serve("--no-signature-time").client()
    for years in (-10, 10):
        expect(client.call("ListTables", now=time.time() + years * 365 * 86400).status, 200)


def test_credentials(place):
    client = place.serve("--credentials", place.write("keys.ini", MORE_KEYS)).client()
    wrong_secret, unknown = Signer("AKIDALICE", "bob-secret"), Signer("AKIDEVE", "alice-secret")
    for send in (lambda signer: client.call("ListTables", signer=signer), lambda signer: by_query(client, signer)):
        expect([send(signer).status for signer in (ALICE, BOB)], [200, 200])
        expect(send(wrong_secret).error, "InvalidSignatureException")
        expect(send(unknown).error, "UnrecognizedClientException")
    altered = client.signed("ListTables", b"{}", ALICE)
    expect(client.send("POST", "/", altered, b'{"Limit":1}').error, "InvalidSignatureException", "a body that was not signed")
    altered["X-Amz-Target"] = "DynamoDB_20120810.DescribeLimits"
    expect(client.send("POST", "/", altered, b"{}").error, "InvalidSignatureException", "a target that was not signed")
    old = client.call("ListTables", signer=ALICE, now=time.time() - 20 * MINUTE)
    expect(old.error, "InvalidSignatureException")


def test_credentials_file_faults(place):
    for content, part in (("", "keys.ini"), ("[a]\naws_access_key_id = X\n", "keys.ini"), ("nonsense\n", "keys.ini")):
        line = place.refused(2, part, "serve", "--in-memory", "--port", "0", "--credentials", place.write("keys.ini", content))
        expect("secret =" in line, False)
    open_to_all = place.write("keys.ini", KEYS, mode=0o666)
    place.refused(2, "keys.ini", "serve", "--in-memory", "--port", "0", "--credentials", open_to_all)


def test_with_credentials_the_other_paths_need_a_signature(place):
    client = place.serve("--credentials", place.write("keys.ini", KEYS), "--allow-reset").client()
    for path in ("/health", "/metrics"):
        expect(client.get(path).status, 403, path)
        expect(client.get(path, sign=BOB).status, 403, path)
        expect(client.get(path, sign=ALICE).status, 200, path)
        expect(client.send("GET", query_signed(client, ALICE, "GET", path, b"")).status, 200, f"{path} signed in the query")
    client = place.serve("--credentials", place.write("keys.ini", KEYS), "--allow-reset").client(ALICE)
    client.create()
    expect(client.send("POST", "/_keyfold/reset").status, 403)
    expect(client.ok("ListTables")["TableNames"], ["things"])
    expect(client.get("/").status, 200, "GET / as on AWS")


def test_hangup_reloads_credentials(place):
    keys = place.write("keys.ini", KEYS)
    program = place.serve("--credentials", keys)
    client = program.client()
    expect([client.call("ListTables", signer=s).status for s in (ALICE, BOB)], [200, 400])
    place.write("keys.ini", KEYS.replace("ALICE", "BOB").replace("alice", "bob"))
    program.signal(signal.SIGHUP)
    program.wait_for_log("reloaded credentials")
    expect([client.call("ListTables", signer=s).status for s in (ALICE, BOB)], [400, 200])
    place.write("keys.ini", "broken")
    program.signal(signal.SIGHUP)
    program.wait_for_log("credentials not reloaded")
    expect(client.call("ListTables", signer=BOB).status, 200, "the old ones stay")
    expect(program.stop(), 0)


def make_certificate(place, name):
    cert, key = place.path("cert.pem"), place.path("key.pem")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-keyout", str(key), "-out", str(cert), "-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"],
        check=True, capture_output=True,
    )  # fmt: skip
    return str(cert), str(key)


def certificate_of(program):
    return hashlib.sha256(ssl.PEM_cert_to_DER_cert(ssl.get_server_certificate(("127.0.0.1", program.port)))).hexdigest()


def test_tls(place):
    cert, key = make_certificate(place, "first")
    program = place.serve("--tls-cert", cert, "--tls-key", key, trust=cert)
    expect(program.scheme, "https")
    client = program.client()
    client.create()
    expect(client.put("a").status, 200)
    expect(client.item("a"), {"pk": {"S": "a"}})
    plain = subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{program.port}", "-tls1_1"], stdin=subprocess.DEVNULL, capture_output=True)
    expect(plain.returncode != 0, True, "TLS 1.1 is refused")


def test_hangup_reloads_the_certificate(place):
    cert, key = make_certificate(place, "first")
    program = place.serve("--tls-cert", cert, "--tls-key", key, trust=cert)
    before = certificate_of(program)
    kept = program.client().connect()
    expect(program.client().call("ListTables", connection=kept).status, 200)
    make_certificate(place, "second")
    program.signal(signal.SIGHUP)
    program.wait_for_log("reloaded certificate")
    until("the new certificate", lambda: certificate_of(program) != before)
    expect(program.client().call("ListTables").status, 200)
    expect(program.client().call("ListTables", connection=kept).status, 200, "a connection from before")
    kept.close()
    pathlib.Path(key).write_text("broken")
    served = certificate_of(program)
    program.signal(signal.SIGHUP)
    program.wait_for_log("certificate not reloaded")
    expect(certificate_of(program), served, "the old one stays")


def test_certificate_faults(place):
    cert, key = make_certificate(place, "first")
    other = place.path("other.pem")
    os.rename(key, other)
    cert, key = make_certificate(place, "second")
    serve = ("serve", "--in-memory", "--port", "0", "--tls-cert", cert, "--tls-key")
    place.refused(2, "does not belong to", *serve, other)
    place.refused(2, "broken.pem", *serve, place.write("broken.pem", "not a key"))
    place.refused(2, "missing.pem: No such file", *serve, "missing.pem")


def test_hangup_without_anything_to_reload(place):
    program = place.serve()
    program.signal(signal.SIGHUP)
    expect(program.client().call("ListTables").status, 200)
    expect(program.stop(), 0)


def test_host_rules(place):
    client = place.serve("--allow-host", "db.example", "--allow-host", "other.example").client()
    for host, status in (
        ("127.0.0.1", 200), ("10.1.2.3:8000", 200), ("localhost", 200), ("LOCALHOST:1", 200), ("[::1]:8000", 200),
        ("db.example", 200), ("DB.example:8000", 200), ("other.example", 200),
        ("evil.example", 403), ("db.example.evil.example", 403), ("127.0.0.1.evil.example", 403), ("localhost.evil.example:8000", 403),
        ("[::1].evil.example", 403),
    ):  # fmt: skip
        expect(client.get("/", headers={"Host": host}).status, status, host)
        expect(client.call("ListTables", host=host).status, status, host)
        expect(client.get("/health", headers={"Host": host}).status, status, host)
    expect_in("--allow-host", client.get("/", headers={"Host": "evil.example"}).text)


def test_origins_are_refused_unless_allowed(place):
    client = place.serve("--allow-reset").client()
    client.create()
    for origin in ("http://evil.example", "null", "http://localhost:3000"):
        expect(client.call("ListTables", extra={"Origin": origin}).status, 403, origin)
        expect(client.send("OPTIONS", "/", {"Origin": origin}).status, 403, origin)
        expect(client.send("POST", "/_keyfold/reset", {"Origin": origin}).status, 403, origin)
    expect(client.ok("ListTables")["TableNames"], ["things"], "tables after a reset from a web page")
    expect(client.call("ListTables").headers["Access-Control-Allow-Origin"], None)


def test_allowed_origins(place):
    client = place.serve("--allow-origin", "http://app.example", "--allow-origin", "http://localhost:3000").client()
    for origin in ("http://app.example", "http://localhost:3000"):
        reply = client.call("ListTables", extra={"Origin": origin})
        expect((reply.status, reply.headers["Access-Control-Allow-Origin"]), (200, origin))
        expect_in("x-amz-crc32", reply.headers["Access-Control-Expose-Headers"])
    expect(client.call("ListTables", extra={"Origin": "http://other.example"}).status, 403)
    asked = {"Origin": "http://app.example", "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "x-amz-target,authorization"}
    reply = client.send("OPTIONS", "/", asked)
    expect(reply.status, 200)
    expect(reply.headers["Access-Control-Allow-Methods"], "POST")
    expect(reply.headers["Access-Control-Allow-Headers"], "x-amz-target,authorization")
    expect(reply.headers["Access-Control-Max-Age"], "172800")
    every = place.serve("--allow-origin", "*").client()
    expect(every.call("ListTables", extra={"Origin": "http://x.example"}).headers["Access-Control-Allow-Origin"], "*")


def test_paths(place):
    client = place.serve().client()
    reply = client.get("/")
    expect((reply.status, reply.text), (200, f"healthy: {client.authority} "))
    for method, path, status in (
        ("GET", "/nothing", 404), ("POST", "/health", 404), ("POST", "/nothing", 404), ("PUT", "/", 404), ("DELETE", "/", 404),
        ("POST", "/_keyfold/reset", 404), ("GET", "/_keyfold/reset", 404), ("GET", "/_keyfold/", 404), ("GET", "/health/", 404),
    ):  # fmt: skip
        expect(client.send(method, path).status, status, f"{method} {path}")
    for path in ("/", "/health", "/nothing"):
        reply = client.get(path)
        expect(len(reply.headers["x-amzn-RequestId"]), 52, path)
        if reply.headers["x-amz-crc32"] is None or reply.headers["Date"] is None:
            raise Failed(f"{path}: {reply.headers}")
