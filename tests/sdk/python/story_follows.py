"""Who follows whom, both ways: as one item with an inverted index, and as two items written in one transaction."""
import boto3
from boto3.dynamodb.conditions import Key
from botocore.exceptions import ClientError

from tap import CLIENT, check, run, unique

NAME = unique("story-follows")
dynamodb = boto3.resource("dynamodb", **CLIENT)
client, table = dynamodb.meta.client, dynamodb.Table(NAME)


def user(name):
    return {"pk": f"USER#{name}", "sk": f"USER#{name}"}


def count(name, counter, amount):
    return {"Update": {
        "TableName": NAME, "Key": user(name), "UpdateExpression": "ADD #c :n", "ConditionExpression": "attribute_exists(pk)",
        "ExpressionAttributeNames": {"#c": counter}, "ExpressionAttributeValues": {":n": amount}}}


def follow(one, other):
    """Makes `one` follow `other`: writes an item on either side and updates both counts."""
    client.transact_write_items(TransactItems=[
        {"Put": {"TableName": NAME, "ConditionExpression": "attribute_not_exists(pk)", "Item": {"pk": f"USER#{one}", "sk": f"FOLLOWS#{other}"}}},
        {"Put": {"TableName": NAME, "Item": {"pk": f"USER#{other}", "sk": f"FOLLOWED_BY#{one}"}}},
        count(one, "follows", 1), count(other, "followers", 1),
    ])


def unfollow(one, other):
    client.transact_write_items(TransactItems=[
        {"Delete": {"TableName": NAME, "Key": {"pk": f"USER#{one}", "sk": f"FOLLOWS#{other}"}, "ConditionExpression": "attribute_exists(pk)"}},
        {"Delete": {"TableName": NAME, "Key": {"pk": f"USER#{other}", "sk": f"FOLLOWED_BY#{one}"}}},
        count(one, "follows", -1), count(other, "followers", -1),
    ])


def cancelled(call, *args):
    try:
        call(*args)
    except ClientError as error:
        assert error.response["Error"]["Code"] == "TransactionCanceledException", error
        return [reason["Code"] for reason in error.response["CancellationReasons"]]
    raise AssertionError("expected TransactionCanceledException, but it succeeded")


def edges(name, kind):
    return [item["sk"].split("#")[1] for item in table.query(
        KeyConditionExpression=Key("pk").eq(f"USER#{name}") & Key("sk").begins_with(kind + "#"))["Items"]]


def counts(*names):
    answer = client.transact_get_items(TransactItems=[{"Get": {"TableName": NAME, "Key": user(name)}} for name in names])
    return [(one["Item"].get("follows", 0), one["Item"].get("followers", 0)) for one in answer["Responses"]]


@check
def create():
    """a table with its inverted index"""
    dynamodb.create_table(
        TableName=NAME, BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        GlobalSecondaryIndexes=[{
            "IndexName": "inverted", "Projection": {"ProjectionType": "KEYS_ONLY"},
            "KeySchema": [{"AttributeName": "sk", "KeyType": "HASH"}, {"AttributeName": "pk", "KeyType": "RANGE"}],
        }],
    ).wait_until_exists()
    with table.batch_writer() as batch:
        for name in ("alice", "bob", "carol"):
            batch.put_item(Item=user(name))


@check
def following():
    """alice follows bob and carol, bob follows alice"""
    follow("alice", "bob")
    follow("alice", "carol")
    follow("bob", "alice")
    assert edges("alice", "FOLLOWS") == ["bob", "carol"]
    assert edges("bob", "FOLLOWED_BY") == ["alice"] and edges("alice", "FOLLOWED_BY") == ["bob"]
    assert counts("alice", "bob", "carol") == [(2, 1), (1, 1), (0, 1)]


@check
def inverted():
    """the inverted index knows the followers without a second item"""
    found = table.query(IndexName="inverted", KeyConditionExpression=Key("sk").eq("FOLLOWS#bob"))["Items"]
    assert found == [{"pk": "USER#alice", "sk": "FOLLOWS#bob"}]


@check
def does_follow():
    """alice follows bob, bob does not follow carol"""
    assert "Item" in table.get_item(Key={"pk": "USER#alice", "sk": "FOLLOWS#bob"})
    assert "Item" not in table.get_item(Key={"pk": "USER#bob", "sk": "FOLLOWS#carol"})


@check
def twice():
    """following twice, or somebody who is not there, changes nothing"""
    assert cancelled(follow, "alice", "bob") == ["ConditionalCheckFailed", "None", "None", "None"]
    assert cancelled(follow, "alice", "nobody") == ["None", "None", "None", "ConditionalCheckFailed"]
    assert edges("alice", "FOLLOWS") == ["bob", "carol"] and counts("alice") == [(2, 1)]


@check
def unfollowing():
    """unfollowing takes both items and both counts"""
    unfollow("alice", "bob")
    assert cancelled(unfollow, "alice", "bob") == ["ConditionalCheckFailed", "None", "None", "None"]
    assert edges("alice", "FOLLOWS") == ["carol"] and edges("bob", "FOLLOWED_BY") == []
    assert counts("alice", "bob") == [(1, 1), (1, 0)]
    assert table.query(IndexName="inverted", KeyConditionExpression=Key("sk").eq("FOLLOWS#bob"))["Count"] == 0


@check
def delete():
    """the table is deleted"""
    table.delete()
    table.wait_until_not_exists()


run()
