#include "replay/checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "engine/property.h"
#include "replay/leaf.h"
#include "replay/progress.h"
#include "replay/system.h"

namespace concord::replay {

using diag::Kind;
using formula::Substitution;
using plato::Clause;

namespace {

constexpr const char* kSame = "same";

// Ends the check: time ran out, or somebody interrupted.
struct Stopped {};

class Checker {
 public:
  Checker(const Proof& proof, const Options& options, engine::Control& control)
      : proof_(proof),
        options_(options),
        control_(control),
        system_(proof),
        leaves_(system_.terms(), system_.classes()) {
    const bool was_z3 = proof.solver != "cvc5";
    out_.solver = was_z3 ? "cvc5" : "z3";
    solver_ = make(was_z3 ? smt::Which::kCvc5 : smt::Which::kZ3);
    if (options.trusts) other_ = make(was_z3 ? smt::Which::kZ3 : smt::Which::kCvc5);
  }

  Answer run() {
    read_statements();
    read_conf();
    read_invariant();
    read_rules();
    conclude();
    return std::move(out_);
  }

 private:
  std::unique_ptr<smt::Solver> make(smt::Which which) const {
    smt::Options out;
    out.which = which;
    out.timeout = options_.solver_timeout;
    return smt::make_solver(out);
  }

  Pool& pool() { return system_.terms().pool(); }
  void wrong(const Item& at, std::string what) { out_.findings.push_back({at.at, std::move(what)}); }

  // ---- what is claimed

  void read_statements() {
    const Item& proves = proof_.part("proves");
    std::set<std::string> ids;
    std::set<Kind> requested;
    for (std::size_t i = 1; i < proves.items.size(); ++i) {
      ids.insert(text_at(proves, i));
      if (text_at(proves, i).starts_with("termination@")) requested.insert(Kind::kTermination);
    }
    const auto properties = engine::collect_properties(proof_.sources, proof_.program, requested);
    for (const engine::Property& it : properties) {
      if (ids.erase(it.id) > 0) {
        statements_.emplace(it.id, it);
      } else {
        out_.left.push_back(it.id);
      }
    }
    if (!ids.empty()) throw Malformed{proves.at, "the program claims nothing that is called " + *ids.begin()};
    if (statements_.empty()) throw Malformed{proves.at, "nothing is claimed to be proved"};
  }

  // Which locks protect which variables is worked out here; what the proof says of it must be so.
  void read_conf() {
    const Item& list = proof_.part("protected");
    const auto& variables = proof_.program.variables;
    for (std::size_t i = 1; i < list.items.size(); ++i) {
      const Item& pair = list_at(list, i);
      const auto& known = system_.atomicity().protected_by();
      const bool is_so = std::any_of(known.begin(), known.end(), [&](const auto& it) {
        return variables[static_cast<std::size_t>(it.first)].name == word_at(pair, 0) &&
               variables[static_cast<std::size_t>(it.second)].name == word_at(pair, 1);
      });
      if (!is_so) wrong(pair, "this variable is touched without this lock");
    }
  }

  // ---- INVARIANT: its formula, and what is known of a thread where it stands

  struct Conjunct {
    std::int64_t number = 0;
    Term holds = nullptr;
  };
  struct Fact {
    std::int64_t number = 0;
    const ThreadClass* of = nullptr;
    int stop = 0;
    Term holds = nullptr;
  };

  void read_invariant() {
    const Item& invariant = proof_.part("invariant");
    for (std::size_t i = 1; i < invariant.items.size(); ++i) {  // (NUMBER "WORDS" FORMULA)
      const Item& it = list_at(invariant, i);
      text_at(it, 1);
      if (it.items.size() != 3) throw Malformed{it.at, "a number, words and a formula are expected here"};
      conjuncts_.push_back({number_at(it, 0), shared_formula(it.items[2])});
    }
    const Item& facts = proof_.part("facts");
    for (std::size_t i = 1; i < facts.items.size(); ++i) {  // (NUMBER CLASS NODE FORMULA)
      const Item& it = list_at(facts, i);
      const auto of = static_cast<std::size_t>(number_at(it, 1));
      const auto node = static_cast<int>(number_at(it, 2));
      if (it.items.size() != 4 || of >= system_.classes().size() || !system_.classes()[of].position.contains(node))
        throw Malformed{it.at, "a number, a class, one of its stops, and a formula are expected here"};
      facts_.push_back({number_at(it, 0), &system_.classes()[of], node, system_.formulas().formula(it.items[3])});
      refuse_strangers(it.items[3], facts_.back().holds, facts_.back().of);
      if (node == Code::kEntry || node == Code::kEnd)
        throw Malformed{it.at, "facts are about threads that stand between their entry and their end"};
    }
    known_ = system_.given();
    for (const Conjunct& it : conjuncts_) known_.push_back(it.holds);
  }

