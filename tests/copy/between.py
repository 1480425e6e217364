"""A proxy in front of a server: it sees every call, and may respond in place of the server."""
import http.client
import http.server
import json
import threading

DROPPED = {"x-amz-crc32", "content-length", "connection", "date", "server"}


class Between:
    """A proxy. `meddle(operation, members, forward)` returns the response to a call as (status, members); `forward` calls the server. Thread-safe."""

    def __init__(self, program, meddle=None):
        self.server_at, self.meddle = (program.host.strip("[]"), program.port), meddle
        self.calls = []  # (operation, members), in the order of arrival
        self._lock = threading.Lock()
        self._lines = threading.local()
        between = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self):
                between._answer(self)

            def log_message(self, *_):
                pass

        class Listener(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                pass  # the client was killed

        self._listener = Listener(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._listener.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self._listener.server_address[1]}"

    def close(self):
        self._listener.shutdown()
        self._listener.server_close()

    def seen(self, operation):
        with self._lock:
            return [members for name, members in self.calls if name == operation]

    def forget(self):
        with self._lock:
            self.calls.clear()

    def _answer(self, handler):
        body = handler.rfile.read(int(handler.headers["Content-Length"]))
        operation, members = handler.headers["X-Amz-Target"].partition(".")[2], json.loads(body)
        with self._lock:
            self.calls.append((operation, members))

        def forward(changed=None):
            headers = {name: value for name, value in handler.headers.items() if name.lower() not in DROPPED | {"accept-encoding"}}
            return self._ask(headers, body if changed is None else json.dumps(changed).encode())

        status, answer = self.meddle(operation, members, forward) if self.meddle else forward()
        sent = json.dumps(answer).encode()
        handler.send_response(status)
        handler.send_header("Content-Type", "application/x-amz-json-1.0")
        handler.send_header("Content-Length", str(len(sent)))
        handler.end_headers()
        handler.wfile.write(sent)

    def _ask(self, headers, body):
        if not hasattr(self._lines, "one"):
            self._lines.one = http.client.HTTPConnection(*self.server_at, timeout=30)
        self._lines.one.request("POST", "/", body, headers)
        answer = self._lines.one.getresponse()
        return answer.status, json.loads(answer.read())
