"""Generates random items of all types for tests of exports and imports; values that a format could get wrong are frequent."""
import base64
import decimal

from exported import plain_number

PIECES = (
    "", "a", "plain text", " ", "ä", "Ångström", "日本語", "\U0001f600", "\U00010348\U0010ffff", "\0",
    "\x01\x1f\x7f\x80", "\n", "\r\n", "\t", '"', "'", "\\", '\\"', "\\u0041", "\\x41", "/", "</script>",
    "\u2028\u2029", "\ufeff", "\uffff", "e\u0301", "{{", "}}", "::", "[,]", "$ion_1_0", "null", "true", "1.5",
    '{"S":"x"}', "''' '''", "-- //", "%s%n",
)  # fmt: skip
NAMES = (
    "a", "z9", "_", "$", "$10", "$ion_1_0", "$dynamodb_SS", "null", "true", "nan", "Item", "Keys", "NewImage", "S",
    "N", "L", "two words", "it's", 'say "x"', "back\\slash", "new\nline", "\x07", "dot.ted", "a[0]", "Ångström", "日本",
    "\U0001f600", "1", "-", "#", ":", "/", "é" * 40,
)  # fmt: skip
NUMBERS = (
    "0", "-0", "1", "-1", "10", "1000000", "0.1", "-0.000001", "0.0000001", "1E2", "1.50", "9007199254740993",
    "12345678901234567890123456789012345678", "-0.12345678901234567890123456789012345678", "1E-130", "-1E-130",
    "1E125", "9.9999999999999999999999999999999999999E125", "-9.9999999999999999999999999999999999999E125",
    "1.2345678901234567890123456789012345678E-92", "10000000000000000000000000000000000001",
)  # fmt: skip
DEPTH_MAX = 31  # levels of values below an attribute; DynamoDB allows 32
VALUES_MAX = 5000  # distinct ones per generator, which are then reused


class ItemMaker:
    """Uses only `random`, so that a seed determines the items. One thread at a time."""

    def __init__(self, random):
        self.random = random
        self.values = []

    def attributes(self, taken=()):
        """Returns up to eight attributes with any names except the taken ones."""
        made = {}
        for _ in range(self.random.randrange(9)):
            name = self.random.choice(NAMES) if self.random.random() < 0.5 else f"attribute{self.random.randrange(20)}"
            if name not in taken:
                made[name] = self.some_value()
        if self.random.random() < 0.002:
            made["deep"] = self.nested(DEPTH_MAX)
        return made

    def some_value(self):
        if len(self.values) == VALUES_MAX:
            return self.random.choice(self.values)
        self.values.append(self.value())
        return self.values[-1]

    def value(self, depth=0):
        kinds = ("S", "S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", *(("L", "M") if depth < 4 else ()))
        kind = self.random.choice(kinds)
        if kind == "L":
            return {"L": [self.value(depth + 1) for _ in range(self.random.randrange(4))]}
        if kind == "M":
            return {"M": {self.random.choice(NAMES): self.value(depth + 1) for _ in range(self.random.randrange(4))}}
        return {kind: getattr(self, f"of_{kind.lower()}")()}

    def nested(self, depth):
        """Returns a value with that many levels of alternating lists and maps."""
        made = {"S": self.of_s()}
        for level in range(depth):
            made = {"M": {"m": made}} if level % 2 else {"L": [made]}
        return made

    def of_s(self):
        return "".join(self.random.choice(PIECES) for _ in range(self.random.randrange(5)))

    def of_n(self):
        if self.random.random() < 0.4:
            return self.random.choice(NUMBERS)
        digits = self.random.randrange(1, 39)
        text = str(self.random.randrange(10 ** (digits - 1), 10**digits))
        power = self.random.choice((0, 0, 0, self.random.randrange(-20, 20), self.random.randrange(-129, 126)))
        power = max(-130, min(power, 126 - digits))
        return self.random.choice(("", "-")) + text + (f"E{power}" if power else "")

    def of_b(self):
        return base64.b64encode(self.random.randbytes(self.random.choice((0, 1, 2, 3, 4, 20)))).decode()

    def of_bool(self):
        return self.random.random() < 0.5

    def of_null(self):
        return True

    def of_ss(self):
        return list({self.of_s() or "not empty": None for _ in range(self.random.randrange(1, 5))})

    def of_ns(self):
        return list({decimal.Decimal(text): text for text in (self.of_n() for _ in range(self.random.randrange(1, 5)))}.values())

    def of_bs(self):
        return list({self.of_b() or "AA==": None for _ in range(self.random.randrange(1, 5))})

    # --- keys: never empty, and different for different numbers
    def key(self, kind, number):
        if kind == "S":
            return {"S": f"{self.of_s()}{number}"}
        if kind == "B":
            return {"B": base64.b64encode(self.random.randbytes(self.random.randrange(4)) + number.to_bytes(4, "big")).decode()}
        # The digits do not end in 0, so each power gives different numbers.
        text = f"{self.random.choice(('', '-'))}{number}{self.random.randrange(1, 10)}E{self.random.choice((0, 0, -3, 5, -90, 90))}"
        return {"N": plain_number(text)}
