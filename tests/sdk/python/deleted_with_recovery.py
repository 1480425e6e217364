"""DeleteTable with point-in-time recovery on: waiters do not sleep, the name is free immediately, and the backup has the table's items."""
import time

import boto3

from tap import CLIENT, check, run, unique

client = boto3.client("dynamodb", **CLIENT)
NAME = unique("recovered")
looks = []
client.meta.events.register("before-call.dynamodb.DescribeTable", lambda **_: looks.append(1))


def create(name):
    client.create_table(
        TableName=name,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
    )


def keys(name):
    pages = client.get_paginator("scan").paginate(TableName=name, ConsistentRead=True)
    return sorted(item["pk"]["S"] for page in pages for item in page["Items"])


@check
def gone_at_the_first_look():
    """the waiter looks once"""
    create(NAME)
    client.update_continuous_backups(TableName=NAME, PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})
    # 20 MB, so that the backup takes longer than the waiter's first check.
    for start in range(0, 100, 25):
        items = [{"pk": {"S": f"old-{number:03}"}, "text": {"S": "x" * 200_000}} for number in range(start, start + 25)]
        client.batch_write_item(RequestItems={NAME: [{"PutRequest": {"Item": item}} for item in items]})
    client.delete_table(TableName=NAME)
    looks.clear()
    client.get_waiter("table_not_exists").wait(TableName=NAME)
    assert len(looks) == 1, f"{len(looks)} looks, with 20 s between them"


@check
def created_again():
    """a table of the same name is another one"""
    create(NAME)
    client.put_item(TableName=NAME, Item={"pk": {"S": "new"}})
    assert keys(NAME) == ["new"]


@check
def backed_up():
    """the system's backup has what the deleted table had"""
    end = time.monotonic() + 60
    while True:
        backups = client.list_backups(TableName=NAME, BackupType="SYSTEM")["BackupSummaries"]
        assert len(backups) == 1 and time.monotonic() < end, backups
        if backups[0]["BackupStatus"] == "AVAILABLE":
            break
    target = NAME + "-restored"
    client.restore_table_from_backup(TargetTableName=target, BackupArn=backups[0]["BackupArn"])
    while client.describe_table(TableName=target)["Table"]["TableStatus"] != "ACTIVE":
        assert time.monotonic() < end
    assert keys(target) == [f"old-{number:03}" for number in range(100)]
    assert keys(NAME) == ["new"]
    client.delete_table(TableName=target)
    client.delete_table(TableName=NAME)


run()
