// Declarations, and the order in which a program is checked: names first, then types, then everything that uses them.
#include "plato/wellformed.h"

#include <algorithm>

#include "diag/kinds.h"
#include "plato/checker.h"
#include "plato/classes.h"
#include "plato/flow.h"
#include "plato/walk.h"

namespace concord::plato {

void check_well_formed(const base::SourceMap& sources, Program& program, diag::Sink& sink) {
  Checker(sources, program, sink).run();
}

void Checker::run() {
  declare_all();
  resolve_modules();
  if (sink_.has_errors()) return;  // with a name declared twice, everything that mentions it would be wrong as well
  resolve_bases();
  if (sink_.has_errors()) return;  // nobody can go round a circle of classes
  resolve_types();
  check_consts();
  check_classes();
  check_variables();
  check_clauses();
  check_lock_orders();
  check_abstract_threads();
  for (Procedure& procedure : program_.procedures) check_contract(procedure);
  find_waived_assertions();
  for (Procedure& procedure : program_.procedures) check_procedure(procedure);
  check_threads();
  check_checks();
  if (sink_.has_errors()) return;
  check_atomic_calls();
  check_initialised();
  check_loop_frames();
}

// -------------------------------------------------------------------------------------------------------------- names

void Checker::declare(const std::string& name, Declared what) {
  const auto [found, is_new] = names_.emplace(name, what);
  if (is_new) return;
  diag::Diagnostic& error = sink_.error(what.range, "`" + name + "` is declared twice",
                                        "names are unique in the whole program; rename one of them");
  error.notes.push_back({found->second.range, "the first declaration"});
}

void Checker::declare_all() {
  using K = Declared::Kind;
  for (int i = 0; i < std::ssize(program_.enums); ++i) {
    const Enum& it = program_.enums[i];
    declare(it.name, {K::kEnum, i, -1, it.module, it.name_range});
    for (int c = 0; c < std::ssize(it.constants); ++c) {
      declare(it.constants[c].name, {K::kEnumConst, i, c, it.module, it.constants[c].range});
    }
  }
  const auto declare_list = [&](const auto& list, K kind) {
    for (int i = 0; i < std::ssize(list); ++i) declare(list[i].name, {kind, i, -1, list[i].module, list[i].name_range});
  };
  declare_list(program_.classes, K::kClass);
  declare_list(program_.consts, K::kConst);
  declare_list(program_.variables, K::kVariable);
  declare_list(program_.procedures, K::kProcedure);
  declare_list(program_.abstract_threads, K::kAbstractThread);
  for (int i = 0; i < std::ssize(program_.threads); ++i) {
    const Thread& it = program_.threads[i];
    if (!it.name.empty()) declare(it.name, {K::kThread, i, -1, it.module, it.range});
  }
}

const Procedure* Checker::procedure_with_local(const std::string& name) const {
  for (const Procedure& it : program_.procedures) {
    const auto is_it = [&](const Local& parameter) { return parameter.name == name; };
    bool found = std::any_of(it.parameters.begin(), it.parameters.end(), is_it);
    for_each_stmt(*it.body, [&](const Stmt& statement) {
      const auto* local = std::get_if<LocalDecl>(&statement.node);
      found = found || (local != nullptr && local->name == name);
    });
    if (found) return &it;
  }
  return nullptr;
}

void Checker::unknown_name(const std::string& name, SourceRange at, const std::string& what,
                           bool (*wanted)(const Declared&)) {
  std::vector<std::string> candidates;
  for (const auto& [known, declared] : names_) {
    if (wanted(declared)) candidates.push_back(known);
  }
  for (const auto& [local, slot] : local_scope_) candidates.push_back(local);
  if (what == "procedure") {
    for (const char* word : {"acquire", "release", "wait", "notify", "notifyall", "join"})
      candidates.emplace_back(word);
  }
  std::sort(candidates.begin(), candidates.end());
  const std::string near = diag::nearest(name, candidates);
  std::string hint = near.empty() ? "" : "did you mean `" + near + "`?";
  if (const Procedure* owner = procedure_with_local(name); owner != nullptr && locals_ == nullptr) {
    hint = "`" + name + "` is local to `" + owner->name + "`; a clause speaks of what threads share";
  }
  sink_.error(at, "there is no " + what + " `" + name + "`", hint);
}

// The declaration that `name` refers to in `module`; null (and reported) if it is there but not visible; null and not
// reported if there is none.
const Declared* Checker::find(const std::string& name, int module, SourceRange at, const char* what) {
  const auto found = names_.find(name);
  if (found == names_.end()) return nullptr;
  const Declared& declared = found->second;
  if (!program_.modules[module].sees[declared.module]) {
    const std::string& here = program_.modules[module].name;
    const std::string& there = program_.modules[declared.module].name;
    const std::string owner = there.empty() ? "is declared outside any module, where `" + here + "` cannot see it"
                                            : "belongs to module `" + there + "`, which `" + here + "` does not use";
    diag::Diagnostic& error =
        sink_.error(at, std::string(what) + " `" + name + "` " + owner,
                    there.empty() ? "move the declaration into a module that `" + here + "` uses"
                                  : "write `module " + here + " uses " + there + "` if it may know it");
    error.notes.push_back({declared.range, "declared here"});
    return nullptr;
  }
  return &declared;
}

bool Checker::check_argument_count(const CallTarget& target, const Procedure& procedure) {
  const std::size_t wanted = procedure.parameters.size();
  if (target.arguments.size() == wanted) return true;
  diag::Diagnostic& error = sink_.error(target.range, "`" + procedure.name + "` takes " + std::to_string(wanted) +
                                                          (wanted == 1 ? " argument" : " arguments") + ", not " +
                                                          std::to_string(target.arguments.size()));
  error.notes.push_back({procedure.name_range, "declared here"});
  return false;
}

const Declared* Checker::find_procedure(CallTarget& target, int module) {
  const auto is_procedure = [](const Declared& it) { return it.kind == Declared::Kind::kProcedure; };
  const auto found = names_.find(target.procedure);
  if (found == names_.end() || !is_procedure(found->second)) {
    unknown_name(target.procedure, target.procedure_range, "procedure", is_procedure);
    return nullptr;
  }
  const Declared* declared = find(target.procedure, module, target.procedure_range, "procedure");
  if (declared != nullptr) target.index = declared->index;
  return declared;
}

// ------------------------------------------------------------------------------------------------------ modules, types

void Checker::resolve_modules() {
  const std::size_t count = program_.modules.size();
  std::unordered_map<std::string, std::size_t> by_name;
  for (std::size_t i = 1; i < count; ++i) {
    const Module& module = program_.modules[i];
    const auto [found, is_new] = by_name.emplace(module.name, i);
    if (is_new) continue;
    diag::Diagnostic& error = sink_.error(module.name_range, "module `" + module.name + "` is declared twice");
    error.notes.push_back({program_.modules[found->second].name_range, "the first declaration"});
  }
  for (std::size_t i = 0; i < count; ++i) {
    Module& module = program_.modules[i];
    module.sees.assign(count, i == 0);
    module.sees[i] = true;
    for (std::size_t u = 0; u < module.uses.size(); ++u) {
      const auto found = by_name.find(module.uses[u]);
      if (found != by_name.end()) {
        module.sees[found->second] = true;
        continue;
      }
      std::vector<std::string> candidates;
      for (std::size_t m = 1; m < count; ++m) candidates.push_back(program_.modules[m].name);
      const std::string near = diag::nearest(module.uses[u], candidates);
      sink_.error(module.uses_ranges[u], "there is no module `" + module.uses[u] + "`",
                  near.empty() ? "" : "did you mean `" + near + "`?");
    }
  }
  for (std::size_t via = 0; via < count; ++via) {
    for (std::size_t from = 0; from < count; ++from) {
      if (!program_.modules[from].sees[via]) continue;
      for (std::size_t to = 0; to < count; ++to) {
        if (program_.modules[via].sees[to]) program_.modules[from].sees[to] = true;
      }
    }
  }
}

bool Checker::is_set_element(const Type& type) const {
  switch (type.kind) {
    case Type::Kind::kBool:
    case Type::Kind::kInt:
    case Type::Kind::kTid:
    case Type::Kind::kEnum:
    case Type::Kind::kClass:
    case Type::Kind::kError: return true;
    default: return false;
  }
}

void Checker::resolve(Type& type, int module) {
  if (type.kind == Type::Kind::kNamed) {
    const auto is_type = [](const Declared& it) {
      return it.kind == Declared::Kind::kEnum || it.kind == Declared::Kind::kClass;
    };
    const auto found = names_.find(type.name);
    if (found == names_.end() || !is_type(found->second)) {
      unknown_name(type.name, type.range, "type", is_type);
      type.kind = Type::Kind::kError;
      return;
    }
    const Declared* declared = find(type.name, module, type.range, "type");
    type.kind = declared == nullptr                       ? Type::Kind::kError
                : declared->kind == Declared::Kind::kEnum ? Type::Kind::kEnum
                                                          : Type::Kind::kClass;
    if (declared != nullptr) type.decl = declared->index;
    return;
  }
  const auto resolve_part = [&](std::shared_ptr<const Type>& part) {
    if (!part) return;
    Type copy = *part;
    resolve(copy, module);
    part = std::make_shared<const Type>(std::move(copy));
  };
  resolve_part(type.first);
  resolve_part(type.second);
  if ((type.kind == Type::Kind::kSet || type.kind == Type::Kind::kMap) &&
      (!is_set_element(*type.first) || type.first->values)) {
    sink_.error(type.range, std::string(type.kind == Type::Kind::kSet ? "elements of a set" : "keys of a map") +
                                " are bool, int, tid, an enum or a class, not " + to_string(*type.first));
    type.kind = Type::Kind::kError;
  }
}

void Checker::resolve_bases() {
  const auto is_class = [](const Declared& it) { return it.kind == Declared::Kind::kClass; };
  for (Class& it : program_.classes) {
    if (it.extends.empty()) continue;
    const auto found = names_.find(it.extends);
    if (found == names_.end() || !is_class(found->second)) {
      if (found != names_.end()) {
        sink_.error(it.extends_range, "`" + it.extends + "` is no class");
      } else {
        unknown_name(it.extends, it.extends_range, "class", is_class);
      }
      continue;
    }
    const Declared* declared = find(it.extends, it.module, it.extends_range, "class");
    if (declared != nullptr) it.base = declared->index;
  }
  enum class Seen { kNo, kOnThisWay, kYes };
  std::vector<Seen> seen(program_.classes.size(), Seen::kNo);
  for (int first = 0; first < std::ssize(program_.classes); ++first) {
    std::vector<int> way;
    int at = first;
    for (; at >= 0 && seen[at] == Seen::kNo; at = program_.classes[at].base) {
      seen[at] = Seen::kOnThisWay;
      way.push_back(at);
    }
    if (at >= 0 && seen[at] == Seen::kOnThisWay) {
      const Class& again = program_.classes[at];
      sink_.error(again.extends_range, "class `" + again.name + "` extends itself" +
                                           (again.base == at ? "" : ", through `" + again.extends + "`"));
    }
    for (const int it : way) seen[it] = Seen::kYes;
  }
}

void Checker::resolve_types() {
  for (Const& it : program_.consts) resolve(it.type, it.module);
  for (Variable& it : program_.variables) resolve(it.type, it.module);
  for (Class& it : program_.classes) {
    for (Variable& field : it.fields) {
      field.module = it.module;
      resolve(field.type, it.module);
    }
    for (const int clause : it.clauses) {
      program_.clauses[clause].class_index = static_cast<int>(&it - program_.classes.data());
    }
  }
  for (Procedure& it : program_.procedures) {
    for (Local& parameter : it.parameters) resolve(parameter.type, it.module);
    if (it.result.kind != Type::Kind::kNone) resolve(it.result, it.module);
    if (it.throws.kind != Type::Kind::kNone) resolve(it.throws, it.module);
    if (it.throws.kind != Type::Kind::kNone && it.throws.kind != Type::Kind::kClass &&
        it.throws.kind != Type::Kind::kError) {
      sink_.error(it.throws.range, "only objects of a class are thrown, not " + to_string(it.throws));
      it.throws.kind = Type::Kind::kError;
    }
  }
}

// --------------------------------------------------------------------------------------- constants, variables, classes

void Checker::check_consts() {
  for (Const& it : program_.consts) {
    if (!is_set_element(it.type) || it.type.kind == Type::Kind::kClass) {
      sink_.error(it.name_range, "a constant is a bool, an int, a tid or an enum, not " + to_string(it.type));
    }
    if (!it.value) {
      if (it.type.kind == Type::Kind::kTid) {
        sink_.error(it.name_range, "a symbolic constant cannot be a tid",
                    "name the thread: `thread " + it.name + " = p();`");
      }
      continue;
    }
    ExprContext context;
    context.module = it.module;
    context.is_constant = true;
    context.has_tid = false;
    context.consts_known = static_cast<int>(&it - program_.consts.data());
    expect(*it.value, check(*it.value, context), it.type, "the value of `" + it.name + "`");
  }
}

void Checker::check_classes() {
  for (Class& it : program_.classes) {
    const int index = static_cast<int>(&it - program_.classes.data());
    for (std::size_t f = 0; f < it.fields.size(); ++f) {
      Variable& field = it.fields[f];
      if (field.name == "holder" || field.name == "depth" || field.name == "length") {
        sink_.error(field.name_range, "`" + field.name + "` cannot be the name of a field",
                    "every object has `holder` and `depth` of its monitor, every array `length`");
      }
      for (std::size_t before = 0; before < f; ++before) {
        if (it.fields[before].name != field.name) continue;
        diag::Diagnostic& error = sink_.error(field.name_range, "field `" + field.name + "` is declared twice");
        error.notes.push_back({it.fields[before].name_range, "the first declaration"});
      }
      if (const int above = it.base < 0 ? -1 : field_named(program_, it.base, field.name); above >= 0) {
        diag::Diagnostic& error =
            sink_.error(field.name_range,
                        "field `" + field.name + "` is declared twice, here and in a class that this one extends");
        error.notes.push_back({field_of(program_, it.base, above).name_range, "the first declaration"});
      }
      check_variable(field, index);
    }
  }
}

void Checker::check_variables() {
  for (Variable& it : program_.variables) check_variable(it, -1);
}

void Checker::check_variable(Variable& variable, int class_index) {
  check_waivers(variable.waivers);
  if (variable.init) {
    if (variable.type.kind == Type::Kind::kMonitor) {
      sink_.error(variable.init->range, "a monitor starts free and has no initial value");
    } else if (std::holds_alternative<Star>(variable.init->node)) {
      const Type* type = &variable.type;
      while (type->kind == Type::Kind::kMap && type->first->kind == Type::Kind::kInt) type = type->second.get();
      const bool finite_or_int = is_set_element(*type) && type->kind != Type::Kind::kClass;
      if (!finite_or_int || class_index >= 0) {
        sink_.error(variable.init->range,
                    class_index >= 0 ? "a field cannot start with any value"
                                     : "`*` starts a bool, an int, a tid, an enum or a map from int to those, not " +
                                           to_string(variable.type));
      }
      variable.init->type = variable.type;
    } else {
      ExprContext context;
      context.module = variable.module;
      context.is_constant = true;
      context.has_tid = false;
      expect(*variable.init, check(*variable.init, context), variable.type,
             "the initial value of `" + variable.name + "`");
    }
  }
  if (variable.is_final) check_final(variable);
  check_field_clauses(variable, class_index);
}

// Nothing speaks of writing it, and it is no lock: locks change.
void Checker::check_final(const Variable& variable) {
  const Type* leaf = &variable.type;
  while (leaf->kind == Type::Kind::kMap) leaf = leaf->second.get();
  if (leaf->kind == Type::Kind::kMonitor) {
    sink_.error(variable.name_range, "a monitor is never assigned, but it changes; it cannot be final",
                "leave out `final`");
  }
  if (variable.is_volatile) {
    sink_.error(variable.name_range,
                "`" + variable.name + "` is final: nobody writes it, so reading it synchronises nothing",
                "leave out `volatile`");
  }
  for (const FieldClause& clause : variable.clauses) {
    const bool of_elements = clause.kind == FieldClause::Kind::kElemsUnwritableByEnvIf;
    if (of_elements && variable.type.kind == Type::Kind::kArray) continue;
    sink_.error(clause.range, "`" + variable.name + "` is final: nobody writes it, so it needs no discipline",
                "leave out the clause");
  }
}

void Checker::check_field_clauses(Variable& variable, int class_index) {
  for (FieldClause& clause : variable.clauses) {
    ExprContext context;
    context.module = variable.module;
    context.class_index = class_index;
    context.is_spec = true;
    BoundVariable element;
    if (clause.kind == FieldClause::Kind::kElemsUnwritableByEnvIf) {
      const bool is_array = variable.type.kind == Type::Kind::kArray;
      if (!is_array && variable.type.kind != Type::Kind::kMap) {
        sink_.error(clause.range,
                    "`elems_unwritable_by_env_if` is for arrays and maps; `" + variable.name + "` is " +
                        to_string(variable.type),
                    "use `unwritable_by_env_if`");
        continue;
      }
      element = {clause.bound, is_array ? simple_type(Type::Kind::kInt) : *variable.type.first, clause.range};
      context.bound.push_back(&element);
    }
    if (clause.kind == FieldClause::Kind::kGuardedBy) {
      check_lock(*clause.expr, context);
    } else {
      check_bool(*clause.expr, context, "the condition");
    }
  }
}

// ------------------------------------------------------------------------------------------------------------- clauses

void Checker::check_waivers(const std::vector<Waiver>& waivers) {
  for (const Waiver& waiver : waivers) check_kind(waiver.kind, waiver.kind_range);
}

void Checker::check_kind(const std::string& kind, SourceRange at) {
  if (diag::kind_named(kind)) return;
  std::vector<std::string> kinds;
  for (const diag::KindPage& page : diag::catalogue()) kinds.emplace_back(page.name);
  const std::string near = diag::nearest(kind, kinds);
  sink_.error(at, "there is no kind of finding `" + kind + "`",
              near.empty() ? "`concord explain` lists them" : "did you mean `" + near + "`?");
}

void Checker::check_clauses() {
  for (Clause& it : program_.clauses) {
    check_waivers(it.waivers);
    ExprContext context;
    context.module = it.module;
    context.class_index = it.class_index;
    context.is_spec = true;
    switch (it.kind) {
      case Clause::Kind::kMonitorInvariant:
        if (it.class_index < 0) {
          sink_.error(it.range, "`invariant` belongs in a class: it holds while the object's monitor is free",
                      "in a module write `global_invariant`");
        }
        [[fallthrough]];
      case Clause::Kind::kGlobalInvariant:
      case Clause::Kind::kInitially:
      case Clause::Kind::kFinally:
        if (it.kind == Clause::Kind::kInitially && it.class_index >= 0) {
          sink_.error(it.range, "`initially` belongs in a module: there are no objects when the program begins",
                      "give the fields initial values");
        }
        if (it.kind == Clause::Kind::kFinally && it.class_index >= 0) {
          sink_.error(it.range, "`finally` belongs in a module", "write `forall o: C :: …` there");
        }
        context.has_tid = false;
        check_bool(*it.predicate.predicate, context,
                   it.kind == Clause::Kind::kGlobalInvariant ? "the invariant" : "the condition");
        break;
      case Clause::Kind::kEnvAssumption: check_two_state(it.predicate, context, "an environment assumption"); break;
      case Clause::Kind::kGuarantee: check_two_state(it.predicate, context, "a guarantee"); break;
    }
  }
}

namespace {

// The names in an expression of a lock_order clause.
void collect_names(const Expr& expr, std::vector<std::string>& names) {
  if (const auto* name = std::get_if<NameExpr>(&expr.node)) {
    if (std::find(names.begin(), names.end(), name->name) == names.end()) names.push_back(name->name);
  } else if (const auto* index = std::get_if<IndexExpr>(&expr.node)) {
    collect_names(*index->base, names);
    collect_names(*index->index, names);
  } else if (const auto* field = std::get_if<FieldExpr>(&expr.node)) {
    collect_names(*field->object, names);
  } else if (const auto* binary = std::get_if<BinaryExpr>(&expr.node)) {
    collect_names(*binary->left, names);
    collect_names(*binary->right, names);
  }
}

}  // namespace

// `m[i]`: the index is the bound variable itself, and there is no other.
void Checker::check_lock_index(const Expr& side, const std::vector<std::string>& bound) {
  const auto mentions_bound = [&](const Expr& expr) {
    std::vector<std::string> names;
    collect_names(expr, names);
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return std::find(bound.begin(), bound.end(), name) != bound.end();
    });
  };
  if (!mentions_bound(side)) return;
  const auto* index = std::get_if<IndexExpr>(&side.node);
  const bool is_plain = index != nullptr && std::holds_alternative<NameExpr>(index->index->node);
  if (is_plain && !mentions_bound(*index->base)) return;
  sink_.error(side.range, "in a lock order the index of a lock is a name of its own",
              "write `m[i]`, and say in `when` how i and j lie");
}

