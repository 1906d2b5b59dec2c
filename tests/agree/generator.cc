#include "generator.h"

#include <algorithm>
#include <utility>

#include "vocabulary.h"

namespace concord::agree {

namespace {

using Shape = Name::Shape;

struct Parameter {
  std::string name;
  Sort sort;
};
struct Made {
  std::string name;
  std::vector<Parameter> parameters;
  bool has_result = false;
  Sort result = Sort::kInt;
  bool abstract = false;
  bool tame = false;
  bool unfit_for_atomic = false;
  bool recursive = false;
};

class Generator {
 public:
  Generator(std::uint64_t seed, const GeneratorOptions& options) : random_(seed), words_(random_), allowed_(options) {}

  std::string run() {
    thin_out();
    declare_types();
    declare_variables();
    const std::string declarations = take();
    if (on(allowed_.clauses)) clauses();
    const std::string clauses_of_variables = take();
    const int helpers = on(allowed_.calls || allowed_.starts) ? random_.between(1, 2) : 0;
    for (int i = 0; i < helpers; ++i) procedure("help" + std::to_string(i), true);
    const std::string helper_text = take();
    const int classes = random_.between(1, 2 + (random_.chance(30) ? 1 : 0));
    for (int i = 0; i < classes; ++i) procedure("work" + std::to_string(i), false);
    threads();
    line("check deadlock;");
    const std::string rest = take();
    if (!modules_) return declarations + clauses_of_variables + helper_text + rest;
    const bool clauses_below = random_.chance(50);
    return "module Lib {\n" + declarations + (clauses_below ? clauses_of_variables : "") + helper_text + "}\n" +
           (random_.chance(50) ? "module Top uses Lib {\n" + (clauses_below ? "" : clauses_of_variables) + rest + "}\n"
                               : (clauses_below ? "" : clauses_of_variables) + rest);
  }

 private:
  static bool on(bool feature) { return feature; }

  // A program with everything in it shows little of anything.
  void thin_out() {
    const auto keep = [&](bool& feature, int percent) { feature = feature && random_.chance(percent); };
    keep(allowed_.maps, 35);
    keep(allowed_.sets, 25);
    keep(allowed_.enums, 30);
    keep(allowed_.objects, 30);
    keep(allowed_.arrays, 20);
    keep(allowed_.monitors, 35);
    keep(allowed_.plain_locks, 45);
    keep(allowed_.ghosts, 30);
    keep(allowed_.calls, 50);
    keep(allowed_.starts, 25);
    keep(allowed_.atomics, 50);
    keep(allowed_.choices, 40);
    keep(allowed_.direct, 40);
    keep(allowed_.cas, 35);
    keep(allowed_.havoc, 25);
    keep(allowed_.contracts, 50);
    keep(allowed_.abstractions, 50);
    keep(allowed_.machines, 30);
    keep(allowed_.clauses, 60);
    keep(allowed_.quantifiers, 60);
    keep(allowed_.risky, 35);
    keep(allowed_.free_integers, 3);
    keep(allowed_.modules, 20);
    modules_ = allowed_.modules;
    words_.quantifiers = allowed_.quantifiers;
    words_.wild_quantifiers = random_.chance(20);
  }

  // ---------------------------------------------------------------------------------------------------------- the text

  void line(const std::string& text) { text_ += std::string(static_cast<std::size_t>(2 * indent_), ' ') + text + "\n"; }
  std::string take() { return std::exchange(text_, ""); }
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

  // ------------------------------------------------------------------------------------------------------ declarations

  void declare_types() {
    if (allowed_.enums) {
      words_.constants = {"idle", "busy"};
      if (random_.chance(50)) words_.constants.push_back("over");
      std::string list;
      for (const std::string& it : words_.constants) list += (list.empty() ? "" : ", ") + it;
      line("enum Phase { " + list + " }");
    }
    if (!allowed_.objects) return;
    words_.has_class = true;
    Name value;
    value.name = "value";
    words_.fields.push_back(value);
    if (random_.chance(50)) {
      Name second;
      second.name = random_.chance(50) ? "next" : "flag";
      second.sort = second.name == "next" ? Sort::kClass : Sort::kBool;
      words_.fields.push_back(second);
    }
    braces("class Node", [&] {
      for (const Name& field : words_.fields) {
        const bool initial = field.sort == Sort::kInt && random_.chance(40);
        std::string clauses;
        if (field.sort == Sort::kInt && allowed_.clauses && random_.chance(15)) {
          clauses = random_.chance(50) ? " unwritable_by_env_if holder == tid" : " writable_if holder == tid";
        }
        line("var " + field.name + ": " + Vocabulary::type(field) + (initial ? " = 1" : "") + clauses + ";");
      }
      if (!allowed_.clauses) return;
      Where where;
      where.spec = true;
      where.self = "Node";
      where.tid = false;
      if (random_.chance(30)) line("global_invariant " + words_.expr(Sort::kBool, 1, where) + ";");
      if (random_.chance(30)) line("invariant " + words_.expr(Sort::kBool, 1, where) + ";");
      if (random_.chance(30)) line("global_invariant value >= 0;");
      if (random_.chance(30)) {
        line(random_.chance(50) ? "env_assumption holder == tid ==> value' == value;" : "guarantee value' >= value;");
      }
    });
  }

