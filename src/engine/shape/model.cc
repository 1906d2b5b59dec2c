#include "engine/shape/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "engine/shape/concrete.h"
#include "engine/shape/concrete_trace.h"
#include "engine/shape/draw.h"

namespace concord::engine::shape {

namespace {

Structure structure_of(const Layout& layout, const Given& given) {
  Structure out(layout, static_cast<int>(given.nodes.size()));
  for (const Given::Value& it : given.values) {
    if (it.tuple.empty()) out.set(it.predicate, it.value);
    if (it.tuple.size() == 1) out.set(it.predicate, it.tuple[0], it.value);
    if (it.tuple.size() == 2) out.set(it.predicate, it.tuple[0], it.tuple[1], it.value);
  }
  return out;
}

std::vector<Structure> structures_of(const Layout& layout, const std::vector<Given>& given) {
  std::vector<Structure> out;
  out.reserve(given.size());
  for (const Given& it : given) out.push_back(structure_of(layout, it));
  return out;
}

class Model {
 public:
  Model(const base::SourceMap& sources, const System& system, Join join, bool keeps_evidence, Control& control)
      : sources_(sources), system_(system), keeps_evidence_(keeps_evidence), control_(control), reach_(system, join) {}

  EngineResult run(const std::vector<Given>& given) {
    for (const int action : used_actions()) {
      for (const Message& it : system_.actions[static_cast<std::size_t>(action)].messages) result_of(it);
    }
    try {
      reach_.run(structures_of(reach_.layout(), given), control_);
    } catch (const TooManyIndividuals&) {
      why_not_ = fmt::format("a structure has more than {} individuals", Structure::kMostIndividuals);
    }
    if (reach_.is_out_of_memory()) why_not_ = fmt::format("memory limit of {} MB", control_.memory_limit_bytes >> 20U);
    if (control_.was_interrupted()) why_not_ = "interrupted";
    if (const auto limit = control_.exceeded())
      why_not_ = fmt::format("time limit of {} s", static_cast<double>(limit->count()) / 1000);
    for (const Reach::Alarm& it : reach_.alarms()) tell(it);
    for (const Reach::Breach& it : reach_.breaches()) tell(it);
    look_for_runs(given);
    conclude();
    if (keeps_evidence_) keep_configurations();
    return std::move(out_);
  }

 private:
  std::set<int> used_actions() const {
    std::set<int> out(system_.claims.begin(), system_.claims.end());
    for (const Edge& it : system_.edges) out.insert(it.action);
    return out;
  }

  PropertyResult& result_of(diag::Kind kind, base::SourceRange range) {
    const std::string id = property_id(sources_, kind, range);
    const auto [found, is_new] = index_.emplace(id, out_.results.size());
    if (is_new) {
      PropertyResult made;
      made.property = {id, kind, range, "", -1, 0};
      made.engine = "shape";
      made.verdict = Verdict::kVerified;
      made.location = range;
      out_.results.push_back(std::move(made));
    }
    return out_.results[found->second];
  }

  PropertyResult& result_of(const Message& message) { return result_of(diag::Kind::kAssertion, message.range); }

  void tell(const Reach::Alarm& alarm) {
    const Message& message =
        system_.actions[static_cast<std::size_t>(alarm.action)].messages[static_cast<std::size_t>(alarm.message)];
    PropertyResult& result = result_of(message);
    if (result.verdict == Verdict::kUnproved) return;  // one cause, one report
    result.verdict = Verdict::kUnproved;
    result.message = fmt::format("\"{}\" may be raised{}", message.text,
                                 alarm.value == Kleene::kUnknown ? ": its condition is unknown here" : "");
    result.trace = way_to(alarm.state, system_.actions[static_cast<std::size_t>(alarm.action)]);
  }

  void tell(const Reach::Breach& breach) {
    const Action& action = system_.actions[static_cast<std::size_t>(breach.action)];
    PropertyResult& result = result_of(diag::Kind::kInvariant, action.range);
    if (result.verdict == Verdict::kUnproved) return;
    result.verdict = Verdict::kUnproved;
    result.message = breach_message(breach.action, breach.constraint);
    result.trace = way_to(breach.state, action);
    if (first_breach_.empty()) first_breach_ = result.property.id;
  }

  // What is wrong on structures without unknown values, too.
  void look_for_runs(const std::vector<Given>& given) {
    Concrete::Messages messages;
    for (const Reach::Alarm& it : reach_.alarms()) messages.emplace(it.action, it.message);
    std::set<int> breaches;
    for (const Reach::Breach& it : reach_.breaches()) breaches.insert(it.action);
    if (messages.empty() && breaches.empty()) return;
    Concrete concrete(system_);
    concrete.run(structures_of(concrete.layout(), given), std::move(messages), std::move(breaches), control_);
    for (const Concrete::Find& it : concrete.finds()) {
      const Action& action = system_.actions[static_cast<std::size_t>(it.action)];
      const bool is_message = it.message >= 0;
      const auto message = static_cast<std::size_t>(std::max(it.message, 0));
      PropertyResult& result =
          is_message ? result_of(action.messages[message]) : result_of(diag::Kind::kInvariant, action.range);
      if (result.verdict == Verdict::kViolated) continue;
      result.verdict = Verdict::kViolated;
      result.message = is_message ? fmt::format("\"{}\" is raised", action.messages[message].text)
                                  : breach_message(it.action, it.constraint);
      result.trace = trace_of(system_, concrete, it, keeps_evidence_);
    }
  }

  std::string breach_message(int action, int constraint) const {
    return fmt::format("after the update of \"{}\" something does not hold that must: {}",
                       system_.actions[static_cast<std::size_t>(action)].title, reach_.constraints().name(constraint));
  }

