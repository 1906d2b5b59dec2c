#include "replay/system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace concord::replay {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

System::System(const Proof& proof) : program_(proof.program), terms_(proof.program, proof.has_java_ints) {
  if (program_.initialiser >= 0)
    throw NotKnown{program_.procedures[static_cast<std::size_t>(program_.initialiser)].name_range, "`initialised`"};
  if (program_.threads.empty()) throw NotKnown{{}, "a program without threads"};
  find_classes(proof);
  std::vector<const Code*> codes;
  for (const ThreadClass& it : classes_) codes.push_back(&it.code);
  atomicity_.emplace(program_, codes);
  now_ = terms_.state("");
  first_ = terms_.state("@first");
  for (std::size_t v = 0; v < program_.variables.size(); ++v) {
    if (!atomicity_->is_written(static_cast<int>(v))) {
      first_.value[v] = now_.value[v], first_.holder[v] = now_.holder[v], first_.depth[v] = now_.depth[v];
    }
  }
  formulas_ = std::make_unique<Formulas>(terms_, classes_, now_, first_);
  find_given();
  find_steps(proof.part("INVARIANT"));
}

// (CONF (class C (stop NODE POSITION) …) …)
void System::find_classes(const Proof& proof) {
  const Item& conf = proof.part("CONF");
  if (conf.items.size() != program_.threads.size() + 1)
    throw Malformed{conf.at, fmt::format("the program has {} thread declarations", program_.threads.size())};
  for (std::size_t c = 0; c < program_.threads.size(); ++c) {
    classes_.emplace_back();
    ThreadClass& of = classes_.back();
    of.number = static_cast<int>(c);
    of.declaration = &program_.threads[c];
    of.code = code_of(program_, of.declaration->target.index);
    const Item& item = list_at(conf, c + 1);
    if (!item.is_list("class") || number_at(item, 1) != of.number)
      throw Malformed{item.at, fmt::format("(class {} …) is expected here", c)};
    find_stops(of, item);
    name_threads(of, proof.threads);
  }
}

// The first stop is the entry; the end is one. No step leads to a lower position, and the end has the highest.
void System::find_stops(ThreadClass& of, const Item& item) {
  for (std::size_t i = 2; i < item.items.size(); ++i) {
    const Item& stop = list_at(item, i);
    const auto node = static_cast<std::size_t>(number_at(stop, 1));
    const std::int64_t position = number_at(stop, 2);
    if (!stop.is_list("stop") || node >= of.code.nodes.size() ||
        position > static_cast<std::int64_t>(of.code.nodes.size()))
      throw Malformed{stop.at, "(stop NODE POSITION) is expected here, of a node of the code"};
    if (!of.position.emplace(static_cast<int>(node), static_cast<int>(position)).second)
      throw Malformed{stop.at, "this stop is there twice"};
    of.stops.push_back(static_cast<int>(node));
    of.positions = std::max(of.positions, static_cast<int>(position));
  }
  if (of.stops.empty() || of.stops.front() != Code::kEntry || of.position.at(Code::kEntry) != 0)
    throw Malformed{item.at, "the first stop is where threads enter, node 1 at position 0"};
  if (!of.position.contains(Code::kEnd) || of.position.at(Code::kEnd) != of.positions)
    throw Malformed{item.at, "the end, node 0, is a stop, at the last position"};
  for (const auto& [node, position] : of.position) {
    if (node != Code::kEnd && position == of.positions)
      throw Malformed{item.at, "only the end is at the last position"};
  }
}

void System::name_threads(ThreadClass& of, std::optional<std::int64_t> fixed) {
  bool is_free = true;  // nothing says how many there are
  switch (of.declaration->count) {
    case Thread::Count::kNumber:
      of.count = pool().number(of.declaration->number);
      is_free = false;
      break;
    case Thread::Count::kUnbounded:
      of.count = pool().constant(fmt::format("threads {}", of.number), pool().integer());
      break;
    case Thread::Count::kSymbol: {
      of.count = terms_.constant(of.declaration->const_index);
      const Const& count = program_.consts[static_cast<std::size_t>(of.declaration->const_index)];
      if (!count.value) break;
      const Term value = Meaning(terms_, {}).value(*count.value);
      of.count = pool().ite(pool().le(pool().number(0), value), value, pool().number(0));
      is_free = false;
    }
  }
  if (fixed && is_free) given_.push_back(pool().eq(of.count, pool().number(*fixed)));
  of.thread = pool().constant(fmt::format("thread {}", of.number), pool().integer());
  for (int p = 0; p < of.positions; ++p) {
    of.passed.push_back(pool().constant(fmt::format("passed {} {}", of.number, p), pool().integer()));
    of.orders.push_back({fmt::format("at {} {}", of.number, p), fmt::format("place {} {}", of.number, p), of.count});
    terms_.sums().add(of.orders.back());
  }
  for (std::size_t i = 0; i < of.code.locals.size(); ++i) {
    of.locals.push_back(pool().constant(fmt::format("local {} {}", of.number, i), terms_.sort(of.code.locals[i].type)));
  }
}

