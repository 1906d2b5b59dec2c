// Statements. `tame_` code may be passed any number of times, so it assigns only values from a fixed range, allocates nothing
// and starts nothing; `budget_` is what is left to write in a procedure, `depth_` how deep the braces are.
#include <utility>

#include "maker.h"

namespace concord::agree {

std::string Generator::value_for(Sort sort, const Where& where) {
  if (sort == Sort::kInt && (tame_ || random_.chance(60))) {
    if (random_.chance(50)) return words_.literal(sort, where.tid);
    return words_.expr(sort, random_.chance(60) ? 0 : 1, where) + " % 3";
  }
  return words_.expr(sort, 1, where);
}

Where Generator::code() {
  Where where;
  where.risky = allowed_.risky && random_.chance(40);
  return where;
}

std::string Generator::condition() { return words_.expr(Sort::kBool, 1, code()); }

void Generator::statement() {
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
      {6, allowed_.regions && depth_ < 2 && !in_atomic_, &Generator::region},
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
      {6, (loops_ > 0 || !labels_.empty()) && !in_atomic_, &Generator::jump},
      {2, !in_atomic_ && depth_ > 0, &Generator::leave},
      {3, depth_ < 2 && !in_atomic_, &Generator::labelled},
      {12, made_->throws && !in_atomic_ && depth_ > 0, &Generator::raise},
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
void Generator::operation(const std::string& text) {
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

std::string Generator::block(int statements) {
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

void Generator::nested(const std::string& head, int statements) {
  line(head + " {");
  const std::string inside = block(statements);
  text_ += inside;
  line("}");
}

void Generator::assignment() {
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
    return operation(name.name + "[" + words_.expr(name.key, 0, Where{}) + "] = " + value_for(name.sort, code()) + ";");
  }
  if (name.sort == Sort::kInt && !tame_ && random_.chance(35)) {
    static const std::vector<std::string> ways = {"++;", "++;", "--;", " += 1;", " -= 2;"};
    return operation(name.name + random_.pick(ways));
  }
  if (name.sort == Sort::kBool && random_.chance(25)) return operation(name.name + " = !" + name.name + ";");
  operation(name.name + " = " + value_for(name.sort, code()) + ";");
}

void Generator::local() {
  std::vector<Sort> sorts = {Sort::kInt, Sort::kInt, Sort::kBool, words_.identity};
  if (allowed_.enums) sorts.push_back(Sort::kEnum);
  Name name;
  name.name = words_.fresh("l");
  name.sort = random_.pick(sorts);
  name.shared = false;
  const std::string init = random_.chance(12) ? "" : " = " + value_for(name.sort, code());
  operation("var " + name.name + ": " + Vocabulary::type(name) + init + ";");
  words_.locals.push_back(name);
}

void Generator::assertion() {
  Where where = code();
  where.spec = true;
  const auto ints =
      words_.names(where, [](const Name& it) { return it.shape == Shape::kPlain && it.sort == Sort::kInt; });
  if (!ints.empty() && random_.chance(75)) {
    return operation("assert " + random_.pick(ints).name + (random_.chance(60) ? " >= -1" : " <= 5") + ";");
  }
  operation("assert " + words_.expr(Sort::kBool, 1, where) + ";");
}

void Generator::waiting() {
  const std::string may = !in_atomic_ && random_.chance(40) ? "may_block " : "";
  if (!may.empty()) made_->unfit_for_atomic = true;
  operation(may + (random_.chance(50) ? "await " : "assume ") + condition() + ";");
}

void Generator::skip() { operation("skip;"); }

void Generator::conditional() {
  nested("if (" + (random_.chance(15) ? std::string("*") : condition()) + ")", random_.between(1, 2));
  if (random_.chance(40)) nested("else", 1);
}

std::string Generator::loop_invariant() {
  if (!allowed_.clauses || random_.chance(75)) return "";
  Where where;
  where.spec = true;
  return " loop_invariant " + words_.expr(Sort::kBool, 1, where) + ";";
}

// Now and then a label for what comes next.
std::string Generator::label(bool of_loop) {
  if (of_loop && !random_.chance(30)) return "";
  labels_.push_back({words_.fresh("l"), of_loop});
  return "label " + labels_.back().name + ": ";
}

void Generator::labelled() {
  const std::size_t labels = labels_.size();
  std::string head = label(false);
  head.pop_back();
  nested(head, random_.between(1, 3));
  labels_.resize(labels);
}

void Generator::counted_loop() {
  Name counter;
  counter.name = words_.fresh("i");
  counter.shared = false;
  counter.assignable = false;
  line("var " + counter.name + ": int = 0;");
  words_.locals.push_back(counter);
  std::string invariant;
  if (allowed_.clauses && random_.chance(40)) invariant = " loop_invariant " + counter.name + " <= 2;";
  const std::size_t labels = labels_.size();
  const std::string before = in_atomic_ ? "" : label(true);
  line(before + "while (" + counter.name + " < " + std::to_string(random_.between(1, 2)) + ")" + invariant +
       loop_invariant() + " {");
  line("  " + counter.name + "++;");
  ++loops_;
  const std::string inside = block(random_.between(1, 2));
  --loops_;
  labels_.resize(labels);
  text_ += inside;
  line("}");
}

// Nothing in it may grow.
void Generator::endless_loop() {
  const bool outer = std::exchange(tame_, true);
  const std::size_t labels = labels_.size();
  const std::string before = label(true);
  ++loops_;
  nested(before + "while (" + (random_.chance(30) ? std::string("*") : condition()) + ")" + loop_invariant(),
         random_.between(1, 2));
  --loops_;
  labels_.resize(labels);
  tame_ = outer;
}

void Generator::choice() {
  nested("choose", random_.between(1, 2));
  const int others = random_.between(1, 2);
  for (int i = 0; i < others; ++i) nested("or", random_.chance(10) ? 0 : 1);
}

void Generator::iteration() {
  const bool outer = std::exchange(tame_, true);
  const std::size_t labels = labels_.size();
  const std::string before = label(true);
  ++loops_;
  nested(before + "loop" + loop_invariant(), random_.between(1, 2));
  --loops_;
  labels_.resize(labels);
  tame_ = outer;
}

void Generator::atomic() {
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

std::string Generator::plain_lock() {
  const Name* lock = some([](const Name& it) { return it.is_lock; });
  if (lock == nullptr) return "m";
  if (lock->shape != Shape::kMap) return lock->name;
  const Name map = *lock;
  return map.name + "[" + words_.literal(map.key, true) + "]";
}

void Generator::region() {
  made_->unfit_for_atomic = true;
  nested(random_.chance(70) ? "exclusive first" : "exclusive second", random_.between(1, 2));
}

void Generator::critical_section() {
  const std::string lock = plain_lock();
  line("acquire(" + lock + ");");
  const std::string inside = block(random_.between(1, 2));
  text_ += inside;
  if (!random_.chance(4)) operation("release(" + lock + ");");
}

void Generator::synchronized() {
  const std::string lock =
      random_.chance(60) ? "mon" : some([](const Name& it) { return it.shape == Shape::kMonitor; })->name;
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

void Generator::nested_locks() {
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

void Generator::stray_lock() {
  static const std::vector<std::string> plain = {"acquire", "release"};
  static const std::vector<std::string> all = {"acquire", "release", "notify", "notifyall"};
  if (allowed_.monitors) return operation(random_.pick(all) + "(mon);");
  operation(random_.pick(plain) + "(" + plain_lock() + ");");
}

void Generator::swap() {
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
  const Name* other = some(
      [&](const Name& it) { return it.shape == Shape::kPlain && it.sort == name.sort && it.assignable && !it.ghost; });
  const std::string expected = words_.expr(name.sort, 0, Where{});
  if (other != nullptr && random_.chance(50)) {
    return operation("CAS(" + name.name + ", " + expected + ", " + other->name + ");");
  }
  Name got;
  got.name = words_.fresh("g");
  got.sort = Sort::kBool;
  got.shared = false;
  const std::string value = value_for(name.sort, Where{});
  const Name* result = some(
      [](const Name& it) { return it.shape == Shape::kPlain && it.sort == Sort::kBool && it.assignable && !it.ghost; });
  if (result != nullptr && random_.chance(50)) {
    return operation(result->name + " = CAS(" + name.name + ", " + expected + ", " + value + ");");
  }
  operation("var " + got.name + ": bool = CAS(" + name.name + ", " + expected + ", " + value + ");");
  words_.locals.push_back(got);
}

void Generator::direct() {
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
  if (!may.empty()) made_->unfit_for_atomic = true;
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
    if (it.sort == Sort::kInt && !tame_ && random_.chance(40)) return guard + after(it) + " == " + before(it) + " + 1";
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

void Generator::havoc() {
  const Name* target = some([](const Name& it) { return it.assignable && !it.ghost && it.shape == Shape::kPlain; });
  if (target == nullptr) return skip();
  if (target->sort != Sort::kInt) {
    const Name first = *target;
    const Name* second = some([&](const Name& it) {
      return it.assignable && !it.ghost && it.shape == Shape::kPlain && it.sort != Sort::kInt && it.name != first.name;
    });
    const bool both = second != nullptr && random_.chance(30);
    return operation("havoc " + first.name + (both ? ", " + second->name : "") + ";");
  }
  if (allowed_.free_integers && random_.chance(50)) return operation("havoc " + target->name + ";");
  operation("havoc " + target->name + " in " + std::to_string(random_.between(-1, 1)) + " .. " +
            std::to_string(random_.between(0, 2)) + ";");
}

std::string Generator::arguments(const Made& made) {
  std::string list;
  for (const Parameter& it : made.parameters) {
    const bool depth = made.recursive && it.name == made.parameters.back().name;
    list += (list.empty() ? "" : ", ") + (depth ? words_.literal(Sort::kInt, true) : value_for(it.sort, code()));
  }
  return "(" + list + ")";
}

// Where the exception goes: to a variable that there is, or a new one.
std::string Generator::catch_part() {
  std::vector<std::string> known;
  for (const Name& it : words_.locals) {
    if (it.sort == Sort::kClass && it.shape == Shape::kPlain && it.assignable && !it.shared) known.push_back(it.name);
  }
  if (!known.empty() && random_.chance(60)) return " catch " + random_.pick(known);
  Name exception;
  exception.name = words_.fresh("e");
  exception.sort = Sort::kClass;
  exception.shared = false;
  line("var " + exception.name + ": Node;");
  words_.locals.push_back(exception);
  return " catch " + exception.name;
}

void Generator::call() {
  const Made callee = random_.pick(helpers_);
  if ((tame_ && !callee.tame) || (in_atomic_ && (callee.abstract || callee.unfit_for_atomic))) return assignment();
  const std::string caught = callee.throws ? catch_part() : "";
  const std::string text = callee.name + arguments(callee) + caught + ";";
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

void Generator::start() {
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

void Generator::object() {
  const Name* any = some([](const Name& it) { return it.sort == Sort::kClass && it.shape == Shape::kPlain; });
  const Name* shared =
      some([](const Name& it) { return it.sort == Sort::kClass && it.shape == Shape::kPlain && it.shared; });
  std::string inits = random_.chance(50) ? "value = " + value_for(Sort::kInt, Where{}) : "";
  const bool makes_tip = words_.has_subclass && random_.chance(70);
  const std::string made_class = makes_tip ? "Tip" : "Node";
  if (makes_tip && random_.chance(50)) {
    inits += (inits.empty() ? "" : ", ") + std::string(random_.chance(50) ? "extra = " : "seal = ") +
             value_for(Sort::kInt, Where{});
  }
  if (allowed_.final_links && random_.chance(60)) {
    inits += (inits.empty() ? "" : ", ") + std::string("next = ") + value_for(Sort::kClass, Where{});
  }
  const bool may_allocate = !tame_ && loops_ == 0;
  const int choice = random_.below(6);
  if ((any == nullptr || choice == 0) && may_allocate) {
    Name name;
    name.name = words_.fresh("o");
    name.sort = Sort::kClass;
    name.shared = false;
    operation("var " + name.name + ": Node = new " + made_class + "(" + inits + ");");
    words_.locals.push_back(name);
    return;
  }
  if (shared != nullptr && choice == 1 && may_allocate)
    return operation(shared->name + " = new " + made_class + "(" + inits + ");");
  any = some([](const Name& it) { return it.sort == Sort::kClass && it.shape == Shape::kPlain; });
  if (any == nullptr) return skip();
  const Name object = *any;
  if (words_.has_subclass && !object.shared && random_.chance(35)) {
    line("if (" + object.name + " instanceof Tip) {");
    const std::string tip = words_.fresh("p");
    line("  var " + tip + ": Tip = " + object.name + " as Tip;");
    line("  " + tip + ".extra = " + (random_.chance(50) ? tip + ".seal" : value_for(Sort::kInt, Where{})) + ";");
    return line("}");
  }
  const Name& field = allowed_.final_links ? words_.fields.front() : random_.pick(words_.fields);
  const std::string update = object.name + "." + field.name + " = " + value_for(field.sort, Where{}) + ";";
  if (choice == 2 && !in_atomic_ && depth_ < 2 && allowed_.identities) {
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

void Generator::array() {
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

void Generator::set_update() {
  const Name* found = some([](const Name& it) { return it.shape == Shape::kSet; });
  if (found == nullptr) return skip();
  const Name name = *found;
  const Name* object = some([](const Name& it) { return it.sort == Sort::kClass && it.shape == Shape::kPlain; });
  const std::string element = name.sort == Sort::kInt     ? words_.literal(Sort::kInt, true)
                              : name.sort != Sort::kClass ? words_.expr(name.sort, 0, Where{})
                              : object != nullptr         ? object->name
                                                          : "";
  switch (random_.below(5)) {
    case 0: return operation(name.name + " = {};");
    case 1: return operation(name.name + " = " + name.name + " - {" + element + "};");
    case 2: return operation(name.name + " = " + name.name + " & {" + element + "};");
    default: return operation(name.name + " = " + name.name + " + {" + element + "};");
  }
}

void Generator::jump() {
  if (labels_.empty() || (loops_ > 0 && random_.chance(50))) return line(random_.chance(60) ? "break;" : "continue;");
  const Label target = random_.pick(labels_);
  line((target.of_loop && random_.chance(50) ? "continue " : "break ") + target.name + ";");
}

// Before or behind the rest of a body, so that exceptions are no rarity.
void Generator::raise_perhaps() {
  if (!made_->throws || random_.chance(40)) return;
  const auto is_object = [](const Name& it) { return it.sort == Sort::kClass && it.shape == Shape::kPlain; };
  if (!tame_ && (some(is_object) == nullptr || random_.chance(50))) {
    Name exception;
    exception.name = words_.fresh("e");
    exception.sort = Sort::kClass;
    exception.shared = false;
    line("var " + exception.name + ": Node = new Node();");
    words_.locals.push_back(exception);
  }
  line("if (" + (random_.chance(30) ? std::string("*") : condition()) + ") {");
  ++indent_;
  raise();
  --indent_;
  line("}");
}

// Perhaps it is null.
void Generator::raise() {
  const Name* exception = some([](const Name& it) { return it.sort == Sort::kClass && it.shape == Shape::kPlain; });
  if (exception == nullptr) return skip();
  line("throw " + exception->name + ";");
}

void Generator::leave() { line(made_->has_result ? "return " + value_for(made_->result, Where{}) + ";" : "return;"); }

}  // namespace concord::agree
