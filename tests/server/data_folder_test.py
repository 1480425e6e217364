"""Tests data folders that cannot be used: each gets one clear line and exit code 78, and is left unchanged. Also tests what a kill leaves."""
import hashlib
import itertools
import os
import pathlib
import shutil
import signal
import stat
import subprocess
import time

import side_file
from program import Failed, expect, expect_in, until
from skipping import Skipped

REFUSED = 78
ITEMS = 300


def contents(folder):
    """Returns every path below the folder, with its type and content."""
    found = {}
    for path in sorted(pathlib.Path(folder).rglob("*")):
        kind = "folder" if path.is_dir() else hashlib.sha256(path.read_bytes()).hexdigest()
        found[str(path.relative_to(folder))] = (kind, path.stat().st_mode)
    return found


def refused_untouched(place, folder, part, *arguments):
    before = contents(folder)
    line = place.refused(REFUSED, part, "serve", "--port", "0", "--data", folder, *arguments)
    expect_in(str(folder), line)
    expect(contents(folder), before, f"the folder after {line!r}")
    return line


def fill(client, count=ITEMS):
    for number in range(count):
        expect(client.put(f"k{number}", v={"S": f"value {number} " + "x" * 500}).status, 200)


def check_items(client, count=ITEMS):
    for number in range(count):
        expect(client.item(f"k{number}"), {"pk": {"S": f"k{number}"}, "v": {"S": f"value {number} " + "x" * 500}})


def filled_folder(place, name="d"):
    """Cleanly closed."""
    folder = place.path(name)
    program = place.serve(data=folder)
    program.client().create()
    fill(program.client())
    expect(program.stop(), 0)
    return folder


def killed_folder(place, name="d"):
    """Makes the folder of a server that was killed with -9, with its items only in the log, all of them below the high-water mark."""
    folder = place.path(name)
    program = place.serve(data=folder)
    program.client().create()
    fill(program.client())
    acknowledged = time.time()
    ledger = folder / "LEDGER"
    # The mark is written about once a second, and the ledger right after it; both may already cover the last response.
    until("LEDGER", lambda: ledger.stat().st_mtime > acknowledged or time.time() > acknowledged + 5)
    program.kill()
    return folder


def test_kept_over_a_clean_stop(place):
    folder = filled_folder(place)
    program = place.serve(data=folder)
    check_items(program.client())


def test_kept_over_a_kill(place):
    folder = killed_folder(place)
    program = place.serve(data=folder)
    check_items(program.client())
    expect(program.client().put("after").status, 200)
    program.kill()
    client = place.serve(data=folder).client()
    check_items(client)
    expect(client.item("after"), {"pk": {"S": "after"}})


def test_second_server_on_the_folder(place):
    folder = place.path("d")
    first = place.serve(data=folder)
    first.client().create()
    fill(first.client(), 10)
    first.signal(signal.SIGSTOP)  # so that the next start is not the first to change the folder
    try:
        refused_untouched(place, folder, "in use by another process")
    finally:
        first.signal(signal.SIGCONT)
    check_items(first.client(), 10)
    expect(first.client().put("more").status, 200)
    expect(first.stop(), 0)
    expect(place.serve(data=folder).client().item("more"), {"pk": {"S": "more"}})


def test_foreign_folder(place):
    folder = place.path("photos")
    (folder / "2019").mkdir(parents=True)
    (folder / "2019" / "sea.jpg").write_bytes(b"\xff\xd8 sea")
    refused_untouched(place, folder, "is not a Keyfold data folder")


def test_not_a_folder(place):
    file = place.path("file")
    file.write_text("text")
    for data in (file, file / "below"):
        expect_in(str(file), place.refused(REFUSED, "is not a folder", "serve", "--port", "0", "--data", data))
    expect(file.read_text(), "text")


def test_newer_format(place):
    folder = filled_folder(place)
    side_file.change(folder / "FORMAT", format=99, oldest_reader=99)
    line = refused_untouched(place, folder, "newer Keyfold")
    expect_in("99", line)


