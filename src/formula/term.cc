#include "formula/term.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "base/check.h"

namespace concord::formula {

// ----------------------------------------------------------------------------------------------------------- hash-consing

namespace {

void mix(std::size_t& seed, std::size_t value) { seed ^= value + 0x9e3779b97f4a7c15ULL + (seed << 6U) + (seed >> 2U); }

std::size_t hash_of(const void* pointer) { return std::hash<const void*>{}(pointer); }

bool is_value(Term term) {
  return term->op == Op::kNumber || term->op == Op::kEnumConst || term->op == Op::kTrue || term->op == Op::kFalse;
}

// Two values of the same sort that are not the same term are different.
bool surely_different(Term a, Term b) { return a != b && is_value(a) && is_value(b); }

}  // namespace

std::size_t Pool::Hash::operator()(const Node* node) const {
  std::size_t seed = static_cast<std::size_t>(node->op);
  mix(seed, hash_of(node->sort));
  mix(seed, static_cast<std::size_t>(node->number));
  mix(seed, std::hash<std::string>{}(node->name));
  for (Term it : node->args) mix(seed, hash_of(it));
  for (Term it : node->bound) mix(seed, hash_of(it));
  return seed;
}

bool Pool::Equal::operator()(const Node* a, const Node* b) const {
  return a->op == b->op && a->sort == b->sort && a->number == b->number && a->args == b->args && a->name == b->name &&
         a->bound == b->bound && a->patterns == b->patterns;
}

Pool::Pool() {
  const auto add = [&](SortNode::Kind kind) {
    sorts_.push_back(std::make_unique<SortNode>());
    sorts_.back()->kind = kind;
    return sorts_.back().get();
  };
  bool_ = add(SortNode::Kind::kBool);
  int_ = add(SortNode::Kind::kInt);
  true_ = make(Op::kTrue, bool_, {});
  false_ = make(Op::kFalse, bool_, {});
}

Term Pool::make(Node node) {
  const auto found = table_.find(&node);
  if (found != table_.end()) return *found;
  node.id = static_cast<std::uint32_t>(nodes_.size());
  node.has_quantifier = node.op == Op::kForall || node.op == Op::kExists;
  node.has_bound = node.op == Op::kBound;
  for (Term it : node.args) {
    node.has_quantifier = node.has_quantifier || it->has_quantifier;
    node.has_bound = node.has_bound || it->has_bound;
  }
  nodes_.push_back(std::make_unique<Node>(std::move(node)));
  table_.insert(nodes_.back().get());
  return nodes_.back().get();
}

Term Pool::make(Op op, Sort sort, std::vector<Term> args) {
  Node node{};
  node.op = op;
  node.sort = sort;
  node.args = std::move(args);
  return make(std::move(node));
}

// ------------------------------------------------------------------------------------------------------------------ sorts

Sort Pool::uninterpreted(const std::string& name) { return enumeration(name, {}); }

Sort Pool::enumeration(const std::string& name, const std::vector<std::string>& constants) {
  Sort& sort = named_sorts_[name];
  if (sort == nullptr) {
    auto node = std::make_unique<SortNode>();
    node->kind = constants.empty() ? SortNode::Kind::kUninterpreted : SortNode::Kind::kEnum;
    node->name = name;
    node->constants = constants;
    sort = node.get();
    sorts_.push_back(std::move(node));
  }
  CONCORD_CHECK(sort->constants == constants, "two sorts of one name: " + name);
  return sort;
}

Sort Pool::array(Sort key, Sort value) {
  Sort& sort = array_sorts_[{key, value}];
  if (sort == nullptr) {
    auto node = std::make_unique<SortNode>();
    node->kind = SortNode::Kind::kArray;
    node->key = key;
    node->value = value;
    sort = node.get();
    sorts_.push_back(std::move(node));
  }
  return sort;
}

// ------------------------------------------------------------------------------------------------------------------ atoms

Term Pool::number(std::int64_t value) {
  Node node{};
  node.op = Op::kNumber;
  node.sort = int_;
  node.number = value;
  return make(std::move(node));
}

Term Pool::enum_const(Sort sort, std::int64_t which) {
  CONCORD_CHECK(
      sort->kind == SortNode::Kind::kEnum && which >= 0 && which < static_cast<std::int64_t>(sort->constants.size()),
      "no such constant of an enumeration");
  Node node{};
  node.op = Op::kEnumConst;
  node.sort = sort;
  node.number = which;
  return make(std::move(node));
}

Term Pool::constant(const std::string& name, Sort sort) {
  Node node{};
  node.op = Op::kConst;
  node.sort = sort;
  node.name = name;
  return make(std::move(node));
}

Term Pool::fresh(const std::string& name, Sort sort) {
  return constant(name + "!" + std::to_string(next_name_++), sort);
}

Term Pool::bound(const std::string& name, Sort sort) {
  Node node{};
  node.op = Op::kBound;
  node.sort = sort;
  node.name = name + "!" + std::to_string(next_name_++);
  return make(std::move(node));
}

Term Pool::apply(const std::string& function, const std::vector<Term>& args, Sort result) {
  Node node{};
  node.op = Op::kApply;
  node.sort = result;
  node.name = function;
  node.args = args;
  return make(std::move(node));
}

// --------------------------------------------------------------------------------------------------------------- formulas

Term Pool::not_(Term a) {
  if (a == true_) return false_;
  if (a == false_) return true_;
  if (a->op == Op::kNot) return a->args[0];
  return make(Op::kNot, bool_, {a});
}

// Conjunction and disjunction: flat, without repetition, in the order given.
Term Pool::junction(Op op, const std::vector<Term>& parts) {
  const Term neutral = truth(op == Op::kAnd);
  const Term absorbing = truth(op == Op::kOr);
  std::vector<Term> flat;
  std::unordered_set<Term> seen;
  for (Term part : parts) {
    const std::vector<Term> one{part};
    for (Term it : part->op == op ? part->args : one) {
      if (it == absorbing || seen.contains(not_(it))) return absorbing;
      if (it != neutral && seen.insert(it).second) flat.push_back(it);
    }
  }
  if (flat.empty()) return neutral;
  if (flat.size() == 1) return flat[0];
  return make(op, bool_, std::move(flat));
}

Term Pool::and_(const std::vector<Term>& parts) { return junction(Op::kAnd, parts); }
Term Pool::or_(const std::vector<Term>& parts) { return junction(Op::kOr, parts); }

Term Pool::implies(Term a, Term b) {
  if (a == true_) return b;
  if (a == false_ || b == true_ || a == b) return true_;
  if (b == false_) return not_(a);
  return make(Op::kImplies, bool_, {a, b});
}

Term Pool::ite(Term condition, Term then, Term otherwise) {
  if (condition == true_ || then == otherwise) return then;
  if (condition == false_) return otherwise;
  if (then->sort == bool_) {
    if (then == true_) return or_(condition, otherwise);
    if (then == false_) return and_(not_(condition), otherwise);
    if (otherwise == true_) return implies(condition, then);
    if (otherwise == false_) return and_(condition, then);
  }
  return make(Op::kIte, then->sort, {condition, then, otherwise});
}

Term Pool::eq(Term a, Term b) {
  CONCORD_CHECK(a->sort == b->sort, "an equation between different sorts: " + to_string(a) + " and " + to_string(b));
  if (a == b) return true_;
  if (surely_different(a, b)) return false_;
  if (a->sort == bool_) {
    if (a == true_) return b;
    if (b == true_) return a;
    if (a == false_) return not_(b);
    if (b == false_) return not_(a);
  }
  if (b->id < a->id) std::swap(a, b);
  return make(Op::kEq, bool_, {a, b});
}

Term Pool::quantifier(Op op, std::vector<Term> bound, Term body, std::vector<std::vector<Term>> patterns) {
  if (body == true_ || body == false_ || bound.empty()) return body;
  Node node{};
  node.op = op;
  node.sort = bool_;
  node.args = {body};
  node.bound = std::move(bound);
  node.patterns = std::move(patterns);
  return make(std::move(node));
}

Term Pool::forall(std::vector<Term> bound, Term body, std::vector<std::vector<Term>> patterns) {
  return quantifier(Op::kForall, std::move(bound), body, std::move(patterns));
}

Term Pool::exists(std::vector<Term> bound, Term body, std::vector<std::vector<Term>> patterns) {
  return quantifier(Op::kExists, std::move(bound), body, std::move(patterns));
}

// ----------------------------------------------------------------------------------------------------- integers and arrays

namespace {

// The result of an operation on two numbers, unless it does not fit.
std::optional<std::int64_t> folded(Op op, Term a, Term b) {
  if (a->op != Op::kNumber || b->op != Op::kNumber) return {};
  std::int64_t result = 0;
  const bool overflow = op == Op::kAdd   ? __builtin_add_overflow(a->number, b->number, &result)
                        : op == Op::kSub ? __builtin_sub_overflow(a->number, b->number, &result)
                                         : __builtin_mul_overflow(a->number, b->number, &result);
  if (overflow) return {};
  return result;
}

bool is_number(Term term, std::int64_t value) { return term->op == Op::kNumber && term->number == value; }

}  // namespace

Term Pool::add(Term a, Term b) {
  if (is_number(a, 0)) return b;
  if (is_number(b, 0)) return a;
  if (const auto result = folded(Op::kAdd, a, b)) return number(*result);
  return make(Op::kAdd, int_, {a, b});
}

Term Pool::sub(Term a, Term b) {
  if (is_number(b, 0)) return a;
  if (a == b) return number(0);
  if (const auto result = folded(Op::kSub, a, b)) return number(*result);
  return make(Op::kSub, int_, {a, b});
}

Term Pool::mul(Term a, Term b) {
  if (is_number(a, 1)) return b;
  if (is_number(b, 1)) return a;
  if (const auto result = folded(Op::kMul, a, b)) return number(*result);
  return make(Op::kMul, int_, {a, b});
}

Term Pool::neg(Term a) {
  if (a->op == Op::kNumber && a->number != INT64_MIN) return number(-a->number);
  return make(Op::kNeg, int_, {a});
}

Term Pool::div(Term a, Term b) { return make(Op::kDiv, int_, {a, b}); }
Term Pool::mod(Term a, Term b) { return make(Op::kMod, int_, {a, b}); }

Term Pool::le(Term a, Term b) {
  if (a == b) return true_;
  if (a->op == Op::kNumber && b->op == Op::kNumber) return truth(a->number <= b->number);
  return make(Op::kLe, bool_, {a, b});
}

Term Pool::lt(Term a, Term b) {
  if (a == b) return false_;
  if (a->op == Op::kNumber && b->op == Op::kNumber) return truth(a->number < b->number);
  return make(Op::kLt, bool_, {a, b});
}

Term Pool::select(Term array, Term key) {
  CONCORD_CHECK(array->sort->kind == SortNode::Kind::kArray && array->sort->key == key->sort, "select: wrong sorts");
  while (array->op == Op::kStore && surely_different(array->args[1], key)) array = array->args[0];
  if (array->op == Op::kStore && array->args[1] == key) return array->args[2];
  if (array->op == Op::kConstArray) return array->args[0];
  return make(Op::kSelect, array->sort->value, {array, key});
}

Term Pool::store(Term array, Term key, Term value) {
  CONCORD_CHECK(
      array->sort->kind == SortNode::Kind::kArray && array->sort->key == key->sort && array->sort->value == value->sort,
      "store: wrong sorts");
  if (array->op == Op::kStore && array->args[1] == key) array = array->args[0];
  return make(Op::kStore, array->sort, {array, key, value});
}

Term Pool::const_array(Sort sort, Term value) {
  CONCORD_CHECK(sort->kind == SortNode::Kind::kArray && sort->value == value->sort, "constant array: wrong sorts");
  return make(Op::kConstArray, sort, {value});
}

// ----------------------------------------------------------------------------------------------------------- substitution

namespace {

// What was a pattern may be none any more: it must still mention all the variables, and no connective.
bool is_pattern(const std::vector<Term>& parts, const std::vector<Term>& bound) {
  std::unordered_set<Term> seen;
  std::vector<Term> open = parts;
  while (!open.empty()) {
    const Term top = open.back();
    open.pop_back();
    if (!seen.insert(top).second) continue;
    switch (top->op) {
      case Op::kNot:
      case Op::kAnd:
      case Op::kOr:
      case Op::kImplies:
      case Op::kIte:
      case Op::kEq:
      case Op::kForall:
      case Op::kExists: return false;
      default: break;
    }
    open.insert(open.end(), top->args.begin(), top->args.end());
  }
  const auto is_call = [](Term it) { return !it->args.empty(); };
  return std::all_of(parts.begin(), parts.end(), is_call) &&
         std::all_of(bound.begin(), bound.end(), [&](Term it) { return seen.contains(it); });
}

}  // namespace

Term Pool::rebuild(Term term, const std::vector<Term>& args, const Substitution& by) {
  switch (term->op) {
    case Op::kTrue:
    case Op::kFalse:
    case Op::kNumber:
    case Op::kEnumConst:
    case Op::kConst:
    case Op::kBound: return term;
    case Op::kApply: return apply(term->name, args, term->sort);
    case Op::kNot: return not_(args[0]);
    case Op::kAnd: return and_(args);
    case Op::kOr: return or_(args);
    case Op::kImplies: return implies(args[0], args[1]);
    case Op::kIte: return ite(args[0], args[1], args[2]);
    case Op::kEq: return eq(args[0], args[1]);
    case Op::kAdd: return add(args[0], args[1]);
    case Op::kSub: return sub(args[0], args[1]);
    case Op::kMul: return mul(args[0], args[1]);
    case Op::kNeg: return neg(args[0]);
    case Op::kDiv: return div(args[0], args[1]);
    case Op::kMod: return mod(args[0], args[1]);
    case Op::kLe: return le(args[0], args[1]);
    case Op::kLt: return lt(args[0], args[1]);
    case Op::kSelect: return select(args[0], args[1]);
    case Op::kStore: return store(args[0], args[1], args[2]);
    case Op::kConstArray: return const_array(term->sort, args[0]);
    case Op::kForall:
    case Op::kExists: {
      std::vector<std::vector<Term>> patterns;
      for (const auto& pattern : term->patterns) {
        std::vector<Term> parts;
        parts.reserve(pattern.size());
        for (Term it : pattern) parts.push_back(substitute(it, by));
        if (is_pattern(parts, term->bound)) patterns.push_back(std::move(parts));
      }
      return quantifier(term->op, term->bound, args[0], std::move(patterns));
    }
  }
  base::internal_error(__FILE__, __LINE__, "unknown operator");
}

// Without recursion: formulas of long programs are deep.
Term Pool::substitute(Term term, const Substitution& by) {
  std::unordered_map<Term, Term> done;
  std::vector<Term> open{term};
  while (!open.empty()) {
    const Term top = open.back();
    if (done.contains(top)) {
      open.pop_back();
      continue;
    }
    if (const auto found = by.find(top); found != by.end()) {
      done[top] = found->second;
      open.pop_back();
      continue;
    }
    bool ready = true;
    for (Term it : top->args) {
      if (done.contains(it)) continue;
      open.push_back(it);
      ready = false;
    }
    if (!ready) continue;
    std::vector<Term> args;
    args.reserve(top->args.size());
    for (Term it : top->args) args.push_back(done.at(it));
    done[top] = args == top->args && top->bound.empty() ? top : rebuild(top, args, by);
    open.pop_back();
  }
  return done.at(term);
}

// ---------------------------------------------------------------------------------------------------------------- queries

std::vector<Term> constants_of(Term term) {
  std::vector<Term> found;
  std::unordered_set<Term> seen{term};
  std::vector<Term> open{term};
  while (!open.empty()) {
    const Term top = open.back();
    open.pop_back();
    if (top->op == Op::kConst) found.push_back(top);
    for (Term it : top->args) {
      if (seen.insert(it).second) open.push_back(it);
    }
  }
  std::sort(found.begin(), found.end(), [](Term a, Term b) { return a->id < b->id; });
  return found;
}

std::vector<Term> conjuncts(Term term) { return term->op == Op::kAnd ? term->args : std::vector<Term>{term}; }

namespace {

const char* symbol(Op op) {
  switch (op) {
    case Op::kTrue: return "true";
    case Op::kFalse: return "false";
    case Op::kNot: return "not";
    case Op::kAnd: return "and";
    case Op::kOr: return "or";
    case Op::kImplies: return "=>";
    case Op::kIte: return "ite";
    case Op::kEq: return "=";
    case Op::kAdd: return "+";
    case Op::kSub:
    case Op::kNeg: return "-";
    case Op::kMul: return "*";
    case Op::kDiv: return "div";
    case Op::kMod: return "mod";
    case Op::kLe: return "<=";
    case Op::kLt: return "<";
    case Op::kSelect: return "select";
    case Op::kStore: return "store";
    case Op::kConstArray: return "everywhere";
    case Op::kForall: return "forall";
    case Op::kExists: return "exists";
    case Op::kNumber:
    case Op::kEnumConst:
    case Op::kConst:
    case Op::kBound:
    case Op::kApply: return "";
  }
  return "";
}

std::string head(Term term) {
  switch (term->op) {
    case Op::kNumber: return std::to_string(term->number);
    case Op::kEnumConst: return term->sort->constants[static_cast<std::size_t>(term->number)];
    case Op::kConst:
    case Op::kBound:
    case Op::kApply: return term->name;
    default: return symbol(term->op);
  }
}

}  // namespace

std::string to_string(Sort sort) {
  switch (sort->kind) {
    case SortNode::Kind::kBool: return "Bool";
    case SortNode::Kind::kInt: return "Int";
    case SortNode::Kind::kUninterpreted:
    case SortNode::Kind::kEnum: return sort->name;
    case SortNode::Kind::kArray: return "(Array " + to_string(sort->key) + " " + to_string(sort->value) + ")";
  }
  return "";
}

std::string to_string(Term term) {
  if (term->args.empty()) return head(term);
  std::string text = "(" + head(term);
  if (!term->bound.empty()) {
    text += " (";
    for (std::size_t i = 0; i < term->bound.size(); ++i) {
      text += (i == 0 ? "(" : " (") + term->bound[i]->name + " " + to_string(term->bound[i]->sort) + ")";
    }
    text += ")";
  }
  for (Term it : term->args) text += " " + to_string(it);
  return text + ")";
}

}  // namespace concord::formula
