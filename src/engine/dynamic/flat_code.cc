#include "engine/dynamic/flat_code.h"

#include <algorithm>
#include <ranges>

#include "base/overloaded.h"
#include "engine/dynamic/flat_copies.h"
#include "plato/copy.h"
#include "plato/flow.h"
#include "plato/walk.h"

namespace concord::engine::dynamic {

using base::Overloaded;
using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

constexpr int kMostRounds = 20;

using State = std::optional<Meanings>;  // nothing: the code is not come to

State either(const State& a, const State& b) {
  if (!a || !b) return a ? a : b;
  Meanings out;
  for (const auto& [slot, meaning] : *a) {
    const auto found = b->find(slot);
    if (found != b->end() && found->second == meaning) out.emplace(slot, meaning);
  }
  return out;
}

// What calls of a procedure do to what the caller knows of arrays.
struct Effects {
  bool stores_arrays = false;
  bool releases = false;
};

class Body {
 public:
  Body(FlatVariables& variables, const std::map<int, Effects>& effects, int procedure, Flat& out)
      : variables_(variables),
        effects_(effects),
        procedure_(variables.program().procedures[static_cast<std::size_t>(procedure)]),
        expressions_(variables, procedure),
        flat_(out) {}

  StmtPtr run() {
    state_.emplace();
    std::vector<StmtPtr> out;
    statement(*procedure_.body, out);
    return make_block(std::move(out), procedure_.body->range);
  }

 private:
  using List = std::vector<StmtPtr>;

  // ---- making statements

  Stmt& emit(StmtPtr made, List& out) {
    for (auto& [condition, range] : expressions_.checks) {
      if (truth_of(*condition) == nullptr || !*truth_of(*condition))
        out.push_back(make_assert(std::move(condition), "array-bounds", range));
    }
    expressions_.checks.clear();
    out.push_back(std::move(made));
    return *out.back();
  }
  Stmt& emit(Stmt::Node node, const Stmt& like, List& out) {
    StmtPtr made = make_statement(std::move(node), like.range);
    made->may_block = like.may_block;
    for (const Waiver& it : like.waivers) made->waivers.push_back(it);
    return emit(std::move(made), out);
  }

  // What is not followed, and must not be come to.
  void note_limit(const std::string& what, SourceRange at) {
    const bool is_known =
        std::any_of(flat_.limits.begin(), flat_.limits.end(), [&](const Limit& it) { return it.at == at; });
    if (!is_known) flat_.limits.push_back({at, what});
  }
  void limit(const std::string& what, SourceRange at, List& out) {
    note_limit(what, at);
    emit(make_assert(make_truth(false, at), "", at), out);
    state_.reset();
  }

  ExprPtr value(const Expr& expr) {
    expressions_.meanings = *state_;
    return expressions_.value(expr);
  }
  void leave_out(const Expr& expr) {
    expressions_.meanings = *state_;
    expressions_.leave_out(expr);
  }
  void check_left_out(const Expr& expr) {
    expressions_.meanings = *state_;
    expressions_.check_left_out(expr);
  }
  void forget_aliases() {
    std::erase_if(*state_, [](const auto& it) { return it.second.alias_of.has_value(); });
  }

  // ---- the walk

  void statement(const Stmt& it, List& out) {
    if (!state_) return;
    const std::size_t before = out.size();
    visit(it, out);
    if (it.sets.empty() || !state_) return;
    if (out.size() == before) out.push_back(make_statement(Skip{}, it.range));
    for (const GhostSet& set : it.sets) out.back()->sets.push_back(ghost(set));
    if (!expressions_.checks.empty()) throw Refusal{it.range, "an element of an array in `set`"};
  }

  GhostSet ghost(const GhostSet& it) {
    ExprPtr target = value(*it.target);
    return {std::move(target), value(*it.value), it.range};
  }

  StmtPtr inner(const Stmt& it) {
    List out;
    statement(it, out);
    return make_block(std::move(out), it.range);
  }

