#include "plato/printer.h"

#include <utility>

#include "base/overloaded.h"
#include "plato/operators.h"

namespace concord::plato {

namespace {

using base::Overloaded;

constexpr std::size_t kWidth = 100;
constexpr std::size_t kIndent = 2;
constexpr std::size_t kContinuation = 4;

// --------------------------------------------------------------------------------------------------------- expressions

int binding_of(const Expr& expr) {
  if (std::holds_alternative<QuantifierExpr>(expr.node)) return kLoosest;
  if (std::holds_alternative<ConditionalExpr>(expr.node)) return kConditionalBinding;
  if (std::holds_alternative<InstanceOf>(expr.node)) return kComparisonBinding;
  if (const auto* unary = std::get_if<UnaryExpr>(&expr.node)) {
    return unary->op == UnaryOp::kNonNull ? kTightest : kUnaryBinding;
  }
  if (std::holds_alternative<CastExpr>(expr.node)) return kCastBinding;
  if (const auto* binary = std::get_if<BinaryExpr>(&expr.node)) {
    return prefix(binary->op) != nullptr ? kTightest : infix(binary->op).binding;
  }
  if (const auto* number = std::get_if<IntLit>(&expr.node)) return number->value < 0 ? kUnaryBinding : kTightest;
  return kTightest;
}

bool begins_with_minus(const Expr& expr) {
  if (const auto* unary = std::get_if<UnaryExpr>(&expr.node)) return unary->op == UnaryOp::kMinus;
  const auto* number = std::get_if<IntLit>(&expr.node);
  return number != nullptr && number->value < 0;
}

void put(std::string& out, const Expr& expr, int least = kLoosest);

void put_in_parentheses(std::string& out, const Expr& expr) {
  out += '(';
  put(out, expr);
  out += ')';
}

void put(std::string& out, const std::vector<ExprPtr>& list) {
  bool first = true;
  for (const ExprPtr& expr : list) {
    if (!std::exchange(first, false)) out += ", ";
    put(out, *expr);
  }
}

void put(std::string& out, const BinaryExpr& e) {
  if (const Prefix* function = prefix(e.op)) {
    out.append(function->text).append("(");
    put(out, *e.left);
    out += ", ";
    put(out, *e.right);
    out += ')';
    return;
  }
  const Infix& entry = infix(e.op);
  put(out, *e.left, entry.right_associative ? entry.binding + 1 : entry.binding);
  out.append(" ").append(entry.text).append(" ");
  put(out, *e.right, entry.right_associative ? entry.binding : entry.binding + 1);
}

void put_binders(std::string& out, const QuantifierExpr& e) {
  out += e.is_forall ? "forall " : "exists ";
  bool first = true;
  for (const BoundVariable& variable : e.variables) {
    if (!std::exchange(first, false)) out += ", ";
    out += variable.name + ": " + to_string(variable.type);
  }
  out += " ::";
}

void put(std::string& out, const ShapeExpr& e) {
  switch (e.kind) {
    case ShapeExpr::Kind::kReach: out += "\\reach("; break;
    case ShapeExpr::Kind::kAcyclic: out += "\\acyclic("; break;
    case ShapeExpr::Kind::kList: out += "\\list("; break;
  }
  put(out, *e.from);
  out += ", " + e.field;
  if (e.to) {
    out += ", ";
    put(out, *e.to);
  }
  out += ')';
}

void put(std::string& out, const UnaryExpr& e) {
  if (e.op == UnaryOp::kNonNull) {
    out += "\\nonnull";
    return put_in_parentheses(out, *e.operand);
  }
  out += e.op == UnaryOp::kNot ? '!' : '-';
  const bool two_signs = e.op == UnaryOp::kMinus && begins_with_minus(*e.operand);  // `--` is another token
  put(out, *e.operand, two_signs ? kTightest : kUnaryBinding);
}

// The expression without parentheses of its own.
void put_bare(std::string& out, const Expr& expr) {
  const auto prime = [&](bool primed) { out += primed ? "'" : ""; };
  std::visit(Overloaded{
                 [&](const IntLit& e) { out += std::to_string(e.value); },
                 [&](const BoolLit& e) { out += e.value ? "true" : "false"; },
                 [&](const NullLit&) { out += "null"; },
                 [&](const NoneLit&) { out += "none"; },
                 [&](const TidExpr&) { out += "tid"; },
                 [&](const ThisExpr&) { out += "this"; },
                 [&](const ResultExpr&) { out += "\\result"; },
                 [&](const ThreadIndex&) { out += "index"; },
                 [&](const Star&) { out += '*'; },
                 [&](const NameExpr& e) {
                   out += e.name;
                   prime(e.primed);
                 },
                 [&](const FieldExpr& e) {
                   put(out, *e.object, kTightest);
                   out += '.' + e.field;
                   prime(e.primed);
                 },
                 [&](const IndexExpr& e) {
                   put(out, *e.base, kTightest);
                   out += '[';
                   put(out, *e.index);
                   out += ']';
                   prime(e.primed);
                 },
                 [&](const UnaryExpr& e) { put(out, e); },
                 [&](const BinaryExpr& e) { put(out, e); },
                 [&](const ConditionalExpr& e) {
                   put(out, *e.condition, kConditionalBinding + 1);
                   out += " ? ";
                   put(out, *e.then, kConditionalBinding + 1);
                   out += " : ";
                   put(out, *e.otherwise, kConditionalBinding);
                 },
                 [&](const OldExpr& e) {
                   out += "\\old";
                   put_in_parentheses(out, *e.operand);
                 },
                 [&](const QuantifierExpr& e) {
                   put_binders(out, e);
                   out += ' ';
                   put(out, *e.body);
                 },
                 [&](const SumExpr& e) {
                   out += "(\\sum " + to_string(e.variable.type) + " " + e.variable.name + "; ";
                   put(out, *e.range);
                   out += "; ";
                   put(out, *e.body);
                   out += ')';
                 },
                 [&](const SetLit& e) {
                   out += '{';
                   put(out, e.elements);
                   out += '}';
                 },
                 [&](const MapConst& e) {
                   out += "map";
                   put_in_parentheses(out, *e.value);
                 },
                 [&](const MapUpdate& e) {
                   put(out, *e.map, kTightest);
                   out += '[';
                   put(out, *e.key);
                   out += " := ";
                   put(out, *e.value);
                   out += ']';
                 },
                 [&](const SizeExpr& e) {
                   out += "size";
                   put_in_parentheses(out, *e.set);
                 },
                 [&](const InstanceOf& e) {
                   put(out, *e.thread, kComparisonBinding);
                   out += " instanceof " + e.procedure;
                 },
                 [&](const HoldsExpr& e) {
                   out += "\\holds";
                   put_in_parentheses(out, *e.lock);
                 },
                 [&](const ShapeExpr& e) { put(out, e); },
                 [&](const WrapExpr& e) {
                   out += e.is_signed ? "\\wrap(" : "\\uwrap(";
                   put(out, *e.operand);
                   out += ", " + std::to_string(e.bits) + ")";
                 },
                 [&](const FloatLit& e) {
                   out += "\\float" + std::to_string(e.size) + "(\"" + float_text(e.size, e.bits) + "\")";
                 },
                 [&](const FloatExpr& e) {
                   out += std::string(float_word(e.op).text) + "(";
                   put(out, *e.left);
                   if (e.right) out += ", ", put(out, *e.right);
                   out += ")";
                 },
                 [&](const CastExpr& e) {
                   put(out, *e.operand, kCastBinding);
                   out += " as " + e.class_name;
                 },
             },
             expr.node);
}

// The expression as an operand of something that binds with `least`.
void put(std::string& out, const Expr& expr, int least) {
  if (binding_of(expr) < least) return put_in_parentheses(out, expr);
  put_bare(out, expr);
}

std::string text(const Expr& expr, int least = kLoosest) {
  std::string out;
  put(out, expr, least);
  return out;
}

std::string text(const std::vector<ExprPtr>& list) {
  std::string out;
  put(out, list);
  return out;
}

// A statement that begins with `{` would be read as a block.
bool begins_with_brace(const Expr& expr) {
  const Expr* e = &expr;
  while (true) {
    if (const auto* binary = std::get_if<BinaryExpr>(&e->node); binary != nullptr && prefix(binary->op) == nullptr) {
      e = binary->left.get();
    } else if (const auto* test = std::get_if<InstanceOf>(&e->node)) {
      e = test->thread.get();
    } else if (const auto* field = std::get_if<FieldExpr>(&e->node)) {
      e = field->object.get();
    } else if (const auto* entry = std::get_if<IndexExpr>(&e->node)) {
      e = entry->base.get();
    } else if (const auto* cast = std::get_if<CastExpr>(&e->node)) {
      e = cast->operand.get();
    } else if (const auto* update = std::get_if<MapUpdate>(&e->node)) {
      e = update->map.get();
    } else {
      return std::holds_alternative<SetLit>(e->node);
    }
  }
}

std::string text(const TwoState& predicate) {
  if (!predicate.frame) return text(*predicate.predicate);
  std::string out = "<" + text(*predicate.predicate) + ">";
  if (!predicate.frame->empty()) out += "_{" + text(*predicate.frame) + "}";
  return out;
}

std::size_t width_of(std::string_view line) {
  std::size_t width = 0;
  for (const char c : line) width += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
  return width;
}

bool is_chain(const Expr& expr) {
  const auto* binary = std::get_if<BinaryExpr>(&expr.node);
  return binary != nullptr && (binary->op == BinaryOp::kAnd || binary->op == BinaryOp::kOr);
}

// a && b && c, one operand per line.
void put_chain(std::string& out, const Expr& expr, const std::string& new_line) {
  const BinaryOp op = std::get<BinaryExpr>(expr.node).op;
  std::vector<const Expr*> operands;
  const Expr* rest = &expr;
  while (true) {
    const auto* binary = std::get_if<BinaryExpr>(&rest->node);
    if (binary == nullptr || binary->op != op) break;
    operands.push_back(binary->right.get());
    rest = binary->left.get();
  }
  const Infix& entry = infix(op);
  put(out, *rest, entry.binding);
  for (std::size_t i = operands.size(); i > 0; --i) {
    out.append(new_line).append(entry.text).append(" ");
    put(out, *operands[i - 1], entry.binding + 1);
  }
}

// An expression that does not fit on its line: broken behind `::` and `==>` and before each `&&` or `||`.
std::string broken(const Expr& expr, std::size_t indent) {
  const std::string new_line = "\n" + std::string(indent, ' ');
  std::string out;
  const Expr* rest = &expr;
  int least = kLoosest;
  while (true) {
    const auto* quantifier = std::get_if<QuantifierExpr>(&rest->node);
    const auto* binary = std::get_if<BinaryExpr>(&rest->node);
    if (quantifier != nullptr) {
      put_binders(out, *quantifier);
      rest = quantifier->body.get();
      least = kLoosest;
    } else if (binary != nullptr && binary->op == BinaryOp::kImplies &&
               !std::holds_alternative<QuantifierExpr>(binary->right->node)) {
      least = infix(binary->op).binding;
      put(out, *binary->left, least + 1);
      out += " ==>";
      rest = binary->right.get();
    } else {
      break;
    }
    out += new_line;
    if (indent + width_of(text(*rest)) <= kWidth) break;
  }
  if (is_chain(*rest) && indent + width_of(text(*rest)) > kWidth) {
    put_chain(out, *rest, new_line);
  } else {
    put(out, *rest, least);
  }
  return out;
}

// ---------------------------------------------------------------------------------------------------------- statements

std::string text(const CallTarget& target) {
  const std::string within = target.is_within_requires ? " within requires" : "";
  const std::string call = target.procedure + "(" + text(target.arguments) + ")" + within;
  return target.catches.empty() ? call : call + " catch " + target.catches;
}

std::string right_side(const Rhs& value) {
  return std::visit(Overloaded{
                        [](const ExprPtr& e) { return text(*e); },
                        [](const NewObject& e) {
                          std::string out = "new " + e.class_name + "(";
                          bool first = true;
                          for (const NewObject::Init& init : e.inits) {
                            if (!std::exchange(first, false)) out += ", ";
                            out += init.field + " = " + text(*init.value);
                          }
                          return out + ")";
                        },
                        [](const NewArray& e) { return "new " + to_string(e.element) + "[" + text(*e.size) + "]"; },
                        [](const CasExpr& e) {
                          return "CAS(" + text(*e.location) + ", " + text(*e.expected) + ", " + text(*e.value) + ")";
                        },
                        [](const CallExpr& e) { return text(e.target); },
                        [](const StartExpr& e) { return "start " + text(e.target); },
                    },
                    value);
}

std::string quoted(const std::string& value) {
  std::string out = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string text(const GhostSet& set) { return "set " + text(*set.target) + " = " + text(*set.value) + ";"; }

// A statement of one line is all head. Some heads are a prefix, one expression that may be broken, and the rest.
struct Head {
  std::string before;
  const Expr* expr = nullptr;
  std::string after = "";
};

Head head(const Havoc& node) {
  std::string out = "havoc " + text(node.targets);
  if (node.low) out += " in " + text(*node.low) + " .. " + text(*node.high);
  return {out + ";"};
}

Head head(const Direct& node) {
  const std::string action = text(node.action);
  const std::string step = node.action.frame ? action : "<" + action + ">";
  if (!node.wrong_unless) return {step + ";"};
  std::string condition = text(*node.wrong_unless, kConditionalBinding + 1);
  if (begins_with_brace(*node.wrong_unless) && condition[0] == '{') condition = "(" + condition + ")";
  return {condition + " ? " + step + ";"};
}

Head head(const LocalDecl& node) {
  const std::string declared = "var " + node.name + ": " + to_string(node.type);
  if (!node.init) return {declared + ";"};
  return {declared + " = " + right_side(*node.init) + ";"};
}

Head head(const Assign& node) {
  const std::string target = text(*node.target) + " = ";
  if (const auto* expr = std::get_if<ExprPtr>(&node.value)) return {target, expr->get(), ";"};
  return {target + right_side(node.value) + ";"};
}

Head head(const Stmt& statement) {
  return std::visit(
      Overloaded{
          [](const Block&) { return Head{"{"}; },
          [](const LocalDecl& n) { return head(n); },
          [](const Assign& n) { return head(n); },
          [](const If& n) {
            return Head{"if (", n.condition.get(), ")"};
          },
          [](const While& n) {
            return Head{"while (", n.condition.get(), ")"};
          },
          [](const Choose&) { return Head{"choose"}; },
          [](const Loop&) { return Head{"loop"}; },
          [](const Labeled& n) { return Head{"label " + n.label + ":"}; },
          [](const Break& n) { return Head{n.label.empty() ? "break;" : "break " + n.label + ";"}; },
          [](const Continue& n) { return Head{n.label.empty() ? "continue;" : "continue " + n.label + ";"}; },
          [](const Return& n) {
            return n.value ? Head{"return ", n.value.get(), ";"} : Head{"return;"};
          },
          [](const Throw& n) {
            return Head{"throw ", n.value.get(), ";"};
          },
          [](const Assert& n) {
            const std::string kind = n.kind.empty() ? "" : "\"" + n.kind + "\" ";
            return Head{"assert " + kind, n.condition.get(), ";"};
          },
          [](const Assume& n) {
            return Head{n.is_await ? "await " : "assume ", n.condition.get(), ";"};
          },
          [](const Havoc& n) { return head(n); },
          [](const CasSwap& n) {
            return Head{"CAS(" + text(*n.location) + ", " + text(*n.expected) + ", " + text(*n.value) + ");"};
          },
          [](const Acquire& n) { return Head{"acquire(" + text(*n.lock) + ");"}; },
          [](const Release& n) { return Head{"release(" + text(*n.lock) + ");"}; },
          [](const Wait& n) { return Head{"wait(" + text(*n.lock) + ");"}; },
          [](const Notify& n) { return Head{(n.all ? "notifyall(" : "notify(") + text(*n.lock) + ");"}; },
          [](const Start& n) { return Head{"start " + text(n.target) + ";"}; },
          [](const Join& n) { return Head{"join(" + text(*n.thread) + ");"}; },
          [](const Call& n) { return Head{text(n.target) + ";"}; },
          [](const Atomic& n) { return Head{n.trusted ? "trusted atomic" : "atomic"}; },
          [](const Exclusive& n) { return Head{n.body ? "exclusive " + n.region : "leave " + n.region + ";"}; },
          [](const Skip&) { return Head{"skip;"}; },
          [](const Initialised&) { return Head{"initialised;"}; },
          [](const Direct& n) { return head(n); },
          [](const Unsupported& n) {
            const std::string what = "unsupported " + quoted(n.reason);
            return Head{n.targets.empty() ? what + ";" : what + " havoc " + text(n.targets) + ";"};
          },
          [](const SetStmt& n) { return Head{text(n.set)}; },
      },
      statement.node);
}

// ------------------------------------------------------------------------------------------------------------ programs

class Printer {
 public:
  explicit Printer(const Program& program) : program_(program) {}

  std::string run() {
    for (const Module& module : program_.modules) {
      if (&module != &program_.modules[0]) named_module(module);
    }
    if (!program_.modules.empty()) items(program_.modules[0]);
    return std::move(out_);
  }

 private:
  void line(std::string_view content) { out_.append(indent_, ' ').append(content).append("\n"); }

  // before + expr + after, on one line if that fits.
  void line(const std::string& before, const Expr& expr, const std::string& after) {
    const std::string whole = before + text(expr) + after;
    if (indent_ + width_of(whole) <= kWidth) return line(whole);
    line(before + broken(expr, indent_ + kContinuation) + after);
  }

  // An empty line before and after each item of several lines.
  template <class Print>
  void item(Print print) {
    const std::size_t begin = out_.size();
    print();
    const bool is_long = out_.find('\n', begin) + 1 < out_.size();
    if (!at_start_ && (is_long || after_long_)) out_.insert(begin, "\n");
    after_long_ = is_long;
    at_start_ = false;
  }

  void named_module(const Module& module) {
    item([&] {
      std::string first = "module " + module.name;
      for (std::size_t i = 0; i < module.uses.size(); ++i) first += (i == 0 ? " uses " : ", ") + module.uses[i];
      line(first + " {");
      inside([&] { items(module); });
      line("}");
    });
  }

  template <class Print>
  void inside(Print print) {
    const bool outer_start = std::exchange(at_start_, true);
    indent_ += kIndent;
    print();
    indent_ -= kIndent;
    at_start_ = outer_start;
    after_long_ = false;
  }

  void items(const Module& module) {
    for (const Item& entry : module.items) item([&] { one(entry); });
  }

  void one(const Item& entry) {
    const auto index = static_cast<std::size_t>(entry.index);
    switch (entry.kind) {
      case Item::Kind::kEnum: return print(program_.enums[index]);
      case Item::Kind::kClass: return print(program_.classes[index]);
      case Item::Kind::kConst: return print(program_.consts[index]);
      case Item::Kind::kVariable: return print(program_.variables[index]);
      case Item::Kind::kClause: return print(program_.clauses[index]);
      case Item::Kind::kLockOrder: return print(program_.lock_orders[index]);
      case Item::Kind::kProcedure: return print(program_.procedures[index]);
      case Item::Kind::kThread: return print(program_.threads[index]);
      case Item::Kind::kAbstractThread: return print(program_.abstract_threads[index]);
      case Item::Kind::kCheck: return print(program_.checks[index]);
    }
  }

  void print(const std::vector<Waiver>& waivers) {
    for (const Waiver& waiver : waivers) line("nowarn " + waiver.kind + " " + quoted(waiver.reason) + ";");
  }

  void print(const Enum& declared) {
    std::string out = "enum " + declared.name + " { ";
    bool first = true;
    for (const Enum::Constant& constant : declared.constants) {
      if (!std::exchange(first, false)) out += ", ";
      out += constant.name;
    }
    line(out + " }");
  }

  // Fields and clauses as they were written, mixed; what has no place in a file counts as written at the same place.
  void print(const Class& declared) {
    line("class " + declared.name + (declared.extends.empty() ? "" : " extends " + declared.extends) + " {");
    inside([&] {
      std::size_t next = 0;
      const auto next_clause = [&] {
        return next < declared.clauses.size() ? &program_.clauses[static_cast<std::size_t>(declared.clauses[next])]
                                              : nullptr;
      };
      for (const Variable& field : declared.fields) {
        for (; next_clause() != nullptr && next_clause()->range.begin < field.range.begin; ++next)
          print(*next_clause());
        print(field);
      }
      for (; next_clause() != nullptr; ++next) print(*next_clause());
    });
    line("}");
  }

  void print(const Const& declared) {
    const std::string first = "const " + declared.name + ": " + to_string(declared.type);
    line(declared.value ? first + " = " + text(*declared.value) + ";" : first + ";");
  }

  void print(const Variable& declared) {
    print(declared.waivers);
    std::string out;
    if (declared.is_final) out += "final ";
    if (declared.is_volatile) out += "volatile ";
    if (declared.is_abstract) out += "abstract ";
    if (declared.is_ghost && !declared.is_abstract) out += "ghost ";
    if (declared.is_thread_local) out += "thread_local ";
    if (declared.is_unraced) out += "unraced ";
    out += "var " + declared.name + ": " + to_string(declared.type);
    if (declared.init) out += " = " + text(*declared.init);
    std::size_t width = width_of(out) + 1;
    for (const FieldClause& clause : declared.clauses) width += width_of(text(clause)) + 1;
    const bool fits = indent_ + width <= kWidth;
    for (const FieldClause& clause : declared.clauses) {
      out += fits ? " " : "\n" + std::string(indent_ + kContinuation, ' ');
      out += text(clause);
    }
    line(out + ";");
  }

  static std::string text(const FieldClause& clause) {
    const std::string expr = plato::text(*clause.expr);
    switch (clause.kind) {
      case FieldClause::Kind::kUnwritableByEnvIf: return "unwritable_by_env_if " + expr;
      case FieldClause::Kind::kElemsUnwritableByEnvIf:
        return "elems_unwritable_by_env_if[" + clause.bound + "] " + expr;
      case FieldClause::Kind::kWritableIf: return "writable_if " + expr;
      case FieldClause::Kind::kGuardedBy: return "guarded_by " + expr;
    }
    return "";
  }
  template <class Node>
  static std::string text(const Node& node) {
    return plato::text(node);
  }

  static std::string word(Clause::Kind kind) {
    switch (kind) {
      case Clause::Kind::kGlobalInvariant: return "global_invariant ";
      case Clause::Kind::kMonitorInvariant: return "invariant ";
      case Clause::Kind::kInitially: return "initially ";
      case Clause::Kind::kFinally: return "finally ";
      case Clause::Kind::kEnvAssumption: return "env_assumption ";
      case Clause::Kind::kGuarantee: return "guarantee ";
    }
    return "";
  }

  void print(const Clause& clause) {
    print(clause.waivers);
    two_state(word(clause.kind), clause.predicate);
  }

  void two_state(const std::string& before, const TwoState& predicate) {
    if (!predicate.frame) return line(before, *predicate.predicate, ";");
    std::string after = ">";
    if (!predicate.frame->empty()) after += "_{" + text(*predicate.frame) + "}";
    line(before + "<", *predicate.predicate, after + ";");
  }

  void print(const LockOrder& order) {
    print(order.waivers);
    const int least = kComparisonBinding + 1;
    std::string out = "lock_order " + plato::text(*order.before, least) + " < " + plato::text(*order.after, least);
    if (order.when) out += " when " + text(*order.when);
    line(out + ";");
  }

  void print(const Check& check) {
    std::string out = "check ";
    bool first = true;
    for (const std::string& kind : check.kinds) out += (std::exchange(first, false) ? "" : ", ") + kind;
    line(out + ";");
  }

  void print(const Thread& thread) {
    print(thread.waivers);
    std::string out = "thread";
    if (thread.count == Thread::Count::kUnbounded) out += "[*]";
    if (thread.count == Thread::Count::kSymbol) out += "[" + thread.symbol + "]";
    const bool number = thread.has_brackets || thread.number != 1;
    if (thread.count == Thread::Count::kNumber && number) out += "[" + std::to_string(thread.number) + "]";
    out += " ";
    if (!thread.name.empty()) out += thread.name + " = ";
    out += text(thread.target);
    if (!thread.abstracted.by.empty()) out += " abstracted by " + thread.abstracted.by;
    line(out + ";");
  }

  void print(const AbstractThread& machine) {
    line("abstract thread " + machine.name + (machine.idle ? " {" : " without idle {"));
    inside([&] {
      for (const AbstractThread::Node& node : machine.nodes) {
        const std::string first = (node.initial ? "initial node " : "node ") + node.name;
        if (!node.assertion) line(first + ";");
        if (node.assertion) line(first + ": assert ", *node.assertion, ";");
      }
      for (const AbstractThread::Edge& edge : machine.edges) two_state(edge.from + " -> " + edge.to + ": ", edge.step);
    });
    line("}");
  }

  void print(const Procedure& procedure) {
    print(procedure.waivers);
    std::string first = "proc " + procedure.name + "(";
    for (std::size_t i = 0; i < procedure.parameters.size(); ++i) {
      const Local& parameter = procedure.parameters[i];
      first += (i == 0 ? "" : ", ") + parameter.name + ": " + to_string(parameter.type);
    }
    first += ")";
    if (procedure.result.kind != Type::Kind::kNone) first += ": " + to_string(procedure.result);
    if (procedure.throws.kind != Type::Kind::kNone) first += " throws " + to_string(procedure.throws);
    const std::size_t begin = out_.size();
    inside([&] {
      if (!procedure.abstracted.by.empty()) line("abstracted by " + procedure.abstracted.by + ";");
      print(procedure.contract);
    });
    const bool has_contract = out_.size() > begin;
    const std::string contract = out_.substr(begin);
    out_.resize(begin);
    line(has_contract ? first : first + " {");
    out_ += contract;
    if (has_contract) line("{");
    body(*procedure.body);
    line("}");
  }

  void print(const Contract& contract) {
    if (contract.is_inline) line("inline;");
    for (const ExprPtr& e : contract.requires_) line("requires ", *e, ";");
    if (contract.modifies) line(locations("modifies", *contract.modifies));
    for (const Action& action : contract.actions) {
      std::string before = "action ";
      if (!action.name.empty()) before += quoted(action.name) + " ";
      if (!action.also_modifies.empty()) before += "also modifies " + text(action.also_modifies) + " ";
      line(before + "ensures ", *action.ensures, ";");
    }
    for (const ExprPtr& e : contract.ensures) line("ensures ", *e, ";");
    for (const ExprPtr& e : contract.signals) line("signals ", *e, ";");
  }

  static std::string locations(const std::string& word, const std::vector<ExprPtr>& list) {
    return list.empty() ? word + ";" : word + " " + plato::text(list) + ";";
  }

  // -------------------------------------------------------------------------------------------------------- statements

  static bool is_plain(const Stmt& statement) {
    return statement.sets.empty() && statement.waivers.empty() && !statement.may_block;
  }

  // What is between the braces that the caller prints.
  void body(const Stmt& statement) {
    indent_ += kIndent;
    const auto* block = std::get_if<Block>(&statement.node);
    if (block != nullptr && is_plain(statement)) {
      for (const StmtPtr& each : block->statements) print(*each);
    } else {
      print(statement);
    }
    indent_ -= kIndent;
  }

  void print(const Stmt& statement) {
    print(statement.waivers);
    const Head first = head(statement);
    const std::string before = (statement.may_block ? "may_block " : "") + first.before;
    if (const auto* node = std::get_if<Block>(&statement.node)) {
      line("{");
      indent_ += kIndent;
      for (const StmtPtr& each : node->statements) print(*each);
      indent_ -= kIndent;
      line("}");
    } else if (const auto* branch = std::get_if<If>(&statement.node)) {
      print(*branch);
    } else if (const auto* repeated = std::get_if<While>(&statement.node)) {
      line_with_brace(before, first.expr, first.after, repeated->spec);
      body(*repeated->body);
      line("}");
    } else if (const auto* loop = std::get_if<Loop>(&statement.node)) {
      line_with_brace(before, nullptr, "", loop->spec);
      body(*loop->body);
      line("}");
    } else if (const auto* choose = std::get_if<Choose>(&statement.node)) {
      for (const StmtPtr& each : choose->branches) {
        line(each == choose->branches.front() ? before + " {" : "} or {");
        body(*each);
      }
      line("}");
    } else if (const auto* labeled = std::get_if<Labeled>(&statement.node)) {
      print(*labeled, before);
    } else if (const auto* atomic = std::get_if<Atomic>(&statement.node)) {
      line(before + " {");
      body(*atomic->body);
      line("}");
    } else if (const auto* exclusive = std::get_if<Exclusive>(&statement.node);
               exclusive != nullptr && exclusive->body) {
      line(before + " {");
      body(*exclusive->body);
      line("}");
    } else if (first.expr != nullptr) {
      line(before, *first.expr, first.after);
    } else {
      line(before);
    }
    sets(statement);
  }

  // The label before the statement on its first line if it fits.
  void print(const Labeled& labeled, const std::string& label) {
    const std::size_t begin = out_.size();
    print(*labeled.body);
    const std::size_t first = out_.find('\n', begin) - begin;
    const bool fits = labeled.body->waivers.empty() && first + label.size() + 1 <= kWidth;
    const std::string after = fits ? " " : "\n" + std::string(indent_, ' ');
    out_.insert(begin + indent_, label + after);
  }

  // Behind the statement on its line if they fit: they happen in the same operation.
  void sets(const Stmt& statement) {
    std::vector<std::string> parts;
    for (const GhostSet& set : statement.sets) parts.push_back(text(set));
    if (!statement.witness.empty()) parts.push_back("set \\witness = " + quoted(statement.witness) + ";");
    if (parts.empty()) return;
    std::string all;
    for (const std::string& part : parts) all += " " + part;
    const std::size_t line_begin = out_.rfind('\n', out_.size() - 2) + 1;
    const std::size_t used = width_of(std::string_view(out_).substr(line_begin)) - 1;
    if (used + width_of(all) <= kWidth) {
      out_.insert(out_.size() - 1, all);
      return;
    }
    for (const std::string& part : parts) line(part);
  }

  void line_with_brace(const std::string& before, const Expr* expr, const std::string& after, const LoopSpec& spec) {
    const bool has_spec = !spec.invariants.empty() || spec.modifies.has_value();
    const std::string end = has_spec ? after : after + " {";
    if (expr != nullptr) line(before, *expr, end);
    if (expr == nullptr) line(before + end);
    if (!has_spec) return;
    indent_ += kIndent;
    for (const ExprPtr& e : spec.invariants) line("loop_invariant ", *e, ";");
    if (spec.modifies) line(locations("loop_modifies", *spec.modifies));
    indent_ -= kIndent;
    line("{");
  }

  void print(const If& first) {
    const If* branch = &first;
    std::string before = "if (";
    while (true) {
      line(before, *branch->condition, ") {");
      body(*branch->then);
      if (!branch->otherwise) break;
      const auto* next = std::get_if<If>(&branch->otherwise->node);
      if (next == nullptr || !is_plain(*branch->otherwise)) {
        line("} else {");
        body(*branch->otherwise);
        break;
      }
      before = "} else if (";
      branch = next;
    }
    line("}");
  }

  const Program& program_;
  std::string out_;
  std::size_t indent_ = 0;
  bool at_start_ = true;     // nothing printed yet at this level
  bool after_long_ = false;  // the last item had several lines
};

}  // namespace

std::string print(const Program& program) { return Printer(program).run(); }

std::string print(const Expr& expr) { return text(expr); }

std::string print(const TwoState& predicate) { return text(predicate); }

std::string print_head(const Stmt& statement) {
  const Head first = head(statement);
  std::string out = first.before;
  if (first.expr != nullptr) put(out, *first.expr);
  out += first.after;
  for (const GhostSet& set : statement.sets) out += " " + text(set);
  return out;
}

}  // namespace concord::plato
