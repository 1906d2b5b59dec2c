// The program as a whole. What is reachable from main (or from the public methods, if there is none) is lowered, each thing
// once, when it is first asked for.
#include <algorithm>
#include <utility>

#include "frontend/java/lowering.h"
#include "plato/flow.h"

namespace concord::frontend::java {

using plato::Type;

Lowered lower(const base::SourceMap& sources, const Unit& unit, const LowerOptions& options, diag::Sink& sink) {
  return Lowering(sources, unit, options, sink).run();
}

Lowering::Lowering(const base::SourceMap& sources, const Unit& unit, const LowerOptions& options, diag::Sink& sink)
    : sources_(sources),
      unit_(unit),
      options_(options),
      sink_(sink),
      classes_(unit),
      annotations_(sources, classes_, sink) {
  program_.modules.emplace_back();
}

Lowered Lowering::run() {
  find_closures();
  find_monitors();
  find_freed();
  find_atomic_fields();
  if (uses_current_thread()) {
    thread_map();
    classes_.instantiate(thread_symbol());  // that of a thread that nobody started
  }
  find_entries();
  const SymbolId main = has_entries() ? -1 : find_main();
  if (has_entries()) {
    lower_entries();
  } else if (main >= 0 && !options_.client) {
    lower_main(main);
  } else if (!sink_.has_errors()) {
    lower_client();
  }
  run_tasks();
  for (const auto& [name, range] : library_equals_) lower_library_equals(name, range);
  give_answers();
  pass_thread_number();
  emit_classes();
  assume("the classes given are all there are");
  if (classes_.overrides_in_source("finalize")) assume("no object is finalized");
  if (waits_ && (is_unknown_ || has_client())) assume("no thread is interrupted while it waits");
  std::sort(assumptions_.begin(), assumptions_.end());
  for (const auto& [symbol, name] : statics_) name_is_users(name);
  for (const auto& [symbol, name] : monitors_) name_is_users(name);
  for (const auto* list : {&statics_, &procedures_, &dispatchers_}) {
    for (const auto& [symbol, name] : *list) {
      const Symbol& it = classes_.symbol(symbol);
      spell(name, spelling_of_class(it.owner) + "." + it.name);
    }
  }
  for (const auto& [symbol, name] : monitors_) spell(name, spelling_of_class(symbol) + ".class");
  for (const auto& [symbol, name] : fields_) spell(name, classes_.symbol(symbol).name);
  spell("this_", "this");
  std::erase_if(spelled_, [](const auto& it) { return it.second.empty() || it.first == it.second; });
  return {std::move(program_), std::move(assumptions_), std::move(user_names_), std::move(spelled_),
          std::move(dispatches_)};
}

// With the classes around it, if it has no name, or not alone.
std::string Lowering::spelling_of_class(SymbolId symbol) {
  const Symbol& it = classes_.symbol(symbol);
  if (name_of_class(symbol) == it.name || it.outer < 0) return it.name;
  return spelling_of_class(it.outer) + "." + (it.name.empty() ? "anonymous" : it.name);
}

// A name that means different things in different places stays as it is.
void Lowering::spell(const std::string& name, const std::string& as) {
  const auto [found, is_new] = spelled_.emplace(name, as);
  if (!is_new && found->second != as) found->second.clear();
}

// Code that is not followed may call whatever stands in place of a method of the library: what is claimed in there is to be
// answered too.
void Lowering::ask_for_callbacks() {
  const auto is_of_library = [&](SymbolId method) {
    const ClassDecl* declaration = classes_.declaration(classes_.symbol(method).owner);
    return declaration == nullptr || is_stub(declaration->range);
  };
  for (const ClassDecl* declaration : classes_.all()) {
    if (is_stub(declaration->range) || classes_.instances_of(declaration->symbol).empty()) continue;
    const Symbol& owner = classes_.symbol(declaration->symbol);
    for (SymbolId member : owner.members) {
      const std::vector<SymbolId>& overrides = classes_.symbol(member).overrides;
      const bool is_called = std::any_of(overrides.begin(), overrides.end(), is_of_library);
      if (is_called && has_procedure(member)) procedure_of(member);
    }
    for (const auto& [method, inherited] : owner.inherits) {
      if (is_of_library(method) && has_procedure(inherited)) procedure_of(inherited);
    }
  }
}

void Lowering::run_tasks() {
  for (;;) {
    if (tasks_.empty() && has_unsupported_) ask_for_callbacks();
    if (tasks_.empty()) return;
    const std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    task();
  }
}

void Lowering::add_item(plato::Item::Kind kind, std::size_t index) {
  program_.modules.front().items.push_back({kind, static_cast<int>(index)});
}

void Lowering::assume(const std::string& assumption) {
  if (std::find(assumptions_.begin(), assumptions_.end(), assumption) == assumptions_.end()) {
    assumptions_.push_back(assumption);
  }
}

SymbolId Lowering::find_main() {
  std::vector<SymbolId> found;
  for (const ClassDecl* it : classes_.all()) {
    const Symbol& owner = classes_.symbol(it->symbol);
    if (!options_.main_class.empty() && owner.name != options_.main_class && owner.qualified != options_.main_class)
      continue;
    for (SymbolId member : owner.members) {
      const Symbol& method = classes_.symbol(member);
      if (method.kind != Symbol::Kind::kMethod || method.name != "main" || !method.is_static || !method.is_public)
        continue;
      if (method.parameters.size() != 1 || classes_.type(method.parameters.front()).text != "java.lang.String[]")
        continue;
      found.push_back(member);
    }
  }
  if (found.size() > 1) {
    diag::Diagnostic& error = sink_.error(classes_.symbol(found[1]).range, "there is more than one main method",
                                          "say which class with --main CLASS");
    error.notes.push_back({classes_.symbol(found[0]).range, "the other one"});
  }
  if (found.empty() && !options_.main_class.empty() && !classes_.all().empty()) {
    sink_.error(classes_.symbol(classes_.all().front()->symbol).range,
                "no class " + options_.main_class + " with a method public static void main(String[])",
                "--main names a class of the files given");
  }
  return found.empty() ? -1 : found.front();
}

void Lowering::lower_main(SymbolId main) {
  const Symbol& symbol = classes_.symbol(main);
  plato::Thread thread;
  thread.name = main_thread_ = names_.fresh("main");
  procedure_of(main);
  run_tasks();
  thread.target = build::target(lower_main_thread(main), {}, symbol.range);
  thread.range = symbol.range;
  add_item(plato::Item::Kind::kThread, program_.threads.size());
  program_.threads.push_back(std::move(thread));
}

// Behind so many statements. A thread that an initialiser starts would wait where it uses the class, which is not followed.
void Lowering::end_initialisation(Body& body, std::size_t count, SourceRange range) {
  std::vector<const plato::Stmt*> before;
  for (std::size_t i = 0; i < count; ++i) before.push_back(body.root_[i].get());
  if (plato::find_start(program_, std::move(before)) == nullptr) {
    const auto place = body.root_.begin() + static_cast<std::ptrdiff_t>(count);
    body.root_.insert(place, build::make(plato::Initialised{}, range));
    is_initialised_ = true;
    return;
  }
  plato::Unsupported unknown;
  unknown.reason = "a thread that is started while classes are initialised";
  unknown.reason_range = range;
  Body::emit_before(body.root_, build::make(std::move(unknown), range));
}

// Initialisers of classes run first, by the main thread: the strings of the program, then the classes.
std::string Lowering::lower_main_thread(SymbolId main) {
  const Symbol& self = classes_.symbol(main);
  const std::string name = names_.fresh("main_thread");
  Body body(*this, self.owner, false);
  body.initialise_classes(self.owner);
  const std::size_t initialised = body.root_.size();
  std::vector<Value> arguments;
  arguments.push_back(body.command_line(*classes_.method(main)));
  body.call_procedure(procedure_of(main), std::move(arguments), build::simple(Type::Kind::kNone), false, self.range,
                      classes_.may_throw(main));
  body.leave_uncaught();
  run_tasks();
  if (initialised > 0 || !strings_.empty()) end_initialisation(body, initialised, self.range);
  body.make_strings(strings_);
  if (has_thread_map()) body.make_own_thread();
  emit_procedure(body.finish_without_braces(name, self.range));
  return name;
}

}  // namespace concord::frontend::java
