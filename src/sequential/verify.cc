#include "sequential/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/check.h"
#include "sequential/arithmetic.h"
#include "sequential/passive.h"
#include "sequential/remembered.h"
#include "sequential/windows.h"

namespace concord::sequential {

namespace {

using formula::Pool;
using smt::Answer;

// Every proof may rest on any of these premises.
void rest_on_all(const std::vector<bool>& doubtful, Verification& verification) {
  std::vector<int> all;
  for (std::size_t i = 0; i < doubtful.size(); ++i) {
    if (doubtful[i]) all.push_back(static_cast<int>(i));
  }
  for (Outcome& it : verification.obligations) {
    if (it.status == Outcome::Status::kProved) it.premises = all;
  }
}

// A candidate that takes longer is not worth it.
constexpr std::chrono::milliseconds kCandidateTimeout{1000};
// What was proved once is proved again in less, or else counts as not proved that way.
constexpr std::chrono::milliseconds kAgainTimeout{1000};
// In a window what can be proved takes much less.
constexpr std::chrono::milliseconds kWindowCandidateTimeout{300};
// What takes longer in a window is left to the whole program.
constexpr std::chrono::milliseconds kWindowTimeout{2000};
// What is proved neither in a window nor in the whole program in this time is hardly ever proved later.
constexpr std::chrono::milliseconds kAfterWindowsTimeout{3000};
// How many landmarks back a claim is looked at before the whole program is.
constexpr int kFurthest = 3;

class Verifier {
 public:
  Verifier(Pool& pool, const Program& program, const Settings& settings)
      : pool_(pool),
        program_(program),
        settings_(settings),
        passive_(make_passive(pool, program)),
        arithmetic_(set_aside(pool, passive_)) {
    for (const Item& it : passive_.items) {
      std::vector<Term>& names = names_.emplace_back();
      if (arithmetic_.named.empty()) continue;
      names = arithmetic_.names_in(it.kind == Item::Kind::kFormula ? it.formula : it.claim.claim);
      for (Term shown : it.claim.shown) {
        for (Term name : arithmetic_.names_in(shown)) names.push_back(name);
      }
    }
    believed_.assign(passive_.candidates.size(), true);
    for (std::size_t i = 0; i < passive_.premises.size(); ++i)
      premise_number_[passive_.premises[i]] = static_cast<int>(i);
    for (std::size_t i = 0; i < passive_.candidates.size(); ++i) {
      candidates_of_[passive_.candidates[i].block].push_back(static_cast<int>(i));
    }
    whole_ = whole(passive_);
    if (passive_.items.size() > settings.most_at_once) {
      windows_ = windows(pool, passive_, claims([](const Claim&) { return true; }));
    }
    if (windows_.size() < 2) windows_.assign(1, whole_);
  }

  Verification verify(const Program& program) {
    out_.obligations.resize(static_cast<std::size_t>(program.obligations));
    out_.unreachable.resize(static_cast<std::size_t>(settings_.probes), false);
    if (!passive_.candidates.empty()) thin_out_candidates();
    out_.kept.resize(program.blocks.size());
    for (std::size_t i = 0; i < believed_.size(); ++i) {
      const Candidate& it = passive_.candidates[i];
      if (believed_[i]) out_.kept[static_cast<std::size_t>(it.block)].push_back(it.index);
    }
    check_obligations();
    return std::move(out_);
  }

  // What can be proved again without the doubtful premises; of the rest, on which of them it rests.
  void doubt(const std::vector<bool>& doubtful, Verification& verification) {
    if (windows_.size() > 1) return rest_on_all(doubtful, verification);  // again would take too long
    out_ = std::move(verification);
    doubtful_ = doubtful;
    mode_ = Mode::kWithout;
    believe_kept();
    if (!passive_.candidates.empty()) thin_out_candidates();
    check_obligations();
    if (!in_doubt_.empty()) {
      mode_ = Mode::kTrace;
      believe_kept();
      bool dropped = false;
      for (const Window& it : windows_) dropped = !sweep(it).empty() || dropped;
      if (dropped) {  // proved before, and not now: it may rest on anything
        for (std::size_t i = 0; i < doubtful_.size(); ++i) {
          if (doubtful_[i]) believed_premises_.insert(static_cast<int>(i));
        }
      }
      check_obligations();
    }
    verification = std::move(out_);
  }

