#!/usr/bin/env python3
"""Every small mistake in a verified study is caught, or harmless.

The verified Plato programs of the gallery (lines of examples/manifest.tsv that run `verify`) are changed in one place at a time:
the code (a statement dropped, two swapped, a condition negated, another variable, atomic split …) and the clauses (dropped, a
conjunct dropped, weakened, strengthened, actions swapped …); mutate.py has the operators. `verify --engine modular` and the
referee (`explore`) judge each mutant, and it is one of these:

  refused        the reader or the checker does not take it (status 65); it does not count
  caught         some claim is not proved, or the referee refutes one that the modular engine leaves to it
  undecided      nothing is found, and something is unknown: time, or a limit of the referee
  survived       all is verified. It must be harmless: the referee finds nothing, also with a third thread where the number is
                 symbolic, and with one more thread of each unnamed kind. Each is listed, with what that means
  contradiction  a property that one of the two verifies and the other refutes; the worst kind of defect

A failure is a contradiction, a survivor with a claim that only the referee knows and refutes, an internal error, a hang, and a
study that is not verified unchanged. Of the findings about a caught mutant, those of claims that are only unproved because another
one is come last; the first, and the nearest, is on the changed line, in the same procedure, in one that calls it or that it calls,
in a run that performs the line, about a variable of the line, or elsewhere. Mutants whose findings are all elsewhere are listed.
`--wide` gives the caught ones one more thread of each kind too, `--list` prints every mutant, `--keep` saves failures.

Usage: tests/mutants/run.py [--concord PATH] [--patience N] [--sample N] [--seed S] [--wide] [--list] [--keep FOLDER]
       [-j N] [STUDY…]
       STUDY: a folder of examples/, or the name of a program in it
"""

import json
import random
import re
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent)]
import mutate
import plato
import running

SECONDS = 60
LIMITS = ["--timeout", "10", "--solver-timeout", "2", "--memory", "2000", "-j", "1", "--format", "json"]
MODULAR = ["verify", "--engine", "modular"]
DEPENDS = "proved, but the proof depends on"  # a consequence of another finding
NOT_MODULAR = {"race", "deadlock"}  # left to the referee
PLACES = ["line", "procedure", "call", "trace", "variable", "elsewhere"]
CLASSES = ["refused", "caught", "undecided", "survived", "contradiction", "failed"]
WORDS = re.compile(r"[A-Za-z_]\w*")


@dataclass
class Judgement:
    outcome: str
    text: str = ""  # the problem, or what a survivor means
    findings: tuple = ()  # those that only follow from others last
    first: str = ""  # the place of the first finding
    nearest: str = ""  # the place of the one that has most to do with the change


@dataclass
class Case:
    study: str  # as folder/program
    mutant: mutate.Mutant
    judgement: Judgement = None
    seconds: float = 0

    def __str__(self):
        return f"examples/{self.study}.plato:{self.mutant.line}: {self.mutant}"


def studies(wanted):
    """The verified programs of the gallery that the modular engine is run on."""
    found = []
    for line in (running.ROOT / "examples/manifest.tsv").read_text().splitlines():
        fields = line.split("\t")
        if len(fields) == 5 and fields[1].startswith("verify ") and fields[2] == "verified":
            found += [word for word in fields[1].split() if word.endswith(".plato")]
    names = [name.removeprefix("examples/").removesuffix(".plato") for name in dict.fromkeys(found)]
    return [name for name in names if not wanted or set(wanted) & {*name.split("/"), name}]


# --------------------------------------------------------------------------------------------------------------- judging


class Broken(Exception):
    """No report: an internal error, or a hang."""


