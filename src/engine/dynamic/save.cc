#include "engine/dynamic/save.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/sha256.h"
#include "engine/dynamic/term_writer.h"

namespace concord::engine::dynamic {

using diag::Kind;

namespace {

const char* word(SolverChoice choice) {
  switch (choice) {
    case SolverChoice::kZ3: return "z3";
    case SolverChoice::kCvc5: return "cvc5";
    case SolverChoice::kBoth: return "both";
  }
  return "";
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char it : text) {
    if (it == '"' || it == '\\') out += '\\';
    out += it;
  }
  return out + "\"";
}

class Writer {
 public:
  Writer(const Task& task, System& system, const Invariant& invariant, const std::vector<PropertyResult>& results)
      : task_(task), system_(system), invariant_(invariant), results_(results), terms_(system) {}

  std::string run() {
    write_program();
    write_conf();
    write_invariant();
    write_facts();
    out_ += "\n(INVARIANT\n";
    write_first();
    for (std::size_t t = 0; t < system_.transitions().size(); ++t) write_step(t);
    write_clauses("EMPTY-PROGRAM", Kind::kFinalState);
    write_clauses("ALWAYS", Kind::kInvariant);
    out_.back() = ')';
    out_ += "\n";
    write_progress();
    return std::move(out_);
  }

 private:
  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    out_ += fmt::format(format, std::forward<Args>(args)...) + "\n";
  }

  bool is_verified(const PropertyResult& it) const { return it.verdict == Verdict::kVerified; }

  void write_program() {
    line("(concord-proof 1)");
    line("(solver {})", word(task_.settings.solver));
    line("(integers {})", task_.settings.ints == IntMode::kJava ? "java" : "math");
    if (task_.settings.threads) line("(threads {})", *task_.settings.threads);
    for (std::uint32_t file = 0; file < task_.sources->file_count(); ++file) {
      const base::SourceFile& it = task_.sources->file(file);
      line("(source {} {}\n{})", quoted(it.path()), base::sha256(it.text()), quoted(it.text()));
    }
    out_ += "(proves";
    for (const PropertyResult& it : results_) {
      if (is_verified(it)) out_ += "\n  " + quoted(it.property.id);
    }
    line(")");
  }

  void write_conf() {
    out_ += "\n(CONF";
    for (const ThreadClass& of : system_.classes()) {
      out_ += fmt::format("\n  (class {}", of.number);
      for (std::size_t s = 0; s < of.positions.stops.size(); ++s) {
        out_ += fmt::format(" (stop {} {})", node(of, static_cast<int>(s)), of.positions.position[s]);
      }
      out_ += ")";
    }
    line(")");
    out_ += "(protected";
    for (const auto& [variable, lock] : system_.atomicity().protected_by()) {
      const auto& variables = system_.program().variables;
      out_ += fmt::format(" ({} {})", variables[static_cast<std::size_t>(variable)].name,
                          variables[static_cast<std::size_t>(lock)].name);
    }
    line(")");
  }

  // The engine's numbers of nodes are those of the format.
  static int node(const ThreadClass& of, int stop) { return of.positions.stops[static_cast<std::size_t>(stop)]; }

  // ---- the formulas. Those with something in them that only this engine has a name for are left out: mostly such things are
  // known of any value, and nothing else needs them.

  std::string formula(Term term) {
    try {
      return terms_.text(term);
    } catch (const Nameless&) { return ""; }
  }

