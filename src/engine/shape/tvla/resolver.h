// Makes a system of what a TVP or TVM file says: looks up names, expands sets and parameters, checks variables. One class, told in four
// files: resolver.cc (predicates, the whole), resolve_formula.cc, resolve_action.cc and resolve_program.cc.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "diag/diagnostic.h"
#include "engine/shape/system.h"
#include "engine/shape/tvla/expansion.h"
#include "engine/shape/tvla/scope.h"
#include "engine/shape/tvla/syntax.h"

namespace concord::engine::shape::tvla {

// Individuals always exist in our structures, so this predicate of TVLA's (and its alias) is 1 everywhere. It is no predicate of ours.
bool is_existence(const std::string& name);  // ac, inac

class Resolver {
 public:
  Resolver(const Model& model, diag::Sink& sink);
  // Meaningful only if the sink has no error.
  System system();

 private:
  // resolver.cc
  void predefine();
  int predefine(const std::string& name, int arity, bool is_abstraction);
  void declare(const PredicateDecl& decl);
  void set_property(Predicate& predicate, const Word& property);
  void rule(const RuleDecl& decl);
  void add_predicate(Predicate predicate);
  int predicate(const std::string& name, const Name& written);
  std::string hint_for_predicate(const std::string& name) const;
  void check_distinct(const std::vector<Word>& words, const char* what);

  // resolve_formula.cc
  FormulaPtr formula(const Form& form);
  FormulaPtr atom(const Form& form);
  FormulaPtr closed(const Form& form);
  FormulaPtr over_set(const Form& form);
  std::vector<FormulaPtr> formulas(const std::vector<FormPtr>& forms);
  bool has_arguments(int predicate, std::size_t count, base::SourceRange range);
  void check_variables(const Form& form, const Variables& known, const Variables& arguments,
                       const std::string& otherwise);
  void check_not_rebound(const Form& form, const Variables& arguments);

  // resolve_action.cc
  std::optional<int> action(const Use& use, bool is_claim);
  const ActionDecl* used_action(const Use& use);
  Action build(const ActionDecl& decl, bool is_claim);
  void focus(const std::vector<FocusDecl>& list, Action& out);
  void messages(const std::vector<MessageDecl>& list, const Variables& known, Action& out);
  FormulaPtr with_one_more(const FormPtr& form, const Variables& known, const char* clause);
  void update(const UpdateDecl& decl, const Variables& known, Action& out);
  void derive_updates(Action& out);
  FormulaPtr known_formula(const FormPtr& form, const Variables& known);
  int assertion(const Use& use);
  std::string text(const std::vector<Piece>& pieces);

  // resolve_program.cc
  void collect_labels();
  int label(const Word& word);
  void program();
  void edges(const ThreadDecl& thread);

  const Model& model_;
  Errors errors_;
  Expansion expansion_;
  System system_;
  std::unordered_map<std::string, int> predicates_;
  std::unordered_map<std::string, int> labels_;
  std::unordered_map<std::string, const ActionDecl*> actions_;
  std::map<std::pair<std::string, bool>, int> used_;        // actions with their arguments; whether as a claim
  std::unordered_map<int, base::SourceRange> updated_;      // of the action that we are in: its predicates
  std::vector<std::pair<int, base::SourceRange>> derived_;  // likewise, those whose updates are to be found
  bool keeps_variables_ = false;  // in a precondition: what it binds occurs in it, even if a set is empty
};

}  // namespace concord::engine::shape::tvla