  void declare_variables() {
    if (random_.chance(15)) {
      Name constant;
      constant.name = "limit";
      constant.sort = random_.chance(70) ? Sort::kInt : Sort::kBool;
      constant.shared = false;
      constant.assignable = false;
      const bool symbolic = constant.sort == Sort::kBool && random_.chance(50);
      line("const limit: " + Vocabulary::type(constant) +
           (symbolic                      ? ""
            : constant.sort == Sort::kInt ? " = 2"
                                          : " = true") +
           ";");
      words_.shared.push_back(constant);
      has_limit_ = constant.sort == Sort::kInt;
    }
    if (!modules_ && random_.chance(10)) words_.named_thread = "boss";
    const int count = random_.between(1, 3);
    for (int i = 0; i < count; ++i) {
      Name name;
      name.name = std::string(1, static_cast<char>('x' + i));
      std::vector<Sort> sorts = {Sort::kInt, Sort::kInt, Sort::kInt, Sort::kBool, Sort::kBool};
      if (allowed_.enums) sorts.push_back(Sort::kEnum);
      if (allowed_.objects) sorts.push_back(Sort::kClass);
      name.sort = random_.pick(sorts);
      declare(name);
    }
    if (allowed_.plain_locks) {
      Name lock;
      lock.name = "m";
      lock.sort = Sort::kTid;
      lock.is_lock = true;
      lock.assignable = random_.chance(30);
      declare(lock);
    }
    if (allowed_.monitors) {
      Name monitor;
      monitor.name = "mon";
      monitor.shape = Shape::kMonitor;
      monitor.assignable = false;
      declare(monitor);
    }
    if (allowed_.monitors && random_.chance(25)) {
      Name gate;
      gate.name = "gate";
      gate.shape = Shape::kMonitor;
      gate.assignable = false;
      declare(gate);
    }
    if (allowed_.maps) {
      Name map;
      map.name = "table";
      map.shape = Shape::kMap;
      map.key = random_.pick(std::vector<Sort>{Sort::kTid, Sort::kTid, Sort::kBool, Sort::kInt});
      if (allowed_.enums && random_.chance(30)) map.key = Sort::kEnum;
      map.sort = random_.pick(std::vector<Sort>{Sort::kBool, Sort::kInt, Sort::kTid});
      map.is_lock = map.sort == Sort::kTid && random_.chance(50);
      declare(map);
    }
    if (allowed_.sets) {
      Name set;
      set.name = "group";
      set.shape = Shape::kSet;
      set.sort = random_.pick(std::vector<Sort>{Sort::kTid, Sort::kInt, Sort::kBool});
      declare(set);
    }
    if (allowed_.arrays) {
      Name array;
      array.name = "cells";
      array.shape = Shape::kArray;
      array.sort = random_.pick(std::vector<Sort>{Sort::kInt, Sort::kBool});
      declare(array);
    }
    if (allowed_.ghosts) {
      Name ghost;
      ghost.name = "seen";
      ghost.sort = random_.pick(std::vector<Sort>{Sort::kInt, Sort::kBool, Sort::kTid});
      ghost.ghost = true;
      declare(ghost);
    }
  }

  void declare(const Name& name) {
    std::string init;
    const bool plain = name.shape == Shape::kPlain && name.sort != Sort::kClass;
    if (plain && name.sort != Sort::kTid) {
      const int choice = random_.below(10);
      if (choice < 5) init = " = " + words_.literal(name.sort, false);
      const bool finite = name.sort == Sort::kBool || name.sort == Sort::kEnum;
      if (choice == 9 && (finite || allowed_.free_integers)) init = " = *";
    }
    if (name.shape == Shape::kMap && random_.chance(30)) init = " = map(" + words_.literal(name.sort, false) + ")";
    if (name.shape == Shape::kSet && random_.chance(30) && name.sort != Sort::kTid) {
      init = " = {" + words_.literal(name.sort, false) + "}";
    }
    std::string clause;
    if (allowed_.clauses && random_.chance(12)) clause = variable_clause(name);
    if (clause.empty() && !name.ghost && !name.is_lock && name.shape != Shape::kMonitor && random_.chance(4)) {
      if (allowed_.plain_locks)
        clause = " guarded_by m";
      else if (allowed_.monitors)
        clause = " guarded_by mon";
    }
    const std::string words = name.ghost                                                            ? "ghost "
                              : name.shape != Shape::kMonitor && !name.is_lock && random_.chance(1) ? "thread_local "
                              : random_.chance(5)                                                   ? "volatile "
                                                                                                    : "";
    line(words + "var " + name.name + ": " + Vocabulary::type(name) + init + clause + ";");
    words_.shared.push_back(name);
  }

  std::string variable_clause(const Name& name) {
    if (name.shape == Shape::kMonitor) return "";
    Where where;
    where.spec = true;
    where.locals = false;
    const bool elements = (name.shape == Shape::kMap || name.shape == Shape::kArray) && random_.chance(70);
    const std::string condition = words_.expr(Sort::kBool, 1, where);
    if (elements) return " elems_unwritable_by_env_if[i] " + condition;
    return (random_.chance(50) ? " unwritable_by_env_if " : " writable_if ") + condition;
  }

  // ----------------------------------------------------------------------------------------------------------- clauses

  Where clause_where(bool has_tid) {
    Where where;
    where.spec = true;
    where.locals = false;
    where.tid = has_tid;
    where.risky = allowed_.risky && random_.chance(30);
    return where;
  }

  void clauses() {
    if (random_.chance(45)) line("global_invariant " + invariant() + ";");
    if (random_.chance(12)) line("initially " + words_.expr(Sort::kBool, 1, clause_where(false)) + ";");
    if (random_.chance(40)) line((random_.chance(80) ? "env_assumption " : "rely ") + rely() + ";");
    if (random_.chance(25)) line("guarantee " + rely() + ";");
    lock_order();
  }

  std::string invariant() {
    const Where where = clause_where(false);
    const auto ints =
        words_.names(where, [](const Name& it) { return it.shape == Shape::kPlain && it.sort == Sort::kInt; });
    const auto locks = words_.names(where, [](const Name& it) { return it.is_lock && it.shape == Shape::kPlain; });
    if (!ints.empty() && random_.chance(70)) {
      const std::string bound = random_.chance(50) ? " >= -1" : " <= " + std::to_string(random_.between(2, 5));
      const std::string claim = random_.pick(ints).name + bound;
      if (locks.empty() || random_.chance(50)) return claim;
      return random_.pick(locks).name + " == none ==> " + claim;
    }
    return words_.expr(Sort::kBool, 2, where);
  }

