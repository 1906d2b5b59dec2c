#include "replay/formulas.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace concord::replay {

using formula::Sort;
using formula::SortNode;

namespace {

std::optional<std::int64_t> integer(const std::string& text) {
  std::int64_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return out;
}

[[noreturn]] void fail(const Item& item, std::string what) { throw Malformed{item.at, std::move(what)}; }

void expect_parts(const Item& item, std::size_t count) {
  if (item.items.size() != count + 1)
    fail(item, fmt::format("{} has {} parts, not {}", item.items.front().text, count, item.items.size() - 1));
}

void expect_sort(const Item& item, Term term, Sort sort) {
  if (term->sort != sort) fail(item, fmt::format("this is of {}, not of {}", to_string(term->sort), to_string(sort)));
}

}  // namespace

Formulas::Formulas(Terms& terms, const std::vector<ThreadClass>& classes, const State& now, const State& first)
    : terms_(terms), classes_(classes) {
  const plato::Program& program = terms.program();
  for (std::size_t c = 0; c < program.consts.size(); ++c) {
    try {
      names_.emplace(program.consts[c].name, terms.constant(static_cast<int>(c)));
    } catch (const NotKnown&) { continue; }
  }
  name_variables(first, "@first");
  name_variables(now, "");
  for (const ThreadClass& of : classes) {
    std::map<std::string, int> count;
    for (const plato::Local& it : of.code.locals) ++count[it.name];
    for (std::size_t i = 0; i < of.code.locals.size(); ++i) {
      const std::string& name = of.code.locals[i].name;
      const std::string full = fmt::format("{}.{}{}", of.number, name, count[name] > 1 ? fmt::format("#{}", i) : "");
      names_.emplace(full, of.locals[i]);
      targets_.emplace(full, of.locals[i]);
    }
  }
  names_.emplace("none", terms.none());
  names_.emplace("true", pool().truth(true));
  names_.emplace("false", pool().truth(false));
}

void Formulas::name_variables(const State& state, const std::string& when) {
  const auto& variables = terms_.program().variables;
  const auto add = [&](const std::string& name, Term term) {
    if (term == nullptr) return;
    names_.emplace(name + when, term);
    if (when.empty()) targets_.emplace(name, term);
  };
  for (std::size_t v = 0; v < variables.size(); ++v) {
    add(variables[v].name, state.value[v]);
    add(variables[v].name + ".holder", state.holder[v]);
    add(variables[v].name + ".depth", state.depth[v]);
  }
}

Term Formulas::formula(const Item& item) {
  const Term out = term(item, {});
  expect_sort(item, out, pool().boolean());
  return out;
}

Term Formulas::target(const Item& item) {
  const auto found = targets_.find(item.text);
  if (item.kind != Item::Kind::kWord || found == targets_.end()) fail(item, "a variable is expected here");
  return found->second;
}

std::int64_t Formulas::number(const Item& item, std::int64_t below) const {
  const auto out = item.kind == Item::Kind::kWord ? integer(item.text) : std::nullopt;
  if (!out || *out < 0 || *out >= below) fail(item, fmt::format("a number below {} is expected here", below));
  return *out;
}

Term Formulas::word(const Item& item, const Scope& scope) {
  if (const auto number = integer(item.text)) return pool().number(*number);
  if (const auto found = scope.find(item.text); found != scope.end()) return found->second;
  if (const auto found = names_.find(item.text); found != names_.end()) return found->second;
  fail(item, "the program has nothing of this name");
}

Term Formulas::term(const Item& item, const Scope& scope) {
  if (item.kind == Item::Kind::kWord) return word(item, scope);
  if (item.kind == Item::Kind::kText || item.items.empty() || item.items.front().kind != Item::Kind::kWord)
    fail(item, "a formula is expected here");
  const std::string& head = item.items.front().text;
  if (head == "forall" || head == "exists") return bind(item, scope);
  if (head == "let") return let(item, scope);
  if (head == "sum") return sum(item, scope);
  if (head == "thread" || head == "count" || head == "passed" || head == "at" || head == "place" ||
      head == "identity" || head == "any") {
    return of_threads(item, scope);
  }
  if (head == "enum") {
    expect_parts(item, 2);
    const auto& enums = terms_.program().enums;
    for (std::size_t e = 0; e < enums.size(); ++e) {
      if (enums[e].name != item.items[1].text) continue;
      plato::Type type = plato::type_of_kind(plato::Type::Kind::kEnum);
      type.name = enums[e].name;
      type.decl = static_cast<int>(e);
      for (std::size_t c = 0; c < enums[e].constants.size(); ++c) {
        if (enums[e].constants[c].name == item.items[2].text)
          return pool().enum_const(terms_.sort(type), static_cast<std::int64_t>(c));
      }
    }
    fail(item, "there is no such enumeration constant");
  }
  if (head == "everywhere") {
    expect_parts(item, 2);
    const Sort whole = sort(item.items[1]);
    const Term value = term(item.items[2], scope);
    if (whole->kind != SortNode::Kind::kArray) fail(item.items[1], "a map is expected here");
    expect_sort(item.items[2], value, whole->value);
    return pool().const_array(whole, value);
  }
  return operation(item, scope);
}

Sort Formulas::sort(const Item& item) {
  if (item.is_list("map") && item.items.size() == 3) return pool().array(sort(item.items[1]), sort(item.items[2]));
  if (item.is_list("enum") && item.items.size() == 2) {
    for (const plato::Enum& it : terms_.program().enums) {
      if (it.name != item.items[1].text) continue;
      std::vector<std::string> constants;
      for (const auto& each : it.constants) constants.push_back(each.name);
      return pool().enumeration("enum " + it.name, constants);
    }
  }
  if (item.text == "int") return pool().integer();
  if (item.text == "bool") return pool().boolean();
  if (item.text == "tid") return terms_.tid();
  fail(item, "a sort is expected here: int, bool, tid, (map KEY VALUE) or (enum NAME)");
}