  Term shared_formula(const Item& item) {
    const Term out = system_.formulas().formula(item);
    refuse_strangers(item, out, nullptr);
    return out;
  }

  // A formula may speak of local variables and of the number of the thread that it is about, and of no others.
  void refuse_strangers(const Item& item, Term formula, const ThreadClass* of) {
    const std::vector<Term> constants = formula::constants_of(formula);
    for (const ThreadClass& it : system_.classes()) {
      if (&it == of) continue;
      for (Term constant : constants) {
        const bool is_local = std::find(it.locals.begin(), it.locals.end(), constant) != it.locals.end();
        if (is_local || constant == it.thread) throw Malformed{item.at, "this speaks of a thread that is not there"};
      }
    }
  }

  // ---- leaves

  // (LEAF SOLVER LAW…)
  void show(const Item& leaf, const Sequent& sequent, const std::string& what) {
    if (control_.should_stop()) throw Stopped{};
    if (!leaf.is_list("LEAF")) throw Malformed{leaf.at, "(LEAF SOLVER LAW…) is expected here"};
    word_at(leaf, 1);
    std::set<Law> used;
    for (std::size_t i = 2; i < leaf.items.size(); ++i) {
      const std::string& word = word_at(leaf, i);
      const auto* law =
          std::find_if(std::begin(kAllLaws), std::end(kAllLaws), [&](Law it) { return word == name(it); });
      if (law == std::end(kAllLaws)) throw Malformed{leaf.items[i].at, "there is no law of this name"};
      used.insert(*law);
    }
    ++out_.statistics["leaves"];
    judge(leaf, sequent, used, what);
  }

  void judge(const Item& at, const Sequent& sequent, const std::set<Law>& used, const std::string& what) {
    const smt::Answer answer = ask(*solver_, sequent, used);
    if (answer == smt::Answer::kUnsat) return;
    if (answer == smt::Answer::kSat) return wrong(at, "as far as can be seen it does not follow " + what);
    const bool is_trusted = other_ != nullptr && ask(*other_, sequent, used) == smt::Answer::kUnsat;
    if (is_trusted) {
      out_.trusted.push_back({at.at, what});
    } else {
      is_undecided_ = true;
      wrong(at, fmt::format("{} does not know ({}) {}", out_.solver, solver_->reason(), what));
    }
  }

  smt::Answer ask(smt::Solver& solver, const Sequent& sequent, const std::set<Law>& used) {
    if (sequent.right == pool().truth(true)) return smt::Answer::kUnsat;
    smt::Answer out = smt::Answer::kUnknown;
    for (const Leaves::Effort effort : {Leaves::Effort::kLittle, Leaves::Effort::kMuch}) {
      solver.push();
      for (Term it : leaves_.ground(sequent, used, effort)) solver.add(it);
      out = solver.check();
      solver.pop();
      if (out == smt::Answer::kUnsat) break;
    }
    return out;
  }

  std::vector<Term> replaced(const std::vector<Term>& formulas, const Substitution& by) {
    std::vector<Term> out;
    for (Term it : formulas) out.push_back(pool().substitute(it, by));
    return out;
  }

  std::vector<Term> passed() const {
    std::vector<Term> out;
    for (const ThreadClass& of : system_.classes()) {
      out.insert(out.end(), of.passed.begin(), of.passed.end());
      out.push_back(of.count);
    }
    return out;
  }

  // ---- the rules