  std::string rely() {
    Where where = clause_where(true);
    where.style = random_.chance(75) ? Where::Style::kPrimes : Where::Style::kOld;
    const auto plain = words_.names(where, [](const Name& it) { return it.shape == Shape::kPlain && it.shared; });
    const auto locks = words_.names(where, [](const Name& it) { return it.is_lock && it.shape == Shape::kPlain; });
    const auto monitors = words_.names(where, [](const Name& it) { return it.shape == Shape::kMonitor; });
    std::string text;
    if (!plain.empty() && random_.chance(60)) {
      const Name& name = random_.pick(plain);
      const bool old = where.style == Where::Style::kOld;
      const auto before = [&](const std::string& it) { return old ? "\\old(" + it + ")" : it; };
      const std::string after = old ? name.name : name.name + "'";
      if (name.sort == Sort::kInt && random_.chance(50)) {
        text = after + " >= " + before(name.name);
      } else {
        text = after + " == " + before(name.name);
      }
      if (!locks.empty() && random_.chance(60))
        text = before(random_.pick(locks).name) + " == tid ==> " + text;
      else if (!monitors.empty() && random_.chance(60))
        text = before(random_.pick(monitors).name + ".holder") + " == tid ==> " + text;
    } else {
      text = words_.step(2, where);
    }
    if (!words_.marked() && text.find('\'') == std::string::npos && text.find("\\old") == std::string::npos)
      return "true";
    if (random_.chance(85)) return text;
    return "<" + text + ">_{" + frame(where) + "}";
  }

  // Some shared locations.
  std::string frame(const Where& where) {
    std::string list;
    for (const Name& it : words_.names(where, [](const Name& name) { return name.shared; })) {
      if (it.shared && random_.chance(70)) list += (list.empty() ? "" : ", ") + it.name;
    }
    return list;
  }

  void lock_order() {
    std::vector<std::string> locks;
    for (const Name& it : words_.shared) {
      if (it.shape == Shape::kMonitor || (it.is_lock && it.shape == Shape::kPlain)) locks.push_back(it.name);
      if (it.is_lock && it.shape == Shape::kMap && it.key == Sort::kInt && random_.chance(50)) {
        line("lock_order " + it.name + "[i] < " + it.name + "[j] when i < j;");
      }
    }
    if (locks.size() >= 2 && random_.chance(60)) line("lock_order " + locks[0] + " < " + locks[1] + ";");
    if (locks.size() >= 3 && random_.chance(60)) line("lock_order " + locks[1] + " < " + locks[2] + ";");
  }

  // -------------------------------------------------------------------------------------------------------- procedures

  void procedure(const std::string& name, bool helper) {
    Made made;
    made.name = name;
    words_.locals.clear();
    const int count = random_.chance(helper ? 50 : 30) ? random_.between(1, 2) : 0;
    for (int i = 0; i < count; ++i) {
      std::vector<Sort> sorts = {Sort::kInt, Sort::kInt, Sort::kBool, Sort::kTid};
      if (helper && allowed_.objects) sorts.push_back(Sort::kClass);
      Name parameter;
      parameter.name = words_.fresh("a");
      parameter.sort = random_.pick(sorts);
      parameter.shared = false;
      parameter.assignable = false;
      words_.locals.push_back(parameter);
      made.parameters.push_back({parameter.name, parameter.sort});
    }
    made.has_result = helper && random_.chance(40);
    made.result = random_.pick(std::vector<Sort>{Sort::kBool, Sort::kInt, Sort::kBool});
    tame_ = made.tame = helper && random_.chance(60);
    in_helper_ = helper;
    made_ = &made;

    std::string head = "proc " + name + "(";
    for (const Parameter& it : made.parameters) {
      head += (it.name == made.parameters.front().name ? "" : ", ") + it.name + ": " + Vocabulary::type(it.sort);
    }
    head += ")";
    const bool watched = allowed_.abstractions && random_.chance(helper ? 60 : 20);
    const bool machine = !helper && allowed_.machines && random_.chance(60);
    if (helper && random_.chance(6) && words_.shared.size() > 0) {
      recursion(head, made);
    } else if (watched && random_.chance(25) && allowed_.plain_locks && helper) {
      made.abstract = true;
      try_lock(head);
    } else {
      if (made.has_result) head += ": " + Vocabulary::type(made.result);
      const std::vector<Core> cores = watched || machine ? core(machine) : std::vector<Core>{};
      made.abstract = watched;
      const std::string before = take();
      contract(made);
      if (watched) abstraction(cores);
      const std::string specification = take();
      text_ = before;
      if (!specification.empty()) line(head);
      text_ += specification;
      braces(specification.empty() ? head : "", [&] { body(cores); });
      if (machine) abstract_thread(name, cores);
    }
    made_ = nullptr;
    (helper ? helpers_ : workers_).push_back(made);
    words_.procedures.push_back(name);
    words_.locals.clear();
  }

  void contract(const Made& made) {
    if (!allowed_.contracts) return;
    Where where = clause_where(true);
    where.locals = true;
    if (random_.chance(10)) line("  requires " + words_.expr(Sort::kBool, 1, where) + ";");
    if (!random_.chance(20)) return;
    const Where old = [&] {
      Where it = where;
      it.style = Where::Style::kOld;
      return it;
    }();
    std::string claim = words_.expr(Sort::kBool, 1, random_.chance(50) ? where : old);
    if (made.has_result && random_.chance(50)) {
      claim = made.result == Sort::kBool ? "\\result ==> " + claim : "\\result >= 0 || " + claim;
    }
    line("  ensures " + claim + ";");
  }

  // The operations that an abstraction or a machine speaks of: statement, location, predicate.
  struct Core {
    std::string statement;
    std::string location;
    std::string predicate;
  };

