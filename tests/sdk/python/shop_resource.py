"""boto3's resource interface: a shop in one table, with conditions built from Key and Attr, batch_writer, Decimal and sets."""
from decimal import Decimal

import boto3
from boto3.dynamodb.conditions import Attr, Key
from boto3.dynamodb.types import Binary
from botocore.exceptions import ClientError

from tap import CLIENT, check, run, unique

dynamodb = boto3.resource("dynamodb", **CLIENT)
NAME = unique("shop-resource")
table = dynamodb.Table(NAME)


def refused(code, call, *args, **kwargs):
    try:
        call(*args, **kwargs)
    except ClientError as error:
        assert error.response["Error"]["Code"] == code, error
        return error.response
    raise AssertionError(f"expected {code}, but it succeeded")


@check
def create():
    """a table with two indexes is created and waited for"""
    made = dynamodb.create_table(
        TableName=NAME,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[
            {"AttributeName": name, "AttributeType": kind}
            for name, kind in (("pk", "S"), ("sk", "S"), ("city", "S"), ("total", "N"))
        ],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        GlobalSecondaryIndexes=[
            {
                "IndexName": "by_city",
                "KeySchema": [{"AttributeName": "city", "KeyType": "HASH"}, {"AttributeName": "total", "KeyType": "RANGE"}],
                "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["note"]},
            }
        ],
        LocalSecondaryIndexes=[
            {
                "IndexName": "by_total",
                "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "total", "KeyType": "RANGE"}],
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            }
        ],
    )
    made.wait_until_exists()
    made.reload()
    assert made.table_status == "ACTIVE" and made.item_count == 0
    assert {index["IndexName"] for index in made.global_secondary_indexes} == {"by_city"}


@check
def all_types():
    """every type comes back equal"""
    item = {
        "pk": "types", "sk": "1", "text": "Zoë 🙂", "empty": "", "number": Decimal("-0.1234567890123456789012345678901234567"),
        "big": Decimal("123456789E+20"), "yes": True, "no": False, "null": None, "list": [1, "a", [None]], "map": {"a": {"b": []}},
        "strings": {"a", "b"}, "numbers": {Decimal("1"), Decimal("2.5")}, "bytes": Binary(bytes(range(256))),
        "blobs": {Binary(b"a"), Binary(b"\0\xff")},
    }
    table.put_item(Item=item)
    assert table.get_item(Key={"pk": "types", "sk": "1"}, ConsistentRead=True)["Item"] == item


@check
def batch():
    """batch_writer writes a hundred orders, the last of equal keys wins"""
    with table.batch_writer(overwrite_by_pkeys=["pk", "sk"]) as writer:
        for i in range(100):
            city = ("Bern", "Basel", "Chur")[i % 3]
            writer.put_item(Item={"pk": f"c{i % 5}", "sk": f"o{i:03}", "city": city, "total": i, "note": f"n{i}", "hidden": i})
        writer.put_item(Item={"pk": "c0", "sk": "o000", "city": "Bern", "total": 1000, "note": "again"})
    assert table.get_item(Key={"pk": "c0", "sk": "o000"}, ConsistentRead=True)["Item"]["total"] == 1000


@check
def query():
    """queries by key conditions, both ways, paged by hand"""
    condition = Key("pk").eq("c1") & Key("sk").between("o010", "o050")
    whole = table.query(KeyConditionExpression=condition)["Items"]
    assert [item["sk"] for item in whole] == [f"o{i:03}" for i in range(11, 51, 5)]
    found, start = [], {}
    while True:
        page = table.query(KeyConditionExpression=condition, ScanIndexForward=False, Limit=3, **start)
        found += page["Items"]
        if "LastEvaluatedKey" not in page:
            break
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
    assert found == whole[::-1]


@check
def indexes():
    """indexes are sorted by number and hold what they project"""
    found = table.query(IndexName="by_city", KeyConditionExpression=Key("city").eq("Bern") & Key("total").gte(90))["Items"]
    assert [item["total"] for item in found] == [90, 93, 96, 99, 1000], found
    assert set(found[0]) == {"pk", "sk", "city", "total", "note"}
    local = table.query(IndexName="by_total", KeyConditionExpression=Key("pk").eq("c2") & Key("total").lt(20), ConsistentRead=True)
    assert [item["total"] for item in local["Items"]] == [2, 7, 12, 17]
    assert set(local["Items"][0]) == {"pk", "sk", "total"}


