#include "engine/shape/evaluate.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/check.h"

namespace concord::engine::shape {

// A formula whose variables are numbers, and which knows those that are free in it.
struct Evaluation::Node {
  Formula::Kind kind = Formula::Kind::kValue;
  Kleene value = Kleene::kFalse;
  int predicate = -1;
  std::vector<int> arguments;  // of an atom and an equation; of a closure: from, to, and the two of a step
  std::vector<int> variables;  // free ones, ascending
  std::vector<Node> parts;
};

class Evaluation::Compiler {
 public:
  explicit Compiler(const std::vector<Variable>& free) {
    for (const Variable& it : free) bind(it);
  }

  Node compile(const Formula& formula) {
    Node out;
    out.kind = formula.kind;
    out.value = formula.value;
    out.predicate = formula.predicate;
    switch (formula.kind) {
      case Formula::Kind::kExists:
      case Formula::Kind::kForall: return quantified(formula, 0);
      case Formula::Kind::kClosure: return closure(formula);
      default: break;
    }
    for (const Variable& it : formula.variables) out.arguments.push_back(number(it));
    for (const FormulaPtr& it : formula.parts) out.parts.push_back(compile(*it));
    out.variables = out.arguments;
    for (const Node& it : out.parts)
      out.variables.insert(out.variables.end(), it.variables.begin(), it.variables.end());
    normalise(out.variables);
    return out;
  }

 private:
  // One variable at a time: the last one is the innermost.
  Node quantified(const Formula& formula, std::size_t next) {
    if (next == formula.variables.size()) return compile(*formula.parts.front());
    const int variable = bind(formula.variables[next]);
    Node out;
    out.kind = formula.kind;
    out.parts.push_back(quantified(formula, next + 1));
    unbind(formula.variables[next]);
    out.variables = out.parts.front().variables;
    if (std::find(out.variables.begin(), out.variables.end(), variable) == out.variables.end())
      return std::move(out.parts.front());
    std::erase(out.variables, variable);
    return out;
  }

  Node closure(const Formula& formula) {
    Node out;
    out.kind = formula.kind;
    out.arguments = {number(formula.variables[0]), number(formula.variables[1])};
    out.arguments.push_back(bind(formula.variables[2]));
    out.arguments.push_back(bind(formula.variables[3]));
    out.parts.push_back(compile(*formula.parts.front()));
    unbind(formula.variables[3]);
    unbind(formula.variables[2]);
    out.variables = out.parts.front().variables;
    std::erase(out.variables, out.arguments[2]);
    std::erase(out.variables, out.arguments[3]);
    out.variables.insert(out.variables.end(), {out.arguments[0], out.arguments[1]});
    normalise(out.variables);
    return out;
  }

  static void normalise(std::vector<int>& variables) {
    std::sort(variables.begin(), variables.end());
    variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
  }

  int bind(const Variable& name) {
    numbers_[name].push_back(count_);
    return count_++;
  }
  void unbind(const Variable& name) { numbers_[name].pop_back(); }
  int number(const Variable& name) {
    const auto found = numbers_.find(name);
    CONCORD_CHECK(found != numbers_.end() && !found->second.empty(), "a variable that nothing binds");
    return found->second.back();
  }

  std::map<Variable, std::vector<int>> numbers_;
  int count_ = 0;
};

Evaluation::Evaluation(const FormulaPtr& formula, std::vector<Variable> free)
    : free_(std::move(free)), root_(std::make_unique<const Node>(Compiler(free_).compile(*formula))) {}
Evaluation::Evaluation(Evaluation&&) noexcept = default;
Evaluation& Evaluation::operator=(Evaluation&&) noexcept = default;
Evaluation::~Evaluation() = default;

// ---------------------------------------------------------------------------------------------------------------- tables

namespace {

std::size_t power(int base, std::size_t exponent) {
  std::size_t out = 1;
  for (std::size_t i = 0; i < exponent; ++i) out *= static_cast<std::size_t>(base);
  return out;
}

std::size_t row_count(const std::vector<int>& variables, int size) {
  return variables.empty() ? 1 : power(size, variables.size() - 1);
}

Table make_table(std::vector<int> variables, int size) {
  Table out;
  out.rows.resize(row_count(variables, size));
  out.variables = std::move(variables);
  return out;
}

// Calls visit(row, choice) with the individuals of all variables but the last.
template <class Visit>
void for_each_row(const std::vector<int>& variables, int size, Visit&& visit) {
  const std::size_t digits = variables.empty() ? 0 : variables.size() - 1;
  std::vector<int> choice(digits, 0);
  for (std::size_t row = 0; row < row_count(variables, size); ++row) {
    visit(row, choice);
    for (std::size_t d = digits; d-- > 0;) {
      if (++choice[d] < size) break;
      choice[d] = 0;
    }
  }
}

// A part within something with more variables: its row for a choice of those, or its single value for all.
class Within {
 public:
  Within(const Table& part, const std::vector<int>& variables, const Structure& structure)
      : part_(part), universe_(structure.universe()), size_(structure.size()) {
    has_last_ = !part.variables.empty() && !variables.empty() && part.variables.back() == variables.back();
    for (const int it : part.variables) {
      place_.push_back(static_cast<std::size_t>(std::find(variables.begin(), variables.end(), it) - variables.begin()));
    }
  }

