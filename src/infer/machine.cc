#include "infer/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "infer/thread_steps.h"

namespace concord::infer {

using formula::Op;
using formula::Pool;
using formula::Term;

namespace {

// ---- fewer nodes, fewer edges

bool speaks_of(Term term, const std::string& location) {
  const std::vector<Term> all = formula::constants_of(term);
  return std::any_of(all.begin(), all.end(), [&](Term it) { return it->name == location; });
}

// Of two edges that differ in one literal, which holds for one and not for the other, one is left without it; of two of which one
// demands more, the other.
bool unites(Pool& pool, Machine::Edge& edge, const Machine::Edge& other) {
  if (edge.from != other.from || edge.to != other.to || edge.writes != other.writes) return false;
  if (std::includes(other.guard.begin(), other.guard.end(), edge.guard.begin(), edge.guard.end())) return true;
  for (Term literal : edge.guard) {
    Machine::Guard common = edge.guard;
    common.erase(literal);
    Machine::Guard opposite = common;
    opposite.insert(pool.not_(literal));
    if (opposite != other.guard) continue;
    edge.guard = std::move(common);
    return true;
  }
  return false;
}

bool unite_edges(Machine& machine) {
  std::vector<Machine::Edge>& edges = machine.edges;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    for (std::size_t j = 0; j < edges.size(); ++j) {
      if (i == j || !unites(*machine.pool, edges[i], edges[j])) continue;
      edges.erase(edges.begin() + static_cast<std::ptrdiff_t>(j));
      return true;
    }
  }
  return false;
}

// Its claims, and its edges.
using Signature = std::pair<std::set<Term>, std::set<std::tuple<int, Machine::Guard, std::map<std::string, Term>>>>;

// Nodes with the same assertion, from which the same edges lead to the same nodes, are one.
bool unite_nodes(Machine& machine) {
  std::vector<int> of(machine.nodes.size(), 0);
  for (std::size_t classes = 0, before = 1; classes != before;) {
    before = classes;
    std::map<std::pair<int, Signature>, int> known;
    std::vector<int> next;
    for (int n = 0; n < std::ssize(machine.nodes); ++n) {
      const Machine::Node& node = machine.nodes[static_cast<std::size_t>(n)];
      Signature signature{{node.claims.begin(), node.claims.end()}, {}};
      for (const Machine::Edge& it : machine.edges) {
        if (it.from == n) signature.second.insert({of[static_cast<std::size_t>(it.to)], it.guard, it.writes});
      }
      const std::pair key(of[static_cast<std::size_t>(n)], std::move(signature));
      next.push_back(known.emplace(key, static_cast<int>(known.size())).first->second);
    }
    of = next;
    classes = known.size();
  }
  for (int n = 0; n < std::ssize(of); ++n) {
    const auto first = std::find(of.begin(), of.end(), of[static_cast<std::size_t>(n)]) - of.begin();
    if (first == n) continue;
    machine = merged(machine, n, static_cast<int>(first));
    return true;
  }
  return false;
}

// Where nothing leads to any more.
bool leave_out_unreached(Machine& machine) {
  std::set<int> reached{machine.initial};
  for (std::size_t before = 0; before != reached.size();) {
    before = reached.size();
    for (const Machine::Edge& it : machine.edges) {
      if (reached.contains(it.from)) reached.insert(it.to);
    }
  }
  if (reached.size() == machine.nodes.size()) return false;
  std::vector<int> number(machine.nodes.size(), -1);
  std::vector<Machine::Node> nodes;
  for (const int it : reached) {
    number[static_cast<std::size_t>(it)] = static_cast<int>(nodes.size());
    nodes.push_back(machine.nodes[static_cast<std::size_t>(it)]);
  }
  std::erase_if(machine.edges, [&](const Machine::Edge& it) { return !reached.contains(it.from); });
  for (Machine::Edge& it : machine.edges) {
    it.from = number[static_cast<std::size_t>(it.from)];
    it.to = number[static_cast<std::size_t>(it.to)];
  }
  machine.nodes = std::move(nodes);
  machine.initial = number[static_cast<std::size_t>(machine.initial)];
  return true;
}

Machine reduced(Machine machine) {
  std::erase_if(machine.edges, [](const Machine::Edge& it) { return it.from == it.to && it.writes.empty(); });
  while (leave_out_unreached(machine) || unite_edges(machine) || unite_nodes(machine)) {}
  return machine;
}

// ---- as text

class Printer {
 public:
  explicit Printer(const std::map<std::string, std::string>& spelled) : spelled_(spelled) {}