@check
def filters():
    """filters combine, and count what they dropped"""
    wanted = (Attr("city").is_in(["Bern", "Chur"]) & Attr("total").lt(50) & ~Attr("note").begins_with("n1")) | Attr("note").contains("gai")
    found = table.scan(FilterExpression=wanted, ConsistentRead=True)
    expected = [i for i in range(1, 50) if i % 3 != 1 and not f"n{i}".startswith("n1")]
    assert sorted(item["total"] for item in found["Items"]) == expected + [1000]
    assert found["ScannedCount"] == 101
    sizes = table.scan(FilterExpression=Attr("strings").size().eq(2) & Attr("null").attribute_type("NULL"))
    assert sizes["Count"] == 1


@check
def update():
    """an update sets, adds, removes and appends in one go"""
    key = {"pk": "types", "sk": "1"}
    answer = table.update_item(
        Key=key,
        UpdateExpression="SET #l = list_append(#l, :more), #m.a.c = if_not_exists(#m.a.c, :zero) + :one "
        "ADD #n :one, strings :c DELETE numbers :two REMOVE #t, blobs",
        ExpressionAttributeNames={"#l": "list", "#m": "map", "#n": "counter", "#t": "text"},
        ExpressionAttributeValues={":more": ["x"], ":zero": 0, ":one": 1, ":c": {"c"}, ":two": {Decimal("2.5")}},
        ReturnValues="ALL_NEW",
    )["Attributes"]
    assert answer["list"] == [1, "a", [None], "x"] and answer["map"] == {"a": {"b": [], "c": 1}}
    assert answer["counter"] == 1 and answer["strings"] == {"a", "b", "c"} and answer["numbers"] == {1}
    assert "text" not in answer and "blobs" not in answer


@check
def conditions():
    """a failed condition is its own error and changes nothing"""
    key = {"pk": "c1", "sk": "o001"}
    refused(
        "ConditionalCheckFailedException", table.update_item, Key=key, UpdateExpression="SET city = :x",
        ConditionExpression=Attr("total").gt(5), ExpressionAttributeValues={":x": "Rome"},
    )
    assert table.get_item(Key=key, ConsistentRead=True)["Item"]["city"] == "Basel"
    refused("ConditionalCheckFailedException", table.put_item, Item=key, ConditionExpression=Attr("pk").not_exists())
    table.delete_item(Key=key, ConditionExpression=Attr("city").eq("Basel"))
    assert "Item" not in table.get_item(Key=key, ConsistentRead=True)


@check
def validation():
    """what DynamoDB refuses is refused in its words"""
    answer = refused("ValidationException", table.put_item, Item={"pk": "a"})
    assert answer["Error"]["Message"] == "One or more parameter values were invalid: Missing the key sk in the item"
    answer = refused("ValidationException", table.put_item, Item={"pk": 1, "sk": "a"})
    assert answer["Error"]["Message"].endswith("Type mismatch for key pk expected: S actual: N")
    answer = refused("ValidationException", table.get_item, Key={"pk": "", "sk": "a"})
    assert "empty string value" in answer["Error"]["Message"]
    assert answer["ResponseMetadata"]["HTTPStatusCode"] == 400
    refused("ResourceNotFoundException", dynamodb.Table(NAME + ".none").get_item, Key={"pk": "a", "sk": "b"})


@check
def batch_get():
    """batch_get_item answers what is there, with UnprocessedKeys asked for again"""
    keys = [{"pk": f"c{i % 5}", "sk": f"o{i:03}"} for i in range(2, 60)]
    request, found = {NAME: {"Keys": keys, "ConsistentRead": True}}, []
    while request:
        answer = dynamodb.batch_get_item(RequestItems=request)
        found += answer["Responses"][NAME]
        request = answer["UnprocessedKeys"]
    assert sorted(item["sk"] for item in found) == [key["sk"] for key in keys]


@check
def delete():
    """the table is deleted and waited for"""
    table.delete()
    table.wait_until_not_exists()


run()
