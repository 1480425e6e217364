"""What a test raises where this machine cannot show what it is about."""


class Skipped(Exception):
    """The message says what is missing."""