 private:
  bool should_stop() const { return settings_.should_stop && settings_.should_stop(); }

  enum class Mode {
    kProve,    // from all premises
    kWithout,  // what was proved, without those that are doubtful
    kTrace,    // what takes a doubtful premise: they are assumptions of every check, so that cores name them
  };

  void believe_kept() {
    for (std::size_t i = 0; i < believed_.size(); ++i) {
      const Candidate& it = passive_.candidates[i];
      const std::vector<int>& kept = out_.kept[static_cast<std::size_t>(it.block)];
      believed_[i] = std::find(kept.begin(), kept.end(), it.index) != kept.end();
    }
  }

  std::vector<Term> doubtful_premises() const {
    std::vector<Term> out;
    for (std::size_t i = 0; i < doubtful_.size(); ++i) {
      if (doubtful_[i]) out.push_back(passive_.premises[i]);
    }
    return out;
  }

  std::vector<Term> selectors_of(int block) const {
    std::vector<Term> out;
    const auto found = candidates_of_.find(block);
    if (found == candidates_of_.end()) return out;
    for (const int it : found->second) {
      if (believed_[static_cast<std::size_t>(it)]) {
        out.push_back(passive_.candidates[static_cast<std::size_t>(it)].selector);
      }
    }
    return out;
  }

  // While candidates are thinned out: what is not asserted once and for all, and holds nevertheless.
  std::vector<Term> assumptions() const {
    std::vector<Term> out;
    if (mode_ == Mode::kTrace) out = doubtful_premises();
    for (const int block : open_) {
      const std::vector<Term> selectors = selectors_of(block);
      out.insert(out.end(), selectors.begin(), selectors.end());
    }
    return out;
  }

  void assert_premises(Watched& solver) const {
    for (std::size_t i = 0; i < passive_.premises.size(); ++i) {
      if (doubtful_.empty() || !doubtful_[i]) solver->add(passive_.premises[i]);
    }
  }

  const Item& item(const Window& window, std::size_t index) const { return passive_.items[window.items[index]]; }

  // By item: the point that every run to the claims checked there or later passes; null if there are none.
  std::vector<Term> points_ahead(
      const Window& window, const std::function<std::optional<std::size_t>(const Claim&, std::size_t)>& checked_at) {
    const std::size_t count = window.items.size();
    std::vector<Term> out(count, nullptr);
    const auto meet = [&](Term one, Term other) {
      return one == nullptr ? other : other == nullptr ? one : passive_.points.common(one, other);
    };
    for (std::size_t i = 0; i < count; ++i) {
      const Item& it = item(window, i);
      if (it.kind != Item::Kind::kClaim) continue;
      if (const auto at = checked_at(it.claim, i)) out[*at] = meet(out[*at], it.claim.here);
    }
    for (std::size_t i = count; i-- > 1;) out[i - 1] = meet(out[i - 1], out[i]);
    return out;
  }

  void go_to(Watched& solver, Term point) {
    if (point == nullptr || point == reached_) return;
    reached_ = point;
    solver->add(point);
  }

  // That it is false, with names for the things for which it is.
  Term refuted(Term claim) {
    std::vector<Term> parts;
    switch (claim->op) {
      case formula::Op::kForall: {
        formula::Substitution names;
        for (Term it : claim->bound) names[it] = pool_.fresh(it->name, it->sort);
        return refuted(pool_.substitute(claim->args[0], names));
      }
      case formula::Op::kImplies: return pool_.and_(claim->args[0], refuted(claim->args[1]));
      case formula::Op::kAnd:
        for (Term it : claim->args) parts.push_back(refuted(it));
        return pool_.or_(parts);
      case formula::Op::kOr:
        for (Term it : claim->args) parts.push_back(refuted(it));
        return pool_.and_(parts);
      default: return pool_.not_(claim);
    }
  }

  Answer check(Watched& solver, const std::vector<Term>& assumptions) {
    const Answer answer = solver->check(assumptions);
    if (!is_remembered(solver, answer)) ++out_.checks;
    return answer;
  }

  static bool is_remembered(Watched& solver, Answer answer) {
    return answer == Answer::kUnsat && solver->is_remembered();
  }

  // ---- candidates

