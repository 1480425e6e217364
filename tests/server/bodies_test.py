"""Tests request bodies at their limits, compressed, chunked and announced by Expect."""
import gzip
import json
import socket
import zlib

from endpoint.connection import Connection, request_bytes
from program import expect, expect_in

BODY_MAX = 16 * 1024 * 1024


def put_body(key, size=None):
    """Returns a PutItem request, padded to `size` bytes with white space."""
    body = json.dumps({"TableName": "things", "Item": {"pk": {"S": key}}}).encode()
    return body if size is None else body[:-1] + b" " * (size - len(body)) + body[-1:]


def send(client, body, extra=(), sent=None):
    """`sent` is the body that is sent and signed, if it differs."""
    wire = body if sent is None else sent
    headers = [*client.signed("PutItem", wire).items(), ("Content-Length", str(len(wire))), *extra]
    return Connection("127.0.0.1", client.port).request(request_bytes("POST", "/", headers, wire))


def started(place):
    client = place.serve(data=place.path("d")).client()
    client.create()
    return client


def test_largest_body(place):
    client = started(place)
    expect(send(client, put_body("most", BODY_MAX)).status, 200)
    answer = send(client, put_body("over", BODY_MAX + 1))
    expect(answer.status, 413)
    expect(len(answer.header("x-amzn-RequestId")), 52)
    expect(answer.body != b"", True, "a body that says why")
    expect((client.item("most"), client.item("over")), ({"pk": {"S": "most"}}, None))
    chunked = [*client.signed("PutItem", b"").items(), ("Transfer-Encoding", "chunked")]
    body = put_body("over", BODY_MAX + 1)
    half = len(body) // 2
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (body[:half], body[half:])) + b"0\r\n\r\n"
    expect(Connection("127.0.0.1", client.port).request(request_bytes("POST", "/", chunked, chunks)).status, 413, "chunked")


def test_compressed_bodies(place):
    client = started(place)
    gzip_header, deflate_header = [("Content-Encoding", "gzip")], [("Content-Encoding", "deflate")]
    expect(send(client, b"", gzip_header, gzip.compress(put_body("gzip"))).status, 200)
    expect(send(client, b"", deflate_header, zlib.compress(put_body("deflate"))).status, 200)
    body = put_body("members")
    expect(send(client, b"", gzip_header, gzip.compress(body[:20]) + gzip.compress(body[20:])).status, 200)
    expect(send(client, b"", gzip_header, gzip.compress(put_body("most", BODY_MAX))).status, 200)
    expect(send(client, b"", gzip_header, gzip.compress(put_body("bomb", BODY_MAX + 1))).status, 413)
    corrupt = bytearray(gzip.compress(put_body("corrupt")))
    corrupt[-6] ^= 1
    for what, header, wire in (
        ("corrupt", gzip_header, bytes(corrupt)),
        ("cut", gzip_header, gzip.compress(put_body("cut"))[:-4]),
        ("plain", gzip_header, put_body("plain")),
        ("unknown", [("Content-Encoding", "br")], put_body("unknown")),
    ):
        expect(send(client, b"", header, wire).status in (400, 415, 500), True, what)
    kept = client.ok("Scan", {"TableName": "things"})["Items"]
    expect(sorted(item["pk"]["S"] for item in kept), ["deflate", "gzip", "members", "most"])


def test_expect_continue(place):
    client = started(place)
    body = put_body("expected")
    for size, wanted in ((len(body), b"HTTP/1.1 100"), (BODY_MAX + 1, b"HTTP/1.1 413")):
        headers = [*client.signed("PutItem", body).items(), ("Content-Length", str(size)), ("Expect", "100-continue")]
        with socket.create_connection(("127.0.0.1", client.port), 30) as connection:
            connection.sendall(request_bytes("POST", "/", headers, b""))
            lines = connection.makefile("rb")
            expect(lines.readline()[:12], wanted, "before the body was sent")
            if size == len(body):
                expect(lines.readline(), b"\r\n")
                connection.sendall(body)
                expect_in(b"HTTP/1.1 200", lines.readline())
    expect(client.item("expected"), {"pk": {"S": "expected"}})


def test_answers_are_compressed_when_asked(place):
    client = started(place)
    expect(client.put("big", v={"S": "x" * 20_000}).status, 200)
    get = {"TableName": "things", "Key": {"pk": {"S": "big"}}}
    plain, packed = client.call("GetItem", get), client.call("GetItem", get, extra={"Accept-Encoding": "gzip"})
    expect((plain.headers["Content-Encoding"], packed.headers["Content-Encoding"]), (None, "gzip"))
    expect(gzip.decompress(packed.body), plain.body)
    for reply in (plain, packed):
        expect(reply.headers["x-amz-crc32"], str(zlib.crc32(reply.body)))


def test_long_headers_and_urls(place):
    client = started(place)
    expect(client.call("ListTables", extra={"X-Long": "a" * 8_000}).status, 200)
    for path, extra in (("/", {"X-Long": "a" * 20_000}), ("/" + "a" * 20_000, {})):
        expect(400 <= client.send("GET", path, extra).status < 500, True, f"{path[:10]} {list(extra)}")
    expect(client.call("ListTables").status, 200, "the server afterwards")
