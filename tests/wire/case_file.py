"""Reads a .case file into plain records. The format is described in README.md."""
import dataclasses
import json
import re

from matching import CaseError

SOURCES = ("aws", "docs", "peer", "assumed")
OPTIONS = ("header", "add", "remove", "sign", "method", "path", "encode", "chunked", "until")
STATUS = re.compile(r"\d{3}(\|\d{3})*")
ERROR_NAME = re.compile(r"([A-Z]\w+)(?:: ?(.*))?", re.DOTALL)
INDEX = re.compile(r"(gsi|lsi):([\w.-]+)\((.*)\)")

VALIDATE = "com.amazon.coral.validate#"
SERVICE = "com.amazon.coral.service#"
DYNAMODB = "com.amazonaws.dynamodb.v20120810#"
ERROR_NAMESPACES = {
    "ValidationException": VALIDATE,
    "SerializationException": SERVICE,
    "UnknownOperationException": SERVICE,
    "MissingAuthenticationTokenException": SERVICE,
    "IncompleteSignatureException": SERVICE,
    "InvalidSignatureException": SERVICE,
    "UnrecognizedClientException": SERVICE,
    "AccessDeniedException": SERVICE,
}
# AWS writes "Message" in these.
UPPER_MESSAGE = {
    "AccessDeniedException",
    "SerializationException",
    "TransactionCanceledException",
    "IdempotentParameterMismatchException",
}


@dataclasses.dataclass
class Expectation:
    """`body` is the expected text after the status; None if the body is not compared."""

    statuses: tuple
    body: str = None
    closed: bool = False
    headers: list = dataclasses.field(default_factory=list)  # "<<" lines
    line: int = 0


@dataclasses.dataclass
class Request:
    operation: str  # "raw" for raw bytes
    body: str
    options: list = dataclasses.field(default_factory=list)  # (word, rest)
    answers: list = dataclasses.field(default_factory=list)
    line: int = 0


@dataclasses.dataclass
class Case:
    name: str
    rule: str
    source: str
    line: int
    requests: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class CaseFile:
    path: str
    serve: list = None  # extra arguments of a separate server
    setup: list = dataclasses.field(default_factory=list)  # Requests
    cases: list = dataclasses.field(default_factory=list)


def read(path):
    with open(path, encoding="utf-8") as source:
        lines = list(_joined(source.read().split("\n")))
    result = CaseFile(str(path))
    requests = result.setup
    for number, line in lines:
        try:
            requests = _line(result, requests, number, line)
        except CaseError as error:
            raise CaseError(f"{path}:{number}: {error}") from None
    _check(result)
    return result


def _joined(lines):
    """Yields (number, line) with continuation lines joined, without comments and empty lines."""
    start, text = 0, None
    for number, line in enumerate(lines, 1):
        if line.startswith("  ") and text is not None:
            text += " " * (text == "> raw") + line.strip()
            continue
        if text is not None:
            yield start, text
        start, text = (number, line.rstrip()) if line.strip() and not line.startswith("#") else (0, None)
    if text is not None:
        yield start, text


def _line(file, requests, number, line):
    """Adds one line to `file`; returns the list for further requests."""
    word, _, rest = line.partition(" ")
    rest = rest.strip()
    if word == "case":
        file.cases.append(_case(rest, number))
        return file.cases[-1].requests
    if word == "setup":
        if file.cases:
            raise CaseError("setup stands before the first case")
        return file.setup
    if word == "serve":
        file.serve = rest.split()
        return requests
    if word == "table":
        create, wait = table_requests(rest, number)
        requests += [create, wait]
        return requests
    if word == ">":
        operation, _, body = rest.partition(" ")
        requests.append(Request(operation, body.strip(), line=number))
        return requests
    if not requests:
        raise CaseError(f"nothing has been sent before: {line}")
    if word == "<":
        requests[-1].answers.append(_expectation(rest, number))
    elif word == "<<":
        if not requests[-1].answers:
            raise CaseError("<< stands after <")
        requests[-1].answers[-1].headers.append(rest)
    elif word.startswith("@") and word[1:] in OPTIONS:
        requests[-1].options.append((word[1:], rest))
    else:
        raise CaseError(f"unknown line: {line}")
    return requests


def _case(text, number):
    match = re.fullmatch(r"(.*?)(?:\s{2,}rule: *(\S+))?(?:\s{2,}source: *(\S+))?", text)
    name, rule, source = match.groups()
    if source not in SOURCES:
        raise CaseError(f"source: must be one of {', '.join(SOURCES)} (two spaces before it)")
    return Case(name, rule, source, number)