def test_format_and_mark_damaged_or_missing(place):
    folder = filled_folder(place)
    for name, part in (("FORMAT", "FORMAT file is damaged"), ("MARK", "MARK file is missing or damaged")):
        file = folder / name
        whole = file.read_bytes()
        for broken in (whole[:-3], whole.replace(b"1", b"2", 1), b""):
            file.write_bytes(broken)
            refused_untouched(place, folder, part)
        file.write_bytes(whole)
    (folder / "FORMAT").rename(place.path("aside"))
    refused_untouched(place, folder, "is not a Keyfold data folder")
    place.path("aside").rename(folder / "FORMAT")
    check_items(place.serve(data=folder).client())


def database_files(folder):
    return [path for path in sorted(pathlib.Path(folder).rglob("*")) if path.is_file() and path.stat().st_size > 0]


def serves_truly(place, folder):
    """Starts on a damaged folder: either it is refused and left unchanged, or nothing that is read is wrong. Returns whether it was refused."""
    before = contents(folder)
    program = place.launch(["serve", "--port", "0", "--data", folder])
    try:
        program.wait_until_serving()
    except Failed:
        code = program.wait()
        if code is None or code != REFUSED:
            raise Failed(f"exit code {code}: {program.log}") from None
        expect(program.log.count("\n"), 1, f"lines of {program.log!r}")
        expect(contents(folder), before, "the folder after a refusal")
        return True
    client = program.client()
    for number in range(ITEMS):
        reply = client.call("GetItem", {"TableName": "things", "Key": {"pk": {"S": f"k{number}"}}})
        if reply.status == 500:
            continue
        expect((reply.status, reply.json.get("Item", {}).get("v")), (200, {"S": f"value {number} " + "x" * 500}), f"item {number}")
    program.kill()
    return False


