#!/usr/bin/env python3
"""Inference: programs of the gallery without their annotations (scripts/strip-annotations), and how much is proved of them.

A line of studies.tsv is a study: name · its sources · further arguments · how many annotations a person wrote, and how many the paper
needed · how many properties there are in the stripped program, how many of them are proved by the modular engine without any
annotation, and with those that are found, how many lines are needed of those, and how many properties `concord verify` proves, with
all engines · tags (`slow`: in ./test long only; `machines`: nothing is looked at but the last number).
Checked too: the patch applies, what it makes of the sources is proved as it was said, and nothing that was wrong is verified: broken
variants (`broken` in the tags) are not.

Usage: tests/inference/run.py [--bless] [--slow] [--concord PATH] [--patience N] [STUDY…]
       --bless: prints the lines as they are now
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import running

STUDIES = Path(__file__).resolve().parent / "studies.tsv"
SECONDS = 240


class Study:
    def __init__(self, line):
        self.fields = line.split("\t")
        name, sources, arguments, self.written, self.paper, self.expected, tags = self.fields
        self.name = name
        self.sources = sources.split()
        self.arguments = arguments.split()
        self.tags = tags.split(",")

    def __str__(self):
        return self.name


class Failed(Exception):
    pass


def verify(options, folder, *arguments):
    result = running.run(options.concord, ["verify", *arguments, "--format", "json"], folder, SECONDS * options.patience)
    if result is None:
        raise Failed(f"took longer than {SECONDS * options.patience} s")
    stdout, stderr, status = result
    if status not in (0, 1, 2, 3):
        raise Failed(f"status {status}\n{stdout}{stderr}")
    return json.loads(stdout)


def proved(report):
    """What fails by itself is not; what depends on that is for another to prove."""
    return [one for one in report["properties"] if one["verdict"] == "verified"]


def measure(study, options):
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, running.ROOT / "scripts/strip-annotations", *study.sources, "--to", folder]
        subprocess.run(command, cwd=running.ROOT, check=True)
        files = [Path(source).name for source in study.sources]
        by_all = verify(options, folder, *study.arguments, *files)
        if "broken" in study.tags and by_all["verdict"] == "verified":
            raise Failed("a broken program is verified")
        if "machines" in study.tags:
            return f"{len(by_all['properties'])} - - - {len(proved(by_all))}"
        by_modular = ["--engine", "modular", *study.arguments]
        before = verify(options, folder, *by_modular, *files)
        after = verify(options, folder, *by_modular, "--suggest", *files)
        patch = after.get("patch", "")
        if patch:
            subprocess.run(["patch", "-p0", "--silent"], cwd=folder, input=patch.encode(), check=True)
            again = verify(options, folder, *by_modular, *files)
            if again["verdict"] != after["verdict"]:
                raise Failed(f"with the patch {again['verdict']}, and it was said {after['verdict']}")
        if "broken" in study.tags and after["verdict"] == "verified":
            raise Failed("a broken program is verified")
        added = sum(line.startswith("+") and not line.startswith("+++") for line in patch.splitlines())
        return f"{len(after['properties'])} {len(proved(before))} {len(proved(after))} {added} {len(proved(by_all))}"


def check(study, options):
    try:
        now = measure(study, options)
    except (Failed, subprocess.CalledProcessError) as problem:
        return str(problem)
    if options.bless:
        print("\t".join([*study.fields[:5], now, study.fields[6]]))
        return ""
    return "" if now == study.expected else f"properties, proved before and after, needed, proved by all: {study.expected} expected, {now} found"


def main():
    parser = running.parser(__doc__)
    parser.add_argument("--bless", action="store_true")
    parser.add_argument("--slow", action="store_true")
    parser.add_argument("studies", nargs="*")
    options = parser.parse_args()
    options.concord = options.concord.resolve()
    studies = [Study(line) for line in STUDIES.read_text().splitlines() if line and not line.startswith("#")]
    wanted = [study for study in studies if study.name in options.studies] if options.studies else [
        study for study in studies if options.slow or "slow" not in study.tags]
    running.require(wanted, "no such study")
    return running.run_all(wanted, lambda study: check(study, options))


if __name__ == "__main__":
    sys.exit(main())
