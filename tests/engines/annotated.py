"""Random annotated Java classes: a shared object, some of whose clauses are true, and two threads that use it.

What the modular engine proves of such a class, for any number of threads, the referee must not refute for these two.
"""

import random

FIELDS = ["a", "b"]
DISCIPLINES = ["@GuardedBy(\"this\")", "@GuardedBy(\"own\")", "@GuardedBy(\"LOCK\")", "//@ unwritable_by_env_if holder == tid;", "volatile", ""]


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        # Else mostly a race is found, and then nothing else is proved.
        self.is_careful = self.random.random() < 0.6
        self.monitor = self.choose("this", "this", "own")
        self.disciplines = {field: f"@GuardedBy(\"{self.monitor}\")" if self.is_careful else self.random.choice(DISCIPLINES) for field in FIELDS}

    def choose(self, *options):
        return self.random.choice(options)

    def number(self):
        return self.choose("0", "1", "1", "2", "n")

    def predicate(self, old=False):
        left, right = self.choose("a", "b"), self.choose("0", "1", "b", "a")
        simple = f"{left} {self.choose('>=', '<=', '==', '!=')} {right}"
        if old:
            field = self.choose("a", "b")
            return self.choose(f"\\old({field}) <= {field}", f"holder == tid ==> \\old({field}) == {field}",
                               f"\\old({field}) > 0 ==> {field} > 0")
        return self.choose(simple, simple, f"holder == null ==> {simple}", f"{simple} || {left} > 0")

    def statement(self, depth=0):
        field, other = self.choose("a", "b"), self.choose("a", "b")
        forms = [f"{field} = {self.number()};", f"{field} = {other};", f"{field}++;", f"{field} = {other} + {self.number()};",
                 f"assert {self.choose('a', 'b')} {self.choose('>=', '<=')} {self.choose('0', 'b', 'a')};"]
        if depth < 2:
            inner = self.statement(depth + 1)
            forms += [f"if ({field} < 2) {{ {inner} }}", f"synchronized (this) {{ {inner} {self.statement(depth + 1)} }}",
                      f"synchronized ({self.choose('LOCK', 'own')}) {{ {inner} }}"]
        return self.random.choice(forms)

    def method(self, name):
        lines = []
        if self.random.random() < 0.4:
            lines.append(f"    //@ requires {self.choose('n >= 0', 'n > 0', 'n >= 0 && holder != tid')};")
        if self.random.random() < 0.3:
            lines.append(f"    //@ ensures {self.choose('a >= 0', 'b >= a', 'holder != tid', 'a >= 0 || b >= 0')};")
        locked = self.is_careful or self.random.random() < 0.6
        lines.append(f"    {'synchronized ' if locked and self.monitor == 'this' else ''}void {name}(int n) {{")
        body = [f"      {self.statement()}" for _ in range(self.random.randint(1, 3))]
        if locked and self.monitor == "own":
            body = ["      synchronized (own) {", *(f"  {line}" for line in body), "      }"]
        return [*lines, *body, "    }", ""]

    def field(self, name):
        discipline = self.disciplines[name]
        if discipline == "volatile":
            return [f"    volatile int {name};"]
        return ([f"    {discipline}"] if discipline else []) + [f"    int {name};"]

    def program(self, name):
        lines = [f"public class {name} {{", "  static final Object LOCK = new Object();", "", "  static class Cell {", "    final Object own = new Object();"]
        for field in FIELDS:
            lines += self.field(field)
        for kind in self.random.sample(["global_invariant", "invariant", "env_assumption", "none"], 2):
            if kind != "none":
                lines.append(f"    //@ {kind} {self.predicate(kind == 'env_assumption')};")
        lines.append("")
        for method in ("one", "two"):
            lines += self.method(method)
        lines += ["  }", "", "  static class User extends Thread {", "    final Cell cell;", "    final int kind;", "",
                  "    User(Cell cell, int kind) {", "      this.cell = cell;", "      this.kind = kind;", "    }", "",
                  "    //@ requires cell != null;", "    @Override", "    public void run() {",
                  f"      if (kind == 0) cell.one({self.choose('0', '1')});", f"      else cell.two({self.choose('0', '1', '2')});",
                  "    }", "  }", "", "  public static void main(String[] args) {", "    Cell cell = new Cell();",
                  "    new User(cell, 0).start();", "    new User(cell, 1).start();", "  }", "",
                  "  @interface GuardedBy {", "    String value();", "  }", "}", ""]
        return "\n".join(lines)


def program(seed):
    return Maker(seed).program("Annotated")
