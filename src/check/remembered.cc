#include "check/remembered.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <type_traits>
#include <utility>
#include <vector>

namespace concord::check {

namespace {

class Writer {
 public:
  void number(std::int64_t& it) {
    out.append(reinterpret_cast<const char*>(&it), sizeof it);  // NOLINT: the same program reads it
  }
  void text(std::string& it) {
    auto size = static_cast<std::int64_t>(it.size());
    number(size);
    out += it;
  }
  static constexpr bool kReads = false;
  std::string out;
};

struct Malformed {};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}
  void number(std::int64_t& it) { std::memcpy(&it, take(sizeof it).data(), sizeof it); }
  void text(std::string& it) {
    std::int64_t size = 0;
    number(size);
    it = take(static_cast<std::size_t>(size));
  }
  bool is_at_end() const { return left_.empty(); }
  static constexpr bool kReads = true;

 private:
  std::string_view take(std::size_t size) {
    if (size > left_.size()) throw Malformed{};
    const std::string_view out = left_.substr(0, size);
    left_.remove_prefix(size);
    return out;
  }

  std::string_view left_;
};

// One description of each type, for both directions.

template <class Archive>
void pass(Archive& to, std::string& it) {
  to.text(it);
}

template <class Archive, class Number>
requires(std::is_integral_v<Number> || std::is_enum_v<Number>) void pass(Archive& to, Number& it) {
  auto number = static_cast<std::int64_t>(it);
  to.number(number);
  it = static_cast<Number>(number);
}

template <class Archive>
void pass(Archive& to, base::SourceRange& it) {
  pass(to, it.file);
  pass(to, it.begin);
  pass(to, it.end);
}

template <class Archive, class First, class Second>
void pass(Archive& to, std::pair<First, Second>& it) {
  pass(to, it.first);
  pass(to, it.second);
}

template <class Archive, class Element>
void pass(Archive& to, std::vector<Element>& list);

template <class Archive>
void pass(Archive& to, engine::Related& it) {
  pass(to, it.location);
  pass(to, it.message);
}

template <class Archive>
void pass(Archive& to, engine::Property& it) {
  pass(to, it.id);
  pass(to, it.kind);
  pass(to, it.claim);
  pass(to, it.text);
  pass(to, it.procedure);
  pass(to, it.module);
}

template <class Archive>
void pass(Archive& to, engine::Situation::Object& it) {
  pass(to, it.name);
  pass(to, it.fields);
}

template <class Archive>
void pass(Archive& to, engine::Situation::Local& it) {
  pass(to, it.thread);
  pass(to, it.procedure);
  pass(to, it.values);
}

template <class Archive>
void pass(Archive& to, engine::Situation::Follower& it) {
  pass(to, it.thread);
  pass(to, it.machine);
  pass(to, it.nodes);
}

template <class Archive>
void pass(Archive& to, engine::Situation& it) {
  pass(to, it.shared);
  pass(to, it.heap);
  pass(to, it.locals);
  pass(to, it.held);
  pass(to, it.followers);
}

template <class Archive>
void pass(Archive& to, engine::TraceStep& it) {
  pass(to, it.thread);
  pass(to, it.location);
  pass(to, it.text);
  pass(to, it.changes);
  pass(to, it.note);
  pass(to, it.preempted);
  pass(to, it.after);
  pass(to, it.drawing);
  pass(to, it.lost);
}

template <class Archive>
void pass(Archive& to, engine::StuckThread& it) {
  pass(to, it.thread);
  pass(to, it.text);
  pass(to, it.detail);
  pass(to, it.location);
}

template <class Archive>
void pass(Archive& to, engine::Trace& it) {
  pass(to, it.initial);
  pass(to, it.threads);
  pass(to, it.steps);
  pass(to, it.ending);
  pass(to, it.before);
  pass(to, it.drawing);
}

template <class Archive>
void pass(Archive& to, engine::Question& it) {
  pass(to, it.part);
  pass(to, it.properties);
  pass(to, it.at);
  pass(to, it.may_fail);
  pass(to, it.status);
  pass(to, it.solver);
  pass(to, it.core);
}

