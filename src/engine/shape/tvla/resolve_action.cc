#include <map>
#include <set>
#include <utility>

#include "engine/shape/differencing.h"
#include "engine/shape/tvla/resolver.h"

namespace concord::engine::shape::tvla {

namespace {

const char* const kThread = "tr";  // the thread that moves

constexpr std::size_t kMostFormulas = 100'000;  // that updates are found as

std::string plural(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace

// The number of the action with these arguments. With the same ones it is the same action.
std::optional<int> Resolver::action(const Use& use, bool is_claim) {
  if (use.assertion) return assertion(use);
  const ActionDecl* decl = used_action(use);
  if (decl == nullptr) return std::nullopt;
  std::vector<std::string> arguments;
  std::string name = decl->name.text + "(";
  for (const Name& it : use.arguments) {
    arguments.push_back(expansion_.name(it));
    name += (arguments.size() > 1 ? ", " : "") + arguments.back();
  }
  name += ")";
  if (const auto same = used_.find({name, is_claim}); same != used_.end()) return same->second;
  errors_.set_use(diag::Note{use.range, "for `" + name + "`, used here"});
  Action out;
  expansion_.with(decl->parameters, arguments, [&] { out = build(*decl, is_claim); });
  errors_.set_use(std::nullopt);
  if (decl->title.empty()) out.title = name;
  system_.actions.push_back(std::move(out));
  return used_[{name, is_claim}] = static_cast<int>(system_.actions.size()) - 1;
}

// Null: there is none that fits, which is reported.
const ActionDecl* Resolver::used_action(const Use& use) {
  const auto found = actions_.find(use.action.text);
  if (found == actions_.end()) {
    std::vector<std::string> names;
    names.reserve(model_.actions.size());
    for (const ActionDecl& it : model_.actions) names.push_back(it.name.text);
    const std::string near = diag::nearest(use.action.text, names);
    errors_.report(use.action.range, "there is no action `" + use.action.text + "`",
                   near.empty() ? "" : "did you mean `" + near + "`?");
    return nullptr;
  }
  const ActionDecl& decl = *found->second;
  if (decl.parameters.size() == use.arguments.size()) return &decl;
  errors_.report(use.range, "`" + decl.name.text + "` has " + plural(decl.parameters.size(), "parameter") +
                                ", but is given " + std::to_string(use.arguments.size()));
  return nullptr;
}

Action Resolver::build(const ActionDecl& decl, bool is_claim) {
  expansion_.spend(1, decl.name.range);
  Action out;
  out.range = decl.name.range;
  out.title = text(decl.title);
  focus(decl.focus, out);
  focus(model_.focus, out);
  Variables known;  // to all other clauses
  if (model_.has_threads && !is_claim) known.add({kThread, decl.name.range});
  if (decl.precondition) {
    keeps_variables_ = true;
    out.precondition = formula(*decl.precondition);
    keeps_variables_ = false;
    check_not_rebound(*decl.precondition, {});
    const Occurrences all = occurrences(*decl.precondition);
    for (const Word& it : all.free) known.add(it);
  }
  messages(decl.messages, known, out);
  messages(model_.messages, known, out);
  out.creates = decl.creates;
  out.created_for = with_one_more(decl.created_for, known, "%new");
  out.halts = known_formula(decl.halts, known);
  updated_.clear();
  for (const UpdateDecl& it : decl.updates) {
    expansion_.each(it.loops, [&] { update(it, known, out); });
  }
  out.retained = with_one_more(decl.retained, known, "%retain");
  derive_updates(out);
  return out;
}

void Resolver::focus(const std::vector<FocusDecl>& list, Action& out) {
  for (const FocusDecl& it : list) {
    expansion_.each(it.loops, [&] { out.focus.push_back(formula(*it.formula)); });
    check_not_rebound(*it.formula, {});
  }
}

FormulaPtr Resolver::known_formula(const FormPtr& form, const Variables& known) {
  if (!form) return nullptr;
  check_variables(*form, known, {}, "does not occur in the precondition");
  check_not_rebound(*form, {});
  return formula(*form);
}

void Resolver::messages(const std::vector<MessageDecl>& list, const Variables& known, Action& out) {
  for (const MessageDecl& it : list) {
    out.messages.push_back({known_formula(it.condition, known), text(it.text), it.range});
  }
}

// A formula that speaks of one individual, besides those that are known.
FormulaPtr Resolver::with_one_more(const FormPtr& form, const Variables& known, const char* clause) {
  if (!form) return nullptr;
  check_not_rebound(*form, {});
  std::size_t more = 0;
  const Occurrences all = occurrences(*form);
  for (const Word& it : all.free) more += known.find(it.text) == nullptr ? 1 : 0;
  if (more != 1) {
    errors_.report(form->range, "the formula of `" + std::string(clause) +
                                    "` must have one free variable that does not occur in "
                                    "the precondition, but has " +
                                    std::to_string(more));
  }
  keeps_variables_ = true;
  FormulaPtr out = formula(*form);
  keeps_variables_ = false;
  return out;
}

void Resolver::update(const UpdateDecl& decl, const Variables& known, Action& out) {
  Update update;
  const std::string name = expansion_.name(decl.name);
  const bool is_ours = is_existence(name) || name == "sm" || name == "isNew" || name == "instance" ||
                       (model_.has_threads && name == "runnable");
  if (is_ours) return errors_.report(decl.name.range, "`" + name + "` changes by itself; it cannot be updated");
  update.predicate = predicate(name, decl.name);
  if (update.predicate >= 0) has_arguments(update.predicate, decl.arguments.size(), decl.name.range);
  check_distinct(decl.arguments, "argument");
  for (const Word& it : decl.arguments) {
    update.variables.push_back(it.text);
    const Word* same = known.find(it.text);
    if (same == nullptr) continue;
    if (it.text == kThread && model_.has_threads) {
      errors_.report(it.range, "`tr` is the thread that moves; an argument needs another name");
    } else {
      errors_.report(it.range, "the argument `" + it.text + "` has the name of a variable of the precondition",
                     "give one of the two another name", diag::Note{same->range, "here"});
    }
  }
  update.value = formula(*decl.value);
  const Variables arguments(decl.arguments);
  check_variables(*decl.value, known, arguments, "is no argument of `" + name + "` nor in the precondition");
  check_not_rebound(*decl.value, arguments);
  update.range = decl.range;
  if (const auto [first, is_new] = updated_.emplace(update.predicate, decl.range); !is_new && update.predicate >= 0) {
    errors_.report(decl.range, "a second update of `" + name + "`", "", diag::Note{first->second, "the first"});
  }
  if (!decl.is_auto || update.predicate < 0) return out.updates.push_back(std::move(update));
  if (!system_.predicates[static_cast<std::size_t>(update.predicate)].definition)
    return errors_.report(decl.range, "`" + name + "` has no definition that its update could be found from");
  derived_.emplace_back(update.predicate, decl.range);
}

// Those that are written with `auto`. Where individuals come, the definition is evaluated with them and the new values.
void Resolver::derive_updates(Action& out) {
  if (derived_.empty() || errors_.are_there()) return derived_.clear();
  if (out.retained) {
    errors_.report(derived_.front().second, "an update cannot be found where `%retain` removes individuals");
    return derived_.clear();
  }
  std::map<int, base::SourceRange> wanted;
  std::set<int> predicates;
  for (const auto& [predicate, range] : derived_) wanted[predicate] = range, predicates.insert(predicate);
  Differencing differencing(system_, out.updates, kMostFormulas);
  for (Update& it : out.creates ? differencing.recomputed(predicates) : differencing.derived()) {
    const auto written = wanted.find(it.predicate);
    if (written == wanted.end()) continue;
    it.range = written->second;
    it.is_derived = true;
    out.updates.push_back(std::move(it));
  }
  expansion_.spend(differencing.size() / 20, derived_.front().second);
  if (differencing.is_too_large())
    errors_.report(derived_.front().second, "what comes of this definition is too large");
  derived_.clear();
}

// Stops where the formula does not hold, and says so.
int Resolver::assertion(const Use& use) {
  Action out;
  out.title = "assert";
  out.range = use.range;
  Form denial(Form::Kind::kNot);
  denial.parts = {use.assertion};
  denial.range = use.assertion->range;
  out.halts = known_formula(std::make_shared<const Form>(std::move(denial)), Variables({{kThread, use.range}}));
  out.messages.push_back({out.halts, "the assertion may not hold", use.range});
  system_.actions.push_back(std::move(out));
  return static_cast<int>(system_.actions.size()) - 1;
}

std::string Resolver::text(const std::vector<Piece>& pieces) {
  std::string out;
  for (const Piece& it : pieces) out += it.name ? expansion_.name(*it.name) : it.text;
  if (!pieces.empty()) expansion_.spend(1 + out.size() / 20, pieces[0].range);
  return out;
}

}  // namespace concord::engine::shape::tvla
