#!/usr/bin/env python3
"""Tests HTTP framing with bytes for which two parsers could disagree about where a request ends, sent at once, byte by byte and split.

There must be exactly one response for each accepted request, and a refused request must end its connection, so that nothing after it can be
taken for a request. `hidden` is in the place of a smuggled request and must never be answered.
"""
import time

from judge import main
from target import Target, target_of

HIDDEN = b"GET /hidden HTTP/1.1\r\nHost: localhost\r\n\r\n"
CHUNKS = b"2\r\n{}\r\n0\r\n\r\n"
TAKEN, REFUSED, FORBIDDEN, EITHER = "taken", "refused", "forbidden", "either"
LENGTHS = {
    REFUSED: ["+2", "-2", "0x2", "2 2", "2a", "a", "2,3", "2, 3", "18446744073709551616", "18446744073709551618", "9223372036854775808",
              "99999999999999999999999999", "1e0", "2.0", "\x0b2", "\uff12".encode().decode("latin-1"), "2;", "'2'", "\x002", "2\x00",
              "1099511627776"],
    EITHER: ["", "002", "2,2", "2, 2", " 2", "2 ", "\t2"],
}
CODINGS = {
    REFUSED: ["identity", "chunked, identity", "xchunked", "chunkedx", "\x0bchunked", "chunked\x00", "cow", "chunked chunked",
              "compress", "deflate", "gzip", "gzip, chunked", "deflate, chunked", "chunked, gzip", "chunked, chunked", "trailers",
              "\"chunked\"", "chunked;q=1", "chunk", "identity, chunked"],
    EITHER: ["chunked", "CHUNKED", "Chunked", " chunked", "\tchunked", "chunked ", "chunked,", ",chunked", ""],
}
BAD_CHUNKS = [
    b"+2\r\n{}\r\n0\r\n\r\n", b"-2\r\n{}\r\n0\r\n\r\n", b"0x2\r\n{}\r\n0\r\n\r\n", b" 2\r\n{}\r\n0\r\n\r\n", b"\r\n{}\r\n0\r\n\r\n",
    b"2\n{}\n0\n\n", b"2\r\n{}0\r\n\r\n", b"2\r\n{}\n0\r\n\r\n", b"2\r\n{} \r\n0\r\n\r\n", b"1\r\n{}\r\n0\r\n\r\n",
    b"FFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n", b"10000000000000002\r\n{}\r\n0\r\n\r\n", b"g\r\n{}\r\n0\r\n\r\n", b"2\x00\r\n{}\r\n0\r\n\r\n",
    b"2\r{}\r\n0\r\n\r\n", b"2\r\n{}\r0\r\n\r\n", b"2;a=\"\n\"\r\n{}\r\n0\r\n\r\n", b"2;\r{}\r\n0\r\n\r\n",
    b"2\r\n{}\r\n0\r\nContent Length: 5\r\n\r\n", b"2\r\n{}\r\n0\r\nA\r\n\r\n", b"2\r\n{}\r\n0\r\n folded\r\n\r\n",
    b"2\r\n{}\r\n0\r\nA: b\n\n", b"2;" + b"e" * 20_000 + b"\r\n{}\r\n0\r\n\r\n", b"2\r\n{}\r\n0\r\nT: " + b"t" * 20_000 + b"\r\n\r\n",
    b"7fffffff\r\n{}\r\n0\r\n\r\n",
]
ODD_CHUNKS = [
    b"02\r\n{}\r\n0\r\n\r\n", b"2;ext\r\n{}\r\n0\r\n\r\n", b"2;a=b\r\n{}\r\n0;c\r\n\r\n", b"2 \r\n{}\r\n0\r\n\r\n", b"1\r\n{\r\n1\r\n}\r\n0\r\n\r\n",
    b"2\r\n{}\r\n000\r\n\r\n", b"2\r\n{}\r\n0\r\nContent-Length: 50\r\n\r\n", b"2\r\n{}\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n",
    b"2\r\n{}\r\n0\r\nHost: evil.example\r\nX-Amz-Target: DynamoDB_20120810.DeleteTable\r\n\r\n",
]
BAD_LINES = [
    b"A b: c", b"A : c", b" A: c", b"\tA: c", b"A", b": c", b"A\x00: c", b"A: b\x00", b"A: b\rc", b"A: b\nB: c", b"A\x7f: c", b"A: b\x01",
    b"\xc3\xa4: c", b"A(: c", b"A: b\r\n folded", b"A: b\r\n\tfolded", b"\"A\": c", b"A\t: c", b"Content-Length : 2", b"Transfer-Encoding : chunked",
    b"Content-Length\x0b: 2", b"\x00", b"\r", b"A: b\r\r",
]
FIRST_LINES = {
    REFUSED: [b"POST / HTTP/1.1 ", b"POST  / HTTP/1.1", b"POST /  HTTP/1.1", b" POST / HTTP/1.1", b"POST\t/\tHTTP/1.1", b"POST /", b"POST",
              b"POST / HTTP/2.0", b"POST / HTTP/0.9", b"POST / HTTP/1.1x", b"POST / http/1.1", b"POST / HTTP/11", b"POST / HTTP/1.",
              b"POST / HTTP/1.11", b"P\x00ST / HTTP/1.1", b"PO(ST / HTTP/1.1", b"POST /\x00 HTTP/1.1", b"POST /\x7f HTTP/1.1", b"POST  HTTP/1.1",
              b"POST /\xff HTTP/1.1", b"POST / HTTP/1.1\r", b"POST evil HTTP/1.1", b"POST / ICY/1.1", b"/ POST HTTP/1.1", b"POST /" + b"a" * 20_000 + b" HTTP/1.1",
              b"M" * 20_000 + b" / HTTP/1.1", b"POST / x HTTP/1.1"],
    EITHER: [b"POST / HTTP/1.0", b"POST / HTTP/1.2", b"post / HTTP/1.1", b"POST /#f HTTP/1.1", b"POST /%zz HTTP/1.1", b"POST /%00 HTTP/1.1",
             b"POST //evil.example/ HTTP/1.1", b"POST http://evil.example/ HTTP/1.1", b"POST http://localhost/ HTTP/1.1", b"POST /../ HTTP/1.1",
             b"POST /\\ HTTP/1.1", b"POST ? HTTP/1.1", b"POST * HTTP/1.1", b"OPTIONS * HTTP/1.1", b"CONNECT localhost:1 HTTP/1.1",
             b"TRACE / HTTP/1.1", b"PUT / HTTP/1.1", b"DELETE / HTTP/1.1", b"PATCH / HTTP/1.1", b"PRI / HTTP/1.1", b"GET / HTTP/1.1",
             b"POST /?" + b"q" * 8_000 + b" HTTP/1.1", b"FOO / HTTP/1.1", b"POST /_keyfold/reset HTTP/1.1", b"POST /_keyfold/clock HTTP/1.1"],
}
HOSTS = {
    REFUSED: [[], ["localhost", "localhost"], ["localhost", "evil.example"], ["evil.example", "localhost"], ["localhost,evil.example"],
              ["localhost evil"], ["evil.example@localhost"], ["localhost@evil.example"], ["localhost/evil"], ["localhost#"], ["localhost\x00"], ["\xe4"]],
    FORBIDDEN: [["evil.example"], ["127.0.0.1.evil.example"], ["localhost.evil.example"], ["[::1"], ["::1]"], ["1.2.3.4.5"], ["300.1.1.1"], ["0x7f.1"],
                ["localhost:80:80"]],
    EITHER: [["localhost"], ["LOCALHOST"], ["localhost:1"], ["127.0.0.1"], ["[::1]:8000"], ["localhost:99999"], ["localhost:"], [""], ["localhost."]],
}
OTHER_PROTOCOLS = [
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n", b"\r\n\r\n\x00\r\nQUIT\n\x21\x11\x00\x0c" + bytes(12),
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(64)) * 8, b"PING\r\n", b"*1\r\n$4\r\nPING\r\n", b"EHLO x\r\n", b"\x00" * 64,
    b"\xff" * 64, b"SSH-2.0-x\r\n", b"\x80\x2e\x01\x00\x02", b"{}\r\n\r\n", b"HTTP/1.1 200 OK\r\n\r\n", b"\r\n\r\n\r\n\r\n", b"RTSP/1.0\r\n\r\n",
]


