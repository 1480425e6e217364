"""Tests the program's commands: the list of them, unknown commands, and exit codes."""
import os
import subprocess

from program import expect, expect_in

REFUSED = [
    ((), "a command is missing, as in: keyfold serve; see keyfold --help"),
    (("bogus",), "there is no command bogus; see keyfold --help"),
    (("--bogus",), "a command is missing before --bogus; see keyfold --help"),
    (("model",), "a command is missing; see keyfold model --help"),
    (("model", "bogus"), "there is no command bogus; see keyfold model --help"),
    (("model", "--bogus"), "a command is missing before --bogus; see keyfold model --help"),
]


def test_what_is_no_command_is_refused_in_one_line(place):
    for arguments, line in REFUSED:
        expect(place.refused(2, line, *arguments), f"keyfold: {line}\n")


def test_help_lists_commands_with_examples(place):
    for flag in ("--help", "-h"):
        code, out, err = place.run(flag)
        expect((code, err), (0, ""))
        for part in ("Usage: keyfold COMMAND", "  serve  ", "  model  ", "Examples:", "keyfold serve --in-memory", "keyfold COMMAND --help"):
            expect_in(part, out, flag)
        code, out, err = place.run("model", flag)
        expect((code, err), (0, ""))
        expect_in("Usage: keyfold model COMMAND", out)


def test_no_colours_where_nobody_sees_them(place):
    for arguments in (("--help",), ("bogus",), ("model", "--help")):
        _, out, err = place.run(*arguments, variables={"TERM": "xterm-256color"})
        expect("\x1b" in out + err, False, f"an escape in what {arguments} prints into a pipe")


def complaint_on_a_terminal(place, variables):
    """Returns what a refusal prints on standard error if that is a terminal."""
    leader, follower = os.openpty()
    environment = {"PATH": os.environ["PATH"], **variables}
    subprocess.run([place.binary, "bogus"], stdin=subprocess.DEVNULL, stderr=follower, env=environment, cwd=place.folder, check=False)
    os.close(follower)
    shown = os.read(leader, 1000).decode()
    os.close(leader)
    return shown


def test_colors_on_a_terminal_unless_disabled(place):
    expect_in("\x1b[31mkeyfold:\x1b[0m there is no command", complaint_on_a_terminal(place, {"TERM": "xterm"}))
    expect_in("keyfold: there is no command", complaint_on_a_terminal(place, {"TERM": "xterm", "NO_COLOR": "1"}))
    expect_in("keyfold: there is no command", complaint_on_a_terminal(place, {"TERM": "dumb"}))


def test_an_answer_that_cannot_be_written_is_no_success(place):
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([place.binary, "--help"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    expect((done.returncode, done.stderr), (1, "keyfold: could not write to standard output: No space left on device\n"))
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = subprocess.run([place.binary, "--help"], stdout=write_end, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write_end)
    expect((done.returncode, done.stderr), (1, ""), "a reader that went away")
