"""Random Java programs of two threads whose shared variables are volatile, or guarded by a monitor or a lock.

The JVM runs each many times and prints the states in which it ended. Java's semantics of such programs is sequential
consistency, so exploration must reach every one of them.
"""

import random

VOLATILE = ["x", "y"]
GUARDED = ["z", "w"]
RESULTS = ["r0", "r1"]  # each written by one thread only, read after the joins
LOCKED = ["u"]  # guarded by `lock`
ASKED = VOLATILE + GUARDED + LOCKED + RESULTS

HARNESS = """
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

class Harness {
  interface Trial { void reset(); void one(); void two(); String state(); }
  static final AtomicInteger turn = new AtomicInteger(), ready = new AtomicInteger();
  static volatile Trial trial;

  static void meet(int until) {
    for (int spins = 0; ready.get() < until; spins++) {
      if (spins < 200) Thread.onSpinWait(); else Thread.yield();
    }
  }

  // Between two statements: so that the JVM shows more of what may happen.
  static void pause() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    int chosen = random.nextInt(16);
    if (chosen == 0) Thread.yield();
    if (chosen > 4) for (int i = random.nextInt(40); i > 0; i--) Thread.onSpinWait();
  }

  static void await(int wanted) {
    for (int spins = 0; turn.get() < wanted; spins++) {
      if (spins < 200) Thread.onSpinWait(); else Thread.yield();
    }
  }

  static void run(String name, Trial it, int rounds, int milliseconds) throws InterruptedException {
    trial = it;
    turn.set(0);
    ready.set(0);
    Set<String> seen = new TreeSet<>();
    long end = System.nanoTime() + milliseconds * 1_000_000L;
    Thread other = new Thread(() -> {
      for (int round = 1; ; round++) {
        await(round);
        if (trial == null) return;
        trial.two();
        ready.incrementAndGet();
      }
    });
    other.start();
    for (int round = 1; round <= rounds && System.nanoTime() < end; round++) {
      it.reset();
      turn.set(round);
      it.one();
      meet(round);
      seen.add(it.state());
    }
    trial = null;
    turn.set(Integer.MAX_VALUE);
    other.join();
    for (String state : seen) System.out.println(name + " " + state);
  }
"""


class Program:
    def __init__(self, name, seed):
        self.name = name
        self.random = random.Random(f"{name} {seed}")
        self.bodies = [self.body(thread) for thread in range(2)]

    def choose(self, options):
        return self.random.choice(options)

    def body(self, thread):
        lines = []
        for _ in range(self.random.randint(1, 3)):
            lines += self.step(thread)
        return ["    int t = 0;", *("    " + line for line in lines), f"    {RESULTS[thread]} = {RESULTS[thread]} * 7 + t;"]

    def step(self, thread):
        a, b = self.choose(VOLATILE), self.choose(VOLATILE)
        z, w = self.choose(GUARDED), self.choose(GUARDED)
        k = self.random.randint(1, 3)
        result = RESULTS[thread]
        return self.choose([
            [f"{a}++;"],
            [f"{a} += {k};"],
            [f"{a} = {k};", f"t = {b};"],
            [f"t = {a};", f"{b} = t + {k};"],
            [f"{a} = {b} + {a};"],
            [f"if ({a} == 0) {b} = {k}; else t += {a};"],
            [f"{result} = {a} * 10 + {b};"],
            [f"t = {a}++ + {b};"],
            [f"synchronized ({self.name}.class) {{ {z} = {w} + {k}; }}"],
            [f"synchronized ({self.name}.class) {{ t = {z}; {w} = t * 2 + {a}; }}"],
            [f"synchronized ({self.name}.class) {{ {z}++; {w} += {z}; }}", f"{a} = {k};"],
            [f"add({k});", "t = get();"],
            [f"while ({a} < 1) {{ {a}++; t++; }}"],
            ["lock.lock();", f"u = u * 2 + {k};", "lock.unlock();"],
            [f"if (lock.tryLock()) {{ u += {a}; lock.unlock(); }} else {{ t = {k}; }}"],
        ])

    def members(self, pause=""):
        lines = [f"class {self.name} {{"]
        lines += [f"  static volatile int {name};" for name in VOLATILE]
        lines += [f"  static int {name};" for name in GUARDED + LOCKED + RESULTS]
        lines += ["  static final java.util.concurrent.locks.ReentrantLock lock = new java.util.concurrent.locks.ReentrantLock();"]
        lines += ["  static synchronized void add(int k) {", "    z += k;", "  }"]
        lines += ["  static synchronized int get() {", "    return z + w;", "  }"]
        for name, body in zip(["one", "two"], self.bodies):
            lines += [f"  static void {name}() {{", *(pause + line for line in body), "  }"]
        return lines

    def trial(self):
        """For the JVM: the class, and the call that runs it."""
        resets = " ".join(f"{name} = 0;" for name in ASKED)
        state = ' + " " + '.join(ASKED)
        lines = self.members("    Harness.pause();") + ["}", f"class {self.name}Trial extends {self.name} implements Harness.Trial {{",
                                  f"  public void reset() {{ {resets} }}", "  public void one() { one_(); }",
                                  "  public void two() { two_(); }", f"  public String state() {{ return {state}; }}", "}", ""]
        text = "\n".join(lines)
        for name in ("one", "two"):
            text = text.replace(f"static void {name}()", f"static void {name}_()")
        return text

    def asserting(self, states):
        """One assertion for each state, that says it is not reached: every one must be violated."""
        lines = self.members() + ["  public static void main(String[] args) throws InterruptedException {",
                                  f"    Thread a = new Thread({self.name}::one);", f"    Thread b = new Thread({self.name}::two);",
                                  "    a.start();", "    b.start();", "    a.join();", "    b.join();"]
        for state in states:
            same = " && ".join(f"{name} == {value}" for name, value in zip(ASKED, state.split(), strict=True))
            lines.append(f"    assert !({same});")
        return "\n".join(lines + ["  }", "}", ""])
