"""Reads an export's files in a bucket's folder by AWS's layout and formats alone, as an independent check of what the server writes.

Images of items are returned in DynamoDB JSON, with numbers in the form that the API returns.
"""
import base64
import decimal
import gzip
import hashlib
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "crash"))

from history import Violation  # noqa: E402

ROOT = "AWSDynamoDB"
SUMMARY, FILES = "manifest-summary", "manifest-files"


def begun_exports(bucket):
    """Returns the exports that have at least begun, complete or not."""
    return [Exported(bucket, mark.parent) for mark in sorted(pathlib.Path(bucket).rglob(f"{ROOT}/*/_started"))]


class Exported:
    """An export. Immutable, although its files may change."""

    def __init__(self, bucket, folder):
        """`folder` is the one with the manifests, in that bucket."""
        self.bucket, self.folder = pathlib.Path(bucket), pathlib.Path(folder)

    @property
    def prefix(self):
        """PREFIX/AWSDynamoDB/ID/"""
        return f"{self.folder.relative_to(self.bucket)}/"

    def is_whole(self):
        """Returns whether the export claims to be complete."""
        return (self.folder / f"{SUMMARY}.json").exists()

    def check(self):
        """Checks that the export is complete: all files of the manifests exist and match them. Returns the summary."""
        summary = json.loads(self._manifest(SUMMARY))
        if summary["manifestFilesS3Key"] != f"{self.prefix}{FILES}.json":
            raise Violation(f"{self.prefix}: the summary names {summary['manifestFilesS3Key']}")
        items = sum(self._check_data(entry) for entry in self.files())
        if items != summary["itemCount"]:
            raise Violation(f"{self.prefix}: {items} items, and {summary['itemCount']} by the summary")
        last = (self.folder / f"{SUMMARY}.json").stat().st_mtime_ns
        later = [path.name for path in self.paths() if path.stat().st_mtime_ns > last]
        if later:
            raise Violation(f"{self.prefix}: written after the summary: {later}")
        return summary

    def files(self):
        return [json.loads(line) for line in self._manifest(FILES).splitlines()]

    def paths(self):
        """Returns all files with content, without the marker of its beginning."""
        manifests = [self.folder / f"{name}.{ending}" for name in (FILES, SUMMARY) for ending in ("json", "md5")]
        return manifests + [self.bucket / entry["dataFileS3Key"] for entry in self.files()]

    def records(self):
        """Yields the members of each line (Item; or Keys, OldImage, NewImage, Metadata)."""
        for entry in self.files():
            key = entry["dataFileS3Key"]
            read = read_ion if key.endswith(".ion.gz") else json.loads
            # Not splitlines(), which would also split at other characters that a text may contain.
            for line in gzip.decompress((self.bucket / key).read_bytes()).decode().split("\n")[:-1]:
                yield read(line)

    def _manifest(self, name):
        text, checksum = (self._read(self.folder / f"{name}.{ending}") for ending in ("json", "md5"))
        if checksum != base64.b64encode(hashlib.md5(text).digest()):
            raise Violation(f"{self.prefix}{name}.json is not what its checksum says")
        return text.decode()

    def _check_data(self, entry):
        data = self._read(self.bucket / entry["dataFileS3Key"])
        md5 = hashlib.md5(data)
        if entry["md5Checksum"] != base64.b64encode(md5.digest()).decode() or entry["etag"] != md5.hexdigest():
            raise Violation(f"{entry['dataFileS3Key']} is not what the manifest says")
        lines = gzip.decompress(data).count(b"\n")
        if lines != entry["itemCount"]:
            raise Violation(f"{entry['dataFileS3Key']} has {lines} items, not {entry['itemCount']}")
        return lines

    def _read(self, path):
        try:
            return path.read_bytes()
        except FileNotFoundError:
            raise Violation(f"{path.relative_to(self.bucket)} is missing, and the export says that it is whole") from None