  void read_rules() {
    const Item& rule = proof_.part("INVARIANT");
    bool has_first = false;
    for (std::size_t i = 1; i < rule.items.size(); ++i) {
      const Item& it = list_at(rule, i);
      if (it.is_list("FIRST")) {
        has_first = true;
        check_first(it);
      } else if (it.is_list("STEP")) {
        const auto step = std::find_if(system_.steps().begin(), system_.steps().end(),
                                       [&](const Step& each) { return each.item == &it; });
        check_step(it, *step);
      } else if (it.is_list("EMPTY-PROGRAM")) {
        check_final(it);
      } else if (it.is_list("ALWAYS")) {
        check_always(it);
      } else {
        throw Malformed{it.at, "this is no premise of INVARIANT"};
      }
    }
    if (!has_first) wrong(rule, "the premise FIRST is missing: that the invariant holds at first");
    for (const std::string& it : system_.missing()) wrong(rule, "the premise for this step is missing: " + it);
    out_.statistics["steps"] = std::ssize(system_.steps());
    check_progress();
  }

  // Premises under their numbers, or ids: each exactly once.
  template <typename Key>
  std::map<Key, const Item*> premises(const Item& list, std::size_t from, const std::function<Key(const Item&)>& key) {
    std::map<Key, const Item*> out;
    for (std::size_t i = from; i < list.items.size(); ++i) {
      const Item& it = list_at(list, i);
      if (it.items.size() != 2) throw Malformed{it.at, "a premise and what shows it are expected here"};
      if (!out.emplace(key(it), &it.items[1]).second) throw Malformed{it.at, "this premise is there twice"};
    }
    return out;
  }
  std::map<std::int64_t, const Item*> numbered(const Item& list, std::size_t from = 1) {
    return premises<std::int64_t>(list, from, [](const Item& it) { return number_at(it, 0); });
  }
  std::map<std::string, const Item*> named(const Item& list, std::size_t from = 1) {
    return premises<std::string>(list, from, [](const Item& it) { return text_at(it, 0); });
  }

  const Item* take(std::map<std::int64_t, const Item*>& from, std::int64_t number, const Item& rule, const char* what) {
    const auto found = from.find(number);
    if (found == from.end()) {
      wrong(rule, fmt::format("the premise for {} {} is missing", what, number));
      return nullptr;
    }
    const Item* out = found->second;
    from.erase(found);
    return out;
  }

  template <typename Map>
  void refuse_left(const Map& left) {
    if (!left.empty()) throw Malformed{left.begin()->second->at, "the rule has no such premise"};
  }

  // The invariant holds at first; and there is a first state, or nothing would be proved of anything.
  void check_first(const Item& rule) {
    const Substitution first = system_.first();
    const std::vector<Term> left = replaced(system_.given(), first);
    if (ask(*solver_, {left, pool().truth(false), {}}, {}) == smt::Answer::kUnsat)
      wrong(rule, "there is no first state, so nothing ever runs");
    auto premises = numbered(rule);
    for (const Conjunct& it : conjuncts_) {
      const Item* leaf = take(premises, it.number, rule, "conjunct");
      if (leaf != nullptr)
        show(*leaf, {left, pool().substitute(it.holds, first), {}}, of_conjunct(it, "holds at first"));
    }
    refuse_left(premises);
  }

  static std::string of_conjunct(const Conjunct& it, const char* what) {
    return fmt::format("that conjunct {} {}", it.number, what);
  }

  std::vector<Term> facts_at(const ThreadClass& of, int stop, Term thread, const std::vector<Term>& locals) {
    Substitution values{{of.thread, thread}};
    for (std::size_t i = 0; i < locals.size(); ++i) values.emplace(of.locals[i], locals[i]);
    std::vector<Term> out;
    for (const Fact& it : facts_) {
      if (it.of == &of && it.stop == stop) out.push_back(pool().substitute(it.holds, values));
    }
    return out;
  }

  // What is known where the step begins, with so much of the path condition.
  std::vector<Term> before(const Step& step, std::size_t path) {
    std::vector<Term> out = known_;
    const auto add = [&](const std::vector<Term>& more) { out.insert(out.end(), more.begin(), more.end()); };
    add(system_.stands(*step.of, step.way.from, step.of->thread));
    add(system_.passes(step));
    add(facts_at(*step.of, step.way.from, step.of->thread, step.locals));
    out.insert(out.end(), step.update.path.begin(), step.update.path.begin() + static_cast<std::ptrdiff_t>(path));
    return out;
  }

