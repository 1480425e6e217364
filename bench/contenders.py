"""The servers that bench/run measures: Keyfold in its three modes, nginx and redis as upper bounds, and the installed peers.

Each server is started in its own folder on a free port, and is stopped by its process. Uses only the standard library.
"""
import os
import pathlib
import shutil
import socket
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
DYNALITE_PLACES = ("node_modules/dynalite", "tests/sdk/js/node_modules/dynalite")
NGINX = """\
worker_processes {workers}; pid {folder}/nginx.pid; error_log {folder}/error.log; daemon off;
events {{ worker_connections 8192; }}
http {{
  access_log off; keepalive_requests 1000000000; keepalive_timeout 600s; tcp_nodelay on; client_max_body_size 16m;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{ listen 127.0.0.1:{port}; location / {{ default_type application/x-amz-json-1.0; return 200 '{body}'; }} }}
}}
"""
# As long as the response to a GetItem of an order.
FIXED_BODY = '{"Item":{"pk":{"S":"CUSTOMER#00000001"},"comment":{"S":"' + "x" * 600 + '"}}}'


class StartFailed(Exception):
    """A server did not start; the message has its name and its output."""


class Contender:
    """One server. One thread at a time."""

    def __init__(self, name, command, durable):
        """`command(folder, port)` returns the command line that starts the server."""
        self.name, self.command, self.durable = name, command, durable
        self.process, self.port, self.log = None, None, None

    def start(self, folder, timeout_s=60):
        folder.mkdir(parents=True)
        self.port, self.log = free_port(), folder / "log.txt"
        words = self.command(folder, self.port)
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=clean_environment())
        end = time.monotonic() + timeout_s
        while not accepts(self.port):
            if self.process.poll() is not None or time.monotonic() > end:
                raise StartFailed(f"{self.name} did not start: {self.log.read_text(errors='replace')[-1000:]}")
            time.sleep(0.01)

    def pids(self):
        """Returns the ids of the server's process and its children."""
        children = {}
        for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = path.read_text().rpartition(")")[2].split()
                children.setdefault(int(fields[1]), []).append(int(path.parent.name))
            except OSError:
                pass  # it has exited in the meantime
        found, todo = [], [self.process.pid]
        while todo:
            found.append(todo.pop())
            todo += children.get(found[-1], [])
        return found

    def stop(self):
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def keyfold(binary, mode):
    """`mode` is durable, relaxed or memory."""

    def command(folder, port):
        store = {
            "durable": ["--data", str(folder / "data")],
            "relaxed": ["--data", str(folder / "data"), "--durability=relaxed"],
            "memory": ["--in-memory"],
        }[mode]
        return [str(binary), "serve", "--port", str(port), *store]

    return Contender(f"keyfold {mode}", command, durable=mode == "durable")


def nginx():
    """Returns nginx, the upper bound for HTTP: the same requests, one fixed response. None if nginx is not installed."""
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
    if program is None:
        return None

    def command(folder, port):
        text = NGINX.format(workers=os.cpu_count(), folder=folder, port=port, body=FIXED_BODY)
        (folder / "nginx.conf").write_text(text)
        return [program, "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]

    return Contender("nginx", command, durable=False)


def peers():
    """Returns the peers that are installed."""
    found = []
    dynalite = os.environ.get("KEYFOLD_BENCH_DYNALITE", "")
    places = [pathlib.Path(dynalite)] if dynalite else [ROOT / place for place in DYNALITE_PLACES]
    for place in places:
        if (place / "cli.js").exists() and shutil.which("node"):
            words = ["node", str(place / "cli.js"), "--createTableMs", "0", "--deleteTableMs", "0", "--port"]
            found.append(Contender("dynalite", lambda folder, port, words=words: [*words, str(port)], durable=False))
            break
    jar = os.environ.get("DYNAMODB_LOCAL_JAR", "")
    if jar and shutil.which("java"):
        # The libraries are where AWS's archive has them, or next to the jar as after a Maven download.
        here = pathlib.Path(jar).resolve().parent
        words = ["java", f"-Djava.library.path={here / 'DynamoDBLocal_lib'}:{here}", "-cp", f"{jar}:{here}/DynamoDBLocal_lib/*:{here}/*",
                 "com.amazonaws.services.dynamodbv2.local.main.ServerRunner", "-sharedDb"]  # fmt: skip
        found.append(Contender("DynamoDB Local", lambda folder, port: [*words, "-port", str(port), "-dbPath", str(folder)], durable=True))
    return found


def redis_rates(folder, connections, requests):
    """Returns {"redis GET": requests per second, "redis SET, synced": …} for values of 500 bytes; empty if redis is not installed.

    The requests come from redis's own client, which is lighter than any HTTP client."""
    if shutil.which("redis-server") is None or shutil.which("redis-benchmark") is None:
        return {}
    server = Contender(
        "redis",
        lambda folder, port: ["redis-server", "--bind", "127.0.0.1", "--port", str(port), "--dir", str(folder), "--save", "",
                              "--appendonly", "yes", "--appendfsync", "always"],
        durable=True,
    )  # fmt: skip
    server.start(folder)
    rates = {}
    try:
        for test, name in (("set", "redis SET, synced"), ("get", "redis GET")):
            words = ["redis-benchmark", "-p", str(server.port), "-c", str(connections), "-n", str(requests), "-d", "500",
                     "-r", "100000", "-t", test, "--threads", "2", "--csv"]  # fmt: skip
            out = subprocess.run(words, capture_output=True, text=True, check=True).stdout
            rates[name] = float(out.splitlines()[-1].replace('"', "").split(",")[1])
    finally:
        server.stop()
    return rates


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def accepts(port):
    try:
        socket.create_connection(("127.0.0.1", port), 1.0).close()
        return True
    except OSError:
        return False


def clean_environment():
    """Returns the environment without KEYFOLD_* variables, which are options of the server."""
    return {name: value for name, value in os.environ.items() if not name.startswith("KEYFOLD_")}
