#!/usr/bin/env python3
"""Exceeds every HTTP limit of sizes and counts, and sends compressed bodies that are damaged or far larger than they look."""
import gzip
import json
import re
import socket
import struct
import zlib

from framing_test import line, post
from judge import main
from target import HANG_S, Target, split_answers

BODY_MAX = 16 << 20
PIPELINED = 2_000
MEGABYTE = bytes(1 << 20)


def peak_mb(target):
    """Returns the server's peak memory."""
    status = open(f"/proc/{target.server.process.pid}/status").read()
    return int(re.search(r"VmHWM:\s+(\d+)", status).group(1)) / 1024


def refused(a, name, outcome, statuses=None):
    answers, rest = outcome
    got = [answer.status for answer in answers]
    a.judge.check(not rest and len(got) <= 1 and all(s in (statuses or range(400, 500)) for s in got), lambda: f"{name}: {got} {rest[:60]!r}")


def too_much(a, target):
    long_line = line(b"X-Long", "a" * (1 << 20))
    refused(a, "a header of 1 MB", target.raw(post(long_line)))
    refused(a, "a name of 1 MB", target.raw(post(b"X" * (1 << 20) + b": a")))
    refused(a, "a head without an end", target.raw(b"POST / HTTP/1.1\r\nHost: localhost\r\n" + b"A: b\r\n" * 100_000))
    refused(a, "100,000 headers", target.raw(post(*[b"A: b"] * 100_000)))
    refused(a, "257 headers", target.raw(post(*[b"A: b"] * 257)))
    for length in (1 << 40, (1 << 63) - 1, BODY_MAX + 1):
        refused(a, f"a length of {length}", target.raw(post(line(b"Content-Length", str(length))), half_close=False))
    chunked = line(b"Transfer-Encoding", "chunked")
    refused(a, "chunks of 17 MB", target.raw(post(chunked, body=b"100000\r\n" + b" " * (1 << 20) + b"\r\n"), *[b"100000\r\n" + b" " * (1 << 20) + b"\r\n"] * 17))
    refused(a, "a million chunks of one byte each", target.raw(post(chunked), b"1\r\n \r\n" * 200_000, b"0\r\n\r\n"), (200, 400, 403, 413))
    for data in (b"POST / HT", post(line(b"Content-Length", "5"), body=b"{}"), post(chunked, body=b"5\r\n{}")):
        refused(a, f"an end in the middle of {data[-20:]!r}", target.raw(data))


def pipelines(a, target):
    one = post(line(b"Content-Length", "2"), body=b"{}")
    count = PIPELINED * (5 if a.long else 1)
    answers, rest = pipelined(target, one * count)
    a.judge.check(len(answers) == count and not rest, lambda: f"{len(answers)} of {count} pipelined requests were answered; {rest[:80]!r}")
    # Clients that send and never read must not delay others, and their responses must not fill the memory.
    silent = []
    for _ in range(20):
        sock = socket.create_connection(("127.0.0.1", target.port), HANG_S)
        sock.setblocking(False)
        try:
            sock.send(one * 2_000)
        except BlockingIOError:
            pass
        silent.append(sock)
    a.judge.check(target.ask("ListTables")[0] == 200, "a response while other clients do not read")
    for sock in silent:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # a reset
        sock.close()
    for _ in range(300 if a.long else 60):
        sock = socket.create_connection(("127.0.0.1", target.port), HANG_S)
        sock.send(one[: a.random.randrange(len(one))])
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        sock.close()
    a.judge.check(target.ask("ListTables")[0] == 200, "a response after resets")


def pipelined(target, data):
    """Sends while it reads, as a pipelining client must."""
    received = []
    with socket.create_connection(("127.0.0.1", target.port), HANG_S) as sock:
        sock.settimeout(HANG_S)
        sent = 0
        while sent < len(data):
            sock.setblocking(False)
            try:
                sent += sock.send(data[sent : sent + 65536])
            except BlockingIOError:
                sock.setblocking(True)
                sock.settimeout(HANG_S)
                received.append(sock.recv(1 << 18))
                continue
        sock.setblocking(True)
        sock.settimeout(HANG_S)
        sock.shutdown(socket.SHUT_WR)
        while block := sock.recv(1 << 18):
            received.append(block)
    return split_answers(b"".join(received))


def zeros_in_gzip(megabytes):
    """Returns a gzip member with that many megabytes of zeros, by repeating one compressed megabyte."""
    maker = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = maker.compress(bytes(1 << 20)) + maker.flush(zlib.Z_FULL_FLUSH)
    checksum = 0
    for _ in range(megabytes):
        checksum = zlib.crc32(MEGABYTE, checksum)
    return gzip.compress(b"")[:10] + block * megabytes + b"\x03\x00" + struct.pack("<II", checksum, megabytes << 20 & 0xFFFFFFFF)


def coded(target, coding, body):
    return target.raw(post(line(b"Content-Encoding", coding), line(b"Content-Length", str(len(body))), body=body))


def codings(a, target):
    """A body that cannot be decoded may get 500, as from DynamoDB."""
    fine = (200, 400, 403, 413, 415, 500)
    good = gzip.compress(json.dumps({"Limit": 5, "Pad": "x" * 50}).encode())
    for cut in a.sample(range(len(good)), 25):
        refused(a, f"gzip cut at {cut}", coded(target, "gzip", good[:cut]), (400, 403, 415, 500))
    for at in a.sample(range(len(good)), 25):
        changed = bytearray(good)
        changed[at] ^= a.random.randrange(1, 256)
        refused(a, f"gzip changed at {at}", coded(target, "gzip", bytes(changed)), fine)
    plain = zlib.compress(b"{}")
    for cut in range(len(plain)):
        refused(a, f"deflate cut at {cut}", coded(target, "deflate", plain[:cut]), (400, 403, 415, 500))
    for coding in ("br", "zstd", "gzip, gzip", "gzip,deflate", "identity, gzip", "x-gzip", "compress", "", "gzip\x00"):
        refused(a, f"coding {coding!r}", coded(target, coding, gzip.compress(b"{}")), fine)
    megabytes = 2_000 if a.long else 400
    bomb = zeros_in_gzip(megabytes)
    refused(a, f"{megabytes} MB in {len(bomb)} bytes", coded(target, "gzip", bomb), (413,))
    refused(a, "400,000 empty members", coded(target, "gzip", gzip.compress(b"") * (400_000 if a.long else 40_000)), fine)
    refused(a, "a bomb in a bomb", coded(target, "gzip", gzip.compress(bomb)), (400, 403, 413, 500))


def attack(a):
    target = Target(a).start()
    too_much(a, target)
    pipelines(a, target)
    before = peak_mb(target)
    codings(a, target)
    bound = before + (600 if a.is_sanitized() else 200)
    a.judge.check(peak_mb(target) < bound, lambda: f"compressed bodies took {peak_mb(target):.0f} MB at most, {before:.0f} MB before")
    a.judge.check(target.ask("ListTables")[0] == 200, "the server still responds")
    target.stop()


if __name__ == "__main__":
    main(attack)