  // The claims about the candidates of one loop in a window, in the order of the program, and where among its items they are.
  struct LoopClaims {
    std::map<Term, std::vector<const Claim*>> ways;  // by the way that leads to the head
    std::vector<Term> order;                         // of the ways
    std::size_t first = 0;
    std::size_t last = 0;
  };

  std::map<int, LoopClaims> loops_in(const Window& window) const {
    std::map<int, LoopClaims> out;
    for (std::size_t i = 0; i < window.items.size(); ++i) {
      const Item& it = item(window, i);
      if (it.kind != Item::Kind::kClaim || it.claim.kind != Claim::Kind::kCandidate) continue;
      LoopClaims& loop = out[passive_.candidates[static_cast<std::size_t>(it.claim.candidate)].block];
      loop.last = i;
      std::vector<const Claim*>& claims = loop.ways[it.claim.here];
      if (claims.empty()) loop.order.push_back(it.claim.here);
      claims.push_back(&it.claim);
    }
    return out;
  }

  // A candidate that was dropped may have helped another one, so windows with its loop are swept until nothing is dropped:
  // the last sweep of each is the proof.
  void thin_out_candidates() {
    std::set<std::size_t> open;
    for (std::size_t i = 0; i < windows_.size(); ++i) open.insert(i);
    while (!open.empty() && !should_stop()) {
      const std::size_t at = *open.begin();
      open.erase(open.begin());
      const std::set<int> dropped = sweep(windows_[at]);
      for (std::size_t i = 0; i < windows_.size(); ++i) {
        const std::set<int>& loops = windows_[i].loops;
        if (std::any_of(dropped.begin(), dropped.end(), [&](int it) { return loops.contains(it); })) open.insert(i);
      }
    }
    if (should_stop()) believed_.assign(believed_.size(), false);
  }

  // What does not hold where the window begins, and nothing in it concerns.
  std::set<int> drop_hopeless(const Window& window) {
    if (window.head < 0) return {};
    std::unordered_map<Term, bool> at_head;  // whether it is believed
    for (const int it : candidates_of_[window.head]) {
      at_head[passive_.candidates[static_cast<std::size_t>(it)].invariant->term] =
          believed_[static_cast<std::size_t>(it)];
    }
    std::unordered_set<Term> changed;
    for (const int block : window.blocks) {
      for (const Command& it : program_.blocks[static_cast<std::size_t>(block)].commands) {
        if (it.variable != nullptr && it.kind != Command::Kind::kChange) changed.insert(it.variable);
      }
    }
    std::set<int> dropped;
    for (std::size_t i = 0; i < window.items.size(); ++i) {
      const Item& it = item(window, i);
      if (it.kind != Item::Kind::kClaim || it.claim.kind != Claim::Kind::kCandidate) continue;
      const auto number = static_cast<std::size_t>(it.claim.candidate);
      const Invariant& candidate = *passive_.candidates[number].invariant;
      const auto known = at_head.find(candidate.term);
      if (!believed_[number] || candidate.over.empty() || known == at_head.end() || known->second) continue;
      if (std::any_of(candidate.over.begin(), candidate.over.end(), [&](Term each) { return changed.contains(each); }))
        continue;
      believed_[number] = false;
      dropped.insert(passive_.candidates[number].block);
    }
    return dropped;
  }

  // Loops are thinned out in the order in which their last claims come, each knowing only what comes before. Returns those of
  // which a candidate was dropped.
  std::set<int> sweep(const Window& window) {
    std::set<int> dropped = drop_hopeless(window);
    std::map<int, LoopClaims> loops = loops_in(window);
    if (loops.empty()) return dropped;
    Watched solver(settings_, fmt::format("candidates-{}", ++sweeps_));
    const std::chrono::milliseconds limit = settings_.solver.timeout;
    const std::chrono::milliseconds most = windows_.size() > 1 ? kWindowCandidateTimeout : kCandidateTimeout;
    if (limit.count() == 0 || limit > most) solver->set_timeout(most);
    const std::vector<Term> ahead =
        points_ahead(window, [&](const Claim& claim, std::size_t) -> std::optional<std::size_t> {
          if (claim.kind != Claim::Kind::kCandidate) return {};
          return loops.at(passive_.candidates[static_cast<std::size_t>(claim.candidate)].block).last;
        });
    begin(solver, window);
    open_.clear();
    for (const int block : window.loops) {
      if (loops.contains(block)) {
        open_.insert(block);
      } else {
        settle(solver, block);
      }
    }
    for (std::size_t i = 0; i < window.items.size() && !should_stop(); ++i) {
      const Item& it = item(window, i);
      introduce(solver, names_[window.items[i]]);
      go_to(solver, ahead[i]);
      if (it.kind == Item::Kind::kFormula) solver->add(it.formula);
      for (const auto& [block, loop] : loops) {
        if (loop.last != i) continue;
        if (thin_out(solver, loop)) dropped.insert(block);
        open_.erase(block);
        settle(solver, block);
      }
    }
    return dropped;
  }

