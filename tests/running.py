"""What the golden and the gallery runner share: running concord with a time limit, two cases at a time, and counting."""

import argparse
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
JOBS = 2


def parser(description):
    result = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    result.add_argument("--concord", type=Path, default=ROOT / "build/release/concord", help="the binary to run")
    result.add_argument("--patience", type=int, default=1, help="multiplies every time limit")
    return result


def environment(path=None, proofs="none"):
    """The same for every machine and user: no colours, no settings from outside, nothing that an earlier run has proved."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "TMPDIR")}
    path = {} if path is None else {"PATH": path}
    return {**kept, **path, "LC_ALL": "C.UTF-8", "TERM": "dumb", "CONCORD_PROOFS": str(proofs)}


def run(concord, arguments, folder, seconds, stdin="", interrupt=None, path=None):
    """Runs concord in a folder, interrupted after `interrupt` seconds: (stdout, stderr, status), or None if the time is up."""
    process = subprocess.Popen([concord, *arguments], cwd=folder, env=environment(path), start_new_session=True,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if interrupt is not None:
        time.sleep(interrupt)
        process.send_signal(signal.SIGINT)
    try:
        stdout, stderr = process.communicate(stdin.encode(), timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)  # and what it started
        process.communicate()
        return None
    return stdout.decode(errors="replace"), stderr.decode(errors="replace"), process.returncode


def run_all(cases, check):
    """check(case) gives the problem as text, or "". Prints the problems in order, then the counts; the exit status."""
    with ThreadPoolExecutor(JOBS) as pool:
        problems = list(pool.map(check, cases))
    for case, problem in zip(cases, problems):
        if problem:
            print(f"FAILED {case}\n{problem.rstrip()}\n")
    failed = sum(1 for problem in problems if problem)
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed else 0


def require(condition, message):
    if not condition:
        print(message, file=sys.stderr)
        sys.exit(64)
