#include "engine/shape/shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "diag/kinds.h"
#include "engine/shape/draw.h"
#include "engine/shape/source/lower.h"
#include "engine/shape/source/search.h"
#include "engine/shape/source/view_search.h"
#include "plato/flow.h"

namespace concord::engine::shape {

namespace {

using source::Search;

std::vector<PropertyResult> begin(const Task& task) {
  std::vector<PropertyResult> out;
  for (const Property& property : task.properties) {
    PropertyResult made;
    made.property = property;
    made.engine = "shape";
    made.location = property.claim;
    out.push_back(std::move(made));
  }
  return out;
}

class Judging {
 public:
  Judging(const Task& task, Control& control, Defect defect)
      : task_(task), control_(control), defect_(defect), lowered_(source::lower(task, false, defect)) {}

  EngineResult run(Shape::Look how) {
    out_.results = begin(task_);
    if (!lowered_.refused.empty()) return all_unknown(lowered_.refused);
    runs_.assign(task_.program->procedures.size(), false);
    std::vector<int> entered;
    for (const plato::Thread& it : task_.program->threads) {
      if (source::may_run(it, task_)) entered.push_back(it.target.index);
    }
    if (entered.empty()) return all_unknown("no thread runs");
    for (const int it : plato::run_from(*task_.program, entered, true)) runs_[static_cast<std::size_t>(it)] = true;
    how == Shape::Look::kAsNeeded ? look() : look_at_each_thread();
    out_.assumptions = lowered_.assumptions;
    out_.assumptions.emplace_back("integers are unbounded");
    return std::move(out_);
  }

 private:
  // Configurations with the same individuals are joined at first: that is fast. What may go wrong then is looked at again with all
  // of them apart. If they are very many, each thread is looked at by itself before all of them are.
  void look() {
    std::vector<bool> is_open = lowered_.is_decided;
    const auto is_some_open = [&] { return std::find(is_open.begin(), is_open.end(), true) != is_open.end(); };
    auto joined = std::make_unique<Search>(lowered_, Join::kPartial, kMostAfterFirstAlarm, kMostAtFirst);
    engine::Control part;
    begin_part(part);
    std::string why_not = explore(*joined, part);
    const bool are_many = joined->is_given_up() || part.is_worked_off();
    if (are_many && !is_unsupported(*joined)) {
      look_at_views(is_open);
      if (is_some_open() && !control_.should_stop()) {
        joined = std::make_unique<Search>(lowered_, Join::kPartial, kMostAfterAlarm);
        why_not = explore(*joined, control_);
      }
    }
    const std::vector<bool> is_not_verified = is_open;
    const std::vector<bool> is_open_after = open_after(*joined, why_not);
    for (std::size_t p = 0; p < is_open.size(); ++p) {
      if (is_not_verified[p] || !lowered_.is_decided[p]) judge(p, why_not);
      is_open[p] = is_open[p] && is_open_after[p];
    }
    if (why_not.empty()) note_order(*joined);
    for (const Search::Alarm& it : joined->alarms()) {
      if (it.property >= 0 && it.property < std::ssize(is_not_verified) &&
          is_not_verified[static_cast<std::size_t>(it.property)])
        tell(it, *joined);
    }
    out_.statistics["states"] += static_cast<std::int64_t>(joined->states().size());
    if (task_.settings.keeps_evidence) keep_configurations(*joined);
    if (is_some_open() && !is_unsupported(*joined)) look_again(is_open);
  }

  void look_at_each_thread() {
    std::vector<bool> is_open = lowered_.is_decided;
    look_at_views(is_open);
    for (std::size_t p = 0; p < is_open.size(); ++p) {
      if (is_open[p] || !lowered_.is_decided[p]) judge(p, "what each thread knows by itself does not tell");
    }
  }

  // Of the run; what it takes does not count for what comes after it.
  void begin_part(engine::Control& part) const {
    part.parent = &control_;
    part.memory_limit_bytes = control_.memory_limit_bytes;
    part.work_limit = control_.work_limit / 2;
    part.on_progress = control_.on_progress;
  }

  static bool is_unsupported(const Search& search) {
    return std::any_of(search.alarms().begin(), search.alarms().end(),
                       [](const Search::Alarm& it) { return it.property == source::kUnsupported; });
  }

  // Where something may go wrong and there are very many configurations, it is better to look for a run that does.
  static constexpr std::size_t kMostAfterAlarm = 5000;
  // Before each thread is looked at by itself.
  static constexpr std::size_t kMostAfterFirstAlarm = 1000;
  static constexpr std::size_t kMostAtFirst = 3000;
  static constexpr std::size_t kMostApart = 5000;  // when they are looked at again
  static constexpr std::size_t kMostViews = 20000;

