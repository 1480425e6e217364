"""A bank: eight writers move money with transactions while the server is killed (-9) again and again. Every reader sees the exact sum, and no
transfer is made twice or only in part.
"""
import random
import threading
import uuid

from botocore.exceptions import BotoCoreError, ClientError

from own_server import OwnServer
from tap import check, run

ACCOUNTS, START = 20, 1000
WRITERS, TRANSFERS_PER_WRITER, KILLS = 8, 120, 4
bank = OwnServer()
seed = random.SystemRandom().randrange(1 << 32)
print(f"# seed {seed}", flush=True)


def key(kind, name):
    return {"pk": {"S": f"{kind}#{name}"}, "sk": {"S": kind}}


def account_gets():
    return [{"Get": {"TableName": "bank", "Key": key("ACCOUNT", number)}} for number in range(ACCOUNTS)]


class Writer(threading.Thread):
    """Moves money; records which transfers were acknowledged and which were refused for lack of funds."""

    def __init__(self, number):
        super().__init__(daemon=True)
        self.random, self.client = random.Random(f"{seed}/{number}"), bank.client()
        self.made, self.refused, self.again, self.failure = set(), set(), 0, None

    def run(self):
        try:
            for _ in range(TRANSFERS_PER_WRITER):
                self.transfer()
        except Exception as error:  # reported by the check that joins it
            self.failure = error

    def transfer(self):
        one, other = self.random.sample(range(ACCOUNTS), 2)
        amount, name = self.random.randint(1, 400), str(uuid.UUID(int=self.random.getrandbits(128)))
        request = {"ClientRequestToken": name, "TransactItems": [
            {"Update": {
                "TableName": "bank", "Key": key("ACCOUNT", one), "UpdateExpression": "SET balance = balance - :amount",
                "ConditionExpression": "balance >= :amount", "ExpressionAttributeValues": {":amount": {"N": str(amount)}},
            }},
            {"Update": {
                "TableName": "bank", "Key": key("ACCOUNT", other), "UpdateExpression": "SET balance = balance + :amount",
                "ExpressionAttributeValues": {":amount": {"N": str(amount)}},
            }},
            {"Put": {
                "TableName": "bank", "ConditionExpression": "attribute_not_exists(pk)",
                "Item": {**key("TRANSFER", name), "from": {"N": str(one)}, "to": {"N": str(other)}, "amount": {"N": str(amount)}},
            }},
        ]}
        while True:
            try:
                self.client.transact_write_items(**request)
                self.made.add(name)
                return
            except self.client.exceptions.TransactionCanceledException as error:
                codes = [reason["Code"] for reason in error.response["CancellationReasons"]]
                assert codes == ["ConditionalCheckFailed", "None", "None"], codes
                self.refused.add(name)
                return
            except BotoCoreError:
                self.again += 1  # the SDK gave up; the token makes it safe to continue


class Reader(threading.Thread):
    """Adds up all accounts again and again, each time as of one moment."""

    def __init__(self, stop):
        super().__init__(daemon=True)
        self.client, self.stop = bank.client(), stop
        self.sums, self.failure = [], None

    def run(self):
        try:
            while not self.stop.is_set():
                try:
                    answer = self.client.transact_get_items(TransactItems=account_gets())
                except BotoCoreError:
                    continue
                self.sums.append(sum(int(found["Item"]["balance"]["N"]) for found in answer["Responses"]))
        except Exception as error:
            self.failure = error


def work():
    """Runs all of them at once, and kills the server several times."""
    stop = threading.Event()
    writers, readers = [Writer(number) for number in range(WRITERS)], [Reader(stop) for _ in range(2)]
    rng = random.Random(seed)
    for thread in writers + readers:
        thread.start()
    kills = 0
    for writer in writers:
        while writer.is_alive():
            writer.join(rng.uniform(0.1, 0.5))
            if kills < KILLS and writer.is_alive():
                bank.kill_and_start()
                kills += 1
    stop.set()
    for reader in readers:
        reader.join()
    return writers, readers, kills


state = {}


@check
def transfers():
    """eight writers finish although the server is killed under them"""
    client = bank.client()
    client.create_table(
        TableName="bank", BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    )
    for number in range(ACCOUNTS):
        client.put_item(TableName="bank", Item={**key("ACCOUNT", number), "balance": {"N": str(START)}})
    state["writers"], state["readers"], kills = work()
    for thread in state["writers"] + state["readers"]:
        if thread.failure:
            raise thread.failure
    assert kills == KILLS, kills
    made = sum(len(writer.made) for writer in state["writers"])
    refused = sum(len(writer.refused) for writer in state["writers"])
    assert made + refused == WRITERS * TRANSFERS_PER_WRITER and made > 0 and refused > 0, (made, refused)
    print(f"# {made} transfers made, {refused} refused, {kills} kills", flush=True)


@check
def sums():
    """every TransactGetItems over all accounts had the exact sum"""
    seen = [total for reader in state["readers"] for total in reader.sums]
    print(f"# {len(seen)} sums read", flush=True)
    assert len(seen) > 50 and set(seen) == {ACCOUNTS * START}, sorted(set(seen))


@check
def records():
    """each acknowledged transfer is there once, no refused one is, and balances are what they add up to"""
    client = bank.client()
    items = [item for page in client.get_paginator("scan").paginate(TableName="bank", ConsistentRead=True) for item in page["Items"]]
    balances = {int(item["pk"]["S"].split("#")[1]): int(item["balance"]["N"]) for item in items if item["sk"]["S"] == "ACCOUNT"}
    found = {item["pk"]["S"].split("#")[1]: item for item in items if item["sk"]["S"] == "TRANSFER"}
    assert set(found) == {name for writer in state["writers"] for name in writer.made}
    expected = dict.fromkeys(range(ACCOUNTS), START)
    for item in found.values():
        expected[int(item["from"]["N"])] -= int(item["amount"]["N"])
        expected[int(item["to"]["N"])] += int(item["amount"]["N"])
    assert balances == expected and min(balances.values()) >= 0


@check
def tokens():
    """a token that was used says the same again after a restart, and refuses another request"""
    client = bank.client()
    change = {"Update": {
        "TableName": "bank", "Key": key("ACCOUNT", 0), "UpdateExpression": "SET balance = balance + :one",
        "ExpressionAttributeValues": {":one": {"N": "1"}},
    }}
    before = client.get_item(TableName="bank", Key=key("ACCOUNT", 0), ConsistentRead=True)["Item"]["balance"]["N"]
    client.transact_write_items(TransactItems=[change], ClientRequestToken="once")
    bank.kill_and_start()
    client.transact_write_items(TransactItems=[change], ClientRequestToken="once")
    after = client.get_item(TableName="bank", Key=key("ACCOUNT", 0), ConsistentRead=True)["Item"]["balance"]["N"]
    assert int(after) == int(before) + 1, (before, after)
    change["Update"]["ExpressionAttributeValues"] = {":one": {"N": "2"}}
    try:
        client.transact_write_items(TransactItems=[change], ClientRequestToken="once")
    except ClientError as error:
        assert error.response["Error"]["Code"] == "IdempotentParameterMismatchException", error
    else:
        raise AssertionError("a token was accepted for another request")


@check
def stop():
    """the server stops cleanly"""
    assert bank.end() == 0


run()
