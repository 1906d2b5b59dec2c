"""What the measurements share: running a command for its time and memory, fairly, and printing tables.

Times are the best of several runs, which is what the work takes when nobody disturbs it. Commands that are to be compared
take turns, so that a change of the machine's load concerns all of them. A figure means something as a ratio to another one of
the same run, never as seconds.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
import running

STATUS = {"verified": 0, "violated": 1, "unproved": 2, "unknown": 3}
SECONDS = 600  # a run that takes longer is a failure
ENOUGH = 20    # seconds after which a command is not run yet again: noise matters less in long runs


def parser(description, times):
    result = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    result.add_argument("--concord", type=Path, default=ROOT / "build/release/concord", help="the binary to measure")
    result.add_argument("--times", type=int, default=times, help=f"the best of so many runs counts (default: {times})")
    return result


class Failure(Exception):
    """A run did not end as it must."""


@dataclass
class Run:
    seconds: float
    megabytes: float  # peak memory of the process, or of the largest process it waited for
    status: int
    output: str
    processor: float = 0  # seconds of all cores together, those of processes it waited for included


def run(command, folder=ROOT, proofs="none"):
    with tempfile.TemporaryFile() as output:
        begin = time.monotonic()
        process = subprocess.Popen([str(word) for word in command], cwd=folder, env=running.environment(proofs=proofs),
                                   stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                   start_new_session=True)
        end_it = lambda: os.killpg(process.pid, signal.SIGKILL)  # and what it started
        alarm = threading.Timer(SECONDS, end_it)
        alarm.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except KeyboardInterrupt:
            end_it()
            raise
        finally:
            alarm.cancel()
        seconds = time.monotonic() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        return Run(seconds, usage.ru_maxrss / 1024, process.returncode, output.read().decode(errors="replace"),
                   usage.ru_utime + usage.ru_stime)


def best(checked_commands, times):
    """The best run of each command, in turns; its memory is the highest peak seen. A checked command is a pair of the command
    and a function from a run to the problem as text, or ""; a problem ends it all with a Failure."""
    runs = [[] for _ in checked_commands]
    for _ in range(times):
        for (command, check), so_far in zip(checked_commands, runs):
            result = run(command)
            problem = check(result)
            if problem:
                shown = " ".join(str(word) for word in command)
                raise Failure(f"{shown}: {problem}\n{result.output[-2000:]}")
            so_far.append(result)
        if any(sum(result.seconds for result in of_one) > ENOUGH for of_one in runs):
            break
    fastest = [min(of_one, key=lambda result: result.seconds) for of_one in runs]
    return [replace(result, megabytes=max(each.megabytes for each in of_one)) for result, of_one in zip(fastest, runs)]


def answers(verdict):
    """A check: concord ended with this verdict, and says so, as text or as JSON."""
    said = re.compile(rf'^({verdict}: \d+ verified, |  "verdict": "{verdict}")', re.MULTILINE)
    return lambda result: "" if result.status == STATUS[verdict] and said.search(result.output) else (
        f"status {result.status}, {verdict} was expected")


def table(title, heads, rows):
    """The first column is text, the others are numbers, already formatted."""
    widths = [max(len(row[i]) for row in [heads, *rows]) for i in range(len(heads))]
    print(f"\n{title}")
    for row in [heads, *rows]:
        cells = [cell.ljust(width) if i == 0 else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths))]
        print("  " + "  ".join(cells).rstrip(), flush=True)


def show_machine():
    print(f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f} before this")


def seconds(value):
    return f"{value:.3f} s"


def megabytes(value):
    return f"{value:.0f} MB"


def ratio(value):
    return f"{value:.2f}"