  void visit(const Stmt& it, List& out) {
    const auto refuse = [&](const char* what) { throw Refusal{it.range, what}; };
    std::visit(Overloaded{
                   [&](const Block& block) {
                     List list;
                     sequence(block.statements, list);
                     out.push_back(make_block(std::move(list), it.range));
                   },
                   [&](const LocalDecl& decl) { declare(decl, it, out); },
                   [&](const Assign& assign) { this->assign(assign, it, out); },
                   [&](const If& branch) { choose(branch, it, out); },
                   [&](const While& loop) { repeat(it, *loop.body, loop.condition.get(), out); },
                   [&](const Loop& loop) { repeat(it, *loop.body, nullptr, out); },
                   [&](const Choose& choice) { choose(choice, it, out); },
                   [&](const Labeled& labeled) {
                     jumps_.push_back({labeled.label, false, {}, {}});
                     Labeled made;
                     made.label = labeled.label;
                     made.label_range = labeled.label_range;
                     made.body = inner_loop(*labeled.body);
                     state_ = either(state_, jumps_.back().breaks);
                     jumps_.pop_back();
                     out.push_back(make_statement(std::move(made), it.range));
                   },
                   [&](const Break& jump) {
                     Jump& to = target_of(jump.label);
                     to.breaks = either(to.breaks, state_);
                     emit(Break{jump.label, jump.label_range}, it, out);
                     state_.reset();
                   },
                   [&](const Continue& jump) {
                     Jump& to = loop_of(jump.label);
                     to.continues = either(to.continues, state_);
                     emit(Continue{jump.label, jump.label_range}, it, out);
                     state_.reset();
                   },
                   [&](const Return& back) {
                     Return made;
                     if (back.value && is_reference(back.value->type)) leave_out(*back.value);
                     if (back.value && !is_reference(back.value->type)) made.value = value(*back.value);
                     emit(std::move(made), it, out);
                     state_.reset();
                   },
                   [&](const Throw&) { limit("an exception", it.range, out); },
                   [&](const Assert& claim) {
                     Assert made{value(*claim.condition), claim.kind, claim.kind_range};
                     emit(std::move(made), it, out);
                   },
                   [&](const Assume& wait) {
                     ExprPtr condition = value(*wait.condition);
                     emit(Assume{std::move(condition), wait.is_await}, it, out);
                   },
                   [&](const Havoc& havoc) {
                     Havoc made;
                     for (const ExprPtr& target : havoc.targets) {
                       if (is_reference(target->type)) throw Refusal{target->range, "any object"};
                       made.targets.push_back(value(*target));
                     }
                     if (havoc.low) made.low = value(*havoc.low), made.high = value(*havoc.high);
                     emit(std::move(made), it, out);
                   },
                   [&](const CasSwap& cas) {
                     if (is_reference(cas.location->type)) return refuse("compare-and-swap of references");
                     ExprPtr location = value(*cas.location);
                     ExprPtr expected = value(*cas.expected);
                     emit(CasSwap{std::move(location), std::move(expected), value(*cas.value)}, it, out);
                   },
                   [&](const Acquire& acquire) {
                     expressions_.meanings = *state_;
                     emit(Acquire{expressions_.lock(*acquire.lock)}, it, out);
                   },
                   [&](const Release& release) {
                     expressions_.meanings = *state_;
                     emit(Release{expressions_.lock(*release.lock)}, it, out);
                     forget_aliases();
                   },
                   [&](const Wait&) { limit("`wait`", it.range, out); },
                   [&](const Notify&) { limit("`notify`", it.range, out); },
                   [&](const Start&) { limit("a thread that is started", it.range, out); },
                   [&](const Join&) { limit("`join`", it.range, out); },
                   [&](const Call& called) {
                     Call made;
                     made.target = call(called.target);
                     emit(std::move(made), it, out);
                     forget_after(called.target);
                   },
                   [&](const Atomic& atomic) {
                     const bool was = std::exchange(in_atomic_, true);
                     StmtPtr body = inner(*atomic.body);
                     in_atomic_ = was;
                     emit(Atomic{std::move(body), atomic.trusted}, it, out);
                   },
                   [&](const Exclusive& region) {
                     Exclusive made;
                     made.region = region.region;
                     made.region_range = region.region_range;
                     if (region.body) made.body = inner(*region.body);
                     emit(std::move(made), it, out);
                   },
                   [&](const Skip&) { emit(Skip{}, it, out); },
                   [&](const SetStmt& set) { emit(SetStmt{ghost(set.set)}, it, out); },
                   [&](const plato::Unsupported& unknown) {
                     if (unknown.targets.empty()) return limit(unknown.reason, it.range, out);
                     plato::Unsupported made;
                     made.reason = unknown.reason;
                     made.reason_range = unknown.reason_range;
                     for (const ExprPtr& target : unknown.targets) {
                       if (!is_reference(target->type)) made.targets.push_back(value(*target));
                     }
                     if (!made.targets.empty()) emit(std::move(made), it, out);
                   },
                   [&](const Initialised&) { refuse("`initialised`"); },
                   [&](const Direct&) { refuse("a direct operation"); },
               },
               it.node);
  }

