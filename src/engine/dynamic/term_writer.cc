#include "engine/dynamic/term_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

namespace concord::engine::dynamic {

using formula::Op;
using formula::Sort;
using formula::SortNode;

namespace {

constexpr std::size_t kShortest = 6;  // that gets a name if it occurs twice, in symbols
constexpr std::size_t kMostNodes = 100000;

}  // namespace

TermWriter::TermWriter(System& system) : system_(system) {
  World& world = system.world();
  names_.emplace(world.none(), "none");
  const plato::Program& program = system.program();
  for (std::size_t c = 0; c < program.consts.size(); ++c) {
    if (program.consts[c].type.kind == plato::Type::Kind::kInt ||
        program.consts[c].type.kind == plato::Type::Kind::kBool)
      names_.emplace(world.constant(static_cast<int>(c)), program.consts[c].name);
  }
  for (const simulation::Part& it : world.parts()) {
    if (it.kind == simulation::Part::Kind::kAlive) continue;
    names_.emplace(it.now, it.name);
    names_.emplace(system.first_value(it), it.name + "@first");
  }
  for (const ThreadClass& of : system.classes()) {
    const auto of_class = [&](const char* head) { return fmt::format("({} {}", head, of.number); };
    if (of.count->op == Op::kConst) names_.emplace(of.count, of_class("count") + ")");
    names_.emplace(system.pool().constant(fmt::format("thread of {}", of.number), system.pool().integer()),
                   of_class("thread") + ")");
    if (!of.declaration->name.empty())
      names_.emplace(world.thread(static_cast<int>(of.number)), of_class("identity") + " 0)");
    functions_.emplace(fmt::format("thread of class {}", of.number), of_class("identity"));
    for (std::size_t p = 0; p < of.orders.size(); ++p) {
      names_.emplace(of.passed[p], fmt::format("(passed {} {})", of.number, p));
      functions_.emplace(of.orders[p].name, fmt::format("(at {} {}", of.number, p));
      functions_.emplace(of.orders[p].inverse, fmt::format("(place {} {}", of.number, p));
    }
    std::map<std::string, int> count;
    for (const plato::Local& it : of.code.locals) ++count[it.name];
    for (std::size_t i = 0; i < of.locals.size(); ++i) {
      const std::string& name = of.code.locals[i].name;
      names_.emplace(of.locals[i],
                     fmt::format("{}.{}{}", of.number, name, count[name] > 1 ? fmt::format("#{}", i) : ""));
    }
  }
}

std::string TermWriter::name(Term constant) const {
  const auto found = names_.find(constant);
  return found == names_.end() ? "" : found->second;
}

std::string TermWriter::text(Term term, const std::vector<Term>& chosen) {
  for (std::size_t i = 0; i < chosen.size(); ++i) names_.insert_or_assign(chosen[i], fmt::format("(any {})", i));
  bound_.clear(), shared_.clear(), order_.clear();
  next_bound_ = 0;
  nodes_ = 0;
  find_shared(term);
  std::string out;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const std::string name = fmt::format("%{}", i + 1);
    out += fmt::format("{}({} {})", i == 0 ? "" : " ", name, print_node(order_[i]));
    shared_.emplace(order_[i], name);
  }
  const std::string body = print(term);
  return order_.empty() ? body : fmt::format("(let ({}) {})", out, body);
}

// Parts that would be written more than once and are longer than a name.
void TermWriter::find_shared(Term term) {
  std::map<Term, int> uses;
  std::vector<Term> order;
  const std::function<void(Term)> visit = [&](Term it) {
    if (uses[it]++ > 0) return;
    for (Term part : it->args) visit(part);
    order.push_back(it);
  };
  visit(term);
  std::map<Term, std::size_t> length;  // if everything were written out
  for (Term it : order) {
    std::size_t& own = length[it];
    for (Term part : it->args) own = std::min(own + length[part], kMostNodes);
    ++own;
    const bool is_shared = uses[it] > 1 && own > kShortest && !it->has_bound && it != term;
    if (!is_shared) continue;
    order_.push_back(it);
    own = 1;
  }
}

