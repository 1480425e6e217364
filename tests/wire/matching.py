"""Compares a response's JSON with the expected one, which may have wildcards, and captures values. See README.md."""
import json
import re

NAME = re.compile(r"\$\$|\$\{([A-Za-z_]\w*)\}|\$([A-Za-z_]\w*)")
CAPTURE = re.compile(r"=([A-Za-z_]\w*)")


class CaseError(Exception):
    """The case itself is wrong: unknown name, bad JSON, unknown directive."""


def as_text(value):
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def look_up(names, match):
    name = match.group(1) or match.group(2)
    if name not in names:
        raise CaseError(f"nothing is known as ${name}")
    return names[name]


def fill(text, names, quote=as_text):
    """Replaces $name by the captured value; $$ is a dollar sign."""
    return NAME.sub(lambda m: "$" if m.group() == "$$" else quote(look_up(names, m)), text)


def differences(expected, actual, names, path="$"):
    """Returns a list of readable differences, empty if `actual` matches. Captured values go into `names`."""
    if isinstance(expected, str):
        return _string(expected, actual, names, path)
    if isinstance(expected, dict):
        if list(expected) == ["any-order"]:
            return _any_order(expected["any-order"], actual, names, path)
        return _object(expected, actual, names, path)
    if isinstance(expected, list):
        return _list(expected, actual, names, path)
    if type(expected) is bool or type(actual) is bool or expected is None or actual is None:
        return [] if expected is actual else [_unlike(path, expected, actual)]
    if isinstance(actual, (int, float)) and expected == actual:
        return []
    return [_unlike(path, expected, actual)]


def _string(expected, actual, names, path):
    if expected == "*":
        return []
    if capture := CAPTURE.fullmatch(expected):
        names[capture.group(1)] = actual
        return []
    if expected.startswith("\\"):
        return [] if expected[1:] == actual else [_unlike(path, expected[1:], actual)]
    if expected.startswith("~"):
        pattern = fill(expected[1:], names, lambda value: re.escape(as_text(value)))
        fits = isinstance(actual, str) and re.fullmatch(pattern, actual, re.DOTALL)
        return [] if fits else [_unlike(path, "~" + pattern, actual)]
    whole = NAME.fullmatch(expected)
    if whole and whole.group() != "$$":
        wanted = look_up(names, whole)
        return [] if wanted == actual else [_unlike(path, wanted, actual)]
    wanted = fill(expected, names)
    return [] if wanted == actual else [_unlike(path, wanted, actual)]


def _object(expected, actual, names, path):
    if not isinstance(actual, dict):
        return [_unlike(path, expected, actual)]
    filled = {fill(name, names): value for name, value in expected.items() if name != "..."}
    found = []
    for name, value in filled.items():
        if name in actual:
            found += differences(value, actual[name], names, f"{path}.{name}")
        else:
            found.append(f"{path}.{name}: missing, expected {_short(value)}")
    if "..." not in expected:
        found += [f"{path}.{name}: not expected, is {_short(actual[name])}" for name in actual if name not in filled]
    return found


def _list(expected, actual, names, path):
    if not isinstance(actual, list):
        return [_unlike(path, expected, actual)]
    found = []
    if len(expected) != len(actual):
        found.append(f"{path}: {len(actual)} elements, expected {len(expected)}")
    for i, (one, other) in enumerate(zip(expected, actual)):
        found += differences(one, other, names, f"{path}[{i}]")
    return found


def _any_order(expected, actual, names, path):
    if not isinstance(actual, list):
        return [_unlike(path, expected, actual)]
    rest, found = list(actual), []
    for one in expected:
        at = next((i for i, other in enumerate(rest) if not differences(one, other, dict(names), path)), None)
        if at is None:
            found.append(f"{path}: no element fits {_short(one)}")
        else:
            differences(one, rest.pop(at), names, path)
    return found + [f"{path}: not expected, has {_short(other)}" for other in rest]


def _unlike(path, expected, actual):
    return f"{path}: expected {_short(expected)}\n{' ' * len(path)}       got {_short(actual)}"


def _short(value, limit=1500):
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"


def parse_strictly(text):
    """Parses JSON in which no object repeats a name."""

    def pairs(members):
        names = [name for name, _ in members]
        if len(set(names)) != len(names):
            raise ValueError(f"an object repeats a name: {sorted(names)}")
        return dict(members)

    return json.loads(text, object_pairs_hook=pairs)
