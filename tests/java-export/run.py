#!/usr/bin/env python3
"""Golden tests of the Java exporter: what it writes for the sources of a folder, as an outline.

A case is a folder below tests/java-export with .java files and `expected`. The outline has one line a node: its kind, the text
at its range, then what else it has, with numbers of symbols and types replaced by names; so it shows wrong places and wrong
resolution alike, and does not change when numbers do.

Usage: tests/java-export/run.py [--concord BINARY] [--bless] [CASE…]      (the jar is taken from beside the binary)
"""

import difflib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import running  # noqa: E402

HERE = Path(__file__).resolve().parent
SYMBOLS = {"symbol", "class_symbol", "method", "constructor", "interface_symbol", "target", "binding", "variable", "owner",
           "superclass", "outer", "outer_method"}
TYPES = {"type", "operand", "element", "to", "tested", "of", "varargs_element"}
RANGES = {"at", "end", "argument_at"}
SHORT = 44


def export(case, options):
    """The exported document; java and the jar are taken as they are found."""
    jar = options.concord.resolve().parent / "concord-exporter.jar"
    running.require(jar.exists(), f"{jar} is missing")
    sources = sorted(path.name for path in case.glob("*.java"))
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out.json")
        command = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", jar, "--out", out,
                   "--stubs", running.ROOT / "specs", *sources]
        subprocess.run(command, cwd=case, check=True, timeout=60 * options.patience, stdin=subprocess.DEVNULL)
        return json.loads(out.read_text())


class Outline:
    def __init__(self, case, document):
        self.document = document
        self.lines = []
        self.paths = [os.path.relpath(case / file["path"], case) for file in document["files"]]
        self.texts = [(case / file["path"]).read_bytes() for file in document["files"]]
        self.names = [path if "/" not in path else Path(path).name for path in self.paths]

    def text(self):
        for error in self.document["errors"]:
            file, begin, end = error.get("at", (None, 0, 0))
            place = "nowhere" if file is None else f"{self.names[file]} {self.quoted(file, (begin, end))}"
            self.lines.append(f"error {place}: {error['message']}")
        if not self.document["errors"]:
            self.units()
        return "\n".join(self.lines) + "\n"

    def units(self):
        for unit in self.document["units"]:
            file = unit["file"]
            is_stub = file in self.document["stub_files"]
            self.lines.append(f"{'stub' if is_stub else 'file'} {self.names[file]}")
            for begin, end, is_line in unit["comments"] if not is_stub else []:
                self.lines.append(f"  {'line' if is_line else 'block'} comment {self.quoted(file, (begin, end))}")
            for each in unit.get("local_annotations", []) if not is_stub else []:
                self.node(each, file, "  ", "local annotation")
            for each in unit["classes"]:
                if is_stub:  # the stubs are not what is tested here
                    self.lines.append(f"  {self.symbol(each['symbol'])}")
                else:
                    self.node(each, file, "  ", "class")
        for file, begin, end in self.document["unchecked"]:
            self.lines.append(f"unchecked {self.names[file]} {self.quoted(file, (begin, end))}")
        for number, symbol in enumerate(self.document["symbols"]):
            if symbol.get("range", [None])[0] not in (None, *self.document["stub_files"]):
                self.describe(number, symbol)

    def describe(self, number, symbol):
        parts = [symbol["kind"], self.symbol(number), self.quoted(symbol["range"][0], symbol["range"][1:])]
        parts += [flag for flag in symbol.get("flags", []) if flag != "from_source"]
        for key, value in symbol.items():
            if key == "type" and symbol["kind"] != "Class" or key in ("superclass", "outer", "outer_method"):
                parts.append(f"{key}={self.value(key, value)}")
            elif key in ("interfaces", "permits", "overrides", "members"):
                parts.append(f"{key}=[{', '.join(self.symbol(each) for each in value)}]")
            elif key in ("parameters", "throws"):
                parts.append(f"{key}=[{', '.join(self.document['types'][each]['text'] for each in value)}]")
            elif key == "inherits":
                parts.append(f"inherits=[{', '.join(self.symbol(a) + ' by ' + self.symbol(b) for a, b in value)}]")
            elif key == "constant":
                parts.append(f"constant={value!r}")
        self.lines.append(" ".join(parts))

    def symbol(self, number):
        symbol = self.document["symbols"][number]
        if "qualified" in symbol:
            return symbol["qualified"]
        owner = symbol.get("owner", -1)
        name = f"{self.symbol(owner)}.{symbol['name']}" if owner >= 0 and symbol["kind"] != "Package" else symbol["name"]
        if symbol["kind"] == "Method":
            name += f"({', '.join(self.document['types'][each]['text'] for each in symbol.get('parameters', []))})"
        return name

    def quoted(self, file, place):
        text = self.texts[file][place[0] : place[1]].decode(errors="replace")
        text = text if len(text) <= SHORT else f"{text[: SHORT // 2]}…{text[-SHORT // 2 :]}"
        return "`" + text.replace("\n", "⏎") + "`"

    def value(self, key, value):
        if key in SYMBOLS:
            return self.symbol(value)
        if key in TYPES:
            return self.document["types"][value]["text"]
        return repr(value)

    def node(self, node, file, indent, label):
        words = [label, node.get("k", ""), self.quoted(file, node["at"])] if "at" in node else [label]
        below = []
        for key, value in node.items():
            if key in ("k", "at"):
                continue
            if key in RANGES or key == "body" and isinstance(value, list) and value and isinstance(value[0], int):
                words.append(f"{key}={self.quoted(file, value)}")
            elif key == "types":
                words.append(f"types=[{', '.join(self.document['types'][each]['text'] for each in value)}]")
            elif isinstance(value, dict):
                below.append((key, value))
            elif isinstance(value, list):
                below += [(key, each) for each in value if isinstance(each, dict)]
                words += [f"{key}+{each}" for each in value if isinstance(each, str)]
                words += [f"{key}=[]"] if not value and key in ("initialisers", "dimensions") else []
            else:
                words.append(f"{key}={self.value(key, value)}")
        self.lines.append(indent + " ".join(word for word in words if word))
        for key, each in below:
            self.node(each, file, indent + "  ", key)


def check(case, options):
    try:
        actual = Outline(case, export(case, options)).text()
    except (subprocess.SubprocessError, json.JSONDecodeError, KeyError, IndexError) as problem:
        return f"{type(problem).__name__}: {problem}"
    expected_file = case / "expected"
    expected = expected_file.read_text() if expected_file.exists() else ""
    if actual == expected:
        return ""
    if options.bless:
        expected_file.write_text(actual)
        print(f"blessed {case.name}")
        return ""
    return "\n".join(difflib.unified_diff(expected.splitlines(), actual.splitlines(), "expected", "actual", lineterm=""))


def main():
    parser = running.parser(__doc__)
    parser.add_argument("--bless", action="store_true")
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    names = options.cases or sorted(path.name for path in HERE.iterdir() if path.is_dir() and any(path.glob("*.java")))
    return running.run_all([HERE / name for name in names], lambda case: check(case, options))


if __name__ == "__main__":
    sys.exit(main())
