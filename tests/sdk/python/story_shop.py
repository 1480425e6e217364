"""A shop in one table: customers, orders with lines and status, stock, and a unique email. Every access pattern, with exact results."""
import zlib
from decimal import Decimal

import boto3
from boto3.dynamodb.conditions import Key
from botocore.exceptions import ClientError

from tap import CLIENT, check, run, unique

NAME = unique("story-shop")
dynamodb = boto3.resource("dynamodb", **CLIENT)
client, table = dynamodb.meta.client, dynamodb.Table(NAME)
STATUS_SHARDS = 4  # a single key for all pending orders of the shop would be hot

EMAIL_GUARD = "EMAIL"


def order_name(number):
    return f"{number:08d}"


def status_key(status, number):
    return f"STATUS#{status}#{zlib.crc32(order_name(number).encode()) % STATUS_SHARDS}"


def create_customer(user, name, email):
    """The guard makes the address unique: a second customer with it cancels both puts."""
    client.transact_write_items(TransactItems=[
        {"Put": {"TableName": NAME, "ConditionExpression": "attribute_not_exists(PK)", "Item": {
            "PK": f"USER#{user}", "SK": "PROFILE", "name": name, "email": email, "GSI1PK": f"EMAIL#{email}", "GSI1SK": "PROFILE"}}},
        {"Put": {"TableName": NAME, "ConditionExpression": "attribute_not_exists(PK)", "Item": {
            "PK": f"EMAIL#{email}", "SK": EMAIL_GUARD, "user": user}}},
    ])


def place_order(user, number, at, lines):
    """Writes the order, its lines, its first status and the stock: all or nothing."""
    total = sum(price * quantity for _, price, quantity in lines)
    name = order_name(number)
    actions = [
        {"Put": {"TableName": NAME, "ConditionExpression": "attribute_not_exists(PK)", "Item": {
            "PK": f"USER#{user}", "SK": f"ORDER#{at}#{name}", "order": name, "total": total, "status": "pending",
            "GSI1PK": f"ORDER#{name}", "GSI1SK": "METADATA", "GSI2PK": status_key("pending", number), "GSI2SK": f"{at}#{name}"}}},
        {"Put": {"TableName": NAME, "Item": {"PK": f"ORDER#{name}", "SK": f"STATUS#{at}#pending"}}},
    ]
    for line, (product, price, quantity) in enumerate(lines, 1):
        actions.append({"Put": {"TableName": NAME, "Item": {
            "PK": f"ORDER#{name}", "SK": f"ITEM#{line:03d}", "product": product, "price": price, "quantity": quantity}}})
        actions.append({"Update": {
            "TableName": NAME, "Key": {"PK": f"PRODUCT#{product}", "SK": "METADATA"}, "UpdateExpression": "SET stock = stock - :q",
            "ConditionExpression": "stock >= :q", "ExpressionAttributeValues": {":q": quantity}}})
    return client.transact_write_items(TransactItems=actions, ReturnConsumedCapacity="TOTAL")


def set_status(user, number, placed, at, status):
    """A new status is a new row of the order's history, and moves the order in the index."""
    client.transact_write_items(TransactItems=[
        {"Put": {"TableName": NAME, "Item": {"PK": f"ORDER#{order_name(number)}", "SK": f"STATUS#{at}#{status}"}}},
        {"Update": {
            "TableName": NAME, "Key": {"PK": f"USER#{user}", "SK": f"ORDER#{placed}#{order_name(number)}"},
            "UpdateExpression": "SET #s = :s, GSI2PK = :k", "ConditionExpression": "attribute_exists(PK)",
            "ExpressionAttributeNames": {"#s": "status"}, "ExpressionAttributeValues": {":s": status, ":k": status_key(status, number)}}},
    ])


def orders_with_status(status):
    """Returns the items of all shards of the key, merged by date."""
    found = []
    for shard in range(STATUS_SHARDS):
        found += table.query(IndexName="GSI2", KeyConditionExpression=Key("GSI2PK").eq(f"STATUS#{status}#{shard}"))["Items"]
    return [item["order"] for item in sorted(found, key=lambda item: item["GSI2SK"])]


def cancelled(call, *args):
    try:
        call(*args)
    except ClientError as error:
        assert error.response["Error"]["Code"] == "TransactionCanceledException", error
        return [reason["Code"] for reason in error.response["CancellationReasons"]]
    raise AssertionError("expected TransactionCanceledException, but it succeeded")


@check
def create():
    """one table with two overloaded indexes"""
    names = ("PK", "SK", "GSI1PK", "GSI1SK", "GSI2PK", "GSI2SK")
    dynamodb.create_table(
        TableName=NAME, BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in names],
        KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
        GlobalSecondaryIndexes=[{
            "IndexName": index, "Projection": {"ProjectionType": "ALL"},
            "KeySchema": [{"AttributeName": index + "PK", "KeyType": "HASH"}, {"AttributeName": index + "SK", "KeyType": "RANGE"}],
        } for index in ("GSI1", "GSI2")],
    ).wait_until_exists()


