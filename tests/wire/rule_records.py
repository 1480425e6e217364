"""Records which rules the errors of a test build come from, and how the cases compare their wording. tools/check_rules reads the records.

A test build names the rules behind a response in the header x-keyfold-rule: the rule of the error, then those of the actions that
cancelled a transaction; or those of the statements that failed in a batch.
"""
import json
import re
import threading

from matching import CAPTURE, as_text, fill

HEADER = "x-keyfold-rule"


def rules_of(answer):
    return [rule for rule in (answer.header(HEADER) or "").split(",") if rule]


def compared_messages(expected, answer, names):
    """Yields (message, how, pattern) for each message of a response with rules; `expected` is its JSON or text, or None.

    `how` is "exact", "pattern" (a regex, which is the third value) or "nothing".
    """
    if isinstance(expected, str) or not answer.text().startswith("{"):
        yield (answer.text(), *_how(expected, names))
        return
    body = json.loads(answer.text())
    for path in _message_paths(body, answer.status):
        yield (_at(body, path) or "", *_how(_expected_at(expected, path), names))


def _message_paths(body, status):
    """Yields the paths of the messages in a response, in the order of the header."""
    if status == 200:
        for i, response in enumerate(body.get("Responses", [])):
            if "Error" in response:
                yield ("Responses", i, "Error", "Message")
        return
    yield ("Message",) if "Message" in body else ("message",)
    for i, reason in enumerate(body.get("CancellationReasons", [])):
        if reason["Code"] != "None":
            yield ("CancellationReasons", i, "Message")


def _at(body, path):
    for step in path:
        if isinstance(body, dict) and step not in body:
            return None
        body = body[step]
    return body


def _expected_at(expected, path):
    """Returns what the case expects there: a string, "" if the member must be absent, None if it is not compared."""
    for step in path:
        if isinstance(expected, dict) and step not in expected:
            return None if "..." in expected or "any-order" in expected else ""
        if not isinstance(expected, (dict, list)):
            return None
        expected = expected[step]
    return expected


def _how(expected, names):
    if expected is None or expected == "*" or CAPTURE.fullmatch(expected):
        return "nothing", None
    if expected.startswith("~"):
        return "pattern", fill(expected[1:], names, lambda value: re.escape(as_text(value)))
    return "exact", None


class RuleRecords:
    """Thread-safe. Of comparisons with an exact message, keeps one for each rule and message."""

    def __init__(self):
        self.lock = threading.Lock()
        self.records = {}

    def add(self, rule, where, message, how, pattern):
        key = (rule, message) if how == "exact" else (rule, how, where)
        record = {"rule": rule, "case": where, "how": how, "message": message}
        if pattern is not None:
            record["pattern"] = pattern
        with self.lock:
            self.records.setdefault(key, record)

    def write(self, path):
        records = sorted(self.records.values(), key=lambda record: (record["rule"], record["case"]))
        path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records))
