"""Reads and changes FORMAT, MARK and LEDGER of a data folder: lines of "name value", the last one a checksum of those before."""


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def read(path):
    """Returns the fields in order."""
    lines = [line.partition(" ") for line in path.read_text().splitlines()]
    return {name: value for name, _, value in lines if name != "crc"}


def change(path, **fields):
    """Sets fields in place; None removes a field."""
    changed = {name: value for name, value in {**read(path), **fields}.items() if value is not None}
    text = "".join(f"{name} {value}\n" for name, value in changed.items())
    path.write_text(text + f"crc {crc32c(text.encode()):08x}\n")
