"""A stream consumer in the shape of the Kinesis client library: workers take leases of shards, read a parent to its end before its children,
and checkpoint after processing. Through splits of all shards, restarts of the workers and a kill (-9) of the server, each change is seen
exactly once, and those of an item in their order.
"""
import collections
import json
import random
import threading
import urllib.request
import uuid

from botocore.exceptions import BotoCoreError

from own_server import OwnServer
from tap import check, run

WRITERS, ITEMS_PER_WRITER, STEPS_PER_WRITER = 4, 12, 250
WORKERS = 2
SHARD_END = "SHARD_END"
server = OwnServer("--admin")
seed = random.SystemRandom().randrange(1 << 32)
print(f"# seed {seed}", flush=True)


def insist(call, **request):
    """Retries until the server responds. Only for requests that may be sent twice."""
    while True:
        try:
            return call(**request)
        except BotoCoreError:
            continue


class Writer(threading.Thread):
    """Changes its own items, so it knows what the stream must contain. A repeated change has no effect and leaves no record."""

    def __init__(self, number):
        super().__init__(daemon=True)
        self.random, self.client = random.Random(f"{seed}/{number}"), server.client()
        self.items = {f"{number}-{at}": 0 for at in range(ITEMS_PER_WRITER)}  # version; 0: absent
        self.expected = {name: [] for name in self.items}  # (event, old version, new version)
        self.versions, self.failure = 0, None

    def run(self):
        try:
            for _ in range(STEPS_PER_WRITER):
                self.random.choices((self.put, self.delete, self.transact), (6, 2, 3))[0]()
        except Exception as error:  # reported by the check that joins it
            self.failure = error

    def change(self, name, version):
        old, self.items[name] = self.items[name], version
        if old or version:
            self.expected[name].append(("INSERT" if not old else "MODIFY" if version else "REMOVE", old, version))

    def next_item(self, name):
        self.versions += 1
        return {"pk": {"S": name}, "version": {"N": str(self.versions)}}

    def put(self):
        item = self.next_item(self.random.choice(list(self.items)))
        insist(self.client.put_item, TableName="source", Item=item)
        self.change(item["pk"]["S"], self.versions)

    def delete(self):
        name = self.random.choice(list(self.items))
        insist(self.client.delete_item, TableName="source", Key={"pk": {"S": name}})
        self.change(name, 0)

    def transact(self):
        one, other = self.random.sample(list(self.items), 2)
        item = self.next_item(one)
        parts = [
            {"Put": {"TableName": "source", "Item": item}}, {"Delete": {"TableName": "source", "Key": {"pk": {"S": other}}}},
        ]
        insist(self.client.transact_write_items, TransactItems=parts, ClientRequestToken=str(uuid.UUID(int=self.random.getrandbits(128))))
        self.change(one, self.versions)
        self.change(other, 0)


