#include "engine/shape/tvla/resolver.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "base/overloaded.h"

namespace concord::engine::shape::tvla {

namespace {

constexpr std::size_t kGreatestArity = 2;

struct Property {
  std::string_view name;
  int arity;
  bool Predicate::*flag;
};

constexpr std::array kProperties = {
    Property{"unique", 1, &Predicate::is_unique},
    Property{"function", 2, &Predicate::is_function},
    Property{"invfunction", 2, &Predicate::is_inverse_function},
    Property{"symmetric", 2, &Predicate::is_symmetric},
    Property{"antisymmetric", 2, &Predicate::is_antisymmetric},
    Property{"reflexive", 2, &Predicate::is_reflexive},
    Property{"antireflexive", 2, &Predicate::is_antireflexive},
    Property{"transitive", 2, &Predicate::is_transitive},
    Property{"acyclic", 2, &Predicate::is_acyclic},
};

bool may_be_head(const Formula& it) {
  if (it.kind == Formula::Kind::kNot)
    return may_be_head(*it.parts[0]) && it.parts[0]->kind != Formula::Kind::kNot &&
           it.parts[0]->kind != Formula::Kind::kValue;
  if (it.kind == Formula::Kind::kValue) return it.value == Kleene::kFalse;
  return it.kind == Formula::Kind::kAtom || it.kind == Formula::Kind::kEqual;
}

}  // namespace

bool is_existence(const std::string& name) { return name == "ac" || name == "inac"; }

Resolver::Resolver(const Model& model, diag::Sink& sink) : model_(model), errors_(sink), expansion_(errors_) {}

System Resolver::system() {
  try {
    collect_labels();
    predefine();
    for (const Declaration& decl : model_.declarations) {
      expansion_.each(decl.loops, [&] {
        std::visit(base::Overloaded{
                       [&](const SetDecl& it) { expansion_.define_set(it.name.text, expansion_.members(it.members)); },
                       [&](const PredicateDecl& it) { declare(it); },
                       [&](const RuleDecl& it) { rule(it); },
                   },
                   decl.node);
      });
    }
    program();
  } catch (const GiveUp&) {}
  return std::move(system_);
}

void Resolver::predefine() {
  system_.sm = predefine("sm", 1, false);
  system_.is_new = predefine("isNew", 1, false);
  system_.instance = predefine("instance", 2, false);
  if (!model_.has_threads) return;
  system_.has_threads = true;
  system_.is_thread = predefine("isthread", 1, true);
  system_.ready = predefine("ready", 1, true);
  system_.runnable = predefine("runnable", 1, false);
  system_.predicates.back().is_unique = true;
  for (const std::string& it : system_.labels) system_.at.push_back(predefine("at[" + it + "]", 1, true));
  expansion_.define_set("Labels", system_.labels);
}

int Resolver::predefine(const std::string& name, int arity, bool is_abstraction) {
  Predicate out;
  out.name = name;
  out.arity = arity;
  out.is_abstraction = is_abstraction;
  add_predicate(std::move(out));
  return static_cast<int>(system_.predicates.size()) - 1;
}

void Resolver::add_predicate(Predicate predicate) {
  predicates_.emplace(predicate.name, static_cast<int>(system_.predicates.size()));
  system_.predicates.push_back(std::move(predicate));
}

void Resolver::declare(const PredicateDecl& decl) {
  Predicate out;
  out.name = expansion_.name(decl.name);
  expansion_.spend(1 + out.name.size() / 20, decl.range);
  out.range = decl.range;
  out.arity = static_cast<int>(std::min(decl.arguments.size(), kGreatestArity));
  out.is_abstraction = out.arity < 2;
  if (decl.arguments.size() > kGreatestArity) {
    errors_.report(decl.arguments[kGreatestArity].range, "predicates of more than two arguments are not supported");
  }
  check_distinct(decl.arguments, "argument");
  for (const Word& it : decl.properties) set_property(out, it);
  for (const Word& it : decl.arguments) out.variables.push_back(it.text);
  if (decl.definition) {
    out.definition = formula(*decl.definition);
    const Variables arguments(decl.arguments);
    check_variables(*decl.definition, {}, arguments, "is no argument of `" + out.name + "`");
    check_not_rebound(*decl.definition, arguments);
  } else {
    out.variables.clear();
  }
  const auto found = predicates_.find(out.name);
  if (found == predicates_.end() && !is_existence(out.name)) return add_predicate(std::move(out));
  std::optional<diag::Note> note;
  if (found != predicates_.end())
    note = diag::Note{system_.predicates[static_cast<std::size_t>(found->second)].range, "here"};
  const bool is_ours = !note || note->range == base::SourceRange{};
  if (is_ours) return errors_.report(decl.range, "the predicate `" + out.name + "` is predefined");
  errors_.report(decl.range, "the predicate `" + out.name + "` is declared already", "", note);
}

void Resolver::set_property(Predicate& predicate, const Word& property) {
  if (property.text == "box") return;  // drawing only, as `pointer` is
  if (property.text == "pointer") {
    predicate.is_pointer = true;
    return;
  }
  if (property.text == "abs" || property.text == "nonabs") {
    if (property.text == "abs" && predicate.arity > 1) {
      errors_.report(property.range, "a predicate of two arguments cannot be an abstraction predicate");
    }
    predicate.is_abstraction = property.text == "abs";
    return;
  }
  std::vector<std::string> names = {"abs", "nonabs", "pointer", "box"};
  for (const Property& it : kProperties) {
    names.emplace_back(it.name);
    if (it.name != property.text) continue;
    predicate.*it.flag = true;
    if (it.arity == predicate.arity) return;
    return errors_.report(property.range, "`" + property.text + "` is a property of predicates of " +
                                              (it.arity == 1 ? "one argument" : "two arguments"));
  }
  const std::string near = diag::nearest(property.text, names);
  errors_.report(property.range, "there is no property `" + property.text + "`",
                 near.empty() ? "" : "did you mean `" + near + "`?");
}

void Resolver::rule(const RuleDecl& decl) {
  Rule out{formula(*decl.body), formula(*decl.head), decl.range};
  for (const FormPtr& it : {decl.body, decl.head}) check_not_rebound(*it, {});
  if (!may_be_head(*out.head)) {
    errors_.report(decl.head->range,
                   "after `==>` there must be 0, a predicate or an equation, or the negation of one of the latter");
  }
  system_.rules.push_back(std::move(out));
}

void Resolver::check_distinct(const std::vector<Word>& words, const char* what) {
  std::unordered_set<std::string> known;
  for (const Word& it : words) {
    if (!known.insert(it.text).second) errors_.report(it.range, "a second " + std::string(what) + " `" + it.text + "`");
  }
}

// -1: there is none, which is reported.
int Resolver::predicate(const std::string& name, const Name& written) {
  if (const auto found = predicates_.find(name); found != predicates_.end()) return found->second;
  const bool is_at = model_.has_threads && name.starts_with("at[") && name.ends_with(']');
  const std::string message =
      "there is no " + (is_at ? "label `" + name.substr(3, name.size() - 4) + "`" : "predicate `" + name + "`");
  if (errors_.is_reported(written.range, message)) return -1;
  errors_.report(written.range, message, hint_for_predicate(name));
  return -1;
}

std::string Resolver::hint_for_predicate(const std::string& name) const {
  for (const Declaration& decl : model_.declarations) {
    const auto* it = std::get_if<PredicateDecl>(&decl.node);
    const bool is_this = it != nullptr && it->name.word.text == name && !it->name.has_parameters;
    if (is_this && decl.loops.empty()) return "predicates are declared before they are used";
  }
  std::vector<std::string> names;
  for (const Predicate& it : system_.predicates) names.push_back(it.name);
  const std::string near = diag::nearest(name, names);
  return near.empty() ? "" : "did you mean `" + near + "`?";
}

}  // namespace concord::engine::shape::tvla