void Checker::check_lock_orders() {
  for (LockOrder& it : program_.lock_orders) {
    check_waivers(it.waivers);
    std::vector<std::string> names;
    for (const Expr* side : {it.before.get(), it.after.get()}) collect_names(*side, names);
    for (const std::string& name : names) {
      if (!names_.contains(name)) it.bound.push_back(name);
    }
    if (!it.bound.empty() && !it.when) {
      sink_.error(it.range, "there is no lock or variable `" + it.bound.front() + "`",
                  "to order the entries of a map write `lock_order m[i] < m[j] when i < j;`");
      continue;
    }
    for (const Expr* side : {it.before.get(), it.after.get()}) check_lock_index(*side, it.bound);
    ExprContext context;
    context.module = it.module;
    context.is_spec = true;
    context.has_tid = false;
    context.implicit_ints = &it.bound;
    check_lock(*it.before, context);
    check_lock(*it.after, context);
    if (it.when) check_bool(*it.when, context, "the condition");
  }
}

void Checker::check_checks() {
  for (const Check& it : program_.checks) {
    for (std::size_t k = 0; k < it.kinds.size(); ++k) check_kind(it.kinds[k], it.kind_ranges[k]);
  }
}

// ------------------------------------------------------------------------------------------------------------- threads

void Checker::check_threads() {
  for (Thread& it : program_.threads) check_thread(it);
}

