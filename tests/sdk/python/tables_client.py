"""boto3's client interface: table settings, paginators, waiters, consumed capacity, legacy parameters, compressed requests."""
import boto3

from tap import CLIENT, check, run, unique

client = boto3.client("dynamodb", **CLIENT)
NAME = unique("client")


def key(pk, sk):
    return {"pk": {"S": pk}, "sk": {"N": str(sk)}}


@check
def create():
    """a table with its settings is described as asked"""
    client.create_table(
        TableName=NAME,
        BillingMode="PROVISIONED",
        ProvisionedThroughput={"ReadCapacityUnits": 3, "WriteCapacityUnits": 4},
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "N"}],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
        SSESpecification={"Enabled": False},
        Tags=[{"Key": "owner", "Value": "me"}],
    )
    client.get_waiter("table_exists").wait(TableName=NAME, WaiterConfig={"Delay": 1, "MaxAttempts": 30})
    table = client.describe_table(TableName=NAME)["Table"]
    assert table["ProvisionedThroughput"]["WriteCapacityUnits"] == 4
    assert table["LatestStreamArn"].startswith(table["TableArn"] + "/stream/")
    assert client.list_tags_of_resource(ResourceArn=table["TableArn"])["Tags"] == [{"Key": "owner", "Value": "me"}]


@check
def by_arn():
    """the ARN is as good as the name"""
    arn = client.describe_table(TableName=NAME)["Table"]["TableArn"]
    client.put_item(TableName=arn, Item={**key("arn", 1), "x": {"BOOL": True}})
    assert client.get_item(TableName=NAME, Key=key("arn", 1), ConsistentRead=True)["Item"]["x"] == {"BOOL": True}


@check
def billing():
    """a provisioned table becomes on-demand, and protected"""
    client.update_table(TableName=NAME, BillingMode="PAY_PER_REQUEST")
    client.get_waiter("table_exists").wait(TableName=NAME, WaiterConfig={"Delay": 1, "MaxAttempts": 30})
    client.update_table(TableName=NAME, DeletionProtectionEnabled=True) if _knows_protection() else None
    table = client.describe_table(TableName=NAME)["Table"]
    assert table["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"


def _knows_protection():
    """Debian's botocore is older than this setting."""
    shape = client.meta.service_model.operation_model("UpdateTable").input_shape
    return "DeletionProtectionEnabled" in shape.members


@check
def paginators():
    """query and scan paginators see everything once"""
    for at in range(0, 200, 25):
        puts = [{"PutRequest": {"Item": {**key(f"p{i % 2}", i), "x": {"S": "y" * i}}}} for i in range(at, at + 25)]
        rest = {NAME: puts}
        while rest:
            rest = client.batch_write_item(RequestItems=rest)["UnprocessedItems"]
    pages = client.get_paginator("query").paginate(
        TableName=NAME, KeyConditionExpression="pk = :p", ExpressionAttributeValues={":p": {"S": "p1"}},
        PaginationConfig={"PageSize": 9},
    )
    found = [int(item["sk"]["N"]) for page in pages for item in page["Items"]]
    assert found == list(range(1, 200, 2))
    scanned = client.get_paginator("scan").paginate(TableName=NAME, Select="COUNT", PaginationConfig={"PageSize": 17})
    assert sum(page["Count"] for page in scanned) == 201
    names = [name for page in client.get_paginator("list_tables").paginate(PaginationConfig={"PageSize": 1}) for name in page["TableNames"]]
    assert NAME in names and len(set(names)) == len(names)


@check
def capacity():
    """consumed capacity of reads and writes"""
    answer = client.put_item(TableName=NAME, Item={**key("cap", 1), "x": {"S": "x" * 3000}}, ReturnConsumedCapacity="TOTAL")
    assert answer["ConsumedCapacity"] == {"TableName": NAME, "CapacityUnits": 3.0}
    query = {
        "TableName": NAME, "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "cap"}},
        "ReturnConsumedCapacity": "INDEXES",
    }
    assert client.query(**query)["ConsumedCapacity"] == {"TableName": NAME, "CapacityUnits": 0.5, "Table": {"CapacityUnits": 0.5}}
    assert client.query(**query, ConsistentRead=True)["ConsumedCapacity"]["CapacityUnits"] == 1.0
    deleted = client.delete_item(TableName=NAME, Key=key("cap", 1), ReturnConsumedCapacity="TOTAL")
    assert deleted["ConsumedCapacity"]["CapacityUnits"] == 3.0


@check
def legacy():
    """the parameters from before expressions"""
    client.put_item(TableName=NAME, Item={**key("old", 1), "n": {"N": "1"}})
    client.update_item(
        TableName=NAME, Key=key("old", 1), AttributeUpdates={"n": {"Action": "ADD", "Value": {"N": "2"}}},
        Expected={"n": {"ComparisonOperator": "LT", "AttributeValueList": [{"N": "5"}]}},
    )
    found = client.query(
        TableName=NAME, KeyConditions={"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "old"}]}},
        QueryFilter={"n": {"ComparisonOperator": "EQ", "AttributeValueList": [{"N": "3"}]}}, AttributesToGet=["n"],
    )
    assert found["Items"] == [{"n": {"N": "3"}}]


@check
def errors():
    """errors are the client's own exception classes"""
    for error, call in (
        (client.exceptions.ResourceInUseException, lambda: client.create_table(
            TableName=NAME, BillingMode="PAY_PER_REQUEST", AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}])),
        (client.exceptions.ResourceNotFoundException, lambda: client.describe_table(TableName=NAME + ".none")),
        (client.exceptions.ConditionalCheckFailedException, lambda: client.delete_item(
            TableName=NAME, Key=key("none", 1), ConditionExpression="attribute_exists(pk)")),
    ):
        try:
            call()
        except error:
            continue
        raise AssertionError(f"expected {error.__name__}")


@check
def large():
    """a 400 KB item fits, one byte more does not"""
    size = 409600 - len("pksk") - len("big") - 2 - len("x")
    client.put_item(TableName=NAME, Item={**key("big", 1), "x": {"S": "x" * size}})
    assert len(client.get_item(TableName=NAME, Key=key("big", 1), ConsistentRead=True)["Item"]["x"]["S"]) == size
    try:
        client.put_item(TableName=NAME, Item={**key("big", 1), "x": {"S": "x" * (size + 1)}})
    except client.exceptions.ClientError as error:
        assert error.response["Error"]["Message"] == "Item size has exceeded the maximum allowed size"
    else:
        raise AssertionError("an item of 409,601 bytes was accepted")


@check
def delete():
    """the table is deleted and waited for"""
    if _knows_protection():
        client.update_table(TableName=NAME, DeletionProtectionEnabled=False)
    client.delete_table(TableName=NAME)
    client.get_waiter("table_not_exists").wait(TableName=NAME, WaiterConfig={"Delay": 1, "MaxAttempts": 30})


run()
