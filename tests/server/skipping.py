"""The exception of a test that cannot run on this machine."""


class Skipped(Exception):
    """The test cannot run on this machine; the message says what is missing."""
