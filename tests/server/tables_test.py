"""Tests options that affect tables: --table-delay-ms, --index-delay-ms, --init, --allow-reset."""
import json

from program import expect, expect_in, table_request, until

DELAY_MS = 2500
NEW_INDEX = {
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "g", "AttributeType": "S"}],
    "GlobalSecondaryIndexUpdates": [
        {"Create": {"IndexName": "by_g", "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}}
    ],
}


def index_status(client):
    indexes = client.ok("DescribeTable", {"TableName": "things"})["Table"].get("GlobalSecondaryIndexes", [])
    return indexes[0]["IndexStatus"] if indexes else None


def test_without_a_delay_tables_change_at_once(place):
    client = place.serve().client()
    expect(client.create()["TableStatus"], "CREATING", "the answer, as on AWS")
    expect(client.status_of(), "ACTIVE")
    expect(client.put("a", g={"S": "x"}).status, 200)
    expect(client.ok("UpdateTable", {"TableName": "things", **NEW_INDEX})["TableDescription"]["TableStatus"], "UPDATING")
    until("the index is ACTIVE", lambda: index_status(client) == "ACTIVE")
    expect(client.ok("DeleteTable", {"TableName": "things"})["TableDescription"]["TableStatus"], "DELETING")
    expect(client.status_of(), "ResourceNotFoundException")


def test_table_delay(place):
    client = place.serve("--table-delay-ms", DELAY_MS).client()
    expect(client.create()["TableStatus"], "CREATING")
    expect(client.status_of(), "CREATING")
    expect(client.put("a").error, "ResourceNotFoundException", "PutItem while CREATING")
    expect(client.call("GetItem", {"TableName": "things", "Key": {"pk": {"S": "a"}}}).error, "ResourceNotFoundException")
    expect(client.call("Scan", {"TableName": "things"}).error, "ResourceNotFoundException")
    expect(client.call("DeleteTable", {"TableName": "things"}).error, "ResourceInUseException", "DeleteTable while CREATING")
    until("ACTIVE", lambda: client.status_of() == "ACTIVE")
    expect(client.put("a", g={"S": "x"}).status, 200)

    expect(client.ok("UpdateTable", {"TableName": "things", **NEW_INDEX})["TableDescription"]["TableStatus"], "UPDATING")
    expect((client.status_of(), index_status(client)), ("UPDATING", "CREATING"))
    expect(client.put("b", g={"S": "x"}).status, 200, "PutItem while UPDATING")
    expect(client.call("UpdateTable", {"TableName": "things", "DeletionProtectionEnabled": True}).error, "ResourceInUseException")
    until("ACTIVE again", lambda: (client.status_of(), index_status(client)) == ("ACTIVE", "ACTIVE"))
    query = {"TableName": "things", "IndexName": "by_g", "KeyConditionExpression": "g = :g", "ExpressionAttributeValues": {":g": {"S": "x"}}}
    expect(client.ok("Query", query)["Count"], 2, "items in the new index")

    expect(client.ok("DeleteTable", {"TableName": "things"})["TableDescription"]["TableStatus"], "DELETING")
    expect(client.status_of(), "DELETING")
    expect(client.put("c").error, "ResourceNotFoundException", "PutItem while DELETING")
    expect(client.call("CreateTable", table_request("things")).error, "ResourceInUseException", "CreateTable while DELETING")
    until("gone", lambda: client.status_of() == "ResourceNotFoundException")
    expect(client.create()["TableStatus"], "CREATING")


def test_index_delay(place):
    """As with DynamoDB Local's -delayTransientStatuses: tables can be used at once, indexes cannot."""
    client = place.serve("--index-delay-ms", DELAY_MS).client()
    client.create()
    expect(client.status_of(), "ACTIVE")
    expect(client.put("a", g={"S": "x"}).status, 200)
    client.ok("UpdateTable", {"TableName": "things", "DeletionProtectionEnabled": True})
    expect(client.status_of(), "ACTIVE")
    client.ok("UpdateTable", {"TableName": "things", "DeletionProtectionEnabled": False})
    client.ok("UpdateTable", {"TableName": "things", **NEW_INDEX})
    expect((client.status_of(), index_status(client)), ("UPDATING", "CREATING"))
    until("ACTIVE again", lambda: (client.status_of(), index_status(client)) == ("ACTIVE", "ACTIVE"))
    client.ok("DeleteTable", {"TableName": "things"})
    expect(client.status_of(), "ResourceNotFoundException")


def test_deleted_with_recovery_and_killed(place):
    """The name is free immediately, another table may use it, and the final backup survives a kill."""
    program = place.serve(data="data")
    client = program.client()
    client.create()
    recovery = {"TableName": "things", "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True}}
    client.ok("UpdateContinuousBackups", recovery)
    for number in range(40):
        expect(client.put(f"old-{number}", text={"S": "x" * 300_000}).status, 200)
    client.ok("DeleteTable", {"TableName": "things"})
    expect(client.status_of(), "ResourceNotFoundException")
    client.create()
    expect(client.put("new").status, 200)
    program.kill()
    client = place.serve(data="data").client()
    expect(client.ok("Scan", {"TableName": "things"})["Items"], [{"pk": {"S": "new"}}])

    def backup():
        backups = client.ok("ListBackups", {"BackupType": "SYSTEM"})["BackupSummaries"]
        expect(len(backups), 1, "backups")
        return backups[0]["BackupStatus"] == "AVAILABLE" and backups[0]["BackupArn"]

    restore = {"TargetTableName": "restored", "BackupArn": until("the backup is AVAILABLE", backup, 60.0)}
    client.ok("RestoreTableFromBackup", restore)
    until("it is restored", lambda: client.status_of("restored") == "ACTIVE", 60.0)
    keys = client.ok("Scan", {"TableName": "restored", "ProjectionExpression": "pk", "Select": "SPECIFIC_ATTRIBUTES"})
    while "LastEvaluatedKey" in keys:
        start = {"TableName": "restored", "ProjectionExpression": "pk", "ExclusiveStartKey": keys["LastEvaluatedKey"]}
        more = client.ok("Scan", start)
        keys = {**more, "Items": keys["Items"] + more["Items"]}
    expect(sorted(item["pk"]["S"] for item in keys["Items"]), sorted(f"old-{number}" for number in range(40)))
    expect(client.ok("Scan", {"TableName": "things"})["Count"], 1)


INIT = {
    "tables": [table_request("users"), {**table_request("orders"), "DeletionProtectionEnabled": True}],
    "items": {"users": [{"pk": {"S": "ann"}, "n": {"N": "1"}}, {"pk": {"S": "bob"}}]},
}


def test_init(place):
    data, file = place.path("d"), place.write("init.json", INIT)
    program = place.serve("--init", file, data=data)
    client = program.client()
    expect(client.ok("ListTables")["TableNames"], ["orders", "users"])
    expect(client.item("ann", "users"), {"pk": {"S": "ann"}, "n": {"N": "1"}})
    client.ok("DeleteItem", {"TableName": "users", "Key": {"pk": {"S": "ann"}}})
    expect(client.put("cid", "users").status, 200)
    expect(program.stop(), 0)
    more = {**INIT, "tables": [*INIT["tables"], table_request("later")], "items": {**INIT["items"], "later": [{"pk": {"S": "x"}}]}}
    program = place.serve("--init", place.write("init.json", more), data=data)
    client = program.client()
    expect(client.ok("ListTables")["TableNames"], ["later", "orders", "users"])
    expect(client.item("ann", "users"), None, "an item deleted since")
    expect((client.item("bob", "users"), client.item("cid", "users")), ({"pk": {"S": "bob"}}, {"pk": {"S": "cid"}}))
    expect(client.item("x", "later"), {"pk": {"S": "x"}})


def test_init_survives_a_kill(place):
    data, file = place.path("d"), place.write("init.json", INIT)
    place.serve("--init", file, data=data).kill()
    client = place.serve("--init", file, data=data).client()
    expect(client.item("bob", "users"), {"pk": {"S": "bob"}})


def test_init_does_not_wait_for_the_table_delay(place):
    client = place.serve("--init", place.write("init.json", INIT), "--table-delay-ms", "60000").client()
    expect(client.status_of("users"), "ACTIVE")
    expect(client.item("bob", "users"), {"pk": {"S": "bob"}})
    client.create()
    expect(client.status_of(), "CREATING")


def test_init_faults_name_the_file_and_leave_no_half(place):
    bad_item, no_key, no_table = {"pk": {"S": "a"}, "n": {"N": "one"}}, {"x": {"S": "a"}}, {"absent": []}
    bad_table = {**table_request("users"), "KeySchema": []}
    for content, part in (
        ("", "init.json"),
        ("{", "not a JSON object"),
        ("[]", "not a JSON object"),
        ({"tabels": []}, "tabels"),
        ({"tables": {}}, "tables"),
        ({"tables": [{}]}, "TableName"),
        ({"tables": [bad_table]}, "users"),
        ({**INIT, "items": []}, "items"),
        ({**INIT, "items": no_table}, "absent"),
        ({**INIT, "items": {"users": {}}}, "users"),
        ({**INIT, "items": {"users": [INIT["items"]["users"][0], 5]}}, "users"),
        ({**INIT, "items": {"users": [INIT["items"]["users"][0], bad_item]}}, "users"),
        ({**INIT, "items": {"users": [no_key]}}, "users"),
    ):
        file = place.write("init.json", content)
        line = place.refused(2, part, "serve", "--port", "0", "--data", place.path("d"), "--init", file)
        expect_in("init.json", line)
    client = place.serve("--init", place.write("init.json", INIT), data=place.path("d")).client()
    expect(client.item("ann", "users"), {"pk": {"S": "ann"}, "n": {"N": "1"}}, "once the file is right")


def test_reset(place):
    data = place.path("d")
    program = place.serve("--allow-reset", "--table-delay-ms", "300", data=data)
    client = program.client()
    client.create("one")
    client.ok("CreateTable", {**table_request("two"), "DeletionProtectionEnabled": True})
    until("ACTIVE", lambda: client.status_of("two") == "ACTIVE")
    expect(client.put("x", "two").status, 200)
    reply = client.send("POST", "/_keyfold/reset")
    expect((reply.status, reply.json), (200, {}))
    expect(client.ok("ListTables")["TableNames"], [])
    client.create("two")
    until("ACTIVE", lambda: client.status_of("two") == "ACTIVE")
    expect(client.item("x", "two"), None, "an item from before the reset")
    expect(client.send("POST", "/_keyfold/reset").status, 200)
    program.kill()
    expect(place.serve(data=data).client().ok("ListTables")["TableNames"], [], "tables after a restart")


def test_reset_is_off_by_default(place):
    client = place.serve().client()
    client.create()
    reply = client.send("POST", "/_keyfold/reset")
    expect((reply.status, "things" in json.dumps(client.ok("ListTables")["TableNames"])), (404, True))
