#include "infer/candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "plato/walk.h"

namespace concord::infer {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

constexpr std::size_t kMostOfAKind = 10;  // fields of a class that are related to one another
constexpr std::size_t kMostGuards = 3;    // of a class of Java: each is tried with everything

// Where a line may be put.
struct Place {
  std::uint32_t file = 0;
  std::uint32_t at = 0;
  std::string indentation;
};

// A field of a class, or a shared variable.
struct Member {
  std::string name;
  const Variable* variable = nullptr;
  std::optional<Place> before;  // its line, if nothing else is on it
  std::optional<Place> behind;
};

bool is_reference(const Type& type) { return type.kind == Type::Kind::kClass; }
bool is_array(const Type& type) { return type.kind == Type::Kind::kArray; }
bool is_number(const Type& type) { return type.kind == Type::Kind::kInt; }
bool is_lock(const Type& type) { return type.kind == Type::Kind::kTid || type.kind == Type::Kind::kMonitor; }

// Whether a line is a declaration of one thing, and nothing else but a comment behind it. `name`: where its name is in it.
bool is_one_declaration(std::string_view line, std::size_t name) {
  const std::size_t end = line.find(';');
  if (end == std::string_view::npos || end < name) return false;
  const std::string_view before = line.substr(0, name);
  const std::string_view behind = line.substr(end + 1);
  const std::size_t next = behind.find_first_not_of(" \t\r");
  const std::size_t value = std::min(line.find('=', name), end);
  return before.find_first_of("(){}=") == std::string_view::npos &&
         line.substr(name, value - name).find(',') == std::string_view::npos &&
         before.find("//") == std::string_view::npos &&
         (next == std::string_view::npos || behind.substr(next).starts_with("//"));
}

class Guesses {
 public:
  explicit Guesses(const Subject& subject) : subject_(subject), program_(*subject.program) {
    for (const Procedure& it : program_.procedures) {
      for_each_stmt(*it.body, [this](const Stmt& statement) {
        const auto* acquire = std::get_if<Acquire>(&statement.node);
        if (acquire != nullptr && is_reference(acquire->lock->type)) locked_classes_.insert(acquire->lock->type.decl);
      });
    }
  }

  std::vector<Frame> frames() {
    std::vector<Frame> out;
    for_each_scope([&](const std::vector<Member>& all) {
      for (const Member& it : all) {
        if (it.variable->is_final || is_lock(it.variable->type)) continue;
        add(*it.behind, fmt::format("env_assumption {} == {};", now(it.name), old(it.name)));
        out.push_back({std::move(out_.back()), it.variable});
        out_.pop_back();
      }
    });
    return out;
  }

  std::vector<Candidate> run() {
    for_each_scope([this](const std::vector<Member>& all) { guess(all); });
    std::stable_sort(out_.begin(), out_.end(), [](const Candidate& a, const Candidate& b) {
      return std::tuple(a.insertion.file, a.insertion.at) < std::tuple(b.insertion.file, b.insertion.at);
    });
    return std::move(out_);
  }

 private:
  // ---- what there is

  void for_each_scope(const std::function<void(const std::vector<Member>&)>& visit) {
    for (std::size_t c = 0; c < program_.classes.size(); ++c) {
      const Class& it = program_.classes[c];
      if (subject_.library_files.contains(it.range.file)) continue;
      scope_ = static_cast<int>(c);
      class_name_ = spelled(it.name);
      visit(members(it.fields));
    }
    if (subject_.is_java) return;
    scope_ = -1;
    visit(members(program_.variables));
  }

  std::string spelled(const std::string& name) const {
    const auto found = subject_.spelled.find(name);
    return found == subject_.spelled.end() ? name : found->second;
  }

  std::vector<Member> members(const std::vector<Variable>& variables) const {
    std::vector<Member> out;
    for (const Variable& it : variables) {
      const bool is_made = subject_.sources->text(it.name_range) != spelled(it.name);  // by the front end
      if (it.is_ghost || it.is_unraced || is_made) continue;
      Member member{spelled(it.name), &it, {}, {}};
      find_places(it, member);
      if (member.behind) out.push_back(std::move(member));
    }
    return out;
  }