  Row row(const std::vector<int>& choice) const {
    std::size_t at = 0;
    for (std::size_t i = 0; i + 1 < place_.size(); ++i) {
      at = at * static_cast<std::size_t>(size_) + static_cast<std::size_t>(choice[place_[i]]);
    }
    const Row& row = part_.rows[at];
    if (has_last_) return row;
    const Kleene value = shape::at(row, place_.empty() ? 0 : choice[place_.back()]);
    return {value == Kleene::kFalse ? 0 : universe_, value == Kleene::kTrue ? universe_ : 0};
  }

 private:
  const Table& part_;
  const Bits universe_;
  const int size_;
  bool has_last_ = false;
  std::vector<std::size_t> place_;
};

Row negated(const Row& row, Bits universe) { return {universe & ~row.must, universe & ~row.may}; }

// Warshall: row a of the relation has those that a step leads to.
void close(std::vector<Row>& rows) {
  for (std::size_t middle = 0; middle < rows.size(); ++middle) {
    for (Row& row : rows) {
      if ((row.may >> middle & 1U) != 0) row.may |= rows[middle].may;
      if ((row.must >> middle & 1U) != 0) row.must |= rows[middle].must;
    }
  }
}

}  // namespace

Kleene entry(const Table& table, const std::vector<int>& individuals, int size) {
  std::size_t row = 0;
  for (std::size_t i = 0; i + 1 < table.variables.size(); ++i) {
    row = row * static_cast<std::size_t>(size) +
          static_cast<std::size_t>(individuals[static_cast<std::size_t>(table.variables[i])]);
  }
  const int last = table.variables.empty() ? 0 : individuals[static_cast<std::size_t>(table.variables.back())];
  return at(table.rows[row], last);
}

Table Evaluation::value_of(const Node& node, const Structure& structure) {
  const int size = structure.size();
  // Without variables a row has one bit.
  const Bits universe = node.variables.empty() ? 1 : structure.universe();
  Table out = make_table(node.variables, size);
  std::vector<Table> parts;
  for (const Node& it : node.parts) parts.push_back(value_of(it, structure));
  const auto combine = [&](const auto& combined) {
    std::vector<Within> within;
    for (const Table& it : parts) within.emplace_back(it, out.variables, structure);
    for_each_row(out.variables, size, [&](std::size_t row, const std::vector<int>& choice) {
      std::vector<Row> rows;
      for (const Within& it : within) rows.push_back(it.row(choice));
      out.rows[row] = combined(rows);
      out.rows[row].may &= universe, out.rows[row].must &= universe;
    });
  };
  switch (node.kind) {
    case Formula::Kind::kValue:
      out.rows.front() = {node.value == Kleene::kFalse ? 0 : universe, node.value == Kleene::kTrue ? universe : 0};
      break;
    case Formula::Kind::kAtom: {
      const std::vector<int>& arguments = node.arguments;
      if (arguments.size() < 2) {
        out.rows.front() = structure.row(node.predicate);
      } else if (arguments[0] < arguments[1]) {
        for (int a = 0; a < size; ++a) out.rows[static_cast<std::size_t>(a)] = structure.row(node.predicate, a);
      } else {
        for (int a = 0; a < size; ++a) {
          const Row& from = structure.row(node.predicate, a);
          for (int b = 0; b < size; ++b) {
            const bool is_same = arguments[0] == arguments[1];
            if (is_same && a != b) continue;
            Row& to = out.rows[is_same ? 0 : static_cast<std::size_t>(b)];
            to.may |= (from.may >> static_cast<unsigned>(b) & 1U) << static_cast<unsigned>(a);
            to.must |= (from.must >> static_cast<unsigned>(b) & 1U) << static_cast<unsigned>(a);
          }
        }
      }
      break;
    }
    case Formula::Kind::kEqual: {
      const Bits single = structure.universe() & ~structure.row(structure.layout().sm()).may;
      for (std::size_t a = 0; a < out.rows.size(); ++a) {
        const Bits bit = out.variables.size() < 2 ? structure.universe() : Bits{1} << a;
        out.rows[a] = {bit, bit & single};
      }
      break;
    }
    case Formula::Kind::kNot: combine([&](const std::vector<Row>& rows) { return negated(rows[0], universe); }); break;
    case Formula::Kind::kAnd:
      combine([&](const std::vector<Row>& rows) {
        Row all{universe, universe};
        for (const Row& it : rows) all.may &= it.may, all.must &= it.must;
        return all;
      });
      break;
    case Formula::Kind::kOr:
      combine([&](const std::vector<Row>& rows) {
        Row any;
        for (const Row& it : rows) any.may |= it.may, any.must |= it.must;
        return any;
      });
      break;
    case Formula::Kind::kIf:
      combine([&](const std::vector<Row>& rows) {
        const auto& [test, then, otherwise] = std::tie(rows[0], rows[1], rows[2]);
        return Row{(test.may & then.may) | (~test.must & otherwise.may),
                   (test.must & then.must) | (~test.may & otherwise.must) | (then.must & otherwise.must)};
      });
      break;
    case Formula::Kind::kExists:
    case Formula::Kind::kForall: {
      // The last variable of the part goes, so a row becomes a bit.
      const bool is_all = node.kind == Formula::Kind::kForall;
      const Bits all = structure.universe();
      const std::vector<Row>& rows = parts.front().rows;
      const std::size_t in_row = out.variables.empty() ? 1 : static_cast<std::size_t>(size);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const bool may = is_all ? (rows[i].may & all) == all : (rows[i].may & all) != 0;
        const bool must = is_all ? (rows[i].must & all) == all : (rows[i].must & all) != 0;
        Row& to = out.rows[i / in_row];
        to.may |= Bits{may} << i % in_row;
        to.must |= Bits{must} << i % in_row;
      }
      break;
    }
    case Formula::Kind::kClosure: closure(node, parts.front(), structure, out); break;
  }
  return out;
}

