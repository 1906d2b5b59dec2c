"""As much of Plato's structure as mutation needs."""

import re

import structure
from structure import CONTRACT, FIELD_CLAUSES, LOOP_CLAUSES, MODULE_CLAUSES, Clause, Procedure, Statement, Variable

TOKEN = re.compile(r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/)|(?P<string>"(?:\\.|[^"\\])*")|(?P<name>\\?[A-Za-z_]\w*)|(?P<number>\d+)
                       |(?P<sign><==>|==>|==|!=|<=|>=|&&|\|\||::|:=|->|\+=|-=|\+\+|--|.)""", re.VERBOSE | re.DOTALL)


class Program(structure.Program):
    token = TOKEN

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
            self.clauses.append(Clause(self.tokens[start].text, start, stop, self._predicate(start), closed=False))
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

    def _read_statement(self, at, procedure):
        word = self.tokens[at].text
        statement = Statement(word, at, head=at)
        if word == "{":
            statement.blocks.append(self._read_block(at, procedure))
            statement.end = self.partner[at] + 1
        elif word in ("if", "while"):
            close = self.partner[at + 1]
            statement.condition = (at + 2, close)
            after = self._read_clauses(close + 1, LOOP_CLAUSES, statement.clauses)
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

