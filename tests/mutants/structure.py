"""What the readers of Plato and of Java share: tokens, brackets, statements, clauses. Mutation needs no more of the structure.

They are no second front end: what is misread gives a mutant that concord refuses, and those are counted.
"""

from dataclasses import dataclass, field

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
    closed: bool = True   # by a semicolon of its own


@dataclass
class Statement:
    """Tokens begin … end, ghost assignments that follow it apart; `blocks` are lists of statements."""
    word: str
    begin: int
    end: int = 0
    head: int = None  # the token of the word, where clauses come first
    condition: tuple = None
    header: tuple = None  # what is between the parentheses, if it is more than a condition
    blocks: list = field(default_factory=list)
    clauses: list = field(default_factory=list)

    @property
    def code(self):
        """The tokens that are in no block."""
        return self.header or self.condition or (None if self.blocks else (self.begin, self.end))


@dataclass
class Variable:
    name: str
    type: str
    begin: int
    procedure: object = None  # of a local one
    value: tuple = None  # the tokens of the initial value, if they are known


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
    """A language adds `token`, the pattern of its tokens, and reads declarations and statements."""
    token = None

    def __init__(self, source):
        self.source = source
        self.tokens = []
        self.variables = []
        self.clauses = []
        self.procedures = []
        line = 1
        for found in self.token.finditer(source):
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

    def _read_clauses(self, at, words, clauses):
        while self.tokens[at].text in words:
            end = self._until(at, ";")
            word = self.tokens[at].text
            clause = Clause(word, at, end, self._predicate(at))
            if word == "action":
                clause.predicate = self._until(at, "ensures") + 1
                if self._is(at + 1, "also") or self._is(at + 2, "also"):
                    clause.modifies = self._until(at, "modifies") + 1
            clauses.append(clause)
            at = end + 1
        return at

    def _predicate(self, at):
        """Where that of a clause begins: elems_unwritable_by_env_if[i] has an index."""
        return self.partner[at + 1] + 1 if self._is(at + 1, "[") else at + 1

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

    def _read_branch(self, at, statement, procedure):
        branch = self._read_statement(at, procedure)
        statement.blocks.append(branch.blocks[0] if branch.word == "{" else [branch])
        return branch.end