template <class Archive>
void pass(Archive& to, engine::StateMachine::Node& it) {
  pass(to, it.name);
  pass(to, it.assertion);
  pass(to, it.is_initial);
  pass(to, it.at);
}

template <class Archive>
void pass(Archive& to, engine::StateMachine::Edge& it) {
  pass(to, it.from);
  pass(to, it.to);
  pass(to, it.text);
  pass(to, it.at);
}

template <class Archive>
void pass(Archive& to, engine::StateMachine& it) {
  pass(to, it.name);
  pass(to, it.nodes);
  pass(to, it.edges);
}

template <class Archive>
void pass(Archive& to, engine::Drawing& it) {
  pass(to, it.title);
  pass(to, it.dot);
}

template <class Archive>
void pass(Archive& to, engine::PropertyResult& it) {
  pass(to, it.property);
  pass(to, it.verdict);
  pass(to, it.engine);
  pass(to, it.reason);
  pass(to, it.message);
  pass(to, it.depends_on);
  pass(to, it.waiver);
  pass(to, it.uses);
  pass(to, it.location);
  pass(to, it.related);
  pass(to, it.trace);
}

template <class Archive>
void pass(Archive& to, engine::Part& it) {
  pass(to, it.name);
  pass(to, it.at);
}

template <class Archive, class Element>
void pass(Archive& to, std::vector<Element>& list) {
  std::int64_t size = std::ssize(list);
  to.number(size);
  if constexpr (Archive::kReads) {
    for (; size > 0; --size) pass(to, list.emplace_back());
  } else {
    for (Element& it : list) pass(to, it);
  }
}

template <class Archive>
void pass(Archive& to, std::map<std::string, std::int64_t>& it) {
  std::vector<std::pair<std::string, std::int64_t>> list(it.begin(), it.end());
  pass(to, list);
  it = {list.begin(), list.end()};
}

template <class Archive>
void pass(Archive& to, CheckResult& it) {
  pass(to, it.verdict);
  pass(to, it.nothing_checked);
  pass(to, it.engine);
  pass(to, it.why);
  pass(to, it.results);
  pass(to, it.waived);
  pass(to, it.assumptions);
  pass(to, it.only);
  pass(to, it.left_unchecked);
  pass(to, it.notes);
  pass(to, it.inferred);
  pass(to, it.superfluous);
  pass(to, it.proof);
  pass(to, it.patch);
  pass(to, it.not_checked);
  pass(to, it.statistics);
  pass(to, it.parts);
  pass(to, it.questions);
  pass(to, it.configurations);
  pass(to, it.machines);
}

}  // namespace

bool may_be_kept(const CheckResult& result) {
  const auto is_final = [](const engine::PropertyResult& it) {
    return (it.verdict == engine::Verdict::kVerified || it.verdict == engine::Verdict::kViolated) && !it.internal_error;
  };
  return !result.interrupted && !result.internal_error && !result.results.empty() &&
         std::all_of(result.results.begin(), result.results.end(), is_final) &&
         std::all_of(result.waived.begin(), result.waived.end(), is_final);
}

std::string to_bytes(const CheckResult& result) {
  Writer to;
  CheckResult copy = result;  // the description is of what may change
  pass(to, copy);
  return std::move(to.out);
}

std::optional<CheckResult> from_bytes(std::string_view bytes) {
  try {
    Reader from(bytes);
    CheckResult out;
    pass(from, out);
    if (!from.is_at_end()) return {};
    out.is_remembered = true;
    out.statistics["properties_remembered"] = std::ssize(out.results);
    if (const auto all = out.statistics.find("obligations"); all != out.statistics.end()) {
      out.statistics["obligations_remembered"] = all->second;
      out.statistics["solver_checks"] = 0;
    }
    return out;
  } catch (const Malformed&) { return {}; }
}

}  // namespace concord::check
