#!/usr/bin/env python3
"""Golden tests: the exact output of concord on small inputs.

A case is a folder tests/golden/<area>/<case>/ with its input files and

  run        the arguments after `concord`, on one line, quoted as in a shell; file names are relative to the folder.
             Lines before it may set something (`# timeout 60`: seconds, 10 if not set; `# stdin FILE`; `# interrupt 1`:
             SIGINT after that many seconds; `# fifo FILE`: a named pipe at that place in {tmp}; `# path FOLDER`: the only
             place where programs are found; `# varies PATTERN`: what this regular expression matches is a value of a solver's
             model, and VALUE is compared) or be comments (`# …`).
             {tmp} in the arguments stands for a fresh folder that is removed afterwards.
  expected   what concord prints: stdout, a line `--- stderr`, stderr, a line `--- status N`.

Times (`in 0.01 s`, "time_ms": 1.5) and the version are replaced by placeholders before comparing. A case without
`expected` fails, and so does a case that takes too long. `--bless` writes `expected` anew; read the difference like code.

Usage: tests/golden/run.py [--bless] [--concord PATH] [--patience N] [CASE…]      CASE: area, area/case, or a folder's path
"""

import difflib
import os
import re
import shlex
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import running

GOLDEN = Path(__file__).resolve().parent
SECONDS = 10

PLACEHOLDERS = [
    (re.compile(r"\bin \d+(\.\d+)? (ms|s|min)\b"), "in TIME"),
    (re.compile(r'("time_ms": ?)\d+(\.\d+)?(e[-+]?\d+)?'), r"\1TIME"),
    (re.compile(r'("concord": ?)"\d+\.\d+\.\d+"'), r'\1"VERSION"'),
    (re.compile(r'("semanticVersion": ?)"\d+\.\d+\.\d+"'), r'\1"VERSION"'),
    (re.compile(r"^(concord|Z3|cvc5|JDK) \d+(\.\d+)*\b", re.MULTILINE), r"\1 VERSION"),
    # After a failed proof the search also tries the values of the solver's model, which differs from run to run.
    (re.compile(r"in TIME, \d+ states(\nengine: modular)"), r"in TIME, N states\1"),
]


class Malformed(Exception):
    pass


class Case:
    def __init__(self, folder):
        self.folder = folder
        self.expected_file = folder / "expected"
        self.seconds = SECONDS
        self.stdin = ""
        self.interrupt = None
        self.fifo = None
        self.path = None
        self.varies = None
        lines = (folder / "run").read_text().splitlines()
        commands = [line for line in lines if line.strip() and not line.startswith("#")]
        if len(commands) != 1:
            raise Malformed(f"{folder / 'run'}: one line of arguments is wanted, there are {len(commands)}")
        self.arguments = shlex.split(commands[0])
        for line in lines:
            self.read_setting(line)

    def read_setting(self, line):
        words = line.lstrip("#").split()
        if not line.startswith("#") or len(words) != 2:
            return
        if words[0] == "timeout":
            self.seconds = int(words[1])
        elif words[0] == "stdin":
            self.stdin = (self.folder / words[1]).read_text()
        elif words[0] == "interrupt":
            self.interrupt = float(words[1])
        elif words[0] == "fifo":
            self.fifo = words[1]
        elif words[0] == "path":
            self.path = words[1]
        elif words[0] == "varies":
            self.varies = re.compile(words[1])

    def __str__(self):
        return self.folder.relative_to(GOLDEN).as_posix() if self.folder.is_relative_to(GOLDEN) else str(self.folder)

    def actual(self, options):
        """The text for `expected`, or None if the time is up."""
        with tempfile.TemporaryDirectory() as tmp:
            arguments = [argument.replace("{tmp}", tmp) for argument in self.arguments]
            if self.fifo:
                os.mkfifo(Path(tmp, self.fifo))
            result = running.run(options.concord, arguments, self.folder, self.seconds * options.patience, self.stdin,
                                 self.interrupt, self.path)
            if result is None:
                return None
            stdout, stderr, status = (text.replace(tmp, "{tmp}") if isinstance(text, str) else text for text in result)
        text = normalised(f"{ended(stdout)}--- stderr\n{ended(stderr)}--- status {status}\n")
        return self.varies.sub("VALUE", text) if self.varies else text


