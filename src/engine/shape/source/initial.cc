#include <algorithm>

#include "engine/shape/source/lower.h"

namespace concord::engine::shape::source {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

// How many threads of a declaration there may be at first: each number; kMany: one or more.
constexpr int kMany = -1;
constexpr int kMostApart = 4;  // more than so many are as good as any number

std::vector<int> counts(const Thread& thread, const Task& task) {
  const auto exactly = [](std::int64_t number) {
    return std::vector<int>{number > kMostApart ? kMany : static_cast<int>(std::max<std::int64_t>(number, 0))};
  };
  if (thread.count == Thread::Count::kNumber) return exactly(thread.number);
  const Expr* value = thread.count == Thread::Count::kSymbol
                          ? task.program->consts[static_cast<std::size_t>(thread.const_index)].value.get()
                          : nullptr;
  if (value != nullptr) {  // which --threads does not change
    const auto* literal = std::get_if<IntLit>(&value->node);
    return literal != nullptr ? exactly(literal->value) : std::vector<int>{0, kMany};
  }
  if (task.settings.threads) return exactly(*task.settings.threads);
  return {0, kMany};
}

}  // namespace

bool may_run(const Thread& thread, const Task& task) { return counts(thread, task) != std::vector<int>{0}; }

std::vector<Structure> initial_structures(const Lowered& lowered, const Task& task, const Layout& layout) {
  const Program& program = *task.program;
  const Vocabulary& vocabulary = *lowered.vocabulary;
  const System& system = vocabulary.system();
  const auto known = [](const Expr* init) {
    const auto* literal = init == nullptr ? nullptr : std::get_if<BoolLit>(&init->node);
    return literal == nullptr ? (init == nullptr ? Kleene::kFalse : Kleene::kUnknown)
                              : (literal->value ? Kleene::kTrue : Kleene::kFalse);
  };
  // Of an enumeration: the constant that is the value, -1 if that is not known.
  const auto constant_of = [](const Expr* init) {
    if (init == nullptr) return 0;
    const auto* name = std::get_if<NameExpr>(&init->node);
    return name != nullptr && name->ref.kind == Ref::Kind::kEnumConst ? name->ref.index : -1;
  };
  Structure shared(layout, 0);
  if (vocabulary.zero() >= 0) {
    const int zero = shared.add();
    shared.set(vocabulary.zero(), zero, Kleene::kTrue);
    shared.set(vocabulary.is_number(), zero, Kleene::kTrue);
    shared.set(vocabulary.le(), zero, zero, Kleene::kTrue);
  }
  std::vector<Structure> out{shared};
  for (std::size_t d = 0; d < program.threads.size(); ++d) {
    const Thread& thread = program.threads[d];
    std::vector<Structure> next;
    for (const Structure& before : out) {
      for (const int count : counts(thread, task)) {
        Structure with = before;
        for (int i = 0; i < (count == kMany ? 1 : count); ++i) {
          const int added = with.add();
          if (count == kMany) with.set(system.sm, added, Kleene::kUnknown);
          with.set(system.is_thread, added, Kleene::kTrue);
          const bool begins = program.initialiser < 0 || program.initialiser == thread.target.index;
          if (begins) with.set(vocabulary.fresh(), added, Kleene::kTrue);
          with.set(system.at[static_cast<std::size_t>(lowered.code.entry.at(thread.target.index))], added,
                   Kleene::kTrue);
          if (vocabulary.named_thread(static_cast<int>(d)) >= 0)
            with.set(vocabulary.named_thread(static_cast<int>(d)), added, Kleene::kTrue);
          for (std::size_t a = 0; a < thread.target.arguments.size(); ++a) {
            const Place& place = vocabulary.local({thread.target.index, static_cast<int>(a)});
            const Expr* argument = thread.target.arguments[a].get();
            if (place.kind == Place::Kind::kBool) with.set(place.predicate, added, known(argument));
            for (std::size_t c = 0; c < place.constants.size(); ++c) {
              const int value = constant_of(argument);
              with.set(place.constants[c], added,
                       value < 0                      ? Kleene::kUnknown
                       : value == static_cast<int>(c) ? Kleene::kTrue
                                                      : Kleene::kFalse);
            }
          }
        }
        next.push_back(std::move(with));
      }
    }
    out = std::move(next);
  }
  for (Structure& it : out) {
    for (std::size_t v = 0; v < program.variables.size(); ++v) {
      const Place& place = vocabulary.shared(static_cast<int>(v));
      const Expr* init = program.variables[v].init.get();
      if (place.kind == Place::Kind::kBool) it.set(place.predicate, known(init));
      if (place.kind == Place::Kind::kNumber) {
        const auto* literal = init == nullptr ? nullptr : std::get_if<IntLit>(&init->node);
        const bool is_zero = init == nullptr || (literal != nullptr && literal->value == 0);
        if (is_zero) it.set(place.predicate, 0, Kleene::kTrue);
      }
      for (std::size_t c = 0; c < place.constants.size(); ++c) {
        const int value = constant_of(init);
        it.set(place.constants[c], value < 0                      ? Kleene::kUnknown
                                   : value == static_cast<int>(c) ? Kleene::kTrue
                                                                  : Kleene::kFalse);
      }
    }
  }
  return out;
}

}  // namespace concord::engine::shape::source
