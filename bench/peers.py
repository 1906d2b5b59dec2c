#!/usr/bin/env python3
"""Compares Concord with Boogie (Debian's package), on the same checks, in the same run.

First SimpleLock: bench/peers/*.bpl are its good version and two broken ones, written for Boogie by hand. Both tools must
give the right verdict each time, and on the good one Boogie's time must be at least 10 times Concord's, end to end. Most of
Boogie's time there is its start, so this alone says little; therefore the generated programs of families.py as well, on
which only the verdicts are demanded: k procedures, and one long one.

The last line is `N passed, N failed`; each program is a test, and so is the ratio.

Usage: bench/peers.py [--concord PATH] [--times N] [--boogie PATH]
"""

import re
import shutil
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
import families
import measuring
import running
from measuring import ratio, seconds

WANTED = 10
EXAMPLES = measuring.ROOT / "examples/simple-lock"
PEERS = measuring.ROOT / "bench/peers"

# name, what concord says, how many assertions fail in Boogie
SIMPLE_LOCK = [
    ("simple_lock", "verified", 0),
    ("simple_lock_broken_missing_lock", "violated", 1),
    ("simple_lock_broken_test_then_set", "violated", 3),
]


class Comparison:
    """A table of programs that both tools check, and what went wrong: a test each."""

    def __init__(self, title, options):
        self.title, self.options = title, options
        self.rows, self.problems = [], []

    def add(self, name, plato, verdict, bpl, errors, *arguments):
        """Both must answer as said, each time. The ratio, or None."""
        concord = [self.options.concord, "verify", *arguments, plato], measuring.answers(verdict)
        boogie = [self.options.boogie, "/nologo", bpl], boogie_reports(errors)
        try:
            ours, theirs = measuring.best([concord, boogie], self.options.times)
        except measuring.Failure as failure:
            self.problems.append(str(failure))
            return None
        faster = theirs.seconds / ours.seconds
        self.rows.append([name, seconds(ours.seconds), seconds(theirs.seconds), ratio(faster)])
        self.problems.append("")
        return faster

    def show(self):
        measuring.table(self.title, ["", "concord", "boogie", "boogie / concord"], self.rows)


def boogie_reports(errors):
    """A check: so many assertions fail. Boogie's exit status tells nothing, and what it is not sure of it says at the very end."""

    def check(run):
        ended = re.search(r"finished with \d+ verified, (\d+) errors?\s*$", run.output)
        return "" if ended and int(ended[1]) == errors else f"{errors} errors are expected, and an end without doubts"

    return check


def simple_lock(options):
    compared = Comparison("SimpleLock", options)
    for name, verdict, errors in SIMPLE_LOCK:
        faster = compared.add(name, EXAMPLES / f"{name}.plato", verdict, PEERS / f"{name}.bpl", errors)
        if verdict == "verified" and faster is not None:
            enough = faster >= WANTED
            compared.problems.append("" if enough else f"{name}: boogie / concord is {faster:.1f}, at least {WANTED} is wanted")
    compared.show()
    return compared.problems


def generated(options):
    programs = [(f"k = {k} procedures of 10 steps", families.many_procedures(k, 10), families.boogie_many_procedures(k, 10))
                for k in (1, 10, 50, 200)]
    programs += [(f"one procedure of {m} writes", families.one_long_procedure(m, 20), families.boogie_one_long_procedure(m, 20))
                 for m in (100, 300)]
    compared = Comparison("generated programs", options)
    with tempfile.TemporaryDirectory() as folder:
        plato, bpl = Path(folder) / "program.plato", Path(folder) / "program.bpl"
        for name, for_concord, for_boogie in programs:
            plato.write_text(for_concord)
            bpl.write_text(for_boogie)
            compared.add(name, plato, "verified", bpl, 0, "--engine", "modular")
    compared.show()
    return compared.problems


def main():
    parser = measuring.parser(__doc__, times=5)
    parser.add_argument("--boogie", type=Path, default=shutil.which("boogie"), help="Boogie's program")
    options = parser.parse_args()
    running.require(options.boogie, "Boogie is missing: as root, ./test peers installs it")
    options.concord = options.concord.resolve()
    running.require(options.concord.exists(), f"{options.concord} is missing; ./concord --version builds it")
    measuring.show_machine()
    problems = simple_lock(options) + generated(options)
    print()
    for problem in filter(None, problems):
        print(f"FAILED {problem}")
    failed = sum(1 for problem in problems if problem)
    print(f"{len(problems) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
