"""The mutation operators: every small change of a program, of its code or of its clauses, at a known line.

A mutant is made by replacing text and keeps the line breaks, so that a finding's line is a line of the original. Its `effect` says
what a verified mutant would mean; see EFFECTS.
"""

import re
from dataclasses import dataclass

import java
import plato
from structure import CLOSING, FIELD_CLAUSES

EFFECTS = {
    "code": "harmless code: every claim still holds",
    "aid": "superfluous clause: the proof does not need it",
    "weaker": "a weaker claim that is still true",
    "stronger": "a stronger claim that is true too",
    "other": "another claim that is true too",
}
AIDS = {"env_assumption", "rely", "unwritable_by_env_if", "elems_unwritable_by_env_if", "writable_if", "requires", "loop_invariant",
        "maintaining", "loop_modifies", "assigns", "initially", "modifies", "assignable"}
COMPARISONS = {"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">"}
CONSTANTS = {"0": "1", "1": "0", "true": "false", "false": "true"}
DEFAULTS = {"int": "0", "bool": "false", "tid": "none"}
LOOSER = {  # what ends an operand of the operator, besides brackets and commas
    "&&": {"&&", "||", "==>", "<==>", "::", "?", ":"},
    "||": {"||", "==>", "<==>", "::", "?", ":"},
    "==>": {"==>", "<==>", "::", "?", ":"},
}
CALLS = {"notifyAll": "notify", "signalAll": "signal"}
SIGNS = {"+": "-", "-": "+", "++": "--", "--": "++", "+=": "-=", "-=": "+="}
BEFORE = {"=", "assert", "assume", "await", "return"}  # what an expression in a statement follows


@dataclass
class Mutant:
    line: int
    group: str  # code or clause
    operator: str
    effect: str
    before: str
    after: str
    source: str

    def __str__(self):
        change = f"{self.before} → {self.after}" if self.after else self.before
        return f"{self.operator}: {change}"


class Mutator:
    """Collects the mutants of one program: what the languages have in common."""
    returns_early = False
    named = {}  # operations whose loss has a name

    def __init__(self, program):
        self.program = program
        self.tokens = program.tokens
        self.mutants = []
        self.seen = {program.source}

    def all(self):
        for clause in self.program.clauses:
            self._clause(clause)
        for procedure in self.program.procedures:
            for clause in procedure.clauses:
                self._clause(clause)
            self._contract(procedure)
            for statement in self.program.all_statements(procedure.statements):
                for clause in statement.clauses:
                    self._clause(clause)
            self._body(procedure)
        for variable in self.program.variables:
            self._declaration(variable)
        return sorted(self.mutants, key=lambda mutant: mutant.line)  # stable: by line, then in the order above

    # ------------------------------------------------------------------------------------------------------- editing

    def _add(self, group, operator, effect, *edits, shown=None):
        """Edits: (first token, token after the last, new text). Line breaks of what is replaced stay."""
        source = self.program.source
        spans = []
        for begin, end, text in edits:
            start, stop = (self.tokens[begin].begin, self.tokens[end - 1].end) if end > begin else (self.tokens[begin].begin,) * 2
            spans.append((start, stop, text))
        for start, stop, text in sorted(spans, reverse=True):
            lost = source[start:stop].count("\n") - text.count("\n")
            source = source[:start] + text + "\n" * max(lost, 0) + source[stop:]
        if source in self.seen:
            return
        self.seen.add(source)
        begin, end, text = edits[0]
        before = self._shown(begin, max(end, begin + 1)) if shown is None else shown[0]
        after = " ".join(text.split()) if shown is None else shown[1]
        self.mutants.append(Mutant(self.tokens[begin].line, group, operator, effect, before, after, source))

    def _shown(self, begin, end):
        text = self.program.text(begin, end)
        return " ".join(re.sub(r"//@|//[^\n]*", "", text).split())

    def _operand(self, index, begin, end, ends):
        """From a binary operator to the edge of its operands: (begin of the left one, end of the right one)."""
        left = index
        while left > begin and self.tokens[left - 1].text not in ends | {"(", "[", "{", ",", ";"}:
            left -= 1
            if self.tokens[left].text in CLOSING.values():
                left = next(i for i, partner in self.program.partner.items() if partner == left)
        right = index + 1
        while right < end and self.tokens[right].text not in ends | {")", "]", "}", ",", ";"}:
            right = self.program.partner.get(right, right) + 1
        return left, right

    # ------------------------------------------------------------------------------------------------------- clauses

    def _clause(self, clause):
        weaker = "aid" if clause.word in AIDS else "weaker"
        self._add("clause", "drop the clause", weaker, (clause.begin, clause.end + clause.closed, ""))
        if clause.word in ("modifies", "assignable", "loop_modifies", "assigns"):
            return
        if clause.word == "guarded_by":
            return
        if clause.word == "lock_order":
            self._lock_order(clause)
            return
        whole = self.program.text(clause.predicate, clause.end)
        self._add("clause", "negate the clause", "other", (clause.predicate, clause.end, f"!({whole})"))
        if clause.word.endswith("unwritable_by_env_if"):  # a premise: the less it asks for, the more is claimed
            self._predicate(clause.predicate, clause.end, "stronger", weaker)
        else:
            self._predicate(clause.predicate, clause.end, weaker, "stronger")

    def _predicate(self, begin, end, weaken, strengthen):
        """Every change inside; the effects are those of a weaker predicate, and of a stronger one."""
        premises = [(self._operand(i, begin, end, LOOSER["==>"])[0], i) for i in range(begin, end) if self.tokens[i].text == "==>"]
        for index in range(begin, end):
            text = self.tokens[index].text
            is_premise = sum(left <= index < sign for left, sign in premises) % 2
            less, more = (strengthen, weaken) if is_premise else (weaken, strengthen)
            if text in ("&&", "||"):
                left, right = self._operand(index, begin, end, LOOSER[text])
                change = ("drop a conjunct", less) if text == "&&" else ("drop a disjunct", more)
                self._add("clause", *change, (left, index + 1, ""))
                self._add("clause", *change, (index, right, ""))
            elif text == "==>":
                left, right = self._operand(index, begin, end, LOOSER["==>"] - {"==>"})
                consequence = self.program.text(index + 1, right)
                self._add("clause", "weaken ==> to true", less, (index + 1, right, f"({consequence} || true)"))
                left, right = self._operand(index, begin, end, LOOSER["==>"])
                self._add("clause", "drop the premise", more, (left, index + 1, ""))
            elif text == "<==>":
                self._add("clause", "weaken <==> to ==>", less, (index, index + 1, "==>"))
            elif text in COMPARISONS:
                self._add("clause", f"{text} to {COMPARISONS[text]}", "other", (index, index + 1, COMPARISONS[text]),
                          shown=self._comparison(index, begin, end))
            self._constants(index, "clause", "other")

    def _comparison(self, index, begin, end):
        left, right = self._operand(index, begin, end, LOOSER["&&"] | {"!"} | BEFORE)
        before, after = self._shown(left, index), self._shown(index + 1, right)
        return f"{before} {self.tokens[index].text} {after}", f"{before} {COMPARISONS[self.tokens[index].text]} {after}"

    def _lock_order(self, clause):
        sign = next(i for i in range(clause.begin, clause.end) if self.tokens[i].text == "<")
        stop = next((i for i in range(sign, clause.end) if self.tokens[i].text == "when"), clause.end)
        low, high = self.program.text(clause.predicate, sign), self.program.text(sign + 1, stop)
        self._add("clause", "turn the order round", "other", (clause.predicate, stop, f"{high} < {low}"))
        if stop < clause.end:
            self._predicate(stop + 1, clause.end, "stronger", "weaker")

    # ---------------------------------------------------------------------------------------------------------- code

    def _body(self, procedure):
        self._block(procedure.statements, procedure, False)

    def _block(self, statements, procedure, is_atomic):
        units = self._units(statements)
        for position, (begin, end, statement) in enumerate(units):
            self._drop(begin, end, statement)
            if position + 1 < len(units):
                after = units[position + 1]
                texts = [self.program.text(*span[:2]) for span in (units[position], after)]
                self._add("code", "swap two statements", "code", (begin, end, texts[1]), (after[0], after[1], texts[0]),
                          shown=(self._brief(begin, end), self._brief(*after[:2])))
            if position and self.returns_early and not is_atomic:
                value = f" {DEFAULTS[procedure.result]}" if procedure.result in DEFAULTS else ""
                self._add("code", "return early", "code", (begin, begin, f"return{value}; "),
                          shown=("before", self._brief(begin, end)))
        for statement in statements:
            self._statement(statement)
            for block in statement.blocks:
                self._block(block, procedure, is_atomic or statement.word == "atomic")

    def _units(self, statements):
        """Each statement with the ghost assignments that belong to it: what moves together."""
        units = []
        for statement in statements:
            if statement.word == "set" and units:
                units[-1] = (units[-1][0], statement.end, units[-1][2])
            else:
                units.append((statement.begin, statement.end, statement))
        return units

    def _brief(self, begin, end):
        text = self._shown(begin, end)
        return text if len(text) < 60 else text[:56] + " …"

    def _drop(self, begin, end, statement):
        effect = "weaker" if statement.word == "assert" else "code"
        operator = f"drop {self.named.get(self._operation(statement), 'the statement')}"
        is_branch = self.tokens[begin - 1].text not in ("{", "}", ";") or self.tokens[statement.end].text == "else"
        for stop in sorted({statement.end, end}):
            self._add("code", operator, effect, (begin, stop, "{ }" if is_branch else ""), shown=(self._brief(begin, stop), ""))

    def _statement(self, statement):
        if statement.word == "while":
            self._add("code", "while to if", "code", (statement.head, statement.head + 1, "if"),
                      *((clause.begin, clause.end + 1, "") for clause in statement.clauses),
                      shown=(self._brief(statement.head, statement.condition[1] + 1), ""))
        if statement.condition:
            condition = self.program.text(*statement.condition)
            self._add("code", "negate the condition", "code", (*statement.condition, f"!({condition})"))
        if statement.code:
            self._code(*statement.code, "other" if statement.word == "assert" else "code")

    def _code(self, begin, end, effect):
        for index in range(begin, end):
            text = self.tokens[index].text
            if text in COMPARISONS:
                self._add("code", f"{text} to {COMPARISONS[text]}", effect, (index, index + 1, COMPARISONS[text]),
                          shown=self._comparison(index, begin, end))
            if text in ("&&", "||"):
                left, right = self._operand(index, begin, end, LOOSER[text] | BEFORE)
                self._add("code", f"drop a side of {text}", effect, (left, index + 1, ""))
                self._add("code", f"drop a side of {text}", effect, (index, right, ""))
            if text in ("+", "-") and self.tokens[index + 1].text == "1" and self.tokens[index - 1].kind in ("name", "number"):
                self._add("code", f"{text} 1 to {text} 2", effect, (index + 1, index + 2, "2"), shown=(f"{text} 1", f"{text} 2"))
                self._add("code", f"drop {text} 1", effect, (index, index + 2, ""))
            elif self.tokens[index - 1].text not in ("+", "-"):
                self._constants(index, "code", effect)

    def _constants(self, index, group, effect):
        text = self.tokens[index].text
        if text in CONSTANTS:
            self._add(group, "other constant", effect, (index, index + 1, CONSTANTS[text]))
        elif text in ("none", "tid") and group == "code" and self.tokens[index - 1].text != ":":
            self._add(group, "other constant", effect, (index, index + 1, "tid" if text == "none" else "none"))


class PlatoMutator(Mutator):
    returns_early = True
    named = {"acquire": "acquire", "release": "release", "notify": "notify", "notifyall": "notify", "assert": "the assertion"}

    def _contract(self, procedure):
        actions = [clause for clause in procedure.clauses if clause.word == "action"]
        for first, second in zip(actions, actions[1:]):
            texts = [self.program.text(clause.begin, clause.end) for clause in (first, second)]
            self._add("clause", "swap two actions", "other", (first.begin, first.end, texts[1]), (second.begin, second.end, texts[0]),
                      shown=("the actions", "in the other order"))
        for action in actions:
            if action.modifies is not None:
                self._frame(action)
        if actions:
            shared = [v.name for v in self.program.variables if v.procedure is None and self._type(v) != "monitor"]
            for name in shared:
                self._add("clause", "widen modifies", "weaker", (procedure.contract, procedure.contract, f"modifies {name}; "),
                          shown=("", f"modifies {name};"))

    def _frame(self, action):
        stop = action.predicate - 1
        commas = [i for i in range(action.modifies, stop) if self.tokens[i].text == ","]
        bounds = [action.modifies - 1, *commas, stop]
        for first, second in zip(bounds, bounds[1:]):
            if not commas:
                span = (action.modifies - 2, stop, "")  # also modifies x
            elif first == bounds[0]:
                span = (first + 1, second + 1, "")
            else:
                span = (first, second, "")
            self._add("clause", "drop from modifies", "stronger", span)

    def _operation(self, statement):
        return statement.word

    def _statement(self, statement):
        if statement.word == "set":
            self._add("code", "drop the ghost step", "code", (statement.begin, statement.end, ""))
        if statement.word in ("atomic", "trusted"):
            brace = next(i for i in range(statement.begin, statement.end) if self.tokens[i].text == "{")
            self._add("code", "split atomic", "code", (statement.begin, brace, ""), shown=(self._brief(statement.begin, statement.end), ""))
        if statement.word == "notifyall":
            self._add("code", "notify one", "code", (statement.begin, statement.begin + 1, "notify"))
        super()._statement(statement)

    def _body(self, procedure):
        super()._body(procedure)
        self._names(procedure)

    def _names(self, procedure):
        """A name in code becomes the next one of its type; a procedure the next one with as many parameters."""
        for statement in self.program.all_statements(procedure.statements):
            span = statement.condition or ((statement.begin, statement.end) if not statement.blocks else None)
            if span is None:
                continue
            effect = "other" if statement.word == "assert" else "code"
            declared = statement.begin + 1 if statement.word == "var" else -1
            for index in range(*span):
                if self.tokens[index].kind == "name" and index != declared:
                    self._name(index, procedure, effect)

    def _name(self, index, procedure, effect):
        name = self.tokens[index].text
        visible = [v for v in self.program.variables if v.procedure in (None, procedure)]
        mine = next((v for v in visible if v.name == name), None)
        if mine is not None:
            others = sorted({v.name for v in visible if self._type(v) == self._type(mine)} - {name})
            if others:
                other = next((o for o in others if o > name), others[0])
                self._add("code", "wrong variable", effect, (index, index + 1, other))
            return
        callee = next((p for p in self.program.procedures if p.name == name), None)
        if callee is not None:
            others = [p.name for p in self.program.procedures if p is not callee and len(p.parameters) == len(callee.parameters)
                      and p.result == callee.result and p is not procedure]
            for other in others[:2]:
                self._add("code", "wrong procedure", effect, (index, index + 1, other))

    def _type(self, variable):
        return "".join(variable.type.split())

    def _declaration(self, variable):
        """The initial value; whether accesses synchronise."""
        if variable.procedure is not None:
            return
        begin = variable.begin
        if self.tokens[begin - 1].text == "volatile":
            self._add("code", "drop volatile", "code", (begin - 1, begin, ""), shown=(f"volatile {variable.name}", ""))
        equals = begin + 3
        while self.tokens[equals].text not in ("=", ";") and self.tokens[equals].text not in FIELD_CLAUSES:
            equals += 1
        if self.tokens[equals].text == "=":
            self._constants(equals + 1, "code", "code")


class JavaMutator(Mutator):
    named = {"lock": "acquire", "unlock": "release", "notify": "notify", "notifyAll": "notify", "signal": "notify",
             "signalAll": "notify", "assert": "the assertion"}

    def _clause(self, clause):
        super()._clause(clause)
        if clause.word == "guarded_by" and not clause.closed:
            lock = self.tokens[clause.predicate].text
            other = f'"{self.program.class_of(clause.begin)}.class"' if lock == '"this"' else '"this"'
            self._add("clause", "another lock", "other", (clause.predicate, clause.predicate + 1, other))

    def _contract(self, procedure):
        self._drop_word("synchronized", procedure.begin, procedure.contract, procedure.name)

    def _declaration(self, variable):
        name = next(i for i in range(variable.begin, len(self.tokens)) if self.tokens[i].text == variable.name)
        self._drop_word("volatile", variable.begin, name, variable.name)
        if variable.value:
            self._code(*variable.value, "code")

    def _drop_word(self, word, begin, end, name):
        for index in range(begin, end):
            if self.tokens[index].text == word:
                self._add("code", f"drop {word}", "code", (index, index + 1, ""), shown=(name, ""))

    def _operation(self, statement):
        """What it calls, if that has a name."""
        pairs = [] if statement.blocks else zip(self.tokens[statement.begin:statement.end], self.tokens[statement.begin + 1:])
        called = (one.text for one, next_one in pairs if one.text in self.named and next_one.text == "(")
        return next(called, statement.word)

    def _statement(self, statement):
        if statement.word == "synchronized":
            self._add("code", "drop synchronized", "code", (statement.head, statement.header[1] + 1, ""))
            for inner in statement.blocks[0][:1]:
                if inner.word == "synchronized":
                    texts = [self.program.text(*each.header) for each in (statement, inner)]
                    self._add("code", "swap two locks", "code", (*statement.header, texts[1]), (*inner.header, texts[0]))
        super()._statement(statement)

    def _code(self, begin, end, effect):
        super()._code(begin, end, effect)
        for index in range(begin, end):
            text = self.tokens[index].text
            if text in CALLS:
                self._add("code", "notify one", effect, (index, index + 1, CALLS[text]))
            elif text in SIGNS:
                sides = [self.tokens[index - 1].text, self.tokens[index + 1].text]
                self._add("code", f"{text} to {SIGNS[text]}", effect, (index, index + 1, SIGNS[text]),
                          shown=(f" {text} ".join(sides), f" {SIGNS[text]} ".join(sides)))


LANGUAGES = {"plato": (plato.Program, PlatoMutator), "java": (java.Program, JavaMutator)}


def program(file, source):
    return LANGUAGES[file.rsplit(".")[-1]][0](source)


def mutants(file, program):
    return LANGUAGES[file.rsplit(".")[-1]][1](program).all()
