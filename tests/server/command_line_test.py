"""Tests the command line, variables and configuration files: which are accepted, which are refused, and with which message."""
import os
import pathlib
import re
import subprocess

from endpoint.server import free_port
from program import Client, expect, expect_in, until

OPTIONS = (
    "port host data in-memory durability region account credentials tls-cert tls-key allow-host allow-origin insecure-open "
    "no-signature-time credentials-mode local-health audit table-delay-ms index-delay-ms cache-mb max-in-flight-mb init "
    "log-requests log-level config allow-reset accept-data-loss accept-clock-ahead threads"
).split()

REFUSED = [
    ((), "a command is missing"),
    (("bogus",), "there is no command bogus"),
    (("serve", "--nope"), "--nope"),
    (("serve", "stray"), "stray"),
    (("serve", "--port", "abc"), "--port"),
    (("serve", "--port", "65536"), "--port"),
    (("serve", "--port", "-1"), "--port"),
    (("serve", "--port"), "--port"),
    (("serve", "--durability", "maybe"), "--durability"),
    (("serve", "--log-level", "loud"), "--log-level"),
    (("serve", "--table-delay-ms", "-1"), "--table-delay-ms"),
    (("serve", "--cache-mb", "0"), "--cache-mb"),
    (("serve", "--account", "123"), "--account takes 12 digits"),
    (("serve", "--region", "Mars 1"), "--region"),
    (("serve", "--in-memory", "--tls-cert", "c.pem"), "--tls-cert and --tls-key must be given together"),
    (("serve", "--in-memory", "--tls-key", "k.pem"), "--tls-cert and --tls-key must be given together"),
    (("serve", "--in-memory", "--tls-cert", "c.pem", "--tls-key", "k.pem"), "k.pem: No such file or directory"),
    (("serve", "--in-memory", "--credentials", "none.ini"), "none.ini"),
    (("serve", "--in-memory", "--port", "0", "--init", "none.json"), "none.json"),
    (("serve", "--in-memory", "--config", "none.conf"), "none.conf"),
    (("-inMemory", "-port"), "-port needs a value"),
    (("-inMemory", "-dbpath", "x"), "-dbpath"),
]


def test_refusals_are_one_line_and_exit_2(place):
    for arguments, part in REFUSED:
        place.refused(2, part, *arguments)
    expect(sorted(path.name for path in place.folder.iterdir()), [], "what a refused start left behind")


def test_help_names_every_option_and_has_examples(place):
    code, out, err = place.run("serve", "--help")
    expect((code, err), (0, ""))
    for option in OPTIONS:
        expect_in(f"--{option} ", out)
        expect_in("KEYFOLD_" + option.upper().replace("-", "_"), out)
    expect_in("Examples:", out)
    expect_in("keyfold serve --in-memory", out)
    expect_in("--endpoint-url", out)
    expect(place.run("-help"), (0, out, ""), "DynamoDB Local's -help")
    expect(place.run("-port", "8123", "-help"), (0, out, ""), "-help behind others")
    code, out, err = place.run("--help")
    expect((code, err), (0, ""))
    expect_in("serve", out)


def test_version(place):
    code, out, err = place.run("--version")
    expect((code, err, out.split()[0], out.count("\n")), (0, "", "keyfold", 1))
    expect(place.run("-version"), (0, out, ""))


def test_port_and_default_hosts(place):
    port = free_port()
    program = place.launch(["serve", "--port", port, "--in-memory"])
    program.wait_until_serving()
    expect(program.port, port)
    expect_in(f"http://127.0.0.1:{port}\n", program.log)
    expect(program.client().get("/").status, 200)
    if pathlib.Path("/proc/net/if_inet6").exists() and "00000000000000000000000000000001" in pathlib.Path("/proc/net/if_inet6").read_text():
        expect(program.client(host="::1").get("/").status, 200)


def test_port_taken(place):
    first = place.serve()
    line = place.refused(1, "already in use", "serve", "--in-memory", "--port", first.port)
    expect_in(str(first.port), line)
    expect(first.client().get("/").status, 200, "the server that had the port")


def test_host(place):
    program = place.serve("--host", "127.0.0.2")
    expect(program.host, "127.0.0.2")
    expect(program.client().get("/").status, 200)
    place.refused(1, "203.0.113.7", "serve", "--in-memory", "--port", "0", "--host", "203.0.113.7", "--insecure-open")
    place.refused(1, "no-such-host.invalid", "serve", "--in-memory", "--port", "0", "--host", "no-such-host.invalid", "--insecure-open")


