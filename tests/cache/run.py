#!/usr/bin/env python3
"""The proof cache: what nothing has changed of is not proved again, everything else is, and no accident gives a wrong answer.

Each case has a folder with a copy of a program and a cache of its own. It runs concord several times and compares what each
run says: the verdicts with those without a cache, and how many obligations were remembered.

Usage: tests/cache/run.py [--concord PATH] [--patience N] [CASE…]
"""

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import running

SECONDS = 30
NOBODY = 65534
LOCK = "examples/simple-lock/simple_lock.plato"
EXPLORED = "docs/walk/lost_update.plato"
JAVA = "examples/apprentice/ApprenticeBounded.java"
OPEN = "docs/modular/depends.plato"


class Wrong(Exception):
    pass


def require(condition, problem):
    if not condition:
        raise Wrong(problem)


class Bench:
    """A program, a cache, and concord."""

    def __init__(self, folder, program, options):
        self.folder = Path(folder)
        self.program = self.folder / Path(program).name
        self.options = options
        self.cache = self.folder / "cache"
        self.concord = options.concord
        shutil.copy(running.ROOT / program, self.program)

    @property
    def file(self):
        return self.cache / "proofs.sqlite"

    def command(self, *more):
        return [self.concord, "verify", *more, "--format", "json", self.program.name]

    def start(self, *more, proofs=None, before=None):
        environment = running.environment(proofs=proofs or self.cache)
        return subprocess.Popen(self.command(*more), cwd=self.folder, env=environment, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, preexec_fn=before, restore_signals=before is None)

    def finish(self, process):
        try:
            stdout, stderr = process.communicate(timeout=SECONDS * self.options.patience)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        require(process.returncode in (0, 1, 2), f"status {process.returncode}: {stderr.decode()}")
        return Answer(json.loads(stdout))

    def run(self, *more, **how):
        return self.finish(self.start(*more, **how))

    def edit(self, old, new):
        text = self.program.read_text()
        require(old in text, f"{self.program.name} has no {old!r}")
        self.program.write_text(text.replace(old, new, 1))


class Answer:
    def __init__(self, report):
        self.verdicts = [(one["id"], one["verdict"], one["message"]) for one in report["properties"]]
        self.verdict = report["verdict"]
        statistics = report["statistics"]
        self.obligations = statistics["obligations"]
        self.remembered = statistics.get("obligations_remembered", 0)
        self.is_whole = "properties_remembered" in statistics
        self.rest = {key: report[key] for key in ("assumptions", "inferred", "notes", "not_checked")}

    def __eq__(self, other):
        return self.verdicts == other.verdicts and self.rest == other.rest

    def __str__(self):
        return f"{self.verdict}, {self.remembered} of {self.obligations} remembered, whole: {self.is_whole}"


def is_cold(answer):
    return answer.remembered == 0 and not answer.is_whole


def nothing_changed(bench):
    for more in ([], ["--engine", "modular"], ["--property", "all"]):
        first = bench.run(*more)
        second = bench.run(*more)
        without = bench.run(*more, "--no-cache")
        require(second == first == without, f"{more}: other answers: {first}; {second}; {without}")
        require(is_cold(without), f"--no-cache: {without}")
        if first.verdict == "verified":
            require(second.is_whole and second.remembered == second.obligations, f"{more}: again {second}")


def java(bench):
    first = bench.run()
    require(first.verdict == "verified" and is_cold(first), f"first {first}")
    second = bench.run()
    require(second.is_whole and second == first, f"again {second}")
    require(not bench.run("--int", "math").is_whole, "other integers")
    bench.edit("objref.counter + 1", "objref.counter - 1")
    broken = bench.run()
    require(broken.verdict == "violated" and not broken.is_whole, f"broken: {broken}")
    bench.edit("objref.counter - 1", "objref.counter + 1")
    require(bench.run().is_whole, "as it was before")


def edited(bench):
    first = bench.run()
    bench.edit("    x = 0;\n", "    x = 0; x = 1;\n")
    second = bench.run()
    require(not second.is_whole, f"after an edit {second}")
    require(0 < second.remembered < second.obligations, f"only what the edit concerns is proved again: {second}")
    require(second == bench.run("--no-cache"), "other answers than without a cache")
    bench.edit("x = 0; x = 1;", "x = 0;")
    require(bench.run().is_whole, "what was there before is remembered")
    bench.edit("assert x > 0", "assert x > 1")
    broken = bench.run()
    require(broken.verdict == "violated" and not broken.is_whole, f"a broken program: {broken}")
    require(broken == bench.run("--no-cache"), "other answers than without a cache")


