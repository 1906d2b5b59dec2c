// Procedures. With an abstraction or a machine the body is made around a few operations, so that the specification can be
// right, and then both are spoilt a little; without, it is any statements.
#include <algorithm>

#include "maker.h"

namespace concord::agree {

void Generator::procedure(const std::string& name, bool helper) {
  Made made;
  made.name = name;
  words_.locals.clear();
  const int count = random_.chance(helper ? 50 : 30) ? random_.between(1, 2) : 0;
  for (int i = 0; i < count; ++i) {
    std::vector<Sort> sorts = {Sort::kInt, Sort::kInt, Sort::kBool, words_.identity};
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
  const bool machine = !helper && allowed_.machines && random_.chance(allowed_.all_machines ? 95 : 60);
  if (helper && random_.chance(6) && words_.shared.size() > 0) {
    recursion(head, made);
  } else if (watched && random_.chance(25) && allowed_.plain_locks && helper) {
    made.abstract = true;
    try_lock(head);
  } else if (watched && helper && random_.chance(20) && has_x_) {
    made.abstract = true;
    take_ticket(head);
  } else {
    if (made.has_result) head += ": " + Vocabulary::type(made.result);
    made.throws = helper && allowed_.objects && random_.chance(40);
    if (made.throws) head += " throws Node";
    const std::vector<Core> cores = watched || machine ? core(machine) : std::vector<Core>{};
    made.abstract = watched;
    const std::string before = take();
    contract(made);
    if (watched) abstraction(cores);
    if (machine && has_starter_) line("  abstracted by Of_" + name + ";");
    const std::string specification = take();
    text_ = before;
    if (!specification.empty()) line(head);
    text_ += specification;
    braces(specification.empty() ? head : "", [&] {
      raise_perhaps();
      body(cores);
      raise_perhaps();
    });
    if (machine) abstract_thread(name, cores);
  }
  made_ = nullptr;
  (helper ? helpers_ : workers_).push_back(made);
  words_.procedures.push_back(name);
  words_.locals.clear();
}

void Generator::contract(const Made& made) {
  if (!allowed_.contracts) return;
  Where where = clause_where(true);
  where.locals = true;
  if (random_.chance(10)) line("  requires " + words_.expr(Sort::kBool, 1, where) + ";");
  if (made.throws && random_.chance(30)) line("  signals " + words_.expr(Sort::kBool, 1, where) + ";");
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

std::vector<Generator::Core> Generator::core(bool no_locals) {
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
      list.push_back({entry + " = " + value + ";", random_.chance(50) ? entry : target.name, entry + "' == " + value});
    } else {
      list.push_back({target.name + " = " + value + ";", target.name, target.name + "' == " + value});
    }
    if (random_.chance(20)) list.back().predicate = "true";
    if (random_.chance(10)) list.back().predicate = target.name + " != \\old(" + target.name + ")";
    if (random_.chance(15)) list.back().predicate = target.name + "' == " + target.name;
  }
  return list;
}

void Generator::abstraction(const std::vector<Core>& cores) {
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
void Generator::recursion(const std::string& head, Made& made) {
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

// Actions that look ahead to the result.
void Generator::take_ticket(const std::string& head) {
  made_->has_result = true;
  made_->result = Sort::kInt;
  made_->unfit_for_atomic = true;
  line(head + ": int");
  line(std::string("  action also modifies x ensures \\result == ") + (random_.chance(80) ? "x" : "x'") +
       " && x' == (x + 1) % 3;");
  braces("", [&] {
    const bool right = random_.chance(60);
    line("var ticket: int = 0;");
    if (right) line("atomic {");
    line("ticket = x;");
    line("x = (x + 1) % 3;");
    if (right) line("}");
    if (random_.chance(20)) line("skip;");
    line(random_.chance(85) ? "return ticket;" : "return 7;");
  });
}

void Generator::try_lock(const std::string& head) {
  made_->has_result = true;
  made_->result = Sort::kBool;
  line(head + ": bool");
  const bool right = random_.chance(60);
  const std::string otherwise = random_.chance(70) ? "m' == m" : "m' == none";
  line("  action also modifies m ensures (\\result ==> m == none && m' == tid) && (!\\result ==> " + otherwise + ");");
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

void Generator::abstract_thread(const std::string& name, const std::vector<Core>& cores) {
  std::vector<std::string> nodes = {"N0"};
  std::vector<std::string> edges;
  const std::string machine = "Of_" + name;
  const bool one_node = random_.chance(30);
  for (const Core& it : cores) {
    const std::string from = nodes.back();
    if (!one_node) nodes.push_back("N" + std::to_string(nodes.size()));
    if (random_.chance(8)) {
      edges.push_back(from + " -> " + nodes.back() + ": <false>_{};");
      continue;
    }
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

void Generator::body(const std::vector<Core>& cores) {
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
void Generator::noise() {
  switch (random_.below(4)) {
    case 0: line("skip;"); break;
    case 1: local(); break;
    case 2: line("assert true;"); break;
    default: braces("if (" + words_.expr(Sort::kBool, 1, Where{}) + ")", [&] { line("skip;"); });
  }
}

}  // namespace concord::agree