def post(*lines, body=b"", first=b"POST / HTTP/1.1", hosts=("localhost",)):
    """Returns a ListTables request with these header lines. Only the form of its signature is valid, which is enough without --credentials."""
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime()).encode()
    scope = b"key/" + stamp[:8] + b"/us-east-1/dynamodb/aws4_request"
    head = [first, *(b"Host: " + host.encode("latin-1") for host in hosts), b"X-Amz-Target: " + target_of("ListTables").encode(),
            b"Content-Type: application/x-amz-json-1.0", b"X-Amz-Date: " + stamp,
            b"Authorization: AWS4-HMAC-SHA256 Credential=" + scope + b", SignedHeaders=host;x-amz-date, Signature=" + b"0" * 64, *lines]
    return b"\r\n".join(head) + b"\r\n\r\n" + body


def line(name, value):
    return name + b": " + value.encode("latin-1")


def cases():
    """Yields (name, bytes, expectation): taken, refused, forbidden (well formed, but not allowed) or either."""
    length, chunked = line(b"Content-Length", "2"), line(b"Transfer-Encoding", "chunked")
    yield "plain", post(length, body=b"{}"), TAKEN
    yield "chunked", post(chunked, body=CHUNKS), TAKEN
    yield "three in a row", post(length, body=b"{}") + post(chunked, body=CHUNKS) + post(length, body=b"{}"), TAKEN
    for both in ((length, chunked), (chunked, length), (line(b"content-length", "0"), chunked), (chunked, line(b"CONTENT-LENGTH", "50"))):
        yield f"length and coding {both}", post(*both, body=CHUNKS + HIDDEN), REFUSED
    for one, other in (("2", "50"), ("50", "2"), ("2", "0"), ("0", "2"), ("2", ""), ("2", "x")):
        yield f"lengths {one} and {other}", post(line(b"Content-Length", one), line(b"Content-Length", other), body=b"{}" + HIDDEN), REFUSED
    yield "the same length twice", post(length, length, body=b"{}"), EITHER
    for wanted, values in LENGTHS.items():
        for value in values:
            yield f"length {value!r}", post(line(b"Content-Length", value), body=b"{}" if value else b""), wanted
    for wanted, values in CODINGS.items():
        for value in values:
            yield f"coding {value!r}", post(line(b"Transfer-Encoding", value), body=CHUNKS if value else b""), wanted
    for first, second in (("chunked", "chunked"), ("identity", "chunked"), ("chunked", "identity"), ("gzip", "chunked"), ("chunked", "x")):
        yield f"codings {first} and {second}", post(line(b"Transfer-Encoding", first), line(b"Transfer-Encoding", second), body=CHUNKS), REFUSED
    yield "coding in HTTP/1.0", post(chunked, body=CHUNKS + HIDDEN, first=b"POST / HTTP/1.0"), REFUSED
    for body in BAD_CHUNKS:
        yield f"chunks {body[:40]!r}", post(chunked, body=body + HIDDEN), REFUSED
    for body in ODD_CHUNKS:
        yield f"chunks {body[:40]!r}", post(chunked, body=body), EITHER
    for bad in BAD_LINES:
        yield f"line {bad!r}", post(bad, length, body=b"{}"), REFUSED
        yield f"line {bad!r} at the end", post(length, bad, body=b"{}" + HIDDEN), REFUSED
    for wanted, firsts in FIRST_LINES.items():
        for first in firsts:
            yield f"first line {first[:60]!r}", post(length, body=b"{}", first=first), wanted
    for wanted, lists in HOSTS.items():
        for hosts in lists:
            yield f"hosts {hosts}", post(length, body=b"{}", hosts=hosts), wanted
    for data in OTHER_PROTOCOLS:
        yield f"protocol {data[:20]!r}", data, REFUSED
    yield "only line feeds", post(length, body=b"{}").replace(b"\r\n", b"\n"), REFUSED
    yield "only carriage returns", post(length, body=b"{}").replace(b"\r\n", b"\r"), REFUSED
    yield "expectation", post(line(b"Expect", "the-unexpected"), length, body=b"{}"), EITHER
    yield "upgrade", post(line(b"Connection", "Upgrade, HTTP2-Settings"), line(b"Upgrade", "h2c"), line(b"HTTP2-Settings", "AAMAAABkAARAAAAA"), length, body=b"{}"), EITHER


