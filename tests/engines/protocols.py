"""Random programs without locks, in which assertions depend on where other threads are: flags, counters, swaps. Many of the assertions are false.

What is proved with the abstract threads that are found for them, for any number of threads, the explorer must not refute for two.
"""

import random

FLAGS = ["f", "g"]
NUMBERS = ["x", "y"]


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.locals = 0

    def choose(self, *options):
        return self.random.choice(options)

    def local(self):
        self.locals += 1
        return f"v{self.locals}"

    def condition(self):
        number = f"{self.choose(*NUMBERS)} {self.choose('>', '==', '!=', '<=', '>=')} {self.choose('0', '0', '1', '2')}"
        flag = self.choose("", "!") + self.choose(*FLAGS)
        return self.choose(number, number, flag, flag, f"{flag} || {number}")

    def write(self):
        x = self.choose(*NUMBERS)
        return self.choose(f"{x} = {x} + 1;", f"{x} = {x} - 1;", f"{x} = {self.choose('0', '1')};",
                           f"{self.choose(*FLAGS)} = {self.choose('true', 'true', 'false')};")

    def swap(self):
        x, seen, done = self.choose(*NUMBERS), self.local(), self.local()
        new = self.choose(f"{seen} + 1", f"{seen} - 1", "0", "1")
        once = f"var {seen}: int = {x}; if ({seen} {self.choose('>', '!=', '<')} {self.choose('0', '2')}) {done} = CAS({x}, {seen}, {new});"
        if self.random.random() < 0.5:
            return f"var {done}: bool = false; while (!{done}) {{ {once} }}"
        return f"var {done}: bool = false; {once} if ({done}) {{ {self.choose(self.write(), f'assert {self.condition()};')} }}"

    def kept(self):
        x, seen = self.choose(*NUMBERS), self.local()
        use = self.choose(f"{x} = {seen} + 1;", f"if ({seen} > 0) {{ {self.write()} }}", f"assert {x} >= {seen};", f"{self.choose(*NUMBERS)} = {seen};")
        return f"var {seen}: int; atomic {{ {x} = {x} {self.choose('+', '-')} 1; {seen} = {x}; }} {use}"

    def action(self):
        x = self.choose(*NUMBERS)
        return f"<{x} > 0 && {x}' == {x} - 1>_{{{x}}};"

    def statement(self, depth=0):
        forms = [self.write(), self.write(), self.write(), f"await {self.condition()};", f"assert {self.condition()};",
                 f"assert {self.condition()};", f"atomic {{ {self.write()} assert {self.condition()}; {self.write()} }}", self.swap(),
                 self.kept(), self.action(), f"call{self.choose('A', 'B')}();"]
        if depth < 2:
            inner = " ".join(self.statement(depth + 1) for _ in range(self.random.randint(1, 2)))
            forms += [f"if ({self.choose(self.condition(), self.condition(), '*')}) {{ {inner} }}",
                      f"if ({self.condition()}) {{ {inner} }} else {{ {self.write()} }}"]
            forms += [f"while ({self.choose(self.condition(), '*', 'true')}) {{ {inner} }}"] if depth == 0 else []
        return self.random.choice(forms)

    def procedure(self, name):
        body = "\n".join(f"  {self.statement()}" for _ in range(self.random.randint(2, 4)))
        return f"proc {name}() {{\n{body}\n}}\n"

    def program(self):
        lines = [f"var {name}: int = {self.choose('0', '0', '1')};" for name in NUMBERS]
        lines += [f"var {name}: bool = false;" for name in FLAGS]
        if self.random.random() < 0.4:
            lines.append(f"global_invariant {self.condition()};")
        lines += ["", f"proc callA() {{ {self.write()} }}", f"proc callB() {{ if ({self.condition()}) {{ {self.write()} }} }}", ""]
        lines += [self.procedure("one"), self.procedure("two")]
        lines += [f"thread{self.choose('[*]', '[*]', '')} one();", f"thread{self.choose('[*]', '', '')} two();"]
        return "\n".join(lines) + "\n"


def program(seed):
    return Maker(seed).program()