  std::string location(const std::string& name) const {
    std::string out;
    for (std::size_t at = 0; at <= name.size();) {
      const std::size_t end = std::min(name.find('.', at), name.size());
      const std::string word = name.substr(at, end - at);
      const auto found = spelled_.find(word);
      out += (at == 0 ? "" : ".") + (found == spelled_.end() ? word : found->second);
      at = end + 1;
    }
    return out;
  }

  // Binding at least as strongly as that: 1 a formula, 2 of a disjunction, 3 of a conjunction, 4 a comparison's side, 5 a factor.
  std::string print(Term term, int strength) const {
    const auto within = [&](int own, const std::string& text) { return own < strength ? "(" + text + ")" : text; };
    const std::vector<Term>& args = term->args;
    switch (term->op) {
      case Op::kTrue: return "true";
      case Op::kFalse: return "false";
      case Op::kNumber: return std::to_string(term->number);
      case Op::kEnumConst: return term->sort->constants[static_cast<std::size_t>(term->number)];
      case Op::kConst: return constant(term->name);
      case Op::kNot: return negated(args[0], strength);
      case Op::kAnd: return within(3, listed(args, " && ", 4));
      case Op::kOr: return within(2, listed(args, " || ", 3));
      case Op::kImplies: return within(1, print(args[0], 2) + " ==> " + print(args[1], 2));
      case Op::kIte:
        return within(0, fmt::format("{} ? {} : {}", print(args[0], 2), print(args[1], 2), print(args[2], 2)));
      case Op::kEq: return within(3, compared(args[0], "==", "==", args[1]));
      case Op::kLt: return within(3, compared(args[0], "<", ">", args[1]));
      case Op::kLe: return within(3, compared(args[0], "<=", ">=", args[1]));
      case Op::kAdd: return within(4, sum(args));
      case Op::kSub: return within(4, print(args[0], 4) + " - " + print(args[1], 5));
      case Op::kMul: return within(5, print(args[0], 5) + " * " + print(args[1], 6));
      case Op::kNeg: return "-" + print(args[0], 6);
      case Op::kApply: return print(args[0], strength);  // numbers that wrap around do so in clauses as well
      default: return "true";
    }
  }

 private:
  std::string constant(const std::string& name) const {
    const bool is_primed = name.ends_with('\'');
    const std::string bare = name.substr(name.starts_with('=') ? 1 : 0, std::string::npos);
    return is_primed ? location(bare.substr(0, bare.size() - 1)) + "'" : location(bare);
  }

  std::string negated(Term it, int strength) const {
    const auto within = [&](const std::string& text) { return 3 < strength ? "(" + text + ")" : text; };
    if (it->op == Op::kEq) return within(compared(it->args[0], "!=", "!=", it->args[1]));
    if (it->op == Op::kLt) return within(compared(it->args[0], ">=", "<=", it->args[1]));
    if (it->op == Op::kLe) return within(compared(it->args[0], ">", "<", it->args[1]));
    return "!" + print(it, 6);
  }

  // Numbers to the right, new values to the left.
  std::string compared(Term left, const char* sign, const char* turned, Term right) const {
    const bool is_turned = left->op == Op::kNumber || (right->op == Op::kConst && right->name.ends_with('\''));
    if (is_turned) return fmt::format("{} {} {}", print(right, 4), turned, print(left, 4));
    return fmt::format("{} {} {}", print(left, 4), sign, print(right, 4));
  }

  std::string listed(const std::vector<Term>& args, const std::string& between, int strength) const {
    std::string out;
    for (Term it : args) out += (out.empty() ? "" : between) + print(it, strength);
    return out;
  }

  std::string sum(const std::vector<Term>& args) const {
    std::string out;
    for (Term it : args) {
      const bool is_less = it->op == Op::kNumber && it->number < 0 && !out.empty();
      out += out.empty() ? "" : is_less ? " - " : " + ";
      out += is_less ? std::to_string(-it->number) : print(it, out.empty() ? 4 : 5);
    }
    return out;
  }