// ---------------------------------------------------------------------------------------------------------- first state

// What types say of values, in any state.
void System::say_types(const State& state) {
  for (std::size_t v = 0; v < program_.variables.size(); ++v) {
    const Type& type = program_.variables[v].type;
    const Term value = state.value[v];
    if (value == nullptr) continue;
    if (type.kind == Type::Kind::kInt) given_.push_back(terms_.within(value, type));
    if (type.kind != Type::Kind::kMap || type.second->kind != Type::Kind::kInt) continue;
    const Term key = pool().bound("key", terms_.sort(*type.first));
    const Term within = terms_.within(pool().select(value, key), *type.second);
    if (within != pool().truth(true)) given_.push_back(pool().forall({key}, within));
  }
}

// The value at first. What cannot be said leaves more states to begin in.
void System::say_first(std::size_t variable) {
  const Variable& it = program_.variables[variable];
  if (it.init && std::holds_alternative<Star>(it.init->node)) return;
  const auto equal = [&](Term first, Term value) { given_.push_back(pool().eq(first, value)); };
  try {
    if (Terms::has_monitors(it.type)) {
      equal(first_.holder[variable], terms_.default_value(it.type, Half::kHolder));
      equal(first_.depth[variable], terms_.default_value(it.type, Half::kDepth));
    } else if (first_.value[variable] != nullptr) {
      Meaning m(terms_, {&first_, nullptr, nullptr, nullptr});
      equal(first_.value[variable], it.init ? m.value_as(*it.init, it.type) : terms_.default_value(it.type));
    }
  } catch (const NotKnown&) { return; }
}

void System::find_given() {
  for (std::size_t v = 0; v < program_.variables.size(); ++v) say_first(v);
  for (const Clause& clause : program_.clauses) {
    if (clause.kind != Clause::Kind::kInitially) continue;
    try {
      Meaning m(terms_, {&first_, nullptr, nullptr, nullptr});
      const Term holds = m.value(*clause.predicate.predicate);
      if (m.conditions.empty()) given_.push_back(holds);  // of one without a value nothing is said
    } catch (const NotKnown&) { continue; }
  }
  say_types(now_);
  say_types(first_);
  for (std::size_t c = 0; c < program_.consts.size(); ++c) {
    const Type& type = program_.consts[c].type;
    if (type.kind == Type::Kind::kInt && !program_.consts[c].value)
      given_.push_back(terms_.within(terms_.constant(static_cast<int>(c)), type));
  }
  for (const ThreadClass& of : classes_) {
    Term more = of.count;
    for (Term passed : of.passed) {
      given_.push_back(pool().le(passed, more));
      more = passed;
    }
    given_.push_back(pool().le(pool().number(0), more));
    given_.push_back(pool().le(pool().number(0), of.count));
  }
  std::erase(given_, pool().truth(true));
}

formula::Substitution System::first() {
  formula::Substitution out;
  const auto both = [&](Term now, Term first) {
    if (now != first) out.emplace(now, first);
  };
  for (std::size_t v = 0; v < program_.variables.size(); ++v) {
    both(now_.value[v], first_.value[v]), both(now_.holder[v], first_.holder[v]), both(now_.depth[v], first_.depth[v]);
  }
  for (const ThreadClass& of : classes_) {
    for (Term passed : of.passed) out.emplace(passed, pool().number(0));
  }
  return out;
}

formula::Substitution System::last() const {
  formula::Substitution out;
  for (const ThreadClass& of : classes_) {
    for (Term passed : of.passed) out.emplace(passed, of.count);
  }
  return out;
}

Term System::clause(const Expr& expr) { return Meaning(terms_, {&now_, nullptr, nullptr, nullptr}).clause(expr); }

// ---------------------------------------------------------------------------------------------------------------- steps

std::vector<Term> System::stands(const ThreadClass& of, int stop, Term thread) {
  std::vector<Term> out{pool().le(pool().number(0), thread), pool().lt(thread, of.count)};
  const auto here = static_cast<std::size_t>(of.position.at(stop));
  for (std::size_t p = 0; p < of.orders.size(); ++p) {
    const Term has_passed = pool().lt(pool().apply(of.orders[p].place, {thread}, pool().integer()), of.passed[p]);
    out.push_back(p < here ? has_passed : pool().not_(has_passed));
  }
  if (stop != Code::kEnd) out.push_back(pool().lt(of.passed[here], here == 0 ? of.count : of.passed[here - 1]));
  return out;
}