void Checker::check_thread(Thread& thread) {
  check_waivers(thread.waivers);
  if (!thread.name.empty() && thread.has_brackets) {
    sink_.error(thread.range, "a thread with a name is one thread", "leave out `[…]` or the name");
  }
  if (thread.count == Thread::Count::kNumber && thread.number < 0) {
    sink_.error(thread.range, "the number of threads cannot be negative");
  }
  if (thread.count == Thread::Count::kSymbol) {
    const Declared* declared = find(thread.symbol, thread.module, thread.symbol_range, "constant");
    const bool is_said = declared == nullptr && names_.contains(thread.symbol);
    const bool is_int = declared != nullptr && declared->kind == Declared::Kind::kConst &&
                        program_.consts[declared->index].type.kind == Type::Kind::kInt;
    if (is_int) {
      thread.const_index = declared->index;
    } else if (!is_said) {
      diag::Diagnostic& error =
          sink_.error(thread.symbol_range, "`" + thread.symbol + "` is not a constant of type int",
                      declared == nullptr ? "declare it: `const " + thread.symbol + ": int;`" : "");
      if (declared != nullptr) error.notes.push_back({declared->range, "declared here"});
    }
  }
  check_abstracted(thread.abstracted, thread.module);
  if (find_procedure(thread.target, thread.module) == nullptr) return;
  const Procedure& procedure = program_.procedures[thread.target.index];
  if (!procedure.abstracted.by.empty()) {
    diag::Diagnostic& error =
        sink_.error(procedure.abstracted.range, "this is for threads that are started, and one is declared",
                    "write it at the declaration: `thread " + procedure.name + "() abstracted by " +
                        procedure.abstracted.by + ";`");
    error.notes.push_back({thread.range, "the declaration"});
  }
  if (!check_argument_count(thread.target, procedure)) return;
  for (std::size_t i = 0; i < thread.target.arguments.size(); ++i) {
    ExprContext context;
    context.module = thread.module;
    context.is_constant = true;
    context.has_tid = false;
    context.has_thread_index = true;
    Expr& argument = *thread.target.arguments[i];
    expect(argument, check(argument, context), procedure.parameters[i].type,
           "argument `" + procedure.parameters[i].name + "`");
  }
}