  void sequence(const std::vector<StmtPtr>& list, List& out) {
    for (const StmtPtr& it : list) statement(*it, out);
  }

  // ---- jumps

  struct Jump {
    std::string label;
    bool is_loop = false;
    State breaks, continues;
  };
  Jump& target_of(const std::string& label) {
    for (Jump& it : std::views::reverse(jumps_)) {
      if (label.empty() ? it.is_loop : it.label == label) return it;
    }
    throw Refusal{procedure_.name_range, "a jump"};
  }
  // The loop that goes on, which may be the one inside a label.
  Jump& loop_of(const std::string& label) {
    if (label.empty()) return target_of(label);
    for (std::size_t i = 0; i < jumps_.size(); ++i) {
      const bool is_here = jumps_[i].label == label && i + 1 < jumps_.size() && jumps_[i + 1].is_loop;
      if (is_here) return jumps_[i + 1];
    }
    throw Refusal{procedure_.name_range, "a jump"};
  }
  StmtPtr inner_loop(const Stmt& it) {
    const bool is_loop = std::holds_alternative<While>(it.node) || std::holds_alternative<Loop>(it.node);
    if (!is_loop) return inner(it);
    List out;
    statement(it, out);
    if (out.size() == 1) return std::move(out.front());
    return make_block(std::move(out), it.range);
  }

  void choose(const If& it, const Stmt& source, List& out) {
    ExprPtr condition = std::holds_alternative<Star>(it.condition->node) ? copy(*it.condition) : value(*it.condition);
    if (const bool* known = truth_of(*condition)) {
      if (*known) statement(*it.then, out);
      if (!*known && it.otherwise) statement(*it.otherwise, out);
      return;
    }
    List checked;  // what the condition needs comes first
    emit(make_statement(Skip{}, source.range), checked);
    checked.pop_back();
    for (StmtPtr& one : checked) out.push_back(std::move(one));
    If made;
    made.condition = std::move(condition);
    const State before = state_;
    made.then = inner(*it.then);
    const State after = std::exchange(state_, before);
    if (it.otherwise) made.otherwise = inner(*it.otherwise);
    state_ = either(after, state_);
    out.push_back(make_statement(std::move(made), source.range));
  }

  void choose(const Choose& it, const Stmt& source, List& out) {
    Choose made;
    const State before = state_;
    State after;
    for (const StmtPtr& branch : it.branches) {
      state_ = before;
      made.branches.push_back(inner(*branch));
      after = either(after, state_);
    }
    state_ = after;
    out.push_back(make_statement(std::move(made), source.range));
  }

