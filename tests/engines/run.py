#!/usr/bin/env python3
"""No engine verifies what the referee refutes: the golden traps, the gallery, programs that were verified once (found/), and
random annotated Java classes (annotated.py). What the dynamic engine proves of random final conditions (finals.py, finals_objects.py and finals_java.py), for any number
of threads, is not refuted for one to four of them.

For each program the verdicts of `verify --engine modular`, `… shape`, `… dynamic` and `explore` are compared property by property. A
property that is `verified` by one and `violated` by the other is a failure; so is an internal error. The last lines before the
counts say how much was really compared. With --inferring the annotations are taken out first, and what is proved with annotations that
are found (`verify --suggest`) is compared; with --locked that of random programs in Plato that have none (locked.py), with --machines what is
proved with abstract threads that are found (protocols.py).

Usage: tests/engines/run.py [--concord PATH] [--patience N] [--seed S]
                            [--annotated N | --inferring N | --locked N | --machines N | --finals N | --object-finals N | --java-finals N | --sample N | PROGRAM…]
       --annotated N: only that many random Java classes
       --inferring N: that many random Java classes, and as many of the other programs, without annotations
       --locked N: only that many random programs with locks
       --machines N: only that many random programs without locks
       --finals N: only that many programs with final conditions
       --object-finals N: only that many Plato programs with objects and final conditions
       --java-finals N: only that many Java programs with final conditions
       --sample N: of the programs that are there only so many, but all that were verified once
"""

import importlib.machinery
import importlib.util
import json
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent)]
import annotated
import finals
import finals_java
import finals_objects
import locked
import protocols
import running

SECONDS = 60
FOUND = "tests/engines/found/"
FOLDERS = [FOUND, "examples"]
AREAS = ("modular", "races", "explore", "control", "traps", "integers", "classes", "final", "shape", "dynamic")
FOLDERS += [f"tests/golden/{area}" for area in AREAS]
# What is not proved is searched for until the time is up.
PROVERS = {"modular": ["--solver-timeout", "1", "--timeout", "10"], "shape": ["--timeout", "0.1"],
           "dynamic": ["--solver-timeout", "1", "--timeout", "0.5"]}
WITH_DEADLOCK = (FOUND, "tests/golden/shape/")
INFERRING = {"inferring": ["--suggest", "--solver-timeout", "1", "--timeout", "20"]}
MACHINES = {"machines": ["--suggest", "--solver-timeout", "1", "--timeout", "10"]}
FINALS = ["verify", "--engine", "dynamic", "--solver-timeout", "1", "--timeout", "5"]
compared = {name: Counter() for name in [*PROVERS, *INFERRING, *MACHINES]}


