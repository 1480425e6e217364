"""Posts, comments and groups in one table: counters, copied names, a sparse index of what is published, and members both ways."""
import boto3
from boto3.dynamodb.conditions import Key
from botocore.exceptions import ClientError

from tap import CLIENT, check, run, unique

NAME = unique("story-posts")
dynamodb = boto3.resource("dynamodb", **CLIENT)
client, table = dynamodb.meta.client, dynamodb.Table(NAME)


def profile(user):
    return {"pk": f"USER#{user}", "sk": "PROFILE"}


def get(**key):
    return table.get_item(Key=key, ConsistentRead=True).get("Item")


def collection(pk, prefix=None, **more):
    condition = Key("pk").eq(pk) & Key("sk").begins_with(prefix) if prefix else Key("pk").eq(pk)
    return table.query(KeyConditionExpression=condition, **more)["Items"]


def add(key, counter, amount, condition="attribute_exists(pk)"):
    """ADD counts from nothing; SET x = x + 1 would fail on the first."""
    return {"Update": {
        "TableName": NAME, "Key": key, "UpdateExpression": "ADD #c :n", "ConditionExpression": condition,
        "ExpressionAttributeNames": {"#c": counter}, "ExpressionAttributeValues": {":n": amount}}}


def put(item, condition="attribute_not_exists(pk)"):
    return {"Put": {"TableName": NAME, "Item": item, "ConditionExpression": condition}}


def write_post(user, post, at, title):
    client.transact_write_items(TransactItems=[
        put({"pk": f"USER#{user}", "sk": f"POST#{at}#{post}", "post": post, "title": title}),
        put({"pk": f"POST#{post}", "sk": "METADATA", "user": user, "at": at, "title": title}),
        add(profile(user), "posts", 1),
    ])


def comment(post, user, at, comment_name, text):
    client.transact_write_items(TransactItems=[
        put({"pk": f"POST#{post}", "sk": f"COMMENT#{at}#{comment_name}", "user": user, "userName": get(**profile(user))["name"], "text": text,
             "gsi1pk": f"BY#{user}", "gsi1sk": f"{at}#{comment_name}"}),
        add({"pk": f"POST#{post}", "sk": "METADATA"}, "comments", 1),
    ])


def rename(user, name):
    """Each comment and membership has the name, too; all of them change together."""
    comments = table.query(IndexName="gsi1", KeyConditionExpression=Key("gsi1pk").eq(f"BY#{user}"))["Items"]
    groups = [{"pk": f"GROUP#{item['group']}", "sk": f"USER#{user}"} for item in collection(f"USER#{user}", "GROUP#")]
    places = [(profile(user), "name")] + [({"pk": one["pk"], "sk": one["sk"]}, "userName") for one in comments + groups]
    client.transact_write_items(TransactItems=[{"Update": {
        "TableName": NAME, "Key": key, "UpdateExpression": "SET #n = :n", "ConditionExpression": "attribute_exists(pk)",
        "ExpressionAttributeNames": {"#n": attribute}, "ExpressionAttributeValues": {":n": name}}} for key, attribute in places])


def join(user, group, role):
    client.transact_write_items(TransactItems=[
        put({"pk": f"USER#{user}", "sk": f"GROUP#{group}", "group": group, "groupName": get(pk=f"GROUP#{group}", sk="METADATA")["name"], "role": role}),
        put({"pk": f"GROUP#{group}", "sk": f"USER#{user}", "userName": get(**profile(user))["name"], "role": role}),
        add({"pk": f"GROUP#{group}", "sk": "METADATA"}, "members", 1),
    ])


def leave(user, group):
    client.transact_write_items(TransactItems=[
        {"Delete": {"TableName": NAME, "Key": {"pk": f"USER#{user}", "sk": f"GROUP#{group}"}, "ConditionExpression": "attribute_exists(pk)"}},
        {"Delete": {"TableName": NAME, "Key": {"pk": f"GROUP#{group}", "sk": f"USER#{user}"}}},
        add({"pk": f"GROUP#{group}", "sk": "METADATA"}, "members", -1, "members > :n"),
    ])


def cancelled(call, *args):
    try:
        call(*args)
    except ClientError as error:
        assert error.response["Error"]["Code"] == "TransactionCanceledException", error
        return [reason["Code"] for reason in error.response["CancellationReasons"]]
    raise AssertionError("expected TransactionCanceledException, but it succeeded")


@check
def create():
    """one table with one index for comments by author and published posts"""
    dynamodb.create_table(
        TableName=NAME, BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "gsi1pk", "gsi1sk")],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        GlobalSecondaryIndexes=[{
            "IndexName": "gsi1", "Projection": {"ProjectionType": "KEYS_ONLY"},
            "KeySchema": [{"AttributeName": "gsi1pk", "KeyType": "HASH"}, {"AttributeName": "gsi1sk", "KeyType": "RANGE"}],
        }],
    ).wait_until_exists()
    for user, name in (("jane", "Jane"), ("john", "John"), ("kim", "Kim")):
        table.put_item(Item={**profile(user), "name": name})


