"""Sessions that expire: TTL in epoch seconds, an index per user, and the stream that shows who was signed out."""
import boto3
from boto3.dynamodb.conditions import Attr, Key

from tap import CLIENT, check, database_time, run, unique

NAME = unique("story-sessions")
DAY_S = 24 * 60 * 60
dynamodb = boto3.resource("dynamodb", **CLIENT)
client, table, streams = dynamodb.meta.client, dynamodb.Table(NAME), boto3.client("dynamodbstreams", **CLIENT)
now = int(database_time())


def session(name, user, expires, **more):
    return {"pk": f"SESSION#{name}", "sk": f"SESSION#{name}", "gsi1pk": f"USER#{user}", "gsi1sk": f"SESSION#{name}", "ttl": expires, **more}


def sessions_of(user, at):
    """Expired sessions may still exist, so the query filters by time."""
    found = table.query(IndexName="gsi1", KeyConditionExpression=Key("gsi1pk").eq(f"USER#{user}"), FilterExpression=Attr("ttl").gt(at))
    return [item["pk"].split("#")[1] for item in found["Items"]]


def stored():
    return sorted(item["pk"].split("#")[1] for item in table.scan(ConsistentRead=True)["Items"])


def records():
    arn = client.describe_table(TableName=NAME)["Table"]["LatestStreamArn"]
    found = []
    for shard in streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]:
        iterator = streams.get_shard_iterator(StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
        found += streams.get_records(ShardIterator=iterator)["Records"]
    return found


@check
def create():
    """a table with a stream and TTL"""
    dynamodb.create_table(
        TableName=NAME, BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "gsi1pk", "gsi1sk")],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        GlobalSecondaryIndexes=[{
            "IndexName": "gsi1", "Projection": {"ProjectionType": "ALL"},
            "KeySchema": [{"AttributeName": "gsi1pk", "KeyType": "HASH"}, {"AttributeName": "gsi1sk", "KeyType": "RANGE"}],
        }],
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
    ).wait_until_exists()
    client.update_time_to_live(TableName=NAME, TimeToLiveSpecification={"Enabled": True, "AttributeName": "ttl"})
    assert client.describe_time_to_live(TableName=NAME)["TimeToLiveDescription"]["AttributeName"] == "ttl"


@check
def load():
    """sessions of an hour, a day and a month, and some whose ttl means nothing"""
    with table.batch_writer() as batch:
        batch.put_item(Item=session("hour", "ann", now + 3600, ip="::1"))
        batch.put_item(Item=session("day", "ann", now + DAY_S))
        batch.put_item(Item=session("month", "bob", now + 30 * DAY_S))
        batch.put_item(Item=session("text", "bob", str(now + 3600)))
        batch.put_item(Item=session("millis", "bob", (now + 3600) * 1000))
        batch.put_item(Item=session("ancient", "bob", now - 6 * 366 * DAY_S))
        batch.put_item(Item={"pk": "SESSION#forever", "sk": "SESSION#forever"})
    assert sessions_of("ann", now) == ["day", "hour"]


@check
def renewed():
    """a session that is used lives on"""
    table.update_item(
        Key={"pk": "SESSION#day", "sk": "SESSION#day"}, UpdateExpression="SET #t = :t", ConditionExpression="#t > :now",
        ExpressionAttributeNames={"#t": "ttl"}, ExpressionAttributeValues={":t": now + 2 * DAY_S, ":now": now})
    assert sessions_of("ann", now + DAY_S) == ["day"]


@check
def expired():
    """when their time has come they are gone, from the index too"""
    database_time(advance=3700)
    assert stored() == ["ancient", "day", "forever", "millis", "month", "text"]
    assert sessions_of("ann", 0) == ["day"]
    database_time(advance=3 * DAY_S)
    assert stored() == ["ancient", "forever", "millis", "month", "text"]
    assert sessions_of("ann", 0) == []


@check
def reported():
    """the stream says that the service removed them, and what they were"""
    by_service = [one for one in records() if one["eventName"] == "REMOVE"]
    # A day of the stream has passed since the first was removed.
    assert [one["dynamodb"]["Keys"]["pk"]["S"] for one in by_service][-1:] == ["SESSION#day"]
    for one in by_service:
        assert one["userIdentity"] == {"PrincipalId": "dynamodb.amazonaws.com", "Type": "Service"}, one
        assert "NewImage" not in one["dynamodb"] and "OldImage" in one["dynamodb"]


@check
def signed_out():
    """a delete by hand is not the service's"""
    table.delete_item(Key={"pk": "SESSION#month", "sk": "SESSION#month"})
    last = [one for one in records() if one["dynamodb"]["Keys"]["pk"]["S"] == "SESSION#month"][-1]
    assert last["eventName"] == "REMOVE" and "userIdentity" not in last


@check
def turned_off():
    """with TTL off nothing expires"""
    client.update_time_to_live(TableName=NAME, TimeToLiveSpecification={"Enabled": False, "AttributeName": "ttl"})
    later = int(database_time())
    table.put_item(Item=session("late", "ann", later + 60))
    database_time(advance=3600)
    assert "late" in stored()


@check
def delete():
    """the table is deleted"""
    table.delete()
    table.wait_until_not_exists()


run()