  // Why it did not come to an end, or empty.
  std::string explore(Search& search, Control& control) const {
    try {
      search.run(task_, control);
    } catch (const TooManyIndividuals&) {
      return fmt::format("a configuration has more than {} individuals", Structure::kMostIndividuals);
    }
    for (const Search::Alarm& it : search.alarms()) {
      if (it.property == source::kUnsupported) return it.text;
    }
    if (control.was_interrupted()) return "interrupted";
    if (search.is_out_of_memory())
      return fmt::format("memory limit of {} MB reached after {} configurations", control.memory_limit_bytes >> 20U,
                         search.states().size());
    if (search.is_given_up())
      return fmt::format("something may go wrong, and {} configurations are not all", search.states().size());
    if (control.is_worked_off()) return fmt::format("given up after {} configurations", search.states().size());
    if (const auto limit = control.exceeded())
      return fmt::format("time limit of {} s reached after {} configurations",
                         static_cast<double>(limit->count()) / 1000, search.states().size());
    return "";
  }

  // An order of locks that is kept in all configurations, or null.
  static const std::string* kept_order(const source::LockOrders& orders, const std::vector<bool>& is_told) {
    for (const source::LockOrders::Order& it : orders.orders) {
      if (!is_told[static_cast<std::size_t>(it.is_broken)]) return &it.text;
    }
    return nullptr;
  }

  std::vector<bool> told(const Search& search) const {
    std::vector<bool> out(out_.results.size() + static_cast<std::size_t>(search.lowered().lock_orders.count()), false);
    for (const Search::Alarm& it : search.alarms()) {
      if (it.property >= 0) out[static_cast<std::size_t>(it.property)] = true;
    }
    return out;
  }

  // It holds, whatever configurations seem to say, because an order of locks is kept. Of a search that came to its end.
  bool is_excluded(int property, const Search& search) const {
    const source::LockOrders& orders = search.lowered().lock_orders;
    if (!orders.excludes(property)) return false;
    const std::vector<bool> is_told = told(search);
    const bool is_other = property == orders.deadlock && is_told[static_cast<std::size_t>(orders.other_deadlock)];
    return kept_order(orders, is_told) != nullptr && !is_other;
  }

  void note_order(const Search& search) {
    if (!out_.inferred.empty()) return;
    const auto is_told = told(search);
    const source::LockOrders& orders = search.lowered().lock_orders;
    for (const int it : {orders.deadlock, orders.cyclic_deadlock}) {
      const bool is_needed = it >= 0 && (search.lowered().by_views || is_told[static_cast<std::size_t>(it)]);
      if (!is_needed || !is_excluded(it, search)) continue;
      out_.inferred.push_back(*kept_order(orders, is_told));
      return;
    }
  }

  // By property: it is judged here, and not verified.
  std::vector<bool> open_after(const Search& search, const std::string& why_not) const {
    std::vector<bool> out = told(search);
    out.resize(out_.results.size());
    for (std::size_t p = 0; p < out.size(); ++p)
      out[p] = !why_not.empty() || (out[p] && !is_excluded(static_cast<int>(p), search));
    for (std::size_t p = 0; p < out.size(); ++p) out[p] = out[p] && lowered_.is_decided[p];
    return out;
  }

  void look_again(std::vector<bool>& is_open) {
    if (control_.should_stop()) return;
    Search apart(lowered_, Join::kRelational, kMostApart, kMostApart);
    if (!explore(apart, control_).empty()) return;
    const std::vector<bool> is_still_open = open_after(apart, "");
    note_order(apart);
    for (std::size_t p = 0; p < is_open.size(); ++p) {
      if (!is_open[p] || is_still_open[p]) continue;
      verify(p);
      is_open[p] = false;
    }
    out_.statistics["states"] += static_cast<std::int64_t>(apart.states().size());
  }

  void verify(std::size_t property) {
    PropertyResult verified;
    verified.property = out_.results[property].property;
    verified.engine = out_.results[property].engine;
    verified.location = verified.property.claim;
    out_.results[property] = std::move(verified);
    judge(property, "");
  }

  // Where the threads are all together may be too much to be looked at: each by itself.
  void look_at_views(std::vector<bool>& is_open) {
    if (control_.should_stop()) return;
    const source::Lowered by_views = source::lower(task_, true, defect_);
    if (!by_views.refused.empty()) return;
    source::ViewSearch views(by_views, task_, kMostViews);
    engine::Control part;
    begin_part(part);
    const std::string why_not = explore(views, part);
    out_.statistics["states"] += static_cast<std::int64_t>(views.states().size());
    if (!why_not.empty()) return;
    const std::vector<bool> is_told = told(views);
    bool is_some = false;
    for (std::size_t p = 0; p < is_open.size(); ++p) {
      if (!is_open[p] || !by_views.is_decided[p]) continue;
      const int property = static_cast<int>(p);
      if (by_views.lock_orders.excludes(property) ? !is_excluded(property, views) : is_told[p]) continue;
      verify(p);
      is_open[p] = false;
      is_some = true;
    }
    note_order(views);
    if (!is_some) return;
    out_.notes.push_back(fmt::format("each thread was looked at by itself, beside any one other at a time ({} views)",
                                     views.states().size()));
  }