void Checker::check_abstracted(Abstracted& it, int module) {
  if (it.by.empty()) return;
  const auto is_machine = [](const Declared& found) { return found.kind == Declared::Kind::kAbstractThread; };
  const Declared* declared = find(it.by, module, it.name_range, "abstract thread");
  const bool is_said = declared == nullptr && names_.contains(it.by);
  if (declared != nullptr && is_machine(*declared)) {
    it.index = declared->index;
  } else if (!is_said) {
    unknown_name(it.by, it.name_range, "abstract thread", is_machine);
  }
}

void Checker::check_abstract_threads() {
  for (AbstractThread& it : program_.abstract_threads) check_abstract_thread(it);
}

void Checker::check_abstract_thread(AbstractThread& machine) {
  std::unordered_map<std::string, int> nodes;
  bool has_initial = false;
  for (int i = 0; i < std::ssize(machine.nodes); ++i) {
    AbstractThread::Node& node = machine.nodes[i];
    const auto [found, is_new] = nodes.emplace(node.name, i);
    if (!is_new) {
      diag::Diagnostic& error = sink_.error(node.range, "node `" + node.name + "` is declared twice");
      error.notes.push_back({machine.nodes[found->second].range, "the first declaration"});
    }
    has_initial = has_initial || node.initial;
    if (!node.assertion) continue;
    ExprContext context;
    context.module = machine.module;
    context.is_spec = true;
    check_bool(*node.assertion, context, "the node's assertion");
  }
  if (!has_initial) {
    sink_.error(machine.name_range, "abstract thread `" + machine.name + "` has no initial node",
                "write `initial node` before the node it starts in");
  }
  std::vector<std::string> candidates;
  for (const AbstractThread::Node& node : machine.nodes) candidates.push_back(node.name);
  const auto resolve_node = [&](const std::string& name, SourceRange at) {
    const auto found = nodes.find(name);
    if (found != nodes.end()) return found->second;
    const std::string near = diag::nearest(name, candidates);
    sink_.error(at, "abstract thread `" + machine.name + "` has no node `" + name + "`",
                near.empty() ? "" : "did you mean `" + near + "`?");
    return -1;
  };
  for (AbstractThread::Edge& edge : machine.edges) {
    edge.from_index = resolve_node(edge.from, edge.from_range);
    edge.to_index = resolve_node(edge.to, edge.to_range);
    ExprContext context;
    context.module = machine.module;
    context.is_spec = true;
    check_two_state(edge.step, context, "an edge");
  }
  const bool is_whole = nodes.size() == machine.nodes.size() &&
                        std::all_of(machine.edges.begin(), machine.edges.end(), [](const AbstractThread::Edge& it) {
                          return it.from_index >= 0 && it.to_index >= 0;
                        });
  if (has_initial && is_whole) check_reachable(machine);
}

