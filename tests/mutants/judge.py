"""The verdict on one mutant, and how near to the change the findings about it are."""

import json
import re
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import mutate
import running

SECONDS = 60  # after its time limit a run has hung
LIMITS = ["--solver-timeout", "5", "--memory", "2000", "-j", "1", "--format", "json"]
WIDE_TIMEOUT = 3  # what is found in that time
MODULAR = ["verify", "--engine", "modular"]
THREADS = ["verify", "--engine", "threads"]
REFEREE = ["explore", "--threads", "2"]
DEPENDS = ("proved, but the proof depends on", "proved only because", "holds in every interleaving, but")  # consequences
NOT_MODULAR = {"race", "deadlock"}  # left to the referee
PLACES = ["line", "procedure", "call", "trace", "variable", "elsewhere"]
WORDS = re.compile(r"[A-Za-z_]\w*")


@dataclass
class Study:
    name: str  # as folder/program
    files: dict  # path in examples/ → text
    deciding: list  # the command whose verdicts count
    other: list  # that of the other engine, which must not contradict it

    def changed(self, texts):
        return replace(self, files={**self.files, **texts})


@dataclass
class Judgement:
    outcome: str
    text: str = ""  # the problem, or what a survivor means
    findings: tuple = ()  # those that only follow from others last
    first: str = ""  # the place of the first finding
    nearest: str = ""  # the place of the one that has most to do with the change


class Broken(Exception):
    """No report: an internal error, or a hang."""


def properties(arguments, study, options, timeout=None):
    """By id, of the study as it is now; None if it is refused."""
    timeout = timeout or options.timeout
    with tempfile.TemporaryDirectory() as folder:
        for name, text in study.files.items():
            file = Path(folder, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        command = [*arguments, *study.files, *LIMITS, "--timeout", str(timeout)]
        result = running.run(options.concord, command, folder, (timeout + SECONDS) * options.patience)
    if result is None:
        raise Broken(f"concord {' '.join(command)} took longer than {(timeout + SECONDS) * options.patience} s")
    stdout, stderr, status = result
    if status == 65:
        return None
    if status not in (0, 1, 2, 3):
        raise Broken(f"concord {' '.join(command)}: status {status}\n{stdout}{stderr}")
    try:
        found = json.loads(stdout)["properties"]
    except (json.JSONDecodeError, KeyError):
        raise Broken(f"concord {' '.join(command)}: no report, status {status}\n{stdout}{stderr}") from None
    is_late = any(f"time limit of {timeout} s" in each["message"] for each in found)
    if is_late and "--engine" not in arguments:  # the next engine might have proved what is unproved
        found = [{**each, "verdict": each["verdict"].replace("unproved", "unknown")} for each in found]
    return {each["id"]: each for each in found}


def contradictions(ours, theirs):
    pairs = [(found, theirs[name]) for name, found in ours.items() if name in theirs]
    return "\n".join(f"{one['id']}: {one['engine']} says {one['verdict']}, {other['engine']} {other['verdict']}" for one, other in pairs
                     if {one["verdict"], other["verdict"]} == {"verified", "violated"})


def wider(source):
    """One more thread of each kind that has no name."""
    source = re.sub(r"\bthread\[(\d+)\]", lambda found: f"thread[{int(found[1]) + 1}]", source)
    return re.sub(r"\bthread (\w+\()", r"thread[2] \1", source)


def judge(study, effect, options):
    deciding = properties(study.deciding, study, options)
    if deciding is None:
        return Judgement("refused")
    other = properties(study.other, study, options)
    wrong = contradictions(deciding, other)
    if wrong:
        return Judgement("contradiction", wrong)
    ours = [found for found in deciding.values() if found["verdict"] in ("unproved", "violated")]
    theirs = [found for found in other.values() if found["verdict"] == "violated"]
    unseen = [found["id"] for found in theirs if found["id"] not in deciding]
    if unseen and not ours:
        return Judgement("failed", f"not among the claims of concord {' '.join(study.deciding)}, and refuted: {', '.join(unseen)}")
    if ours or theirs:
        wrong = wide_contradictions(study, options) if options.wide else ""
        if wrong:
            return Judgement("contradiction", wrong)
        ours += [found for found in deciding.values() if found["verdict"] == "unknown" and found["kind"] not in NOT_MODULAR]
        findings = {found["id"]: found for found in theirs + ours}  # by the deciding command if by both
        order = [found["id"] for found in ours + theirs]
        ordered = sorted(findings.values(), key=lambda found: (found["message"].startswith(DEPENDS), order.index(found["id"])))
        return Judgement("caught", findings=tuple(ordered))
    left = [found for name, found in deciding.items() if found["verdict"] == "unknown" and
            (found["kind"] not in NOT_MODULAR or other.get(name, found)["verdict"] == "unknown")]
    if left:
        return Judgement("undecided", findings=(left[0],))
    wrong = survivor_contradictions(study, deciding, options)
    if wrong:
        return Judgement("contradiction", wrong)
    open_ones = [found for found in other.values() if found["verdict"] == "unknown" and study.other[0] == "explore"]
    if open_ones:
        return Judgement("undecided", "verified, which the referee cannot confirm", (open_ones[0],))
    return Judgement("survived", mutate.EFFECTS[effect])


def survivor_contradictions(study, deciding, options):
    """What is verified for any number of threads holds for three too."""
    wrong = ""
    if any(re.search(r"\bthread\[\D", text) for text in study.files.values()):
        wrong = contradictions(deciding, properties(["explore", "--threads", "3"], study, options, WIDE_TIMEOUT))
    return wrong or wide_contradictions(study, options)


def wide_contradictions(study, options):
    """Of the same program with one more thread of each kind."""
    wide = study.changed({name: wider(text) for name, text in study.files.items() if name.endswith(".plato")})
    if wide == study:
        return ""
    proved = properties(study.deciding, wide, options, WIDE_TIMEOUT)
    return contradictions(proved, properties(study.other, wide, options, WIDE_TIMEOUT))


# ----------------------------------------------------------------------------------------------------------------- places


def places(finding, file):
    """The lines of the file a finding points at: where it breaks, its claim, and what is related."""
    claimed, line = finding["id"].split("@")[1].split(":")[:2]
    spots = [finding["location"], {"file": claimed, "line": int(line)}, *(related["location"] for related in finding["related"])]
    return [spot["line"] for spot in spots if spot["file"] == file]


def place(mutant, file, program, finding):
    """How the finding's place has to do with the changed line."""
    lines = places(finding, file)
    changed = mutant.line
    if changed in lines:
        return "line"
    mine = program.procedure_at(changed)
    theirs = [procedure for procedure in map(program.procedure_at, lines) if procedure is not None]
    if mine is not None and mine in theirs:
        return "procedure"
    if mine is not None and any(calls(program, one, other) for there in theirs for one, other in ((mine, there), (there, mine))):
        return "call"
    if any(step["location"]["file"] == file and step["location"]["line"] == changed for step in finding["trace"]):
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


def judge_place(judgement, mutant, file, program):
    found = [place(mutant, file, program, finding) for finding in judgement.findings]
    judgement.first = found[0]
    judgement.nearest = min(found, key=PLACES.index)
