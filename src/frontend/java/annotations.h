// Which annotation belongs to what. Comments that begin with `@` are read (plato/annotation.h) and attached by where they
// stand: clauses of a class to the class around them, clauses of a field or method to the one that follows directly (or, of a
// field, behind it on its line, precedes), those in a body to the statement that follows directly or, at the end of a line, to
// the one on it. What stands elsewhere is an error.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "base/source.h"
#include "diag/diagnostic.h"
#include "frontend/java/classes.h"
#include "plato/annotation.h"

namespace concord::frontend::java {

class Annotations {
 public:
  Annotations(const base::SourceMap& sources, const Classes& classes, diag::Sink& sink);

  std::vector<plato::AnnotationText*> of_class(SymbolId class_symbol);
  std::vector<plato::AnnotationText*> of_field(SymbolId field);
  std::vector<plato::AnnotationText*> of_method(SymbolId method);
  std::vector<plato::AnnotationText*> of_statement(const Stmt& statement);
  std::vector<plato::AnnotationText*> of_loop(const Stmt& loop);  // or one with a label
  const std::vector<Annotation>& java_annotations(SymbolId field) const;
  bool has_lock(const Annotation& guarded_by);  // as one string; else that is reported

 private:
  void attach(const Comment& comment);
  void refuse(const std::vector<Annotation>& list, const std::vector<std::string>& names);
  void attach_in_class(std::size_t index, const ClassDecl& declaration);
  const Member* member_at(const plato::AnnotationText& it, const ClassDecl& declaration) const;
  std::vector<SymbolId> declared_with(const FieldDecl& field, const ClassDecl& declaration) const;
  std::vector<const Stmt*> declared_with(const Stmt& statement, const Stmt& body) const;
  bool runs_thread(const MethodDecl& method) const;
  void attach_to_method(std::size_t index, const MethodDecl& method);
  void check_threads(const plato::Thread& threads, const MethodDecl& method);
  void require_lock(const MethodDecl& method, const Annotation& guarded_by);
  void attach_in_body(std::size_t index, const Stmt& body);
  bool is_misspelt(const Comment& comment);
  void match_borders();
  std::uint32_t next_code(std::uint32_t file, std::uint32_t at) const;
  bool touch(const SourceRange& first, const SourceRange& second) const;
  bool are_of_one_declaration(const SourceRange& first, const SourceRange& second) const;
  bool begins_on_line_of(const SourceRange& next, const SourceRange& comment) const;
  std::uint32_t line_of(std::uint32_t file, std::uint32_t offset) const {
    return sources_.file(file).position(offset).line;
  }

  const base::SourceMap& sources_;
  const Classes& classes_;
  diag::Sink& sink_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> comments_;  // file and begin: the end
  std::vector<plato::AnnotationText> all_;
  std::map<SymbolId, std::vector<std::size_t>> by_class_, by_field_, by_method_;
  std::map<const Stmt*, std::vector<std::size_t>> by_statement_, by_loop_;
  std::map<SymbolId, std::vector<Annotation>> java_annotations_;
};

}  // namespace concord::frontend::java
