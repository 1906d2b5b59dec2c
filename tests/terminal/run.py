#!/usr/bin/env python3
"""What concord prints on a terminal: no line of the interleaving is wider than it, columns have lines between them, and without
a Unicode locale every character is ASCII.

Usage: tests/terminal/run.py [--concord PATH] [--patience N]
"""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import running

HERE = Path(__file__).resolve().parent
SECONDS = 20
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def on_terminal(options, columns, locale, arguments=("explore", "threads.plato")):
    """What is printed, without colours."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    environment = {**running.environment(), "LC_ALL": locale, "TERM": "xterm"}
    command = [options.concord, *arguments]
    process = subprocess.Popen(command, cwd=HERE, env=environment, stdin=slave, stdout=slave, stderr=subprocess.DEVNULL)
    os.close(slave)
    out = b""
    while True:
        try:
            chunk = os.read(master, 65536)
        except OSError:  # nobody writes to it any more
            chunk = b""
        if not chunk:
            break
        out += chunk
    os.close(master)
    process.wait(timeout=SECONDS * options.patience)
    return COLOURS.sub("", out.decode()).replace("\r\n", "\n")


def steps(text):
    """The lines of the first run."""
    lines = text.splitlines()
    begin = next(i for i, line in enumerate(lines) if line.startswith("  initially "))
    return lines[begin : lines.index("", begin)]


def fits(options, columns):
    def check():
        wide = [line for line in steps(on_terminal(options, columns, "C.UTF-8")) if len(line) > columns]
        return "wider than the terminal:\n" + "\n".join(wide) if wide else ""

    return check


# What is read on a terminal before anything else.
PROSE = {"help": ["--help"], "help of verify": ["verify", "--help"], "kinds": ["explain"], "race": ["explain", "race"]}


def prose_fits(options, arguments, columns):
    """And says the same as in a file, where programs keep their layout."""

    def check():
        text = on_terminal(options, columns, "C.UTF-8", arguments)
        lines = text.splitlines()
        is_program = [line.startswith("    ") and arguments[0] == "explain" for line in lines]
        wide = [line for line, keeps in zip(lines, is_program) if len(line) > columns and not keeps]
        whole = subprocess.run([options.concord, *arguments], capture_output=True, text=True, env=running.environment()).stdout
        if wide or text.split() != whole.split():
            return "wider than the terminal, or other words:\n" + "\n".join(wide or lines)
        programs = [line for line in whole.splitlines() if line.startswith("    ") and arguments[0] == "explain"]
        return "" if all(line in lines for line in programs) else f"a program has another layout:\n{text}"

    return check


def prose_is_ascii(options, arguments):
    def check():
        text = on_terminal(options, 80, "C", arguments)
        return "" if text.isascii() and text else f"not ASCII:\n{text}"

    return check


def has_lines(options):
    text = on_terminal(options, 120, "C.UTF-8")
    return "" if "│" in text and "┼" in text and "ü" in text else f"no lines between the columns:\n{text}"


def is_ascii(options):
    text = on_terminal(options, 120, "C")
    return "" if text.isascii() and "step  line" in text else f"not ASCII:\n{text}"


def main():
    options = running.parser(__doc__).parse_args()
    options.concord = options.concord.resolve()
    checks = {f"{columns} columns": fits(options, columns) for columns in (40, 60, 80, 120)}
    for name, arguments in PROSE.items():
        checks |= {f"{name}, {columns} columns": prose_fits(options, arguments, columns) for columns in (60, 80)}
        checks[f"{name}, ASCII"] = prose_is_ascii(options, arguments)
    checks["Unicode"] = lambda: has_lines(options)
    checks["ASCII"] = lambda: is_ascii(options)
    return running.run_all(list(checks), lambda name: checks[name]())


if __name__ == "__main__":
    sys.exit(main())
