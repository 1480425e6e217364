"""An HTTP/1.1 connection that sends exactly the given bytes and parses responses strictly.

Unlike http.client, it can send malformed requests, and it fails on a malformed response.
"""
import socket
import zlib


class ConnectionLost(Exception):
    """The peer closed or reset the connection before a complete response arrived."""


class Answer:
    """A response. `body` is as received; `text()` undoes Content-Encoding. Immutable."""

    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def header(self, name):
        found = [value for key, value in self.headers if key.lower() == name.lower()]
        return ", ".join(found) if found else None

    def text(self):
        encoding = (self.header("Content-Encoding") or "").lower()
        body = self.body
        if encoding == "gzip":
            body = zlib.decompress(body, 31)
        elif encoding == "deflate":
            body = zlib.decompress(body)
        return body.decode("utf-8")


class Connection:
    """Connects on first use and again after a close. One thread at a time."""

    def __init__(self, host, port, timeout_s=30.0):
        self.host, self.port, self.timeout_s = host, port, timeout_s
        self._socket = None
        self._buffer = b""

    def request(self, head_and_body, method="POST"):
        """Sends the request, and once more if a persistent connection turns out to be closed before the first byte of the response."""
        reused = self._socket is not None
        try:
            return self._exchange(head_and_body, method)
        except ConnectionLost:
            if not reused or self._buffer:
                raise
        self.close()
        return self._exchange(head_and_body, method)

    def _exchange(self, head_and_body, method):
        self.send(head_and_body)
        answer = self.receive(method)
        if (answer.header("Connection") or "").lower() == "close":
            self.close()
        return answer

    def send(self, data):
        if self._socket is None:
            self._socket = socket.create_connection((self.host, self.port), self.timeout_s)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._buffer = b""
        try:
            self._socket.sendall(data)
        except OSError:
            pass  # the response to a refused request may have arrived already; receive() reads it

    def receive(self, method="POST"):
        while True:
            lines = self._until(b"\r\n\r\n").decode("latin-1").split("\r\n")
            version, _, rest = lines[0].partition(" ")
            if not version.startswith("HTTP/1."):
                raise ValueError(f"not an HTTP answer: {lines[0]!r}")
            status = int(rest[:3])
            if status >= 200:
                break
        headers = []
        for line in lines[1:]:
            name, colon, value = line.partition(":")
            if not colon or name != name.strip():
                raise ValueError(f"malformed answer header: {line!r}")
            headers.append((name, value.strip()))
        answer = Answer(status, headers, b"")
        answer.body = self._body(answer, method)
        return answer

    def at_end(self):
        """Returns whether the peer closed without sending anything more."""
        if self._socket is None:
            return True
        try:
            return not self._buffer and not self._socket.recv(1)
        except ConnectionResetError:
            return True

    def close(self):
        if self._socket is not None:
            self._socket.close()
        self._socket = None

    def _body(self, answer, method):
        if method == "HEAD" or answer.status in (204, 304):
            return b""
        if (answer.header("Transfer-Encoding") or "").lower() == "chunked":
            return self._chunks()
        length = answer.header("Content-Length")
        if length is not None:
            return self._exactly(int(length))
        body = self._buffer
        while block := self._read():
            body += block
        self.close()
        return body

    def _chunks(self):
        body = b""
        while True:
            size = int(self._until(b"\r\n").split(b";")[0], 16)
            data = self._exactly(size + 2)
            if size == 0:
                return body
            body += data[:-2]

    def _until(self, mark):
        while mark not in self._buffer:
            self._more()
        found, _, self._buffer = self._buffer.partition(mark)
        return found

    def _exactly(self, count):
        while len(self._buffer) < count:
            self._more()
        found, self._buffer = self._buffer[:count], self._buffer[count:]
        return found

    def _more(self):
        block = self._read()
        if not block:
            self.close()
            raise ConnectionLost("the connection was closed before a whole answer came")
        self._buffer += block

    def _read(self):
        if self._socket is None:
            return b""
        try:
            return self._socket.recv(262144)
        except TimeoutError as error:
            self.close()
            raise ConnectionLost(f"no answer within {self.timeout_s:g} s") from error
        except ConnectionError:
            return b""


def request_bytes(method, path, headers, body):
    """`headers` are (name, value) pairs, sent as they are."""
    head = f"{method} {path} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers) + "\r\n"
    return head.encode("latin-1") + body