// (forall ((k int) …) BODY)
Term Formulas::bind(const Item& item, const Scope& outer) {
  expect_parts(item, 2);
  Scope scope = outer;
  std::vector<Term> bound;
  for (const Item& it : item.items[1].items) {
    if (it.items.size() != 2) fail(it, "a name and its sort are expected here");
    bound.push_back(pool().bound(it.items[0].text, sort(it.items[1])));
    scope.insert_or_assign(it.items[0].text, bound.back());
  }
  if (bound.empty()) fail(item, "nothing is bound here");
  const Term body = term(item.items[2], scope);
  expect_sort(item.items[2], body, pool().boolean());
  return item.items.front().text == "forall" ? pool().forall(bound, body) : pool().exists(bound, body);
}

// (let ((NAME TERM) …) BODY): each name is known to those behind it.
Term Formulas::let(const Item& item, Scope scope) {
  expect_parts(item, 2);
  for (const Item& it : item.items[1].items) {
    if (it.items.size() != 2) fail(it, "a name and a term are expected here");
    scope.insert_or_assign(it.items[0].text, term(it.items[1], scope));
  }
  return term(item.items[2], scope);
}

// (sum k LOW HIGH BODY)
Term Formulas::sum(const Item& item, Scope scope) {
  expect_parts(item, 4);
  const Term low = term(item.items[2], scope);
  const Term high = term(item.items[3], scope);
  const Term bound = pool().bound(item.items[1].text, pool().integer());
  scope.insert_or_assign(item.items[1].text, bound);
  const Term body = term(item.items[4], scope);
  expect_sort(item.items[2], low, pool().integer());
  expect_sort(item.items[3], high, pool().integer());
  expect_sort(item.items[4], body, pool().integer());
  if (body->has_quantifier) fail(item.items[4], "there is a quantifier in a sum");
  return terms_.sums().sum(bound, low, high, body);
}

// (thread C) (count C) (passed C P) (at C P PLACE) (place C P THREAD) (identity C THREAD) (any N)
Term Formulas::of_threads(const Item& item, const Scope& scope) {
  const std::string& head = item.items.front().text;
  if (item.items.size() < 2) fail(item, "a number is expected here");
  if (head == "any") {
    expect_parts(item, 1);
    return chosen[static_cast<std::size_t>(number(item.items[1], std::ssize(chosen)))];
  }
  const ThreadClass& of = classes_[static_cast<std::size_t>(number(item.items[1], std::ssize(classes_)))];
  const auto last = [&] {
    const Term out = term(item.items.back(), scope);
    expect_sort(item.items.back(), out, pool().integer());
    return out;
  };
  if (head == "thread") return expect_parts(item, 1), of.thread;
  if (head == "count") return expect_parts(item, 1), of.count;
  if (head == "identity") return expect_parts(item, 2), terms_.identity(of.number, last());
  expect_parts(item, head == "passed" ? 2 : 3);
  const auto p = static_cast<std::size_t>(number(item.items[2], of.positions));
  if (head == "passed") return of.passed[p];
  return pool().apply(head == "at" ? of.orders[p].at : of.orders[p].place, {last()}, pool().integer());
}

Term Formulas::operation(const Item& item, const Scope& scope) {
  const std::string& head = item.items.front().text;
  std::vector<Term> args;
  for (std::size_t i = 1; i < item.items.size(); ++i) args.push_back(term(item.items[i], scope));
  const auto all = [&](Sort sort) {
    for (std::size_t i = 0; i < args.size(); ++i) expect_sort(item.items[i + 1], args[i], sort);
  };
  Pool& p = pool();
  if (head == "and" || head == "or") {
    all(p.boolean());
    return head == "and" ? p.and_(args) : p.or_(args);
  }
  const std::size_t count = head == "not" || head == "neg" ? 1 : head == "ite" || head == "store" ? 3 : 2;
  if (head == "+" && args.size() > 2) {
    all(p.integer());
    Term out = args.front();
    for (std::size_t i = 1; i < args.size(); ++i) out = p.add(out, args[i]);
    return out;
  }
  expect_parts(item, count);
  if (head == "not") return all(p.boolean()), p.not_(args[0]);
  if (head == "=>") return all(p.boolean()), p.implies(args[0], args[1]);
  if (head == "=") return expect_sort(item.items[2], args[1], args[0]->sort), p.eq(args[0], args[1]);
  if (head == "ite") {
    expect_sort(item.items[1], args[0], p.boolean());
    expect_sort(item.items[3], args[2], args[1]->sort);
    return p.ite(args[0], args[1], args[2]);
  }
  if (head == "select" || head == "store") {
    if (args[0]->sort->kind != SortNode::Kind::kArray) fail(item.items[1], "a map is expected here");
    expect_sort(item.items[2], args[1], args[0]->sort->key);
    if (head == "select") return p.select(args[0], args[1]);
    expect_sort(item.items[3], args[2], args[0]->sort->value);
    return p.store(args[0], args[1], args[2]);
  }
  all(p.integer());
  if (head == "+") return p.add(args[0], args[1]);
  if (head == "-") return p.sub(args[0], args[1]);
  if (head == "*") return p.mul(args[0], args[1]);
  if (head == "neg") return p.neg(args[0]);
  if (head == "div") return p.div(args[0], args[1]);
  if (head == "mod") return p.mod(args[0], args[1]);
  if (head == "<=") return p.le(args[0], args[1]);
  if (head == "<") return p.lt(args[0], args[1]);
  fail(item.items.front(), "there is no such operation");
}

}  // namespace concord::replay