def flips(place, folder, choose):
    """Flips one byte at a time in a copy of the folder; returns the number of refusals."""
    refusals = 0
    for path in database_files(folder):
        if not choose(path.name):
            continue
        size = path.stat().st_size
        for at in sorted({0, size // 3, size // 2, size * 3 // 4, size - 1}):
            copy = place.path("copy")
            shutil.copytree(folder, copy)
            file = copy / path.relative_to(folder)
            data = bytearray(file.read_bytes())
            data[at] ^= 0x10
            file.write_bytes(data)
            try:
                refusals += serves_truly(place, copy)
            except Failed as fault:
                raise Failed(f"byte {at} of {path.relative_to(folder)} flipped: {fault}") from fault
            shutil.rmtree(copy)
    return refusals


def test_flipped_byte_in_a_clean_folder(place):
    folder = filled_folder(place)
    refusals = flips(place, folder, lambda name: name not in ("LOCK", "LOG") and not name.startswith("LOG.old"))
    expect(refusals > 5, True, f"{refusals} refusals")


def test_flipped_byte_in_the_log(place):
    folder = killed_folder(place)
    logs = [path for path in database_files(folder) if path.suffix == ".log"]
    expect(len(logs) > 0, True, "log files")
    expect(flips(place, folder, lambda name: name.endswith(".log")), 5 * len(logs), "refusals")


def test_accept_data_loss(place):
    folder = killed_folder(place)
    log = largest_log(folder)
    data = bytearray(log.read_bytes())
    data[len(data) * 3 // 4] ^= 0x10
    log.write_bytes(data)
    line = refused_untouched(place, folder, "--accept-data-loss")
    expect_in("missing", line)
    program = place.serve("--accept-data-loss", data=folder)
    expect_in("are lost, as accepted", program.log)
    expect(program.client().item("k0")["pk"], {"S": "k0"}, "what lies before the damage")
    expect(program.client().put("k0").status, 200)
    expect(program.stop(), 0)
    expect(place.serve(data=folder).client().item("k0"), {"pk": {"S": "k0"}}, "afterwards it opens as any other")


def largest_log(folder):
    return max((path for path in database_files(folder) if path.suffix == ".log"), key=lambda path: path.stat().st_size)


def metric(client, name):
    lines = [line for line in client.get("/metrics").text.splitlines() if line.startswith(name + " ")]
    expect(len(lines), 1, f"lines of {name}")
    return float(lines[0].split()[1])


def test_a_hole_behind_the_mark(place):
    folder = killed_folder(place)
    for name in ("MARK", "LEDGER"):  # as if it had been killed within a second
        side_file.change(folder / name, sequence=0)
    whole = place.path("whole")
    shutil.copytree(folder, whole)
    log = largest_log(folder)
    data = bytearray(log.read_bytes())
    data[len(data) // 2] ^= 0x10
    log.write_bytes(data)
    copy = place.path("copy")
    shutil.copytree(folder, copy)
    # The kernel has not been rebooted since, so no write was lost by a power failure.
    line = refused_untouched(place, folder, "hole")
    expect_in("--accept-data-loss", line)
    # In another place it is not known what happened to the copy.
    program = place.serve(data=copy)
    warnings = [line for line in program.log.splitlines() if " warning " in line and str(copy) in line]
    expect(len(warnings), 1, f"warnings in {program.log!r}")
    dropped = metric(program.client(), "keyfold_recovery_dropped_bytes")
    expect(len(data) / 4 < dropped <= len(data), True, f"{dropped} bytes dropped of {len(data)}")
    expect_in(f" {dropped:.0f} bytes", warnings[0])
    expect(program.client().item("k0")["pk"], {"S": "k0"}, "what lies before the damage")
    expect(program.stop(), 0)
    program = place.serve("--accept-data-loss", data=folder)
    expect(metric(program.client(), "keyfold_recovery_dropped_bytes"), dropped)
    expect(program.stop(), 0)
    expect(metric(place.serve(data=folder).client(), "keyfold_recovery_dropped_bytes"), 0.0, "afterwards")
    check_items(place.serve(data=whole).client())


def test_a_hole_after_a_new_mount_is_no_damage(place):
    image = place.path("image")
    with open(image, "wb") as file:
        file.truncate(128 << 20)
    made = shutil.which("mkfs.ext4") and subprocess.run(["mkfs.ext4", "-q", str(image)], capture_output=True).returncode == 0
    mounted = place.mount("disk", "-o", "loop", str(image)) if made else None
    if mounted is None:
        raise Skipped("no loop mounts here")
    folder = killed_folder(place, "disk/d")
    for name in ("MARK", "LEDGER"):
        side_file.change(folder / name, sequence=0)
    log = largest_log(folder)
    data = bytearray(log.read_bytes())
    data[len(data) // 2] ^= 0x10
    log.write_bytes(data)
    refused_untouched(place, folder, "hole")
    subprocess.run(["umount", str(mounted)], check=True)
    subprocess.run(["mount", "-o", "loop", str(image), str(mounted)], check=True)
    program = place.serve(data=folder)
    expect(metric(program.client(), "keyfold_recovery_dropped_bytes") > 0, True, "bytes dropped")
    expect(program.stop(), 0)


def test_a_torn_tail_is_no_hole(place):
    folder = killed_folder(place)
    for name in ("MARK", "LEDGER"):
        side_file.change(folder / name, sequence=0)
    log = largest_log(folder)
    os.truncate(log, log.stat().st_size - 5)
    program = place.serve(data=folder)
    check_items(program.client(), ITEMS - 1)
    expect(metric(program.client(), "keyfold_recovery_dropped_bytes"), 0.0)


def test_verify_tells_that_the_mark_was_lowered(place):
    for folder in (filled_folder(place, "clean"), killed_folder(place, "killed")):
        expect(place.run("verify", "--data", folder)[0], 0, "as it was")
        side_file.change(folder / "MARK", sequence=5)
        code, out, err = place.run("verify", "--data", folder)
        expect(code, 1, f"exit code of verify: {out}{err}")
        expect_in("MARK", out)
        check_items(place.serve(data=folder).client())


def test_a_lowered_mark_does_not_hide_a_loss(place):
    folder = killed_folder(place)
    side_file.change(folder / "MARK", sequence=0)
    log = largest_log(folder)
    os.truncate(log, log.stat().st_size // 2)
    refused_untouched(place, folder, "are missing")
    code, _, err = place.run("verify", "--data", folder)
    expect((code, err.count("are missing")), (1, 1), err)
    program = place.serve("--accept-data-loss", data=folder)
    expect(metric(program.client(), "keyfold_recovery_given_up_writes") > 0, True, "writes given up")


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def check_private(folder, but=()):
    expect(oct(mode(folder)), oct(0o700), str(folder))
    for path in sorted(folder.rglob("*")):
        if path.relative_to(folder).parts[0] not in but:
            expect(oct(mode(path)), oct(0o700 if path.is_dir() else 0o600), str(path))


def test_only_the_owner_reads_the_folder(place):
    before = os.umask(0o022)
    try:
        folder = place.path("d")
        (folder / "s3" / "bucket").mkdir(parents=True)
        (folder / "s3").rename(place.path("s3"))
        folder.rmdir()
        program = place.serve("--s3-root", place.path("s3"), data=folder)
        client = program.client()
        arn = client.create()["TableArn"]
        recovery = {"PointInTimeRecoveryEnabled": True}
        client.ok("UpdateContinuousBackups", {"TableName": "things", "PointInTimeRecoverySpecification": recovery})
        fill(client, 10)
        client.ok("CreateBackup", {"TableName": "things", "BackupName": "kept"})
        export = client.ok("ExportTableToPointInTime", {"TableArn": arn, "S3Bucket": "bucket"})["ExportDescription"]
        asked = {"ExportArn": export["ExportArn"]}
        until("the export ends", lambda: client.ok("DescribeExport", asked)["ExportDescription"]["ExportStatus"] == "COMPLETED")
        until("the backup ends", lambda: client.ok("ListBackups")["BackupSummaries"][0]["BackupStatus"] == "AVAILABLE")
        check_private(folder)
        exported = sorted((place.path("s3") / "bucket").rglob("*"))
        expect(len(exported) > 5, True, f"{exported}")
        for path in exported:
            expect(oct(mode(path)), oct(0o755 if path.is_dir() else 0o644), str(path))
        expect(program.stop(), 0)
        # A folder of an older version, or a copy.
        for path in [folder, *folder.rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)
        program = place.serve(data=folder)
        check_private(folder, but=("s3",))
        check_items(program.client(), 10)
    finally:
        os.umask(before)


def test_a_folder_of_another_user_keeps_its_mode(place):
    if os.geteuid() != 0:
        raise Skipped("only root can give a folder away")
    folder = filled_folder(place)
    folder.chmod(0o755)
    os.chown(folder, 12345, 12345)
    program = place.serve(data=folder)
    expect([" warning " in line for line in program.log.splitlines() if "12345" in line], [True], program.log)
    expect(oct(mode(folder)), oct(0o755))


def test_read_only_folder(place):
    folder = filled_folder(place)
    target = place.mount("view", "-o", "bind,ro", str(folder))
    if target is None:
        raise Skipped("no read-only mount can be made here (not root?)")
    try:
        (target / "probe").write_text("")
        raise Skipped("a read-only bind mount can be written here")
    except OSError:
        pass
    refused_untouched(place, target, "Read-only file system")
    place.refused(REFUSED, "Read-only file system", "serve", "--port", "0", "--data", target / "new")
    check_items(place.serve(data=folder).client())


def small_disk(place, megabytes=64):
    disk = place.mount("disk", "-t", "tmpfs", "-o", f"size={megabytes}m", "none")
    if disk is None:
        raise Skipped("no small disk can be mounted here (not root?)")
    return disk


def fill_disk(disk, leave_bytes):
    """Makes a file that leaves only that much free space."""
    free = os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize
    with open(disk / "ballast", "wb") as file:
        os.posix_fallocate(file.fileno(), 0, max(1, free - leave_bytes))


def test_full_disk_while_serving(place):
    disk = small_disk(place)
    program = place.serve(data=disk / "d")
    client = program.client()
    client.create()
    fill(client, 50)
    fill_disk(disk, 1 << 20)

    numbers = itertools.count()

    def refused():
        reply = client.put("big", v={"N": str(next(numbers))})  # a write that changes nothing needs no space
        if reply.status != 200:
            expect(reply.status in (500, 503), True, reply.text)
        return reply if reply.status != 200 else None

    reply = until("a write is refused", refused)
    expect(bool(reply.json["__type"]), True)
    check_items(client, 50)
    health = client.get("/health")
    expect((health.status, health.json["status"]), (503, "failed"))
    expect_in("full", health.json["lastError"])
    expect(program.process.poll(), None, "exit code")
    (disk / "ballast").unlink()
    until("writes are taken again", lambda: client.put("later").status == 200)
    until("healthy again", lambda: client.get("/health").status == 200)
    expect(program.stop(), 0)
    client = place.serve(data=disk / "d").client()
    check_items(client, 50)
    expect(client.item("later"), {"pk": {"S": "later"}})


def filled_by_writes(place, megabytes, *arguments):
    """Puts items until writes are refused; reads still work, and after space is freed every accepted item is present."""
    disk = small_disk(place, megabytes)
    program = place.serve(*arguments, data=disk / "d")
    client = program.client()
    client.create()
    taken, refusals = {}, 0

    numbers = iter(range(5 * megabytes))

    def is_refused():
        number = next(numbers, None)
        expect(number is not None, True, "the disk was full in the end")
        blob = {"S": os.urandom(150_000).hex()}
        reply = client.put(f"k{number}", v=blob)
        if reply.status == 200:
            taken[f"k{number}"] = blob
        else:
            expect(reply.status in (500, 503), True, reply.text)
        return reply.status != 200

    while refusals <= 20:
        refusals += is_refused()
    expect(len(taken) > 20, True, f"{len(taken)} taken before the disk was full")
    for key in list(taken)[::10]:
        expect(client.item(key)["v"] == taken[key], True, f"{key}, read while the disk is full")
    # A flush in the background may have freed some space in the meantime.
    until("a write is refused and /health says so", lambda: is_refused() and client.get("/health").status == 503)
    deleted = next(iter(taken))
    reply = client.call("DeleteItem", {"TableName": "things", "Key": {"pk": {"S": deleted}}})
    expect(reply.status in (200, 500, 503), True, reply.text)  # refused if there is no space even for that
    if reply.status == 200:
        taken[deleted] = None
    expect(program.process.poll(), None, "exit code")
    program.kill()
    expect(os.system(f"mount -o remount,size={4 * megabytes}m {disk}"), 0)
    client = place.serve(data=disk / "d").client()
    for key, blob in taken.items():
        expect((client.item(key) or {}).get("v") == blob, True, f"{key}, which was acknowledged")
    expect(client.put("again").status, 200)


def test_disk_filled_by_writes(place):
    filled_by_writes(place, 64)


def test_disk_filled_by_writes_and_flushes(place):
    filled_by_writes(place, 200)


def test_starting_on_a_full_disk(place):
    disk = small_disk(place)
    program = place.serve(data=disk / "d")
    program.client().create()
    fill(program.client(), 50)
    expect(program.stop(), 0)
    fill_disk(disk, 2 << 20)
    program = place.serve(data=disk / "d")
    check_items(program.client(), 50)
    expect(program.client().put("more").status, 503)
    program.kill()
    place.refused(REFUSED, "the disk is full", "serve", "--port", "0", "--data", disk / "new")
    expect((disk / "new").exists(), False, "a new folder on a full disk")
    (disk / "ballast").unlink()
    fill_disk(disk, 1 << 19)
    refused_untouched(place, disk / "d", "the disk is full")
    (disk / "ballast").unlink()
    check_items(place.serve(data=disk / "d").client(), 50)