  std::vector<Core> core(bool no_locals) {
    std::vector<Core> list;
    const int count = random_.between(1, 2);
    Where where;
    where.locals = !no_locals;
    for (int i = 0; i < count; ++i) {
      const auto targets = words_.names(where, [](const Name& it) {
        const bool whole = it.shape == Shape::kPlain || (it.shape == Shape::kMap && it.sort != Sort::kTid);
        return it.shared && !it.ghost && (((it.assignable || it.is_lock) && whole) || it.shape == Shape::kMonitor);
      });
      if (targets.empty()) return list;
      const Name& target = random_.pick(targets);
      if (target.shape == Shape::kMonitor) {
        const std::string location = random_.chance(50) ? "mon" : "mon.holder";
        list.push_back(random_.chance(50) ? Core{"acquire(mon);", location, "mon.holder' == tid"}
                                          : Core{"release(mon);", location, "mon.depth' == 0"});
        continue;
      }
      const auto objects = words_.names(where, [](const Name& it) { return it.sort == Sort::kClass && !it.shared; });
      if (!objects.empty() && random_.chance(60)) {
        const std::string field = random_.pick(objects).name + ".value";
        const std::string value = words_.literal(Sort::kInt, true);
        list.push_back({field + " = " + value + ";", field, field + "' == " + value});
        continue;
      }
      if (target.is_lock) {
        list.push_back(
            {"acquire(" + target.name + ");", target.name, target.name + " == none && " + target.name + "' == tid"});
        continue;
      }
      const std::string value = value_for(target.sort, where);
      if (target.shape == Shape::kMap) {
        const std::string key = words_.literal(target.key, true);
        const std::string entry = target.name + "[" + key + "]";
        list.push_back(
            {entry + " = " + value + ";", random_.chance(50) ? entry : target.name, entry + "' == " + value});
      } else {
        list.push_back({target.name + " = " + value + ";", target.name, target.name + "' == " + value});
      }
      if (random_.chance(20)) list.back().predicate = "true";
      if (random_.chance(10)) list.back().predicate = target.name + " != \\old(" + target.name + ")";
      if (random_.chance(15)) list.back().predicate = target.name + "' == " + target.name;
    }
    return list;
  }

  void abstraction(const std::vector<Core>& cores) {
    std::string modifies;
    std::vector<std::string> actions;
    for (const Core& it : cores) {
      if (random_.chance(25)) {
        modifies += (modifies.empty() ? "" : ", ") + it.location;
      } else if (!random_.chance(12)) {
        const std::string title = random_.chance(15) ? " \"step\"" : "";
        const std::string colon = random_.chance(10) ? ":" : "";
        actions.push_back("  action" + title + colon + " also modifies " + it.location + " ensures " + it.predicate +
                          ";");
      }
    }
    if (actions.size() > 1 && random_.chance(15)) std::swap(actions[0], actions[1]);
    if (!modifies.empty() || actions.empty() || random_.chance(15)) {
      if (modifies.empty()) {
        Where where;
        where.locals = false;
        modifies = frame(where);
      }
      line("  modifies " + modifies + ";");
    }
    for (const std::string& it : actions) line(it);
  }

  // Calls itself once or twice.
  void recursion(const std::string& head, Made& made) {
    made.has_result = false;
    made.unfit_for_atomic = true;
    made.abstract = false;
    made.recursive = true;
    const bool first = made.parameters.empty();
    made.parameters.push_back({words_.fresh("a"), Sort::kInt});
    const std::string depth = made.parameters.back().name;
    line(head.substr(0, head.size() - 1) + (first ? "" : ", ") + depth + ": int)");
    contract(made);
    braces("", [&] {
      assignment();
      line("if (" + depth + " > 0) {");
      std::string list;
      for (std::size_t i = 0; i + 1 < made.parameters.size(); ++i) list += made.parameters[i].name + ", ";
      line("  " + made.name + "(" + list + depth + " - 1);");
      line("}");
      if (random_.chance(50)) statement();
    });
  }

  // An action that looks ahead to the result.
  void try_lock(const std::string& head) {
    made_->has_result = true;
    made_->result = Sort::kBool;
    line(head + ": bool");
    const bool right = random_.chance(60);
    const std::string otherwise = random_.chance(70) ? "m' == m" : "m' == none";
    line("  action also modifies m ensures (\\result ==> m == none && m' == tid) && (!\\result ==> " + otherwise +
         ");");
    braces("", [&] {
      line("var got: bool = false;");
      if (right) {
        line("got = CAS(m, none, tid);");
      } else {
        line("if (m == none) {");
        line("  m = tid;");
        line("  got = true;");
        line("}");
      }
      line(random_.chance(85) ? "return got;" : "return true;");
    });
  }

  void abstract_thread(const std::string& name, const std::vector<Core>& cores) {
    std::vector<std::string> nodes = {"N0"};
    std::vector<std::string> edges;
    const std::string machine = "Of_" + name;
    const bool one_node = random_.chance(30);
    for (const Core& it : cores) {
      const std::string from = nodes.back();
      if (!one_node) nodes.push_back("N" + std::to_string(nodes.size()));
      if (random_.chance(8)) continue;
      const bool brackets = random_.chance(85);
      const bool old = it.predicate.find("\\old") != std::string::npos;
      const std::string step =
          brackets || old ? "<" + it.predicate + ">_{" + it.location + "}" : it.predicate + " && x' == x'";
      edges.push_back(from + " -> " + nodes.back() + ": " + step + ";");
    }
    if (random_.chance(25)) {
      Where where;
      where.spec = true;
      where.locals = false;
      const std::string locations = frame(where);
      edges.push_back(random_.pick(nodes) + " -> " + random_.pick(nodes) + ": <true>_{" + locations + "};");
    }
    machines_.push_back(name);
    braces("abstract thread " + machine + (random_.chance(8) ? " without idle" : ""), [&] {
      for (const std::string& node : nodes) {
        const bool initial = node == "N0" || random_.chance(10);
        const std::string assertion =
            random_.chance(15) ? ": assert " + words_.expr(Sort::kBool, 1, clause_where(true)) : "";
        line((initial ? "initial node " : "node ") + node + assertion + ";");
      }
      for (const std::string& edge : edges) line(edge);
    });
  }

  void body(const std::vector<Core>& cores) {
    budget_ = cores.empty() ? random_.between(1, allowed_.max_statements) : random_.between(0, 2);
    core_only_ = !cores.empty();
    if (cores.empty()) {
      while (budget_ > 0) statement();
    } else {
      for (const Core& it : cores) {
        if (random_.chance(40)) noise();
        if (!random_.chance(8)) line(it.statement);
        if (it.statement.starts_with("acquire") && random_.chance(20)) line("release" + it.statement.substr(7));
      }
      if (random_.chance(30)) noise();
      if (random_.chance(25)) statement();
    }
    core_only_ = false;
    if (made_->has_result) line("return " + value_for(made_->result, Where{}) + ";");
  }

  // Operations that change nothing shared.
  void noise() {
    switch (random_.below(4)) {
      case 0: line("skip;"); break;
      case 1: local(); break;
      case 2: line("assert true;"); break;
      default: braces("if (" + words_.expr(Sort::kBool, 1, Where{}) + ")", [&] { line("skip;"); });
    }
  }

