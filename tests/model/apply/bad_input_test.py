"""Gives invalid models, price files and import files to every command that reads one: the exit code is 2, and one line says where the fault is."""
import pathlib
import re
import subprocess

from program import END_S, Failed, expect

ROOT = pathlib.Path(__file__).resolve().parents[3]
SHOP = str(ROOT / "examples" / "shop.yaml")
NOWHERE = ("--endpoint", "http://127.0.0.1:1")  # nothing is sent before all files have been read

# Every command, with the position of the invalid file.
MODEL_COMMANDS = {
    "check": ("check", "{}"),
    "plan": ("plan", "{}"),
    "test": ("test", "{}"),
    "sample": ("sample", "{}"),
    "generate": ("generate", "--language", "python", "{}"),
    "apply": ("apply", *NOWHERE, "{}"),
    "diff, old": ("diff", "{}", SHOP),
    "diff, new": ("diff", SHOP, "{}"),
    "fmt": ("fmt", "{}"),
}
# Options with which they could continue without the file.
VARIANTS = {
    "check of several": ("check", SHOP, "{}"),
    "plan as a page": ("plan", "--format", "html", "{}"),
    "sample --load": ("sample", "--load", *NOWHERE, "{}"),
    "apply --dry-run": ("apply", "--dry-run", *NOWHERE, "{}"),
    "fmt --check": ("fmt", "--check", "{}"),
}
PRICES = {"plan --prices": ("plan", "--prices", "{}", SHOP)}
IMPORT = {"import": ("import", "{}")}

MODEL = "model: 1\ntable: {name: Tab, key: {pk: PK}}\nentities: {A: {keys: {PK: '{id}'}, attributes: {id: string}}}\n"
# The content of the file, and the line and column of the fault.
CONTENTS = {
    "nothing": (b"", "1:1"),
    "white space": (b" \n\n", None),
    "no YAML": (b"model: 1\ntable: [\n", "3:1"),
    "a tab for indentation": (b"model: 1\ntable:\n\tname: T\n", "3:1"),
    "a key twice": (b"model: 1\nmodel: 1\n", "2:1"),
    "a list": (b"- model\n", "1:1"),
    "a word": (b"model\n", "1:1"),
    "another version": (MODEL.replace("model: 1", "model: 2").encode(), "1:8"),
    "an unknown field": (MODEL.replace("name: Tab", "nam: Tab").encode(), "2:9"),
    "an unknown field in the depth": (MODEL.replace("{id: string}", "{id: {typ: string}}").encode(), None),
    "a value of the wrong kind": (MODEL.replace("name: Tab", "name: [Tab]").encode(), "2:15"),
    "an anchor": (b"model: &one 1\n", "1:8"),
    "a cycle": (b"model: 1\nentities: &all {A: *all}\n", "2:11"),
    "an alias": (b"model: *one\n", "1:8"),
    "a tag": (b"model: !!int 1\n", "1:8"),
    "two documents": (MODEL.encode() + b"---\n" + MODEL.encode(), None),
    "deeper than deep": (b"model: " + b"[" * 10_000 + b"]" * 10_000, None),
    "binary": (bytes(range(256)) * 8, None),
    "zeros": (b"\0" * 4096, None),
    "bytes that are not UTF-8": (b"model: 1\ntable: {name: \xff}\n", None),
    "UTF-16": ("model: 1\n".encode("utf-16"), None),
    "an escape sequence": (b"model: 1\n\x1b[31mtable: {}\n", None),
}


def run(place, arguments, file, stdin=b""):
    command = [place.binary, "model", *(one.format(file) if one == "{}" else one for one in arguments)]
    ended = subprocess.run(command, input=stdin, capture_output=True, timeout=END_S, cwd=place.folder)
    return ended.returncode, ended.stdout, ended.stderr.decode("utf-8", "strict")


def refuse(place, what, arguments, file, where, stdin=b""):
    """Checks for exit code 2, no output, and one line without control characters that matches `where`."""
    code, out, err = run(place, arguments, file, stdin)
    expect((code, out), (2, b""), f"{what}: {err[:300]!r}")
    if not re.fullmatch(r"[^\x00-\x1f\x7f]+\n", err) or not re.search(where, err) or len(err) > 500:
        raise Failed(f"{what}: expected one line with {where!r}, got {err[:600]!r}")


def lines_of(commands, contents, prefix):
    for content, (data, mark) in contents.items():
        for command, arguments in commands.items():
            yield f"{command} of {content}", arguments, data, prefix + re.escape(mark or "") + (": " if mark else r"\d+:\d+: ")


def test_files_that_are_no_model(place):
    file = place.path("bad.yaml")
    for what, arguments, data, where in lines_of(MODEL_COMMANDS, CONTENTS, r"^bad\.yaml:"):
        file.write_bytes(data)
        refuse(place, what, arguments, "bad.yaml", where)
        expect(file.read_bytes() == data, True, f"{what}: the file is as it was")


def test_standard_input_that_is_no_model(place):
    some = {name: CONTENTS[name] for name in ("nothing", "no YAML", "an unknown field", "a cycle", "binary")}
    for what, arguments, data, where in lines_of({**MODEL_COMMANDS, **VARIANTS}, some, r"^-:"):
        refuse(place, f"{what} from standard input", arguments, "-", where, data)


def test_files_that_are_no_prices(place):
    file = place.path("bad.json")
    contents = {**CONTENTS, "JSON": (b"{}", None), "a model": (MODEL.encode(), None)}
    for content, (data, _) in contents.items():
        file.write_bytes(data)
        for command, arguments in {**PRICES, **IMPORT}.items():
            refuse(place, f"{command} of {content}", arguments, "bad.json", r"bad\.json")
            refuse(place, f"{command} of {content} from standard input", arguments, "-", r"^keyfold: -", data)


def test_files_that_cannot_be_read(place):
    place.path("folder").mkdir()
    for command, arguments in {**MODEL_COMMANDS, **VARIANTS, **PRICES, **IMPORT}.items():
        refuse(place, f"{command} of a folder", arguments, "folder", "folder: Is a directory")
        refuse(place, f"{command} of nothing", arguments, "missing.yaml", "missing.yaml: No such file or directory")
        refuse(place, f"{command} of a line break", arguments, "mis\nsing\x1b", "No such file or directory")


def test_files_of_100_megabytes(place):
    with open(place.path("huge"), "wb") as file:
        file.write(MODEL.encode())
        file.truncate(100_000_000)
    for command, arguments in {**MODEL_COMMANDS, **VARIANTS, **PRICES, **IMPORT}.items():
        refuse(place, f"{command} of 100 MB", arguments, "huge", "huge")
