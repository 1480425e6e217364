"""Builds requests from the shapes of the API: every member at every depth, and the request around it.

The shapes are those of tests/api/members.txt and of Keyfold's own operations. A request is a tree of dicts and lists in which a Raw is JSON text
that is written as it is, because a JSON writer cannot produce many of the hostile values.
"""
import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
OWN = """
operation DescribeVerification DescribeVerificationInput
operation ImportExports ImportExportsInput
operation ListJobs ListJobsInput
operation StartVerification StartVerificationInput
structure DescribeVerificationInput
structure ListJobsInput
structure StartVerificationInput
  TableName string
structure ImportExportsInput
  S3BucketSource structure:S3BucketSource required
  InputFormat enum:CSV,DYNAMODB_JSON,ION required
  InputCompressionType enum:GZIP,NONE,ZSTD
  TableCreationParameters structure:TableCreationParameters required
  Increments list<string> required
"""
VALUES = {"S": "s", "N": "1", "B": "YQ==", "BOOL": True, "NULL": True, "SS": ["s"], "NS": ["1"], "BS": ["YQ=="], "L": [{"S": "s"}], "M": {"m": {"S": "s"}}}
# Members that make a request meaningful, so that it passes the first checks.
PLAUSIBLE = {
    "TableName": "tab", "BackupName": "backup", "AttributeName": "pk", "IndexName": "index", "Statement": "SELECT * FROM \"tab\" WHERE pk = 'a'",
    "KeyConditionExpression": "pk = :v", "ConditionExpression": "attribute_exists(pk)", "UpdateExpression": "SET a = :v", "ProjectionExpression": "a, b",
    "FilterExpression": "a = :v", "ResourceArn": "arn:aws:dynamodb:us-east-1:123456789012:table/tab", "S3Bucket": "bucket", "S3KeyPrefix": "prefix",
    "TableArn": "arn:aws:dynamodb:us-east-1:123456789012:table/tab", "BackupArn": "arn:aws:dynamodb:us-east-1:123456789012:table/tab/backup/01700000000000-12345678",
    "ExportArn": "arn:aws:dynamodb:us-east-1:123456789012:table/tab/export/01700000000000-12345678", "SourceTableName": "tab", "TargetTableName": "other",
    "ImportArn": "arn:aws:dynamodb:us-east-1:123456789012:table/tab/import/01700000000000-12345678", "SourceTableArn": "arn:aws:dynamodb:us-east-1:123456789012:table/tab",
    "StreamArn": "arn:aws:dynamodb:us-east-1:123456789012:table/tab/stream/2026-01-01T00:00:00.000", "ShardId": "shardId-00000000000000000000-00000000",
    "Delimiter": ",", "Key": "key", "Value": "value",
}


class Raw(str):
    """JSON text that is written as it is."""