@check
def posts():
    """posts of a user, newest first, counted from the first on"""
    write_post("john", "p1", "2025-01-02T10:30:00Z", "First")
    write_post("john", "p2", "2025-01-03T09:00:00Z", "Second")
    write_post("jane", "p3", "2025-01-04T09:00:00Z", "Third")
    assert [item["title"] for item in collection("USER#john", "POST#", ScanIndexForward=False)] == ["Second", "First"]
    assert (get(**profile("john"))["posts"], get(**profile("jane"))["posts"]) == (2, 1)
    assert cancelled(write_post, "john", "p1", "2025-01-02T10:30:00Z", "Again") == ["ConditionalCheckFailed", "ConditionalCheckFailed", "None"]
    assert cancelled(write_post, "nobody", "p9", "2025-01-02T10:30:00Z", "Ghost") == ["None", "None", "ConditionalCheckFailed"]
    assert get(**profile("john"))["posts"] == 2 and get(pk="POST#p9", sk="METADATA") is None


@check
def comments():
    """a post with its comments by its key alone, comments in the order of time"""
    comment("p1", "kim", "2025-01-02T12:00:00Z", "c2", "Second!")
    comment("p1", "jane", "2025-01-02T11:00:00Z", "c1", "Great post!")
    comment("p1", "jane", "2025-01-02T13:00:00Z", "c3", "Still great")
    found = collection("POST#p1")
    assert [item["sk"].split("#")[-1] for item in found] == ["c1", "c2", "c3", "METADATA"]
    assert [item["userName"] for item in found[:3]] == ["Jane", "Kim", "Jane"] and found[3]["comments"] == 3
    latest = collection("POST#p1", "COMMENT#", ScanIndexForward=False, Limit=1)
    assert [item["text"] for item in latest] == ["Still great"]


@check
def published():
    """the index holds what is published; taking the attribute away takes the post out"""
    def publish(post, at):
        table.update_item(
            Key={"pk": f"POST#{post}", "sk": "METADATA"}, UpdateExpression="SET gsi1pk = :p, gsi1sk = :at",
            ExpressionAttributeValues={":p": f"PUBLISHED#{at[:7]}", ":at": at})

    def listed():
        return [item["pk"] for item in table.query(IndexName="gsi1", KeyConditionExpression=Key("gsi1pk").eq("PUBLISHED#2025-01"))["Items"]]

    publish("p2", "2025-01-03T09:00:00Z")
    publish("p1", "2025-01-02T10:30:00Z")
    assert listed() == ["POST#p1", "POST#p2"]
    table.update_item(Key={"pk": "POST#p1", "sk": "METADATA"}, UpdateExpression="REMOVE gsi1pk, gsi1sk")
    assert listed() == ["POST#p2"]
    shown = table.query(IndexName="gsi1", KeyConditionExpression=Key("gsi1pk").eq("PUBLISHED#2025-01"))["Items"][0]
    assert set(shown) == {"pk", "sk", "gsi1pk", "gsi1sk"}


@check
def groups():
    """members of a group, groups of a user, and whether one is in the other"""
    for group, name in (("dev", "Developers"), ("ops", "Operators")):
        table.put_item(Item={"pk": f"GROUP#{group}", "sk": "METADATA", "name": name, "members": 0})
    join("jane", "dev", "admin")
    join("john", "dev", "member")
    join("jane", "ops", "member")
    assert [(item["groupName"], item["role"]) for item in collection("USER#jane", "GROUP#")] == [("Developers", "admin"), ("Operators", "member")]
    assert [item["userName"] for item in collection("GROUP#dev", "USER#")] == ["Jane", "John"]
    assert get(pk="USER#john", sk="GROUP#dev")["role"] == "member" and get(pk="USER#john", sk="GROUP#ops") is None
    assert cancelled(join, "jane", "dev", "member") == ["ConditionalCheckFailed", "ConditionalCheckFailed", "None"]
    assert get(pk="GROUP#dev", sk="METADATA")["members"] == 2
    leave("john", "dev")
    assert cancelled(leave, "john", "dev")[0] == "ConditionalCheckFailed"
    assert get(pk="GROUP#dev", sk="METADATA")["members"] == 1 and collection("USER#john", "GROUP#") == []


@check
def renamed():
    """a new name appears everywhere at once"""
    rename("jane", "Janet")
    assert [item["userName"] for item in collection("POST#p1", "COMMENT#")] == ["Janet", "Kim", "Janet"]
    assert [item["userName"] for item in collection("GROUP#ops", "USER#")] == ["Janet"]
    assert get(**profile("jane"))["name"] == "Janet"


@check
def delete():
    """the table is deleted"""
    table.delete()
    table.wait_until_not_exists()


run()
