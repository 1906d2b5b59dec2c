#!/usr/bin/env python3
"""Measures Concord: how time grows with the program, what options save, whether verdicts depend on the solver.

    procedures   k procedures of 10 steps: time per procedure as k grows, relative to k = 50
    jobs         200 procedures with -j 1 and -j 2
    postpone     what postponing other threads' steps saves (--no-postpone), where clauses couple no variables and where they do
    steps        one procedure of 100, 200 and 300 shared writes to 20 variables, relative to 100
    chain        a thread that does a worker's work 1 … 64 times, checked against its abstract thread: time per worker, relative to 16
    states       the explorer without reductions: states and transitions a second, on one core and on two
    gallery      every modular run of examples/manifest.tsv, the sum of their times and the highest peak of memory
    java         every verified Java run of the manifest, without and with the cache of exports, its parts as shares of the time without
    inferring    every study of tests/inference without its annotations: what is proved, and the time of that, for each class
    shapes       every verified Java run of the shape engine: configurations, memory, and the time without each reduction as a ratio
    methods      every proof of the manifest about Java: what was checked by itself (a method, a thread), how many took over a second, and the longest
    proofs       every verified study of the dynamic engine: steps, branches and leaves of its proof, finding it, its size, and replaying it
    seeds        the same with ten solver seeds: every property must have the same verdict
    solvers      the same with cvc5 and with both solvers: likewise

With --against the first seven are measured with another binary too, say that of the previous commit, in turns with this one; the
last column is its time divided by ours. The exit status is 1 if a verdict is wrong or differs; no time is ever a failure.

Usage: bench/run.py [--concord PATH] [--against PATH] [--times N] [NAME…]      NAME: a measurement, default all
"""

import json
import math
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.dont_write_bytecode = True
import families
import measuring
import running
from measuring import ratio, seconds, megabytes

SEEDS = range(1, 11)


# --------------------------------------------------------------------------------------------------------------- timing


@dataclass
class Case:
    label: str
    program: str  # its text
    options: tuple = ()
    engine: str = "modular"


def measure(cases, options):
    """(our best run, theirs or None) of each case; all of them take turns."""
    with tempfile.TemporaryDirectory() as folder:
        commands = []
        for number, case in enumerate(cases):
            file = Path(folder) / f"{number}.plato"
            file.write_text(case.program)
            for binary in options.binaries:
                commands.append(([binary, "verify", "--engine", case.engine, *case.options, file], measuring.answers("verified")))
        runs = measuring.best(commands, options.times)
    return list(zip(runs[::2], runs[1::2])) if options.against else [(run, None) for run in runs]


def show(title, head, cases, results, figures, options):
    """figures: the column that this measurement is about, under `head`."""
    heads = ["", "time", head, "peak memory"] + (["against"] if options.against else [])
    rows = []
    for case, (ours, theirs), figure in zip(cases, results, figures):
        against = [ratio(theirs.seconds / ours.seconds)] if theirs else []
        rows.append([case.label, seconds(ours.seconds), figure, megabytes(ours.megabytes), *against])
    measuring.table(title, heads, rows)


def procedures(options):
    sizes = [1, 10, 50, 200]
    cases = [Case(f"k = {k}", families.many_procedures(k, 10)) for k in sizes]
    results = measure(cases, options)
    each = {k: ours.seconds / k for k, (ours, _) in zip(sizes, results)}
    show("k procedures of 10 steps", "per procedure", cases, results, [ratio(each[k] / each[50]) for k in sizes], options)
    print(f"  from k = 50 to 200 time grows like k to the power {1 + math.log(each[200] / each[50], 4):.2f}")


def jobs(options):
    program = families.many_procedures(200, 10)
    cases = [Case(f"-j {n}", program, ("-j", str(n))) for n in (1, 2)]
    results = measure(cases, options)
    figures = [ratio(results[0][0].seconds / ours.seconds) for ours, _ in results]
    show("200 procedures in parallel", "-j 1 / this", cases, results, figures, options)


def postpone(options):
    programs = {"uncoupled": families.unrelated_variables(300, 20), "coupled": families.one_long_procedure(100, 20)}
    cases, figures = [], []
    for label, program in programs.items():
        cases += [Case(f"{label}, postponed", program), Case(f"{label}, --no-postpone", program, ("--no-postpone",))]
    results = measure(cases, options)
    for i in range(0, len(cases), 2):
        figures += [ratio(1), ratio(results[i + 1][0].seconds / results[i][0].seconds)]
    show("what postponing saves, over 20 variables", "this / postponed", cases, results, figures, options)


