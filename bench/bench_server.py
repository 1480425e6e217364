"""Starts a Keyfold server on a folder and drives it, for bench/growth and bench/bulk. Uses only the standard library."""
import json
import os
import pathlib
import subprocess
import sys
import time
import urllib.error
import urllib.request

import contenders


def say(text):
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


class Bench:
    """One server at a time, on one folder. `options` has the server binary, the driver and the seconds per run."""

    running = set()

    def __init__(self, options, folder, cache_mb=None):
        self.options, self.data, self.cache_mb = options, folder / "data", cache_mb
        self.port, self.process = contenders.free_port(), None
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def start(self):
        """Starts the server and returns the seconds until its first ListTables response."""
        words = [self.options.binary, "serve", "--port", str(self.port), "--data", str(self.data)]
        words += ["--cache-mb", str(self.cache_mb)] if self.cache_mb else []
        with open(self.folder / "log.txt", "ab") as log:
            began = time.monotonic()
            self.process = subprocess.Popen(words, stdout=log, stderr=log, env=contenders.clean_environment())
            self.running.add(self)
        while not self._answers():
            if self.process.poll() is not None:
                raise RuntimeError(f"keyfold exited: {(self.folder / 'log.txt').read_text(errors='replace')[-1000:]}")
            time.sleep(0.001)
        return time.monotonic() - began

    def _answers(self):
        try:
            return "TableNames" in self.call("ListTables", {})
        except urllib.error.URLError:
            return False

    def call(self, operation, request):
        """Returns the response's JSON; raises RuntimeError if the request is refused."""
        now = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        headers = {"X-Amz-Target": "DynamoDB_20120810." + operation, "Content-Type": "application/x-amz-json-1.0", "X-Amz-Date": now,
                   "Authorization": f"AWS4-HMAC-SHA256 Credential=bench/{now[:8]}/us-east-1/dynamodb/aws4_request, "
                   f"SignedHeaders=host;x-amz-date, Signature={0:064x}"}  # fmt: skip
        url, body = f"http://127.0.0.1:{self.port}/", json.dumps(request).encode()
        try:
            with urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=60) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refusal:
            raise RuntimeError(refusal.read()) from refusal

    def stop(self, hard=False):
        if self.process is None:
            return
        (self.process.kill if hard else self.process.terminate)()
        self.process.wait(120)
        self.process = None
        self.running.discard(self)

    def memory_mb(self, field="VmRSS"):
        lines = pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith(field)) / 1024

    def driver(self, *words):
        command = [str(word) for word in (self.options.driver, *words, "--port", self.port)]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)} exited with {done.returncode}")
        return json.loads(done.stdout.splitlines()[-1])

    def load(self, items, *words):
        return self.driver("load", "--items", items, "--no-large", *words)

    def run(self, workload, items, *words, connections=64, warm_up=1, seconds=None):
        result = self.driver("run", workload, "--items", items, "--connections", connections, "--warm-up", warm_up,
                             "--seconds", seconds or self.options.seconds, "--server-pid", self.process.pid, *words)  # fmt: skip
        if result["failed"] + result["wrong"] + result["lost"]:
            raise RuntimeError(f"{workload}: {result.get('sample')}")
        say(f"  {workload:<6} {result['server_us_per_request']:6.1f} µs CPU, {result['rps']:>8,.0f}/s, "
            f"p99 {result['p99_us']:,.0f}, p99.9 {result['p999_us']:,.0f} µs")  # fmt: skip
        kept = ("server_us_per_request", "rps", "p50_us", "p99_us", "p999_us")
        return {name: result[name] for name in kept}

    def wait_until_idle(self):
        """Waits until the server's background work is done."""
        quiet = 0
        while quiet < 3:
            before = processor_s(self.process.pid)
            time.sleep(1)
            quiet = quiet + 1 if processor_s(self.process.pid) - before < 0.05 else 0


def processor_s(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
