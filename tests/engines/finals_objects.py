"""Random Plato programs with objects, and final conditions, many of them false: references that may be one of several, comparisons and
casts of which the answer is known, arrays that grow, arrays of two fields, nested locks, operations within atomic blocks. In Java expressions are
taken apart before any engine sees them; here they are whole. What the dynamic engine proves for every number of threads, races
included, the explorer must not refute for some.
"""

import random


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = 0
        self.can_grow = self.random.random() < 0.7
        self.own = ["it"]  # references that the code has

    def choose(self, *options):
        return self.random.choice(options)

    def name(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    # ---- expressions

    def reference(self):
        return self.choose("box", "box", "box", "other", "box.next", "other.next", f"({self.condition(1)} ? box : other)",
                           f"({self.condition(1)} ? box : box)", *self.own)

    def known(self):
        return self.choose("box", "box", "other", "box.next", *self.own)

    def array(self):
        return self.choose("box.a", "box.a", "other.a", "cells", f"{self.known()}.a")

    def number(self, depth=0):
        options = ["0", "1", "2", "n", "s", "box.x", "other.x", f"{self.known()}.x", f"{self.array()}.length", f"{self.array()}[{self.choose('0', '1', 's')}]"]
        if depth < 1:
            options += [f"{self.number(1)} + 1", f"({self.condition(1)} ? {self.number(1)} : {self.number(1)})", f"\\wrap({self.number(1)} + 1, {self.choose('8', '32')})"]
        return self.random.choice(options)

    def condition(self, depth=0):
        options = [f"{self.number(1)} {self.choose('==', '<', '>=')} {self.choose('0', '1', '2')}", "flag", "!flag", f"{self.array()} != null",
                   f"{self.array()} == {self.array()}", f"{self.known()} == {self.known()}", "box.next != null", "box instanceof Leaf", "other instanceof Box"]
        if depth < 1:
            options += [f"{self.condition(1)} {self.choose('&&', '||')} {self.condition(1)}", f"({self.reference()}) instanceof Leaf", f"({self.reference()}) == null"]
        return self.random.choice(options)

    # ---- statements

    def place(self):
        return self.choose("s", "box.x", "box.x", "other.x", f"{self.known()}.y", f"{self.array()}[{self.choose('0', '0', '1', 's')}]")

    def grow(self):
        made, old, i, t = self.name("a"), self.name("o"), self.name("i"), self.name("t")
        holder = self.choose("box", "box", "other")
        copy = f"var {i}: int = 0; while ({i} < {self.choose('1', '2', '2')}) {{ var {t}: int = {old}[{i}]; {made}[{i}] = {t}; {i} = {i} + 1; }}"
        text = f"var {old}: int[] = {holder}.a; var {made}: int[] = new int[{self.choose('2', '3', old + '.length', old + '.length + 1')}]; "
        text += self.choose(copy, copy, f"{made}[0] = {self.number()};", "")
        text += f" {self.choose(holder, holder, holder, 'other')}.a = {made};"
        return text + self.choose("", "", f" {self.choose(made, old)}[0] = {self.number(1)};")

    def statement(self, depth):
        place = self.place()
        forms = [f"{place} = {self.number()};", f"{place} = {place} + 1;", f"{place} = {place} + 1;", f"flag = {self.condition()};",
                 f"var {self.name('r')}: Box = {self.reference()};", f"take({self.reference()});", "get();", "give();", f"assert {self.condition()};",
                 f"var {self.name('c')}: Leaf = {self.choose('other', 'box', 'other.next')} as Leaf;", "box.next = box.next;"]
        if self.can_grow:
            forms += [self.grow()] * 3
        if depth < 2:
            inner = self.block(depth + 1)
            lock = self.choose("box", "box", "other", "it")
            forms += [f"acquire({lock}); {inner} release({lock});"] * 4
            forms += [f"if ({self.condition()}) {{ {inner} }}", f"if ({self.condition()}) {{ {inner} }} else {{ {self.block(depth + 1)} }}", f"atomic {{ {inner} }}"]
        return self.random.choice(forms)

    def block(self, depth):
        return " ".join(self.statement(depth) for _ in range(self.random.randint(1, 2)))

    # ---- claims

    def claim(self):
        x = self.choose("s", "box.x", "box.x", "other.x", "box.y", "cells[0]", "box.a[0]", "other.a[1]", "box.a.length")
        return self.choose(f"{x} {self.choose('==', '>=', '<=')} {self.choose('n', 'n + 1', '0', '1', '2')}", f"{x} == {self.choose('n', 'n + 1')}",
                           f"n == 0 || {self.condition()}", self.condition(), "box.a != other.a", "box.next == other",
                           f"(forall k: int :: 0 <= k && k < {self.choose('2', '3')} ==> {self.choose('cells', 'box.a')}[k] >= 0)",
                           f"(\\sum int k; 0 <= k && k < {self.choose('2', 'cells[1]', 'box.a.length')}; {self.choose('cells[k]', '1')}) == {self.choose('n', '0')}")

    def program(self):
        body = self.block(0)
        if self.random.random() < 0.75:
            lock = self.choose("box", "box", "other")
            body = f"acquire({lock}); {body} release({lock});"
        invariant = self.choose("", f"global_invariant {self.choose('s >= 0', 'box == null || box.x >= 0', 'cells == null || cells[0] >= 0', 'box == null || box.a[0] <= box.x')};")
        self.own = []
        second = self.choose("a", "b", "b")
        claims = "\n".join(f"finally {self.claim()};" for _ in range(3))
        behind = self.choose("", "", "", "", "", f" var last: int = {self.choose('s', 'box.x')};")
        return f"""class Object {{}}
class Box extends Object {{ var a: int[]; var x: int = 0; var y: int = 0; var next: Box; {self.choose('', '', 'invariant x >= 0;')} }}
class Leaf extends Box {{}}
final var box: Box;
final var other: Box;
final var cells: int[];
var s: int = 0;
{self.choose('', 'volatile ')}var flag: bool = false;
const n: int;
{invariant}
{claims}
proc boot() {{
  var a: int[] = new int[2];
  var b: int[] = new int[2];
  b[1] = {self.choose('0', '5')};
  box = new Box(a = a, x = {self.choose('0', '1')});
  other = new Leaf(a = {second});
  box.next = {self.choose('other', 'other', 'box', 'null')};
  cells = {self.choose('new int[2]', 'new int[2]', 'new int[3]')};
  initialised;{behind}
}}
thread main = boot();
thread[n] work();
proc take(given: Box) {{ {self.choose('skip;', 'given.y = 1;')} }}
proc get(): int[] {{ return {self.choose('box.a', 'cells')}; }}
proc give(): Box {{ return {self.choose('box', 'box.next', 'box.x > 0 ? box : other')}; }}
proc work() {{ var it: Box = {self.choose('box', 'other')}; {body} }}
"""
