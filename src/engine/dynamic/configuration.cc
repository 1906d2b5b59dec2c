#include "engine/dynamic/configuration.h"

#include <fmt/format.h>

#include <unordered_set>

namespace concord::engine::dynamic {

using formula::Op;
using plato::Thread;

namespace {

constexpr int kRounds = 3;

void find_applications(Term term, std::vector<Term>& out, std::unordered_set<Term>& seen) {
  if (!seen.insert(term).second) return;
  for (Term it : term->args) find_applications(it, out, seen);
  if (term->op == Op::kApply && term->args.size() == 1 && !term->has_bound) out.push_back(term);
}

std::string identity_name(std::size_t number) { return fmt::format("thread of class {}", number); }
std::string number_name(std::size_t number) { return fmt::format("number in class {}", number); }
constexpr const char* kClassOf = "class of thread";

}  // namespace

Configuration::Configuration(World& world, std::vector<ThreadClass>& classes, std::optional<std::int64_t> fixed)
    : world_(world), classes_(classes) {
  const plato::Program& program = world.program();
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    ThreadClass& it = classes_[c];
    it.number = c;
    const plato::Procedure& entered = program.procedures[static_cast<std::size_t>(it.declaration->target.index)];
    switch (it.declaration->count) {
      case Thread::Count::kNumber: it.count = pool().number(it.declaration->number); break;
      case Thread::Count::kSymbol: {
        const plato::Const& count = program.consts[static_cast<std::size_t>(it.declaration->const_index)];
        simulation::Encoder encoder(world_, {});
        it.count = world_.constant(it.declaration->const_index);
        if (!count.value) break;
        // One that is worked out may be negative; then there are none.
        const Term value = encoder.value(*count.value);
        it.count = pool().ite(pool().le(pool().number(0), value), value, pool().number(0));
        break;
      }
      case Thread::Count::kUnbounded:
        it.count = pool().constant("threads of " + entered.name + " " + std::to_string(c), pool().integer());
        break;
    }
    if (fixed && it.count->op == Op::kConst) {
      given_.push_back(pool().eq(it.count, pool().number(*fixed)));
      assumptions.push_back(fmt::format("{} {} of {}", *fixed, *fixed == 1 ? "thread" : "threads", entered.name));
    }
    for (int p = 0; p < it.positions.count; ++p) {
      it.orders.push_back({fmt::format("order {} {}", c, p), fmt::format("place {} {}", c, p), it.count});
      it.passed.push_back(pool().constant(fmt::format("passed {} {}", c, p), pool().integer()));
    }
    for (std::size_t i = 0; i < it.code.locals.size(); ++i) {
      it.locals.push_back(pool().constant(fmt::format("local {} {} {}", c, i, it.code.locals[i].name),
                                          world_.sort(it.code.locals[i].type)));
    }
  }
}

Term Configuration::identity(const ThreadClass& of, Term index) const {
  return pool().apply(identity_name(of.number), {index}, world_.tid());
}

Term Configuration::has_passed(const ThreadClass& of, std::size_t position, Term thread) const {
  return pool().lt(place(of.orders[position], thread), of.passed[position]);
}

std::vector<Term> Configuration::counts() const {
  std::vector<Term> out = given_;
  for (const ThreadClass& it : classes_) {
    out.push_back(pool().le(pool().number(0), it.count));
    Term more = it.count;
    for (Term passed : it.passed) {
      out.push_back(pool().le(passed, more));
      more = passed;
    }
    out.push_back(pool().le(pool().number(0), more));
  }
  return out;
}

std::vector<Term> Configuration::stands(const ThreadClass& of, int at, Term thread) const {
  std::vector<Term> out{pool().le(pool().number(0), thread), pool().lt(thread, of.count)};
  for (int p = 0; p < of.positions.count; ++p) {
    const Term passed = has_passed(of, static_cast<std::size_t>(p), thread);
    out.push_back(p < at ? passed : pool().not_(passed));
  }
  // Somebody stands there: as many as have passed the one before and not this one.
  const auto here = static_cast<std::size_t>(at);
  const Term before = at == 0 ? of.count : of.passed[here - 1];
  out.push_back(pool().lt(of.passed[here], before));
  return out;
}

