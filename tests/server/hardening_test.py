"""Tests what keeps an operator's mistake from becoming a vulnerability, and a system limit from silently killing the server."""
import http.client
import os
import resource
import signal

from access_test import ALICE, BOB, KEYS, certificate_of, make_certificate
from program import Failed, expect, expect_in, until

EXIT_STORE_FAILED = 74
READABLE = (0o640, 0o644, 0o604, 0o444)


def test_credentials_that_others_can_read_are_refused(place):
    for mode in READABLE:
        keys = place.write("keys.ini", KEYS, mode)
        line = place.refused(2, "keys.ini", "serve", "--in-memory", "--port", "0", "--credentials", keys)
        for part in (f"{mode:04o}", "chmod 600", "--credentials-mode=any"):
            expect_in(part, line)
        os.chmod(keys, 0o600)
    s3 = ("--s3-endpoint", "http://127.0.0.1:1", "--s3-credentials", place.write("s3.ini", KEYS, 0o644))
    place.refused(2, "s3.ini", "serve", "--in-memory", "--port", "0", *s3)
    keys = place.write("keys.ini", KEYS, 0o644)
    program = place.serve("--credentials", keys, "--credentials-mode=any")
    expect(program.client().call("ListTables", signer=ALICE).status, 200)


def test_a_reload_refuses_them_too(place):
    keys = place.write("keys.ini", KEYS)
    program = place.serve("--credentials", keys)
    place.write("keys.ini", KEYS.replace("ALICE", "BOB").replace("alice", "bob"), 0o644)
    program.signal(signal.SIGHUP)
    program.wait_for_log("credentials not reloaded")
    expect_in("0644", program.log)
    expect([program.client().call("ListTables", signer=s).status for s in (ALICE, BOB)], [200, 400], "the old ones go on")
    os.chmod(keys, 0o600)
    program.signal(signal.SIGHUP)
    program.wait_for_log("reloaded credentials")
    until("the new ones", lambda: program.client().call("ListTables", signer=BOB).status == 200)


def test_a_tls_key_that_others_can_read_is_refused(place):
    cert, key = make_certificate(place, "first")
    os.chmod(key, 0o644)
    serve = ("--tls-cert", cert, "--tls-key", key)
    line = place.refused(2, "key.pem", "serve", "--in-memory", "--port", "0", *serve)
    expect_in("0644", line)
    expect(place.serve(*serve, "--credentials-mode", "any", trust=cert).client().call("ListTables").status, 200)
    os.chmod(key, 0o600)
    program = place.serve(*serve, trust=cert)
    before = certificate_of(program)
    make_certificate(place, "second")
    os.chmod(key, 0o644)
    program.signal(signal.SIGHUP)
    program.wait_for_log("certificate not reloaded")
    expect(certificate_of(program), before, "the old one goes on")


def test_a_file_at_the_size_limit_ends_the_server_with_74(place):
    """With RLIMIT_FSIZE the write fails with EFBIG, because the server ignores SIGXFSZ, which would otherwise end the process."""
    data = place.path("d")
    program = place.serve(data=data)
    program.client().create()
    limit = 1 << 20
    resource.prlimit(program.process.pid, resource.RLIMIT_FSIZE, (limit, limit))
    acknowledged = []
    try:
        for number in range(200):
            if program.client().put(f"k{number}", v={"S": "x" * 50_000}).status != 200:
                break
            acknowledged.append(f"k{number}")
    except (OSError, http.client.HTTPException):
        pass  # the server has exited
    expect(program.wait(), EXIT_STORE_FAILED, f"exit code; {program.log[-500:]}")
    expect(len(acknowledged) > 0, True, "some were acknowledged")
    again = place.serve(data=data)
    for key in acknowledged:
        if again.client().item(key) is None:
            raise Failed(f"{key} was acknowledged and is gone")


def test_root_is_warned(place):
    program = place.serve()
    if os.geteuid() == 0:
        program.wait_for_log("running as root")
    expect(program.stop(), 0)
    expect("running as root" in program.log, os.geteuid() == 0, program.log)


def test_the_audit_log_is_not_stopped_by_the_size_limit(place):
    program = place.serve("--audit", place.path("audit.jsonl"))
    resource.prlimit(program.process.pid, resource.RLIMIT_FSIZE, (2000, 2000))
    for number in range(30):
        program.client().create(f"table-{number}")
    until("lines are counted as lost", lambda: "\nAuditLinesFailed 0\n" not in program.client().get("/metrics").text)
    expect(program.stop(), 0)