def judge_outcome(judge, name, form, answers, rest, wanted):
    statuses = [answer.status for answer in answers]

    def reported():
        return f"{name} ({form}): {wanted}, got {statuses} and {rest[:80]!r}"

    if not judge.check(not rest and not any(s >= 500 and s not in (501, 505) for s in statuses), reported):
        return
    if wanted is REFUSED:
        judge.check(len(statuses) <= 1 and all(400 <= s for s in statuses), reported)
    elif wanted is TAKEN:
        judge.check(bool(statuses) and all(s == 200 for s in statuses), reported)
    elif wanted is FORBIDDEN:
        judge.check(statuses in ([400], [403]), reported)
    else:
        judge.check(len(statuses) == 1, reported)


def attack(a):
    target = Target(a).start()
    for name, data, wanted in cases():
        if wanted is REFUSED and not data.endswith(HIDDEN):
            data += HIDDEN  # never answered, because the request before it ended the connection
        forms = {"whole": [data]}
        if len(data) < 4000:
            forms["byte by byte"] = [data[i : i + 1] for i in range(len(data))]
        splits = range(1, len(data)) if len(data) < 4000 else range(1, len(data), 997)
        for at in a.random.sample(splits, min(len(splits), 8 if a.long else 1)):
            forms[f"split at {at}"] = [data[:at], data[at:]]
        chosen = forms if a.long else {"whole": forms.pop("whole"), **dict(a.random.sample(sorted(forms.items()), min(1, len(forms))))}
        outcomes = {}
        for form, pieces in chosen.items():
            answers, rest = target.raw(*pieces)
            judge_outcome(a.judge, name, form, answers, rest, wanted)
            outcomes[form] = [answer.status for answer in answers]
        a.judge.check(len({tuple(o) for o in outcomes.values()}) == 1, lambda: f"{name}: the pieces matter: {outcomes}")
    a.judge.check(target.ask("ListTables")[0] == 200, "the server still responds")
    target.stop()


if __name__ == "__main__":
    main(attack)