  // `condition` null: it may go on or not.
  void repeat(const Stmt& source, const Stmt& body, const Expr* condition, List& out) {
    if (condition != nullptr && copied(source, out)) return;
    const State entry = state_;
    State head = entry;
    for (int round = 0;; ++round) {
      if (round > kMostRounds) throw Refusal{source.range, "arrays in a loop"};
      state_ = head;
      jumps_.push_back({"", true, {}, {}});
      ExprPtr goes_on;
      bool is_endless = false;
      if (condition != nullptr) {
        const bool is_free = std::holds_alternative<Star>(condition->node);
        goes_on = is_free ? copy(*condition) : value(*condition);
        if (!expressions_.checks.empty()) throw Refusal{condition->range, "an element in the condition of a loop"};
        const bool* known = truth_of(*goes_on);
        is_endless = known != nullptr && *known;
      }
      StmtPtr made = inner(body);
      const Jump jump = std::move(jumps_.back());
      jumps_.pop_back();
      const State next = either(entry, either(state_, jump.continues));
      const bool is_settled = next == head;
      state_ = either(is_endless ? State{} : head, jump.breaks);
      if (!is_settled) {
        head = next;
        continue;
      }
      if (condition != nullptr) {
        While loop;
        loop.condition = std::move(goes_on);
        loop.body = std::move(made);
        emit(std::move(loop), source, out);
      } else {
        Loop loop;
        loop.body = std::move(made);
        emit(std::move(loop), source, out);
      }
      return;
    }
  }

  // ---- copying elements

  bool copied(const Stmt& source, List& out) {
    const auto loop = copy_loop(source);
    if (!loop) return false;
    expressions_.meanings = *state_;
    const auto from = expressions_.fixed_array(*loop->from) ? std::nullopt : expressions_.meaning(*loop->from);
    if (!expressions_.is_own(*loop->to) || !from || *from == *expressions_.meaning(*loop->to)) return false;
    const Home source_home = expressions_.home(*loop->from);
    const Home target_home = expressions_.home(*loop->to);
    const auto here = [&](const Expr& expr) { return value(expr); };
    for (StmtPtr& it : copy_at_once(*loop, source_home, target_home, here, source.range)) { emit(std::move(it), out); }
    return true;
  }

  // ---- calls

  CallTarget call(const CallTarget& it) {
    if (it.is_within_requires) throw Refusal{it.range, "`within requires`"};
    const Procedure& callee = variables_.program().procedures[static_cast<std::size_t>(it.index)];
    CallTarget out;
    out.procedure = it.procedure;
    out.procedure_range = it.procedure_range;
    out.range = it.range;
    expressions_.meanings = *state_;
    for (std::size_t i = 0; i < it.arguments.size(); ++i) {
      const Expr& argument = *it.arguments[i];
      if (!is_reference(callee.parameters[i].type)) {
        out.arguments.push_back(expressions_.value(argument));
        continue;
      }
      leave_out(argument);
      const bool is_array = argument.type.kind == Type::Kind::kArray;
      if (is_array && !expressions_.fixed_array(argument)) throw Refusal{argument.range, "an array that is passed on"};
    }
    return out;
  }

  void forget_after(const CallTarget& it) {
    const Effects& effects = effects_.at(it.index);
    if (effects.stores_arrays || effects.releases) forget_aliases();
  }

  // ---- assignments

  Rhs right_side(const Rhs& it) {
    if (const auto* expr = std::get_if<ExprPtr>(&it)) return value(**expr);
    if (const auto* called = std::get_if<CallExpr>(&it)) return CallExpr{call(called->target)};
    if (const auto* cas = std::get_if<CasExpr>(&it)) {
      if (is_reference(cas->location->type)) throw Refusal{cas->location->range, "compare-and-swap of references"};
      ExprPtr location = value(*cas->location);
      ExprPtr expected = value(*cas->expected);
      return CasExpr{std::move(location), std::move(expected), value(*cas->value)};
    }
    throw Refusal{procedure_.name_range, "a thread that is started"};
  }

  void declare(const LocalDecl& it, const Stmt& source, List& out) {
    if (it.type.kind == Type::Kind::kClass) return reference(it.init ? &*it.init : nullptr, source, out);
    if (it.type.kind == Type::Kind::kArray) {
      if (!it.init) throw Refusal{source.range, "an array that may be missing"};
      return array(it.slot, *it.init, source, out);
    }
    if (refers_to_objects(it.type)) throw Refusal{source.range, "sets and maps of objects"};
    LocalDecl made;
    made.name = it.name;
    made.name_range = it.name_range;
    made.type = it.type;
    if (it.init) made.init = right_side(*it.init);
    emit(std::move(made), source, out);
    if (const auto* called = it.init ? std::get_if<CallExpr>(&*it.init) : nullptr) forget_after(called->target);
  }

