#!/usr/bin/env python3
"""Makes the system clock jump, while the server runs and between runs: nothing is lost, live items do not expire, commits keep their order."""
import time

from judge import main
from oracle import Oracle
from shim import MovedClock, Shim
from target import Target, keyed_table

DAY, YEAR = 86_400, 365 * 86_400
REFUSED = 78
JUMPS = (1, -1, 3_600, -3_600, 3 * DAY, -3 * DAY, 0, 10 * YEAR, -10 * YEAR, -50 * YEAR, 0, 100 * YEAR, 5 * DAY, 0)


class Bench:
    """A folder, and servers on it whose clock can be moved. One thread at a time."""

    def __init__(self, a, shim, name):
        self.a, self.shim, self.data = a, shim, a.folder / name
        self.clock = MovedClock(a.folder / f"clock-{name}")

    def server(self, *args):
        variables = self.shim.variables(clock=self.clock.path)
        return Target(self.a, "--no-signature-time", "--ttl-interval-ms", "20", *args, data=self.data, variables=variables)


def true_expiry(seconds):
    return {"ttl": {"N": str(int(time.time()) + seconds)}}


def wait_for_sweeps(target):
    """Waits for two sweeps, by waiting twice for an expired item to be removed."""
    for name in ("due1", "due2"):
        target.put("tab", name, **true_expiry(-5))
        target.wait_until("an expired item is removed", lambda name=name: name not in target.items("tab"))


def glitch(a, shim, ahead):
    """A write while the clock was ahead must not expire items that are alive by the true time."""
    bench = Bench(a, shim, f"glitch{ahead}")
    target = bench.server().start()
    target.must("CreateTable", keyed_table("tab"))
    specification = {"Enabled": True, "AttributeName": "ttl"}
    target.must("UpdateTimeToLive", {"TableName": "tab", "TimeToLiveSpecification": specification})
    bench.clock.set(ahead)
    target.put("tab", "glitch")
    bench.clock.set(0)
    target.put("tab", "alive", **true_expiry(7_200))
    wait_for_sweeps(target)
    a.judge.check("alive" in target.items("tab"), f"{ahead} s ahead once: a live item is gone while running")
    target.stop()
    target = bench.server().start()
    wait_for_sweeps(target)
    a.judge.check("alive" in target.items("tab"), f"{ahead} s ahead once: a live item is gone after the restart")
    target.put("tab", "later", **true_expiry(7_200))
    wait_for_sweeps(target)
    a.judge.check("later" in target.items("tab"), f"{ahead} s ahead once: an item written later is gone")
    target.stop()


def far_ahead(a, shim):
    """A folder more than 7 days ahead of the system is refused, unchanged, until the operator accepts it."""
    bench = Bench(a, shim, "far")
    target = bench.server().start()
    target.must("CreateTable", keyed_table("tab"))
    bench.clock.set(30 * DAY)
    target.put("tab", "k")
    target.stop()
    bench.clock.set(0)
    target = bench.server()
    came_up = target.starts()
    code = target.server.process.poll()
    a.judge.check(not came_up and code == REFUSED, lambda: f"a folder 30 days ahead: came up {came_up}, exit code {code}")
    target.kill()
    target = bench.server("--accept-clock-ahead")
    if a.judge.check(target.starts(), "--accept-clock-ahead does not start"):
        a.judge.check("k" in target.items("tab"), "the item is there")
        target.stop()


def jumps(a, shim):
    """Moves the clock while writes continue."""
    bench, oracle = Bench(a, shim, "jumps"), Oracle()
    target = bench.server().start()
    stream = {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}
    target.must("CreateTable", keyed_table("tab", StreamSpecification=stream))
    for number, ahead in enumerate(JUMPS * (20 if a.long else 1)):
        bench.clock.set(ahead)
        for write in range(5):
            done = oracle.write(target, f"k{a.random.randrange(20)}", {"v": {"N": str(number * 10 + write)}})
            a.judge.check(done, f"a write at {ahead} s is refused")
        for operation, request in (("DescribeTable", {"TableName": "tab"}), ("ListStreams", {}), ("ListBackups", {})):
            status, _ = target.ask(operation, request)
            a.judge.check(status == 200, lambda: f"{operation} at {ahead} s: {status}")
    judge_oracle(a, oracle, target, "after jumps")
    target.kill()
    bench.clock.set(101 * YEAR)
    target = bench.server()
    if a.judge.check(target.starts(), "the folder does not open at a later time"):
        judge_oracle(a, oracle, target, "after jumps and a kill")
        target.stop()


def judge_oracle(a, oracle, target, what):
    wrong = oracle.faults_in(target.items("tab"))
    a.judge.check(not wrong, lambda: f"{what}: {wrong[:2]}")


def small_steps_back(a, shim):
    """Stream records keep the order of the writes, and their times never decrease, even if the clock goes back."""
    bench = Bench(a, shim, "steps")
    target = bench.server("--stream-shards", "1").start()
    target.must("CreateTable", keyed_table("tab", StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}))
    for number in range(40):
        bench.clock.set(-number * 60 if number < 20 else (number - 20) * 60)
        target.put("tab", "k", n={"N": str(number)})
    arn = target.must("ListStreams", {})["Streams"][0]["StreamArn"]
    shard = target.must("DescribeStream", {"StreamArn": arn})["StreamDescription"]["Shards"][0]["ShardId"]
    iterator = target.must("GetShardIterator", {"StreamArn": arn, "ShardId": shard, "ShardIteratorType": "TRIM_HORIZON"})["ShardIterator"]
    records = [r["dynamodb"] for r in target.must("GetRecords", {"ShardIterator": iterator})["Records"]]
    numbers = [int(r["NewImage"]["n"]["N"]) for r in records]
    times = [r["ApproximateCreationDateTime"] for r in records]
    a.judge.check(numbers == sorted(numbers) and len(numbers) > 0, lambda: f"records are out of order: {numbers}")
    a.judge.check(times == sorted(times), lambda: f"times of records go back: {times}")
    target.stop()


def attack(a):
    shim = Shim(a.folder)
    for ahead in (3_600 * 3, DAY, 6 * DAY) if a.long else (DAY,):
        glitch(a, shim, ahead)
    far_ahead(a, shim)
    jumps(a, shim)
    small_steps_back(a, shim)


if __name__ == "__main__":
    main(attack)