  void find_places(const Variable& variable, Member& member) const {
    const std::string_view text = subject_.sources->file(variable.name_range.file).text();
    const std::size_t name = variable.name_range.begin;
    if (name >= text.size()) return;
    const std::size_t begin = name == 0 ? 0 : text.rfind('\n', name - 1) + 1;
    const std::size_t end = text.find('\n', name);
    if (end == std::string_view::npos || !is_one_declaration(text.substr(begin, end - begin), name - begin)) return;
    const std::string indentation(text.substr(begin, text.find_first_not_of(" \t", begin) - begin));
    member.before = Place{variable.name_range.file, static_cast<std::uint32_t>(begin), indentation};
    member.behind = Place{variable.name_range.file, static_cast<std::uint32_t>(end) + 1, indentation};
  }

  // ---- how it is written

  void add(const Place& place, const std::string& clause, std::vector<std::string> implied_by = {}) {
    const std::string marks = subject_.is_java ? "//@ " : "";
    out_.push_back(
        {clause, {place.file, place.at, place.indentation + marks + clause + "\n"}, scope_, std::move(implied_by)});
  }

  static const Place& later(const Place& a, const Place& b) {
    return std::tuple(a.file, a.at) < std::tuple(b.file, b.at) ? b : a;
  }
  static const Place& later(const Member& a, const Member& b) { return later(*a.behind, *b.behind); }

  std::string old(const std::string& name) const { return subject_.is_java ? "\\old(" + name + ")" : name; }
  std::string now(const std::string& name) const { return subject_.is_java ? name : name + "'"; }

  // ---- guesses