// A node where no run of the machine comes is a mistake, or says nothing.
void Checker::check_reachable(const AbstractThread& machine) {
  std::vector<bool> reached(machine.nodes.size(), false);
  std::vector<std::size_t> todo;
  const auto reach = [&](std::size_t node) {
    if (!reached[node]) todo.push_back(node);
    reached[node] = true;
  };
  for (std::size_t i = 0; i < machine.nodes.size(); ++i) {
    if (machine.nodes[i].initial) reach(i);
  }
  while (!todo.empty()) {
    const std::size_t at = todo.back();
    todo.pop_back();
    for (const AbstractThread::Edge& edge : machine.edges) {
      if (edge.from_index == static_cast<int>(at)) reach(static_cast<std::size_t>(edge.to_index));
    }
  }
  for (std::size_t i = 0; i < machine.nodes.size(); ++i) {
    if (reached[i]) continue;
    sink_.error(machine.nodes[i].range, "no edges lead from an initial node to node `" + machine.nodes[i].name + "`",
                "add an edge to it, or leave it out");
  }
}

// ---------------------------------------------------------------------------------------------------------- procedures

void Checker::check_contract(Procedure& procedure) {
  check_waivers(procedure.waivers);
  check_abstracted(procedure.abstracted, procedure.module);
  procedure.locals = procedure.parameters;
  locals_ = &procedure.locals;
  local_scope_.clear();
  for (int i = 0; i < std::ssize(procedure.parameters); ++i) {
    const Local& parameter = procedure.parameters[i];
    for (const auto& [name, slot] : local_scope_) {
      if (name == parameter.name) sink_.error(parameter.range, "parameter `" + name + "` is declared twice");
    }
    if (names_.contains(parameter.name)) {
      diag::Diagnostic& error = sink_.error(parameter.range, "`" + parameter.name + "` is declared twice");
      error.notes.push_back({names_.at(parameter.name).range, "the first declaration"});
    }
    if (parameter.type.kind == Type::Kind::kMonitor) {
      sink_.error(parameter.range, "a monitor cannot be passed", "pass an object: every object has a monitor");
    }
    local_scope_.emplace_back(parameter.name, i);
  }
  if (procedure.result.kind == Type::Kind::kMonitor) sink_.error(procedure.name_range, "a monitor cannot be returned");

  const auto context = [&](States states) {
    ExprContext it;
    it.module = procedure.module;
    it.is_spec = true;
    it.states = states;
    if (procedure.result.kind != Type::Kind::kNone) it.result = &procedure.result;
    return it;
  };
  Contract& contract = procedure.contract;
  for (ExprPtr& expr : contract.requires_) {
    ExprContext it = context(States::kOne);
    it.result = nullptr;
    check_bool(*expr, it, "the precondition");
  }
  for (ExprPtr& expr : contract.ensures) {
    ExprContext it = context(States::kReturn);
    check_bool(*expr, it, "the postcondition");
  }
  for (ExprPtr& expr : contract.signals) {
    ExprContext it = context(States::kReturn);
    it.result = procedure.throws.kind == Type::Kind::kClass ? &procedure.throws : nullptr;
    check_bool(*expr, it, "the postcondition");
    if (procedure.throws.kind != Type::Kind::kNone) continue;
    sink_.error(expr->range, "`" + procedure.name + "` throws nothing, so `signals` says nothing",
                "declare what it throws: `proc " + procedure.name + "(…) throws C`");
  }
  ExprContext before = context(States::kOne);  // what may change is known before it is known what is returned
  before.result = nullptr;
  if (contract.modifies) check_frame(*contract.modifies, before);
  for (Action& action : contract.actions) {
    check_frame(action.also_modifies, before);
    ExprContext it = context(States::kStep);
    check_bool(*action.ensures, it, "the action");
    // An action always has a frame: what it mentions outside that frame cannot change and needs no mark.
    std::vector<const Expr*> frame;
    for (const ExprPtr& item : action.also_modifies) frame.push_back(item.get());
    if (contract.modifies) {
      for (const ExprPtr& item : *contract.modifies) frame.push_back(item.get());
    }
    check_marks(*action.ensures, frame, it, "an action", action.uses_old);
  }
  if (contract.is_inline && contract.has_abstraction()) {
    sink_.error(procedure.name_range, "`" + procedure.name + "` is inline and has an abstraction",
                "leave out `inline`, or `modifies` and the actions");
  }
  locals_ = nullptr;
}

