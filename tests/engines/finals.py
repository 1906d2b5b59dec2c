"""Random programs with final conditions, many of them false: what the dynamic engine proves for every number of threads, the
explorer must not refute for some.
"""

import random


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.locals = 0
        self.has_two_classes = self.random.random() < 0.3
        self.has_plain_lock = self.random.random() < 0.3
        self.asks_for_lock = self.random.random() < 0.2

    def choose(self, *options):
        return self.random.choice(options)

    def local(self):
        self.locals += 1
        return f"v{self.locals}"

    # ---- code

    def value(self, own):
        """Of the thread alone, or of a local variable of it."""
        return self.choose("1", "1", "2", "e[me]", "e[me]", "me", *own)

    def condition(self, own):
        shared = self.choose("x", "y", "a[me]")
        free = "m == none" if self.has_plain_lock else "m.holder == none"
        return self.choose(f"e[me] > {self.choose('0', '1')}", f"{shared} > {self.choose('0', '1')}", "me == 0",
                           f"{shared} == {self.value(own)}", "b", free if self.asks_for_lock else "b")

    def statement(self, depth, own, locked):
        x = self.choose("x", "x", "y")
        forms = [f"{x} = {x} + {self.value(own)};"] * 3
        forms += [f"{x} = {self.value(own)};", f"{x} = {x} - 1;", f"a[me] = {self.value(own)};",
                  f"a[{self.choose('x', 'y', 'e[me]')}] = {self.value(own)};", "b = !b;", "havoc y;" if self.random.random() < 0.1 else "skip;"]
        if depth < 2:
            inner = self.block(depth + 1, list(own), locked)
            forms += [f"if ({self.condition(own)}) {{ {inner} }}", f"if ({self.condition(own)}) {{ {inner} }} else {{ {self.block(depth + 1, list(own), locked)} }}"]
            if self.random.random() < 0.5:
                forms += [f"atomic {{ {inner} }}"] if "acquire" not in inner and "atomic" not in inner and "return" not in inner else []
            lock = self.choose("m", "m", "p")
            if lock not in locked or lock == "m":
                inside = self.block(depth + 1, list(own), locked + [lock])
                forms += [f"acquire({lock}); {inside} release({lock});"] * 3
            forms += [f"choose {{ {inner} }} or {{ {self.block(depth + 1, list(own), locked)} }}"] if "atomic" not in inner else []
        if self.random.random() < 0.1:
            forms += [f"await {self.condition(own)};", f"assert {self.condition(own)};", f"add({self.value(own)});"]
        text = self.random.choice(forms)
        if self.random.random() < 0.3:
            name = self.local()
            text = f"var {name}: int = {self.choose(x, x, 'a[me]', x + ' + ' + self.value(own), 'e[me] * 2')}; " + text
            own.append(name)
            if self.random.random() < 0.5:
                text += f" {x} = {name} + {self.value(own)};"
        if self.random.random() < 0.08:
            done, seen = self.local(), self.local()
            text += (f" var {done}: bool = false; while (!{done}) {{ var {seen}: int = {x}; "
                     f"{done} = CAS({x}, {seen}, {seen} + {self.value(own)}); }}")
        return text

    def block(self, depth, own, locked):
        return " ".join(self.statement(depth, own, locked) for _ in range(self.random.randint(1, 2)))

    # ---- claims

    def count(self):
        return self.choose("n", "n", "n + k2") if self.has_two_classes else "n"

    def sum(self):
        return f"(\\sum int k; 0 <= k && k < n; {self.choose('e[k]', 'e[k]', 'e[k] > 0 ? 1 : 0', '2 * e[k]', 'k', 'e[k] > 0 ? e[k] : 0')})"

    def claim(self):
        x, op = self.choose("x", "x", "y"), self.choose("==", "==", "==", ">=", "<=")
        total = self.choose(self.count(), self.sum(), self.sum(), "0", "2 * n", f"{self.sum()} + {self.sum()}")
        each = self.choose("a[k] == e[k]", "a[k] == 1", "a[k] >= 0", f"{x} >= e[k]", f"{x} >= k", "a[k] == k", "a[k] == 2")
        return self.choose(f"{x} {op} {total}", f"{x} {op} {total}", f"{x} {op} {total}", f"x + y {op} {total}",
                           f"forall k: int :: 0 <= k && k < n ==> {each}", f"x {op} y",
                           f"n == 0 || (exists k: int :: 0 <= k && k < n && {x} == {self.choose('e[k]', 'k')})",
                           f"(\\sum int k; 0 <= k && k < n; a[k]) {op} {total}",
                           f"forall q: int :: a[q] {op} (\\sum int k; 0 <= k && k < n; e[k] == q ? 1 : 0)")

    def program(self):
        lines = ["const n: int;", "final var e: map<int, int> = *;", f"var m: {'tid' if self.has_plain_lock else 'monitor'};", "var p: monitor;",
                 "var x: int = 0;", f"var y: int = {self.choose('0', '0', '1', '*')};", "var a: map<int, int>;", "var b: bool;"]
        if self.has_two_classes:
            lines.append("const k2: int;")
        lines += [f"finally {self.claim()};" for _ in range(4)]
        if self.random.random() < 0.3:
            lines.append(f"global_invariant {self.choose('x >= 0', 'x <= y', 'y == 0', 'x >= y', 'm == none ==> x == y' if self.has_plain_lock else 'x + y >= 0')};")
        if self.random.random() < 0.3:
            lines.append("check termination;")
        lines += ["proc add(v: int) { x = x + v; }", f"proc work(me: int) {{ {self.block(0, [], [])} }}", "thread[n] work(index);"]
        if self.has_two_classes:
            lines += [f"proc other(me: int) {{ {self.block(0, [], [])} }}", "thread[k2] other(index);"]
        return "\n".join(lines) + "\n"