  void assign(const Assign& it, const Stmt& source, List& out) {
    const Expr& target = *it.target;
    if (target.type.kind == Type::Kind::kClass) {
      check_left_out(target);
      note_reference(target);
      return reference(&it.value, source, out);
    }
    if (target.type.kind == Type::Kind::kArray) {
      if (const int slot = local_slot(target); slot >= 0) return array(slot, it.value, source, out);
      return store_array(target, it.value, source, out);
    }
    ExprPtr place = value(target);
    Rhs made = right_side(it.value);
    emit(Assign{std::move(place), std::move(made)}, source, out);
    if (const auto* called = std::get_if<CallExpr>(&it.value)) forget_after(called->target);
  }

  void note_reference(const Expr& target) {
    expressions_.meanings = *state_;
    if (std::holds_alternative<IndexExpr>(target.node)) throw Refusal{target.range, "an array of objects"};
    if (const auto holder = expressions_.holder(target)) variables_.note_reference(*holder);
  }

  // Of objects nothing is left but what calls do.
  void reference(const Rhs* it, const Stmt& source, List& out) {
    if (it == nullptr) return;
    if (const auto* expr = std::get_if<ExprPtr>(it)) return leave_out(**expr);
    if (const auto* made = std::get_if<NewObject>(it)) {
      for (const NewObject::Init& init : made->inits) leave_out(*init.value);
      return;
    }
    const auto* called = std::get_if<CallExpr>(it);
    if (called == nullptr) throw Refusal{source.range, "this kind of reference"};
    Call made;
    made.target = call(called->target);
    emit(std::move(made), source, out);
    forget_after(called->target);
  }

  std::string elements_of(int slot) const { return expressions_.local(slot).name + ".elements"; }

  // A local variable gets an array.
  void array(int slot, const Rhs& it, const Stmt& source, List& out) {
    const Local& local = expressions_.local(slot);
    const SourceRange at = source.range;
    const bool is_declared = std::holds_alternative<LocalDecl>(source.node);
    if (!is_declared) throw Refusal{at, "a local variable that gets another array"};
    expressions_.meanings = *state_;
    if (const auto* made = std::get_if<NewArray>(&it)) return own(slot, *made, source, out);
    const auto* expr = std::get_if<ExprPtr>(&it);
    if (expr == nullptr) throw Refusal{at, "an array that a call gives"};
    check_left_out(**expr);
    if (expressions_.fixed_array(**expr)) return;
    const Home home = expressions_.home(**expr);
    const ArrayMeaning meaning = *expressions_.meaning(**expr);
    // Which array it is, is read here.
    if (meaning.alias_of) emit(make_local(local.name, type_of_lengths(), make_name(home.length, at), at), out);
    (*state_)[slot] = meaning;
  }

  void own(int slot, const NewArray& it, const Stmt& source, List& out) {
    const SourceRange at = source.range;
    if (is_reference(it.element)) throw Refusal{at, "an array of objects"};
    std::erase_if(*state_, [&](const auto& each) { return each.second.own == slot; });  // the one of the last round
    ExprPtr size = value(*it.size);
    ExprPtr is_natural = make_binary(BinaryOp::kLe, make_number(0, at), copy(*size), at);
    emit(make_assert(std::move(is_natural), "negative-array-size", at), out);
    const auto& values = it.size->type.values;
    if (!values || values->high > kMostElements) {  // making it would wait for ever
      note_limit("an array longer than there is", at);
      ExprPtr fits = make_binary(BinaryOp::kLe, copy(*size), make_number(kMostElements, at), at);
      emit(make_assert(std::move(fits), "", at), out);
    }
    emit(make_local(expressions_.local(slot).name, type_of_lengths(), std::move(size), at), out);
    emit(make_local(elements_of(slot), type_of_elements(it.element), nullptr, at), out);
    (*state_)[slot] = ArrayMeaning{{}, slot};
  }