def another_program(bench):
    """The same program but for the hash that the linker left in it: stands for another version, or another solver."""
    bench.run()
    copy = bench.folder / "concord"
    content = bytearray(bench.concord.read_bytes())
    note = content.find(b"\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0")
    require(note >= 0, "the binary has no build id")
    content[note + 16] ^= 1
    copy.write_bytes(content)
    copy.chmod(0o755)
    bench.concord = copy
    other = bench.run()
    require(is_cold(other), f"of another program: {other}")


def options_count(bench):
    bench.run()
    for more in (["--solver-seed", "7"], ["--solver", "cvc5"]):
        answer = bench.run(*more)
        require(is_cold(answer), f"{more}: {answer}")
    require(not bench.run("--int", "java").is_whole, "other integers")
    require(bench.run().is_whole, "the same options")


def unproved_is_not_kept(bench):
    first = bench.run("--engine", "modular")
    require(first.verdict == "unproved", f"first {first}")
    second = bench.run("--engine", "modular")
    require(second == first and not second.is_whole, f"an open answer was kept: {second}")
    require(0 < second.remembered < second.obligations, f"and what is proved was not: {second}")


def explored(bench):
    first = bench.run("--engine", "explore")
    require(first.verdict == "violated", f"first {first}")
    second = bench.run("--engine", "explore")
    require(second.is_whole and second == first, f"again {second}")
    bounded = bench.run("--engine", "explore", "--threads", "3")
    require(not bounded.is_whole, "another number of threads")


def unknown_is_not_kept(bench):
    bench.program.write_text("var x: int;\nproc work() { while (*) { x = x + 1; assert x != 100000000; } }\nthread[2] work();\n")
    environment = running.environment(proofs=bench.cache)
    for _ in range(2):
        result = subprocess.run(bench.command("--engine", "explore", "--timeout", "0.05"), cwd=bench.folder, env=environment,
                                capture_output=True, timeout=SECONDS)
        answer = Answer(json.loads(result.stdout))
        require(answer.verdict == "unknown" and not answer.is_whole, f"limited by time: {answer}")


