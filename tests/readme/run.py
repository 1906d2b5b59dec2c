#!/usr/bin/env python3
"""What the pages below show is what the tool prints: every indented `$ ./concord …` is run, and the lines below it compared.

Times may differ. `--bless` writes the present output into them.

Usage: tests/readme/run.py [--bless] [--concord PATH] [--patience N]
"""

import difflib
import re
import sys
from dataclasses import dataclass
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import running

PAGES = ["README.md", "ARCHITECTURE.md", "docs/tutorial.md", "docs/java.md", "docs/engines.md", "docs/limits.md", "docs/gallery.md", "docs/explore.md", "docs/modular.md", "docs/threads.md", "docs/tvla.md",
         "docs/shape.md", "docs/dynamic.md", "docs/dynamic-tutorial.md"]
SECONDS = 60
# The command, and everything indented after it up to the next one; empty lines belong to it if an indented line follows.
BLOCK = re.compile(r"^    \$ \./concord (?P<arguments>.*)\n(?P<output>(?:\n*    (?!\$ ).*\n)*)", re.MULTILINE)
TIME = re.compile(r"\bin \d+\.\d+ s\b")
# How far a search came before its time was over.
REACHED = re.compile(r"reached after \d+ states")
# A solver may choose other values for the same failure.
VALUES = re.compile(r"(?<=note: for instance, ).*")
# So may runs of clients, for which the values are tried that a failed proof suggests.
CLIENT = re.compile(r"^ +step +line +client#", re.MULTILINE)
CHOSEN = re.compile(r"(?<== )-?\d+|\d+(?= states$)", re.MULTILINE)


@dataclass
class Shown:
    page: str
    arguments: str
    output: str

    def __str__(self):
        return f"{self.page}: concord {self.arguments}"


def indented(text):
    return "".join(f"    {line}".rstrip() + "\n" for line in text.splitlines())


def printed(shown, options):
    result = running.run(options.concord, shown.arguments.split(), running.ROOT, SECONDS * options.patience)
    return None if result is None else indented(result[0] + result[1])


def comparable(text):
    text = VALUES.sub("VALUES", REACHED.sub("reached", TIME.sub("in TIME", text)))
    return CHOSEN.sub("CHOSEN", text) if CLIENT.search(text) else text


def check(shown, options):
    actual = printed(shown, options)
    if actual is None:
        return f"took longer than {SECONDS * options.patience} s"
    expected, actual = (comparable(text).splitlines() for text in (shown.output, actual))
    return "\n".join(difflib.unified_diff(expected, actual, shown.page, "actual", lineterm=""))


def shown_in(page, match):
    return Shown(page, match["arguments"], match["output"])


def bless(page, options):
    def renew(match):
        shown = shown_in(page, match)
        return match[0].removesuffix(shown.output) + printed(shown, options) if check(shown, options) else match[0]

    path = running.ROOT / page
    path.write_text(BLOCK.sub(renew, path.read_text()))


def main():
    parser = running.parser(__doc__)
    parser.add_argument("--bless", action="store_true")
    options = parser.parse_args()
    options.concord = options.concord.resolve()
    if options.bless:
        for page in PAGES:
            bless(page, options)
        return 0
    blocks = []
    for page in PAGES:
        found = [shown_in(page, match) for match in BLOCK.finditer((running.ROOT / page).read_text())]
        running.require(found, f"{page} shows no command")
        blocks += found
    return running.run_all(blocks, lambda shown: check(shown, options))


if __name__ == "__main__":
    sys.exit(main())
