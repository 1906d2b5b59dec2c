"""Random sequential Java programs: arithmetic of every primitive type, fields, arrays and their copies, methods, loops, switches
(on strings too), exceptions.

A program is a class with a method `run()`, and places that it is asked about in the end. Nothing in it fails unless it may
(`is_risky`): divisors are odd, indices are masked.
"""

import random

INTEGERS = ["byte", "short", "char", "int", "long"]
BITS = {"byte": 8, "short": 16, "char": 16, "int": 32, "long": 64}
EDGES = [0, 1, -1, 2, -2, 3, 5, 7, 10, 31, 32, 33, 63, 64, 100, 127, 128, -128, -129, 255, 256, 1000, 32767, 32768, -32768,
         65535, 65536, 2147483647, -2147483648]
LONG_EDGES = [2147483648, -2147483649, 4294967295, 9223372036854775807, -9223372036854775808]
FLOATS = ["float", "double"]
FLOAT_EDGES = ["0.0", "-0.0", "1.0", "-1.5", "0.1", "3.0", "7.25", "100.0", "16777217.0", "2147483647.0", "-2147483648.5", "1e10",
               "9.3e18", "-1e19", "1e-30", "3e38", "0.0 / 0.0", "1.0 / 0.0", "-1.0 / 0.0"]
NUMBERS = INTEGERS + FLOATS
DEEPEST = 4
WORDS = ["", "a", "b", "word"]