  const std::map<std::string, std::string>& spelled_;
};

// Where an edge looks at what it writes, it says so of the new value.
Term about_new_values(Pool& pool, Term literal, const std::map<std::string, Term>& writes) {
  formula::Substitution by;
  for (const auto& [location, value] : writes) {
    const bool is_worked_out = value != nullptr && !value->args.empty();
    if (is_worked_out) by.emplace(value, pool.constant(location + "'", value->sort));
  }
  return pool.substitute(literal, by);
}

std::string print(const Machine& machine, const Machine::Edge& edge, const Printer& printer) {
  Pool& pool = *machine.pool;
  std::vector<std::string> parts;
  std::vector<std::string> frame;
  const bool says_new_values =
      std::any_of(edge.writes.begin(), edge.writes.end(), [](const auto& it) { return it.second != nullptr; });
  for (Term it : edge.guard) {
    const Term literal = about_new_values(pool, it, edge.writes);
    if (literal == pool.truth(true)) continue;
    // Without any new value nobody could tell before from after.
    const bool is_before = !edge.writes.empty() && !says_new_values;
    parts.push_back(is_before ? fmt::format("\\old({})", printer.print(literal, 1)) : printer.print(literal, 3));
  }
  for (const auto& [location, value] : edge.writes) {
    frame.push_back(printer.location(location));
    if (value == nullptr) continue;
    const Term now = pool.constant(location + "'", value->sort);
    const bool is_bool = value->op == Op::kTrue || value->op == Op::kFalse;
    parts.push_back(is_bool ? printer.print(pool.eq(now, value), 3)
                            : fmt::format("{} == {}", printer.print(now, 4), printer.print(value, 4)));
  }
  return fmt::format("<{}>_{{{}}}", parts.empty() ? "true" : fmt::format("{}", fmt::join(parts, " && ")),
                     fmt::join(frame, ", "));
}

std::vector<std::string> names_of(const Machine& machine, const base::SourceMap& sources) {
  std::vector<std::string> out;
  std::map<std::string, int> used;
  for (const Machine::Node& it : machine.nodes) {
    const std::string name = it.is_end ? "End" : fmt::format("Line{}", sources.position(it.at).line);
    const int before = used[name]++;
    out.push_back(before == 0 ? name : fmt::format("{}_{}", name, before + 1));
  }
  return out;
}

}  // namespace

std::optional<Machine> machine_of(const plato::Program& program, int procedure,
                                  const std::vector<plato::ExprPtr>& arguments) {
  std::optional<Machine> steps = steps_of(program, procedure, arguments);
  if (steps) steps = reduced(std::move(*steps));
  return steps;
}

Machine merged(const Machine& machine, int node, int into) {
  Machine out = machine;
  Machine::Node& both = out.nodes[static_cast<std::size_t>(into)];
  for (Term it : machine.nodes[static_cast<std::size_t>(node)].claims) {
    if (std::find(both.claims.begin(), both.claims.end(), it) == both.claims.end()) both.claims.push_back(it);
  }
  for (Machine::Edge& it : out.edges) {
    if (it.from == node) it.from = into;
    if (it.to == node) it.to = into;
  }
  if (out.initial == node) out.initial = into;
  return reduced(std::move(out));
}

Machine contracted(Machine machine) {
  const auto is_idle = [](const Machine::Edge& it) { return it.guard.empty() && it.writes.empty(); };
  for (;;) {
    const auto found = std::find_if(machine.edges.begin(), machine.edges.end(), is_idle);
    if (found == machine.edges.end()) return machine;
    machine = merged(machine, found->to, found->from);
  }
}

Machine without_looking_at(const Machine& machine, const std::string& location) {
  Machine out = machine;
  for (Machine::Edge& edge : out.edges) {
    std::erase_if(edge.guard, [&](Term it) { return speaks_of(it, location); });
  }
  return reduced(std::move(out));
}

std::set<std::string> looked_at(const Machine& machine) {
  std::set<std::string> out;
  for (const Machine::Edge& edge : machine.edges) {
    for (Term literal : edge.guard) {
      for (Term it : formula::constants_of(literal)) {
        if (!it->name.starts_with('=')) out.insert(it->name);
      }
    }
  }
  return out;
}

std::string print(const Machine& machine, const std::string& name, const base::SourceMap& sources,
                  const std::map<std::string, std::string>& spelled, const std::string& indentation) {
  const Printer printer(spelled);
  const std::vector<std::string> names = names_of(machine, sources);
  std::string out = fmt::format("abstract thread {} {{\n", name);
  for (std::size_t n = 0; n < machine.nodes.size(); ++n) {
    const Machine::Node& node = machine.nodes[n];
    out += indentation + (static_cast<int>(n) == machine.initial ? "  initial node " : "          node ") + names[n];
    if (!node.claims.empty()) out += ": assert " + printer.print(machine.pool->and_(node.claims), 1);
    out += ";\n";
  }
  for (const Machine::Edge& it : machine.edges) {
    out += fmt::format("{}  {} -> {}: {};\n", indentation, names[static_cast<std::size_t>(it.from)],
                       names[static_cast<std::size_t>(it.to)], print(machine, it, printer));
  }
  return out + indentation + "}";
}

}  // namespace concord::infer
