"""Turns a request of a case file into the bytes on the wire: macros, names, signature, @ options. See README.md."""
import calendar
import json
import re
import time
import urllib.parse
import zlib

from endpoint.connection import request_bytes
from endpoint.sigv4 import Signer
from matching import NAME, CaseError, as_text, fill, look_up

RANGE = re.compile(r"(\d+)\.\.(\d+):")
PLAIN_NAME = re.compile(r"[A-Za-z_]\w*\}")
REPEAT = re.compile(r"(.+?)\*(\d+)\}", re.DOTALL)
WHOLE_STRING = re.compile(r'"(?:\$\{([A-Za-z_]\w*)\}|\$([A-Za-z_]\w*))"')
ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|.)")
OFFSET = re.compile(r"([+-]\d+)([smhd])")
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def expand(text):
    """Expands ${x*n} and ${n..m:x}, but not ${name}."""
    out, at = [], 0
    while (found := text.find("${", at)) >= 0:
        out.append(text[at:found])
        inside = found + 2
        if PLAIN_NAME.match(text, inside):
            out.append("${")
            at = inside
        elif match := RANGE.match(text, inside):
            end = _closing_brace(text, match.end())
            first, last, pattern = int(match.group(1)), int(match.group(2)), text[match.end() : end]
            out.append(",".join(pattern.replace("%", str(n)) for n in range(first, last + 1)))
            at = end + 1
        elif match := REPEAT.match(text, inside):
            out.append(match.group(1) * int(match.group(2)))
            at = match.end()
        else:
            raise CaseError(f"what is {text[found:found + 30]} …")
    out.append(text[at:])
    return "".join(out)


def _closing_brace(text, at):
    depth = 1
    while at < len(text):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return at
        at += 1
    raise CaseError("${n..m: without its closing brace")


def fill_body(text, names):
    """Inserts captured values into a request body: JSON in place of a whole string, escaped text inside one."""
    text = WHOLE_STRING.sub(lambda m: json.dumps(look_up(names, m), ensure_ascii=False), expand(text))

    def escaped(match):
        return "$" if match.group() == "$$" else json.dumps(as_text(look_up(names, match)), ensure_ascii=False)[1:-1]

    return NAME.sub(escaped, text)


def raw_bytes(text, names):
    simple = {"r": b"\r", "n": b"\n", "t": b"\t", "0": b"\0", "\\": b"\\"}
    text = fill(expand(text), names)
    out, at = [], 0
    for match in ESCAPE.finditer(text):
        code = match.group(1)
        out.append(text[at : match.start()].encode("utf-8"))
        if code[0] != "x" and code not in simple:
            raise CaseError(f"unknown escape \\{code}")
        out.append(bytes.fromhex(code[1:]) if code[0] == "x" else simple[code])
        at = match.end()
    return b"".join(out) + text[at:].encode("utf-8")


class Plan:
    """A request under construction: options first, then bytes(). One thread at a time."""

    def __init__(self, request, names):
        self.method, self.path, self.sign, self.encode, self.chunk_bytes, self.until_s = "POST", "/", {}, None, None, None
        self.changes = []
        operation = fill(request.operation, names)
        self.target = operation if "." in operation else f"DynamoDB_20120810.{operation}"
        self.body = fill_body(request.body, names).encode("utf-8", "surrogatepass")
        self.host = names["host"]
        self.region = names["region"]
        for word, rest in request.options:
            self._option(word, fill(expand(rest), names))

    def _option(self, word, rest):
        if word in ("method", "path", "encode"):
            setattr(self, word, rest)
        elif word == "chunked":
            self.chunk_bytes = int(rest)
        elif word == "until":
            self.until_s = float(rest.rstrip("s"))
        elif word == "sign":
            self.sign = dict(part.partition("=")[::2] for part in rest.split())
        else:
            name, _, value = rest.partition(":")
            self.changes.append((word, name.strip(), value.strip()))

    def bytes(self):
        body = self.body
        extra = []
        if self.encode:
            packer = zlib.compressobj(wbits=31 if self.encode == "gzip" else 15)
            body = packer.compress(body) + packer.flush()
            extra.append(("Content-Encoding", self.encode))
        headers, path = self._signed(body)
        headers += extra
        if self.chunk_bytes:
            headers.append(("Transfer-Encoding", "chunked"))
            body = _chunked(body, self.chunk_bytes)
        elif body or self.method == "POST":
            headers.append(("Content-Length", str(len(body))))
        return request_bytes(self.method, path, self._changed(headers), body)

    def _signed(self, body):
        known = {name: value for name, value in self.sign.items() if name in ("key", "secret", "region", "service")}
        signer = Signer(**{"region": self.region, **known})
        now = _moment(self.sign.get("date"))
        headers = signer.headers(self.host, self.target, body, self.method, self.path, now=now)
        if "query" in self.sign:
            return _query_signed(signer, headers, self.method, self.path, body)
        if "none" in self.sign:
            del headers["Authorization"], headers["X-Amz-Date"]
        return list(headers.items()), self.path

    def _changed(self, headers):
        for word, name, value in self.changes:
            if word != "add":
                headers = [pair for pair in headers if pair[0].lower() != name.lower()]
            if word != "remove":
                headers.append((name, value))
        return headers


def _moment(text):
    if not text:
        return None
    if match := OFFSET.fullmatch(text):
        return time.time() + int(match.group(1)) * SECONDS[match.group(2)]
    return calendar.timegm(time.strptime(text, "%Y%m%dT%H%M%SZ"))


def _query_signed(signer, headers, method, path, body):
    stamp = headers.pop("X-Amz-Date")
    del headers["Authorization"]
    query = {
        "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
        "X-Amz-Credential": f"{signer.key}/{signer.scope(stamp)}",
        "X-Amz-Date": stamp,
        "X-Amz-Expires": "300",
        "X-Amz-SignedHeaders": "host",
    }
    text = "&".join(f"{name}={urllib.parse.quote(value, safe='-_.~')}" for name, value in sorted(query.items()))
    signature = signer.signature(stamp, method, path, text, [("host", headers["Host"])], body)
    return list(headers.items()), f"{path}?{text}&X-Amz-Signature={signature}"


def _chunked(body, size):
    pieces = [body[at : at + size] for at in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"