  // -------------------------------------------------------------------------------------------------------- statements

  std::string value_for(Sort sort, const Where& where) {
    if (sort == Sort::kInt && (tame_ || random_.chance(60))) {
      if (random_.chance(50)) return words_.literal(sort, where.tid);
      return words_.expr(sort, random_.chance(60) ? 0 : 1, where) + " % 3";
    }
    return words_.expr(sort, 1, where);
  }

  Where code() {
    Where where;
    where.risky = allowed_.risky && random_.chance(40);
    return where;
  }

  std::string condition() { return words_.expr(Sort::kBool, 1, code()); }

  template <class Wanted>
  const Name* some(Wanted wanted) {
    found_ = words_.names(Where{}, wanted);
    return found_.empty() ? nullptr : &random_.pick(found_);
  }

  void statement() {
    --budget_;
    struct Choice {
      int weight;
      bool possible;
      void (Generator::*make)();
    };
    const bool tame = tame_;
    const std::vector<Choice> choices = {
        {34, true, &Generator::assignment},
        {8, true, &Generator::local},
        {9, true, &Generator::assertion},
        {2, true, &Generator::waiting},
        {3, true, &Generator::skip},
        {10, depth_ < 2, &Generator::conditional},
        {5, depth_ < 2, &Generator::counted_loop},
        {3, depth_ < 2 && !in_atomic_, &Generator::endless_loop},
        {9, depth_ < 2 && allowed_.choices, &Generator::choice},
        {6, depth_ < 2 && allowed_.choices && !in_atomic_, &Generator::iteration},
        {9, depth_ < 2 && allowed_.atomics && !in_atomic_, &Generator::atomic},
        {12, allowed_.plain_locks && depth_ < 2, &Generator::critical_section},
        {12, allowed_.monitors && depth_ < 2 && !in_atomic_, &Generator::synchronized},
        {1, allowed_.plain_locks || allowed_.monitors, &Generator::stray_lock},
        {12, allowed_.monitors && depth_ < 2, &Generator::nested_locks},
        {8, allowed_.cas, &Generator::swap},
        {8, allowed_.direct, &Generator::direct},
        {6, allowed_.havoc, &Generator::havoc},
        {14, allowed_.calls && !helpers_.empty() && !in_helper_, &Generator::call},
        {8, allowed_.starts && !helpers_.empty() && !in_helper_ && !tame, &Generator::start},
        {9, allowed_.objects, &Generator::object},
        {8, allowed_.arrays, &Generator::array},
        {7, allowed_.sets, &Generator::set_update},
        {6, loops_ > 0 && !in_atomic_, &Generator::jump},
        {2, !in_atomic_ && depth_ > 0, &Generator::leave},
    };
    int total = 0;
    for (const Choice& it : choices) total += it.possible ? it.weight : 0;
    int at = random_.below(total);
    for (const Choice& it : choices) {
      if (!it.possible) continue;
      if (at < it.weight) return (this->*it.make)();
      at -= it.weight;
    }
  }

  // One atomic operation, with ghosts that it sets now and then.
  void operation(const std::string& text) {
    line(text);
    if (allowed_.ghosts && random_.chance(25)) {
      Where where;
      where.spec = true;
      const Name& ghost = words_.shared.back();
      if (ghost.ghost)
        line("set " + ghost.name + " = " +
             (ghost.sort == Sort::kInt ? words_.literal(ghost.sort, true) : words_.expr(ghost.sort, 1, where)) + ";");
    }
  }

  std::string block(int statements) {
    const std::string outer = take();
    ++indent_;
    ++depth_;
    const std::size_t scope = words_.locals.size();
    for (int i = 0; i < statements; ++i) statement();
    words_.locals.resize(scope);
    --depth_;
    --indent_;
    return std::exchange(text_, outer);
  }

  void nested(const std::string& head, int statements) {
    line(head + " {");
    const std::string inside = block(statements);
    text_ += inside;
    line("}");
  }

  void assignment() {
    const auto is_target = [](const Name& it) {
      return it.assignable && !it.ghost && (it.shape == Shape::kPlain || it.shape == Shape::kMap);
    };
    const Name* target = some(is_target);
    if (target == nullptr) return skip();
    const Name name = *target;
    if (name.shape == Shape::kMap) {
      if (random_.chance(10)) return operation(name.name + " = map(" + words_.literal(name.sort, true) + ");");
      if (random_.chance(10)) {
        return operation(name.name + " = " + name.name + "[" + words_.expr(name.key, 0, Where{}) +
                         " := " + value_for(name.sort, code()) + "];");
      }
      return operation(name.name + "[" + words_.expr(name.key, 0, Where{}) + "] = " + value_for(name.sort, code()) +
                       ";");
    }
    if (name.sort == Sort::kInt && !tame_ && random_.chance(35)) {
      static const std::vector<std::string> ways = {"++;", "++;", "--;", " += 1;", " -= 2;"};
      return operation(name.name + random_.pick(ways));
    }
    if (name.sort == Sort::kBool && random_.chance(25)) return operation(name.name + " = !" + name.name + ";");
    operation(name.name + " = " + value_for(name.sort, code()) + ";");
  }

  void local() {
    std::vector<Sort> sorts = {Sort::kInt, Sort::kInt, Sort::kBool, Sort::kTid};
    if (allowed_.enums) sorts.push_back(Sort::kEnum);
    Name name;
    name.name = words_.fresh("l");
    name.sort = random_.pick(sorts);
    name.shared = false;
    const std::string init = random_.chance(12) ? "" : " = " + value_for(name.sort, code());
    operation("var " + name.name + ": " + Vocabulary::type(name) + init + ";");
    words_.locals.push_back(name);
  }

  void assertion() {
    Where where = code();
    where.spec = true;
    const auto ints =
        words_.names(where, [](const Name& it) { return it.shape == Shape::kPlain && it.sort == Sort::kInt; });
    if (!ints.empty() && random_.chance(75)) {
      return operation("assert " + random_.pick(ints).name + (random_.chance(60) ? " >= -1" : " <= 5") + ";");
    }
    operation("assert " + words_.expr(Sort::kBool, 1, where) + ";");
  }

