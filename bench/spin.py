#!/usr/bin/env python3
"""Compares the explorer with SPIN (Debian's package) on the same programs, which Concord exports as Promela.

Every Plato program of the gallery that Promela has a place for: the code, its assertions and its invariants (`concord show
--bare`, since SPIN does not monitor specifications). Both must say the same: an error, a deadlock included, or none. Where there is
none, both must have seen the same: without reductions, and with SPIN's elimination of dead variables switched off (-o1 -o2 -o3), as
many states; SPIN counts one transition more, the one into the initial state. Then both drivers with n workers, for the times: SPIN as it comes (partial-order reduction, dead variables) and Concord as it comes, in processor time (all cores
together), which a busy machine changes little. What SPIN and the compiler take to make its verifier is a column of its own. Below are the factors by which states and times grow with each worker. At last every state of the Bluetooth driver, without any reduction: states and transitions a second, and memory.

The last line is `N passed, N failed`; each program is a test.

Usage: bench/spin.py [--concord PATH] [--times N] [--workers N] [--seconds N] [NAME…]      NAME: bluetooth, battery, raw; only these, without the gallery
"""

import json
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
import measuring
import running
from measuring import ratio, seconds

MANIFEST = measuring.ROOT / "examples/manifest.tsv"
STATES = re.compile(r"^\s*(\d+) states, stored", re.MULTILINE)
TRANSITIONS = re.compile(r"^\s*(\d+) transitions", re.MULTILINE)
ERRORS = re.compile(r"errors: (\d+)")
SPIN_SECONDS = 120
NAMES = ("bluetooth", "battery", "raw")


def children_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Promela:
    """A program as SPIN's verifier."""

    def __init__(self, concord, program, threads, folder, reduced):
        begin = children_seconds()
        self.folder = folder
        shown = subprocess.run([concord, "show", "--promela", "--threads", str(threads), program], capture_output=True, text=True)
        self.missing = shown.stderr
        if shown.returncode != 0:
            return
        (folder / "model.pml").write_text(shown.stdout)
        options = [] if reduced else ["-o1", "-o2", "-o3"]
        subprocess.run(["spin", "-a", *options, "model.pml"], cwd=folder, check=True, capture_output=True)
        flags = [] if reduced else ["-DNOREDUCE"]
        subprocess.run(["gcc", "-O2", "-w", "-DSAFETY", "-DMEMLIM=12000", *flags, "-o", "pan", "pan.c"], cwd=folder, check=True)
        self.processor = children_seconds() - begin

    def run(self, limit=measuring.SECONDS, ends=True):
        """`ends`: a state in which nobody can go on is an error."""
        command = ["prlimit", f"--cpu={limit}", self.folder / "pan", "-m1000000", "-n", *([] if ends else ["-E"])]
        result = measuring.run(command, self.folder)  # where it leaves a trail
        return result, {name: int(pattern.search(result.output)[1]) if pattern.search(result.output) else None
                        for name, pattern in (("states", STATES), ("transitions", TRANSITIONS), ("errors", ERRORS))}


def explored(concord, program, threads):
    text = subprocess.run([concord, "explore", "--reduce", "none", "--property", "deadlock", "--threads", str(threads), "--format",
                           "json", program], capture_output=True, text=True).stdout
    return json.loads(text)


def gallery():
    """The Plato programs that are explored, and with how many threads."""
    found = {}
    for line in MANIFEST.read_text().splitlines():
        fields = line.split("\t")
        if len(fields) < 5 or not fields[1].startswith("explore ") or not fields[1].split()[1].endswith(".plato"):
            continue
        words = fields[1].split()
        found[words[1]] = words[words.index("--threads") + 1] if "--threads" in words else "2"
    return found


def compare(concord, program, threads, folder):
    """What SPIN and Concord see differently, and a row of the table; None: Promela has no place for the program."""
    bare = folder / "bare.plato"
    shown = subprocess.run([concord, "show", "--bare", program], cwd=measuring.ROOT, capture_output=True, text=True, check=True)
    bare.write_text(shown.stdout)
    model = Promela(concord, bare, threads, folder, reduced=False)
    if model.missing:
        return None
    _, spin = model.run()
    report = explored(concord, bare, threads)
    ours = report["statistics"]
    is_wrong = report["verdict"] == "violated"
    row = [program.removeprefix("examples/"), "error" if is_wrong else "none", str(ours["states"]), str(spin["states"])]
    if (spin["errors"] or 0) > 0 or spin["errors"] is None:
        return ("" if is_wrong and spin["errors"] else f"{program}: SPIN finds an error, Concord says {report['verdict']}"), row
    if is_wrong:
        return f"{program}: Concord finds {report['properties'][0]['id']}, SPIN nothing", row
    same = ours["states"] == spin["states"] and ours["transitions"] + 1 == spin["transitions"]
    return ("" if same else f"{program}: {ours['states']} states and {ours['transitions']} transitions, "
            f"SPIN {spin['states']} and {spin['transitions']}"), row


def statistics(run):
    return json.loads(run.output)["statistics"]


def growth(what, values):
    """By what factor a value grows with each worker, from the first of its numbers of workers to the last: a row, if there are two."""
    if len(values) < 2:
        return []
    (first, least), (last, most) = values[0], values[-1]
    return [[what, f"{first} to {last}", ratio((most / least) ** (1 / (last - first)))]]


