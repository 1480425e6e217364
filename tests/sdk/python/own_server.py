"""A server for one program, which may kill it and start it again on the same folder."""
import os
import pathlib
import shutil
import sys
import tempfile

import boto3
from botocore.config import Config

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent))

from endpoint.server import Server  # noqa: E402
from tap import CLIENT  # noqa: E402


class OwnServer:
    """One thread at a time, except for `client`."""

    def __init__(self, *args):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="keyfold-own-"))
        self.server = Server(os.environ["KEYFOLD_BINARY"], self.folder / "data", args, self.folder / "server.log")
        self.server.start()
        self.url = f"http://{self.server.authority}"

    def client(self, service="dynamodb"):
        """Returns a separate client for each thread; the SDK retries what a restart interrupts."""
        retries = Config(retries={"mode": "standard", "max_attempts": 12}, connect_timeout=5, read_timeout=20)
        return boto3.client(service, **{**CLIENT, "endpoint_url": self.url}, config=retries)

    def kill_and_start(self):
        self.server.kill()
        self.server.start()

    def end(self):
        """Stops the server cleanly and removes the folder; returns the exit code."""
        status = self.server.stop()
        if status == 0:
            shutil.rmtree(self.folder)
        return status