  void waiting() {
    const std::string may = !in_atomic_ && random_.chance(40) ? "may_block " : "";
    operation(may + (random_.chance(50) ? "await " : "assume ") + condition() + ";");
  }

  void skip() { operation("skip;"); }

  void conditional() {
    nested("if (" + (random_.chance(15) ? std::string("*") : condition()) + ")", random_.between(1, 2));
    if (random_.chance(40)) nested("else", 1);
  }

  std::string loop_invariant() {
    if (!allowed_.clauses || random_.chance(75)) return "";
    Where where;
    where.spec = true;
    return " loop_invariant " + words_.expr(Sort::kBool, 1, where) + ";";
  }

  void counted_loop() {
    Name counter;
    counter.name = words_.fresh("i");
    counter.shared = false;
    counter.assignable = false;
    line("var " + counter.name + ": int = 0;");
    words_.locals.push_back(counter);
    std::string invariant;
    if (allowed_.clauses && random_.chance(40)) invariant = " loop_invariant " + counter.name + " <= 2;";
    line("while (" + counter.name + " < " + std::to_string(random_.between(1, 2)) + ")" + invariant + loop_invariant() +
         " {");
    line("  " + counter.name + "++;");
    ++loops_;
    const std::string inside = block(random_.between(1, 2));
    --loops_;
    text_ += inside;
    line("}");
  }

  // Nothing in it may grow.
  void endless_loop() {
    const bool outer = std::exchange(tame_, true);
    ++loops_;
    nested("while (" + (random_.chance(30) ? std::string("*") : condition()) + ")" + loop_invariant(),
           random_.between(1, 2));
    --loops_;
    tame_ = outer;
  }

  void choice() {
    nested("choose", random_.between(1, 2));
    const int others = random_.between(1, 2);
    for (int i = 0; i < others; ++i) nested("or", random_.chance(10) ? 0 : 1);
  }

  void iteration() {
    const bool outer = std::exchange(tame_, true);
    ++loops_;
    nested("loop" + loop_invariant(), random_.between(1, 2));
    --loops_;
    tame_ = outer;
  }

  void atomic() {
    made_->unfit_for_atomic = true;
    in_atomic_ = true;
    const int loops = std::exchange(loops_, 0);
    const std::string may = random_.chance(10) ? "may_block " : "";
    line(may + (random_.chance(10) ? "trusted atomic {" : "atomic {"));
    const std::string inside = block(random_.between(2, 3));
    text_ += inside;
    operation("}");
    loops_ = loops;
    in_atomic_ = false;
  }

  std::string plain_lock() {
    const Name* lock = some([](const Name& it) { return it.is_lock; });
    if (lock == nullptr) return "m";
    if (lock->shape != Shape::kMap) return lock->name;
    const Name map = *lock;
    return map.name + "[" + words_.literal(map.key, true) + "]";
  }

  void critical_section() {
    const std::string lock = plain_lock();
    line("acquire(" + lock + ");");
    const std::string inside = block(random_.between(1, 2));
    text_ += inside;
    if (!random_.chance(4)) operation("release(" + lock + ");");
  }

  void synchronized() {
    const bool has_gate = some([](const Name& it) { return it.name == "gate"; }) != nullptr;
    const std::string lock = has_gate && random_.chance(30) ? "gate" : "mon";
    made_->unfit_for_atomic = true;
    line("acquire(" + lock + ");");
    switch (random_.below(5)) {
      case 0:
        if (in_atomic_ || core_only_) break;
        line("while (" + condition() + ")");
        line(std::string("  ") + (random_.chance(30) ? "may_block " : "") + "wait(" + lock + ");");
        break;
      case 1:
        if (in_atomic_ || !random_.chance(40)) break;
        line("wait(" + lock + ");");
        break;
      default: break;
    }
    const std::string inside = block(random_.between(1, 2));
    text_ += inside;
    if (random_.chance(50)) operation((random_.chance(50) ? "notify(" : "notifyall(") + lock + ");");
    if (!random_.chance(4)) operation("release(" + lock + ");");
  }

  void nested_locks() {
    made_->unfit_for_atomic = true;
    std::vector<std::string> locks;
    for (const Name& it : words_.shared) {
      if (it.shape == Shape::kMonitor || (it.is_lock && it.shape == Shape::kPlain)) locks.push_back(it.name);
    }
    if (locks.size() < 2) return skip();
    const auto first = static_cast<std::size_t>(random_.below(static_cast<int>(locks.size()) - 1));
    const auto second = first + 1 + static_cast<std::size_t>(random_.below(static_cast<int>(locks.size() - first) - 1));
    const bool forward = random_.chance(60);
    line("acquire(" + locks[forward ? first : second] + ");");
    line("acquire(" + locks[forward ? second : first] + ");");
    const std::string inside = block(1);
    text_ += inside;
    line("release(" + locks[first] + ");");
    operation("release(" + locks[second] + ");");
  }

  void stray_lock() {
    static const std::vector<std::string> plain = {"acquire", "release"};
    static const std::vector<std::string> all = {"acquire", "release", "notify", "notifyall"};
    if (allowed_.monitors) return operation(random_.pick(all) + "(mon);");
    operation(random_.pick(plain) + "(" + plain_lock() + ");");
  }

