#include "generator.h"

#include <algorithm>

#include "maker.h"

namespace concord::agree {

std::string Generator::run() {
  thin_out();
  declare_types();
  declare_variables();
  const std::string declarations = take();
  if (allowed_.clauses) clauses();
  const std::string clauses_of_variables = take();
  const int helpers = allowed_.calls || allowed_.starts ? random_.between(1, 2) : 0;
  for (int i = 0; i < helpers; ++i) procedure("help" + std::to_string(i), true);
  const std::string helper_text = take();
  const int classes = random_.between(1, 2 + (random_.chance(30) ? 1 : 0));
  for (int i = 0; i < classes; ++i) procedure("work" + std::to_string(i), false);
  threads();
  if (allowed_.final_links) lockers();
  line("check deadlock;");
  const std::string rest = take();
  if (!modules_) return declarations + clauses_of_variables + helper_text + rest;
  const bool clauses_below = random_.chance(50);
  return "module Lib {\n" + declarations + (clauses_below ? clauses_of_variables : "") + helper_text + "}\n" +
         (random_.chance(50) ? "module Top uses Lib {\n" + (clauses_below ? "" : clauses_of_variables) + rest + "}\n"
                             : (clauses_below ? "" : clauses_of_variables) + rest);
}

// A program with everything in it shows little of anything.
void Generator::thin_out() {
  const auto keep = [&](bool& feature, int percent) { feature = feature && random_.chance(percent); };
  keep(allowed_.maps, 35);
  keep(allowed_.sets, 25);
  keep(allowed_.enums, 30);
  keep(allowed_.objects, 30);
  keep(allowed_.arrays, 20);
  keep(allowed_.monitors, 30);
  keep(allowed_.plain_locks, 45);
  keep(allowed_.ghosts, 30);
  keep(allowed_.calls, 50);
  keep(allowed_.starts, 25);
  keep(allowed_.atomics, 50);
  keep(allowed_.choices, 40);
  keep(allowed_.direct, 40);
  keep(allowed_.cas, 35);
  keep(allowed_.havoc, 25);
  keep(allowed_.contracts, 40);
  keep(allowed_.abstractions, 50);
  keep(allowed_.machines, 25);
  keep(allowed_.clauses, 50);
  keep(allowed_.quantifiers, 60);
  keep(allowed_.risky, 35);
  keep(allowed_.free_integers, 3);
  keep(allowed_.modules, 20);
  keep(allowed_.regions, 30);
  if (!allowed_.identities) {
    allowed_.plain_locks = allowed_.monitors = allowed_.starts = false;
    words_.identity = Sort::kInt;
  }
  if (allowed_.all_machines) {
    allowed_.machines = true;
    allowed_.objects = allowed_.arrays = allowed_.monitors = allowed_.starts = allowed_.modules = false;
    allowed_.abstractions = allowed_.regions = false;
    has_starter_ = random_.chance(40);
  }
  if (allowed_.lists) allowed_.objects = words_.lists = true;
  if (allowed_.final_links) {
    allowed_.max_threads = 1;
    allowed_.max_statements = 3;
  }
  modules_ = allowed_.modules;
  words_.quantifiers = allowed_.quantifiers;
  words_.wild_quantifiers = random_.chance(20);
}

// -------------------------------------------------------------------------------------------------------------- the text

void Generator::line(const std::string& text) {
  text_ += std::string(static_cast<std::size_t>(2 * indent_), ' ') + text + "\n";
}

std::string Generator::take() { return std::exchange(text_, ""); }

// ---------------------------------------------------------------------------------------------------------- declarations

void Generator::declare_types() {
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
  if (allowed_.lists || random_.chance(50)) {
    Name second;
    second.name = allowed_.lists || random_.chance(50) ? "next" : "flag";
    second.sort = second.name == "next" ? Sort::kClass : Sort::kBool;
    second.assignable = !allowed_.final_links;
    words_.fields.push_back(second);
  }
  braces("class Node", [&] {
    for (const Name& field : words_.fields) {
      const bool initial = field.sort == Sort::kInt && random_.chance(40);
      std::string clauses;
      if (field.sort == Sort::kInt && allowed_.clauses && random_.chance(15) && allowed_.identities) {
        clauses = random_.chance(50) ? " unwritable_by_env_if holder == tid" : " writable_if holder == tid";
      }
      line((field.assignable ? "var " : "final var ") + field.name + ": " + Vocabulary::type(field) +
           (initial ? " = 1" : "") + clauses + ";");
    }
    if (!allowed_.clauses) return;
    Where where;
    where.spec = true;
    where.self = "Node";
    where.tid = false;
    if (random_.chance(30)) line("global_invariant " + words_.expr(Sort::kBool, 1, where) + ";");
    if (random_.chance(30)) line("invariant " + words_.expr(Sort::kBool, 1, where) + ";");
    if (random_.chance(30)) line("global_invariant value >= 0;");
    if (random_.chance(30) && allowed_.identities) {
      line(random_.chance(50) ? "env_assumption holder == tid ==> value' == value;" : "guarantee value' >= value;");
    }
  });
  words_.has_subclass = random_.chance(70);
  if (!words_.has_subclass) return;
  braces("class Tip extends Node", [&] {
    line(random_.chance(30) && allowed_.identities ? "var extra: int = 1 writable_if holder == tid;"
                                                   : "var extra: int = 1;");
    line("final var seal: int = 2;");
    if (!allowed_.clauses) return;
    if (random_.chance(30)) line("global_invariant extra >= 0;");
    if (random_.chance(30)) line("global_invariant value >= 0 || seal == 2;");
    if (random_.chance(30)) line("global_invariant value <= extra;");
    if (random_.chance(20)) line("invariant extra > 0;");
    if (random_.chance(20)) line("env_assumption value' >= value;");
  });
}

void Generator::declare_variables() {
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
    if (symbolic && random_.chance(70)) {
      line("const few: int = limit ? 2 : 1;");
      has_few_ = true;
    }
  }
  if (!modules_ && random_.chance(10) && allowed_.identities) words_.named_thread = "boss";
  const int count = random_.between(1, 3);
  for (int i = 0; i < count; ++i) {
    Name name;
    name.name = std::string(1, static_cast<char>('x' + i));
    std::vector<Sort> sorts = {Sort::kInt, Sort::kInt, Sort::kInt, Sort::kBool, Sort::kBool};
    if (allowed_.enums) sorts.push_back(Sort::kEnum);
    if (allowed_.objects) sorts.push_back(Sort::kClass);
    if (allowed_.lists) sorts.resize(sorts.size() + 5, Sort::kClass);
    name.sort = random_.pick(sorts);
    has_x_ = has_x_ || (name.name == "x" && name.sort == Sort::kInt);
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
  if (allowed_.monitors && random_.chance(15)) {
    line("var forks: map<int, monitor>;");
    for (const char* entry : {"forks[0]", "forks[1]"}) {
      Name fork;
      fork.name = entry;
      fork.shape = Shape::kMonitor;
      fork.assignable = false;
      words_.shared.push_back(fork);
    }
  }
  if (allowed_.maps) {
    Name map;
    map.name = "table";
    map.shape = Shape::kMap;
    map.key = random_.pick(std::vector<Sort>{words_.identity, words_.identity, Sort::kBool, Sort::kInt});
    if (allowed_.enums && random_.chance(30)) map.key = Sort::kEnum;
    if (allowed_.objects && random_.chance(20)) map.key = Sort::kClass;
    map.sort = random_.pick(std::vector<Sort>{Sort::kBool, Sort::kInt, words_.identity});
    map.is_lock = map.sort == Sort::kTid && random_.chance(50);
    declare(map);
  }
  if (allowed_.sets) {
    Name set;
    set.name = "group";
    set.shape = Shape::kSet;
    set.sort = random_.pick(std::vector<Sort>{words_.identity, Sort::kInt, Sort::kBool});
    if (allowed_.objects && random_.chance(25)) set.sort = Sort::kClass;
    declare(set);
  }
  if (allowed_.arrays) {
    Name array;
    array.name = "cells";
    array.shape = Shape::kArray;
    array.sort = random_.pick(std::vector<Sort>{Sort::kInt, Sort::kBool});
    if (allowed_.objects && random_.chance(25)) array.sort = Sort::kClass;
    declare(array);
  }
  if (allowed_.ghosts) {
    Name ghost;
    ghost.name = "seen";
    ghost.sort = random_.pick(std::vector<Sort>{Sort::kInt, Sort::kBool, words_.identity});
    ghost.ghost = true;
    declare(ghost);
  }
}

void Generator::declare(const Name& name) {
  std::string init;
  const bool plain = name.shape == Shape::kPlain && name.sort != Sort::kClass;
  if (plain && name.sort != Sort::kTid) {
    const int choice = random_.below(10);
    if (choice < 5) init = " = " + words_.literal(name.sort, false);
    const bool finite = name.sort == Sort::kBool || name.sort == Sort::kEnum;
    if (choice == 9 && (finite || allowed_.free_integers)) init = " = *";
  }
  if (name.shape == Shape::kMap && random_.chance(30)) init = " = map(" + words_.literal(name.sort, false) + ")";
  if (name.shape == Shape::kSet && random_.chance(30) && name.sort != Sort::kTid && name.sort != Sort::kClass) {
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

std::string Generator::variable_clause(const Name& name) {
  if (name.shape == Shape::kMonitor) return "";
  Where where;
  where.spec = true;
  where.locals = false;
  const bool elements = (name.shape == Shape::kMap || name.shape == Shape::kArray) && random_.chance(70);
  const std::string condition = words_.expr(Sort::kBool, 1, where);
  if (elements) return " elems_unwritable_by_env_if[i] " + condition;
  return (random_.chance(50) ? " unwritable_by_env_if " : " writable_if ") + condition;
}

// --------------------------------------------------------------------------------------------------------------- clauses

Where Generator::clause_where(bool has_tid) {
  Where where;
  where.spec = true;
  where.locals = false;
  where.tid = has_tid;
  where.risky = allowed_.risky && random_.chance(30);
  return where;
}

void Generator::clauses() {
  if (random_.chance(45)) line("global_invariant " + invariant() + ";");
  if (random_.chance(12)) line("initially " + words_.expr(Sort::kBool, 1, clause_where(false)) + ";");
  if (random_.chance(40)) line((random_.chance(80) ? "env_assumption " : "rely ") + rely() + ";");
  if (random_.chance(25)) line("guarantee " + rely() + ";");
  lock_order();
}

std::string Generator::invariant() {
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

std::string Generator::rely() {
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
std::string Generator::frame(const Where& where) {
  std::string list;
  for (const Name& it : words_.names(where, [](const Name& name) { return name.shared; })) {
    if (it.shared && random_.chance(70)) list += (list.empty() ? "" : ", ") + it.name;
  }
  return list;
}

void Generator::lock_order() {
  std::vector<std::string> locks;
  for (const Name& it : words_.shared) {
    if (it.shape == Shape::kMonitor || (it.is_lock && it.shape == Shape::kPlain)) locks.push_back(it.name);
    if (it.is_lock && it.shape == Shape::kMap && it.key == Sort::kInt && random_.chance(50)) {
      line("lock_order " + it.name + "[i] < " + it.name + "[j] when i < j;");
    }
  }
  const bool forks = std::find(locks.begin(), locks.end(), "forks[0]") != locks.end();
  if (forks && random_.chance(50)) line("lock_order forks[i] < forks[j] when i < j;");
  if (locks.size() >= 2 && random_.chance(60)) line("lock_order " + locks[0] + " < " + locks[1] + ";");
  if (locks.size() >= 3 && random_.chance(60)) line("lock_order " + locks[1] + " < " + locks[2] + ";");
}

// --------------------------------------------------------------------------------------------------------------- threads

void Generator::threads() {
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
      const std::string value = it.sort == Sort::kInt && random_.chance(60) ? "index" : words_.literal(it.sort, false);
      list += (list.empty() ? "" : ", ") + value;
    }
    const bool machine = std::find(machines_.begin(), machines_.end(), worker.name) != machines_.end();
    if (machine && has_starter_) continue;
    const std::string number = has_limit_ && count == 2 ? "limit"
                               : has_few_ && count == 2 ? "few"
                                                        : std::to_string(count);
    line("thread" + (count > 1 ? "[" + number + "]" : "") + (boss ? " boss = " : " ") + worker.name + "(" + list + ")" +
         (machine ? " abstracted by Of_" + worker.name : "") + ";");
  }
  if (has_starter_ && !machines_.empty()) starter();
}

// Starts what has a machine; now and then it initialises something first, or claims something.
void Generator::starter() {
  in_helper_ = false;
  words_.locals.clear();
  braces("proc starter()", [&] {
    if (random_.chance(50)) {
      if (has_x_) line("x = " + words_.literal(Sort::kInt, false) + ";");
      line("initialised;");
    }
    const int most = random_.between(1, 2);
    for (int i = 0; i < most; ++i) {
      const std::string name = random_.pick(machines_);
      const auto worker =
          std::find_if(workers_.begin(), workers_.end(), [&](const Made& it) { return it.name == name; });
      std::string list;
      for (const Parameter& it : worker->parameters)
        list += (list.empty() ? "" : ", ") + words_.literal(it.sort, false);
      const bool is_one_of_two = random_.chance(20);
      const std::string start = "start " + name + "(" + list + ");";
      line(is_one_of_two ? "if (*) " + start : start);
      if (random_.chance(15)) line("assert " + words_.expr(Sort::kBool, 1, Where{}) + ";");
      if (random_.chance(10) && has_x_) line("x = " + words_.literal(Sort::kInt, false) + ";");
    }
  });
  const bool is_boss = !words_.named_thread.empty() &&
                       std::find(machines_.begin(), machines_.end(), workers_.front().name) != machines_.end();
  line(is_boss ? "thread boss = starter();" : "thread starter();");
}

// Locks two objects, which are in p and q, or three that are found one behind the other.
void Generator::lock_objects() {
  const auto both = [&](const std::string& first, const std::string& second) {
    line("acquire(" + first + ");");
    line("acquire(" + second + ");");
    if (random_.chance(30)) line("assert \\holds(" + random_.pick(std::vector<std::string>{"p", "q"}) + ");");
    if (random_.chance(40)) line("p.value = " + words_.literal(Sort::kInt, false) + ";");
    if (random_.chance(10)) line("wait(" + second + ");");
    if (random_.chance(10)) line("notifyall(" + first + ");");
    if (!random_.chance(5)) line("release(" + first + ");");
    line("release(" + second + ");");
  };
  switch (random_.below(5)) {
    case 0: return both("p", "q");
    case 1:
      line("if (p.next == q) {");
      both("p", "q");
      line("} else {");
      both("q", "p");
      return line("}");
    case 2:
      line("if (" + std::string(random_.chance(50) ? "p.next == q" : "p != q") + ") {");
      both(random_.chance(70) ? "p" : "q", random_.chance(70) ? "q" : "p");
      return line("}");
    case 3:
      line("acquire(p);");
      line("lock_next(p);");
      return line("release(p);");
    default: break;
  }
  const bool lets_go = random_.chance(50);
  line("acquire(p);");
  line("q = p.next;");
  line("if (q != null) {");
  line("  acquire(q);");
  if (lets_go) line("  release(p);");
  line("  var r: Node = q." + std::string(random_.chance(80) ? "next;" : "next.next;"));
  line("  if (r != null) {");
  line("    acquire(" + std::string(random_.chance(80) ? "r" : "p") + ");");
  line("    release(" + std::string(random_.chance(80) ? "r" : "p") + ");");
  line("  }");
  line("  release(q);");
  line(lets_go ? "} else" : "}");
  line("release(p);");
}

// One thread makes a few objects and starts others that lock them.
void Generator::lockers() {
  braces("proc lock_next(p: Node)", [&] {
    line("var n: Node = p.next;");
    line("if (n != null) {");
    line("  acquire(n);");
    line("  release(n);");
    line("}");
  });
  braces("proc locker(first: Node, second: Node)", [&] {
    line("var p: Node = first;");
    line("var q: Node = second;");
    lock_objects();
  });
  braces("proc maker()", [&] {
    line("var a: Node = new Node();");
    line("var b: Node = new Node(next = a);");
    line("var c: Node = new Node(next = " + random_.pick(std::vector<std::string>{"a", "b", "b", "null"}) + ");");
    const std::vector<std::string> along = {"b, a", "c, b", "c, a"};
    const std::vector<std::string> against = {"a, b", "b, c", "a, c", "b, b"};
    const bool is_ordered = random_.chance(60);
    for (int i = random_.between(2, 3); i > 0; --i) {
      line("start locker(" + random_.pick(is_ordered || random_.chance(60) ? along : against) + ");");
    }
  });
  line("thread maker();");
}

std::string generate(std::uint64_t seed, const GeneratorOptions& options) { return Generator(seed, options).run(); }

}  // namespace concord::agree
