"""Builds faultfs.c and returns the variables that preload it."""
import os
import pathlib
import struct
import subprocess

SOURCE = pathlib.Path(__file__).resolve().parent / "faultfs.c"


class Shim:
    """Immutable."""

    def __init__(self, folder):
        self.library = pathlib.Path(folder) / "faultfs.so"
        command = ["cc", "-shared", "-fPIC", "-O1", "-fno-builtin", "-o", str(self.library), str(SOURCE), "-ldl", "-lpthread"]
        subprocess.run(command, check=True)

    def variables(self, **settings):
        """Returns the environment of a server for root="…", call="write", path=".log", nth=3, mode="eio" …."""
        # A sanitizer's own library wants to be first, but also works after this one.
        faults = {f"FAULT_{name.upper()}": str(value) for name, value in settings.items()}
        sanitizer = ":".join(filter(None, [os.environ.get("ASAN_OPTIONS"), "verify_asan_link_order=0:detect_leaks=0"]))
        return {"LD_PRELOAD": str(self.library), "ASAN_OPTIONS": sanitizer, **faults}


class MovedClock:
    """The file that controls the shim's clock. One thread at a time."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.set(0)

    def set(self, seconds):
        with open(self.path, "r+b" if self.path.exists() else "wb") as file:
            file.write(struct.pack("=q", seconds))
