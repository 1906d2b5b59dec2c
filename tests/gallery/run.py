#!/usr/bin/env python3
"""The gallery: every line of examples/manifest.tsv is run, and its verdict, exit status and kinds of findings compared.

One line a run, tab-separated: name, arguments after `concord` (relative to the repository), expected verdict, kinds of the
findings (comma-separated), tags (comma-separated). A finding is a property that is not verified, other than
only because a race is not excluded. Lines with the tag `slow` are run only if they are asked for, and
may have other findings than those besides: how many depends on the time limit. Every source file in
examples/ must be in some line, and every study's README must have the table that scripts/count-annotations prints.

Usage: tests/gallery/run.py [--concord PATH] [--patience N] [NAME…]      NAME: a line's name, or a study
"""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import running

EXAMPLES = running.ROOT / "examples"
SECONDS = 120
STATUS = {"verified": 0, "violated": 1, "unproved": 2, "unknown": 3}
SOURCES = {".plato", ".java"}


@dataclass
class Line:
    name: str
    arguments: list
    verdict: str
    kinds: list
    problem: str = ""  # of the line itself
    is_slow: bool = False

    def __str__(self):
        return self.name


def read_line(text):
    fields = text.split("\t")
    if len(fields) != 5:
        return Line(fields[0], [], "", [], f"5 fields are wanted, there are {len(fields)}")
    name, arguments, verdict, kinds, tags = fields
    line = Line(name, arguments.split(), verdict, sorted(filter(None, kinds.split(","))))
    if verdict not in STATUS:
        line.problem = f"no such verdict: {verdict!r}"
    elif verdict == "verified" and line.kinds:
        line.problem = "verified, and yet with kinds of findings"
    elif not tags:
        line.problem = "no tags"
    line.is_slow = "slow" in tags.split(",")
    return line


def read_manifest():
    text = (EXAMPLES / "manifest.tsv").read_text()
    lines = [read_line(line) for line in text.splitlines() if line and not line.startswith("#")]
    names = set()
    for line in lines:
        if line.name in names:
            line.problem = "the name is used twice"
        names.add(line.name)
    return lines


def is_finding(found):
    return found["verdict"] != "verified" and not found.get("depends_on", "").startswith("race@")


def unlisted_sources(lines):
    listed = [running.ROOT / argument for line in lines for argument in line.arguments]
    sources = [path for path in sorted(EXAMPLES.rglob("*")) if path.suffix in SOURCES]
    return [path for path in sources if not any(path == entry or entry in path.parents for entry in listed)]


def wrong_tables():
    pages = []
    for page in sorted(EXAMPLES.glob("*/README.md")):
        command = [sys.executable, running.ROOT / "scripts/count-annotations", page.parent]
        table = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        if table not in page.read_text():
            name = str(page.relative_to(running.ROOT))
            pages.append(Line(name, [], "", [], f"scripts/count-annotations prints another table:\n{table}"))
    return pages


def check(line, options):
    if line.problem:
        return line.problem
    command = [*line.arguments, "--format", "json"]
    result = running.run(options.concord, command, running.ROOT, SECONDS * options.patience)
    if result is None:
        return f"took longer than {SECONDS * options.patience} s"
    stdout, stderr, status = result
    shown = f"concord {' '.join(line.arguments)}: "
    try:
        report = json.loads(stdout)
    except ValueError:
        return f"{shown}status {status}, no JSON\n{stdout}{stderr}"
    kinds = sorted({found["kind"] for found in report["properties"] if is_finding(found)})
    is_found = set(line.kinds) <= set(kinds) if line.is_slow else kinds == line.kinds
    if report["verdict"] != line.verdict or not is_found:
        return f"{shown}expected {line.verdict} {line.kinds}, got {report['verdict']} {kinds}"
    if status != STATUS[line.verdict]:
        return f"{shown}{line.verdict}, and yet exit status {status}"
    return ""


def main():
    parser = running.parser(__doc__)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    options.concord = options.concord.resolve()
    lines = read_manifest()
    wanted = [line for line in lines if any(line.name == name or line.name.startswith(name + "/") for name in options.names)]
    running.require(wanted or not options.names, "no such line in examples/manifest.tsv")
    if not options.names:
        unlisted = [Line(str(path.relative_to(running.ROOT)), [], "", [], "not in examples/manifest.tsv")
                    for path in unlisted_sources(lines)]
        wanted = [line for line in lines if not line.is_slow] + unlisted + wrong_tables()
    return running.run_all(wanted, lambda line: check(line, options))


if __name__ == "__main__":
    sys.exit(main())