std::string TermWriter::print(Term term) {
  const auto shared = shared_.find(term);
  return shared == shared_.end() ? print_node(term) : shared->second;
}

std::string TermWriter::sort(Sort sort) {
  switch (sort->kind) {
    case SortNode::Kind::kBool: return "bool";
    case SortNode::Kind::kInt: return "int";
    case SortNode::Kind::kEnum: return fmt::format("(enum {})", sort->name.substr(std::string("enum ").size()));
    case SortNode::Kind::kArray:
      return fmt::format("(map {} {})", TermWriter::sort(sort->key), TermWriter::sort(sort->value));
    case SortNode::Kind::kUninterpreted: return "tid";
  }
  throw Nameless{};
}

std::string TermWriter::print_node(Term term) {
  if (++nodes_ > kMostNodes) throw Nameless{};  // with bound variables parts have no names
  const auto list = [&](const char* head) {
    std::string out = "(" + std::string(head);
    for (Term it : term->args) out += " " + print(it);
    return out + ")";
  };
  switch (term->op) {
    case Op::kTrue: return "true";
    case Op::kFalse: return "false";
    case Op::kNumber: return std::to_string(term->number);
    case Op::kEnumConst:
      return fmt::format("(enum {} {})", term->sort->name.substr(std::string("enum ").size()),
                         term->sort->constants[static_cast<std::size_t>(term->number)]);
    case Op::kConst: {
      const auto found = names_.find(term);
      if (found == names_.end()) throw Nameless{};
      return found->second;
    }
    case Op::kBound: return bound_.at(term);
    case Op::kApply: return print_apply(term);
    case Op::kNot: return list("not");
    case Op::kAnd: return list("and");
    case Op::kOr: return list("or");
    case Op::kImplies: return list("=>");
    case Op::kIte: return list("ite");
    case Op::kEq: return list("=");
    case Op::kAdd: return list("+");
    case Op::kSub: return list("-");
    case Op::kMul: return list("*");
    case Op::kNeg: return list("neg");
    case Op::kDiv: return list("div");
    case Op::kMod: return list("mod");
    case Op::kLe: return list("<=");
    case Op::kLt: return list("<");
    case Op::kSelect: return list("select");
    case Op::kStore: return list("store");
    case Op::kConstArray: return fmt::format("(everywhere {} {})", sort(term->sort), print(term->args[0]));
    case Op::kForall:
    case Op::kExists: return print_quantifier(term);
  }
  throw Nameless{};
}

std::string TermWriter::print_apply(Term term) {
  if (Sums::is_sum(term)) return print_sum(term);
  const auto found = functions_.find(term->name);
  if (found == functions_.end()) throw Nameless{};
  return fmt::format("{} {})", found->second, print(term->args[0]));
}

std::string TermWriter::print_quantifier(Term term) {
  std::string names;
  for (Term it : term->bound) {
    const std::string name = fmt::format("{}'{}", it->name, next_bound_++);
    bound_.insert_or_assign(it, name);
    names += fmt::format("{}({} {})", names.empty() ? "" : " ", name, sort(it->sort));
  }
  return fmt::format("({} ({}) {})", term->op == Op::kForall ? "forall" : "exists", names, print(term->args[0]));
}

std::string TermWriter::print_sum(Term term) {
  const Term k = system_.pool().bound("k", system_.pool().integer());
  const std::string name = fmt::format("k'{}", next_bound_++);
  bound_.emplace(k, name);
  const std::string low = print(term->args[1]);
  const std::string high = print(term->args[2]);
  return fmt::format("(sum {} {} {} {})", name, low, high, print(system_.sums().entry(term->args[0], k)));
}

}  // namespace concord::engine::dynamic