  // (STEP CLASS (way …) (passes FROM TO) (rules …) (path …) (update …) (keeps …) (reaches …) (others …) (claims …))
  void check_step(const Item& item, const Step& step) {
    if (step.seen.trouble) wrong(item, "these operations are not one step: " + *step.seen.trouble);
    if (step.to < step.from) wrong(item, "the step leads back to a position that was passed");
    const auto part = [&](std::size_t index, const char* head) -> const Item& {
      const Item& out = list_at(item, index);
      if (!out.is_list(head)) throw Malformed{out.at, fmt::format("({} …) is expected here", head)};
      return out;
    };
    if (item.items.size() != 11) throw Malformed{item.at, "a step has ten parts"};
    const Item& passes = part(3, "passes");
    if (number_at(passes, 1) != step.from || number_at(passes, 2) != step.to)
      wrong(passes, fmt::format("the step leads from position {} to {}", step.from, step.to));
    const std::vector<Term> left = before(step, step.update.path.size());
    check_rules(part(4, "rules"), step);
    check_path(part(5, "path"), step, left);
    check_update(part(6, "update"), step, left);
    check_keeps(part(7, "keeps"), step, left);
    check_reaches(part(8, "reaches"), step, left);
    check_others(part(9, "others"), step, left);
    check_claims(part(10, "claims"), step);
    ++out_.statistics["branches"];
  }

  void check_rules(const Item& item, const Step& step) {
    std::vector<std::string> words;
    for (std::size_t i = 1; i < item.items.size(); ++i) words.push_back(word_at(item, i));
    if (words != step.seen.rules) wrong(item, fmt::format("the operations are {}", fmt::join(step.seen.rules, " ")));
  }

  Term shown_formula(const Item& item, const Step& step, const std::function<Term(const Item&)>& read) {
    system_.formulas().chosen = step.update.chosen;
    const Term out = read(item);
    system_.formulas().chosen.clear();
    Substitution values;
    for (std::size_t i = 0; i < step.locals.size(); ++i) values.emplace(step.of->locals[i], step.locals[i]);
    return pool().substitute(out, values);
  }

  static std::set<Law> all_laws() { return {std::begin(kAllLaws), std::end(kAllLaws)}; }

  // What is shown of the step follows from what it is.
  void check_path(const Item& item, const Step& step, const std::vector<Term>& left) {
    for (std::size_t i = 1; i < item.items.size(); ++i) {
      const Term said =
          shown_formula(item.items[i], step, [&](const Item& it) { return system_.formulas().formula(it); });
      const bool is_there = std::find(left.begin(), left.end(), said) != left.end();
      if (!is_there) judge(item.items[i], {left, said, {step.of->thread}}, all_laws(), "that this is on the path");
    }
  }

  // (update (TARGET TERM) …): what is not said to change stays.
  void check_update(const Item& item, const Step& step, const std::vector<Term>& left) {
    Substitution said;
    for (std::size_t i = 1; i < item.items.size(); ++i) {
      const Item& pair = list_at(item, i);
      if (pair.items.size() != 2) throw Malformed{pair.at, "a variable and its new value are expected here"};
      const Term target = system_.formulas().target(pair.items[0]);
      const Term value =
          shown_formula(pair.items[1], step, [&](const Item& it) { return system_.formulas().value(it); });
      if (value->sort != target->sort) throw Malformed{pair.items[1].at, "the value is of another sort"};
      if (!said.emplace(target, value).second) throw Malformed{pair.at, "this is there twice"};
      const Term is = value_after(step, target);
      if (is == nullptr) throw Malformed{pair.items[0].at, "this is a variable of another class of threads"};
      if (is != value)
        judge(pair, {left, pool().eq(is, value), {step.of->thread}}, all_laws(), "that this is the new value");
    }
    for (const auto& [target, value] : step.after) {
      const bool is_passed = std::find(step.of->passed.begin(), step.of->passed.end(), target) != step.of->passed.end();
      if (!is_passed && !said.contains(target)) {
        judge(item, {left, pool().eq(target, value), {}}, all_laws(),
              fmt::format("that {} keeps its value", target->name));
      }
    }
  }

  Term value_after(const Step& step, Term target) {
    const auto found = step.after.find(target);
    if (found != step.after.end()) return found->second;
    const auto& locals = step.of->locals;
    const auto local = std::find(locals.begin(), locals.end(), target);
    if (local != locals.end()) return step.update.locals[static_cast<std::size_t>(local - locals.begin())];
    for (const ThreadClass& it : system_.classes()) {
      if (std::find(it.locals.begin(), it.locals.end(), target) != it.locals.end()) return nullptr;
    }
    return target;
  }