  void swap() {
    const Name* target = some([](const Name& it) {
      return it.shared && !it.ghost && it.shape == Shape::kPlain && it.sort != Sort::kClass &&
             (it.assignable || it.is_lock);
    });
    if (target == nullptr) return skip();
    const Name name = *target;
    if (allowed_.maps && random_.chance(20)) {
      const Name* map = some([](const Name& it) { return it.shape == Shape::kMap; });
      const Name table = *map;
      const std::string entry = table.name + "[" + words_.literal(table.key, true) + "]";
      Name won;
      won.name = words_.fresh("g");
      won.sort = Sort::kBool;
      won.shared = false;
      operation("var " + won.name + ": bool = CAS(" + entry + ", " + words_.literal(table.sort, true) + ", " +
                value_for(table.sort, Where{}) + ");");
      words_.locals.push_back(won);
      return;
    }
    const Name* other = some([&](const Name& it) {
      return it.shape == Shape::kPlain && it.sort == name.sort && it.assignable && !it.ghost;
    });
    const std::string expected = words_.expr(name.sort, 0, Where{});
    if (other != nullptr && random_.chance(50)) {
      return operation("CAS(" + name.name + ", " + expected + ", " + other->name + ");");
    }
    Name got;
    got.name = words_.fresh("g");
    got.sort = Sort::kBool;
    got.shared = false;
    const std::string value = value_for(name.sort, Where{});
    const Name* result = some([](const Name& it) {
      return it.shape == Shape::kPlain && it.sort == Sort::kBool && it.assignable && !it.ghost;
    });
    if (result != nullptr && random_.chance(50)) {
      return operation(result->name + " = CAS(" + name.name + ", " + expected + ", " + value + ");");
    }
    operation("var " + got.name + ": bool = CAS(" + name.name + ", " + expected + ", " + value + ");");
    words_.locals.push_back(got);
  }

  void direct() {
    const std::string wrong = random_.chance(25) ? "(" +
                                                       words_.expr(Sort::kBool, 1,
                                                                   [] {
                                                                     Where it;
                                                                     it.spec = true;
                                                                     return it;
                                                                   }()) +
                                                       ") ? "
                                                 : "";
    const std::string may = !in_atomic_ && random_.chance(10) ? "may_block " : "";
    Where where;
    const auto targets = words_.names(where, [](const Name& it) {
      return it.assignable && !it.ghost && it.shape == Shape::kPlain && it.sort != Sort::kClass;
    });
    if (targets.empty() || random_.chance(15))
      return operation(may + wrong + "<" + words_.expr(Sort::kBool, 1, where) + ">;");
    const Name first = random_.pick(targets);
    const bool old = random_.chance(20);
    const auto after = [&](const Name& it) { return old ? it.name : it.name + "'"; };
    const auto before = [&](const Name& it) { return old ? "\\old(" + it.name + ")" : it.name; };
    const auto constraint = [&](const Name& it) {
      const std::string guard = random_.chance(30) ? before(it) + " != " + words_.literal(it.sort, true) + " && " : "";
      if (it.sort == Sort::kInt && random_.chance(25))
        return guard + after(it) + " >= 0 && " + after(it) + " <= " + std::to_string(random_.between(0, 2));
      if (it.sort == Sort::kInt && !tame_ && random_.chance(40))
        return guard + after(it) + " == " + before(it) + " + 1";
      if (it.sort != Sort::kInt && random_.chance(40)) return guard + after(it) + " != " + before(it);
      return guard + after(it) + " == " + words_.literal(it.sort, true);
    };
    std::string predicate = constraint(first);
    std::string frame = first.name;
    const Name second = random_.pick(targets);
    if (second.name != first.name && random_.chance(40)) {
      frame += ", " + second.name;
      predicate += " && " + constraint(second);
    }
    if (old && predicate.find("\\old") == std::string::npos)
      predicate += " && \\old(" + first.name + ") == \\old(" + first.name + ")";
    operation(may + wrong + "<" + predicate + ">_{" + frame + "};");
  }

  void havoc() {
    const Name* target = some([](const Name& it) { return it.assignable && !it.ghost && it.shape == Shape::kPlain; });
    if (target == nullptr) return skip();
    if (target->sort != Sort::kInt) {
      const Name first = *target;
      const Name* second = some([&](const Name& it) {
        return it.assignable && !it.ghost && it.shape == Shape::kPlain && it.sort != Sort::kInt &&
               it.name != first.name;
      });
      const bool both = second != nullptr && random_.chance(30);
      return operation("havoc " + first.name + (both ? ", " + second->name : "") + ";");
    }
    if (allowed_.free_integers && random_.chance(50)) return operation("havoc " + target->name + ";");
    operation("havoc " + target->name + " in " + std::to_string(random_.between(-1, 1)) + " .. " +
              std::to_string(random_.between(0, 2)) + ";");
  }

  std::string arguments(const Made& made) {
    std::string list;
    for (const Parameter& it : made.parameters) {
      const bool depth = made.recursive && it.name == made.parameters.back().name;
      list += (list.empty() ? "" : ", ") + (depth ? words_.literal(Sort::kInt, true) : value_for(it.sort, code()));
    }
    return "(" + list + ")";
  }

  void call() {
    const Made callee = random_.pick(helpers_);
    if ((tame_ && !callee.tame) || (in_atomic_ && (callee.abstract || callee.unfit_for_atomic))) return assignment();
    const std::string text = callee.name + arguments(callee) + ";";
    const Name* target = some([&](const Name& it) {
      return it.assignable && !it.ghost && it.sort == callee.result &&
             (it.shape == Shape::kPlain || it.shape == Shape::kMap);
    });
    if (!callee.has_result || random_.chance(20)) return line(text);
    if (target != nullptr && random_.chance(70)) {
      const Name name = *target;
      const std::string place =
          name.shape == Shape::kMap ? name.name + "[" + words_.expr(name.key, 0, Where{}) + "]" : name.name;
      return line(place + " = " + text);
    }
    Name result;
    result.name = words_.fresh("r");
    result.sort = callee.result;
    result.shared = false;
    line("var " + result.name + ": " + Vocabulary::type(result) + " = " + text);
    words_.locals.push_back(result);
  }

  void start() {
    if (random_.chance(12)) return operation("join(" + words_.expr(Sort::kTid, 0, Where{}) + ");");
    if (++started_ > 2 || loops_ > 0) return assignment();
    const Made callee = random_.pick(helpers_);
    Name thread;
    thread.name = words_.fresh("t");
    thread.sort = Sort::kTid;
    thread.shared = false;
    if (random_.chance(25)) return operation("start " + callee.name + arguments(callee) + ";");
    operation("var " + thread.name + ": tid = start " + callee.name + arguments(callee) + ";");
    if (random_.chance(40)) statement();
    if (random_.chance(70))
      operation((!in_atomic_ && random_.chance(15) ? "may_block join(" : "join(") + thread.name + ");");
    words_.locals.push_back(thread);
  }