def steps(options):
    cases = [Case(f"{m} writes", families.one_long_procedure(m, 20)) for m in (100, 200, 300)]
    results = measure(cases, options)
    figures = [ratio(ours.seconds / results[0][0].seconds) for ours, _ in results]
    show("one procedure, 20 shared variables", "relative to 100", cases, results, figures, options)


def chain(options):
    sizes = [1, 2, 4, 8, 16, 32, 64]
    cases = [Case(f"{k}", families.chain_of_workers(k), ("--threads", "unbounded"), "threads") for k in sizes]
    results = measure(cases, options)
    each = {k: ours.seconds / k for k, (ours, _) in zip(sizes, results)}
    show("workers in a row, in one thread", "per worker", cases, results, [ratio(each[k] / each[16]) for k in sizes], options)


def states(options):
    program = subprocess.run([options.concord, "show", "--bare", families.BLUETOOTH], capture_output=True, text=True, check=True).stdout
    sizes = [(n, cores) for n in (4, 5) for cores in (1, 2)]
    cases = [Case(f"{n} workers, -j {cores}", program, ("--threads", str(n), "--reduce", "none", "-j", str(cores), "--format", "json"),
                  "explore") for n, cores in sizes]
    results = measure(cases, options)
    figures = []
    for ours, _ in results:
        counted = json.loads(ours.output)["statistics"]
        million = [f"{counted[what] / ours.seconds / 1e6:.1f} million {what}" for what in ("states", "transitions")]
        figures.append(", ".join(million) + f", {ours.megabytes * 2**20 / counted['states']:.0f} bytes a state")
    show("every state of the Bluetooth driver", "a second", cases, results, figures, options)


# -------------------------------------------------------------------------------------------------------------- gallery


def gallery_lines(tag="modular"):
    """(name, arguments, verdict) of every run with this tag that is not slow."""
    rows = [line.split("\t") for line in (measuring.ROOT / "examples/manifest.tsv").read_text().splitlines()]
    tagged = [(row, row[4].split(",")) for row in rows if len(row) == 5]
    return [(row[0], row[1].split(), row[2]) for row, tags in tagged if tag in tags and "slow" not in tags]


def gallery(options):
    ours, theirs, largest, slowest = 0, 0, 0, (0, "")
    lines = gallery_lines()
    for name, arguments, verdict in lines:
        commands = [([binary, *arguments], measuring.answers(verdict)) for binary in options.binaries]
        runs = measuring.best(commands, options.times)
        ours += runs[0].seconds
        theirs += runs[-1].seconds
        largest = max(largest, runs[0].megabytes)
        slowest = max(slowest, (runs[0].seconds, name))
    heads = ["", "time", "slowest", "peak memory"] + (["against"] if options.against else [])
    row = [f"{len(lines)} runs", seconds(ours), seconds(slowest[0]), megabytes(largest)]
    measuring.table("the gallery", heads, [row + ([ratio(theirs / ours)] if options.against else [])])
    print(f"  slowest: {slowest[1]}")


def java(options):
    """Exporting is what the cache saves; `concord show` reads the export and lowers it; the rest generates and solves, or explores."""
    rows = []
    for name, arguments, verdict in gallery_lines("java"):
        if verdict != "verified":
            continue
        sources = [word for word in arguments if word.startswith("examples/")]
        integers = ["--int", "math"] if "math" in arguments else []
        cold = ([options.concord, *arguments, "--no-cache"], measuring.answers(verdict))
        warm = ([options.concord, *arguments], measuring.answers(verdict))
        show = ([options.concord, "show", *integers, *sources], lambda result: f"status {result.status}" if result.status else "")
        measuring.best([warm], 1)  # now the export is in the cache
        times = [run.seconds for run in measuring.best([cold, warm, show], options.times)]
        parts = [times[0] - times[1], times[2], times[1] - times[2]]
        shares = [ratio(max(part, 0) / times[0]) for part in parts]
        rows.append([name, seconds(times[0]), seconds(times[1]), *shares, *map(str, counts(sources))])
    heads = ["", "cold", "warm", "exporting", "showing", "the rest", "lines", "annotations"]
    measuring.table("verified Java studies, without and with the cache; the parts as shares of the former", heads, rows)