void Checker::check_procedure(Procedure& procedure) {
  local_scope_.clear();
  for (int i = 0; i < std::ssize(procedure.parameters); ++i) local_scope_.emplace_back(procedure.parameters[i].name, i);
  locals_ = &procedure.locals;
  check_body(procedure);
  locals_ = nullptr;
  local_scope_.clear();
}

// What runs inside `atomic` is one operation, so nothing it calls, directly or not, may have operations of its own that
// count: an abstraction, a `wait`, a statement that may block for itself, or a region that it would pass unseen.
void Checker::check_atomic_calls() {
  const std::size_t count = program_.procedures.size();
  std::vector<std::vector<int>> calls(count);
  std::vector<bool> waits(count, false);
  std::vector<bool> has_region(count, false);
  for (std::size_t p = 0; p < count; ++p) {
    for_each_stmt(*program_.procedures[p].body, [&](const Stmt& statement) {
      if (std::holds_alternative<Wait>(statement.node) || statement.may_block) waits[p] = true;
      if (std::holds_alternative<Exclusive>(statement.node)) has_region[p] = true;
      const CallTarget* target = called(statement);
      if (target != nullptr && !starts_thread(statement)) calls[p].push_back(target->index);
    });
  }
  const auto check_call_in_atomic = [&](const Stmt& statement) {
    const CallTarget* target = called(statement);
    if (target == nullptr || starts_thread(statement)) return;
    std::vector<bool> seen(count, false);
    std::vector<int> todo = {target->index};
    while (!todo.empty()) {
      const int at = todo.back();
      todo.pop_back();
      if (seen[at]) continue;
      seen[at] = true;
      const Procedure& callee = program_.procedures[at];
      if (callee.contract.has_abstraction() || waits[at] || has_region[at]) {
        diag::Diagnostic& error =
            sink_.error(statement.range, "a call in `atomic` reaches `" + callee.name + "`, which " +
                                             (waits[at]        ? "has a `wait` or `may_block`"
                                              : has_region[at] ? "has an `exclusive` region"
                                                               : "has an abstraction, and so operations of its own"));
        error.notes.push_back({callee.name_range, "declared here"});
        return;
      }
      todo.insert(todo.end(), calls[at].begin(), calls[at].end());
    }
  };
  for (const Procedure& procedure : program_.procedures) {
    for_each_stmt(*procedure.body, [&](const Stmt& statement) {
      if (const auto* atomic = std::get_if<Atomic>(&statement.node)) for_each_stmt(*atomic->body, check_call_in_atomic);
    });
  }
}

