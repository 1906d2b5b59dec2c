"""Random programs with locks and without annotations, in Plato: counters, each mostly used under its lock. Many of the assertions are
false, and so is much of what may be guessed of such a program.

What is proved with annotations that are found for them, for any number of threads, the explorer must not refute for two.
"""

import random


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.locks = self.choose(["m"], ["l"], ["m", "l"])
        self.is_careful = self.random.random() < 0.7
        self.all = ["x", "y", "z"]
        self.of = {lock: [] for lock in self.locks}
        for name in self.all:
            self.of[self.choose(*self.locks)].append(name)

    def choose(self, *options):
        return self.random.choice(options)

    def place(self, lock):
        own = self.of.get(lock)
        return self.choose(*(own if own and (self.is_careful or self.random.random() < 0.9) else self.all))

    def value(self, lock):
        place = self.place(lock)
        return self.choose("0", "1", "1", "2", place, f"{place} + 1", f"{place} - 1")

    def condition(self, lock):
        right = self.choose("0", "0", "0", "1", self.place(lock))
        return f"{self.place(lock)} {self.choose('>', '>=', '>=', '>=', '<=', '==', '!=')} {right}"

    def step(self, lock, depth=0):
        place = self.place(lock)
        forms = [f"{place} = {place} + 1;"] * 3 + [f"{place} = {self.value(lock)};", f"assert {self.condition(lock)};", f"assert {place} >= 0;",
                 f"if ({place} > 0) {{ {place} = {place} - 1; }}"]
        if depth < 1:
            forms += [f"if ({self.condition(lock)}) {{ {self.step(lock, 1)} }}", f"while ({self.condition(lock)}) {{ {place} = {place} - 1; }}"]
        return self.random.choice(forms)

    def section(self):
        lock = self.choose(*self.locks)
        steps = " ".join(self.step(lock) for _ in range(self.random.randint(1, 3)))
        if not self.is_careful and self.random.random() < 0.3:
            return steps
        if len(self.locks) > 1 and lock == "m" and self.random.random() < 0.2:
            steps += f" acquire(l); {self.step('l')} release(l);"
        return f"acquire({lock}); {steps} release({lock});"

    def statement(self, depth=0):
        forms = [self.section()] * 4 + [f"helper({self.choose('0', '1', '2')});"]
        if not self.is_careful:
            forms.append(f"assert {self.condition('')};")
        if depth < 1:
            forms += [f"if (*) {{ {self.statement(1)} }}", f"while (*) {{ {self.statement(1)} }}"]
        return self.random.choice(forms)

    def program(self):
        lines = ["var m: tid = none;" if lock == "m" else "var l: monitor;" for lock in self.locks]
        lines += [f"var {name}: int = {self.choose('0', '0', '0', '1', '2')};" for name in self.all]
        if self.random.random() < 0.3:
            lines.append(f"global_invariant {self.choose(*self.all)} >= {self.choose('0', '0', *self.all)};")
        lock = self.choose(*self.locks)
        lines += ["", f"proc helper(by: int) {{ acquire({lock}); {self.place(lock)} = by; {self.step(lock)} release({lock}); }}"]
        for name in ("one", "two"):
            body = "".join(f"  {self.statement()}\n" for _ in range(self.random.randint(1, 3)))
            lines += ["", f"proc {name}() {{\n{body}}}"]
        lines += ["", f"thread{self.choose('[*]', '[2]', '')} one();", f"thread{self.choose('[*]', '', '')} two();"]
        return "\n".join(lines) + "\n"


def program(seed):
    return Maker(seed).program()