def cache(options):
    """A first run, one with nothing changed, and one after an edit: the last statement of the first method that has one is doubled."""
    rows = []
    for name, arguments, verdict in gallery_lines("java"):
        if verdict != "verified" or "explore" in arguments:
            continue
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(measuring.ROOT / "examples", Path(folder, "examples"))
            sources = [Path(folder, word) for word in arguments if word.startswith("examples/")]
            command = [options.concord, *arguments, "--format", "json"]
            proofs = Path(folder, "proofs")
            measuring.run([*command, "--timeout", "0.01"], folder)  # now the export is in the cache
            cold = measuring.run(command, folder, proofs)
            warm = measuring.run(command, folder, proofs)
            edit(sources[0])
            edited = measuring.run(command, folder, proofs)
            statistics = json.loads(edited.output)["statistics"]
            left = statistics["obligations"] - statistics.get("obligations_remembered", 0)
            rows.append([name, seconds(cold.seconds), seconds(warm.seconds), seconds(edited.seconds), f"{left} of {statistics['obligations']}"])
    heads = ["", "first run", "nothing changed", "after an edit", "obligations proved again"]
    measuring.table("the Java studies and the proof cache", heads, rows)


def inferring(options):
    """From command to verdict, with everything that is tried on the way; a program without classes counts as one."""
    rows = []
    for line in (measuring.ROOT / "tests/inference/studies.tsv").read_text().splitlines():
        if line.startswith("#") or "broken" in line.split("\t")[6]:
            continue
        name, sources, arguments = line.split("\t")[:3]
        with tempfile.TemporaryDirectory() as folder:
            strip = [sys.executable, measuring.ROOT / "scripts/strip-annotations", *sources.split(), "--to", folder]
            subprocess.run(strip, cwd=measuring.ROOT, check=True)
            files = [Path(source).name for source in sources.split()]
            command = [options.concord, "verify", *arguments.split(), "--format", "json", *files]
            measuring.run([*command, "--timeout", "0.01"], folder)  # now the export is in the cache
            run = measuring.run(command, folder)
            properties = json.loads(run.output)["properties"]
            proved = sum(one["verdict"] == "verified" for one in properties)
            text = "".join(Path(folder, file).read_text() for file in files)
            classes = max(1, len(re.findall(r"^ *(?:\w+ )*(?:class|module) \w+", text, re.MULTILINE)))
            rows.append([name, f"{proved} of {len(properties)}", seconds(run.seconds), str(classes), seconds(run.seconds / classes)])
    measuring.table("studies without their annotations", ["", "proved", "time", "classes", "for each class"], rows)


def edit(source):
    """A harmless change of one method: a statement that does nothing."""
    path = source if source.is_file() else sorted(source.rglob("*.java"))[0]
    text = path.read_text()
    changed = re.sub(r"(\n( +)(?:public |private |protected |static |final |synchronized )*\w[\w<>\[\]]* \w+\([^()]*\)[^;{}]*\{\n)",
                     lambda match: match[1] + match[2] + "    int unused_ = 1;\n", text, count=1)
    if changed == text:
        raise measuring.Failure(f"{path}: no method to edit")
    path.write_text(changed)


def shapes(options):
    """The Java studies of the shape engine: configurations, and what each reduction is worth as the time without it."""
    without = {"steps": "locals,order", "order": "steps,locals", "locals": "steps,order"}
    rows = []
    for name, arguments, verdict in gallery_lines("shape"):
        if verdict != "verified" or not arguments[-1].endswith(".java"):
            continue
        measuring.best([([options.concord, *arguments], measuring.answers(verdict))], 1)  # now the export is in the cache
        ours = measuring.best([([options.concord, *arguments], measuring.answers(verdict))], options.times)[0]
        row = [name, seconds(ours.seconds), re.search(r"(\d+) states", ours.output)[1], megabytes(ours.megabytes)]
        for rest in without.values():
            other = measuring.run([options.concord, *arguments, "--reduce", rest, "--timeout", "20"])
            row.append(ratio(other.seconds / ours.seconds) if other.status == 0 else "not in 20 s")
        rows.append(row)
    heads = ["", "time", "configurations", "peak memory"] + [f"without {each}" for each in without]
    measuring.table("the Java studies of the shape engine", heads, rows)


def methods(options):
    rows = []
    for name, arguments, verdict in gallery_lines("java"):
        if verdict != "verified" or "explore" in arguments:
            continue
        result = running.run(options.concord, [*arguments, "--format", "json"], measuring.ROOT, measuring.SECONDS)
        if result is None or result[2] != 0:
            raise measuring.Failure(f"{name}: not verified")
        parts = [(part["time_ms"] / 1000, part["name"]) for part in json.loads(result[0])["parts"]]
        longest = max(parts)
        rows.append([name, str(len(parts)), str(sum(time > 1 for time, _ in parts)), f"{longest[1]}, {seconds(longest[0])}"])
    measuring.table("what was checked by itself", ["", "parts", "over 1 s", "the longest"], rows)