// A thread that runs alone up to `initialised`: it is there once, it comes there once, and starts nobody before.
void Checker::check_initialised() {
  const Stmt* first = nullptr;
  for (int p = 0; p < std::ssize(program_.procedures); ++p) {
    const Procedure& procedure = program_.procedures[p];
    const auto* body = std::get_if<Block>(&procedure.body->node);
    for_each_stmt(*procedure.body, [&](const Stmt& statement) {
      if (!std::holds_alternative<Initialised>(statement.node)) return;
      const bool is_outermost =
          body != nullptr && std::any_of(body->statements.begin(), body->statements.end(),
                                         [&](const StmtPtr& it) { return it.get() == &statement; });
      if (!is_outermost) sink_.error(statement.range, "`initialised` stands in no other statement");
      if (first != nullptr) {
        diag::Diagnostic& error = sink_.error(statement.range, "`initialised` is there twice");
        error.notes.push_back({first->range, "the first one"});
      }
      first = &statement;
      program_.initialiser = p;
    });
  }
  if (first == nullptr || sink_.has_errors()) return;
  const Procedure& procedure = program_.procedures[program_.initialiser];
  int entered = 0;
  for (const Thread& it : program_.threads) {
    if (it.target.index != program_.initialiser) continue;
    const bool is_one = it.count == Thread::Count::kNumber && it.number == 1;
    entered += is_one ? 1 : 2;
  }
  for (const Procedure& other : program_.procedures) {
    for_each_stmt(*other.body, [&](const Stmt& statement) {
      const CallTarget* target = called(statement);
      if (target != nullptr && target->index == program_.initialiser) entered += 2;
    });
  }
  if (entered != 1) {
    sink_.error(first->range, "`" + procedure.name + "` has `initialised`, so it is run once: by one declared thread",
                "declare `thread main = " + procedure.name + "();`, and call or start it nowhere");
  }
  if (procedure.contract.has_abstraction()) {
    sink_.error(first->range, "`" + procedure.name + "` has `initialised`, and so no abstraction");
  }
  std::vector<const Stmt*> before;
  for (const StmtPtr& it : std::get<Block>(procedure.body->node).statements) {
    if (it.get() == first) break;
    before.push_back(it.get());
  }
  if (const Stmt* start = find_start(program_, std::move(before))) {
    diag::Diagnostic& error = sink_.error(first->range, "a thread may be started before `initialised`");
    error.notes.push_back({start->range, "here"});
  }
}

}  // namespace concord::plato
