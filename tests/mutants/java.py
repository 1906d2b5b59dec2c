"""As much of Java's structure as mutation needs: fields, methods, statements, and the clauses in `//@` and `/*@` comments."""

import re

import structure
from structure import CONTRACT, FIELD_CLAUSES, LOOP_CLAUSES, MODULE_CLAUSES, Clause, Procedure, Statement, Variable

TOKEN = re.compile(r"""(?P<skip>\s+|//(?!@)[^\n]*|/\*(?!@).*?\*/|/\*@|@?\*/)|(?P<mark>//@)
                       |(?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(?P<name>\\?[A-Za-z_$][\w$]*)|(?P<number>\d[\w.]*)
                       |(?P<sign><==>|==>|==|!=|<=|>=|&&|\|\||::|->|\+=|-=|\+\+|--|.)""", re.VERBOSE | re.DOTALL)
CLAUSES = MODULE_CLAUSES | FIELD_CLAUSES | CONTRACT | LOOP_CLAUSES
TYPES = {"class", "interface", "enum", "record"}


class Program(structure.Program):
    token = TOKEN

    def _read(self):
        """Types are not told apart: their members come one after the other."""
        self._join_marks()
        self.classes = []  # (name, the token of its brace)
        index = 0
        while index < len(self.tokens):
            index = self._read_member(index)

    def _join_marks(self):
        """The mark of a line with clauses belongs to the first word, so that they move together."""
        marks = [i for i, token in enumerate(self.tokens) if token.kind == "mark"]
        for index in reversed(marks):
            if self.tokens[index + 1].text in CLAUSES:
                self.tokens[index + 1].begin = self.tokens[index].begin
            del self.tokens[index]
        self.partner = self._partners()

    def _read_member(self, begin):
        clauses = []
        at = self._read_clauses(begin, CLAUSES, clauses)
        self.clauses += [clause for clause in clauses if clause.word not in CONTRACT]
        contract = [clause for clause in clauses if clause.word in CONTRACT]
        at = self._read_annotations(at)
        end = self._until(at, "(", "=", ";", "{", "}")
        if self._is(at, "import", "package", "}") or self._is(end, "}"):
            return end + 1
        if self._is(end, "("):
            return self._read_method(contract[0].begin if contract else at, end, contract)
        words = [token.text for token in self.tokens[at:end]]
        if self._is(end, "{") and TYPES & set(words):
            return self._read_type(at, end)
        if self._is(end, "{"):
            return self._read_body(Procedure("static", at, 0, [], "", end, [], []), end)
        stop = self._until(end, ";")
        value = (end + 1, stop) if end < stop else None
        self.variables.append(Variable(words[-1] if words else "", " ".join(words[:-1]), at, value=value))
        return stop + 1

    def _read_annotations(self, at):
        while self._is(at, "@") and not self._is(at + 1, "interface"):
            end = self.partner[at + 2] + 1 if self._is(at + 2, "(") else at + 2
            if self._is(at + 1, "GuardedBy"):
                self.clauses.append(Clause("guarded_by", at, end, at + 3, closed=False))
            at = end
        return at

    def _read_type(self, at, brace):
        """Its members come next; an annotation's are of no interest."""
        if self._is(at, "@"):
            return self.partner[brace] + 1
        word = next(i for i in range(at, brace) if self._is(i, *TYPES))
        self.classes.append((self.tokens[word + 1].text, brace))
        return brace + 1

    def class_of(self, index):
        """The name of the innermost class around a token."""
        return [name for name, brace in self.classes if brace < index < self.partner[brace]][-1]

    def _read_method(self, begin, head, contract):
        procedure = Procedure(self.tokens[head - 1].text, begin, 0, [], "", self.partner[head] + 1, contract, [])
        brace = self._until(head, "{", ";")
        return self._read_body(procedure, brace) if self._is(brace, "{") else brace + 1

    def _read_body(self, procedure, brace):
        procedure.end = self.partner[brace] + 1
        procedure.statements = self._read_block(brace, procedure)
        self.procedures.append(procedure)
        return procedure.end

    def _read_statement(self, begin, procedure):
        clauses = []
        at = self._read_clauses(begin, LOOP_CLAUSES, clauses)
        word = self.tokens[at].text
        statement = Statement(word, begin, head=at, clauses=clauses)
        if word == "{":
            statement.blocks.append(self._read_block(at, procedure))
            statement.end = self.partner[at] + 1
        elif word in ("if", "while", "for", "synchronized"):
            close = self.partner[at + 1]
            statement.header = (at + 2, close)
            statement.condition = self._condition(word, at + 2, close)
            statement.end = self._read_branch(close + 1, statement, procedure)
            if word == "if" and self._is(statement.end, "else"):
                statement.end = self._read_branch(statement.end + 1, statement, procedure)
        elif word == "do":
            after = self._read_branch(at + 1, statement, procedure)
            statement.condition = (after + 2, self.partner[after + 1])
            statement.end = self.partner[after + 1] + 2
        elif word == "try":
            statement.end = at
            while self._is(statement.end, "try", "catch", "finally"):
                brace = self._until(statement.end, "{")
                statement.blocks.append(self._read_block(brace, procedure))
                statement.end = self.partner[brace] + 1
        elif word == "switch":
            statement.end = self.partner[self._until(at, "{")] + 1
        else:
            statement.end = self._until(at, ";") + 1
        return statement

    def _condition(self, word, begin, end):
        if word == "synchronized":
            return None
        if word == "for":
            begin = self._until(begin, ";", ")") + 1
            end = self._until(begin, ";", ")")
        return (begin, end) if begin < end else None