def properties(arguments, source, options):
    """By id, of the program with this text; None if it is refused."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "mutant.plato").write_text(source)
        command = [*arguments, "mutant.plato", *LIMITS]
        result = running.run(options.concord, command, folder, SECONDS * options.patience)
    if result is None:
        raise Broken(f"concord {' '.join(command)} took longer than {SECONDS * options.patience} s")
    stdout, stderr, status = result
    if status == 65:
        return None
    if status not in (0, 1, 2, 3):
        raise Broken(f"concord {' '.join(command)}: status {status}\n{stdout}{stderr}")
    return {found["id"]: found for found in json.loads(stdout)["properties"]}


def contradictions(modular, referee):
    verdicts = [(name, found["verdict"], referee[name]["verdict"]) for name, found in modular.items() if name in referee]
    return "\n".join(f"{name}: modular says {ours}, the referee {theirs}" for name, ours, theirs in verdicts
                     if {ours, theirs} == {"verified", "violated"})


def wider(source):
    """One more thread of each kind that has no name."""
    source = re.sub(r"\bthread\[(\d+)\]", lambda found: f"thread[{int(found[1]) + 1}]", source)
    return re.sub(r"\bthread (\w+\()", r"thread[2] \1", source)


def judge(source, effect, options):
    modular = properties(MODULAR, source, options)
    if modular is None:
        return Judgement("refused")
    referee = properties(["explore", "--threads", "2"], source, options)
    wrong = contradictions(modular, referee)
    if wrong:
        return Judgement("contradiction", wrong)
    ours = [found for found in modular.values() if found["verdict"] in ("unproved", "violated")]
    theirs = [found for found in referee.values() if found["verdict"] == "violated"]
    unseen = [found["id"] for found in theirs if found["id"] not in modular]
    if unseen and not ours:
        return Judgement("failed", f"not among the claims of the modular engine, and refuted: {', '.join(unseen)}")
    if ours or theirs:
        wrong = wide_contradictions(source, options) if options.wide else ""
        if wrong:
            return Judgement("contradiction", wrong)
        findings = {found["id"]: found for found in theirs + ours}  # by the modular engine if by both
        order = [found["id"] for found in ours + theirs]
        ordered = sorted(findings.values(), key=lambda found: (found["message"].startswith(DEPENDS), order.index(found["id"])))
        return Judgement("caught", findings=tuple(ordered))
    left = [name for name, found in modular.items() if found["verdict"] == "unknown" and
            (found["kind"] not in NOT_MODULAR or referee.get(name, found)["verdict"] == "unknown")]
    if left:
        return Judgement("undecided", modular[left[0]]["message"], (modular[left[0]],))
    return survivor(source, modular, effect, options)


def survivor(source, modular, effect, options):
    """What is verified for any number of threads holds for three too."""
    wrong = ""
    if re.search(r"\bthread\[\D", source):
        wrong = contradictions(modular, properties(["explore", "--threads", "3"], source, options))
    wrong = wrong or wide_contradictions(source, options)
    return Judgement("contradiction", wrong) if wrong else Judgement("survived", mutate.EFFECTS[effect])


def wide_contradictions(source, options):
    """Of the same program with one more thread of each kind."""
    wide = wider(source)
    if wide == source:
        return ""
    return contradictions(properties(MODULAR, wide, options), properties(["explore", "--threads", "2"], wide, options))


# ----------------------------------------------------------------------------------------------------------------- places


def places(finding):
    """The lines a finding points at: where it breaks, its claim, and what is related."""
    lines = [finding["location"]["line"], int(finding["id"].split(":")[-2])]
    return lines + [related["location"]["line"] for related in finding["related"]]


def place(case, program, finding):
    """How the finding's place has to do with the changed line."""
    lines = places(finding)
    changed = case.mutant.line
    if changed in lines:
        return "line"
    mine = program.procedure_at(changed)
    theirs = [procedure for procedure in map(program.procedure_at, lines) if procedure is not None]
    if mine is not None and mine in theirs:
        return "procedure"
    if mine is not None and any(calls(program, one, other) for there in theirs for one, other in ((mine, there), (there, mine))):
        return "call"
    if any(step["location"]["line"] == changed for step in finding["trace"]):
        return "trace"
    text = program.source.splitlines()
    shared = {variable.name for variable in program.variables if variable.procedure is None}
    names = set(WORDS.findall(case.mutant.before + " " + case.mutant.after + " " + text[changed - 1])) & shared
    if any(names & set(WORDS.findall(text[line - 1])) for line in lines if line <= len(text)):
        return "variable"
    return "elsewhere"


def calls(program, caller, callee):
    return any(token.text == callee.name for token in program.tokens[caller.contract:caller.end])


# ---------------------------------------------------------------------------------------------------------------- report


def check(case, options):
    started = time.monotonic()
    try:
        judgement = judge(case.mutant.source, case.mutant.effect, options)
    except Broken as problem:
        judgement = Judgement("failed", str(problem))
    if judgement.outcome == "caught":
        found = [place(case, options.programs[case.study], finding) for finding in judgement.findings]
        judgement.first = found[0]
        judgement.nearest = min(found, key=PLACES.index)
    case.judgement = judgement
    case.seconds = time.monotonic() - started
    if options.keep and judgement.outcome in ("contradiction", "failed"):
        name = f"{case.study.split('/')[1]}_{case.mutant.line}_{abs(hash_of(case.mutant.source)):08x}.plato"
        options.keep.mkdir(parents=True, exist_ok=True)
        (options.keep / name).write_text(f"// {case.study}:{case.mutant.line}: {case.mutant}\n{case.mutant.source}")