def _expectation(text, number):
    status, _, body = text.partition(" ")
    if status == "closed":
        return Expectation((), closed=True, line=number)
    if not STATUS.fullmatch(status):
        raise CaseError(f"not a status: {status}")
    body = body.strip()
    return Expectation(tuple(int(one) for one in status.split("|")), body or None, line=number)


def expected_json(body):
    """Returns the expected JSON of a response, with the short form of errors expanded."""
    if body[0] in '{["':
        try:
            return json.loads(body)
        except ValueError as error:
            raise CaseError(f"the expected body is not JSON: {error}") from None
    match = ERROR_NAME.fullmatch(body)
    if not match:
        raise CaseError(f"neither JSON nor an error: {body}")
    name, message = match.groups()
    result = {}
    if message and " + {" in message:
        message, _, more = message.partition(" + {")
        result = json.loads("{" + more)
    result["__type"] = ERROR_NAMESPACES.get(name, DYNAMODB) + name
    if message:
        result["Message" if name in UPPER_MESSAGE else "message"] = message.strip()
    return result


def table_requests(text, number):
    """Returns the requests for `table NAME pk:S …`: CreateTable, then DescribeTable until ACTIVE."""
    name, *parts = text.split()
    types, keys, create = {}, [], {"TableName": name, "BillingMode": "PAY_PER_REQUEST"}
    for part in parts:
        kind, _, value = part.partition(":")
        if index := INDEX.fullmatch(part):
            kind, index_name, inside = index.groups()
            lists = {"gsi": "GlobalSecondaryIndexes", "lsi": "LocalSecondaryIndexes"}
            create.setdefault(lists[kind], []).append(_index(kind, index_name, inside, keys, types))
        elif kind == "stream":
            create["StreamSpecification"] = {"StreamEnabled": True, "StreamViewType": value}
        elif kind == "capacity":
            read_units, _, write_units = value.partition("/")
            create["BillingMode"] = "PROVISIONED"
            create["ProvisionedThroughput"] = _throughput(read_units, write_units)
        elif value in ("S", "N", "B"):
            keys.append(kind)
            types[kind] = value
        else:
            raise CaseError(f"unknown part of a table: {part}")
    create["KeySchema"] = _key_schema(keys[:1], keys[1:])
    create["AttributeDefinitions"] = [{"AttributeName": k, "AttributeType": t} for k, t in types.items()]
    if "ProvisionedThroughput" in create:
        for index in create.get("GlobalSecondaryIndexes", []):
            index["ProvisionedThroughput"] = create["ProvisionedThroughput"]
    active = Expectation((200,), '{"Table":{"TableStatus":"ACTIVE","...":"..."}}', line=number)
    return (
        Request("CreateTable", json.dumps(create), line=number),
        Request("DescribeTable", json.dumps({"TableName": name}), [("until", "20s")], [active], number),
    )


def _index(kind, name, inside, table_keys, types):
    hashes, ranges, projection = [], [], {"ProjectionType": "ALL"}
    for part in inside.split(","):
        further = part.startswith("range:")
        attribute, _, type_name = part.removeprefix("range:").rpartition(":")
        if not attribute:
            word, _, included = type_name.partition("=")
            projection = {"ProjectionType": word}
            if included:
                projection["NonKeyAttributes"] = included.split("+")
            continue
        types[attribute] = type_name
        (ranges if further else hashes).append(attribute)
    if kind == "lsi":
        hashes, ranges = table_keys[:1], hashes
    elif not ranges:
        hashes, ranges = hashes[:1], hashes[1:]
    return {"IndexName": name, "KeySchema": _key_schema(hashes, ranges), "Projection": projection}


def _key_schema(hashes, ranges):
    schema = [{"AttributeName": name, "KeyType": "HASH"} for name in hashes]
    return schema + [{"AttributeName": name, "KeyType": "RANGE"} for name in ranges]


def _throughput(read_units, write_units):
    return {"ReadCapacityUnits": int(read_units), "WriteCapacityUnits": int(write_units)}


def _check(file):
    names = set()
    for case in file.cases:
        where = f"{file.path}:{case.line}: case {case.name}"
        if case.name in names:
            raise CaseError(f"{where}: another case has this name")
        names.add(case.name)
        if not case.requests:
            raise CaseError(f"{where}: sends nothing")
        for request in case.requests:
            if not request.answers:
                raise CaseError(f"{where}: line {request.line} has no expected answer")
            if request.operation != "raw" and len(request.answers) > 1:
                raise CaseError(f"{where}: line {request.line} expects several answers")
    if not file.cases:
        raise CaseError(f"{file.path}: no cases")
