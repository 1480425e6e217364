"""AWS Signature Version 4 for one service, as the tests need it: small, and able to make wrong signatures on purpose.

The wire runner, the kill loop and the start timer use it. It needs only the standard library.
"""
import functools
import hashlib
import hmac
import time

SIGNED_HEADERS = ("content-type", "host", "x-amz-date", "x-amz-target")


class Signer:
    """Credentials and scope of a signature. Immutable."""

    def __init__(self, key="AKIAKEYFOLDTEST", secret="keyfold-test-secret", region="us-east-1", service="dynamodb"):
        self.key, self.secret, self.region, self.service = key, secret, region, service

    def headers(self, host, target, body, method="POST", path="/", content_type="application/x-amz-json-1.0", now=None):
        """Returns the headers of a signed request, in the order in which they are sent."""
        stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(time.time() if now is None else now))
        headers = {"Host": host, "Content-Type": content_type, "X-Amz-Date": stamp, "X-Amz-Target": target}
        headers["Authorization"] = self.authorization(method, path, "", headers, body)
        return headers

    def authorization(self, method, path, query, headers, body):
        lower = {name.lower(): " ".join(value.split()) for name, value in headers.items()}
        signed = [name for name in SIGNED_HEADERS if name in lower]
        stamp = lower["x-amz-date"]
        signature = self.signature(stamp, method, path, query, [(name, lower[name]) for name in signed], body)
        return (
            f"AWS4-HMAC-SHA256 Credential={self.key}/{self.scope(stamp)}, "
            f"SignedHeaders={';'.join(signed)}, Signature={signature}"
        )

    def scope(self, stamp):
        return f"{stamp[:8]}/{self.region}/{self.service}/aws4_request"

    def signature(self, stamp, method, path, query, signed, body):
        names = ";".join(name for name, _ in signed)
        canonical = "\n".join(
            [method, path, query]
            + [f"{name}:{value}" for name, value in signed]
            + ["", names, hashlib.sha256(body).hexdigest()]
        )
        digest = hashlib.sha256(canonical.encode()).hexdigest()
        text = f"AWS4-HMAC-SHA256\n{stamp}\n{self.scope(stamp)}\n{digest}"
        key = _signing_key(self.secret, stamp[:8], self.region, self.service)
        return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


@functools.lru_cache(maxsize=64)
def _signing_key(secret, day, region, service):
    key = ("AWS4" + secret).encode()
    for part in (day, region, service, "aws4_request"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return key