  void begin(Watched& solver, const Window& window) {
    assert_premises(solver);
    introduced_.clear();
    for (Term it : window.background) {
      if (!arithmetic_.named.empty()) introduce(solver, arithmetic_.names_in(it));
      solver->add(it);
    }
    reached_ = nullptr;
  }

  void introduce(Watched& solver, const std::vector<Term>& names) {
    for (Term name : names) {
      if (!introduced_.insert(name).second) continue;
      const Arithmetic::Named& it = arithmetic_.named.at(name);
      introduce(solver, it.needs);
      solver->add(it.bounds);
    }
  }

  void define_arithmetic(Watched& solver) {
    for (Term name : introduced_) solver->add(arithmetic_.named.at(name).definition);
  }

  // Without knowing more of slow arithmetic than its bounds, and if that is not enough, with all of it.
  Answer check_exactly(Watched& solver, const std::vector<Term>& given) {
    const Answer answer = check(solver, given);
    if (answer == Answer::kUnsat || introduced_.empty()) return answer;
    define_arithmetic(solver);
    return check(solver, given);
  }

  // What is left of the candidates of a loop will not change before the end of the sweep.
  void settle(Watched& solver, int block) {
    for (Term it : selectors_of(block)) solver->add(it);
  }

  // True if a candidate was dropped.
  bool thin_out(Watched& solver, const LoopClaims& loop) {
    bool dropped = false;
    bool changed = true;
    while (changed && !should_stop()) {
      changed = false;
      for (Term way : loop.order) changed = drop_unproved(solver, loop.ways.at(way)) || changed;
      dropped = dropped || changed;
    }
    return dropped;
  }

  // Drops candidates until the rest is proved on this way; true if any was dropped.
  bool drop_unproved(Watched& solver, const std::vector<const Claim*>& claims) {
    bool dropped = false;
    while (!should_stop()) {
      std::vector<const Claim*> left;
      for (const Claim* it : claims) {
        if (!believed_[static_cast<std::size_t>(it->candidate)]) continue;
        if (it->claim == pool_.truth(false)) {
          believed_[static_cast<std::size_t>(it->candidate)] = false;
          dropped = true;
        } else {
          left.push_back(it);
        }
      }
      if (left.empty()) return dropped;
      const std::vector<const Claim*> wrong = unproved(solver, left);
      if (wrong.empty()) return dropped;
      for (const Claim* it : wrong) believed_[static_cast<std::size_t>(it->candidate)] = false;
      dropped = true;
    }
    return dropped;
  }

  // Some that are not proved; none only if all are.
  std::vector<const Claim*> unproved(Watched& solver, const std::vector<const Claim*>& claims) {
    solver->push();
    solver->add(claims.front()->here);
    std::vector<Term> broken;  // constants: looking up those in a model is cheap, evaluating formulas is not
    for (const Claim* it : claims) {
      broken.push_back(pool_.fresh("broken", pool_.boolean()));
      solver->add(pool_.eq(broken.back(), refuted(it->claim)));
    }
    solver->add(pool_.or_(broken));
    const Answer answer = check(solver, assumptions());
    std::vector<const Claim*> wrong;
    if (answer == Answer::kSat || (answer == Answer::kUnknown && solver->has_candidate())) {
      for (std::size_t i = 0; i < claims.size(); ++i) {
        if (solver->is_true(broken[i])) wrong.push_back(claims[i]);
      }
    } else if (answer == Answer::kUnsat) {
      const std::vector<int> needed = premises_of(solver->core());
      believed_premises_.insert(needed.begin(), needed.end());
    }
    solver->pop();
    if (answer == Answer::kUnsat || should_stop()) return {};
    if (windows_.size() > 1) {
      // What may be no model at all is good enough: there are many candidates, and most are wrong.
      if (!wrong.empty() || claims.size() == 1) return wrong.empty() ? claims : wrong;
      const auto middle = claims.begin() + std::ssize(claims) / 2;
      wrong = unproved(solver, {claims.begin(), middle});
      const std::vector<const Claim*> more = unproved(solver, {middle, claims.end()});
      wrong.insert(wrong.end(), more.begin(), more.end());
      return wrong;
    }
    // What may be no model at all only says where to look first.
    if (answer == Answer::kUnknown) wrong = unproved_one_by_one(solver, wrong);
    if (wrong.empty()) wrong = unproved_one_by_one(solver, claims);
    return wrong;
  }