def driver(title, source, options, folder):
    """One of the paper's tables: the driver as it is, its abstract threads, and the proof for every number."""
    rows, grown = [], []
    for kind in ("bare", "abstract"):
        program = folder / f"{kind}.plato"
        program.write_text(subprocess.run([options.concord, "show", f"--{kind}", source], cwd=measuring.ROOT, capture_output=True,
                                          text=True, check=True).stdout)
        what = "threads" if kind == "bare" else "abstract threads"
        is_over, spins, ours_by_number = False, [], []
        for n in [*range(1, options.workers + 1), *([20] if options.workers > 10 else [])]:
            command = [options.concord, "explore", "--threads", str(n), "--format", "json", program]
            ours, = measuring.best([(command, measuring.answers("verified"))], options.times)
            ours_by_number.append((n, statistics(ours)["states"]))
            row = [what, str(n), "", "", "", "", str(ours_by_number[-1][1]), seconds(ours.processor), f"{ours.megabytes:.0f} MB", ""]
            if not is_over:
                model = Promela(options.concord, program, n, folder, reduced=True)
                spin, counts = model.run(options.seconds, ends=False)
                is_over = counts["states"] is None or "out of memory" in spin.output
                row[2:6] = [seconds(model.processor), "" if is_over else str(counts["states"]),
                            seconds(spin.processor) + (" and more" if is_over else ""), f"{spin.megabytes:.0f} MB"]
                row[9] = ratio(spin.processor / ours.processor) + (" and more" if is_over else "")
                if not is_over:
                    spins.append((n, counts["states"], spin.processor))
            rows.append(row)
        grown += growth(f"{what}: states of SPIN", [(n, states) for n, states, _ in spins])
        slow = [(n, taken) for n, _, taken in spins if taken > 0.2]  # others are the start of a process
        grown += growth(f"{what}: time of SPIN", slow)
        grown += growth(f"{what}: states of concord", ours_by_number)
        if options.workers > 10:
            grown += growth(f"{what}: states of concord", ours_by_number[-2:])
    proof, = measuring.best([([options.concord, "verify", "--engine", "threads", source], measuring.answers("verified"))], options.times)
    rows.append(["conformance, and every number of abstract threads", "any", "", "", "", "", "", seconds(proof.processor),
                 f"{proof.megabytes:.0f} MB", ""])
    measuring.table(title, ["", "workers", "spin -a, gcc", "states of SPIN", "SPIN's run", "memory", "states", "concord", "memory",
                            "SPIN's run / concord"], rows)
    measuring.table(f"{title}: what is multiplied with each worker", ["", "workers", "by"], grown)


def raw(options, folder):
    """Every state there is, without any reduction."""
    program = folder / "bare.plato"
    program.write_text(subprocess.run([options.concord, "show", "--bare", "examples/bluetooth/bluetooth.plato"], cwd=measuring.ROOT,
                                      capture_output=True, text=True, check=True).stdout)
    rows = []

    def add(n, who, run, states, transitions):
        rows.append([f"{n} workers, {who}", str(states), seconds(run.seconds), f"{states / run.seconds / 1e6:.2f} million",
                     f"{transitions / run.seconds / 1e6:.2f} million", seconds(run.processor), f"{run.megabytes * 2**20 / states:.0f}"])

    for n in (4, 5) if options.workers > 10 else (4,):
        spin, counts = Promela(options.concord, program, n, folder, reduced=False).run(ends=False)
        add(n, "SPIN", spin, counts["states"], counts["transitions"])
        for jobs in (1, 2):
            command = [options.concord, "explore", "--threads", str(n), "--reduce", "none", "-j", str(jobs), "--format", "json", program]
            ours, = measuring.best([(command, measuring.answers("verified"))], options.times)
            add(n, f"concord -j {jobs}", ours, statistics(ours)["states"], statistics(ours)["transitions"])
    measuring.table("every state of the Bluetooth driver", ["", "states", "time", "states a second", "transitions a second",
                                                            "processor", "bytes a state"], rows)


def main():
    parser = measuring.parser(__doc__, times=3)
    parser.add_argument("--workers", type=int, default=5, help="of the drivers at most; with 11 also 20. SPIN stops at its "
                        f"first run over {SPIN_SECONDS} s, which is that of 7 workers (default: 5)")
    parser.add_argument("--seconds", type=int, default=SPIN_SECONDS, help="of processor time that a run of SPIN may take (default: %(default)s)")
    parser.add_argument("names", nargs="*", help=f"{', '.join(NAMES)}: only these, without the gallery")
    options = parser.parse_args()
    running.require(all(name in NAMES for name in options.names), f"what there is: {', '.join(NAMES)}")
    running.require(shutil.which("spin"), "SPIN is missing: as root, ./test peers installs it")
    options.concord = options.concord.resolve()
    running.require(options.concord.exists(), f"{options.concord} is missing; ./concord --version builds it")
    measuring.show_machine()
    problems, rows, left_out = [], [], 0
    names = options.names or NAMES
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for program, threads in ({} if options.names else gallery()).items():
            compared = compare(options.concord, program, threads, folder)
            if compared is None:
                left_out += 1
                continue
            problems.append(compared[0])
            rows.append(compared[1])
        if not options.names:
            measuring.table(f"the gallery ({left_out} programs are none of Promela's)", ["", "finding", "states", "states of SPIN"], rows)
        if "bluetooth" in names:
            driver("the Bluetooth driver", "examples/bluetooth/bluetooth.plato", options, folder)
        if "battery" in names:
            driver("the battery driver", "examples/battery/battery.plato", options, folder)
        if "raw" in names:
            raw(options, folder)
    if options.names:
        return 0
    print()
    for problem in filter(None, problems):
        print(f"FAILED {problem}")
    failed = sum(1 for problem in problems if problem)
    print(f"{len(problems) - failed} passed, {failed} failed")
    return 1 if failed or not problems else 0


if __name__ == "__main__":
    sys.exit(main())
