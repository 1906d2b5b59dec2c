#!/usr/bin/env python3
"""Java programs at random: what the JVM does, exploration must do too.

Sequential programs (sequential.py) print values; with these as assertions `concord explore` must find nothing, and get to the
end. A risky one may fail on the JVM: then exploration must find that failure, in that line. Of programs of two threads (threads.py) the JVM
shows some final states; exploration must reach each of them. Everything follows from the seed but which states the JVM shows.

Usage: tests/jvm/run.py [--concord PATH] [--sequential N] [--concurrent N] [--seed N] [--keep FOLDER]
"""

import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import running
import sequential
import threads

BATCH = 10  # sequential programs in one exploration
SECONDS = 60
ROUNDS = 20000
MILLISECONDS = 300  # for each program of two threads
JAVA = ["java", "-XX:+UseSerialGC", "-Xshare:auto"]

# How the JVM says what exploration finds as that kind.
FAILURES = {"java.lang.ArithmeticException": "division-by-zero",
            "java.lang.ArrayIndexOutOfBoundsException": "array-bounds",
            "java.lang.NullPointerException": "null-dereference"}


def write(folder, name, text):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)


def compile_all(folder):
    subprocess.run(["javac", "-nowarn", "-Xlint:none", "-J-XX:+UseSerialGC", "-d", folder / "classes",
                    *sorted(folder.glob("*.java"))], check=True, stdout=subprocess.DEVNULL)


def lines_of(folder, main):
    result = subprocess.run([*JAVA, "-cp", folder / "classes", main], check=True, capture_output=True, text=True)
    found = {}
    for line in result.stdout.splitlines():
        name, rest = line.split(" ", 1)
        found.setdefault(name, []).append(rest)
    return found


# ------------------------------------------------------------------------------------------------------------ sequential

IMPORTS = "import java.util.Arrays;\n"
SEQUENTIAL_MAIN = """
class Main {
  static void attempt(String name, Runnable program) {
    try {
      program.run();
    } catch (RuntimeException e) {
      System.out.println(name + " ! " + e.getClass().getName() + " " + place(e));
    }
  }
  static int place(RuntimeException e) {
    return e.getStackTrace()[0].getLineNumber();
  }
  public static void main(String[] args) {
"""


def observe_sequential(programs, folder):
    for it in programs:
        write(folder, f"{it.name}.java", IMPORTS + it.printing())
    calls = [f'    attempt("{it.name}", {it.name}::run);' for it in programs]
    write(folder, "Main.java", SEQUENTIAL_MAIN + "\n".join(calls) + "\n  }\n}\n")
    compile_all(folder)
    return lines_of(folder, "Main")


def explore(options, folder, name, more=()):
    return running.run(options.concord, ["explore", "--objects", "1000", *more, name], folder, SECONDS * options.patience)


def check_batch(options, folder, name, programs, values):
    """Programs that do not fail, all in one file."""
    calls = [f"    {it.name}.run();" for it in programs]
    end = "    assert false : \"the end is reached\";\n  }\n}\n"
    main = IMPORTS + "class Main {\n  public static void main(String[] args) {\n" + "\n".join(calls) + "\n" + end
    write(folder, name, main + "".join(it.asserting(values[it.name]) for it in programs))
    result = explore(options, folder, name)
    if result is None:
        return [f"{name}: took longer than {SECONDS * options.patience} s"]
    stdout, stderr, status = result
    wanted = rf"^{name}:{len(programs) + 4}:5: violated: the assertion fails \[assertion\]$"
    if re.search(wanted, stdout, re.MULTILINE) and re.search(r" 1 violated, 0 unproved, 0 unknown", stdout):
        return []
    if len(programs) > 1:
        # One by one, to see which.
        return [problem for it in programs
                for problem in check_batch(options, folder, f"{it.name}.java", [it], values)]
    return [f"{name}: something else, status {status}\n{stdout[:2000]}{stderr[:2000]}"]


