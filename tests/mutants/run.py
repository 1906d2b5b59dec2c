#!/usr/bin/env python3
"""Every small mistake in a verified study is caught, or harmless.

The verified programs of the gallery (examples/manifest.tsv) are changed in one place at a time: the code (a statement dropped, two
swapped, a condition negated, another variable, atomic split, synchronized dropped …) and the clauses (dropped, a conjunct dropped,
weakened, strengthened, actions swapped, another lock …); mutate.py has the operators. Two commands judge each mutant, the one that
decides and the other engine's: for Plato `verify --engine modular`, or `threads`, and the referee (`explore`), for Java the line of the manifest with
its options, and the referee, or the modular engine if the line itself runs the referee. A mutant is one of these:

  refused        the reader or the checker, or javac, does not take it (status 65); it does not count
  caught         some claim is not proved, or the referee refutes one that the modular engine leaves to it
  undecided      nothing is found, and something is unknown: time, or a limit of the referee
  survived       all is verified. It must be harmless: the referee decides everything and finds nothing; in Plato also with a third
                 thread where the number is symbolic, and with one more thread of each unnamed kind. Each is listed, with what that means
  contradiction  a property that one of the two verifies and the other refutes; the worst kind of defect

A failure is a contradiction, a claim that only the other command knows and refutes, an internal error, and a hang (that
the studies are verified as they are is for the gallery to say). Of the findings about a caught mutant, those of claims that are
only unproved because another one is come last; the first, and the nearest, is on the changed line, in the same procedure, in one
that calls it or that it calls, in a run that performs the line, about a variable of the line (for a clause of the module: in a
procedure with one), or elsewhere. Mutants whose findings are all elsewhere are listed.

Usage: tests/mutants/run.py [--concord PATH] [--patience N] [--sample N] [--most N] [--seed S] [--language plato|java] [--timeout S] [--wide]
       [--list] [--keep FOLDER] [-j N] [STUDY…]
       tests/mutants/run.py --self-test
       STUDY: a folder of examples/, or the name of a program in it
"""

import argparse
import random
import sys
import tempfile
import time
import zlib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent)]
import judge
import mutate
import running
import structure

CLASSES = ["refused", "caught", "undecided", "survived", "contradiction", "failed"]
FAILURES = ("contradiction", "failed")


@dataclass
class Case:
    study: judge.Study
    file: str  # the one that is changed
    program: structure.Program
    mutant: mutate.Mutant
    judgement: judge.Judgement = None
    seconds: float = 0

    def __str__(self):
        return f"examples/{self.file}:{self.mutant.line}: {self.mutant}"


def studies(wanted, language):
    """The verified programs of the gallery, by name. Where both engines verify a Java program the line with `verify` counts."""
    found = {}
    for line in (running.ROOT / "examples/manifest.tsv").read_text().splitlines():
        fields = line.split("\t")
        if len(fields) == 5 and fields[2] == "verified":
            words = fields[1].split()
            sources = [word for word in words if word.endswith((".plato", ".java"))]
            if not sources:
                continue  # a folder: the crawler, of which a single proof takes half a minute
            commands = plato_commands(words) if "plato" in fields[4].split(",") else java_commands(words, sources)
            name = sources[-1].removeprefix("examples/").rsplit(".", 1)[0]
            if len(sources) > 1:  # the first one says which threads there are
                name += "-" + Path(sources[0]).stem
            if commands and (name not in found or words[0] == "verify"):
                files = {source.removeprefix("examples/"): (running.ROOT / source).read_text() for source in sources}
                found[name] = judge.Study(name, files, *commands)
    return [study for name, study in found.items() if (not wanted or set(wanted) & {*name.split("/"), name}) and
            all(file.endswith(language) for file in study.files)]


def plato_commands(words):
    if words[0] != "verify":
        return None
    return (judge.THREADS if "threads" in words else judge.MODULAR), judge.REFEREE