def test_an_open_host_needs_credentials_or_the_flag(place):
    for host in ("0.0.0.0", "::", "192.0.2.1", "127.0.0.1.example.com"):
        line = place.refused(2, "--credentials", "serve", "--in-memory", "--port", "0", "--host", host)
        expect_in("--insecure-open", line)
    place.refused(2, "--credentials", "serve", "--in-memory", "--port", "0", "--host", "127.0.0.1", "--host", "0.0.0.0")
    program = place.serve("--host", "0.0.0.0", "--insecure-open")
    expect_in("WARNING: open to everyone", program.log)
    expect(program.client(host="127.0.0.1").get("/health").json["insecureOpen"], True)
    keys = place.write("keys.ini", "[default]\naws_access_key_id = AKID\naws_secret_access_key = s3cret\n")
    program = place.serve("--host", "0.0.0.0", "--credentials", keys)
    expect("WARNING" in program.log, False, "a warning although there are credentials")


def test_data_folder_by_default_and_by_option(place):
    program = place.launch(["serve", "--port", "0"])
    program.wait_until_serving()
    expect_in("data in keyfold-data", program.log)
    expect((place.path("keyfold-data") / "FORMAT").is_file(), True)
    expect(program.stop(), 0)
    program = place.serve(data=place.path("a") / "b" / "c")
    expect((place.path("a") / "b" / "c" / "FORMAT").is_file(), True, "folders above are created")


def test_in_memory_keeps_nothing(place):
    program = place.serve()
    program.client().create()
    expect_in("nothing is saved to disk", program.log)
    expect(program.client().get("/health").json["store"], "memory")
    expect(program.stop(), 0)
    expect(place.serve().client().ok("ListTables"), {"TableNames": []})
    expect([path.name for path in place.folder.iterdir() if not path.name.startswith("log-")], [])


def test_durability(place):
    program = place.serve("--durability", "relaxed", data=place.path("d"))
    expect_in("relaxed: a power failure may lose the last acknowledged writes", program.log)
    expect(program.client().get("/health").json["durability"], "relaxed")
    program.client().create()
    expect(program.client().put("a").status, 200)
    expect(program.stop(), 0)
    program = place.serve(data=place.path("d"))
    expect(program.client().get("/health").json["durability"], "always")
    expect(program.client().item("a"), {"pk": {"S": "a"}}, "an item of a relaxed server that was stopped")


def test_region_and_account_are_in_arns(place):
    client = place.serve("--region", "eu-north-1", "--account", "210987654321").client()
    expect(client.create()["TableArn"], "arn:aws:dynamodb:eu-north-1:210987654321:table/things")
    expect(client.ok("DescribeTable", {"TableName": "arn:aws:dynamodb:eu-north-1:210987654321:table/things"})["Table"]["TableName"], "things")
    expect(place.serve().client().create()["TableArn"], "arn:aws:dynamodb:us-east-1:123456789012:table/things")


def threads_of(program):
    return len(os.listdir(f"/proc/{program.process.pid}/task"))


def test_threads(place):
    one, three = place.serve("--threads", "1"), place.serve("--threads", "3")
    expect(threads_of(three) - threads_of(one), 2, "threads that --threads 3 adds to --threads 1")
    expect(three.client().call("ListTables").status, 200)


def resident_megabytes(program):
    status = pathlib.Path(f"/proc/{program.process.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s*(\d+) kB", status).group(1)) / 1024


def test_cache(place):
    """When read repeatedly, 30 MB stay in a cache of 64 MB but not in one of 1 MB."""
    program = place.serve(data=place.path("d"))
    program.client().create()
    keys = [f"k{number}" for number in range(100)]
    for key in keys:  # hexadecimal digits of random bytes cannot be compressed below one half
        expect(program.client().put(key, blob={"S": os.urandom(150_000).hex()}).status, 200)
    expect(program.stop(), 0)

    def resident(cache_mb):
        # Freed memory that a sanitizer keeps is not the cache.
        variables = {"ASAN_OPTIONS": "quarantine_size_mb=1:thread_local_quarantine_size_kb=64"}
        program = place.serve("--cache-mb", cache_mb, "--threads", "1", data=place.path("d"), variables=variables)
        client = program.client()
        for key in keys * 2:
            expect(len(client.item(key)["blob"]["S"]), 300_000)
        megabytes = resident_megabytes(program)
        expect(program.stop(), 0)
        return megabytes

    small, large = resident(1), resident(64)
    expect(large - small > 12, True, f"{small:.0f} MB with --cache-mb 1, {large:.0f} MB with --cache-mb 64: larger by more than 12")