class Leases:
    """The shards, their readers and positions, stored as items of a table like in the client library. One thread at a time."""

    def __init__(self, stream):
        self.stream, self.client, self.streams = stream, server.client(), server.client("dynamodbstreams")

    def add_new_shards(self):
        start = {}
        while True:
            page = insist(self.streams.describe_stream, StreamArn=self.stream, Limit=5, **start)["StreamDescription"]
            for shard in page["Shards"]:
                self.add(shard)
            if "LastEvaluatedShardId" not in page:
                return
            start = {"ExclusiveStartShardId": page["LastEvaluatedShardId"]}

    def add(self, shard):
        item = {"shard_id": {"S": shard["ShardId"]}, "checkpoint": {"S": "TRIM_HORIZON"}}
        if "ParentShardId" in shard:
            item["parent"] = {"S": shard["ParentShardId"]}
        try:
            insist(self.client.put_item, TableName="leases", Item=item, ConditionExpression="attribute_not_exists(shard_id)")
        except self.client.exceptions.ConditionalCheckFailedException:
            pass

    def all(self):
        pages = insist(self.client.scan, TableName="leases", ConsistentRead=True)
        return {item["shard_id"]["S"]: {name: value["S"] for name, value in item.items()} for item in pages["Items"]}

    def take(self, shard, worker, living):
        """Returns whether `worker` now has the lease; the lease of a worker that is gone may be taken over."""
        values = {":me": {"S": worker}, **{f":l{at}": {"S": one} for at, one in enumerate(living)}}
        names = ", ".join(f":l{at}" for at in range(len(living)))
        held = f"attribute_not_exists(#owner) OR #owner = :me OR NOT #owner IN ({names})"
        try:
            insist(
                self.client.update_item, TableName="leases", Key={"shard_id": {"S": shard}}, UpdateExpression="SET #owner = :me",
                ConditionExpression=held, ExpressionAttributeNames={"#owner": "owner"}, ExpressionAttributeValues=values,
            )
        except self.client.exceptions.ConditionalCheckFailedException:
            return False
        return True

    def checkpoint(self, shard, worker, where):
        insist(
            self.client.update_item, TableName="leases", Key={"shard_id": {"S": shard}}, UpdateExpression="SET checkpoint = :where",
            ConditionExpression="#owner = :me", ExpressionAttributeNames={"#owner": "owner"},
            ExpressionAttributeValues={":where": {"S": where}, ":me": {"S": worker}},
        )


class Worker(threading.Thread):
    """Reads the shards that it can lease, until it is stopped or all have ended."""

    def __init__(self, name, living, stream, sink):
        super().__init__(daemon=True)
        self.worker, self.living, self.stream, self.sink = name, living, stream, sink
        self.leases, self.random = Leases(stream), random.Random(f"{seed}/{name}")
        self.iterators, self.stopped, self.failure = {}, threading.Event(), None

    def run(self):
        try:
            while not self.stopped.is_set() and not self.round():
                pass
        except Exception as error:
            self.failure = error

    def round(self):
        """Reads one batch of each available shard; returns whether all shards have ended."""
        self.leases.add_new_shards()
        leases = self.leases.all()
        for shard, lease in leases.items():
            parent = leases.get(lease.get("parent"))
            if lease["checkpoint"] == SHARD_END or (parent and parent["checkpoint"] != SHARD_END):
                continue
            if not self.stopped.is_set() and self.leases.take(shard, self.worker, self.living):
                self.read(shard, lease)
        return bool(leases) and all(lease["checkpoint"] == SHARD_END for lease in leases.values())

    def read(self, shard, lease):
        if shard not in self.iterators:
            # Another worker may have continued since the leases were listed.
            where = self.leases.all()[shard]["checkpoint"]
            if where == SHARD_END:
                return
            kind = {"ShardIteratorType": "TRIM_HORIZON"}
            if where != "TRIM_HORIZON":
                kind = {"ShardIteratorType": "AFTER_SEQUENCE_NUMBER", "SequenceNumber": where}
            answer = insist(self.leases.streams.get_shard_iterator, StreamArn=self.stream, ShardId=shard, **kind)
            self.iterators[shard] = answer["ShardIterator"]
        answer = insist(self.leases.streams.get_records, ShardIterator=self.iterators[shard], Limit=self.random.randint(5, 100))
        self.sink.process(shard, lease.get("parent"), answer["Records"])
        self.iterators[shard] = answer.get("NextShardIterator")
        if self.iterators[shard] is None:
            self.sink.finish(shard)
            self.leases.checkpoint(shard, self.worker, SHARD_END)
        elif answer["Records"]:
            self.leases.checkpoint(shard, self.worker, answer["Records"][-1]["dynamodb"]["SequenceNumber"])