def java_commands(words, sources):
    """With the options of the line. Where the line has only the referee the modular engine must not contradict it."""
    settings = [word for word in words[1:] if word not in sources]
    shared = list(settings)
    if "--engine" in shared:  # of `verify` only
        where = shared.index("--engine")
        del shared[where:where + 2]
    other = judge.MODULAR if words[0] == "explore" else ["explore"]
    return [words[0], *settings], [*other, *shared]


def judged(study, effect, options):
    try:
        return judge.judge(study, effect, options)
    except judge.Broken as problem:
        return judge.Judgement("failed", str(problem))


def check(case, options):
    started = time.monotonic()
    judgement = judged(case.study.changed({case.file: case.mutant.source}), case.mutant.effect, options)
    if judgement.outcome == "caught":
        judge.judge_place(judgement, case.mutant, case.file, case.program)
    case.judgement = judgement
    case.seconds = time.monotonic() - started
    if options.keep and judgement.outcome in FAILURES:
        path = Path(case.file)
        name = f"{path.stem}_{case.mutant.line}_{zlib.crc32(case.mutant.source.encode()):08x}{path.suffix}"
        options.keep.mkdir(parents=True, exist_ok=True)
        (options.keep / name).write_text(f"// {case}\n{case.mutant.source}")


def table(cases, names):
    width = max(map(len, ["all clauses", *names]))
    print(f"{'study':{width}}  mutants" + "".join(f"  {name}" for name in CLASSES))
    rows = {"code": "all code", "clause": "all clauses"}
    for name in [*names, *rows.values(), "all"]:
        counts = Counter(case.judgement.outcome for case in cases if name in ("all", case.study.name, rows[case.mutant.group]))
        cells = "".join(f"  {counts[outcome]:{len(outcome)}}" for outcome in CLASSES)
        print(f"{name:{width}}  {sum(counts.values()):7}{cells}")
    for title, where in (("first finding", "first"), ("nearest finding", "nearest")):
        counts = Counter(getattr(case.judgement, where) for case in cases if case.judgement.outcome == "caught")
        print(f"{title}: " + ", ".join(f"{counts[place]} {place}" for place in judge.PLACES))
    print()


def described(case):
    judgement = case.judgement
    outcome = f"{judgement.outcome}{': ' * bool(judgement.text)}{judgement.text}"
    if not judgement.findings:
        return f"{case}\n    {outcome}"
    shown = judgement.findings[0]
    where = ":".join(str(shown["location"][part]) for part in ("file", "line", "column")).removeprefix(f"{case.file}:")
    more = f" and {len(judgement.findings) - 1} more" if len(judgement.findings) > 1 else ""
    places_shown = f" ({judgement.first}, {judgement.nearest})" if judgement.first else ""
    return (f"{case}\n    {outcome}{places_shown}, {shown['engine']}: {where}: {shown['verdict']}: {shown['message']} "
            f"[{shown['id'].replace(f'{case.file}:', '')}]{more}")


def report(cases, options):
    sections = [("survived", lambda j: j.outcome == "survived"), ("undecided", lambda j: j.outcome == "undecided"),
                ("every finding elsewhere", lambda j: j.nearest == "elsewhere")]
    if options.list:
        sections.append(("all", lambda j: True))
    for title, is_in in sections:
        listed = [case for case in cases if is_in(case.judgement)]
        if listed:
            print(f"{title}:\n" + "\n".join(map(described, listed)) + "\n")


# ------------------------------------------------------------------------------------------------------------- self-test