def load_script(name):
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), str(running.ROOT / "scripts" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def programs():
    found = [path for folder in FOLDERS for path in sorted((running.ROOT / folder).rglob("*.plato"))]
    return [str(path.relative_to(running.ROOT)) for path in found]


def sample(options):
    all_programs = programs()
    found = [program for program in all_programs if program.startswith(FOUND)]
    others = [program for program in all_programs if not program.startswith(FOUND)]
    return found + random.Random(options.seed).sample(others, min(options.sample, len(others)))


def verdicts(program, arguments, options):
    """By property id; an explanation instead if there is no report."""
    kinds = "race,deadlock" if program.startswith(WITH_DEADLOCK) else "race"  # elsewhere it takes too long
    command = [*arguments, program, "--property", kinds, "--format", "json"]
    result = running.run(options.concord, command, running.ROOT, SECONDS * options.patience)
    if result is None:
        return f"concord {' '.join(command)} took longer than {SECONDS * options.patience} s"
    stdout, stderr, status = result
    if status == 65:
        return {}  # a golden case about bad input
    if status not in (0, 1, 2, 3):
        return f"concord {' '.join(command)}: status {status}\n{stdout}{stderr}"
    return {found["id"]: found["verdict"] for found in json.loads(stdout)["properties"]}


def check_annotated(seed, options):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "Annotated.java"
        file.write_text(annotated.program(seed))
        problem = check(str(file), options)
        return problem and f"{problem}\n{file.read_text()}"


def check_stripped(source, options):
    """`source`: a program, or the seed of a random Java class."""
    strip = load_script("strip-annotations")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / ("Annotated.java" if isinstance(source, int) else Path(source).name)
        file.write_text(annotated.program(source) if isinstance(source, int) else (running.ROOT / source).read_text())
        file.write_text(strip.stripped(file))
        problem = check(str(file), options, INFERRING)
        return problem and f"{problem}\n{file.read_text()}"


def check_made(text, provers, options):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "made.plato"
        file.write_text(text)
        problem = check(str(file), options, provers)
        return problem and f"{problem}\n{text}"


def check_finals(seed, options, maker=finals.Maker, name="finals.plato", counts=(1, 2, 3, 4)):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / name
        file.write_text(maker(seed).program())
        proved = verdicts(str(file), FINALS, options)
        if isinstance(proved, str):
            return f"{proved}\n{file.read_text()}"
        compared["dynamic"].update(proved.values())
        if "verified" not in proved.values():
            return ""
        for count in counts:
            explored = ["explore", "--timeout", "10", "--threads", str(count), "--ints", "-1..2" if count < 3 else "0..1"]
            refuted = verdicts(str(file), explored, options)
            if isinstance(refuted, str):
                return f"{refuted}\n{file.read_text()}"
            wrong = [name for name in refuted if refuted[name] == "violated" and proved.get(name) == "verified"]
            if wrong:
                return f"proved, and yet violated by {count} threads: {', '.join(wrong)}\n{file.read_text()}"
        return ""


def check(program, options, provers=None):
    referee = verdicts(program, ["explore", "--timeout", "10"], options)
    if isinstance(referee, str):
        return referee
    wrong = []
    for prover, arguments in (provers or PROVERS).items():
        if prover == "shape" and program.startswith("examples/"):
            continue  # they are too large for a moment
        engine = {"inferring": "modular", "machines": "threads"}.get(prover, prover)
        answer = verdicts(program, ["verify", "--engine", engine, *arguments], options)
        if isinstance(answer, str):
            return answer
        for name, verdict in answer.items():
            compared[prover][verdict] += 1
            if {verdict, referee.get(name, "unknown")} == {"verified", "violated"}:
                wrong.append(f"{name}: {prover} says {verdict}, the referee {referee[name]}")
    return "\n".join(wrong)


def main():
    parser = running.parser(__doc__)
    parser.add_argument("--annotated", type=int, default=0)
    parser.add_argument("--inferring", type=int, default=0)
    parser.add_argument("--locked", type=int, default=0)
    parser.add_argument("--machines", type=int, default=0)
    parser.add_argument("--finals", type=int, default=0)
    parser.add_argument("--object-finals", type=int, default=0)
    parser.add_argument("--java-finals", type=int, default=0)
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("programs", nargs="*")
    options = parser.parse_args()
    options.concord = options.concord.resolve()
    if options.inferring:
        chosen = random.Random(options.seed).sample(programs(), min(options.inferring, len(programs())))
        sources = [*range(options.seed, options.seed + options.inferring), *chosen]
        status = running.run_all(sources, lambda source: check_stripped(source, options))
    elif options.annotated:
        seeds = range(options.seed, options.seed + options.annotated)
        status = running.run_all([str(seed) for seed in seeds], lambda seed: check_annotated(int(seed), options))
    elif options.locked:
        seeds = range(options.seed, options.seed + options.locked)
        status = running.run_all([str(seed) for seed in seeds], lambda seed: check_made(locked.program(int(seed)), INFERRING, options))
    elif options.machines:
        seeds = range(options.seed, options.seed + options.machines)
        status = running.run_all([str(seed) for seed in seeds], lambda seed: check_made(protocols.program(int(seed)), MACHINES, options))
    elif options.finals:
        seeds = range(options.seed, options.seed + options.finals)
        status = running.run_all([str(seed) for seed in seeds], lambda seed: check_finals(int(seed), options))
    elif options.object_finals:
        seeds = range(options.seed, options.seed + options.object_finals)
        status = running.run_all([str(seed) for seed in seeds],
                                 lambda seed: check_finals(int(seed), options, finals_objects.Maker, "objects.plato", (1, 2, 3)))
    elif options.java_finals:
        seeds = range(options.seed, options.seed + options.java_finals)
        status = running.run_all([str(seed) for seed in seeds],
                                 lambda seed: check_finals(int(seed), options, finals_java.Maker, "Finals.java", (1, 2, 3)))
    else:
        chosen = options.programs or (sample(options) if options.sample else programs())
        status = running.run_all(chosen, lambda program: check(program, options))
    for prover, counts in compared.items():
        if counts:
            print(f"{prover}:", ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())), file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
