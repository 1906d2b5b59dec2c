"""Random Java programs with `threads n` and final conditions, many of them false: objects, monitors, arrays that grow, atomic variables.
What the dynamic engine proves for every number of threads, the explorer must not refute for some.
"""

import random


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.locals = 0
        self.lock = self.choose("box", "box", "box", "Finals.class", None)
        self.has_two_boxes = self.random.random() < 0.15
        self.has_field_lock = self.random.random() < 0.2
        self.has_mirror = self.random.random() < 0.15
        self.has_numbers = self.random.random() < 0.2
        self.has_base = self.random.random() < 0.2

    def choose(self, *options):
        return self.random.choice(options)

    def local(self):
        self.locals += 1
        return f"v{self.locals}"

    # ---- code

    def value(self, own):
        return self.choose("1", "1", "2", "e", "e", *own)

    def place(self):
        if self.has_mirror and self.random.random() < 0.3:
            return self.choose("mirror[0]", f"mirror[{self.index()}]", "cells[0]")
        if self.has_numbers and self.random.random() < 0.4:
            return self.choose("wide", "seen")
        if self.has_base and self.random.random() < 0.3:
            return self.choose("Base.count", "Base.last.x", "Base.box.x")
        return self.choose("s", "box.x", "box.x", "box.y", f"cells[{self.index()}]", f"box.a[{self.choose('0', '0', 'e', 'box.x')}]")

    def index(self):
        return self.choose("0", "1", "e & 1", "e & 1", "e", "s", "e > 0 ? 1 : 0", "(e + 1) & 1", "e * 1073741824 & 1")

    def condition(self, own):
        return self.choose(f"e > {self.choose('0', '1')}", f"{self.place()} > 0", f"{self.place()} == {self.value(own)}",
                           "box.a.length > 2", "box.flag", "box.a != null", "box.a == cells", "box.get() != null", "box != null", "other == null" if self.has_two_boxes else "box.flag")

    def grow(self):
        longer, by = self.local(), self.choose("1", "1", "1", "e", "-1")
        first = self.choose("0", "0", "0", "1")
        count = self.choose("box.a.length", "box.a.length", "box.x", "1")
        copy = self.choose(f"System.arraycopy(box.a, 0, {longer}, {first}, {count});", f"System.arraycopy(box.a, 0, {longer}, 0, {count});", "")
        text = f"int[] {longer} = new int[box.a.length + {by}]; {copy} box.a = {longer};"
        if self.random.random() < 0.3:
            old = self.local()
            text = f"int[] {old} = box.a; {text} {self.choose(old, longer)}[0] = e;"
        elif self.random.random() < 0.3:
            text += f" {longer}[{self.choose('0', longer + '.length - 1')}] = {self.choose('e', '1')};"
        return text

    def statement(self, depth, own):
        place = self.place()
        forms = [f"{place} += {self.value(own)};"] * 3
        forms += [f"{place} = {self.value(own)};", f"{place}--;", "box.flag = !box.flag;", f"box.add({self.value(own)});",
                  f"top.addAndGet({self.value(own)});", f"top.{self.choose('incrementAndGet', 'getAndIncrement')}();", self.grow(),
                  "if (box.x + 1 > box.a.length) { " + self.grow() + " } box.a[box.x] = e; box.x++;"]
        if self.has_numbers:
            forms += [f"wide += {self.choose('e', '1', '4611686018427387904L', 'wide')};", f"small += {self.choose('e', '1', '127')};",
                      f"letter++; s += letter;", f"small = (byte) ({self.choose('e + 1', 's', 'wide')});", "seen = e > 0;", f"s += small >> 1;",
                      f"tiny = (short) (tiny * {self.choose('2', '-1', '257')} + e);"]
        if self.has_base:
            forms += ["Base.count++;", "synchronized (Base.last) { Base.last.x += e; }", "Base.box.add(e);", "synchronized (Base.last) { synchronized (box) { box.x += e; Base.last.y++; } }"]
        if depth < 2:
            for_each = f"for (int {(i := self.local())} = 0; {i} < {self.choose('2', '2', 'e', 'box.a.length')}; {i}++)"
            forms += [f"if ({self.condition(own)}) return;", f"{for_each} {{ {self.block(depth + 1, [*own, i])} }}",
                      f"{place} = {self.condition(own)} ? {self.value(own)} : {self.value(own)};", f"s += {self.choose('6', 's')} / {self.choose('2', 'e', 'box.x')};",
                      "box.get();", f"if (e < 0) throw new IllegalArgumentException(); {place} += e;"]
            if self.has_two_boxes:
                forms += [f"synchronized (box) {{ synchronized (other) {{ {self.block(depth + 1, list(own))} }} }}", "Box it = box.x > 0 ? box : other;", "other.a[0] += e;",
                          f"if ({self.choose('box.a', 'box')} == {self.choose('other.a', 'other')}) {{ s++; }}", f"synchronized (other) {{ other.x++; }}"]
            inner = self.block(depth + 1, list(own))
            lock = self.choose("box", "box", "box.lock" if self.has_field_lock else "box", "Finals.class")
            forms += [f"synchronized ({lock}) {{ {inner} }}"] * 3
            forms += [f"if ({self.condition(own)}) {{ {inner} }}",
                      f"if ({self.condition(own)}) {{ {inner} }} else {{ {self.block(depth + 1, list(own))} }}",
                      f"try {{ {inner} if ({self.condition(own)}) throw new IllegalStateException(); }} catch (IllegalStateException x) {{ s++; }}"]
        if self.random.random() < 0.1:
            seen = self.local()
            forms += [f"int {seen} = top.get(); while (!top.compareAndSet({seen}, {seen} + {self.value(own)})) {seen} = top.get();"] * 4
        if self.has_two_boxes:
            forms += ["Box it = e > 0 ? box : other; it.x++;", "other.x++;", "other.add(1);"]
        text = self.random.choice(forms)
        if "Box it" in text:
            text = "{ " + text + " }"
        if self.random.random() < 0.2:
            name = self.local()
            text = f"int {name} = {self.choose(place, 'e * 2', 'box.x + e')}; {text}"
            own.append(name)
        return text

    def block(self, depth, own):
        return " ".join(self.statement(depth, own) for _ in range(self.random.randint(1, 2)))

    # ---- claims

    def sum(self):
        return f"(\\sum int k; 0 <= k && k < n; {self.choose('e[k]', 'e[k]', 'e[k] > 0 ? 1 : 0', '2 * e[k]', 'e[k] > 0 ? e[k] : 0')})"

    def claim(self):
        if self.has_numbers and self.random.random() < 0.4:
            return self.choose("wide == n", "wide >= 0", "s == n", "small <= 127", "!seen || n > 0", "letter == n", f"wide == \\wrap({self.sum()}, 64)", "tiny == 1")
        if self.has_base and self.random.random() < 0.4:
            return self.choose("Base.count == n + 2", "Base.count >= 2", "Base.last.x == 2", f"Base.last.x == \\wrap({self.sum()} + 2, 32)", "Base.last.a[1] == 3", "Base.box.x == box.x")
        if self.has_mirror and self.random.random() < 0.4:
            return self.choose("mirror[0] == cells[0]", "mirror[0] == box.a[0]", "mirror[0] == n")
        x = self.choose("s", "box.x", "box.x", "box.y", "top.value", "cells[0]", "cells[1]", "box.a[0]", "box.a.length")
        op = self.choose("==", "==", "==", ">=", "<=")
        total = self.choose("n", "n", self.sum(), self.sum(), "0", "2 * n", "4")
        whole = total if total in "04" else f"\\wrap({total}, 32)"
        each = self.choose("box.a[k] == e[k]", "box.a[k] == 0", f"{x} >= e[k]", "cells[k] == 0", "box.x >= k")
        return self.choose(f"{x} {op} {whole}", f"{x} {op} {whole}", f"{x} {op} {whole}", f"\\wrap(box.x + box.y, 32) {op} {whole}",
                           f"(\\forall int k; 0 <= k && k < n; {each})", "box.x == box.a.length", "box.x <= box.a.length",
                           f"(\\forall int b; 0 <= b && b < 2; cells[b] == \\wrap((\\sum int k; 0 <= k && k < n; e[k] == b ? 1 : 0), 32))",
                           f"n == 0 || (\\exists int k; 0 <= k && k < n; {x} == e[k])")

    def program(self):
        body = self.block(0, [])
        if self.lock and self.random.random() < 0.8:
            body = f"synchronized ({self.lock}) {{ {body} }}"
        claims = "\n".join(f"    @ finally {self.claim()};" for _ in range(4))
        bounds = "\n    @ initially (\\forall int k; 0 <= k && k < n; 0 <= e[k] && e[k] <= 1);" if self.random.random() < 0.5 else ""
        ends = "\n    @ check termination;" if self.random.random() < 0.3 else ""
        invariant = f"//@ invariant {self.choose('x <= a.length', '0 <= x && x <= a.length', 'x == y', 'a.length >= 2')};" if self.random.random() < 0.4 else ""
        lock = "final Object lock = new Object();" if self.has_field_lock else ""
        other = f"static final Box other = {self.choose('new Box()', 'new Box()', 'box')};" if self.has_two_boxes else ""
        mirror = f"static {self.choose('final ', '')}int[] mirror = {self.choose('cells', 'cells', 'box.a')};" if self.has_mirror else ""
        numbers = f"static {self.choose('volatile ', '')}long wide; static byte small; static char letter; static short tiny = 1; static {self.choose('volatile ', '')}boolean seen;" if self.has_numbers else ""
        base = """
  static final class Base {
    static int count = Late.first + 1;
    static final Box last = new Box();
    static final Box box = Finals.box;
    static { last.x = count; if (last.x > 1) last.a[1] = 3; }
  }

  static final class Late {
    static final int first = Math.max(1, 0);
  }
""" if self.has_base else ""
        return f"""import java.util.concurrent.atomic.AtomicInteger;

final class Finals {{
  static final class Box {{
    int x, y;
    boolean flag;
    int[] a = new int[{self.choose('2', '2', '1')}];
    {lock}
    {invariant}

    int[] get() {{ return a; }}

    {self.choose('synchronized ', 'synchronized ', '')}void add(int v) {{ x += v; {self.choose('', 'y += v;', 'y++;')} }}
  }}

  static final Box box = new Box();
  {other}
  static int s;
  static final int[] cells = new int[2];
  {mirror}
  {numbers}
  static final AtomicInteger top = new AtomicInteger({self.choose('', '', '1')});

  /*@ threads n;{bounds}
{claims}{ends} */
  static void work(int e) {{ {body} }}
{base}}}
"""
