"""Starts a keyfold process for a test on a free port, and waits until it accepts connections."""
import os
import signal
import socket
import subprocess
import time


class StartFailed(Exception):
    """The server exited or did not respond in time; the message has its output."""


class Server:
    """A server process. `data` is a folder, or None for --in-memory. `variables` are added to its environment. One thread at a time."""

    def __init__(self, binary, data=None, args=(), log_path=os.devnull, port=None, variables=None):
        self.binary, self.data, self.args, self.log_path = str(binary), data, list(args), log_path
        self.variables = dict(variables or {})
        self.port = port or free_port()
        self.process = None

    @property
    def authority(self):
        return f"127.0.0.1:{self.port}"

    def command(self):
        store = ["--in-memory"] if self.data is None else ["--data", str(self.data)]
        return [self.binary, "serve", "--port", str(self.port), *store, *self.args]

    def start(self, timeout_s=60.0):
        """Starts the server; returns the seconds until it accepts connections."""
        began = time.monotonic()
        self.start_without_waiting()
        while not _accepts(self.port):
            if self.process.poll() is not None:
                raise StartFailed(f"{' '.join(self.command())}: ended with {self.process.returncode}\n{self._log_tail()}")
            if time.monotonic() - began > timeout_s:
                self.kill()
                raise StartFailed(f"{' '.join(self.command())}: no answer within {timeout_s:g} s\n{self._log_tail()}")
            time.sleep(0.0005)
        return time.monotonic() - began

    def start_without_waiting(self):
        with open(self.log_path, "ab") as log:
            environment = {**_clean_environment(), **self.variables}
            self.process = subprocess.Popen(
                self.command(), stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=environment
            )

    def stop(self, timeout_s=30.0):
        """Sends SIGTERM; returns the exit code. A server that does not stop is killed and reported as None."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            self.kill()
            return None

    def kill(self):
        self.process.kill()
        self.process.wait()

    def _log_tail(self):
        if self.log_path == os.devnull:
            return ""
        with open(self.log_path, "rb") as log:
            return log.read()[-4000:].decode("utf-8", "replace")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _accepts(port):
    try:
        socket.create_connection(("127.0.0.1", port), 1.0).close()
        return True
    except OSError:
        return False


def _clean_environment():
    """Returns the environment without KEYFOLD_* variables, which are options of the server."""
    return {name: value for name, value in os.environ.items() if not name.startswith("KEYFOLD_")}