class Sink:
    """What the workers have seen. Thread-safe."""

    def __init__(self):
        self.lock = threading.Lock()
        self.events = collections.defaultdict(list)  # item -> (event, old version, new version)
        self.numbers = collections.defaultdict(list)  # shard -> sequence numbers
        self.finished, self.early, self.count = set(), [], 0

    def process(self, shard, parent, records):
        with self.lock:
            if records and parent and parent not in self.finished:
                self.early.append(shard)
            for record in records:
                change = record["dynamodb"]
                old, new = (int(change[image]["version"]["N"]) if image in change else 0 for image in ("OldImage", "NewImage"))
                self.events[change["Keys"]["pk"]["S"]].append((record["eventName"], old, new))
                self.numbers[shard].append(int(change["SequenceNumber"]))
                self.count += 1

    def finish(self, shard):
        with self.lock:
            self.finished.add(shard)


class Fleet:
    """The workers; stopping them discards everything except the leases. One thread at a time."""

    def __init__(self, stream, sink):
        self.stream, self.sink, self.generation, self.workers = stream, sink, 0, []

    def start(self):
        self.generation += 1
        names = [f"worker-{self.generation}-{number}" for number in range(WORKERS)]
        self.workers = [Worker(name, names, self.stream, self.sink) for name in names]
        for worker in self.workers:
            worker.start()

    def restart(self):
        for worker in self.workers:
            worker.stopped.set()
        self.join()
        self.start()

    def join(self):
        for worker in self.workers:
            worker.join()
            if worker.failure:
                raise worker.failure


def split(stream):
    request = urllib.request.Request(
        f"{server.url}/_keyfold/streams/split", json.dumps({"StreamArn": stream}).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=20) as answer:
        assert answer.status == 200


state = {}


def create(name, key, **settings):
    server.client().create_table(
        TableName=name, BillingMode="PAY_PER_REQUEST", AttributeDefinitions=[{"AttributeName": key, "AttributeType": "S"}],
        KeySchema=[{"AttributeName": key, "KeyType": "HASH"}], **settings,
    )


@check
def consume():
    """writers and consumers finish through splits, restarts and a kill"""
    create("source", "pk", StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"})
    create("leases", "shard_id")
    client = server.client()
    stream = client.describe_table(TableName="source")["Table"]["LatestStreamArn"]
    state["sink"] = Sink()
    state["writers"] = [Writer(number) for number in range(WRITERS)]
    fleet = Fleet(stream, state["sink"])
    total = WRITERS * STEPS_PER_WRITER
    steps = [fleet.start, lambda: split(stream), fleet.restart, server.kill_and_start, lambda: split(stream), fleet.restart]
    for writer in state["writers"]:
        writer.start()
    # Each after some more writes.
    for number, step in enumerate(steps):
        while sum(writer.versions for writer in state["writers"]) < total * number // (2 * len(steps)) and any(
            writer.is_alive() for writer in state["writers"]
        ):
            state["writers"][0].join(0.01)
        step()
    for writer in state["writers"]:
        writer.join()
        if writer.failure:
            raise writer.failure
    # Turning the stream off closes its shards, so readers reach the end.
    client.update_table(TableName="source", StreamSpecification={"StreamEnabled": False})
    fleet.join()


@check
def exactly_once():
    """every change was seen exactly once, those of an item in order"""
    expected = {name: events for writer in state["writers"] for name, events in writer.expected.items() if events}
    print(f"# {sum(map(len, expected.values()))} changes, {state['sink'].count} records, {len(state['sink'].finished)} shards", flush=True)
    for name in expected.keys() | state["sink"].events.keys():
        assert state["sink"].events.get(name, []) == expected.get(name, []), name


@check
def lineage():
    """parents were read to their ends before their children, and sequence numbers rise in each shard"""
    assert not state["sink"].early, state["sink"].early
    assert len(state["sink"].finished) > 8, state["sink"].finished
    for shard, numbers in state["sink"].numbers.items():
        assert numbers == sorted(set(numbers)), shard


@check
def stop():
    """the server stops cleanly"""
    assert server.end() == 0


run()
