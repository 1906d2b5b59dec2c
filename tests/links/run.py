#!/usr/bin/env python3
"""No link in our Markdown leads nowhere: the file is there, and so is the heading (or `<a name="…"></a>`) that it names. Links to other
sites are not followed.

Usage: tests/links/run.py [--self-test]
"""

import re
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import running

ROOTS = ["*.md", "docs/**/*.md", "examples/**/*.md", "bench/*.md"]
# Code is no text: blocks, whether fenced or indented, and what stands in backquotes.
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"(?<=\n\n)(?:(?: {4}|\t).*\n+)+")
CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6} +(.*)$", re.MULTILINE)
PLACE = re.compile(r'<a name="([a-z-]+)"></a>')


def slug(heading, used):
    text = re.sub(r"\]\([^)]*\)", "", heading.replace("`", "").replace("*", "")).lower()
    plain = re.sub(r"[^\w\- ]", "", text).strip().replace(" ", "-")
    used[plain] = used.get(plain, -1) + 1
    return f"{plain}-{used[plain]}" if used[plain] else plain


def text_of(path):
    return INDENTED.sub("", FENCED.sub("", path.read_text()))


def places(path):
    text = text_of(path)
    used = {}
    return {slug(heading, used) for heading in HEADING.findall(text)} | set(PLACE.findall(text))


def problem(root, path, link):
    name, _, anchor = link.partition("#")
    target = (path.parent / name).resolve() if name else path
    if not target.is_relative_to(root) or not target.exists():
        return f"{link} leads nowhere"
    if target.is_dir():
        target = target / "README.md"
    if anchor and (target.suffix != ".md" or anchor not in places(target)):
        return f"{link}: there is no such place"
    return ""


def check(root, path):
    links = [link for link in LINK.findall(CODE.sub("", text_of(path))) if not re.match("[a-z]+:", link)]
    found = [problem(root, path, link) for link in links]
    return "\n".join(it for it in found if it)


def pages(root):
    return sorted(path for pattern in ROOTS for path in root.glob(pattern))


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        (root / "docs").mkdir()
        (root / "docs/b.md").write_text("# B\n\n## `x`, and y\n\n<a name=\"place\"></a>text\n\n## B\n")
        page = root / "a.md"

        def found(text):
            page.write_text(text)
            return check(root, page)

        good = "[b](docs/b.md) [y](docs/b.md#x-and-y) [p](docs/b.md#place) [2](docs/b.md#b-1) [o](https://example.org/x) `[c](d)`\n\n    [e](f)\n"
        running.require(found(good) == "", "a link that is right is refused")
        for bad in ("docs/c.md", "docs/b.md#z", "#here", "../outside", "docs/b.md#b-2"):
            running.require(bad in found(f"text [x]({bad}) text"), f"{bad} is not noticed")
    print("1 passed, 0 failed")
    return 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    found = pages(running.ROOT)
    running.require(len(found) > 50, "the pages are not found")
    failed = 0
    for path in found:
        if text := check(running.ROOT, path):
            failed += 1
            print(f"FAILED {path.relative_to(running.ROOT)}\n{text}")
    print(f"{len(found) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
