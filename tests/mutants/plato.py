"""As much of Plato's structure as mutation needs, read from tokens: variables, procedures, statements, clauses.

It is no second reader: what is misread gives a mutant that concord refuses, and those are counted.
"""

import re
from dataclasses import dataclass, field

TOKEN = re.compile(r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/)|(?P<string>"(?:\\.|[^"\\])*")|(?P<name>\\?[A-Za-z_]\w*)|(?P<number>\d+)
                       |(?P<sign><==>|==>|==|!=|<=|>=|&&|\|\||::|:=|->|\+=|-=|\+\+|--|.)""", re.VERBOSE | re.DOTALL)
CLOSING = {"(": ")", "[": "]", "{": "}"}
MODULE_CLAUSES = {"env_assumption", "rely", "guarantee", "global_invariant", "invariant", "initially", "lock_order"}
FIELD_CLAUSES = {"unwritable_by_env_if", "writable_if", "guarded_by", "elems_unwritable_by_env_if"}
CONTRACT = {"requires", "ensures", "modifies", "assignable", "action", "performs", "inline"}
LOOP_CLAUSES = {"loop_invariant", "maintaining", "loop_modifies", "assigns"}


@dataclass
class Token:
    kind: str
    text: str
    begin: int
    end: int
    line: int


@dataclass
class Clause:
    """Tokens begin … end (without the closing semicolon); the predicate is what follows the words."""
    word: str
    begin: int
    end: int
    predicate: int
    modifies: int = None  # of an action: the first token of its frame


@dataclass
class Statement:
    """Tokens begin … end, ghost assignments that follow it apart; `blocks` are lists of statements."""
    word: str
    begin: int
    end: int
    condition: tuple = None
    blocks: list = field(default_factory=list)
    clauses: list = field(default_factory=list)
    body: int = None  # of a loop: its first token


@dataclass
class Variable:
    name: str
    type: str
    begin: int
    procedure: object = None  # of a local one


@dataclass
class Procedure:
    name: str
    begin: int
    end: int
    parameters: list
    result: str
    contract: int  # the token after the head
    clauses: list
    statements: list


class Program:
    def __init__(self, source):
        self.source = source
        self.tokens = []
        self.variables = []
        self.clauses = []
        self.procedures = []
        line = 1
        for found in TOKEN.finditer(source):
            if found.lastgroup != "skip":
                self.tokens.append(Token(found.lastgroup, found.group(), found.start(), found.end(), line))
            line += found.group().count("\n")
        self.partner = self._partners()
        self._read()

    def text(self, begin, end):
        return self.source[self.tokens[begin].begin:self.tokens[end - 1].end]

    def line(self, index):
        return self.tokens[index].line

    def procedure_at(self, line):
        """The procedure whose text, contract included, has this line."""
        return next((p for p in self.procedures if self.line(p.begin) <= line <= self.line(p.end - 1)), None)

    def all_statements(self, statements):
        for statement in statements:
            yield statement
            for block in statement.blocks:
                yield from self.all_statements(block)

    # ------------------------------------------------------------------------------------------------------- reading

    def _partners(self):
        partner, stack = {}, []
        for index, token in enumerate(self.tokens):
            if token.text in CLOSING:
                stack.append(index)
            elif stack and token.text == CLOSING[self.tokens[stack[-1]].text]:
                partner[stack.pop()] = index
        return partner

    def _is(self, index, *texts):
        return index < len(self.tokens) and self.tokens[index].text in texts

    def _until(self, index, *texts):
        """The first token with such a text, outside brackets that open on the way."""
        while index < len(self.tokens) and not self._is(index, *texts):
            index = self.partner.get(index, index) + 1
        return index

    def _read(self):
        index = 0
        while index < len(self.tokens):
            word = self.tokens[index].text
            if word in MODULE_CLAUSES:
                end = self._until(index, ";")
                self.clauses.append(Clause(word, index, end, index + 1))
                index = end + 1
            elif word == "var":
                index = self._read_variable(index)
            elif word == "proc":
                index = self._read_procedure(index)
            elif word in ("thread", "check", "const", "enum"):
                index = self._until(index, ";", "}") + 1
            else:
                index += 1

    def _read_variable(self, index, procedure=None):
        end = self._until(index, ";")
        after_type = min(self._until(index, word) for word in ["=", ";", *FIELD_CLAUSES])
        self.variables.append(Variable(self.tokens[index + 1].text, self.text(index + 3, after_type), index, procedure))
        starts = [i for i in range(after_type, end) if self.tokens[i].text in FIELD_CLAUSES]
        for start, stop in zip(starts, starts[1:] + [end]):
            predicate = self.partner[start + 1] + 1 if self.tokens[start].text.startswith("elems") else start + 1
            self.clauses.append(Clause(self.tokens[start].text, start, stop, predicate))
        return end + 1

    def _read_procedure(self, index):
        head = index + 2
        head_end = self.partner[head] + 1
        result = ""
        if self._is(head_end, ":"):
            result = self.tokens[head_end + 1].text
            head_end += 2
        procedure = Procedure(self.tokens[index + 1].text, index, 0, [], result, head_end, [], [])
        at = head + 1
        while at < self.partner[head]:
            stop = self._until(at, ",", ")")
            procedure.parameters.append(self.tokens[at].text)
            self.variables.append(Variable(self.tokens[at].text, self.text(at + 2, stop), at, procedure))
            at = stop + 1
        at = self._read_clauses(head_end, CONTRACT, procedure.clauses)
        procedure.end = self.partner[at] + 1
        procedure.statements = self._read_block(at, procedure)
        self.procedures.append(procedure)
        return procedure.end

    def _read_clauses(self, at, words, clauses):
        while self.tokens[at].text in words:
            end = self._until(at, ";")
            word = self.tokens[at].text
            clause = Clause(word, at, end, at + 1)
            if word == "action":
                clause.predicate = self._until(at, "ensures") + 1
                if self._is(at + 1, "also") or self._is(at + 2, "also"):
                    clause.modifies = self._until(at, "modifies") + 1
            clauses.append(clause)
            at = end + 1
        return at

    def _read_block(self, at, procedure):
        """The statements between a brace and its partner."""
        end = self.partner[at]
        statements = []
        at += 1
        while at < end:
            statement = self._read_statement(at, procedure)
            statements.append(statement)
            at = statement.end
        return statements

    def _read_statement(self, at, procedure):
        word = self.tokens[at].text
        statement = Statement(word, at, 0)
        if word == "{":
            statement.blocks.append(self._read_block(at, procedure))
            statement.end = self.partner[at] + 1
        elif word in ("if", "while"):
            close = self.partner[at + 1]
            statement.condition = (at + 2, close)
            after = self._read_clauses(close + 1, LOOP_CLAUSES, statement.clauses)
            statement.body = after
            statement.end = self._read_branch(after, statement, procedure)
            if word == "if" and self._is(statement.end, "else"):
                statement.end = self._read_branch(statement.end + 1, statement, procedure)
        elif word in ("loop", "choose", "or", "atomic", "trusted"):
            brace = self._until(at, "{")
            self._read_clauses(at + 1, LOOP_CLAUSES, statement.clauses)
            statement.blocks.append(self._read_block(brace, procedure))
            statement.end = self.partner[brace] + 1
        else:
            if word == "var":
                self._read_variable(at, procedure)
            statement.end = self._until(at, ";") + 1
        return statement

    def _read_branch(self, at, statement, procedure):
        branch = self._read_statement(at, procedure)
        statement.blocks.append(branch.blocks[0] if branch.word == "{" else [branch])
        return branch.end