def damaged(bench):
    expected = bench.run()
    whole = bench.file.read_bytes()
    chance = random.Random(1)
    for count in (1, 10, 100, 1000):
        content = bytearray(whole)
        for _ in range(count):
            content[chance.randrange(len(content))] = chance.randrange(256)
        bench.file.write_bytes(content)
        require(bench.run() == expected, f"{count} bytes changed: another answer")
    for part in (0, 1, 3, 7):
        bench.file.write_bytes(whole[: len(whole) * part // 8])
        require(bench.run() == expected, f"cut off after {part} eighths: another answer")
    bench.file.write_bytes(b"x" * 5000)
    for _ in range(3):
        last = bench.run()
    require(last == expected and last.is_whole, f"a new file is begun: {last}")


def nowhere(bench):
    expected = bench.run("--no-cache")
    bench.cache.write_text("a file where the folder should be")
    for _ in range(2):
        answer = bench.run()
        require(answer == expected and is_cold(answer), f"without a place: {answer}")
    bench.cache.unlink()
    bench.run()


def read_only(bench):
    """By somebody who may not write there; root may write everywhere, and becomes nobody."""
    bench.concord = Path(shutil.copy(bench.concord, bench.folder))
    bench.run()
    is_root = os.geteuid() == 0
    bench.folder.chmod(0o755)
    bench.file.chmod(0o444)
    bench.cache.chmod(0o555)

    def nobody():
        os.setgid(NOBODY)
        os.setuid(NOBODY)

    how = {"before": nobody} if is_root else {}
    require(bench.run(**how).is_whole, "what may be read is read")
    bench.edit("    x = 0;", "    x = 0; x = 0;")
    expected = bench.run("--no-cache")
    for _ in range(2):
        answer = bench.run(**how)
        require(answer == expected and not answer.is_whole, f"where nothing can be written: {answer}")
        require(0 < answer.remembered < answer.obligations, f"what may be read is of use: {answer}")
    bench.cache.chmod(0o755)


def full(bench):
    expected = bench.run("--no-cache")

    def limited():  # what is written beyond is refused, as on a full disk
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (9000, resource.RLIM_INFINITY))

    for _ in range(3):
        require(bench.run(before=limited) == expected, "another answer on a full disk")
    require(bench.run() == expected and bench.run().is_whole, "and with room again it is kept")


def full_disk(bench):
    """A small disk with so much room; then with all of it. Where nobody may mount one, `full` is all there is."""
    as_root = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", "--mount"]
    script = """
        mount -t tmpfs -o size=2m none "$cache"
        head -c 3m /dev/zero >"$cache/rest" 2>/dev/null || true
        head -c "$room" /dev/zero >room
        truncate -s "-$(stat -c %s room)" "$cache/rest"
        for run in full1 full2; do "$@" >$run || true; done
        rm "$cache/rest"
        for run in empty1 empty2; do "$@" >$run || true; done"""
    bench.cache.mkdir()
    if subprocess.run([*as_root, "mount", "-t", "tmpfs", "none", bench.cache], capture_output=True).returncode != 0:
        return
    expected = bench.run("--no-cache")
    for room in (0, 4096, 12288, 20480, 28672):
        environment = {**running.environment(proofs=bench.cache), "cache": str(bench.cache), "room": str(room)}
        subprocess.run([*as_root, "sh", "-ec", script, "sh", *bench.command()], cwd=bench.folder, env=environment, check=True,
                       timeout=4 * SECONDS * bench.options.patience)
        answers = {run: Answer(json.loads((bench.folder / run).read_text())) for run in ("full1", "full2", "empty1", "empty2")}
        require(all(answer == expected for answer in answers.values()), f"with {room} bytes left: another answer")
        if room == 0:
            require(not answers["full2"].is_whole, "the disk was not full")
        require(answers["empty2"].is_whole, f"after {room} bytes were left: with room again nothing is kept")


def together(bench):
    expected = bench.run("--no-cache")
    for _ in range(5):
        shutil.rmtree(bench.cache, ignore_errors=True)
        running_now = [bench.start() for _ in range(3)]
        require(all(bench.finish(each) == expected for each in running_now), "another answer beside other runs")
        require(bench.run().is_whole, "nothing was kept beside other runs")


def killed(bench):
    """A hundred times, at any moment; what the next runs say is what they say without a cache."""
    expected = bench.run("--no-cache")
    begin = time.monotonic()
    bench.run()
    usual = time.monotonic() - begin
    chance = random.Random(1)
    for number in range(100):
        if number % 4 == 0:
            shutil.rmtree(bench.cache, ignore_errors=True)
        process = bench.start()
        time.sleep(chance.uniform(0, usual))
        process.kill()
        process.communicate()
        if number % 10 == 9:
            require(bench.run() == expected, f"another answer after {number + 1} kills")
    require(bench.run() == expected and bench.run().is_whole, "after all these kills nothing is kept")


CASES = {
    "nothing-changed": (nothing_changed, LOCK),
    "java": (java, JAVA),
    "edited": (edited, LOCK),
    "another-program": (another_program, LOCK),
    "options-count": (options_count, LOCK),
    "unproved-is-not-kept": (unproved_is_not_kept, OPEN),
    "explored": (explored, EXPLORED),
    "unknown-is-not-kept": (unknown_is_not_kept, EXPLORED),
    "damaged": (damaged, LOCK),
    "nowhere": (nowhere, LOCK),
    "read-only": (read_only, LOCK),
    "full": (full, LOCK),
    "full-disk": (full_disk, LOCK),
    "together": (together, LOCK),
    "killed": (killed, LOCK),
}


def check(name, options):
    case, program = CASES[name]
    with tempfile.TemporaryDirectory() as folder:
        try:
            case(Bench(folder, program, options))
        except Wrong as problem:
            return str(problem)
        except subprocess.TimeoutExpired:
            return f"took longer than {SECONDS * options.patience} s"
    return ""


def main():
    parser = running.parser(__doc__)
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    options.concord = options.concord.resolve()
    for name in options.cases:
        running.require(name in CASES, f"no case {name}")
    return running.run_all(options.cases or list(CASES), lambda name: check(name, options))


if __name__ == "__main__":
    sys.exit(main())
