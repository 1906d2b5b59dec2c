#include "engine/shape/evaluate.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "base/check.h"

namespace concord::engine::shape {

// A formula whose variables are numbers.
struct Evaluation::Node {
  Formula::Kind kind = Formula::Kind::kValue;
  Kleene value = Kleene::kFalse;
  int predicate = -1;
  std::vector<int>
      arguments;  // of an atom and an equation; of a quantifier the variable; of a closure: from, to, and the two of a step
  std::set<int> variables;  // that are free in it
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
    if (formula.kind == Formula::Kind::kAtom) predicates.insert(formula.predicate);
    if (formula.kind == Formula::Kind::kEqual) compares = true;
    for (const Variable& it : formula.variables) out.arguments.push_back(number(it));
    for (const FormulaPtr& it : formula.parts) out.parts.push_back(compile(*it));
    out.variables.insert(out.arguments.begin(), out.arguments.end());
    for (const Node& it : out.parts) out.variables.insert(it.variables.begin(), it.variables.end());
    return out;
  }

  static constexpr int kMostVariables = 64;

  std::set<int> predicates;
  bool compares = false;

 private:
  // One variable at a time: the last one is the innermost.
  Node quantified(const Formula& formula, std::size_t next) {
    if (next == formula.variables.size()) return compile(*formula.parts.front());
    const int variable = bind(formula.variables[next]);
    Node out;
    out.kind = formula.kind;
    out.arguments = {variable};
    out.parts.push_back(quantified(formula, next + 1));
    unbind(formula.variables[next]);
    out.variables = out.parts.front().variables;
    if (!out.variables.contains(variable)) return std::move(out.parts.front());
    out.variables.erase(variable);
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
    out.variables.erase(out.arguments[2]);
    out.variables.erase(out.arguments[3]);
    out.variables.insert({out.arguments[0], out.arguments[1]});
    return out;
  }

  int bind(const Variable& name) {
    if (count_ == kMostVariables) throw TooManyVariables{};
    numbers_[name].push_back(count_);
    return count_++;
  }
  // What is bound after it is not inside it, and may have its number.
  void unbind(const Variable& name) {
    numbers_[name].pop_back();
    --count_;
  }
  int number(const Variable& name) {
    const auto found = numbers_.find(name);
    CONCORD_CHECK(found != numbers_.end() && !found->second.empty(), "a variable that nothing binds");
    return found->second.back();
  }

  std::map<Variable, std::vector<int>> numbers_;
  int count_ = 0;
};

Evaluation::Evaluation(const FormulaPtr& formula, std::vector<Variable> free) : free_(std::move(free)) {
  Compiler compiler(free_);
  root_ = std::make_unique<const Node>(compiler.compile(*formula));
  predicates_.assign(compiler.predicates.begin(), compiler.predicates.end());
  compares_ = compiler.compares;
}
Evaluation::Evaluation(Evaluation&&) noexcept = default;
Evaluation& Evaluation::operator=(Evaluation&&) noexcept = default;
Evaluation::~Evaluation() = default;

// -------------------------------------------------------------------------------------------------------------- evaluating

class Evaluation::Run {
 public:
  explicit Run(const Structure& structure)
      : structure_(structure), universe_(structure.universe()), all_(structure.universe() | 1U) {}

  void set(int variable, int individual) { individuals_[static_cast<std::size_t>(variable)] = individual; }

  // For each individual in place of the variable `axis`. If that does not occur, all are the same.
  Row row(const Node& node, int axis) {
    switch (node.kind) {
      case Formula::Kind::kValue: return same(node.value);
      case Formula::Kind::kAtom: return atom(node, axis);
      case Formula::Kind::kEqual: return equation(node, axis);
      case Formula::Kind::kNot: {
        const Row it = row(node.parts[0], axis);
        return {all_ & ~it.must, all_ & ~it.may};
      }
      case Formula::Kind::kAnd: {
        Row out{all_, all_};
        for (std::size_t i = 0; i < node.parts.size() && out.may != 0; ++i) {
          const Row it = row(node.parts[i], axis);
          out.may &= it.may, out.must &= it.must;
        }
        return out;
      }
      case Formula::Kind::kOr: {
        Row out;
        for (std::size_t i = 0; i < node.parts.size() && out.must != all_; ++i) {
          const Row it = row(node.parts[i], axis);
          out.may |= it.may, out.must |= it.must;
        }
        return out;
      }
      case Formula::Kind::kIf: {
        const Row test = row(node.parts[0], axis);
        const Row then = row(node.parts[1], axis);
        const Row otherwise = row(node.parts[2], axis);
        return {((test.may & then.may) | (~test.must & otherwise.may)) & all_,
                ((test.must & then.must) | (~test.may & otherwise.must) | (then.must & otherwise.must)) & all_};
      }
      case Formula::Kind::kExists:
      case Formula::Kind::kForall: return quantified(node, axis);
      case Formula::Kind::kClosure: return closure(node, axis);
    }
    return {};
  }