class Program:
    def __init__(self, name, seed, is_risky):
        self.name = name
        self.random = random.Random(f"{name} {seed}")
        self.is_risky = is_risky
        self.lines = []
        self.indent = 2
        self.loops = []  # labels of the loops around, None: a loop without
        self.depth = 0  # of statements
        self.counter = 0
        self.calls_left = 3
        self.locals = {}
        self.callable = []  # methods written so far: a method calls earlier ones only
        self.in_method = False
        self.fields = {f"s{i}": self.choose(NUMBERS + ["int", "int", "boolean"]) for i in range(4)}
        self.members = {f"m{i}": self.choose(NUMBERS + ["boolean"]) for i in range(3)}
        self.arrays = {f"a{i}": self.choose(NUMBERS) for i in range(2)}
        self.text = self.write()

    def choose(self, options):
        return self.random.choice(options)

    def chance(self, share):
        return self.random.random() < share

    def fresh(self, prefix):
        self.counter += 1
        return f"{prefix}{self.counter}"

    # -------------------------------------------------------------------------------------------------------- expressions

    def places(self, kind):
        """Expressions that can be assigned, of exactly this type."""
        found = [name for name, type_ in self.locals.items() if type_ == kind]
        found += [name for name, type_ in self.fields.items() if type_ == kind]
        found += [f"o.{name}" for name, type_ in self.members.items() if type_ == kind]
        found += [name for name, type_ in self.arrays.items() if type_ == kind]
        return found

    def place(self, kind, depth):
        found = self.places(kind)
        if not found:
            return None
        name = self.choose(found)
        return self.element(name, depth) if name in self.arrays else name

    def element(self, array, depth):
        index = self.expression("int", depth - 1)
        return f"{array}[{index}]" if self.is_risky and self.chance(0.1) else f"{array}[({index}) & 3]"

    def literal(self, kind):
        if kind == "boolean":
            return self.choose(["true", "false"])
        if kind == "long":
            return f"{self.choose(EDGES + LONG_EDGES)}L"
        if kind in FLOATS:
            return f"({kind}) ({self.choose(FLOAT_EDGES)})"
        if kind == "int":
            return str(self.choose(EDGES)) if self.chance(0.9) else "'" + self.choose("aZ0") + "'"
        return f"({kind}) {self.choose(EDGES)}"

    def expression(self, kind, depth):
        if depth <= 0 or self.chance(0.15):
            return self.leaf(kind)
        if kind == "boolean":
            return self.truth(depth)
        if kind in ("byte", "short", "char"):
            return self.small(kind, depth)
        if kind in FLOATS:
            return self.floating(kind, depth)
        return self.choose([self.arithmetic, self.arithmetic, self.arithmetic, self.shift, self.unary, self.conversion,
                            self.conditional, self.effect, self.call, self.function])(kind, depth)

    def leaf(self, kind):
        kinds = {"int": ["int", "int", "byte", "short", "char"], "long": ["long", "long", "int", "char"],
                 "float": ["float", "float", "long", "int"], "double": ["double", "double", "float", "long", "char"]}
        kinds = kinds.get(kind, [kind])
        place = self.place(self.choose(kinds), 1)
        return place if place and self.chance(0.8) else self.literal(kind)

    def operand(self, kind, depth):
        kinds = {"int": ["int", "int", "int", "byte", "char"], "long": ["long", "long", "int"]}[kind]
        return f"({self.expression(self.choose(kinds), depth - 1)})"

    def arithmetic(self, kind, depth):
        operator = self.choose(["+", "-", "*", "/", "%", "&", "|", "^"])
        left, right = self.operand(kind, depth), self.operand(kind, depth)
        if kind == "long" and self.chance(0.7):
            left = f"({self.expression('long', depth - 1)})"
        if operator in "/%" and not (self.is_risky and self.chance(0.3)):
            right = f"({right} | 1)"
        return self.as_kind(kind, f"{left} {operator} {right}")

    def as_kind(self, kind, text):
        return f"(long) ({text})" if kind == "long" else text

    def shift(self, kind, depth):
        left = f"({self.expression(kind, depth - 1)})"
        right = f"({self.expression(self.choose(['int', 'int', 'long', 'byte']), depth - 1)})"
        return f"{left} {self.choose(['<<', '>>', '>>>'])} {right}"

    def unary(self, kind, depth):
        return f"{self.choose(['-', '~', '+'])}({self.expression(kind, depth - 1)})"

    def conversion(self, kind, depth):
        return f"({kind}) ({self.expression(self.choose(NUMBERS), depth - 1)})"

    def floating(self, kind, depth):
        form = self.choose(["arithmetic"] * 4 + ["minus", "conversion", "conditional", "effect", "call"])
        if form == "arithmetic":
            left = self.expression(kind, depth - 1)
            right = self.expression(self.choose([kind, "int", "long", "float"]), depth - 1)
            return f"({left}) {self.choose(['+', '-', '*', '/', '%'])} ({right})"
        if form == "minus":
            return f"{self.choose(['-', '+'])}({self.expression(kind, depth - 1)})"
        return {"conversion": self.conversion, "conditional": self.conditional, "effect": self.effect,
                "call": self.call}[form](kind, depth)

    def conditional(self, kind, depth):
        condition = self.expression("boolean", depth - 1)
        return f"(({condition}) ? ({self.expression(kind, depth - 1)}) : ({self.expression(kind, depth - 1)}))"

    def effect(self, kind, depth):
        place = self.place(kind, depth)
        if place is None:
            return self.leaf(kind)
        form = self.choose(["=", "op"] if kind == "boolean" else ["++{}", "{}++", "--{}", "{}--", "=", "op"])
        if form == "=":
            return f"({place} = {self.expression(kind, depth - 1)})"
        if form == "op":
            return f"({self.compound(kind, place, depth)})"
        return "(" + form.format(place) + ")"

    def compound(self, kind, place, depth):
        if kind == "boolean":
            return f"{place} {self.choose(['&=', '|=', '^='])} {self.expression('boolean', depth - 1)}"
        if kind in FLOATS or self.chance(0.1):
            value = self.expression(self.choose(NUMBERS if kind in FLOATS else FLOATS), depth - 1)
            return f"{place} {self.choose(['+=', '-=', '*=', '/=', '%='])} (double) ({value})"
        operator = self.choose(["+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", ">>>="])
        value = f"({self.expression(self.choose(INTEGERS), depth - 1)})"
        return f"{place} {operator} ({value} | 1)" if operator in ("/=", "%=") else f"{place} {operator} {value}"

    def call(self, kind, depth):
        found = [method for method in self.callable if method[1] == kind]
        if not found or self.calls_left <= 0 or self.loops:
            return self.leaf(kind)
        self.calls_left -= 1
        name, _, parameters = self.choose(found)
        return f"{name}({', '.join(self.expression(type_, depth - 1) for type_ in parameters)})"

    def function(self, kind, depth):
        first = f"({kind}) ({self.expression(kind, depth - 1)})"
        if self.chance(0.3):
            return f"Math.abs({first})"
        return f"Math.{self.choose(['min', 'max'])}({first}, {self.operand(kind, depth)})"

    def small(self, kind, depth):
        if self.chance(0.3):
            return self.effect(kind, depth)
        return f"({kind}) ({self.expression(self.choose(['int', 'int', 'long', 'byte']), depth - 1)})"

    def truth(self, depth):
        form = self.choose(["compare", "compare", "compare", "both", "strict", "not", "choice", "effect", "equal"])
        if form == "compare":
            kind = self.choose(["int", "int", "long", "float", "double"])
            if kind in FLOATS:
                left, right = self.expression(kind, depth - 1), self.expression(self.choose(NUMBERS), depth - 1)
                return f"({left}) {self.choose(['<', '<=', '>', '>=', '==', '!='])} ({right})"
            return f"{self.operand(kind, depth)} {self.choose(['<', '<=', '>', '>=', '==', '!='])} {self.operand(kind, depth)}"
        left, right = self.expression("boolean", depth - 1), self.expression("boolean", depth - 1)
        if form == "both":
            return f"(({left}) {self.choose(['&&', '||'])} ({right}))"
        if form == "strict":
            return f"(({left}) {self.choose(['&', '|', '^'])} ({right}))"
        if form == "equal":
            return f"(({left}) {self.choose(['==', '!='])} ({right}))"
        if form == "not":
            return f"!({left})"
        return self.effect("boolean", depth) if form == "effect" else self.conditional("boolean", depth)

    # --------------------------------------------------------------------------------------------------------- statements

    def line(self, text):
        self.lines.append("  " * self.indent + text)

    def block(self, head, work, tail="}"):
        self.line(head + " {")
        self.indent += 1
        known = dict(self.locals)
        self.depth += 1
        work()
        self.depth -= 1
        self.locals = known
        self.indent -= 1
        self.line(tail)

    def statements(self, count):
        for _ in range(count):
            self.statement()

    def some(self):
        self.statements(self.random.randint(1, 2))

    def statement(self):
        forms = [self.assignment] * 6 + [self.declaration] * 2 + [self.copy]
        if self.depth < 3:
            forms += [self.if_statement] * 3 + [self.loop, self.loop, self.switch, self.attempt, self.attempt]
        if self.loops:
            forms += [self.jump]
        self.choose(forms)()

    def assignment(self):
        kind = self.choose(NUMBERS + ["int", "int", "boolean"])
        place = self.place(kind, 2)
        if place is None:
            return self.declaration()
        form = self.choose(["=", "=", "op", "++", "--"])
        if form == "=" or (kind == "boolean" and form in ("++", "--")):
            self.line(f"{place} = {self.expression(kind, self.random.randint(1, DEEPEST))};")
        elif form == "op":
            self.line(self.compound(kind, place, 3) + ";")
        else:
            self.line(f"{place}{form};")

    def declaration(self):
        kind = self.choose(NUMBERS + ["int", "boolean"])
        name = self.fresh("v")
        self.line(f"{kind} {name} = {self.expression(kind, 3)};")
        self.locals[name] = kind

    def copy(self):
        """Of an array, in whole or in part; it keeps its four elements."""
        array = self.choose(list(self.arrays))
        other = self.choose([name for name, kind in self.arrays.items() if kind == self.arrays[array]])
        indices = [f"({self.expression('int', 1)}) & {mask}" for mask in (1, 1, 3)]
        self.line(self.choose([
            f"{array} = {other}.clone();",
            f"{array} = Arrays.copyOf(Arrays.copyOf({other}, ({self.expression('int', 1)}) & 7), 4);",
            f"Arrays.fill({array}, {self.expression(self.arrays[array], 2)});",
            f"System.arraycopy({other}, {indices[0]}, {array}, {indices[1]}, {indices[2]});",
            f"word = \"{self.choose(WORDS)}\";",
        ]))

    def if_statement(self):
        self.block(f"if ({self.expression('boolean', 3)})", self.some, "} else {" if self.chance(0.5) else "}")
        if self.lines[-1].endswith("else {"):
            self.lines.pop()
            self.block("} else", self.some)

    def loop(self):
        variable = self.fresh("i")
        label = self.fresh("loop") if self.chance(0.4) else None
        mark = f"{label}: " if label else ""
        rounds = self.random.randint(1, 3)
        self.loops.append(label)
        form = self.choose(["for", "while", "do", "each"])
        if form == "for":
            self.block(f"{mark}for (int {variable} = 0; {variable} < {rounds}; {variable}++)", self.some)
        elif form == "each":
            array = self.choose(list(self.arrays))
            known = dict(self.locals)
            self.locals[variable] = self.arrays[array]
            self.block(f"{mark}for ({self.arrays[array]} {variable} : {array})", self.some)
            self.locals = known
        elif form == "while":
            self.line(f"int {variable} = {rounds};")
            self.block(f"{mark}while ({variable}-- > 0)", self.some)
        else:
            self.line(f"int {variable} = 0;")
            self.block(f"{mark}do", self.some, "} while (++" + f"{variable} < {rounds});")
        self.loops.pop()

    def jump(self):
        label = self.choose(self.loops)
        target = f" {label}" if label else ""
        self.line(f"if ({self.expression('boolean', 2)}) {self.choose(['break', 'continue'])}{target};")

    def switch(self):
        labels = self.random.sample(range(4), self.random.randint(1, 3))
        selector = f"({self.expression('int', 2)}) & 3"
        if self.chance(0.3):
            labels = [f'"{WORDS[label]}"' for label in labels]
            selector = "word"
        kept, self.loops = self.loops, [label for label in self.loops if label]  # `break` alone would mean the switch
        if self.chance(0.4):
            place = self.place("int", 1)
            if place is None:
                place = self.fresh("v")
                self.line(f"int {place} = 0;")
                self.locals[place] = "int"
            arms = " ".join(f"case {label} -> {self.expression('int', 2)};" for label in labels)
            self.line(f"{place} = switch ({selector}) {{ {arms} default -> {self.expression('int', 2)}; }};")
        else:
            self.line(f"switch ({selector}) {{")
            self.indent += 1
            for label in labels + (["default"] if self.chance(0.5) else []):
                self.block("default:" if label == "default" else f"case {label}:", self.some)
                if self.chance(0.6):
                    self.line("break;")
            self.indent -= 1
            self.line("}")
        self.loops = kept

    def attempt(self):
        exception = self.choose(["Bad", "Worse"])
        variable = self.fresh("e")

        def body():
            self.some()
            self.line(f"if ({self.expression('boolean', 2)}) throw new {exception}({self.expression('int', 2)});")
            self.some()

        def handler():
            place = self.place("int", 1)
            if place:
                self.line(f"{place} += {variable}.code;")
            self.some()

        with_finally = self.chance(0.5) and not self.is_risky  # a failure there would hide the one before
        with_catch = not with_finally or self.chance(0.7)
        caught = exception if self.chance(0.6) else "Bad"
        if not with_catch:
            # What leaves must be caught somewhere.
            self.block("try", lambda: self.finally_only(body))
            self.lines.pop()
            self.block(f"}} catch (Bad {variable})", handler)
            return
        self.block("try", body)
        self.lines.pop()
        self.block(f"}} catch ({caught} {variable})", handler)
        if with_finally:
            self.lines.pop()
            self.block("} finally", self.some)

    def finally_only(self, body):
        self.block("try", body)
        self.lines.pop()
        self.block("} finally", self.some)

    # ------------------------------------------------------------------------------------------------------------ program

    def method(self):
        name = self.fresh("f")
        kind = self.choose(["int", "int", "long", "boolean", "byte", "char", "float", "double"])
        parameters = [self.choose(NUMBERS + ["boolean"]) for _ in range(self.random.randint(0, 2))]
        self.locals = {f"p{i}": type_ for i, type_ in enumerate(parameters)}
        head = ", ".join(f"{type_} {name_}" for name_, type_ in self.locals.items())
        self.indent = 1
        self.depth, calls = 1, self.calls_left
        self.calls_left = 1

        def body():
            self.statements(2)
            self.line(f"return {self.expression(kind, 3)};")

        self.block(f"static {kind} {name}({head})", body)
        self.depth, self.calls_left = 0, calls
        self.callable.append((name, kind, parameters))

    def write(self):
        declarations = [f"  static {kind} {name} = {self.literal(kind)};" for name, kind in self.fields.items()]
        for name, kind in self.arrays.items():
            elements = ", ".join(self.literal(kind) for _ in range(4))
            declarations.append(f"  static {kind}[] {name} = {{{elements}}};")
        declarations += [f"  {kind} {name} = {self.literal(kind)};" for name, kind in self.members.items()]
        declarations += [f"  static {self.name} o = new {self.name}();", f'  static String word = "{self.choose(WORDS)}";']
        for _ in range(2):
            self.method()
        methods, self.lines = self.lines, []
        self.locals = {}
        self.indent = 2
        self.calls_left = 3
        self.statements(7)
        bad = ("  static class Bad extends RuntimeException {\n    final int code;\n    Bad(int code) {\n"
               "      this.code = code;\n    }\n  }\n  static class Worse extends Bad {\n    Worse(int code) {\n"
               "      super(code + 1);\n    }\n  }")
        return "\n".join([f"class {self.name} {{", *declarations, bad, *methods, "  static void run() {", *self.lines])

    def asked(self):
        """What is asked about in the end: expressions with their types."""
        out = [(name, kind) for name, kind in self.fields.items()]
        out += [(f"o.{name}", kind) for name, kind in self.members.items()]
        out += [(f"{name}[{i}]", kind) for name, kind in self.arrays.items() for i in range(4)]
        return out + [(name, kind) for name, kind in self.locals.items()]

    def printing(self):
        out = [f'    System.out.println("{self.name} " + {name});' if kind in ["boolean", *FLOATS]
               else f'    System.out.println("{self.name} " + (long) {name});' for name, kind in self.asked()]
        return "\n".join([self.text, *out, "  }", "}", ""])

    def is_number(self, name, kind, value):
        if value == "NaN":
            return f"{name} != {name}"
        if value.endswith("Infinity"):
            return f"{name} == {value.replace('Infinity', '1')} / 0.0"
        exact = f"{name} == {value}{'f' if kind == 'float' else ''}"
        return f"{exact} && 1 / {name} {'<' if value.startswith('-') else '>'} 0" if float(value) == 0 else exact

    def asserting(self, values):
        out = []
        for (name, kind), value in zip(self.asked(), values, strict=True):
            if kind == "boolean":
                out.append(f"    assert {name} == {value};")
            elif kind in FLOATS:
                out.append(f"    assert {self.is_number(name, kind, value)};")
            else:
                out.append(f"    assert {name} == {value}{'L' if kind == 'long' else ''};")
        return "\n".join([self.text, *out, "  }", "}", ""])