std::vector<Term> System::passes(const Step& step) {
  std::vector<Term> out;
  for (auto p = static_cast<std::size_t>(step.from); p < static_cast<std::size_t>(step.to); ++p) {
    const Permutation& order = step.of->orders[p];
    const Term passed = step.of->passed[p];
    out.push_back(pool().eq(pool().apply(order.at, {passed}, pool().integer()), step.of->thread));
    out.push_back(pool().eq(pool().apply(order.place, {step.of->thread}, pool().integer()), passed));
  }
  return out;
}

// Parameters are never assigned to.
std::vector<Term> System::locals_at(const ThreadClass& of, int stop, Term thread, const std::string& prefix) {
  std::vector<Term> out = entered_locals(terms_, of, thread, first_);
  if (stop == Code::kEntry) return out;
  for (std::size_t i = of.entered(program_).parameters.size(); i < out.size(); ++i) {
    out[i] = prefix.empty() ? of.locals[i] : pool().constant(prefix + of.locals[i]->name, of.locals[i]->sort);
  }
  return out;
}

// (STEP C (way NODE.EDGE …) …): the edges follow each other, from a stop to a stop.
Way System::way_of(const ThreadClass& of, const Item& item) const {
  Way out;
  for (std::size_t i = 1; i < item.items.size(); ++i) {
    const std::string& word = word_at(item, i);
    const int node = out.edges.empty() ? std::atoi(word.c_str()) : out.to();
    const bool is_node = node >= 0 && static_cast<std::size_t>(node) < of.code.nodes.size();
    const Edge* found = nullptr;
    for (std::size_t e = 0; is_node && e < of.code.nodes[static_cast<std::size_t>(node)].size(); ++e) {
      if (word == fmt::format("{}.{}", node, e)) found = &of.code.nodes[static_cast<std::size_t>(node)][e];
    }
    if (found == nullptr) throw Malformed{item.items[i].at, "the code has no such edge here"};
    out.nodes.push_back(node);
    out.edges.push_back(found);
  }
  if (out.edges.empty()) throw Malformed{item.at, "a way has an edge"};
  out.from = out.nodes.front();
  if (!of.position.contains(out.from) || !of.position.contains(out.to()))
    throw Malformed{item.at, "a way leads from one stop to another"};
  return out;
}

Step System::step_of(const ThreadClass& of, Way way) {
  Step out;
  out.of = &of;
  out.seen = atomicity_->look(static_cast<std::size_t>(of.number), way);
  out.from = of.position.at(way.from);
  out.to = of.position.at(way.to());
  out.locals = locals_at(of, way.from, of.thread, "");
  out.update = take(terms_, of, of.thread, now_, out.locals, way.edges);
  const auto both = [&](Term before, Term after) {
    if (before != nullptr && before != after) out.after.emplace(before, after);
  };
  for (std::size_t v = 0; v < program_.variables.size(); ++v) {
    both(now_.value[v], out.update.state.value[v]);
    both(now_.holder[v], out.update.state.holder[v]);
    both(now_.depth[v], out.update.state.depth[v]);
  }
  for (int p = out.from; p < out.to; ++p) {
    const Term passed = of.passed[static_cast<std::size_t>(p)];
    out.after.emplace(passed, pool().add(passed, pool().number(1)));
  }
  out.way = std::move(way);
  return out;
}

void System::find_steps(const Item& invariant) {
  for (const Item& it : invariant.items) {
    if (!it.is_list("STEP")) continue;
    const auto number = static_cast<std::size_t>(number_at(it, 1));
    if (number >= classes_.size()) throw Malformed{it.items[1].at, "there is no such class of threads"};
    const ThreadClass& of = classes_[number];
    Way way = way_of(of, list_at(it, 2));
    for (const Step& other : steps_) {
      if (other.way.edges == way.edges) throw Malformed{it.at, "this step is there twice"};
    }
    steps_.push_back(step_of(of, std::move(way)));
    steps_.back().item = &it;
  }
  find_missing();
}

void System::find_missing() {
  for (const ThreadClass& of : classes_) {
    for (const int stop : of.stops) {
      std::vector<const Way*> ways;
      for (const Step& it : steps_) {
        if (it.of == &of && it.way.from == stop) ways.push_back(&it.way);
      }
      if (stop == Code::kEnd) continue;
      for (const Way& it : not_among(of.code, stop, ways)) {
        std::string words;
        for (std::size_t i = 0; i < it.edges.size(); ++i) {
          const auto& node = of.code.nodes[static_cast<std::size_t>(it.nodes[i])];
          words += fmt::format(" {}.{}", it.nodes[i], it.edges[i] - node.data());
        }
        missing_.push_back(fmt::format("(STEP {} (way{} …) …)", of.number, words));
      }
    }
  }
}

}  // namespace concord::replay
