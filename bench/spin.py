#!/usr/bin/env python3
"""Compares the explorer with SPIN (Debian's package) on the same programs, which Concord exports as Promela.

Every Plato program of the gallery that Promela has a place for: the code, its assertions and its invariants (`concord show
--bare`, since SPIN does not monitor specifications). Both must say the same: an error, a deadlock included, or none. Where there is
none, both must have seen the same: without reductions, and with SPIN's elimination of dead variables switched off (-o1 -o2 -o3), as
many states; SPIN counts one transition more, the one into the initial state. Then both drivers with n workers, for the times: SPIN as it comes (partial-order reduction, dead variables) and Concord as it comes; the time of SPIN's run alone.

The last line is `N passed, N failed`; each program is a test.

Usage: bench/spin.py [--concord PATH] [--times N] [--workers N]
"""

import json
import re
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


class Promela:
    """A program as SPIN's verifier."""

    def __init__(self, concord, program, threads, folder, reduced):
        self.folder = folder
        shown = subprocess.run([concord, "show", "--promela", "--threads", str(threads), program], capture_output=True, text=True)
        self.missing = shown.stderr
        if shown.returncode != 0:
            return
        (folder / "model.pml").write_text(shown.stdout)
        options = [] if reduced else ["-o1", "-o2", "-o3"]
        subprocess.run(["spin", "-a", *options, "model.pml"], cwd=folder, check=True, capture_output=True)
        flags = [] if reduced else ["-DNOREDUCE"]
        subprocess.run(["gcc", "-O2", "-w", "-DMEMLIM=12000", *flags, "-o", "pan", "pan.c"], cwd=folder, check=True)

    def run(self, limit=measuring.SECONDS, ends=True):
        """`ends`: a state in which nobody can go on is an error."""
        command = ["timeout", limit, self.folder / "pan", "-m1000000", "-n", *([] if ends else ["-E"])]
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


def driver(title, source, options, folder):
    """One of the paper's tables: the driver as it is, its abstract threads, and the proof for every number."""
    rows = []
    for kind in ("bare", "abstract"):
        program = folder / f"{kind}.plato"
        program.write_text(subprocess.run([options.concord, "show", f"--{kind}", source], cwd=measuring.ROOT, capture_output=True,
                                          text=True, check=True).stdout)
        is_over = False
        for n in [*range(1, options.workers + 1), *([20] if options.workers > 10 else [])]:
            ours, = measuring.best([([options.concord, "explore", "--threads", str(n), program], measuring.answers("verified"))],
                                   options.times)
            row = ["threads" if kind == "bare" else "abstract threads", str(n), "", "", "", seconds(ours.seconds),
                   f"{ours.megabytes:.0f} MB", ""]
            if not is_over:
                spin, counts = Promela(options.concord, program, n, folder, reduced=True).run(SPIN_SECONDS, ends=False)
                is_over = counts["states"] is None or "out of memory" in spin.output
                row[2:5] = ["" if is_over else str(counts["states"]), seconds(spin.seconds) + (" and more" if is_over else ""),
                            f"{spin.megabytes:.0f} MB"]
                row[7] = ratio(spin.seconds / ours.seconds) + (" and more" if is_over else "")
            rows.append(row)
    proof, = measuring.best([([options.concord, "verify", "--engine", "threads", source], measuring.answers("verified"))], options.times)
    rows.append(["conformance, and every number of abstract threads", "any", "", "", "", seconds(proof.seconds),
                 f"{proof.megabytes:.0f} MB", ""])
    measuring.table(title, ["", "workers", "states of SPIN", "SPIN's run", "memory", "concord", "memory",
                                             "SPIN / concord"], rows)


def main():
    parser = measuring.parser(__doc__, times=3)
    parser.add_argument("--workers", type=int, default=5, help="of the drivers at most; with 11 also 20. SPIN stops at its "
                        f"first run over {SPIN_SECONDS} s, which is that of 7 workers (default: 5)")
    options = parser.parse_args()
    running.require(shutil.which("spin"), "SPIN is missing: as root, ./test peers installs it")
    options.concord = options.concord.resolve()
    running.require(options.concord.exists(), f"{options.concord} is missing; ./concord --version builds it")
    measuring.show_machine()
    problems, rows, left_out = [], [], 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for program, threads in gallery().items():
            compared = compare(options.concord, program, threads, folder)
            if compared is None:
                left_out += 1
                continue
            problems.append(compared[0])
            rows.append(compared[1])
        measuring.table(f"the gallery ({left_out} programs are none of Promela's)", ["", "finding", "states", "states of SPIN"], rows)
        driver("the Bluetooth driver", "examples/bluetooth/bluetooth.plato", options, folder)
        driver("the battery driver", "examples/battery/battery.plato", options, folder)
    print()
    for problem in filter(None, problems):
        print(f"FAILED {problem}")
    failed = sum(1 for problem in problems if problem)
    print(f"{len(problems) - failed} passed, {failed} failed")
    return 1 if failed or not problems else 0


if __name__ == "__main__":
    sys.exit(main())