  std::vector<const Claim*> unproved_one_by_one(Watched& solver, const std::vector<const Claim*>& claims) {
    std::vector<const Claim*> out;
    for (const Claim* it : claims) {
      solver->push();
      solver->add(it->here);
      solver->add(refuted(it->claim));
      if (check(solver, assumptions()) == Answer::kUnsat) {
        const std::vector<int> needed = premises_of(solver->core());
        believed_premises_.insert(needed.begin(), needed.end());
      } else {
        out.push_back(it);
      }
      solver->pop();
    }
    return out;
  }

  // The premises of a core; a believed candidate stands for what the proof of any candidate needed.
  std::vector<int> premises_of(const std::vector<Term>& core) const {
    std::set<int> out;
    for (Term it : core) {
      if (const auto found = premise_number_.find(it); found != premise_number_.end()) {
        out.insert(found->second);
      } else {
        out.insert(believed_premises_.begin(), believed_premises_.end());
      }
    }
    return {out.begin(), out.end()};
  }

  // ---- obligations

  // What every check assumes besides what is asserted: those doubtful premises whose part in a proof is to be seen, and that
  // the candidates hold, as one.
  std::vector<Term> assert_believed(Watched& solver, const Window& window) {
    const Term all = mode_ == Mode::kTrace ? pool_.fresh("believed", pool_.boolean()) : pool_.truth(true);
    for (const int block : window.loops) {
      for (Term it : selectors_of(block)) solver->add(pool_.implies(all, it));
    }
    if (mode_ != Mode::kTrace) return {};
    std::vector<Term> out = doubtful_premises();
    out.push_back(all);
    return out;
  }

  void check_obligations() {
    left_.clear();
    again_.clear();
    is_whole_ = windows_.size() == 1;
    for (std::size_t i = 0; i < windows_.size(); ++i)
      check_obligations(windows_[i], is_whole_ ? "" : fmt::format("-{}", i));
    for (int further = 1; further <= kFurthest && !left_.empty(); ++further) {
      again_ = std::exchange(left_, {});
      const std::vector<Window> wider =
          windows(pool_, passive_, claims([&](const Claim& it) { return again_.contains(&it); }), further);
      for (std::size_t i = 0; i < wider.size(); ++i) check_obligations(wider[i], fmt::format("-{}-{}", further, i));
    }
    if (left_.empty()) return;
    is_whole_ = true;
    again_ = std::exchange(left_, {});
    check_obligations(whole_, "");
  }

  // By place among the items.
  std::vector<std::size_t> claims(const std::function<bool(const Claim&)>& is_wanted) const {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < passive_.items.size(); ++i) {
      const Item& it = passive_.items[i];
      if (it.kind == Item::Kind::kClaim && is_wanted(it.claim)) out.push_back(i);
    }
    return out;
  }