  // The step keeps the invariant.
  void check_keeps(const Item& item, const Step& step, const std::vector<Term>& left) {
    auto premises = numbered(item);
    std::vector<Term> about = passed();
    about.insert(about.begin(), step.of->thread);
    for (const Conjunct& it : conjuncts_) {
      const Item* leaf = take(premises, it.number, item, "conjunct");
      if (leaf == nullptr) continue;
      const Term after = pool().substitute(it.holds, step.after);
      if (is_same(*leaf, after, it.holds)) continue;
      show(*leaf, {left, after, about}, of_conjunct(it, "holds after the step"));
      ++out_.statistics["branches"];
    }
    refuse_left(premises);
  }

  bool is_same(const Item& leaf, Term after, Term before) {
    if (leaf.kind != Item::Kind::kWord) return false;
    if (leaf.text != kSame) throw Malformed{leaf.at, "`same` or a leaf is expected here"};
    if (after != before) wrong(leaf, "the step changes what this speaks of");
    return true;
  }

  // What is known of the thread where it comes to.
  void check_reaches(const Item& item, const Step& step, const std::vector<Term>& left) {
    auto premises = numbered(item);
    Substitution after = step.after;
    for (std::size_t i = 0; i < step.of->locals.size(); ++i) after.emplace(step.of->locals[i], step.update.locals[i]);
    for (const Fact& it : facts_) {
      if (it.of != step.of || it.stop != step.way.to()) continue;
      const Item* leaf = take(premises, it.number, item, "fact");
      if (leaf == nullptr) continue;
      show(*leaf, {left, pool().substitute(it.holds, after), {step.of->thread}},
           fmt::format("that fact {} holds where the step leads to", it.number));
    }
    refuse_left(premises);
  }

  // What is known of any other thread, wherever that stands.
  void check_others(const Item& item, const Step& step, const std::vector<Term>& left) {
    auto premises = numbered(item);
    for (const ThreadClass& other : system_.classes()) {
      const Term thread = pool().constant(fmt::format("other thread {}", other.number), pool().integer());
      for (const int stop : other.stops) {
        const std::vector<Term> locals = system_.locals_at(other, stop, thread, "other ");
        const std::vector<Term> theirs = facts_at(other, stop, thread, locals);
        std::size_t next = 0;
        for (const Fact& it : facts_) {
          if (it.of != &other || it.stop != stop) continue;
          const Term now = theirs[next++];
          const Item* leaf = take(premises, it.number, item, "fact");
          if (leaf == nullptr) continue;
          const Term after = pool().substitute(now, step.after);
          if (is_same(*leaf, after, now)) continue;
          std::vector<Term> both = left;
          const std::vector<Term> stands = system_.stands(other, stop, thread);
          both.insert(both.end(), stands.begin(), stands.end());
          both.insert(both.end(), theirs.begin(), theirs.end());
          if (&other == step.of) both.push_back(pool().ne(thread, step.of->thread));
          show(*leaf, {both, after, {step.of->thread, thread}},
               fmt::format("that the step of another thread keeps fact {}", it.number));
        }
      }
    }
    refuse_left(premises);
  }

  // What the program claims on the way.
  void check_claims(const Item& item, const Step& step) {
    std::map<std::string, std::vector<Sequent>> needed;
    for (const Claim& it : step.update.claims) {
      const std::string id = engine::property_id(proof_.sources, it.kind, it.at);
      if (!statements_.contains(id)) continue;
      needed[id].push_back({before(step, it.path), it.holds, {step.of->thread}});
      reached_.insert(id);
    }
    auto premises = named(item);
    for (const auto& [id, sequents] : needed) {
      const auto found = premises.find(id);
      if (found == premises.end()) {
        wrong(item, fmt::format("the premise for {} is missing", id));
        continue;
      }
      for (const Sequent& it : sequents) show(*found->second, it, "that " + id + " holds here");
      premises.erase(found);
    }
    refuse_left(premises);
  }

  // ---- what follows from the invariant

