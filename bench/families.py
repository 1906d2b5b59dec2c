"""Programs of any size for the measurements, as Plato and, where a peer runs them too, as Boogie.

Nothing here is random: the same sizes always give the same text. Every program is verified by one engine alone.

    many_procedures(k, m)       k procedures of m steps over five variables under one lock, invariants after each step
    one_long_procedure(m, v)    one procedure of m writes to v variables, in critical sections of v; the invariants order
                                neighbours, and hold again only when the lock is given back
    unrelated_variables(m, v)   one procedure of m steps over v variables without a lock, which no clause couples: what
                                other threads do to the variables that a step does not touch can be postponed
    chain_of_workers(k)         the Bluetooth driver of the gallery, whose workers do their work k times in a row, each checked against an
                                abstract thread that does it for ever

The Boogie versions are the same checks done by hand: before each shared step whatever other threads may do (`call others`),
after it every clause as an assertion. peers/simple_lock.bpl explains the correspondence.
"""

from pathlib import Path

VARIABLES = 5


def touched(i, step, count):
    """Which variable this step of procedure i writes, and what it adds; spread out, so that no two procedures look alike."""
    return (7 * i + 3 * step + i * step) % count, 1 + (i + step) % 3


# ---------------------------------------------------------------------------------------------------------------- Plato

LOCK = "var m: tid = none;\nenv_assumption (m == tid) <==> (m' == tid);\n"


def many_procedures(k, m):
    text = LOCK
    for v in range(VARIABLES):
        text += f"var x{v}: int = 0 unwritable_by_env_if m == tid;\nglobal_invariant x{v} >= 0;\n"
    for i in range(k):
        steps = [touched(i, step, VARIABLES) for step in range(m)]
        text += f"proc p{i}()\n  requires m != tid;\n{{\n  acquire(m);\n"
        text += "".join(f"  x{v} = x{v} + {amount};\n" for v, amount in steps)
        text += f"  assert x0 >= 0;\n  release(m);\n}}\nthread[*] p{i}();\n"
    return text


def one_long_procedure(m, v):
    text = LOCK
    text += "".join(f"var x{i}: int = 0 unwritable_by_env_if m == tid;\n" for i in range(v))
    text += "".join(f"global_invariant m == none ==> x{i} <= x{i + 1};\n" for i in range(v - 1))
    text += "proc p()\n  requires m != tid;\n{\n"
    for section in range(sections(m, v)):
        text += "  acquire(m);\n"
        text += "".join(f"  x{i} = x{i} + 1;\n" for i in reversed(range(v)))
        text += f"  assert x0 <= x{v - 1};\n  release(m);\n"
    return text + "}\nthread[*] p();\n"


def sections(m, v):
    """Each critical section writes every variable once, the last one first; so m is a multiple of v."""
    assert m % v == 0
    return m // v


def unrelated_variables(m, v):
    text = "".join(f"var x{i}: int = 0;\nglobal_invariant x{i} >= 0;\nenv_assumption x{i}' >= x{i};\n" for i in range(v))
    text += "proc p() {\n"
    text += "".join(f"  x{step % v} = x{step % v} + 1;\n" for step in range(m))
    return text + "  assert x0 > 0;\n}\nthread[*] p();\n"


BLUETOOTH = Path(__file__).resolve().parent.parent / "examples/bluetooth/bluetooth.plato"


def replaced(text, old, new):
    assert text.count(old) == 1, f"{BLUETOOTH} has no longer one `{old}`"
    return text.replace(old, new)


def chain_of_workers(k):
    text = BLUETOOTH.read_text()
    text = replaced(text, "thread[n] PnpAdd()", "proc Chain() {\n" + "  PnpAdd();\n" * k + "}\n\nthread[n] Chain()")
    again = "  LastOne -> Before:  <stoppingEvent'>_{stoppingEvent};\n  Leaving -> Before:  <true>_{};\n"
    return replaced(text, "  Leaving -> LastOne: <pendingIO == 0>_{};\n", "  Leaving -> LastOne: <pendingIO == 0>_{};\n" + again)


# --------------------------------------------------------------------------------------------------------------- Boogie

THREADS = """\
type Tid;
const unique none: Tid;
const unique tid: Tid;                         // the thread that runs the procedure
const other: Tid;                              // any other thread
axiom other != none && other != tid;

var m: Tid;
"""


def boogie_program(count, invariants, procedures):
    """Invariants are text over m and x0 …; a procedure is a list of critical sections: the writes (variable, amount), and
    what is asserted before the lock is given back."""
    names = [f"x{i}" for i in range(count)]
    modifies = "  modifies " + ", ".join(["m", *names]) + ";\n"
    text = THREADS + "".join(f"var {name}: int;\n" for name in names)
    text += "\nprocedure others();\n" + modifies + "  ensures (old(m) == tid) <==> (m == tid);\n"
    text += "".join(f"  ensures old(m) == tid ==> {name} == old({name});\n" for name in names)
    text += clauses("ensures", invariants)
    text += "\nprocedure initially()\n" + modifies + "{\n  m := none;\n"
    text += "".join(f"  {name} := 0;\n" for name in names) + clauses("assert", invariants) + "}\n"
    for i, critical_sections in enumerate(procedures):
        text += f"\nprocedure p{i}()\n" + modifies + "  requires m != tid;\n" + clauses("requires", invariants)
        text += "{\n  var m0: Tid;\n  var before: int;\n"
        text += "".join(boogie_section(writes, asserted, invariants) for writes, asserted in critical_sections) + "}\n"
    return text


def boogie_section(writes, asserted, invariants):
    after = "  assert (m0 == other) <==> (m == other);\n" + clauses("assert", invariants)
    text = "  call others(); assume m == none; m0 := m; m := tid;\n" + after
    for v, amount in writes:
        text += f"  call others(); m0 := m; before := x{v}; x{v} := x{v} + {amount};\n"
        text += f"  assert m0 == other ==> x{v} == before;\n" + after
    text += f"  call others(); assert {asserted};\n"
    return text + "  call others(); assert m == tid; m0 := m; m := none;\n" + after


def clauses(word, predicates):
    return "".join(f"  {word} {predicate};\n" for predicate in predicates)


def boogie_many_procedures(k, m):
    procedures = [[([touched(i, step, VARIABLES) for step in range(m)], "x0 >= 0")] for i in range(k)]
    return boogie_program(VARIABLES, [f"x{v} >= 0" for v in range(VARIABLES)], procedures)


def boogie_one_long_procedure(m, v):
    invariants = [f"m == none ==> x{i} <= x{i + 1}" for i in range(v - 1)]
    section = [(i, 1) for i in reversed(range(v))], f"x0 <= x{v - 1}"
    return boogie_program(v, invariants, [[section] * sections(m, v)])