  void check_obligations(const Window& window, const std::string& which) {
    static constexpr std::array kPurposes{"obligations", "without", "trace"};
    Watched solver(settings_, kPurposes[static_cast<std::size_t>(mode_)] + which,
                   mode_ == Mode::kTrace ? Remembers::kNo : Remembers::kYes);
    const std::chrono::milliseconds limit = settings_.solver.timeout;
    const std::chrono::milliseconds whole = windows_.size() > 1 ? kAfterWindowsTimeout : limit;
    const std::chrono::milliseconds most = mode_ != Mode::kProve ? kAgainTimeout : is_whole_ ? whole : kWindowTimeout;
    if (limit.count() == 0 || limit > most) solver->set_timeout(most);
    std::vector<const Claim*> together;  // claims in a row: nothing new is known between them
    const std::vector<Term> given = assert_believed(solver, window);
    const std::vector<Term> ahead =
        points_ahead(window, [&](const Claim& claim, std::size_t at) -> std::optional<std::size_t> {
          if (claim.kind != Claim::Kind::kProbe && !is_to_be_checked(claim)) return {};
          return at;
        });
    begin(solver, window);
    for (std::size_t i = 0; i < window.items.size(); ++i) {
      const Item& it = item(window, i);
      introduce(solver, names_[window.items[i]]);
      if (it.kind == Item::Kind::kFormula) {
        check_together(solver, given, together);
        go_to(solver, ahead[i]);
        solver->add(it.formula);
      } else if (it.claim.kind == Claim::Kind::kProbe) {
        check_together(solver, given, together);
        if (mode_ == Mode::kProve && again_.empty()) probe(solver, given, it.claim);
      } else if (is_to_be_checked(it.claim) && !leave(it.claim)) {
        if (!together.empty() && together.front()->here != it.claim.here) check_together(solver, given, together);
        together.push_back(&it.claim);
      }
    }
    check_together(solver, given, together);
  }

  bool is_to_be_checked(const Claim& claim) const {
    if (claim.kind != Claim::Kind::kObligation) return false;
    if (!again_.empty() && !again_.contains(&claim)) return false;
    const Outcome& known = out_.obligations[static_cast<std::size_t>(claim.tag)];
    switch (mode_) {
      case Mode::kProve: return true;
      case Mode::kWithout: return known.status == Outcome::Status::kProved && known.premises.empty();
      case Mode::kTrace: return in_doubt_.contains(&claim);
    }
    return true;
  }

  bool leave(const Claim& claim) {
    if (mode_ != Mode::kProve || !settings_.is_pointless || !settings_.is_pointless(claim.tag)) return false;
    Outcome& outcome = out_.obligations[static_cast<std::size_t>(claim.tag)];
    if (outcome.status != Outcome::Status::kProved) return true;
    outcome.status = Outcome::Status::kUnknown;
    outcome.reason = "left out";
    return true;
  }

  void check_together(Watched& solver, const std::vector<Term>& given, std::vector<const Claim*>& claims) {
    if (claims.size() > 1 && prove_all(solver, given, claims)) claims.clear();
    for (const Claim* it : claims) {
      if (mode_ == Mode::kProve) {
        check_one(solver, given, *it);
      } else {
        check_again(solver, given, *it);
      }
    }
    claims.clear();
  }

  void check_again(Watched& solver, const std::vector<Term>& given, const Claim& claim) {
    solver->push();
    solver->add(claim.here);
    solver->add(refuted(claim.claim));
    if (!should_stop() && check_exactly(solver, given) == Answer::kUnsat) {
      proved(claim, solver->core(), 0);
    } else if (!is_whole_) {
      left_.insert(&claim);
    } else if (mode_ == Mode::kWithout) {
      in_doubt_.insert(&claim);
    } else {
      proved(claim, doubtful_premises(), 0);
    }
    solver->pop();
  }

  bool prove_all(Watched& solver, const std::vector<Term>& given, const std::vector<const Claim*>& claims) {
    if (should_stop()) return false;
    const auto start = std::chrono::steady_clock::now();
    std::vector<Term> broken;
    broken.reserve(claims.size());
    for (const Claim* it : claims) broken.push_back(refuted(it->claim));
    solver->push();
    solver->add(claims.front()->here);
    solver->add(pool_.or_(broken));
    const Answer answer = check(solver, given);
    solver->pop();
    if (answer != Answer::kUnsat) return false;
    if (mode_ == Mode::kProve && is_remembered(solver, answer)) out_.remembered += static_cast<int>(claims.size());
    const double share = since(start) / static_cast<double>(claims.size());
    for (const Claim* it : claims) proved(*it, solver->core(), share);
    return true;
  }

