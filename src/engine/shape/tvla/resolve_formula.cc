#include <utility>

#include "engine/shape/tvla/resolver.h"

namespace concord::engine::shape::tvla {

namespace {

// Names that nobody can write.
const char* const kStepFrom = "from'";
const char* const kStepTo = "to'";

FormulaPtr make(Formula::Kind kind, std::vector<FormulaPtr> parts, base::SourceRange range,
                std::vector<Variable> variables = {}) {
  Formula out;
  out.kind = kind;
  out.parts = std::move(parts);
  out.range = range;
  out.variables = std::move(variables);
  return std::make_shared<const Formula>(std::move(out));
}

FormulaPtr constant(Kleene value, base::SourceRange range) {
  Formula out;
  out.value = value;
  out.range = range;
  return std::make_shared<const Formula>(std::move(out));
}

FormulaPtr negated(FormulaPtr it, base::SourceRange range) { return make(Formula::Kind::kNot, {std::move(it)}, range); }

// 1, whoever the variable is, but it occurs.
FormulaPtr mentioned(const Variable& variable, base::SourceRange range) {
  const FormulaPtr yes = constant(Kleene::kTrue, range);
  return make(Formula::Kind::kIf, {make(Formula::Kind::kEqual, {}, range, {variable, variable}), yes, yes}, range);
}

std::vector<Variable> texts(const std::vector<Word>& words) {
  std::vector<Variable> out;
  out.reserve(words.size());
  for (const Word& it : words) out.push_back(it.text);
  return out;
}

}  // namespace

FormulaPtr Resolver::formula(const Form& form) {
  expansion_.spend(1, form.range);
  const base::SourceRange range = form.range;
  switch (form.kind) {
    case Form::Kind::kValue: return constant(form.value, range);
    case Form::Kind::kAtom: return atom(form);
    case Form::Kind::kStar:
    case Form::Kind::kPlus: return closed(form);
    case Form::Kind::kEqual: return make(Formula::Kind::kEqual, {}, range, texts(form.variables));
    case Form::Kind::kNotEqual: return negated(make(Formula::Kind::kEqual, {}, range, texts(form.variables)), range);
    case Form::Kind::kNot: return negated(formula(*form.parts[0]), range);
    case Form::Kind::kAnd: return make(Formula::Kind::kAnd, formulas(form.parts), range);
    case Form::Kind::kOr: return make(Formula::Kind::kOr, formulas(form.parts), range);
    case Form::Kind::kImplies: {
      FormulaPtr left = formula(*form.parts[0]);
      const base::SourceRange left_range = left->range;
      return make(Formula::Kind::kOr, {formula(*form.parts[1]), negated(std::move(left), left_range)}, range);
    }
    case Form::Kind::kIff: {
      // The right side is there twice; made twice, so that what it costs is counted.
      FormulaPtr yes = formula(*form.parts[1]);
      FormulaPtr no = negated(formula(*form.parts[1]), yes->range);
      return make(Formula::Kind::kIf, {formula(*form.parts[0]), std::move(yes), std::move(no)}, range);
    }
    case Form::Kind::kIf: return make(Formula::Kind::kIf, formulas(form.parts), range);
    case Form::Kind::kExists: return make(Formula::Kind::kExists, formulas(form.parts), range, texts(form.variables));
    case Form::Kind::kForall: return make(Formula::Kind::kForall, formulas(form.parts), range, texts(form.variables));
    case Form::Kind::kClosure: return make(Formula::Kind::kClosure, formulas(form.parts), range, texts(form.variables));
    case Form::Kind::kAndEach:
    case Form::Kind::kOrEach: return over_set(form);
  }
  return constant(Kleene::kFalse, range);
}

std::vector<FormulaPtr> Resolver::formulas(const std::vector<FormPtr>& forms) {
  std::vector<FormulaPtr> out;
  out.reserve(forms.size());
  for (const FormPtr& it : forms) out.push_back(formula(*it));
  return out;
}

bool Resolver::has_arguments(int predicate, std::size_t count, base::SourceRange range) {
  const Predicate& it = system_.predicates[static_cast<std::size_t>(predicate)];
  if (static_cast<std::size_t>(it.arity) == count) return true;
  errors_.report(range, "`" + it.name + "` has " + std::to_string(it.arity) +
                            (it.arity == 1 ? " argument" : " arguments") + ", but is given " + std::to_string(count));
  return false;
}

FormulaPtr Resolver::atom(const Form& form) {
  const std::string name = expansion_.name(form.name);
  if (is_existence(name) && form.variables.size() == 1) return mentioned(form.variables[0].text, form.range);
  Formula out;
  out.kind = Formula::Kind::kAtom;
  out.predicate = predicate(name, form.name);
  out.variables = texts(form.variables);
  out.range = form.range;
  if (out.predicate >= 0) has_arguments(out.predicate, form.variables.size(), form.range);
  return std::make_shared<const Formula>(std::move(out));
}

// p*(x,y) and p+(x,y).
FormulaPtr Resolver::closed(const Form& form) {
  Formula step;
  step.kind = Formula::Kind::kAtom;
  step.predicate = predicate(expansion_.name(form.name), form.name);
  step.variables = {kStepFrom, kStepTo};
  step.range = form.range;
  const bool fits = step.predicate >= 0 && has_arguments(step.predicate, 2, form.name.range) &&
                    has_arguments(step.predicate, form.variables.size(), form.range);
  if (!fits) return constant(Kleene::kFalse, form.range);
  const std::vector<Variable> ends = texts(form.variables);
  FormulaPtr steps = make(Formula::Kind::kClosure, {std::make_shared<const Formula>(std::move(step))}, form.range,
                          {ends[0], ends[1], kStepFrom, kStepTo});
  if (form.kind == Form::Kind::kPlus) return steps;
  return make(Formula::Kind::kOr, {make(Formula::Kind::kEqual, {}, form.range, ends), std::move(steps)}, form.range);
}

FormulaPtr Resolver::over_set(const Form& form) {
  const bool is_and = form.kind == Form::Kind::kAndEach;
  std::vector<FormulaPtr> parts;
  expansion_.each(*form.loop, [&] { parts.push_back(formula(*form.parts[0])); });
  if (parts.size() == 1) return parts[0];
  if (!parts.empty()) return make(is_and ? Formula::Kind::kAnd : Formula::Kind::kOr, std::move(parts), form.range);
  FormulaPtr none = constant(is_and ? Kleene::kTrue : Kleene::kFalse, form.range);
  if (!keeps_variables_) return none;
  const Occurrences inside = occurrences(*form.parts[0]);
  for (const Word& it : inside.free) {
    FormulaPtr mention = mentioned(it.text, form.range);
    none = is_and ? make(Formula::Kind::kAnd, {std::move(none), std::move(mention)}, form.range)
                  : make(Formula::Kind::kOr, {std::move(none), negated(std::move(mention), form.range)}, form.range);
  }
  return none;
}

// The free variables are known or arguments; what is said of another one ends with `otherwise`.
void Resolver::check_variables(const Form& form, const Variables& known, const Variables& arguments,
                               const std::string& otherwise) {
  const Occurrences all = occurrences(form);
  for (const Word& it : all.free) {
    const bool is_allowed = known.find(it.text) != nullptr || arguments.find(it.text) != nullptr;
    if (!is_allowed) errors_.report(it.range, "the variable `" + it.text + "` is not bound and " + otherwise);
  }
}

void Resolver::check_not_rebound(const Form& form, const Variables& arguments) {
  const Occurrences all = occurrences(form);
  for (const Word& it : all.bound) {
    const Word* free = all.free.find(it.text);
    if (free != nullptr) {
      errors_.report(it.range, "the variable `" + it.text + "` is bound here, and free elsewhere in the formula",
                     "give one of the two another name", diag::Note{free->range, "free here"});
    } else if (arguments.find(it.text) != nullptr) {
      errors_.report(it.range, "the variable `" + it.text + "` is bound here, but is an argument",
                     "give one of the two another name");
    }
  }
}

}  // namespace concord::engine::shape::tvla