def test_variables(place):
    port = free_port()
    variables = {
        "KEYFOLD_PORT": str(port),
        "KEYFOLD_IN_MEMORY": "true",
        "KEYFOLD_REGION": "ap-south-1",
        "KEYFOLD_ALLOW_HOST": "one.example,two.example",
        "KEYFOLD_TABLE_DELAY_MS": "60000",
    }
    program = place.launch(["serve"], variables)
    program.wait_until_serving()
    client = program.client()
    expect(program.port, port)
    expect(client.get("/health").json["store"], "memory")
    description = client.create()
    expect_in("ap-south-1", description["TableArn"])
    expect(client.status_of(), "CREATING")
    for host, status in (("one.example", 200), ("two.example:1", 200), ("three.example", 403)):
        expect(client.get("/", headers={"Host": host}).status, status, host)
    place.refused(2, "--port", "serve", variables={"KEYFOLD_PORT": "many"})


def test_arguments_go_before_variables_before_the_file(place):
    file = place.write("k.conf", "# ours\nregion = file-1\naccount = 111111111111\nallow-host = [\"a.example\", \"b.example\"]\nin-memory = true\n")
    variables = {"KEYFOLD_REGION": "variable-1", "KEYFOLD_ACCOUNT": "222222222222"}

    def arn(arguments, variables=None):
        program = place.launch(["serve", "--port", "0", *arguments], variables)
        program.wait_until_serving()
        expect_in("in memory", program.log)
        expect(program.client().get("/", headers={"Host": "b.example"}).status, 200, "a list from the file")
        return ":".join(program.client().create()["TableArn"].split(":")[3:5])

    expect(arn(["--config", file]), "file-1:111111111111")
    expect(arn([], {"KEYFOLD_CONFIG": file}), "file-1:111111111111")
    expect(arn(["--config", file], {"KEYFOLD_REGION": "variable-1"}), "variable-1:111111111111")
    expect(arn(["--config", file, "--account", "333333333333"], variables), "variable-1:333333333333")
    place.refused(2, "k.conf", "serve", "--config", place.write("k.conf", "prot = 8001\n"))
    place.refused(2, "--port", "serve", "--config", place.write("k.conf", "port = high\n"))


def test_dynamodb_local_spellings(place):
    port = free_port()
    program = place.launch(["-port", port, "-inMemory", "-sharedDb", "-cors", "http://a.example,http://b.example", "-delayTransientStatuses",
                            "-disableTelemetry", "-optimizeDbBeforeStartup"])
    program.wait_until_serving()
    client = program.client()
    expect((program.port, "in memory" in program.log), (port, True))
    expect("shared database" in program.log, False)
    for origin, status in (("http://a.example", 400), ("http://b.example", 400), ("http://c.example", 403)):
        expect(client.get("/", headers={"Origin": origin}).status, status, origin)
    client.create()
    expect((client.status_of(), client.put("a").status), ("ACTIVE", 200), "only indexes are delayed")
    program = place.launch(["-dbPath", place.path("db"), "-port", "0"])
    program.wait_until_serving()
    expect((place.path("db") / "FORMAT").is_file(), True)
    lines = [line for line in program.log.splitlines() if "-sharedDb" in line]
    expect(len(lines), 1, f"lines on a missing -sharedDb in {program.log!r}")


def test_log_level_and_log_requests(place):
    program = place.serve("--log-requests")
    client = program.client()
    client.create("orders")
    client.put("x", "absent")
    program.wait_for_log("CreateTable orders 200")
    program.wait_for_log("PutItem")
    line = [line for line in program.log.splitlines() if "CreateTable" in line][0]
    expect(("127.0.0.1" in line, line.endswith("us")), (True, True), line)
    expect(program.stop(), 0)
    expect_in("stopping", program.log)
    quiet = place.serve("--log-requests", "--log-level", "off")
    quiet.client().create()
    expect(quiet.stop(), 0)
    expect([line for line in quiet.log.splitlines() if line[:2] == "20"], [], "log lines with --log-level off")
    plain = place.serve()
    plain.client().create()
    expect(plain.stop(), 0)
    expect("CreateTable" in plain.log, False, "requests logged without --log-requests")


def test_output_that_nobody_reads(place):
    """A server survives if its output goes into a pipe that has been closed."""
    read_end, write_end = os.pipe()
    process = subprocess.Popen(
        [place.binary, "serve", "--in-memory", "--port", "0", "--log-requests"], stdout=write_end, stderr=write_end, cwd=place.folder
    )
    os.close(write_end)
    with open(read_end, encoding="utf-8") as lines:
        port = int(lines.readline().rpartition(":")[2])
    client = Client("http", "127.0.0.1", port)
    for _ in range(3):
        expect(client.call("ListTables").status, 200)
    process.terminate()
    expect(process.wait(30), 0)
