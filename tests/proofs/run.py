#!/usr/bin/env python3
"""Saved proofs with one altered place (docs/proofs.md): concord replay rejects them, or they are proofs all the same.

Each program of programs.tsv is proved and its proof saved; the saved proof must be verified. Then places in it are altered: a list is left out, written
twice, or changes places with its neighbour; a number, an operation or a name becomes another one; a leaf becomes `same`; a conjunct becomes
true; a condition in the program or what is claimed to be proved becomes another one. An altered proof that is accepted must be a proof: the
other solver shows its leaves as well, and the explorer refutes nothing that it claims of the program that it carries, for 1 to 4 threads. Without one of
its premises no proof is accepted.

The last line is `N passed, N failed`; each altered proof is a test."""

import collections
import hashlib
import json
import random
import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import running  # noqa: E402

SECONDS = 60
REJECTED = {2, 3, 65}
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[()]|[^\s()"]+', re.S)
# What an operation may be mistaken for.
LIKE = {"<": ["<="], "<=": ["<"], "and": ["or"], "or": ["and"], "+": ["-"], "-": ["+"], "forall": ["exists"], "exists": ["forall"],
        "at": ["place"], "place": ["at"], "=>": ["and"], "LOCK": ["STEP"], "UNLOCK": ["LOCK"], "STEP": ["PASS"], "PASS": ["STEP"], "true": ["false"],
        "same": ["(LEAF z3)"]}


def parse(text):
    """Lists of strings and lists."""
    stack = [[]]
    for token in TOKEN.findall(text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    return stack[0]


def show(item):
    return item if isinstance(item, str) else "(" + " ".join(show(it) for it in item) + ")"


def text_of(items):
    return "\n".join(show(it) for it in items) + "\n"


def copied(item):
    return item if isinstance(item, str) else [copied(it) for it in item]


def lists_in(item, out):
    """All lists with something in them but the sources of the program, inner ones included."""
    if not isinstance(item, str):
        if item and item[0] == "source":
            return
        out.append(item)
        for it in item:
            lists_in(it, out)


def atoms(items):
    lists = []
    for it in items:
        lists_in(it, lists)
    return [(each, i) for each in lists for i in range(len(each)) if isinstance(each[i], str) and not each[i].startswith('"')]


class Skip(Exception):
    pass


def choose(chance, options):
    if not options:
        raise Skip
    return chance.choice(options)


def spots(items):
    """Lists in lists: where something can be left out, or moved."""
    lists = [items]
    for it in items:
        lists_in(it, lists)
    return [(each, i) for each in lists for i in range(len(each)) if not isinstance(each[i], str) and each[i][:1] != ["source"]]


def drop(items, chance):
    where, at = choose(chance, spots(items))
    what = show(where[at])
    del where[at]
    return f"without {what}"


def drop_premise(items, chance):
    rules = {"FIRST", "STEP", "keeps", "reaches", "others", "claims", "EMPTY-PROGRAM", "ALWAYS", "INVARIANT"}
    where, at = choose(chance, [(each, i) for each, i in spots(items) if isinstance(each[0], str) and each[0] in rules and i > 0])
    what = show(where[at])
    del where[at]
    return f"without the premise {what}"


def twice(items, chance):
    where, at = choose(chance, spots(items))
    where.insert(at, copied(where[at]))
    return f"twice {show(where[at])}"


def swap(items, chance):
    where, at = choose(chance, [(each, i) for each, i in spots(items) if i + 1 < len(each) and not isinstance(each[i + 1], str)])
    where[at], where[at + 1] = where[at + 1], where[at]
    return f"{show(where[at])} and {show(where[at + 1])} swapped"


def swap_sequents(items, chance):
    """Formulas of two conjuncts, facts, or steps change places."""
    named = [it for it in items if it and it[0] in ("invariant", "facts") and len(it) > 2]
    steps = [[it for it in rule[1:] if it[0] == "STEP"] for rule in items if rule and rule[0] == "INVARIANT"]
    lists = [each[1:] for each in named] + [it for it in steps if len(it) > 1]
    rows = choose(chance, lists)
    one, other = chance.sample(rows, 2)
    at = chance.randrange(2, len(one)) if one[0] == "STEP" else -1
    one[at], other[at] = other[at], one[at]
    return f"{show(one[at])} and {show(other[at])} swapped"


def number(items, chance):
    where, at = choose(chance, [(each, i) for each, i in atoms(items) if re.fullmatch(r"-?\d+", each[i])])
    was = where[at]
    where[at] = str(int(was) + chance.choice([-1, 1]))
    return f"{was} is {where[at]} in {show(where)}"


def word(items, chance):
    where, at = choose(chance, [(each, i) for each, i in atoms(items) if each[i] in LIKE])
    was = where[at]
    where[at] = chance.choice(LIKE[was])
    return f"{was} is {where[at]} in {show(where)}"


def name(items, chance):
    """A name becomes another one that the proof has."""
    named = [(each, i) for each, i in atoms(items) if i > 0 and re.match(r"[A-Za-z0-9_.'@%]*[A-Za-z]", each[i])]
    where, at = choose(chance, named)
    was = where[at]
    where[at] = choose(chance, sorted({each[i] for each, i in named} - {was}))
    return f"{was} is {where[at]} in {show(where)}"


def leaf(items, chance):
    where, at = choose(chance, [(each, i) for each, i in spots(items) if each[i][:1] == ["LEAF"]])
    was = show(where[at])
    laws = where[at][2:]
    if laws and chance.random() < 0.5:
        where[at].remove(chance.choice(laws))
    else:
        where[at] = "same"
    return f"{was} is {show(where[at])} in {show(where)}"


def weaken(items, chance):
    """A conjunct, or a fact, says less, or nothing."""
    rows = choose(chance, [it[1:] for it in items if it and it[0] in ("invariant", "facts") and len(it) > 1])
    row = chance.choice(rows)
    was = row[-1]
    row[-1] = chance.choice(["true", "false", ["or", was, "true"], ["=>", ["<", "0", ["passed", "0", "0"]], was], ["not", was]])
    return f"{show(was)} is {show(row[-1])}"


def conclude(items, chance):
    """Other properties are claimed to be proved."""
    proves = next(it for it in items if it[0] == "proves")
    claimed = proves[1:]
    was = show(proves)
    if len(claimed) > 1 and chance.random() < 0.5:
        proves.remove(chance.choice(claimed))
    else:
        kind, rest = chance.choice(claimed)[1:].split("@", 1)
        other = chance.choice([it for it in ("final-state", "termination", "invariant", "assertion", "deadlock", "race") if it != kind])
        proves.append(f'"{other}@{rest}')
    return f"{was} is {show(proves)}"


def program(items, chance):
    """The program is another one: a number, a comparison, a sum; or without a statement."""
    source = next(it for it in items if it[0] == "source")
    text = source[3]
    changes = [(m.start(), m.end(), new) for old, news in
               ((r"(?<![\w.])\d+(?![\w.])", None), (r"<=", ["<"]), (r"<(?!=|int|i)", ["<="]), (r"==(?!>)", ["!=", "<="]), (r" \+ ", [" - "]), (r" - ", [" + "]),
                (r"(acquire|release)\(\w+\);", ["skip;"]), (r"thread\[n\]", ["thread[2]"]), (r"&&", ["||"]), (r"tid|me\b", ["1"]))
               for m in re.finditer(old, text) for new in (news or [str(int(m.group()) + 1)])]
    begin, end, new = choose(chance, changes)
    source[3] = text[:begin] + new + text[end:]
    source[2] = hashlib.sha256(plain(source[3]).encode()).hexdigest()
    return f"{text[begin:end]} is {new} at offset {begin} of the program"


def plain(quoted):
    return re.sub(r"\\(.)", r"\1", quoted[1:-1], flags=re.S)


OPERATORS = [drop, drop_premise, drop_premise, twice, swap, swap_sequents, number, number, word, name, leaf, weaken, conclude, program]


class Case:
    """One altered proof."""

    def __init__(self, study, ints, text, chance, index):
        self.study, self.ints, self.index = study, ints, index
        while True:
            items = parse(text)
            operator = chance.choice(OPERATORS)
            try:
                self.what = operator(items, chance)
            except Skip:
                continue
            self.text = text_of(items)
            self.operator = operator.__name__
            if self.text != text_of(parse(text)):
                break
        self.is_accepted = False

    def __str__(self):
        return f"{self.study} #{self.index} ({self.operator}): {self.what[:600]}"


class Runner:
    def __init__(self, options, folder):
        self.options, self.folder = options, Path(folder)

    def concord(self, *arguments):
        return running.run(self.options.concord, [str(it) for it in arguments], self.folder, SECONDS * self.options.patience)

    def save(self, study, path):
        proof = self.folder / f"{study}.proof"
        result = self.concord("verify", "--engine", "dynamic", "-q", "--no-cache", "--save-proof", proof, running.ROOT / path)
        running.require(result is not None and proof.exists(), f"{study}: no proof was saved: {result}")
        # Names in the proof do not depend on where the tests are.
        return proof.read_text().replace(str(running.ROOT) + "/", "")

    def replay(self, name, text):
        path = self.folder / f"{name}.proof"
        path.write_text(text)
        result = self.concord("replay", "--solver-timeout", 5, "--timeout", 40, path)
        path.unlink()
        return result

    def check(self, case):
        name = f"{case.study}-{case.index}"
        result = self.replay(name, case.text)
        if result is None:
            return "no answer in time"
        stdout, stderr, status = result
        if status in REJECTED:
            return ""
        if status != 0:
            return f"status {status}\n{stdout}{stderr}"
        case.is_accepted = True
        if case.operator == drop_premise.__name__:
            return f"accepted, but the rule has this premise\n{stdout}"
        return self.refute(case, name, re.findall(r"^verified: (\S+@.*)$", stdout, re.M))

    def refute(self, case, name, claimed):
        """Why the accepted proof is none, as far as can be seen."""
        solver = re.search(r"\(solver (\w+)\)", case.text)
        other = "z3" if solver and solver.group(1) == "cvc5" else "cvc5"
        again = self.replay(name, re.sub(r"\(solver \w+\)", f"(solver {other})", case.text))
        if again is None or again[2] != 0:
            return f"accepted, but not with the other solver\n{again and again[0]}"
        if not claimed:
            return "accepted, and nothing is claimed"
        source = next(it for it in parse(case.text) if it[0] == "source")
        path = self.folder / name / plain(source[1])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(plain(source[3]))
        for threads in (1, 2, 3, 4):
            ints = case.ints if threads < 3 else "0..1"
            found = running.run(self.options.concord,
                                ["explore", "--no-cache", "--format", "json", "--timeout", "4", "--threads", str(threads), "--ints", ints, "--property", "termination",
                                 plain(source[1])], self.folder / name, SECONDS * self.options.patience)
            if found is None:
                break
            for it in json.loads(found[0])["properties"]:
                if it["verdict"] == "violated" and it["id"] in claimed:
                    return f"accepted, but {it['id']} is refuted with {threads} threads"
        return ""


def main():
    parser = running.parser(__doc__)
    parser.add_argument("--count", type=int, default=40, help="how many altered proofs (40)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--all", action="store_true", help="proofs of every program of programs.tsv, not only of the first few")
    parser.add_argument("--list", action="store_true", help="list the accepted ones")
    options = parser.parse_args()
    rows = [line.split("\t") for line in (Path(__file__).parent / "programs.tsv").read_text().splitlines()]
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(options, folder)
        chance = random.Random(options.seed)
        proofs = [(study, ints, runner.save(study, path)) for study, path, ints in (rows if options.all else rows[:5])]
        for study, _, text in proofs:
            for whole in (text, text_of(parse(text))):
                result = runner.replay(study, whole)
                running.require(result is not None and result[2] == 0, f"{study}: the proof as it was saved is not verified: {result}")
        cases = [Case(*proofs[i % len(proofs)], chance, i) for i in range(options.count)]
        status = running.run_all(cases, runner.check)
    accepted = [it for it in cases if it.is_accepted]
    by_operator = collections.Counter(it.operator for it in cases)
    print(f"{len(accepted)} of {len(cases)} were accepted, each a proof: "
          + ", ".join(f"{name} {sum(it.operator == name for it in accepted)}/{count}" for name, count in sorted(by_operator.items())), file=sys.stderr)
    if options.list:
        for it in accepted:
            print(it, file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