std::vector<Term> Configuration::passes(const ThreadClass& of, int from, int to, Term thread) const {
  std::vector<Term> out;
  for (auto p = static_cast<std::size_t>(from); p < static_cast<std::size_t>(to); ++p) {
    out.push_back(pool().eq(at_place(of.orders[p], of.passed[p]), thread));
    out.push_back(pool().eq(place(of.orders[p], thread), of.passed[p]));
  }
  return out;
}

formula::Substitution Configuration::after(const ThreadClass& of, int from, int to) const {
  formula::Substitution out;
  for (auto p = static_cast<std::size_t>(from); p < static_cast<std::size_t>(to); ++p) {
    out.emplace(of.passed[p], pool().add(of.passed[p], pool().number(1)));
  }
  return out;
}

formula::Substitution Configuration::first() const {
  formula::Substitution out;
  for (const ThreadClass& it : classes_) {
    for (Term passed : it.passed) out.emplace(passed, pool().number(0));
  }
  return out;
}

formula::Substitution Configuration::last() const {
  formula::Substitution out;
  for (const ThreadClass& it : classes_) {
    for (Term passed : it.passed) out.emplace(passed, it.count);
  }
  return out;
}

std::vector<Term> Configuration::neighbours(Term number) const {
  std::vector<Term> out;
  if (number->sort != pool().integer()) return out;
  for (const ThreadClass& it : classes_) {
    for (const Order& order : it.orders) out.push_back(place(order, number)), out.push_back(at_place(order, number));
  }
  return out;
}

// Permutation axioms: what is at its place, and where what is at a place is. Interplay: who has passed a position has passed
// the one before.
void Configuration::about(Term application, std::vector<Term>& out) const {
  const Term argument = application->args.front();
  for (const ThreadClass& it : classes_) {
    const auto in_range = [&](Term k) { return pool().and_(pool().le(pool().number(0), k), pool().lt(k, it.count)); };
    for (std::size_t p = 0; p < it.orders.size(); ++p) {
      const Order& order = it.orders[p];
      if (application->name == order.name) {
        const Term back = pool().eq(place(order, application), argument);
        out.push_back(pool().implies(in_range(argument), pool().and_(in_range(application), back)));
      }
      if (application->name != order.inverse) continue;
      const Term back = pool().eq(at_place(order, application), argument);
      out.push_back(pool().implies(in_range(argument), pool().and_(in_range(application), back)));
      if (p > 0) {
        const Term earlier = has_passed(it, p - 1, argument);
        out.push_back(pool().implies(pool().and_(in_range(argument), has_passed(it, p, argument)), earlier));
      }
    }
    if (application->name == identity_name(it.number)) {
      out.push_back(pool().ne(application, world_.none()));
      out.push_back(pool().eq(pool().apply(number_name(it.number), {application}, pool().integer()), argument));
      out.push_back(pool().eq(pool().apply(kClassOf, {application}, pool().integer()),
                              pool().number(static_cast<std::int64_t>(it.number))));
    }
  }
}

std::vector<Term> Configuration::axioms(const std::vector<Term>& formulas) const {
  std::vector<Term> out;
  std::vector<Term> applications;
  std::unordered_set<Term> seen;
  for (Term it : formulas) find_applications(it, applications, seen);
  std::size_t looked_at = 0;
  for (int round = 0; round < kRounds && looked_at < applications.size(); ++round) {
    const std::size_t from = out.size();
    for (const std::size_t end = applications.size(); looked_at < end; ++looked_at) about(applications[looked_at], out);
    for (std::size_t i = from; i < out.size(); ++i) find_applications(out[i], applications, seen);
  }
  return out;
}

}  // namespace concord::engine::dynamic