class Shapes:
    """Immutable."""

    def __init__(self):
        self.operations, self.structures = {}, {}
        members = None
        for row in ((ROOT / "tests/api/members.txt").read_text() + OWN).splitlines():
            words = row.split()
            if row.startswith("operation "):
                self.operations[words[1]] = words[2]
            elif row.startswith("structure "):
                members = self.structures.setdefault(words[1], {})
            elif row.startswith("  "):
                members[words[0]] = (words[1], "required" in words)

    def missing(self):
        """Returns operations of the server's table that are missing here."""
        text = (ROOT / "src/ops/operations.cc").read_text()
        return set(re.findall(r'^ *\{"([A-Z]\w+)", *\w+, *Runs::', text, re.MULTILINE)) - set(self.operations)

    def paths_of(self, operation):
        """Returns every path in a request of this operation, as a tuple of names (and 0 for a list's element)."""
        return list(self._paths("structure:" + self.operations[operation], ()))

    def _paths(self, kind, path):
        if path:
            yield path
        if len(path) > 14:
            return
        if kind.startswith("structure:"):
            for name, (member, _) in self.structures[kind[10:]].items():
                yield from self._paths(member, (*path, name))
        elif kind.startswith("list<"):
            yield from self._paths(kind[5:-1], (*path, 0))
        elif kind.startswith("map<"):
            yield from self._paths(kind[4:-1], (*path, self._key(path)))
        elif kind == "AttributeValue":
            for name, value in VALUES.items():
                yield (*path, name)
                if isinstance(value, list):
                    yield (*path, name, 0)
            yield (*path, "L", 0, "B")
            yield (*path, "M", "m", "B")

    def _key(self, path):
        """Returns the name of a map's element: a table, a placeholder or a key."""
        name = path[-1]
        return {"RequestItems": "tab", "ExpressionAttributeNames": "#n", "ExpressionAttributeValues": ":v"}.get(name, "pk")

    def request(self, operation, path, value):
        """Returns a request with `value` at `path`, all required members, and nothing else."""
        return self._structure(self.operations[operation], path, value)

    def _structure(self, name, path, value):
        made = {}
        for member, (kind, required) in self.structures[name].items():
            if path and path[0] == member:
                made[member] = self._at(kind, path[1:], value, member)
            elif required:
                made[member] = self.plain(kind, member)
        return made

    def _at(self, kind, path, value, member):
        if not path:
            return value
        if kind.startswith("structure:"):
            return self._structure(kind[10:], path, value)
        if kind.startswith("list<"):
            return [self._at(kind[5:-1], path[1:], value, member)]
        if kind.startswith("map<"):
            return {path[0]: self._at(kind[4:-1], path[1:], value, member)}
        return attribute_at(path, value)

    def plain(self, kind, member):
        """Returns a valid value."""
        if kind.startswith("structure:"):
            return self._structure(kind[10:], (), None)
        if kind.startswith("list<"):
            return [self.plain(kind[5:-1], member)]
        if kind.startswith("map<"):
            return {self._key((member,)): self.plain(kind[4:-1], member)}
        if kind == "AttributeValue":
            return {"S": "s"}
        if kind.startswith("enum:"):
            return kind[5:].split(",")[0]
        return {"boolean": True, "string": PLAUSIBLE.get(member, "text")}.get(kind, 1)


def attribute_at(path, value):
    """Returns an AttributeValue with `value` at `path` within it."""
    made = value
    for step in reversed(path):
        made = [made] if step == 0 else {step: made}
    return made


def write_json(tree):
    """Returns the JSON text of a tree with Raws."""
    if isinstance(tree, Raw):
        return str(tree)
    if isinstance(tree, dict):
        return "{" + ",".join(f"{json.dumps(name)}:{write_json(value)}" for name, value in tree.items()) + "}"
    if isinstance(tree, list):
        return "[" + ",".join(map(write_json, tree)) + "]"
    return json.dumps(tree)


HOSTILE = [Raw(text) for text in (
    "null", "true", "false", "0", "-1", "1", "2147483647", "2147483648", "-2147483648", "9223372036854775807", "9223372036854775808",
    "18446744073709551616", "1e308", "1e400", "-1e400", "-0", "-0.0", "0.1", "1.5", "1e-400", "1" + "0" * 400,
    '""', '" "', '"a"', '"text"', '"tab"', '"' + "a" * 256 + '"', '"' + "a" * 70_000 + '"', r'"\u0000"', r'"\ud83d\ude00"', '"\U0001f600"', '"é"',
    '"YQ=\U0001f600"', '"YQ\u20ac="', '"YQ==="', r'"\n\r\t\u001b[31m"', '"../../etc/passwd"', '"%s%n%d{}{0}"', '"${jndi:ldap://a}"',
    "\"'; DROP TABLE tab; --\"", '"<script>"', '"NaN"', '"Infinity"', '"-0"', '"1e500"', '"1e-500"', '"\u0661\u0662"', '"0x10"', '"' + "9" * 39 + '"',
    '"arn:aws:dynamodb:us-east-1:123456789012:table/tab"', '"arn:aws:dynamodb:::::::"',
    "[]", "[[]]", "[null]", "[[[[[[]]]]]]", '[1,"a",{}]', "[" + "0," * 999 + "0]", '["a","a"]', "{}", '{"":""}', '{"":{}}', '{"S":"a"}', '{"S":1}', '{"N":"x"}',
    '{"N":"1","N":"2"}', '{"M":{}}', '{"L":[{}]}', '{"S":"a","N":"1"}', '{"SS":[]}', '{"SS":["a","a"]}', '{"NULL":false}', '{"B":"\U0001f600"}',
    '{"BOOL":"true"}', '{"__proto__":{}}', '{"__type":"x"}', "{" + ",".join(f'"k{i}":{i}' for i in range(1000)) + "}",
    '{"M":{"a":' * 40 + '{"S":"x"}' + "}}" * 40, '{"L":[' * 40 + '{"S":"x"}' + "]}" * 40,
)]