def apply_changes(items, changes, key_of, knows_before):
    """Applies the changes of one period to items by key. `knows_before`: the items are exactly those at the start of the period."""
    seen = set()
    for change in changes:
        key = key_of(change["Keys"])
        if key in seen:
            raise Violation(f"{key} has two changes in one period")
        seen.add(key)
        if knows_before and change.get("OldImage") != items.get(key):
            raise Violation(f"{key} was {items.get(key)} before the period, and {change.get('OldImage')} by the export")
        if "NewImage" in change:
            items[key] = change["NewImage"]
        else:
            items.pop(key, None)


# --- the subset of Ion that exports use
TOKEN = re.compile(
    r"""[ \t]*(?:
      \{\{(?P<blob>[A-Za-z0-9+/=]*)\}\}
    | (?P<mark>::|[{}\[\],:])
    | (?P<text>"(?:[^"\\]|\\.)*")
    | '(?P<name>(?:[^'\\]|\\.)*)'
    | (?P<number>-?[0-9][0-9.]*(?:[dD]-?[0-9]+)?)
    | (?P<symbol>[A-Za-z_$][A-Za-z0-9_$]*))""",
    re.VERBOSE,
)
SETS = {"$dynamodb_SS": "SS", "$dynamodb_NS": "NS", "$dynamodb_BS": "BS"}
SYMBOLS = {"true": {"BOOL": True}, "false": {"BOOL": False}, "null": {"NULL": True}}


def read_ion(line):
    """Returns one line in the form of json.loads for the same export in DynamoDB JSON."""
    version, _, rest = line.partition(" ")
    if version != "$ion_1_0":
        raise Violation(f"no Ion: {line[:100]}")
    reader = _IonReader(rest)
    record = reader.value()
    if reader.at != len(rest) or "M" not in record:
        raise Violation(f"no Ion: {line[:100]}")
    return {name: value["M"] for name, value in record["M"].items()}


class _IonReader:
    """One thread at a time."""

    def __init__(self, text):
        self.text, self.at = text, 0

    def value(self):
        kind, token = self.next()
        if kind == "text":
            return {"S": json.loads(token, strict=False)}
        if kind == "number":
            return {"N": plain_number(token)}
        if kind == "blob":
            return {"B": token}
        if kind == "symbol" and token in SYMBOLS:
            return SYMBOLS[token]
        if kind == "symbol" and token in SETS:
            self.expect("::")
            name = SETS[token]
            self.expect("[")
            return {name: [value[name[0]] for value in self.elements("]")]}
        if token == "[":
            return {"L": list(self.elements("]"))}
        if token == "{":
            return {"M": dict(self.members())}
        raise Violation(f"no Ion at {self.at} of {self.text[:200]}")

    def elements(self, end):
        while not self.skip(end):
            yield self.value()
            self.skip(",")

    def members(self):
        while not self.skip("}"):
            kind, name = self.next()
            if kind == "name":
                name = re.sub(r"\\(?:x([0-9a-f]{2})|(.))", lambda m: chr(int(m[1], 16)) if m[1] else m[2], name)
            elif kind == "text":
                name = json.loads(name, strict=False)
            self.expect(":")
            yield name, self.value()
            self.skip(",")

    def next(self):
        match = TOKEN.match(self.text, self.at)
        if not match:
            raise Violation(f"no Ion at {self.at} of {self.text[:200]}")
        self.at = match.end()
        return match.lastgroup, match[match.lastgroup]

    def skip(self, mark):
        found = self.text.startswith(mark, self.at)
        self.at += len(mark) if found else 0
        return found

    def expect(self, mark):
        if not self.skip(mark):
            raise Violation(f"no {mark} at {self.at} of {self.text[:200]}")


def plain_number(text):
    """103. as 103, 6d2 as 600."""
    plain = format(decimal.Decimal(text.replace("d", "e").replace("D", "e")), "f")
    return plain.rstrip("0").rstrip(".") if "." in plain else plain