 private:
  int of(int variable) const { return individuals_[static_cast<std::size_t>(variable)]; }
  Row same(Kleene value) const { return {value == Kleene::kFalse ? 0 : all_, value == Kleene::kTrue ? all_ : 0}; }
  static Bits bit(int individual) { return Bits{1} << static_cast<unsigned>(individual); }

  Row atom(const Node& node, int axis) const {
    if (node.arguments.empty()) return same(structure_.get(node.predicate));
    const int first = node.arguments[0];
    if (node.arguments.size() == 1)
      return first == axis ? structure_.row(node.predicate) : same(structure_.get(node.predicate, of(first)));
    const int second = node.arguments[1];
    if (first != axis)
      return second == axis ? structure_.row(node.predicate, of(first))
                            : same(structure_.get(node.predicate, of(first), of(second)));
    Row out;
    for (int a = 0; a < structure_.size(); ++a) {
      const Row& from = structure_.row(node.predicate, a);
      const Bits b = bit(second == axis ? a : of(second));
      if ((from.may & b) != 0) out.may |= bit(a);
      if ((from.must & b) != 0) out.must |= bit(a);
    }
    return out;
  }

  Row equation(const Node& node, int axis) const {
    const Bits single = all_ & ~structure_.row(structure_.layout().sm()).may;
    const int first = node.arguments[0];
    const int second = node.arguments[1];
    if (first == axis && second == axis) return {all_, single};
    if (first != axis && second != axis) {
      if (of(first) != of(second)) return {};
      return same((single & bit(of(first))) != 0 ? Kleene::kTrue : Kleene::kUnknown);
    }
    const Bits it = bit(of(first == axis ? second : first));
    return {it, it & single};
  }

  Kleene over(const Node& node) {
    const Row it = row(node.parts[0], node.arguments[0]);
    const bool is_all = node.kind == Formula::Kind::kForall;
    if (is_all ? (it.must & universe_) == universe_ : (it.must & universe_) != 0) return Kleene::kTrue;
    return (is_all ? (it.may & universe_) == universe_ : (it.may & universe_) != 0) ? Kleene::kUnknown : Kleene::kFalse;
  }

  Row quantified(const Node& node, int axis) {
    if (!node.variables.contains(axis)) return same(over(node));
    Row out;
    for (int i = 0; i < structure_.size(); ++i) {
      set(axis, i);
      const Kleene value = over(node);
      if (value != Kleene::kFalse) out.may |= bit(i);
      if (value == Kleene::kTrue) out.must |= bit(i);
    }
    return out;
  }

  // Those that one step or more leads to from an individual.
  Row reached(const Node& node, int from) {
    Row out;
    Bits todo = bit(from);
    Bits done = 0;
    Bits surely = bit(from);  // reached by steps that there must be, or where it begins
    while (todo != 0) {
      const int next = __builtin_ctzll(todo);
      todo &= todo - 1;
      set(node.arguments[2], next);
      const Row step = row(node.parts[0], node.arguments[3]);
      out.may |= step.may;
      const bool is_sure = (surely & bit(next)) != 0;
      done |= bit(next);
      const Bits sure = is_sure ? step.must & ~out.must : 0;
      out.must |= sure;
      // One that was looked at before it was known to be reached surely is looked at again.
      todo |= (step.may & ~done) | (sure & ~surely);
      surely |= sure;
    }
    return out;
  }

  Row closure(const Node& node, int axis) {
    const int from = node.arguments[0];
    const int to = node.arguments[1];
    if (from != axis && !node.parts[0].variables.contains(axis)) {
      const Row all = reached(node, of(from));
      return to == axis ? all : same(at(all, of(to)));
    }
    Row out;
    for (int i = 0; i < structure_.size(); ++i) {
      set(axis, i);
      const Kleene value = at(reached(node, of(from)), of(to));
      if (value != Kleene::kFalse) out.may |= bit(i);
      if (value == Kleene::kTrue) out.must |= bit(i);
    }
    return out;
  }

  const Structure& structure_;
  const Bits universe_;
  const Bits all_;  // never empty, so that what has no variables has a value
  std::array<int, Compiler::kMostVariables> individuals_{};
};

Row Evaluation::row(const Structure& structure, const std::vector<int>& individuals) const {
  Run run(structure);
  for (std::size_t i = 0; i < individuals.size(); ++i) run.set(static_cast<int>(i), individuals[i]);
  return run.row(*root_, static_cast<int>(free_.size()) - 1);
}

Kleene Evaluation::value(const Structure& structure, const std::vector<int>& individuals) const {
  Run run(structure);
  for (std::size_t i = 0; i < individuals.size(); ++i) run.set(static_cast<int>(i), individuals[i]);
  return at(run.row(*root_, -1), 0);
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
