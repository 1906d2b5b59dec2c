// The generator from the inside (generator.h is what others see).
//
// generator.cc has the program as a whole, its declarations and clauses; make_procedures.cc procedures with their contracts,
// abstractions and machines; make_statements.cc statements. Text is written line by line into text_.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "generator.h"
#include "vocabulary.h"

namespace concord::agree {

struct Parameter {
  std::string name;
  Sort sort;
};

// A procedure that was written already.
struct Made {
  std::string name;
  std::vector<Parameter> parameters;
  bool has_result = false;
  Sort result = Sort::kInt;
  bool abstract = false;          // it has an abstraction
  bool tame = false;              // it may be called any number of times: nothing in it grows
  bool unfit_for_atomic = false;  // it has an `atomic` or a `wait` of its own
  bool recursive = false;         // its last parameter is the depth
  bool throws = false;            // a Node
};

class Generator {
 public:
  Generator(std::uint64_t seed, const GeneratorOptions& options) : random_(seed), words_(random_), allowed_(options) {}
  std::string run();

 private:
  using Shape = Name::Shape;
  void thin_out();

  // The text.
  void line(const std::string& text);
  std::string take();
  template <class Body>
  void braces(const std::string& head, Body body, const std::string& foot = "}") {
    line(head.empty() ? "{" : head + " {");
    ++indent_;
    const std::size_t scope = words_.locals.size();
    body();
    words_.locals.resize(scope);
    --indent_;
    line(foot);
  }

  // Declarations.
  void declare_types();
  void declare_variables();
  void declare(const Name& name);
  std::string variable_clause(const Name& name);

  // Clauses.
  Where clause_where(bool has_tid);
  void clauses();
  std::string invariant();
  std::string rely();
  std::string frame(const Where& where);
  void lock_order();

  // Procedures.
  void procedure(const std::string& name, bool helper);
  void contract(const Made& made);
  // The operations that an abstraction or a machine speaks of: statement, location, predicate.
  struct Core {
    std::string statement;
    std::string location;
    std::string predicate;
  };
  std::vector<Core> core(bool no_locals);
  void abstraction(const std::vector<Core>& cores);
  void recursion(const std::string& head, Made& made);
  void try_lock(const std::string& head);
  void take_ticket(const std::string& head);
  void abstract_thread(const std::string& name, const std::vector<Core>& cores);
  void body(const std::vector<Core>& cores);
  void noise();

  // Statements.
  std::string value_for(Sort sort, const Where& where);
  Where code();
  std::string condition();
  template <class Wanted>
  const Name* some(Wanted wanted) {
    found_ = words_.names(Where{}, wanted);
    return found_.empty() ? nullptr : &random_.pick(found_);
  }
  void statement();
  void operation(const std::string& text);
  std::string block(int statements);
  void nested(const std::string& head, int statements);
  void assignment();
  void local();
  void assertion();
  void waiting();
  void skip();
  void conditional();
  std::string loop_invariant();
  std::string label(bool of_loop);
  void labelled();
  void counted_loop();
  void endless_loop();
  void choice();
  void iteration();
  void atomic();
  std::string plain_lock();
  void region();
  void critical_section();
  void synchronized();
  void nested_locks();
  void stray_lock();
  void swap();
  void direct();
  void havoc();
  std::string arguments(const Made& made);
  std::string catch_part();
  void call();
  void start();
  void object();
  void array();
  void set_update();
  void jump();
  void leave();
  void raise();
  void raise_perhaps();

  // Threads.
  void starter();
  void lock_objects();
  void lockers();
  void threads();

  Random random_;
  Vocabulary words_;
  GeneratorOptions allowed_;
  std::string text_;
  int indent_ = 0;
  std::vector<Made> helpers_;
  std::vector<Made> workers_;
  std::vector<std::string> machines_;  // procedures that have one
  bool has_starter_ = false;           // a thread of its own starts those with a machine
  std::vector<Name> found_;
  Made* made_ = nullptr;  // the procedure being written
  bool modules_ = false;
  bool has_x_ = false;      // an int x
  bool has_limit_ = false;  // the constant 2
  bool has_few_ = false;    // a constant that is 1 or 2
  bool tame_ = false;       // passed any number of times: nothing may grow
  bool in_helper_ = false;
  bool in_atomic_ = false;
  bool core_only_ = false;
  int loops_ = 0;
  struct Label {
    std::string name;
    bool of_loop;
  };
  std::vector<Label> labels_;  // that a jump may name
  int depth_ = 0;
  int budget_ = 0;
  int started_ = 0;
};

}  // namespace concord::agree