  void guess(const std::vector<Member>& all) {
    std::vector<Member> numbers, references, arrays, locks;
    for (const Member& it : all) {
      const Type& type = it.variable->type;
      if (is_number(type)) numbers.push_back(it);
      if (is_reference(type)) references.push_back(it);
      if (is_array(type)) arrays.push_back(it);
      if (is_lock(type) || is_guard(*it.variable)) locks.push_back(it);
    }
    for (auto* list : {&numbers, &references, &arrays, &locks}) list->resize(std::min(list->size(), kMostOfAKind));
    if (subject_.is_java) locks.resize(std::min(locks.size(), kMostGuards));
    for (const Member& it : all) about_access(it, locks);
    for (const Member& it : references) about_reference(it);
    for (const Member& it : arrays) about_array(it, locks);
    for (const Member& it : numbers) about_number(it, arrays, locks);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      for (std::size_t j = 0; j < numbers.size(); ++j) {
        if (i != j) state(later(numbers[i], numbers[j]), numbers[i].name + " <= " + numbers[j].name, {}, locks);
      }
    }
    for (std::size_t i = 0; i < references.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (!(references[i].variable->type == references[j].variable->type)) continue;
        state(later(references[i], references[j]), references[j].name + " != " + references[i].name, {}, {});
      }
    }
    about_elements(numbers, arrays, locks);
  }

  // Of Java: an object that is always the same, of a class whose objects are locked somewhere.
  bool is_guard(const Variable& variable) const {
    return subject_.is_java && variable.is_final && is_reference(variable.type) &&
           locked_classes_.contains(variable.type.decl);
  }

  // Who may write it, when.
  void about_access(const Member& it, const std::vector<Member>& locks) {
    const Variable& variable = *it.variable;
    if (variable.is_final || !variable.clauses.empty()) return;
    if (subject_.is_java) {
      if (variable.is_volatile) return;
      add(*it.before, "guarded_by this;");
      for (const Member& lock : locks) add(*it.before, fmt::format("guarded_by {};", lock.name));
      return;
    }
    for (const Member& lock : locks) {
      if (lock.variable->module != variable.module && !sees(variable.module, lock.variable->module)) continue;
      if (lock.variable == &variable && variable.type.kind == Type::Kind::kMonitor) continue;
      add(later(it, lock), fmt::format("env_assumption {} ==> {} == {};", held(lock), now(it.name), it.name));
    }
  }

  bool sees(int module, int other) const {
    return program_.modules[static_cast<std::size_t>(module)].sees[static_cast<std::size_t>(other)];
  }

  static std::string holder(const Member& lock) {
    return lock.variable->type.kind == Type::Kind::kTid ? lock.name : lock.name + ".holder";
  }
  static std::string held(const Member& lock) { return holder(lock) + " == tid"; }
  std::string is_free(const Member& lock) const { return holder(lock) + (subject_.is_java ? " == null" : " == none"); }

  // Always; or else whenever nobody is at it.
  void state(const Place& place, const std::string& holds, const std::vector<std::string>& stronger,
             const std::vector<Member>& locks) {
    const std::string always = "global_invariant " + holds + ";";
    std::vector<std::string> implied_by;
    for (const std::string& it : stronger) implied_by.push_back("global_invariant " + it + ";");
    add(place, always, implied_by);
    implied_by.push_back(always);
    if (subject_.is_java) {
      std::vector<std::string> here = implied_by;
      for (const std::string& it : stronger) here.push_back("invariant " + it + ";");
      add(place, "invariant " + holds + ";", here);
    }
    for (const Member& lock : locks) {
      std::vector<std::string> here = implied_by;
      for (const std::string& it : stronger)
        here.push_back(fmt::format("global_invariant {} ==> {};", is_free(lock), it));
      add(later(place, *lock.behind), fmt::format("global_invariant {} ==> {};", is_free(lock), holds), here);
    }
  }

  // That no other object of the class has the same one.
  std::string unshared(const Member& it) const {
    const std::string holds = fmt::format("other_ != this && {0} != null ==> other_.{0} != {0}", it.name);
    return subject_.is_java ? fmt::format("(\\forall {} other_; {})", class_name_, holds)
                            : fmt::format("forall other_: {} :: {}", class_name_, holds);
  }

  void about_reference(const Member& it) {
    state(*it.behind, it.name + " != null", {}, {});
    if (is_guard(*it.variable)) add(*it.behind, fmt::format("global_invariant {};", unshared(it)));
    if (it.variable->is_final) return;
    add(*it.behind, fmt::format("env_assumption {0} != null ==> {1} == {0};", old(it.name), now(it.name)));
  }

  void about_array(const Member& it, const std::vector<Member>& locks) {
    add(*it.behind, fmt::format("global_invariant {} != null;", it.name));
    if (scope_ < 0) return;
    add(*it.behind, fmt::format("global_invariant {};", unshared(it)));
    if (subject_.is_java && it.variable->clauses.empty() && it.variable->is_final) {
      add(*it.before, "elems_unwritable_by_env_if[i_] holder == tid;");
      for (const Member& lock : locks) add(*it.before, fmt::format("elems_unwritable_by_env_if[i_] {};", held(lock)));
    }
  }

  void about_number(const Member& it, const std::vector<Member>& arrays, const std::vector<Member>& locks) {
    state(*it.behind, "0 < " + it.name, {}, locks);
    state(*it.behind, "0 <= " + it.name, {"0 < " + it.name}, locks);
    for (const Member& array : arrays) {
      const std::string below = it.name + " < " + array.name + ".length";
      state(later(it, array), below, {}, locks);
      state(later(it, array), it.name + " <= " + array.name + ".length", {below}, locks);
    }
    if (it.variable->is_final) return;
    add(*it.behind, fmt::format("env_assumption {} <= {};", old(it.name), now(it.name)));
  }

  // That what is in an array is positive where something says that there is something.
  void about_elements(const std::vector<Member>& numbers, const std::vector<Member>& arrays,
                      const std::vector<Member>& locks) {
    for (const Member& array : arrays) {
      const Type& element = *array.variable->type.first;
      if (!is_number(element) && !is_reference(element)) continue;
      for (const Member& index : numbers) {
        for (const Member& count : numbers) {
          if (&index == &count) continue;
          const std::string holds = fmt::format("{} > 0 ==> {}[{}] {}", count.name, array.name, index.name,
                                                is_number(element) ? "> 0" : "!= null");
          const Place& place = later(*array.behind, later(index, count));
          if (!subject_.is_java) continue;
          add(place, fmt::format("invariant {};", holds));
          for (const Member& lock : locks)
            add(later(place, *lock.behind), fmt::format("global_invariant {} ==> ({});", is_free(lock), holds));
        }
      }
    }
  }

  const Subject& subject_;
  const Program& program_;
  int scope_ = -1;
  std::string class_name_;
  std::set<int> locked_classes_;
  std::vector<Candidate> out_;
};

}  // namespace

std::vector<Candidate> candidates(const Subject& subject) { return Guesses(subject).run(); }

std::vector<Frame> frames(const Subject& subject) { return Guesses(subject).frames(); }

}  // namespace concord::infer