def hash_of(text):
    """The same in every run, as hash() is not."""
    value = 0
    for letter in text:
        value = (value * 31 + ord(letter)) % 2**32
    return value


def unchanged(study, options):
    """The problem with the study itself, or ""."""
    try:
        judgement = judge(options.programs[study].source, "code", options)
    except Broken as problem:
        return str(problem)
    return "" if judgement.outcome == "survived" else f"{judgement.outcome} {judgement.text}"


def table(cases, names):
    width = max(map(len, names))
    print(f"{'study':{width}}  mutants" + "".join(f"  {name}" for name in CLASSES))
    for name in [*names, "all"]:
        counts = Counter(case.judgement.outcome for case in cases if name in ("all", case.study))
        cells = "".join(f"  {counts[outcome]:{len(outcome)}}" for outcome in CLASSES)
        print(f"{name:{width}}  {sum(counts.values()):7}{cells}")
    for title, where in (("first finding", "first"), ("nearest finding", "nearest")):
        counts = Counter(getattr(case.judgement, where) for case in cases if case.judgement.outcome == "caught")
        print(f"{title}: " + ", ".join(f"{counts[place]} {place}" for place in PLACES))
    print()


def described(case):
    judgement = case.judgement
    if not judgement.findings:
        return f"{case}\n    {judgement.outcome}{': ' * bool(judgement.text)}{judgement.text}"
    shown = judgement.findings[0]
    where = f"{shown['location']['line']}:{shown['location']['column']}"
    more = f" and {len(judgement.findings) - 1} more" if len(judgement.findings) > 1 else ""
    places_shown = f" ({judgement.first}, {judgement.nearest})" if judgement.first else ""
    return (f"{case}\n    {judgement.outcome}{places_shown}, {shown['engine']}: {where}: {shown['verdict']}: {shown['message']} "
            f"[{shown['id'].replace('mutant.plato:', '')}]{more}")


def report(cases, options):
    sections = [("survived", lambda j: j.outcome == "survived"), ("undecided", lambda j: j.outcome == "undecided"),
                ("every finding elsewhere", lambda j: j.nearest == "elsewhere")]
    if options.list:
        sections.append(("all", lambda j: True))
    for title, is_in in sections:
        listed = [case for case in cases if is_in(case.judgement)]
        if listed:
            print(f"{title}:\n" + "\n".join(map(described, listed)) + "\n")


def main():
    parser = running.parser(__doc__)
    parser.add_argument("--sample", type=int, help="only so many mutants, of all studies")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--wide", action="store_true", help="look for contradictions with more threads in every mutant")
    parser.add_argument("--list", action="store_true", help="print every mutant and its first finding")
    parser.add_argument("--keep", type=Path, help="save contradictions and failures there")
    parser.add_argument("-j", type=int, default=running.JOBS, dest="jobs", help="so many at a time")
    parser.add_argument("studies", nargs="*")
    options = parser.parse_args()
    options.concord = options.concord.resolve()
    names = studies(options.studies)
    running.require(names, "no such study in examples/manifest.tsv")
    options.programs = {name: plato.Program((running.ROOT / f"examples/{name}.plato").read_text()) for name in names}
    cases = [Case(name, mutant) for name in names for mutant in mutate.mutants(options.programs[name].source)]
    if options.sample is not None and options.sample < len(cases):
        chosen = random.Random(options.seed).sample(range(len(cases)), options.sample)
        cases = [cases[index] for index in sorted(chosen)]
    with ThreadPoolExecutor(options.jobs) as pool:
        problems = list(pool.map(lambda name: unchanged(name, options), names))
        list(pool.map(lambda case: check(case, options), cases))
    table(cases, names)
    report(cases, options)
    bad = [case for case in cases if case.judgement.outcome in ("contradiction", "failed")]
    failures = [f"{name}: {problem}" for name, problem in zip(names, problems) if problem] + [described(case) for case in bad]
    for failure in failures:
        print(f"FAILED {failure}\n")
    counted = sum(case.judgement.outcome != "refused" for case in cases) + len(names)
    slowest = sorted(cases, key=lambda case: -case.seconds)[:5]
    print("slowest:", "; ".join(f"{case.seconds:.0f} s {case}" for case in slowest), file=sys.stderr)
    print(f"{counted - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