  EngineResult all_unknown(const std::string& why) {
    for (PropertyResult& it : out_.results) it.reason = why;
    return std::move(out_);
  }

  void judge(std::size_t property, const std::string& why_not) {
    PropertyResult& it = out_.results[property];
    const diag::KindPage& page = diag::page(it.property.kind);
    if (const int procedure = it.property.procedure; procedure >= 0 && !runs_[static_cast<std::size_t>(procedure)]) {
      it.reason =
          fmt::format("no thread runs `{}`", task_.program->procedures[static_cast<std::size_t>(procedure)].name);
    } else if (!lowered_.is_decided[property]) {
      it.reason = fmt::format("the shape engine does not judge this ({})", page.name);
    } else if (!why_not.empty()) {
      it.reason = why_not;
    } else {
      it.verdict = Verdict::kVerified;
      it.message = page.holds;
    }
  }

  void tell(const Search::Alarm& alarm, const Search& search) {
    if (alarm.property < 0 || alarm.property >= std::ssize(out_.results)) return;
    if (!lowered_.is_decided[static_cast<std::size_t>(alarm.property)] || is_excluded(alarm.property, search)) return;
    PropertyResult& it = out_.results[static_cast<std::size_t>(alarm.property)];
    it.verdict = Verdict::kUnproved;
    it.reason = alarm.value == Kleene::kUnknown ? "in a configuration in which it is not known" : "";
    it.message = diag::page(it.property.kind).may_fail;
    if (alarm.at.end > 0) it.location = alarm.at;
    it.trace = way_to(alarm, search);
  }

  Trace way_to(const Search::Alarm& alarm, const Search& search) const {
    std::vector<const Search::State*> way;
    for (int at = alarm.state; at >= 0; at = way.back()->parent)
      way.push_back(&search.states()[static_cast<std::size_t>(at)]);
    std::reverse(way.begin(), way.end());
    Trace out;
    const System& system = lowered_.vocabulary->system();
    for (std::size_t i = 0; i <= way.size(); ++i) {
      for (const int e : i < way.size() ? way[i]->edges : alarm.edges) {
        const Edge& edge = system.edges[static_cast<std::size_t>(e)];
        const source::Move& move =
            lowered_.code.moves[static_cast<std::size_t>(lowered_.moves[static_cast<std::size_t>(e)])];
        TraceStep step;
        step.thread = task_.program->procedures[static_cast<std::size_t>(move.procedure)].name;
        step.location = edge.range;
        step.text = system.actions[static_cast<std::size_t>(edge.action)].title;
        if (std::find(out.threads.begin(), out.threads.end(), step.thread) == out.threads.end())
          out.threads.push_back(step.thread);
        out.steps.push_back(std::move(step));
      }
      if (i < way.size() && task_.settings.keeps_evidence) draw_on(out, *way[i], i == 0 ? nullptr : way[i - 1]);
    }
    return out;
  }

  // The configuration that the steps so far lead to.
  void draw_on(Trace& trace, const Search::State& state, const Search::State* before) const {
    const System& system = lowered_.vocabulary->system();
    if (trace.steps.empty()) {
      trace.drawing = draw(system, state.structure, "initially");
      return;
    }
    TraceStep& last = trace.steps.back();
    last.drawing = draw(system, state.structure, fmt::format("after step {}", trace.steps.size()));
    if (before != nullptr) last.lost = newly_unknown(system, before->structure, state.structure);
  }

  void keep_configurations(const Search& search) {
    for (const Search::State& it : search.states()) {
      if (!it.is_current) continue;
      if (out_.configurations.size() == kMostDrawings) break;
      out_.configurations.push_back({"", draw(lowered_.vocabulary->system(), it.structure, "")});
    }
  }

  const Task& task_;
  Control& control_;
  const Defect defect_;
  const source::Lowered lowered_;
  std::vector<bool> runs_;  // by procedure: some thread may
  EngineResult out_;
};

}  // namespace

bool Shape::decides(const Property& property) { return source::is_judged(property.kind); }

EngineResult Shape::run(const Task& task, Control& control) {
  try {
    return Judging(task, control, defect_).run(look_);
  } catch (const TooManyVariables&) {
    EngineResult out;
    out.results = begin(task);
    for (PropertyResult& it : out.results) it.reason = "an expression goes over too many references";
    return out;
  }
}

}  // namespace concord::engine::shape