@check
def load():
    """customers, products and orders are loaded by transactions"""
    create_customer(42, "Ann", "ann@example.com")
    create_customer(43, "Bob", "bob@example.com")
    table.put_item(Item={"PK": "USER#42", "SK": "ADDRESS#home", "city": "Bern"})
    for product, stock in (("SKU-1", 10), ("SKU-2", 3)):
        table.put_item(Item={"PK": f"PRODUCT#{product}", "SK": "METADATA", "stock": stock})
    place_order(42, 1001, "2024-01-15T10:00:00Z", [("SKU-1", Decimal("19.99"), 2), ("SKU-2", Decimal("5"), 1)])
    place_order(42, 1002, "2024-06-30T23:59:59Z", [("SKU-1", Decimal("19.99"), 1)])
    place_order(43, 1003, "2024-02-01T08:00:00Z", [("SKU-1", Decimal("19.99"), 1)])
    place_order(42, 1004, "2024-07-01T00:00:00Z", [("SKU-1", Decimal("19.99"), 1)])


@check
def unique_email():
    """a second customer with the same address is refused whole"""
    assert cancelled(create_customer, 44, "Ann again", "ann@example.com") == ["None", "ConditionalCheckFailed"]
    assert "Item" not in table.get_item(Key={"PK": "USER#44", "SK": "PROFILE"}, ConsistentRead=True)


@check
def customer():
    """customer by id, by address, and everything about one in sort-key order"""
    assert table.get_item(Key={"PK": "USER#42", "SK": "PROFILE"})["Item"]["name"] == "Ann"
    found = table.query(IndexName="GSI1", KeyConditionExpression=Key("GSI1PK").eq("EMAIL#bob@example.com") & Key("GSI1SK").eq("PROFILE"))
    assert [item["PK"] for item in found["Items"]] == ["USER#43"]
    everything = table.query(KeyConditionExpression=Key("PK").eq("USER#42"))["Items"]
    assert [item["SK"] for item in everything] == [
        "ADDRESS#home", "ORDER#2024-01-15T10:00:00Z#00001001", "ORDER#2024-06-30T23:59:59Z#00001002",
        "ORDER#2024-07-01T00:00:00Z#00001004", "PROFILE",
    ]


@check
def orders():
    """orders newest first, the latest two, and those of a half year with its last day"""
    mine = Key("PK").eq("USER#42")
    newest = table.query(KeyConditionExpression=mine & Key("SK").begins_with("ORDER#"), ScanIndexForward=False)["Items"]
    assert [item["order"] for item in newest] == ["00001004", "00001002", "00001001"]
    latest = table.query(KeyConditionExpression=mine & Key("SK").begins_with("ORDER#"), ScanIndexForward=False, Limit=2)
    assert [item["order"] for item in latest["Items"]] == ["00001004", "00001002"] and "LastEvaluatedKey" in latest
    half = table.query(KeyConditionExpression=mine & Key("SK").between("ORDER#2024-01", "ORDER#2024-07"))["Items"]
    assert [item["order"] for item in half] == ["00001001", "00001002"]


@check
def one_order():
    """order by number, its lines, its total"""
    found = table.query(IndexName="GSI1", KeyConditionExpression=Key("GSI1PK").eq("ORDER#00001001") & Key("GSI1SK").eq("METADATA"))["Items"]
    assert [(item["PK"], item["total"]) for item in found] == [("USER#42", Decimal("44.98"))]
    lines = table.query(KeyConditionExpression=Key("PK").eq("ORDER#00001001") & Key("SK").begins_with("ITEM#"))["Items"]
    assert [(item["product"], item["quantity"]) for item in lines] == [("SKU-1", 2), ("SKU-2", 1)]


@check
def status():
    """status history in the order of time, and the index moves with the status"""
    assert orders_with_status("pending") == ["00001001", "00001003", "00001002", "00001004"]
    set_status(42, 1001, "2024-01-15T10:00:00Z", "2024-01-16T09:00:00Z", "shipped")
    set_status(42, 1001, "2024-01-15T10:00:00Z", "2024-01-18T12:00:00Z", "delivered")
    set_status(43, 1003, "2024-02-01T08:00:00Z", "2024-02-02T08:00:00Z", "shipped")
    history = table.query(KeyConditionExpression=Key("PK").eq("ORDER#00001001") & Key("SK").begins_with("STATUS#"))["Items"]
    assert [item["SK"].split("#")[2] for item in history] == ["pending", "shipped", "delivered"]
    assert orders_with_status("pending") == ["00001002", "00001004"]
    assert orders_with_status("shipped") == ["00001003"] and orders_with_status("delivered") == ["00001001"]


@check
def stock():
    """an order of more than there is leaves nothing behind, nor does one placed twice"""
    at = "2024-08-01T00:00:00Z"
    assert cancelled(place_order, 42, 1005, at, [("SKU-2", Decimal("5"), 3)]) == ["None", "None", "None", "ConditionalCheckFailed"]
    assert cancelled(place_order, 42, 1004, "2024-07-01T00:00:00Z", [("SKU-2", Decimal("5"), 1)])[0] == "ConditionalCheckFailed"
    stock_left = [table.get_item(Key={"PK": f"PRODUCT#{name}", "SK": "METADATA"}, ConsistentRead=True)["Item"]["stock"] for name in ("SKU-1", "SKU-2")]
    assert stock_left == [5, 2], stock_left
    assert table.query(KeyConditionExpression=Key("PK").eq("ORDER#00001005"))["Count"] == 0


@check
def capacity():
    """a transaction costs the table twice: order, status, line and stock, and once each for the order's two index entries"""
    answer = place_order(43, 1006, "2024-09-01T00:00:00Z", [("SKU-2", Decimal("5"), 2)])
    assert [(one["TableName"], one["CapacityUnits"]) for one in answer["ConsumedCapacity"]] == [(NAME, 10.0)], answer["ConsumedCapacity"]


@check
def delete():
    """the table is deleted"""
    table.delete()
    table.wait_until_not_exists()


run()
