#include "vocabulary.h"

namespace concord::agree {

using Shape = Name::Shape;

std::string Vocabulary::type(Sort sort) {
  switch (sort) {
    case Sort::kBool: return "bool";
    case Sort::kInt: return "int";
    case Sort::kTid: return "tid";
    case Sort::kEnum: return "Phase";
    case Sort::kClass: return "Node";
  }
  return "";
}

std::string Vocabulary::type(const Name& name) {
  switch (name.shape) {
    case Shape::kPlain: return type(name.sort);
    case Shape::kMap: return "map<" + type(name.key) + ", " + type(name.sort) + ">";
    case Shape::kSet: return "set<" + type(name.sort) + ">";
    case Shape::kArray: return type(name.sort) + "[]";
    case Shape::kMonitor: return "monitor";
  }
  return "";
}

std::string Vocabulary::literal(Sort sort, bool tid_allowed) {
  switch (sort) {
    case Sort::kBool: return random_.chance(50) ? "true" : "false";
    case Sort::kInt: return std::to_string(random_.between(0, 2));
    case Sort::kTid: return tid_allowed && random_.chance(50) ? "tid" : "none";
    case Sort::kEnum: return random_.pick(constants);
    case Sort::kClass: return "null";
  }
  return "";
}

std::string Vocabulary::expr(Sort sort, int depth, const Where& where) {
  if (depth > 0 && random_.chance(8)) {
    return "(" + boolean(depth - 1, where) + " ? " + expr(sort, depth - 1, where) + " : " +
           expr(sort, depth - 1, where) + ")";
  }
  if (sort == Sort::kBool) return boolean(depth, where);
  if (sort == Sort::kInt) return integer(depth, where);
  return leaf(sort, where);
}

std::string Vocabulary::step(int depth, const Where& where) {
  marked_ = false;
  std::string text = boolean(depth, where);
  const auto plain = names(where, [](const Name& it) { return it.shape == Shape::kPlain && it.shared; });
  while (!marked_ && !plain.empty()) {
    const Name& name = random_.pick(plain);
    const std::string before = where.style == Where::Style::kOld ? "\\old(" + name.name + ")" : name.name;
    const std::string after = where.style == Where::Style::kOld ? name.name : name.name + "'";
    const bool only = random_.chance(50);
    text = only ? after + " == " + before : "(" + text + ") ==> " + after + " == " + before;
    marked_ = true;
  }
  return text;
}

// --------------------------------------------------------------------------------------------------------------- leaves

std::string Vocabulary::mark(const std::string& text, const Name& name, const Where& where) {
  if (where.style == Where::Style::kPlain || !name.shared || random_.chance(50)) return text;
  marked_ = true;
  return where.style == Where::Style::kPrimes ? text + "'" : "\\old(" + text + ")";
}

std::string Vocabulary::read(const Name& name, const Where& where) {
  Where plain = where;
  plain.style = Where::Style::kPlain;
  switch (name.shape) {
    case Shape::kPlain: return mark(name.name, name, where);
    case Shape::kMap: return mark(name.name + "[" + leaf(name.key, plain) + "]", name, where);
    case Shape::kArray: return mark(name.name + "[" + leaf(Sort::kInt, plain) + "]", name, where);
    case Shape::kSet:
    case Shape::kMonitor: break;
  }
  return "";
}

std::string Vocabulary::leaf(Sort sort, const Where& where) {
  if (random_.chance(sort == Sort::kBool ? 10 : 25)) return literal(sort, where.tid);
  auto list = names(where, [&](const Name& it) {
    return it.sort == sort &&
           (it.shape == Shape::kPlain || it.shape == Shape::kMap || (it.shape == Shape::kArray && where.risky));
  });
  if (sort == Sort::kTid && !named_thread.empty() && random_.chance(20)) return named_thread;
  if (sort == Sort::kTid && random_.chance(30)) {
    const auto monitors = names(where, [](const Name& it) { return it.shape == Shape::kMonitor; });
    if (!monitors.empty()) return mark(random_.pick(monitors).name + ".holder", random_.pick(monitors), where);
    if (!where.self.empty()) return mark("holder", Name{}, where);
  }
  if (has_class && where.risky && random_.chance(20)) {
    for (const Name& field : fields) {
      Where plain = where;
      plain.style = Where::Style::kPlain;
      const std::string from = object(plain);
      if (field.sort == sort && field.shape == Shape::kPlain && !from.empty() && (where.spec || !field.ghost)) {
        return mark(from + "." + field.name, field, where);
      }
    }
  }
  if (list.empty()) return literal(sort, where.tid);
  return read(random_.pick(list), where);
}

std::string Vocabulary::object(const Where& where) {
  const auto list = names(where, [](const Name& it) { return it.sort == Sort::kClass && it.shape == Shape::kPlain; });
  return list.empty() ? "" : random_.pick(list).name;
}

std::string Vocabulary::set(Sort sort, const Where& where) {
  const auto list = names(where, [&](const Name& it) { return it.shape == Shape::kSet && it.sort == sort; });
  const int choice = random_.below(6);
  // `{null}` does not say of which class it is.
  const std::string element = sort == Sort::kClass ? object(where) : leaf(sort, where);
  const std::string literal_set = element.empty() ? "{}" : "{" + element + "}";
  if (list.empty() || choice == 0) return literal_set;
  const Name& name = random_.pick(list);
  const std::string read = mark(name.name, name, where);
  if (choice == 1) return "(" + read + " + " + literal_set + ")";
  if (choice == 2) return "(" + read + " - " + literal_set + ")";
  if (choice == 3) return "(" + read + " & " + literal_set + ")";
  return read;
}

// ------------------------------------------------------------------------------------------------------------ operators

std::string Vocabulary::integer(int depth, const Where& where) {
  if (depth <= 0) return leaf(Sort::kInt, where);
  if (random_.chance(12)) return bits(depth, where);
  switch (random_.below(where.risky ? 12 : 10)) {
    case 0:
    case 1: return "(" + integer(depth - 1, where) + " + " + leaf(Sort::kInt, where) + ")";
    case 2: return "(" + integer(depth - 1, where) + " - " + leaf(Sort::kInt, where) + ")";
    case 3: return integer(depth - 1, where) + " % " + std::to_string(random_.between(2, 3));
    case 4: return "(" + leaf(Sort::kInt, where) + " * 2)";
    case 5: return "-" + leaf(Sort::kInt, where);
    case 6: {
      const auto sets = names(where, [](const Name& it) { return it.shape == Shape::kSet; });
      if (!sets.empty()) return "size(" + set(random_.pick(sets).sort, where) + ")";
      return leaf(Sort::kInt, where);
    }
    case 7: {
      const auto monitors = names(where, [](const Name& it) { return it.shape == Shape::kMonitor; });
      if (!monitors.empty()) return mark(random_.pick(monitors).name + ".depth", random_.pick(monitors), where);
      return leaf(Sort::kInt, where);
    }
    case 10: return "(" + leaf(Sort::kInt, where) + " / " + leaf(Sort::kInt, where) + ")";
    case 11: {
      const auto arrays = names(where, [](const Name& it) { return it.shape == Shape::kArray; });
      if (!arrays.empty()) return random_.pick(arrays).name + ".length";
      return "(" + leaf(Sort::kInt, where) + " % " + leaf(Sort::kInt, where) + ")";
    }
    default: return leaf(Sort::kInt, where);
  }
}

// Small numbers become large ones, so that there is something to wrap around.
std::string Vocabulary::bits(int depth, const Where& where) {
  const std::string inner = integer(depth - 1, where);
  switch (random_.below(6)) {
    case 0: return "\\wrap(" + inner + " * 100, 8)";
    case 1: return "\\uwrap(" + inner + ", 8)";
    case 2: return "\\wrap(" + inner + " + 2147483646, 32)";
    case 3: return "\\shl(" + inner + ", " + std::to_string(random_.between(0, 2)) + ")";
    case 4: return "\\shr(" + inner + ", " + std::to_string(random_.between(0, 2)) + ")";
    default: break;
  }
  static const std::vector<std::string> operators = {"\\bitand(", "\\bitor(", "\\bitxor("};
  return random_.pick(operators) + inner + ", " + leaf(Sort::kInt, where) + ")";
}

// What only objects of the subclass have; without one, or an object, empty.
std::string Vocabulary::of_subclass(const Where& where) {
  Where plain = where;
  plain.style = Where::Style::kPlain;
  const std::string from = has_subclass && where.self.empty() ? object(plain) : "";
  if (from.empty()) return "";
  const std::string test = "(" + from + " instanceof Tip";
  if (random_.chance(50)) return test + ")";
  const std::string extra = "(" + from + " as Tip).extra";
  if (where.risky && random_.chance(60)) return "(" + extra + " > 0)";
  return test + " && " + extra + (random_.chance(50) ? " >= 0)" : " <= " + from + ".value)");
}

std::string Vocabulary::comparison(int depth, const Where& where) {
  std::vector<Sort> sorts = {Sort::kInt, Sort::kInt, identity};
  if (!constants.empty()) sorts.push_back(Sort::kEnum);
  if (has_class) sorts.push_back(Sort::kClass);
  const Sort sort = random_.pick(sorts);
  const auto sets = names(where, [](const Name& it) { return it.shape == Shape::kSet; });
  if (!sets.empty() && random_.chance(25)) {
    const Sort element = random_.pick(sets).sort;
    switch (random_.below(3)) {
      case 0: return set(element, where) + " <= " + set(element, where);
      case 1: return set(element, where) + " == " + set(element, where);
      default: return leaf(element, where) + " in " + set(element, where);
    }
  }
  const auto maps = names(where, [](const Name& it) { return it.shape == Shape::kMap; });
  if (!maps.empty() && random_.chance(12)) {
    const Name& map = random_.pick(maps);
    Where plain = where;
    plain.style = Where::Style::kPlain;
    const std::string left = mark(map.name, map, where);
    if (random_.chance(40)) return left + " == map(" + literal(map.sort, where.tid) + ")";
    return left + " == " + map.name + "[" + leaf(map.key, plain) + " := " + leaf(map.sort, plain) + "]";
  }
  if (sort == Sort::kInt) {
    static const std::vector<std::string> operators = {"==", "!=", "<", "<=", ">", ">="};
    return integer(depth, where) + " " + random_.pick(operators) + " " + integer(depth, where);
  }
  return expr(sort, depth, where) + (random_.chance(60) ? " == " : " != ") + expr(sort, depth, where);
}

std::string Vocabulary::quantifier(int depth, const Where& where) {
  std::vector<Sort> sorts = {Sort::kBool, identity, identity};
  if (!constants.empty()) sorts.push_back(Sort::kEnum);
  if (has_class) sorts.push_back(Sort::kClass);
  if (wild_quantifiers) sorts.push_back(Sort::kInt);
  Name name;
  name.sort = random_.pick(sorts);
  name.name = fresh("q");
  name.shared = false;
  name.assignable = false;
  const bool is_forall = random_.chance(60);
  bound_.push_back(name);
  std::string body = boolean(depth - 1, where);
  if (name.sort == Sort::kInt) {
    body = "0 <= " + name.name + " && " + name.name + " < 2 " + (is_forall ? "==> (" : "&& (") + body + ")";
  }
  bound_.pop_back();
  if (random_.chance(15)) {
    return std::string("(\\") + (is_forall ? "forall " : "exists ") + type(name.sort) + " " + name.name + "; " + body +
           ")";
  }
  return std::string("(") + (is_forall ? "forall " : "exists ") + name.name + ": " + type(name.sort) + " :: " + body +
         ")";
}

std::string Vocabulary::list(const Where& where) {
  const std::string from = object(where);
  if (from.empty() || fields.back().name != "next") return leaf(Sort::kBool, where);
  static const std::vector<std::string> shapes = {"\\list(", "\\acyclic("};
  if (random_.chance(50)) return random_.pick(shapes) + from + ", next)";
  return "\\reach(" + from + ", next, " + object(where) + ")";
}

std::string Vocabulary::boolean(int depth, const Where& where) {
  if (lists && random_.chance(40)) return list(where);
  if (depth <= 0) return random_.chance(60) ? "(" + comparison(0, where) + ")" : leaf(Sort::kBool, where);
  switch (random_.below(15)) {
    case 0: return "(" + boolean(depth - 1, where) + " && " + boolean(depth - 1, where) + ")";
    case 1: return "(" + boolean(depth - 1, where) + " || " + boolean(depth - 1, where) + ")";
    case 2: return "(" + boolean(depth - 1, where) + " ==> " + boolean(depth - 1, where) + ")";
    case 3: return "(" + boolean(depth - 1, where) + " <==> " + boolean(depth - 1, where) + ")";
    case 4: return "!" + boolean(0, where);
    case 5: return leaf(Sort::kBool, where);
    case 6:
      if (where.spec && quantifiers) return quantifier(depth, where);
      return leaf(Sort::kBool, where);
    case 7: {
      const auto locks = names(where, [](const Name& it) {
        return it.shape == Shape::kMonitor || (it.is_lock && it.shape == Shape::kPlain);
      });
      if (where.tid && !locks.empty() && where.style == Where::Style::kPlain)
        return "\\holds(" + random_.pick(locks).name + ")";
      return leaf(Sort::kBool, where);
    }
    case 8:
      if (identity == Sort::kTid && !procedures.empty() && where.self.empty()) {
        return "(" + leaf(Sort::kTid, where) + " instanceof " + random_.pick(procedures) + ")";
      }
      return leaf(Sort::kBool, where);
    case 9: return list(where);
    case 10:
    case 11:
      if (const std::string it = of_subclass(where); !it.empty()) return it;
      [[fallthrough]];
    default: return "(" + comparison(depth - 1, where) + ")";
  }
}

}  // namespace concord::agree