  void check_one(Watched& solver, const std::vector<Term>& given, const Claim& claim) {
    Outcome& outcome = out_.obligations[static_cast<std::size_t>(claim.tag)];
    if (outcome.status == Outcome::Status::kFailed) return;  // one counterexample is enough
    const auto start = std::chrono::steady_clock::now();
    if (claim.claim == pool_.truth(true)) return proved(claim, {}, 0);
    if (should_stop()) {
      outcome.status = Outcome::Status::kUnknown;
      outcome.reason = "interrupted";
      return;
    }
    solver->push();
    solver->add(claim.here);
    solver->add(refuted(claim.claim));
    std::vector<Term> shown;
    for (Term it : claim.shown) {
      shown.push_back(it->op == formula::Op::kConst ? it : pool_.fresh("shown", it->sort));
      if (shown.back() != it) solver->add(pool_.eq(shown.back(), it));
    }
    const Answer answer = check_exactly(solver, given);
    if (answer == Answer::kUnsat) {
      if (is_remembered(solver, answer)) ++out_.remembered;
      proved(claim, solver->core(), since(start));
    } else {
      outcome.time_ms += since(start);
      if (!is_whole_) {
        left_.insert(&claim);
      } else if (answer == Answer::kSat || solver->has_candidate()) {
        outcome.status = Outcome::Status::kFailed;
        outcome.values.clear();
        for (Term it : shown) outcome.values.push_back(solver->value(it));
      } else {
        outcome.status = Outcome::Status::kUnknown;
        outcome.reason = solver->reason();
      }
      if (is_whole_ && settings_.on_failure) settings_.on_failure(claim.tag);
    }
    solver->pop();
  }

  void proved(const Claim& claim, const std::vector<Term>& core, double time_ms) {
    Outcome& outcome = out_.obligations[static_cast<std::size_t>(claim.tag)];
    outcome.time_ms += time_ms;
    for (const int premise : premises_of(core)) {
      if (std::find(outcome.premises.begin(), outcome.premises.end(), premise) == outcome.premises.end()) {
        outcome.premises.push_back(premise);
      }
    }
  }

  void probe(Watched& solver, const std::vector<Term>& given, const Claim& claim) {
    if (should_stop()) {
      out_.is_cut_short = true;
      return;
    }
    solver->push();
    solver->add(claim.here);
    const Answer answer = check_exactly(solver, given);
    out_.unreachable[static_cast<std::size_t>(claim.tag)] = answer == Answer::kUnsat;
    if (answer == Answer::kUnknown && !solver->has_candidate()) out_.is_cut_short = true;
    solver->pop();
  }

  static double since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  }

  Pool& pool_;
  const Program& program_;
  const Settings& settings_;
  Passive passive_;
  const Arithmetic arithmetic_;
  std::vector<std::vector<Term>> names_;  // of arithmetic, by item
  std::unordered_set<Term> introduced_;   // of these, to the solver
  Window whole_;
  std::vector<Window> windows_;                    // of the program, or the whole as one
  bool is_whole_ = true;                           // what is checked now is not just a part of the program
  std::set<const Claim*> left_;                    // not proved in its window
  std::set<const Claim*> again_;                   // what is looked at once more, if anything is
  std::map<int, std::vector<int>> candidates_of_;  // by block
  std::set<int> open_;                             // loops of which some way was seen and not yet all
  std::unordered_map<Term, int> premise_number_;
  std::vector<bool> believed_;
  std::set<int> believed_premises_;
  Mode mode_ = Mode::kProve;
  std::vector<bool> doubtful_;       // by premise; empty: none
  std::set<const Claim*> in_doubt_;  // not proved without those
  Term reached_ = nullptr;           // the point taken as reached
  int sweeps_ = 0;
  Verification out_;
};

}  // namespace

Verification verify(Pool& pool, const Program& program, const Settings& settings) {
  if (!settings.should_stop || !settings.should_stop()) {
    Remembered remembered(program, settings);
    if (std::optional<Verification> known = remembered.take()) return std::move(*known);
    Verification out = Verifier(pool, program, settings).verify(program);
    remembered.keep(out);
    return out;
  }
  Verification out;
  Outcome none;
  none.status = Outcome::Status::kUnknown;
  none.reason = "interrupted";
  out.obligations.assign(static_cast<std::size_t>(program.obligations), none);
  out.unreachable.resize(static_cast<std::size_t>(settings.probes), false);
  out.kept.resize(program.blocks.size());
  return out;
}

void doubt(Pool& pool, const Program& program, const Settings& settings, const std::vector<bool>& doubtful,
           Verification& verification) {
  if (!settings.should_stop || !settings.should_stop()) {
    return Verifier(pool, program, settings).doubt(doubtful, verification);
  }
  rest_on_all(doubtful, verification);
}

}  // namespace concord::sequential