  void write_invariant() {
    out_ += "\n(invariant";
    const auto& candidates = invariant_.candidates();
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const std::string text = candidates[i].is_kept ? formula(candidates[i].proposal.claim.holds) : "";
      if (text.empty()) continue;
      conjuncts_.push_back(i);
      out_ += fmt::format("\n  ({} {}\n    {})", i, quoted(candidates[i].proposal.text), text);
    }
    line(")");
  }

  void write_facts() {
    out_ += "(facts";
    for (const ThreadClass& of : system_.classes()) {
      for (std::size_t s = 0; s < of.positions.stops.size(); ++s) {
        for (Term it : invariant_.facts(of, static_cast<int>(s))) {
          const std::string text = formula(it);
          if (text.empty()) continue;
          out_ += fmt::format("\n  ({} {} {} {})", facts_.size(), of.number, node(of, static_cast<int>(s)), text);
          facts_.push_back({&of, s, it});
        }
      }
    }
    line(")");
  }

  // ---- the premises

  std::string leaf(const std::string& premise) const {
    std::string out = fmt::format("(LEAF {}", word(task_.settings.solver));
    for (const std::string& it : invariant_.laws(premise)) out += " " + it;
    return out + ")";
  }

  void write_first() {
    out_ += "  (FIRST";
    for (const std::size_t i : conjuncts_) out_ += fmt::format(" ({} {})", i, leaf(Invariant::at_first(i)));
    line(")");
  }

  void write_step(std::size_t which) {
    const Transition& it = system_.transitions()[which];
    out_ += fmt::format("  (STEP {} (way", it.of->number);
    int at = node(*it.of, it.way->from);
    for (const CodeEdge* edge : it.way->edges) {
      out_ += fmt::format(" {}.{}", at, edge - it.of->code.nodes[static_cast<std::size_t>(at)].edges.data());
      at = edge->target;
    }
    line(") (passes {} {}) {}", it.from, it.to, rules(*it.way));
    write_path(it);
    write_update(it);
    write_keeps(which);
    write_reaches(which);
    write_others(which);
    write_claims(which);
  }

  static std::string rules(const Way& way) {
    std::string out;
    for (const CodeEdge* edge : way.edges) {
      const plato::Operation& it = edge->operation;
      const bool is_statement = it.kind == plato::Operation::Kind::kStatement;
      if (is_statement && std::holds_alternative<plato::Acquire>(it.statement->node)) {
        out += " LOCK";
      } else if (is_statement && std::holds_alternative<plato::Release>(it.statement->node)) {
        out += " UNLOCK";
      } else if (!touched(it).writes.empty()) {
        out += " STEP";
      }
    }
    return fmt::format("(rules{})", out.empty() ? " PASS" : out);
  }

  // What only this engine has a name for is left out: the checker works the path out by itself.
  void write_path(const Transition& it) {
    out_ += "    (path";
    for (Term condition : it.step.assumptions) {
      try {
        out_ += " " + terms_.text(condition, it.step.chosen);
      } catch (const Nameless&) { continue; }
    }
    line(")");
  }

  void write_update(const Transition& it) {
    out_ += "    (update";
    std::vector<std::pair<Term, Term>> changes(it.after.begin(), it.after.end());
    std::sort(changes.begin(), changes.end(), [](const auto& a, const auto& b) { return a.first->id < b.first->id; });
    for (const auto& [target, value] : changes) {
      const std::string name = terms_.name(target);
      if (!name.empty() && !name.starts_with('('))
        out_ += fmt::format(" ({} {})", name, terms_.text(value, it.step.chosen));
    }
    line(")");
  }

  void write_keeps(std::size_t step) {
    out_ += "    (keeps";
    for (const std::size_t i : conjuncts_) {
      const Term holds = invariant_.candidates()[i].proposal.claim.holds;
      const bool is_same = system_.pool().substitute(holds, system_.transitions()[step].after) == holds;
      out_ += fmt::format(" ({} {})", i, is_same ? "same" : leaf(Invariant::after(step, i)));
    }
    line(")");
  }

  void write_reaches(std::size_t step) {
    const Transition& it = system_.transitions()[step];
    out_ += "    (reaches";
    for (std::size_t f = 0; f < facts_.size(); ++f) {
      if (facts_[f].of == it.of && facts_[f].stop == static_cast<std::size_t>(it.way->to))
        out_ += fmt::format(" ({} {})", f, leaf(Invariant::reached(step)));
    }
    line(")");
  }

  // A fact of another thread, whose local variables the step does not change.
  void write_others(std::size_t step) {
    out_ += "    (others";
    formula::Substitution after = system_.transitions()[step].after;
    for (Term local : system_.transitions()[step].of->locals) after.erase(local);
    for (std::size_t f = 0; f < facts_.size(); ++f) {
      const bool is_same = system_.pool().substitute(facts_[f].holds, after) == facts_[f].holds;
      out_ += fmt::format(" ({} {})", f,
                          is_same ? "same" : leaf(Invariant::elsewhere(step, facts_[f].of->number, facts_[f].stop)));
    }
    line(")");
  }

  void write_claims(std::size_t step) {
    out_ += "    (claims";
    std::set<std::string> ids;
    for (const OnTheWay& it : system_.transitions()[step].step.claims) {
      const std::string id = property_id(*task_.sources, it.kind, it.claim);
      const bool is_proved = std::any_of(results_.begin(), results_.end(), [&](const PropertyResult& result) {
        return is_verified(result) && result.property.id == id;
      });
      if (is_proved && ids.insert(id).second) out_ += fmt::format(" ({} {})", quoted(id), leaf(id));
    }
    line("))");
  }

  void write_clauses(const char* rule, Kind kind) {
    std::string premises;
    for (const PropertyResult& it : results_) {
      if (is_verified(it) && it.property.kind == kind)
        premises += fmt::format(" ({} {})", quoted(it.property.id), leaf(it.property.id));
    }
    if (!premises.empty()) line("  ({}{})", rule, premises);
  }

  void write_progress() {
    out_ += "(PROGRESS";
    const bool is_claimed = std::any_of(results_.begin(), results_.end(), [&](const PropertyResult& it) {
      return is_verified(it) && it.property.kind == Kind::kTermination;
    });
    for (const ThreadClass& it : system_.classes()) {
      if (is_claimed) out_ += fmt::format(" {}", it.number);
    }
    line(")");
  }

  const Task& task_;
  System& system_;
  const Invariant& invariant_;
  const std::vector<PropertyResult>& results_;
  TermWriter terms_;
  struct Fact {
    const ThreadClass* of = nullptr;
    std::size_t stop = 0;
    Term holds = nullptr;
  };
  std::vector<std::size_t> conjuncts_;  // candidates
  std::vector<Fact> facts_;             // by their numbers in the proof
  std::string out_;
};

}  // namespace

Saved save_proof(const Task& task, System& system, const Invariant& invariant,
                 const std::vector<PropertyResult>& results) {
  const bool has_any = std::any_of(results.begin(), results.end(),
                                   [](const PropertyResult& it) { return it.verdict == Verdict::kVerified; });
  if (!has_any) return {};
  try {
    return {Writer(task, system, invariant, results).run(), ""};
  } catch (const Nameless&) { return {"", "it speaks of something that the format has no name for"}; }
}

}  // namespace concord::engine::dynamic
