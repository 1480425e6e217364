#!/usr/bin/env python3
"""Sends forged shard iterators and NextTokens: changed, truncated, extended, or of another purpose, table or server. None may be accepted."""
import base64

from judge import main
from target import Target, keyed_table

ARN = "arn:aws:dynamodb:us-east-1:123456789012:table/"
STATEMENT = 'SELECT * FROM "{}"'
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def prepare(a, data):
    target = Target(a, data=data).start()
    (data / "s3" / "bucket").mkdir(parents=True)
    for table in ("one", "two"):
        target.must("CreateTable", keyed_table(table, StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}))
        recovery = {"PointInTimeRecoveryEnabled": True}
        target.must("UpdateContinuousBackups", {"TableName": table, "PointInTimeRecoverySpecification": recovery})
        for number in range(6):
            target.put(table, f"{table}{number}")
    for _ in range(2):
        target.must("ExportTableToPointInTime", {"TableArn": ARN + "one", "S3Bucket": "bucket"})
    return target


def iterator_of(target, table):
    stream = target.must("ListStreams", {"TableName": table})["Streams"][0]["StreamArn"]
    shard = target.must("DescribeStream", {"StreamArn": stream})["StreamDescription"]["Shards"][0]["ShardId"]
    request = {"StreamArn": stream, "ShardId": shard, "ShardIteratorType": "TRIM_HORIZON"}
    return target.must("GetShardIterator", request)["ShardIterator"]


def uses_of(target):
    """Returns {name: (a valid token, the request that takes it)}."""
    page = target.must("ExecuteStatement", {"Statement": STATEMENT.format("one"), "Limit": 2})
    exports = target.must("ListExports", {"MaxResults": 1})
    return {
        "statement": (page["NextToken"], lambda token: ("ExecuteStatement", {"Statement": STATEMENT.format("one"), "Limit": 2, "NextToken": token})),
        "exports": (exports["NextToken"], lambda token: ("ListExports", {"MaxResults": 1, "NextToken": token})),
        "iterator": (iterator_of(target, "one"), lambda token: ("GetRecords", {"ShardIterator": token})),
    }


def mutants(a, token):
    for at in range(len(token)):
        yield f"letter {at}", token[:at] + a.random.choice([c for c in ALPHABET if c != token[at]]) + token[at + 1 :]
        yield f"cut at {at}", token[:at]
        yield f"without letter {at}", token[:at] + token[at + 1 :]
        yield f"letter {at} twice", token[: at + 1] + token[at:]
    yield from (("with something appended", token + more) for more in ("=", "A", "AAAA", " ", "\n", "\x00", "."))
    yield from (("with something before it", more + token) for more in ("A", "AAAA", " ", "\n", "arn:aws:|1|"))
    yield "halves exchanged", token[len(token) // 2 :] + token[: len(token) // 2]
    yield "backwards", token[::-1]
    yield "in the other alphabet", token.replace("+", "-").replace("/", "_") + "-"
    for size in (1, 31, 32, 33, 64, 100, 500, 1500):
        yield f"{size} random bytes", base64.b64encode(a.random.randbytes(size)).decode()
    for text in ("", "0", "null", "{}", "\u00e4", "\U0001f600", "A" * 2048, "A" * 32768, "../../x"):
        yield f"text {text[:20]!r}", text
    raw = bytearray(base64.b64decode(token))
    for at in range(len(raw)):
        changed = bytes(raw[:at]) + bytes([raw[at] ^ 1 << a.random.randrange(8)]) + bytes(raw[at + 1 :])
        yield f"bit of byte {at}", base64.b64encode(changed).decode()
    yield "a byte more", base64.b64encode(bytes(raw) + b"\0").decode()


def attack(a):
    target, other = prepare(a, a.folder / "data"), prepare(a, a.folder / "other")
    uses, foreign = uses_of(target), uses_of(other)

    def refused(name, what, token):
        operation, request = uses[name][1](token)
        status, answer = target.ask(operation, request)
        a.judge.check(400 <= status < 500, lambda: f"{name}, {what}: {status} {str(answer)[:100]}")

    for name, (token, use) in uses.items():
        a.judge.check(target.ask(*use(token))[0] == 200, f"{name}: the right token is refused")
        for what, forged in a.sample(mutants(a, token), 250):
            if forged != token:
                refused(name, what, forged)
        for purpose, (strange, _) in uses.items():
            if purpose != name:
                refused(name, f"a token of {purpose}", strange)
        refused(name, "a token of another server", foreign[name][0])
    # A token belongs to its statement: it gives no access to another table, and does not change what is read.
    token = uses["statement"][0]
    for text in (STATEMENT.format("two"), 'SELECT * FROM "one" WHERE pk = \'one1\'', 'DELETE FROM "one" WHERE pk = \'one1\''):
        status, answer = target.ask("ExecuteStatement", {"Statement": text, "Limit": 2, "NextToken": token})
        leaked = [item for item in answer.get("Items", []) if "two" in str(item)]
        a.judge.check(status != 200 and not leaked, lambda: f"the token with {text}: {status} {answer}")
    for each in (target, other):
        a.judge.check(len(each.items("one")) == 6, "no item is gone")
        each.stop()


if __name__ == "__main__":
    main(attack)