def check_failing(options, folder, it, said):
    """A program that fails on the JVM: the same failure in the same line."""
    failure, line = said.split()[1:]
    name = f"{it.name}.java"
    main = f"class Main {{\n  public static void main(String[] args) {{\n    {it.name}.run();\n  }}\n}}\n"
    write(folder, name, IMPORTS + it.printing() + main)
    result = explore(options, folder, name)
    if result is None:
        return [f"{name}: took longer than {SECONDS * options.patience} s"]
    wanted = rf"^{name}:{line}:\d+: violated: .*\[{FAILURES.get(failure, failure)}\]$"
    if re.search(wanted, result[0], re.MULTILINE) and result[0].count(": violated: ") == 1:
        return []
    return [f"{name}: the JVM has {failure} in line {line}\n{result[0][:2000]}{result[1][:2000]}"]


def run_sequential(options, folder, pool):
    programs = [sequential.Program(f"P{i}", options.seed, i % 5 == 4) for i in range(options.sequential)]
    if not programs:
        return 0, []
    values = observe_sequential(programs, folder / "jvm")
    failing = [it for it in programs if values[it.name][-1].startswith("!")]
    passing = [it for it in programs if it not in failing]
    jobs = [pool.submit(check_batch, options, folder, f"Batch{i}.java", passing[i:i + BATCH], values)
            for i in range(0, len(passing), BATCH)]
    jobs += [pool.submit(check_failing, options, folder, it, values[it.name][-1]) for it in failing]
    problems = [problem for job in jobs for problem in job.result()]
    print(f"{len(programs)} sequential programs, {len(failing)} of them fail on the JVM")
    return len(programs), problems


# ------------------------------------------------------------------------------------------------------------ concurrent


def check_concurrent(options, folder, it, states):
    name = f"{it.name}.java"
    write(folder, name, it.asserting(states))
    result = explore(options, folder, name, ["--property", "assertion"])
    if result is None:
        return [f"{name}: took longer than {SECONDS * options.patience} s"]
    lines = (folder / name).read_text().splitlines()
    reached = {int(number) for number in re.findall(rf"^{name}:(\d+):\d+: violated:", result[0], re.MULTILINE)}
    missed = [line.strip() for number, line in enumerate(lines, 1)
              if line.lstrip().startswith("assert") and number not in reached]
    if not missed:
        return []
    return [f"{name}: the JVM was in these states, exploration was not\n" + "\n".join(missed) + f"\n{result[1][:2000]}"]


def run_concurrent(options, folder, pool):
    programs = [threads.Program(f"C{i}", options.seed) for i in range(options.concurrent)]
    if not programs:
        return 0, []
    jvm = folder / "jvm"
    calls = [f'    run("{it.name}", new {it.name}Trial(), {ROUNDS}, {MILLISECONDS});' for it in programs]
    main = ("  public static void main(String[] args) throws InterruptedException {\n" + "\n".join(calls) + "\n  }\n}\n")
    write(jvm, "Harness.java", threads.HARNESS + main)
    for it in programs:
        write(jvm, f"{it.name}.java", it.trial())
    compile_all(jvm)
    states = lines_of(jvm, "Harness")
    jobs = [pool.submit(check_concurrent, options, folder, it, states[it.name]) for it in programs]
    problems = [problem for job in jobs for problem in job.result()]
    print(f"{len(programs)} programs of two threads, {sum(map(len, states.values()))} final states on the JVM")
    return len(programs), problems


def main():
    parser = running.parser(__doc__)
    parser.add_argument("--sequential", type=int, default=60)
    parser.add_argument("--concurrent", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder for the programs, which then stay there")
    options = parser.parse_args()
    options.concord = options.concord.resolve()
    folder = options.keep.resolve() if options.keep else Path(tempfile.mkdtemp())
    try:
        with ThreadPoolExecutor(running.JOBS) as pool:
            counted, problems = run_sequential(options, folder / "sequential", pool)
            more, others = run_concurrent(options, folder / "concurrent", pool)
    finally:
        if not options.keep:
            shutil.rmtree(folder)
    for problem in problems + others:
        print(f"FAILED {problem.rstrip()}\n")
    failed = len(problems) + len(others)
    print(f"{counted + more - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