  // The clauses of a kind that are claimed, each with its premise.
  void check_clauses(const Item& rule, Clause::Kind kind, Kind property, const std::vector<Term>& left,
                     const Substitution& where) {
    auto premises = named(rule);
    for (const Clause& clause : proof_.program.clauses) {
      if (clause.kind != kind) continue;
      const std::string id = engine::property_id(proof_.sources, property, clause.range);
      if (!statements_.contains(id)) continue;
      const auto found = premises.find(id);
      if (found == premises.end()) continue;  // nobody has shown it: conclude()
      const Term holds = pool().substitute(system_.clause(*clause.predicate.predicate), where);
      show(*found->second, {left, holds, passed()}, "that " + id + " holds");
      reached_.insert(id);
      premises.erase(found);
    }
    refuse_left(premises);
  }

  // Where all threads have passed everything.
  void check_final(const Item& rule) {
    const Substitution last = system_.last();
    const std::vector<Term> left = replaced(known_, last);
    if (ask(*solver_, {left, pool().truth(false), passed()}, all_laws()) == smt::Answer::kUnsat)
      wrong(rule, "there is no last configuration: no run ends with all threads finished");
    check_clauses(rule, Clause::Kind::kFinally, Kind::kFinalState, left, last);
  }

  // Invariants of the program hold in every configuration. They are claimed of every state in between, too.
  void check_always(const Item& rule) {
    for (const Step& it : system_.steps()) {
      if (it.seen.writes <= 1 && !it.seen.may_end_behind_write) continue;
      return wrong(*it.item, "others may see the states within this step, and of these nothing is known");
    }
    check_clauses(rule, Clause::Kind::kGlobalInvariant, Kind::kInvariant, known_, {});
  }

  void check_progress() {
    const Item& rule = proof_.part("PROGRESS");
    std::set<std::int64_t> said;
    for (std::size_t i = 1; i < rule.items.size(); ++i) said.insert(number_at(rule, i));
    for (const ThreadClass& of : system_.classes()) {
      if (said.erase(of.number) == 0) continue;
      const auto trouble = may_get_stuck(proof_.program, of.code, system_.atomicity(), proof_.has_java_ints);
      if (trouble) {
        wrong(rule, fmt::format("{}: {}", proof_.sources.place(trouble->at), trouble->what));
      } else {
        ++progressing_;
      }
    }
    if (!said.empty()) throw Malformed{rule.at, "there is no such class of threads"};
  }

  void conclude() {
    for (const auto& [id, property] : statements_) {
      if (property.kind == Kind::kTermination) {
        if (progressing_ == system_.classes().size()) {
          out_.proved.push_back(id);
        } else {
          wrong(proof_.part("PROGRESS"), "PROGRESS is missing for some class of threads, and " + id + " with it");
        }
      } else if (reached_.contains(id)) {
        out_.proved.push_back(id);
      } else {
        wrong(proof_.part("proves"), "nothing in the proof shows " + id);
      }
    }
    if (out_.findings.empty()) {
      out_.verdict = engine::Verdict::kVerified;
    } else {
      out_.proved.clear();
      out_.verdict = is_undecided_ ? engine::Verdict::kUnknown : engine::Verdict::kUnproved;
    }
    out_.assumptions.emplace_back(proof_.has_java_ints ? "integers have 32 bits and wrap around"
                                                       : "integers are unbounded");
    if (proof_.threads)
      out_.assumptions.push_back(fmt::format("{} threads of each class that is not counted", *proof_.threads));
  }

  const Proof& proof_;
  const Options& options_;
  engine::Control& control_;
  System system_;
  Leaves leaves_;
  std::unique_ptr<smt::Solver> solver_;
  std::unique_ptr<smt::Solver> other_;
  Answer out_;
  std::map<std::string, engine::Property> statements_;
  std::vector<Conjunct> conjuncts_;
  std::vector<Fact> facts_;
  std::vector<Term> known_;
  std::set<std::string> reached_;
  std::size_t progressing_ = 0;
  bool is_undecided_ = false;
};

}  // namespace

Answer check(const Proof& proof, const Options& options, engine::Control& control) {
  Answer out;
  try {
    return Checker(proof, options, control).run();
  } catch (const Malformed& it) {
    diag::Sink sink;
    sink.error(it.at, it.what);
    out.malformed = diag::render(proof.sources, sink.errors().front());
  } catch (const NotKnown& it) {
    out.findings.push_back({it.at, "the checker does not know " + it.what});
  } catch (const Stopped&) { out.findings.push_back({proof.items.front().at, "time ran out"}); }
  return out;
}

}  // namespace concord::replay
