"""A server that crashes again and again while clients use it, and the clients' connections.

Lives starts the server, ends it (kill -9; the unsynced server ends by itself when its power fails), and starts it again on the same folder. A
client whose request got no response waits for the next life and learns when the last one was over: whatever the request did, it did before that.
"""
import asyncio
import json
import pathlib
import random
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from endpoint.connection import request_bytes  # noqa: E402
from endpoint.server import Server, StartFailed  # noqa: E402
from endpoint.sigv4 import Signer  # noqa: E402

EXIT_CUT = 42  # of unsynced_server.cc
END_TIMEOUT_S = 20


class Unanswered(Exception):
    """There was no response, or one that leaves open whether the request took effect."""


class Unexpected(Exception):
    """A response that none of our requests may get."""


class UnsyncedServer(Server):
    """The server on a file system that forgets whatever was not synced; each start has its own power failure. One thread at a time."""

    def __init__(self, binary, data, seed, log_path, relaxed):
        super().__init__(binary, data, ["relaxed"] if relaxed else [], log_path)
        self.random = random.Random(f"{seed}/power")
        self.in_peace = False

    def command(self):
        cut_at = self.random.randint(1, 40) if self.random.random() < 0.15 else self.random.randint(60, 1200)
        numbers = (self.port, self.random.getrandbits(60), 0 if self.in_peace else cut_at)
        return [self.binary, str(self.data), *map(str, numbers), *self.args]


class Lives:
    """One event loop. `kills` are the operations after which to kill; the unsynced server has none and crashes by itself."""

    def __init__(self, server, kills=()):
        self.server, self.kills = server, sorted(kills)
        self.number, self.operations, self.deaths = 0, 0, 0
        self.ended = {}  # life -> moment when it was surely over
        self.changing = asyncio.Lock()

    def start(self, in_peace=False):
        """Starts the server; with `in_peace` its power does not fail."""
        self.server.in_peace = in_peace
        while True:
            try:
                self.server.start()
                return
            except StartFailed:
                if self.server.process.returncode != EXIT_CUT:
                    raise
                self.deaths += 1

    def count(self):
        """Registers the start of an operation, which now and then is the last of a life."""
        self.operations += 1
        if self.kills and self.operations >= self.kills[0]:
            self.kills.pop(0)
            self.server.process.kill()

    async def outlive(self, number, in_peace=False):
        """Waits until life `number` is over and the next has begun; returns when it was over."""
        async with self.changing:
            if self.number == number:
                self.end()
                self.number += 1
                self.start(in_peace)
        return self.ended[number]

    def end(self):
        try:
            status = self.server.process.wait(END_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            raise Unexpected("a request was not answered, and the server goes on") from None
        if status not in (-9, EXIT_CUT):
            raise Unexpected(f"the server ended with {status}, see {self.server.log_path}")
        self.deaths += 1
        self.ended[self.number] = time.monotonic_ns()


class Client:
    """Sends signed requests over one persistent connection, never twice. One event loop, one request at a time."""

    def __init__(self, lives):
        self.lives, self.signer = lives, Signer()
        self.host = lives.server.authority
        self.reader = self.writer = None
        self.life = -1

    async def call(self, operation, request):
        """Returns (status, response); self.life is the life to which the request was sent."""
        if self.life != self.lives.number:
            self.close()
        self.life = self.lives.number
        body = json.dumps(request).encode()
        headers = self.signer.headers(self.host, f"DynamoDB_20120810.{operation}", body)
        headers["Content-Length"] = str(len(body))
        try:
            if self.writer is None:
                self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.lives.server.port)
            self.writer.write(request_bytes("POST", "/", headers.items(), body))
            status, answer = await self.receive()
        except (OSError, asyncio.IncompleteReadError) as error:
            self.close()
            raise Unanswered(repr(error)) from None
        if status >= 500:
            raise Unexpected(f"{operation} answered {status} {answer[:1000]}\nto {body[:1000]}")
        return status, json.loads(answer)

    async def receive(self):
        head = (await self.reader.readuntil(b"\r\n\r\n")).lower()
        at = head.index(b"content-length:") + len(b"content-length:")
        length = int(head[at:head.index(b"\r\n", at)])
        return int(head[9:12]), await self.reader.readexactly(length)

    def close(self):
        if self.writer is not None:
            self.writer.close()
        self.reader = self.writer = None

    async def must(self, operation, request):
        status, answer = await self.call(operation, request)
        if status != 200:
            raise Unexpected(f"{operation} answered {status} {answer}\nto {json.dumps(request)[:2000]}")
        return answer
