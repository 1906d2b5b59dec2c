// The annotation language inside comments of other languages: the clauses of docs/plato.md, section 3, 6 and 7, without the
// declarations around them. Names are those of the other language; whoever asked for the annotation resolves them.
//
// A semicolon may be left out at the end of the comment and before the next clause. `@` at the beginning of a line means
// nothing, as in JML; nor does `//@` inside.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/source.h"
#include "diag/diagnostic.h"
#include "plato/syntax.h"

namespace concord::plato {

struct AnnotationText {
  std::vector<Variable> variables;  // `ghost T x = e`, `abstract T x`
  std::vector<Clause> clauses;      // of the class around the comment
  std::vector<LockOrder> lock_orders;
  std::vector<Check> checks;
  std::vector<AbstractThread> abstract_threads;
  std::vector<FieldClause> field_clauses;  // of a field
  bool is_thread_local = false;            // of a field
  Contract contract;                       // of a method
  bool has_contract = false;
  SourceRange contract_range;
  Abstracted abstracted;          // of a method
  std::optional<Thread> threads;  // `threads n;`, of a method: how many threads run it; nothing else is filled in
  LoopSpec loop;                  // of a loop
  bool has_loop = false;
  std::vector<GhostSet> sets;  // of a statement
  std::string witness;
  SourceRange witness_range;
  bool may_block = false;
  std::vector<Waiver> waivers;  // of a statement or a declaration
  enum class Border { kNo, kBegin, kEnd };
  Border atomic = Border::kNo;     // `trusted atomic begin`, `trusted atomic end`
  Border exclusive = Border::kNo;  // `exclusive name begin`, `exclusive name end`
  std::string region;              // that name
  SourceRange region_range;
  SourceRange range;
};

// `inside`: the text of the comment without its marks.
AnnotationText read_annotation(const base::SourceMap& sources, SourceRange inside, diag::Sink& sink);
// One expression, for `@GuardedBy("…")`; null if it is none, which is reported.
ExprPtr read_expression(const base::SourceMap& sources, SourceRange inside, diag::Sink& sink);

}  // namespace concord::plato