def proofs(options):
    """Finding a proof with Z3, and replaying it with cvc5."""
    rows = []
    for name, arguments, verdict in gallery_lines("dynamic"):
        if verdict != "verified":
            continue
        with tempfile.TemporaryDirectory() as folder:
            saved = Path(folder, "proof")
            found = measuring.best([([options.concord, "verify", "--engine", "dynamic", "--no-cache", "--save-proof", saved, arguments[-1]],
                                     lambda result: "" if saved.exists() else "nothing was saved")], options.times)[0]
            again = measuring.best([([options.concord, "replay", saved], lambda result: f"status {result.status}" if result.status else "")], options.times)[0]
            figures = re.search(r"(\d+) steps?, (\d+) branch(?:es)?, (\d+) lea(?:f|ves)", again.output).groups()
            rows.append([name.split("/")[1].removesuffix("-dynamic"), *figures, f"{saved.stat().st_size / 1000:.1f} kB", seconds(found.seconds),
                         seconds(again.seconds)])
    measuring.table("saved proofs", ["", "steps", "branches", "leaves", "size", "finding", "replaying"], rows)


def counts(sources):
    """Lines of code and annotations, as scripts/count-annotations has them: a folder within a study is one program."""
    found = [0, 0]
    for source in map(Path, sources):
        study = Path(*source.parts[:2])
        program = source.stem if source.parent == study else source.parent.name
        if not source.suffix:  # a folder
            program = source.name
        listed = subprocess.run([measuring.ROOT / "scripts/count-annotations", study], cwd=measuring.ROOT, check=True, text=True,
                                stdout=subprocess.PIPE).stdout
        numbers = re.search(rf"^\| `{program}` \| (\d+) \| (\d+) ", listed, re.MULTILINE)
        found = [sum(pair) for pair in zip(found, map(int, numbers.groups()))]
    return found


def verdicts(concord, arguments, extra):
    """The verdict of the run and of every property, by id."""
    result = running.run(concord, [*arguments, "-j", "1", "--format", "json", *extra], measuring.ROOT, measuring.SECONDS)
    if result is None:
        return {"the run": "no answer in time"}
    try:
        report = json.loads(result[0])
    except ValueError:
        return {"the run": f"status {result[2]}, no JSON"}
    return {"the run": report["verdict"], **{found["id"]: found["verdict"] for found in report["properties"]}}


def same_verdicts(title, variants, options):
    """Compares with the default; lists what differs."""
    lines = gallery_lines()
    total, rows, differences = 0, [], []
    with ThreadPoolExecutor(running.JOBS) as pool:
        all_of = lambda extra: list(pool.map(lambda line: verdicts(options.concord, line[1], extra), lines))
        usual = all_of([])
        for (name, _, verdict), found in zip(lines, usual):
            if found["the run"] != verdict:
                raise measuring.Failure(f"{name}: {found['the run']} instead of {verdict}, with the default solver")
        for label, extra in variants:
            differing = 0
            for (name, _, _), expected, found in zip(lines, usual, all_of(extra)):
                ids = [which for which in {**expected, **found} if expected.get(which) != found.get(which)]
                differences += [f"  {label}: {name}: {which}: {found.get(which)} instead of {expected.get(which)}" for which in ids]
                differing += len(ids) > 0
            rows.append([label, str(len(lines) - differing), str(differing)])
            total += differing
    measuring.table(title, ["", "same", "different"], rows)
    if differences:
        print("\n".join(differences))
        raise measuring.Failure(f"{total} runs have other verdicts")


def seeds(options):
    same_verdicts("the gallery with other solver seeds", [(f"seed {n}", ["--solver-seed", str(n)]) for n in SEEDS], options)


def solvers(options):
    same_verdicts("the gallery with other solvers", [(name, ["--solver", name]) for name in ("cvc5", "both")], options)


# ----------------------------------------------------------------------------------------------------------------- main

MEASUREMENTS = {each.__name__: each for each in (procedures, jobs, postpone, steps, chain, states, gallery, java, cache, inferring, shapes, methods, proofs, seeds, solvers)}


def main():
    parser = measuring.parser(__doc__, times=3)
    parser.add_argument("--against", type=Path, help="another binary, to compare with")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    running.require(all(name in MEASUREMENTS for name in options.names), f"measurements: {', '.join(MEASUREMENTS)}")
    options.concord = options.concord.resolve()
    options.binaries = [options.concord] + ([options.against.resolve()] if options.against else [])
    for binary in options.binaries:
        running.require(binary.exists(), f"{binary} is missing; ./concord --version builds ours")
    measuring.show_machine()
    status = 0
    for name in options.names or MEASUREMENTS:
        try:
            MEASUREMENTS[name](options)
        except measuring.Failure as failure:
            print(f"FAILED {name}: {failure}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