  Trace way_to(int state, const Action& last) const {
    const std::string thread = system_.has_threads ? "threads" : "program";
    Trace out;
    out.threads = {thread};
    std::vector<const Reach::State*> way;
    for (int at = state; at >= 0; at = way.back()->parent)
      way.push_back(&reach_.states()[static_cast<std::size_t>(at)]);
    std::reverse(way.begin(), way.end());
    const auto add = [&](base::SourceRange range, const std::string& text) {
      TraceStep step;
      step.thread = thread;
      step.location = range;
      step.text = text;
      out.steps.push_back(std::move(step));
    };
    if (keeps_evidence_ && !way.empty()) out.drawing = draw(system_, way.front()->structure, "initially");
    for (std::size_t i = 0; i < way.size(); ++i) {
      if (way[i]->edge < 0) continue;
      const Edge& edge = system_.edges[static_cast<std::size_t>(way[i]->edge)];
      add(edge.range, fmt::format("{}: {}", system_.labels[static_cast<std::size_t>(edge.from)],
                                  system_.actions[static_cast<std::size_t>(edge.action)].title));
      if (!keeps_evidence_) continue;
      out.steps.back().drawing = draw(system_, way[i]->structure, fmt::format("after step {}", out.steps.size()));
      if (i > 0) out.steps.back().lost = newly_unknown(system_, way[i - 1]->structure, way[i]->structure);
    }
    add(last.range, last.title);
    return out;
  }

  // Instrumentation predicates that actions update, or should, because what they are defined by changes; but for updates that are
  // found from definitions.
  std::set<std::string> taken_on_trust() const {
    std::set<std::string> out;
    for (const int it : used_actions()) take_on_trust(system_.actions[static_cast<std::size_t>(it)], out);
    return out;
  }

  void take_on_trust(const Action& action, std::set<std::string>& out) const {
    std::vector<bool> changes(system_.predicates.size(), false);
    std::vector<bool> is_derived = changes;
    for (const int it : system_.at) changes[static_cast<std::size_t>(it)] = true;
    for (const Update& update : action.updates) {
      changes[static_cast<std::size_t>(update.predicate)] = true;
      is_derived[static_cast<std::size_t>(update.predicate)] = update.is_derived;
    }
    const bool is_universe_fixed = !action.creates && !action.retained;
    std::vector<bool> is_looked_at(changes.size(), false);
    for (bool is_new = true; is_new;) {
      is_new = false;
      for (std::size_t p = 0; p < changes.size(); ++p) {
        const Predicate& it = system_.predicates[p];
        if (!it.definition || is_looked_at[p]) continue;
        const std::vector<int> read = Evaluation(it.definition, it.variables).predicates();
        const bool concerns = changes[p] || !is_universe_fixed || std::any_of(read.begin(), read.end(), [&](int by) {
                                return changes[static_cast<std::size_t>(by)];
                              });
        if (!concerns) continue;
        is_new = changes[p] = is_looked_at[p] = true;
        if (!is_derived[p]) out.insert(it.name);
      }
    }
  }

  void conclude() {
    for (PropertyResult& it : out_.results) {
      if (it.verdict != Verdict::kVerified) continue;
      if (!why_not_.empty()) {
        it.verdict = Verdict::kUnknown;
        it.reason = why_not_;
      } else if (!first_breach_.empty()) {
        it.verdict = Verdict::kUnproved;
        it.depends_on = first_breach_;
        it.message = "holds as far as the updates are right, but that depends on " + first_breach_;
      } else {
        it.message = "the message is never raised";
      }
    }
    if (const std::set<std::string> names = taken_on_trust(); !names.empty())
      out_.assumptions.push_back(fmt::format("updates are as the definitions say: {}", fmt::join(names, ", ")));
    for (const Rule& it : system_.rules) out_.assumptions.push_back("the rule at " + sources_.place(it.range));
    out_.statistics["states"] = static_cast<std::int64_t>(reach_.configurations());
    out_.statistics["kept"] = static_cast<std::int64_t>(reach_.kept());
  }

  void keep_configurations() {
    for (const Reach::State& it : reach_.states()) {
      if (!it.is_current) continue;
      if (out_.configurations.size() == kMostDrawings) break;
      const std::string where = system_.has_threads ? "" : system_.labels[static_cast<std::size_t>(it.location)];
      out_.configurations.push_back({where, draw(system_, it.structure, where)});
    }
  }

  const base::SourceMap& sources_;
  const System& system_;
  const bool keeps_evidence_;
  Control& control_;
  Reach reach_;
  EngineResult out_;
  std::map<std::string, std::size_t> index_;
  std::string why_not_;
  std::string first_breach_;
};

}  // namespace

EngineResult check_model(const base::SourceMap& sources, const System& system, const std::vector<Given>& given,
                         Join join, bool keeps_evidence, Control& control) {
  return Model(sources, system, join, keeps_evidence, control).run(given);
}

Drawings draw_model(const System& system, const std::vector<Given>& given, Join join, Control& control) {
  Drawings out;
  Reach reach(system, join);
  try {
    reach.run(structures_of(reach.layout(), given), control);
  } catch (const TooManyIndividuals&) {
    out.why_not = fmt::format("a structure has more than {} individuals", Structure::kMostIndividuals);
  }
  if (control.should_stop()) out.why_not = "stopped before all structures were reached";
  for (const Reach::State& it : reach.states()) {
    if (!it.is_current) continue;
    const std::string where = system.has_threads ? "" : " at " + system.labels[static_cast<std::size_t>(it.location)];
    out.text += draw(system, it.structure, fmt::format("{}{}", &it - reach.states().data() + 1, where));
  }
  return out;
}

}  // namespace concord::engine::shape