LIAR = """#!/usr/bin/env python3
import json, sys
kind, *verdicts = open("mutant.plato").read().split()
verdict = verdicts[sys.argv[1] == "explore"]
message = "time limit of 10 s" * verdict.startswith("late-")
if verdict.isdigit():
    sys.exit(int(verdict))
found = {"id": kind + "@mutant.plato:1:1", "kind": kind, "engine": "", "verdict": verdict.removeprefix("late-"), "message": message}
print(json.dumps({"properties": [found]}))
"""
TRIALS = [  # kind, verdict or status of the modular engine, of the referee, what that makes of the mutant
    ("assertion", "verified", "verified", "survived"),
    ("assertion", "verified", "violated", "contradiction"),
    ("assertion", "violated", "verified", "contradiction"),
    ("assertion", "verified", "unknown", "undecided"),
    ("assertion", "unproved", "verified", "caught"),
    ("assertion", "late-unproved", "verified", "undecided"),
    ("assertion", "late-violated", "unknown", "caught"),
    ("assertion", "unknown", "violated", "caught"),
    ("assertion", "unknown", "verified", "undecided"),
    ("race", "unknown", "verified", "survived"),
    ("race", "unknown", "violated", "caught"),
    ("race", "unknown", "unknown", "undecided"),
    ("assertion", "65", "65", "refused"),
    ("assertion", "70", "verified", "failed"),
    ("assertion", "verified", "70", "failed"),
]


def self_test():
    """A runner that cannot fail would prove nothing: every outcome, on a stand-in for concord."""
    options = argparse.Namespace(patience=1, wide=False, timeout=10)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        options.concord = Path(folder, "concord")
        options.concord.write_text(LIAR)
        options.concord.chmod(0o755)
        for *said, outcome in TRIALS:
            study = judge.Study("", {"mutant.plato": " ".join(said)}, ["verify"], ["explore"])
            found = judged(study, "code", options)
            if found.outcome != outcome:
                print(f"FAILED {' '.join(said)}: {found.outcome}, not {outcome}")
                failed += 1
    print(f"{len(TRIALS) - failed} passed, {failed} failed")
    return 1 if failed else 0


def main():
    parser = running.parser(__doc__)
    parser.add_argument("--sample", type=int, help="only so many mutants, of all studies")
    parser.add_argument("--most", type=int, help="at most so many mutants of each study")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--language", choices=["plato", "java"], default="", help="only studies in it")
    parser.add_argument("--timeout", type=int, default=10, help="of each run of concord, in seconds (default: 10)")
    parser.add_argument("--wide", action="store_true", help="look for contradictions with more threads in every mutant")
    parser.add_argument("--list", action="store_true", help="print every mutant and its first finding")
    parser.add_argument("--keep", type=Path, help="save contradictions and failures there")
    parser.add_argument("-j", type=int, default=running.JOBS, dest="jobs", help="so many at a time")
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("studies", nargs="*")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    options.concord = options.concord.resolve()
    chosen = studies(options.studies, options.language)
    running.require(chosen, "no such study in examples/manifest.tsv")
    cases = [Case(study, file, program, mutant) for study in chosen for file, text in study.files.items()
             for program in [mutate.program(file, text)] for mutant in mutate.mutants(file, program)]
    if options.most is not None:
        chance = random.Random(options.seed)
        by_study = [[case for case in cases if case.study is study] for study in chosen]
        cases = [case for own in by_study
                 for index in sorted(chance.sample(range(len(own)), min(len(own), options.most))) for case in [own[index]]]
    if options.sample is not None and options.sample < len(cases):
        picked = random.Random(options.seed).sample(range(len(cases)), options.sample)
        cases = [cases[index] for index in sorted(picked)]
    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(lambda case: check(case, options), cases))
    table(cases, [study.name for study in chosen])
    report(cases, options)
    failures = [case for case in cases if case.judgement.outcome in FAILURES]
    for case in failures:
        print(f"FAILED {described(case)}\n")
    slowest = sorted(cases, key=lambda case: -case.seconds)[:5]
    print("slowest:", "; ".join(f"{case.seconds:.0f} s {case}" for case in slowest), file=sys.stderr)
    counted = sum(case.judgement.outcome != "refused" for case in cases)
    print(f"{counted - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