  // A variable of an object, or of all, gets an array: one that the thread made.
  void store_array(const Expr& target, const Rhs& it, const Stmt& source, List& out) {
    const SourceRange at = source.range;
    expressions_.meanings = *state_;
    check_left_out(target);
    const auto* expr = std::get_if<ExprPtr>(&it);
    if (expr == nullptr) throw Refusal{at, "an array that is stored where it is made"};
    check_left_out(**expr);
    const auto holder = expressions_.holder(target);
    if (!holder) throw Refusal{at, "an array in an array"};
    if (!expressions_.is_own(**expr)) throw Refusal{at, "an array that others know is stored"};
    const int own_slot = expressions_.meaning(**expr)->own;
    const Home own = expressions_.home(**expr);
    const Home home = variables_.growing(*holder, at);
    std::vector<StmtPtr> both;
    both.push_back(make_assignment(make_name(home.length, at), make_name(own.length, at), at));
    both.push_back(make_assignment(make_name(home.elements, at), make_name(own.elements, at), at));
    if (in_atomic_) {
      for (StmtPtr& one : both) emit(std::move(one), out);
    } else {
      emit(Atomic{make_block(std::move(both), at), false}, source, out);
    }
    std::erase_if(*state_, [](const auto& each) { return each.second.alias_of.has_value(); });
    for (auto& [slot, meaning] : *state_) {
      if (meaning.own == own_slot) meaning = ArrayMeaning{holder, -1};
    }
  }

  FlatVariables& variables_;
  const std::map<int, Effects>& effects_;
  const Procedure& procedure_;
  FlatExpressions expressions_;
  Flat& flat_;
  State state_;
  std::vector<Jump> jumps_;
  bool in_atomic_ = false;
};

// Also through what it calls.
std::map<int, Effects> find_effects(const Program& program, const std::set<int>& procedures) {
  std::map<int, Effects> own;
  for (const int p : procedures) {
    Effects& effects = own[p];
    for_each_stmt(*program.procedures[static_cast<std::size_t>(p)].body, [&](const Stmt& it) {
      const auto* assign = std::get_if<Assign>(&it.node);
      const bool stores =
          assign != nullptr && assign->target->type.kind == Type::Kind::kArray && local_slot(*assign->target) < 0;
      effects.stores_arrays = effects.stores_arrays || stores;
      effects.releases =
          effects.releases || std::holds_alternative<Release>(it.node) || std::holds_alternative<Wait>(it.node);
    });
  }
  std::map<int, Effects> out;
  for (const int p : procedures) {
    for (const int called : run_from(program, {p}, false)) {
      out[p].stores_arrays = out[p].stores_arrays || own[called].stores_arrays;
      out[p].releases = out[p].releases || own[called].releases;
    }
  }
  return out;
}

}  // namespace

void flatten_code(FlatVariables& variables, const std::set<int>& procedures, Flat& out) {
  const Program& program = variables.program();
  const std::map<int, Effects> effects = find_effects(program, procedures);
  for (int p = 0; p < std::ssize(program.procedures); ++p) {
    const Procedure& it = program.procedures[static_cast<std::size_t>(p)];
    Procedure made;
    made.name = it.name;
    made.range = it.range;
    made.name_range = it.name_range;
    made.end_range = it.end_range;
    made.waivers = it.waivers;
    if (!procedures.contains(p)) {
      made.body = make_block({}, it.range);
      out.program.procedures.push_back(std::move(made));
      continue;
    }
    for (const Local& parameter : it.parameters) {
      if (!is_reference(parameter.type)) made.parameters.push_back(parameter);
    }
    if (!is_reference(it.result)) made.result = it.result;
    made.body = Body(variables, effects, p, out).run();
    out.program.procedures.push_back(std::move(made));
  }
}

}  // namespace concord::engine::dynamic
