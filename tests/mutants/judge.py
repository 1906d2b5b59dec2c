"""The verdict on one mutant, and how near to the change the findings about it are."""

import json
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

import mutate
import running

SECONDS = 60
LIMITS = ["--solver-timeout", "5", "--memory", "2000", "-j", "1", "--format", "json"]
TIMEOUT = 10
WIDE_TIMEOUT = 3  # what is found in that time
MODULAR = ["verify", "--engine", "modular"]
REFEREE = ["explore", "--threads", "2"]
DEPENDS = ("proved, but the proof depends on", "proved only because")  # consequences of other findings
NOT_MODULAR = {"race", "deadlock"}  # left to the referee
PLACES = ["line", "procedure", "call", "trace", "variable", "elsewhere"]
WORDS = re.compile(r"[A-Za-z_]\w*")


@dataclass
class Judgement:
    outcome: str
    text: str = ""  # the problem, or what a survivor means
    findings: tuple = ()  # those that only follow from others last
    first: str = ""  # the place of the first finding
    nearest: str = ""  # the place of the one that has most to do with the change


class Broken(Exception):
    """No report: an internal error, or a hang."""


def properties(arguments, source, options, timeout=TIMEOUT):
    """By id, of the program with this text; None if it is refused."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "mutant.plato").write_text(source)
        command = [*arguments, "mutant.plato", *LIMITS, "--timeout", str(timeout)]
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
    referee = properties(REFEREE, source, options)
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
        ours += [found for found in modular.values() if found["verdict"] == "unknown" and found["kind"] not in NOT_MODULAR]
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
        wrong = contradictions(modular, properties(["explore", "--threads", "3"], source, options, WIDE_TIMEOUT))
    wrong = wrong or wide_contradictions(source, options)
    return Judgement("contradiction", wrong) if wrong else Judgement("survived", mutate.EFFECTS[effect])


def wide_contradictions(source, options):
    """Of the same program with one more thread of each kind."""
    wide = wider(source)
    if wide == source:
        return ""
    proved = properties(MODULAR, wide, options, WIDE_TIMEOUT)
    return contradictions(proved, properties(REFEREE, wide, options, WIDE_TIMEOUT))


# ----------------------------------------------------------------------------------------------------------------- places


def places(finding):
    """The lines a finding points at: where it breaks, its claim, and what is related."""
    lines = [finding["location"]["line"], int(finding["id"].split(":")[-2])]
    return lines + [related["location"]["line"] for related in finding["related"]]


def place(mutant, program, finding):
    """How the finding's place has to do with the changed line."""
    lines = places(finding)
    changed = mutant.line
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
    names = set(WORDS.findall(mutant.before + " " + mutant.after + " " + text[changed - 1])) & shared
    near = " ".join(text[line - 1] for line in lines if line <= len(text))
    if mine is None:  # a clause of the module: it takes part in the whole proof of a procedure
        near += " ".join(program.text(procedure.begin, procedure.end) for procedure in theirs)
    if names & set(WORDS.findall(near)):
        return "variable"
    return "elsewhere"


def calls(program, caller, callee):
    return any(token.text == callee.name for token in program.tokens[caller.contract:caller.end])


def judge_place(judgement, mutant, program):
    found = [place(mutant, program, finding) for finding in judgement.findings]
    judgement.first = found[0]
    judgement.nearest = min(found, key=PLACES.index)