  void object() {
    const Name* any = some([](const Name& it) { return it.sort == Sort::kClass && it.shape == Shape::kPlain; });
    const Name* shared =
        some([](const Name& it) { return it.sort == Sort::kClass && it.shape == Shape::kPlain && it.shared; });
    const std::string inits = random_.chance(50) ? "value = " + value_for(Sort::kInt, Where{}) : "";
    const bool may_allocate = !tame_ && loops_ == 0;
    const int choice = random_.below(6);
    if ((any == nullptr || choice == 0) && may_allocate) {
      Name name;
      name.name = words_.fresh("o");
      name.sort = Sort::kClass;
      name.shared = false;
      operation("var " + name.name + ": Node = new Node(" + inits + ");");
      words_.locals.push_back(name);
      return;
    }
    if (shared != nullptr && choice == 1 && may_allocate)
      return operation(shared->name + " = new Node(" + inits + ");");
    any = some([](const Name& it) { return it.sort == Sort::kClass && it.shape == Shape::kPlain; });
    if (any == nullptr) return skip();
    const Name object = *any;
    const Name& field = random_.pick(words_.fields);
    const std::string update = object.name + "." + field.name + " = " + value_for(field.sort, Where{}) + ";";
    if (choice == 2 && !in_atomic_ && depth_ < 2) {
      const std::string lock = object.name;
      made_->unfit_for_atomic = true;
      if (object.shared && !random_.chance(30)) return skip();
      line("acquire(" + lock + ");");
      const std::string inside = block(1);
      text_ += inside;
      if (random_.chance(30))
        line("notifyall(" + lock + ");");
      else if (random_.chance(15))
        line((random_.chance(50) ? "may_block wait(" : "wait(") + lock + ");");
      return operation("release(" + lock + ");");
    }
    if (!object.shared || (allowed_.risky && random_.chance(30))) return operation(update);
    if (in_atomic_ || !allowed_.atomics) {
      line("if (" + object.name + " != null) {");
      line("  " + update);
      return line("}");
    }
    made_->unfit_for_atomic = true;
    line("atomic {");
    line("  if (" + object.name + " != null) {");
    line("    " + update);
    line("  }");
    line("}");
  }

  void array() {
    const bool may_allocate = !tame_ && loops_ == 0;
    const Name* found = some([](const Name& it) { return it.shape == Shape::kArray; });
    if (found == nullptr) return skip();
    const Name name = *found;
    const std::string element = Vocabulary::type(name.sort);
    if (may_allocate && random_.chance(40)) {
      const std::string size =
          allowed_.risky && random_.chance(30) ? words_.expr(Sort::kInt, 1, Where{}) + " % 3 - 1" : "2";
      return operation(name.name + " = new " + element + "[" + size + "];");
    }
    const std::string index =
        allowed_.risky && random_.chance(40) ? words_.expr(Sort::kInt, 1, Where{}) : words_.literal(Sort::kInt, true);
    const std::string update = name.name + "[" + index + "] = " + value_for(name.sort, Where{}) + ";";
    if (allowed_.risky && random_.chance(40)) return operation(update);
    line("if (" + name.name + " != null && " + name.name + ".length > 2) {");
    line("  " + name.name + "[" + words_.literal(Sort::kInt, true) + "] = " + value_for(name.sort, Where{}) + ";");
    line("}");
  }

  void set_update() {
    const Name* found = some([](const Name& it) { return it.shape == Shape::kSet; });
    if (found == nullptr) return skip();
    const Name name = *found;
    const std::string element =
        name.sort == Sort::kInt ? words_.literal(Sort::kInt, true) : words_.expr(name.sort, 0, Where{});
    switch (random_.below(5)) {
      case 0: return operation(name.name + " = {};");
      case 1: return operation(name.name + " = " + name.name + " - {" + element + "};");
      case 2: return operation(name.name + " = " + name.name + " & {" + element + "};");
      default: return operation(name.name + " = " + name.name + " + {" + element + "};");
    }
  }

  void jump() { line(random_.chance(60) ? "break;" : "continue;"); }
  void leave() { line(made_->has_result ? "return " + value_for(made_->result, Where{}) + ";" : "return;"); }

  // ----------------------------------------------------------------------------------------------------------- threads

  void threads() {
    int left = std::max(1, allowed_.max_threads);
    for (std::size_t i = 0; i < workers_.size() && left > 0; ++i) {
      const Made& worker = workers_[i];
      const int most = left - static_cast<int>(workers_.size() - i - 1);
      const bool boss = i == 0 && !words_.named_thread.empty();
      const int count = most >= 2 && !boss && random_.chance(workers_.size() == 1 ? 75 : 35)
                            ? (most >= 3 && random_.chance(20) ? 3 : 2)
                            : 1;
      left -= count;
      std::string list;
      for (const Parameter& it : worker.parameters) {
        const std::string value =
            it.sort == Sort::kInt && random_.chance(60) ? "index" : words_.literal(it.sort, false);
        list += (list.empty() ? "" : ", ") + value;
      }
      const bool machine = std::find(machines_.begin(), machines_.end(), worker.name) != machines_.end();
      const std::string number = has_limit_ && count == 2 ? "limit" : std::to_string(count);
      line("thread" + (count > 1 ? "[" + number + "]" : "") + (boss ? " boss = " : " ") + worker.name + "(" + list +
           ")" + (machine ? " abstracted by Of_" + worker.name : "") + ";");
    }
  }

  Random random_;
  Vocabulary words_;
  GeneratorOptions allowed_;
  std::string text_;
  int indent_ = 0;
  std::vector<Made> helpers_;
  std::vector<Made> workers_;
  std::vector<std::string> machines_;  // procedures that have one
  std::vector<Name> found_;
  Made* made_ = nullptr;  // the procedure being written
  bool modules_ = false;
  bool has_limit_ = false;  // the constant 2
  bool tame_ = false;       // passed any number of times: nothing may grow
  bool in_helper_ = false;
  bool in_atomic_ = false;
  bool core_only_ = false;
  int loops_ = 0;
  int depth_ = 0;
  int budget_ = 0;
  int started_ = 0;
};

}  // namespace

std::string generate(std::uint64_t seed, const GeneratorOptions& options) { return Generator(seed, options).run(); }

}  // namespace concord::agree