// For each choice of the other variables a relation of its own.
void Evaluation::closure(const Node& node, const Table& step, const Structure& structure, Table& out) {
  const int size = structure.size();
  const std::vector<int> pair{node.arguments[2], node.arguments[3]};
  std::vector<int> others = step.variables;
  for (const int it : pair) std::erase(others, it);
  std::vector<int> all = others;
  all.insert(all.end(), pair.begin(), pair.end());
  const Within within(step, all, structure);
  std::vector<std::vector<Row>> closed;  // by choice of the others
  std::vector<int> others_and_one = others;
  others_and_one.push_back(-1);
  for_each_row(others_and_one, size, [&](std::size_t, const std::vector<int>& choice) {
    std::vector<Row>& rows = closed.emplace_back();
    std::vector<int> with_first = choice;
    with_first.push_back(0);
    for (int a = 0; a < size; ++a) {
      with_first.back() = a;
      rows.push_back(within.row(with_first));
    }
    close(rows);
  });
  const auto individual = [&](int variable, const std::vector<int>& choice, int last) {
    const auto found = std::find(out.variables.begin(), out.variables.end(), variable) - out.variables.begin();
    return found < std::ssize(choice) ? choice[static_cast<std::size_t>(found)] : last;
  };
  for_each_row(out.variables, size, [&](std::size_t row, const std::vector<int>& choice) {
    for (int last = 0; last < size; ++last) {
      std::size_t which = 0;
      for (const int it : others)
        which = which * static_cast<std::size_t>(size) + static_cast<std::size_t>(individual(it, choice, last));
      const int from = individual(node.arguments[0], choice, last);
      const int to = individual(node.arguments[1], choice, last);
      const Kleene value = at(closed[which][static_cast<std::size_t>(from)], to);
      out.rows[row].may |= Bits{value != Kleene::kFalse} << static_cast<unsigned>(last);
      out.rows[row].must |= Bits{value == Kleene::kTrue} << static_cast<unsigned>(last);
    }
  });
}

Table Evaluation::table(const Structure& structure) const { return value_of(*root_, structure); }

Kleene Evaluation::value(const Structure& structure, const std::vector<int>& individuals) const {
  return entry(table(structure), individuals, structure.size());
}

// ------------------------------------------------------------------------------------------------------------- variables

namespace {

void collect_free(const Formula& formula, std::multiset<Variable>& bound, std::vector<Variable>& out) {
  const auto use = [&](const Variable& it) {
    if (!bound.contains(it) && std::find(out.begin(), out.end(), it) == out.end()) out.push_back(it);
  };
  const bool is_quantified = formula.kind == Formula::Kind::kExists || formula.kind == Formula::Kind::kForall;
  std::vector<Variable> binds;
  if (is_quantified) binds = formula.variables;
  if (formula.kind == Formula::Kind::kClosure) binds = {formula.variables[2], formula.variables[3]};
  if (!is_quantified) {
    const std::size_t uses = formula.kind == Formula::Kind::kClosure ? 2 : formula.variables.size();
    for (std::size_t i = 0; i < uses; ++i) use(formula.variables[i]);
  }
  for (const Variable& it : binds) bound.insert(it);
  for (const FormulaPtr& it : formula.parts) collect_free(*it, bound, out);
  for (const Variable& it : binds) bound.erase(bound.find(it));
}

}  // namespace

std::vector<Variable> free_variables(const Formula& formula) {
  std::multiset<Variable> bound;
  std::vector<Variable> out;
  collect_free(formula, bound, out);
  return out;
}

}  // namespace concord::engine::shape