def ended(text):
    """Output that does not end its last line must not look like output that does."""
    return text if not text or text.endswith("\n") else text + "\n--- no newline above\n"


def normalised(text):
    for pattern, placeholder in PLACEHOLDERS:
        text = pattern.sub(placeholder, text)
    return text


def check(case, options):
    """The problem as text, or ""; with --bless there is no problem but a timeout."""
    actual = case.actual(options)
    if actual is None:
        return f"took longer than {case.seconds * options.patience} s"
    expected = case.expected_file.read_text() if case.expected_file.exists() else None
    if actual == expected:
        return ""
    if options.bless:
        case.expected_file.write_text(actual)
        print(f"blessed {case}")
        return ""
    if expected is None:
        return f"has no `expected`; the output is\n{actual}"
    difference = difflib.unified_diff(expected.splitlines(), actual.splitlines(), "expected", "actual", lineterm="")
    return f"concord {' '.join(case.arguments)}\n" + "\n".join(difference)


def find_cases(names):
    """The cases at or below the names given; all of them without names."""
    folders = []
    for name in names or [""]:
        base = GOLDEN / name if (GOLDEN / name).exists() else Path(name).resolve()
        found = sorted(path.parent for path in base.rglob("run"))
        running.require(found or not names, f"no golden case {name}")
        folders += [folder for folder in found if folder not in folders]
    for area in sorted(GOLDEN.glob("*/*/")) if not names else []:
        running.require((area / "run").exists() or not any(area.iterdir()), f"{area} has no file `run`")
    return [Case(folder) for folder in folders]


# ------------------------------------------------------------------------------------------------------------ self-test


def self_test():
    """A runner that cannot fail would prove nothing: shows it failing, on a stand-in for concord."""

    class Options:
        bless = False
        patience = 1

    good = "out\n--- stderr\nwarning in TIME\n--- status 3\n"
    trials = [
        ("--all", good, ""),
        ("--all", good.replace("out", "other"), "-other\n+out"),
        ("--all", good.replace("status 3", "status 0"), "---- status 0\n+--- status 3"),
        ("--all", None, "has no `expected`"),
        ("# timeout 1\n--sleep", good, "took longer than 1 s"),
        ("--bare", "out\n--- stderr\n--- status 0\n", "+--- no newline above"),
    ]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        concord = Path(folder, "concord")
        concord.write_text('#!/bin/sh\ncase $1 in --sleep) exec sleep 5 ;; --bare) printf out; exit 0 ;; esac\n'
                           'echo out; echo "warning in 0.25 s" >&2; exit 3\n')
        concord.chmod(0o755)
        Options.concord = concord
        for number, (run, expected, problem) in enumerate(trials):
            case_folder = Path(folder, str(number))
            case_folder.mkdir()
            (case_folder / "run").write_text(run + "\n")
            if expected is not None:
                (case_folder / "expected").write_text(expected)
            actual = check(Case(case_folder), Options)
            if (problem not in actual) if problem else actual:
                failed += 1
                print(f"trial {number}: expected {problem!r}, got {actual!r}")
    print(f"{len(trials) - failed} passed, {failed} failed")
    return 1 if failed else 0


def main():
    parser = running.parser(__doc__)
    parser.add_argument("--bless", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    options.concord = options.concord.resolve()
    try:
        cases = find_cases(options.cases)
    except Malformed as problem:
        print(problem)
        return 1
    return running.run_all(cases, lambda case: check(case, options))


if __name__ == "__main__":
    sys.exit(main())
