#include "simulation/message.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "engine/names.h"

namespace concord::simulation {

using sequential::Outcome;

const Claim& broken_claim(const Obligation& obligation, const Outcome& outcome) {
  if (obligation.first_position < 0) return obligation.claims.front();
  std::size_t furthest = 0;
  for (std::size_t i = 0; i <= obligation.claims.size(); ++i) {
    const std::size_t at = static_cast<std::size_t>(obligation.first_position) + i;
    if (at < outcome.values.size() && obligation.shown[at].name.empty() && outcome.values[at] == "true") furthest = i;
  }
  return obligation.claims[std::min(furthest, obligation.claims.size() - 1)];
}

namespace {

// Values as a person would say them.
class Words {
 public:
  Words(const Obligation& obligation, const Outcome& outcome) {
    for (std::size_t i = 0; i < obligation.shown.size() && i < outcome.values.size(); ++i) {
      if (obligation.shown[i].is_label) labels_.emplace(outcome.values[i], obligation.shown[i].name);
    }
  }

  std::string operator()(const std::string& value) {
    if (const auto found = labels_.find(value); found != labels_.end()) return found->second;
    const bool is_plain = value == "true" || value == "false" ||
                          value.find_first_not_of("-0123456789") == std::string::npos ||
                          value.find_first_of("!@ ") == std::string::npos;
    if (is_plain) return value;
    const bool is_thread = value.find("Thread") != std::string::npos;
    const int number = is_thread ? ++threads_ : ++objects_;
    const std::string name =
        std::string(is_thread ? "some thread" : "some object") + (number == 1 ? "" : " " + std::to_string(number));
    labels_.emplace(value, name);
    return name;
  }

 private:
  std::map<std::string, std::string> labels_;
  int threads_ = 0;
  int objects_ = 0;
};

// From about the largest number of 32 bits to about the smallest, or back.
bool wraps_around(const std::string& before, const std::string& after) {
  constexpr std::int64_t kLarge = (std::int64_t{1} << 31) - (std::int64_t{1} << 16);
  const auto number = [](const std::string& text) {
    std::int64_t out = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    const bool is_int =
        error == std::errc() && end == text.data() + text.size() && out == static_cast<std::int32_t>(out);
    return is_int ? out : 0;
  };
  return (number(before) > kLarge && number(after) < -kLarge) || (number(before) < -kLarge && number(after) > kLarge);
}

std::string joined(const engine::Changes& values) {
  std::string out;
  for (const auto& [name, value] : values) {
    if (!out.empty()) out += ", ";
    out += name;
    out += " = " + value;
  }
  return out;
}

const char* solver_name(engine::SolverChoice solver) {
  switch (solver) {
    case engine::SolverChoice::kZ3: return "Z3";
    case engine::SolverChoice::kCvc5: return "cvc5";
    case engine::SolverChoice::kBoth: return "Z3 and cvc5";
  }
  return "";
}

}  // namespace

void explain(const Obligation& obligation, const Outcome& outcome, const Claim& claim,
             const std::set<std::string>& names, engine::PropertyResult& result) {
  std::vector<engine::Related>& out = result.related;
  out.clear();
  engine::Counterexample example;
  if (!(claim.range == obligation.at)) out.push_back({claim.range, "what is to be shown"});
  std::string nodes;
  for (std::size_t i = 0; i < obligation.shown.size() && i < outcome.values.size(); ++i) {
    if (obligation.shown[i].is_node && outcome.values[i] == "true")
      nodes += (nodes.empty() ? "" : ", ") + obligation.shown[i].name;
  }
  if (!nodes.empty()) out.push_back({obligation.at, "the abstract thread may be at: " + nodes});
  Words words(obligation, outcome);
  std::vector<std::string> said;
  std::map<std::string, std::string> values_before;
  std::map<std::string, std::string> values_now;
  for (std::size_t i = 0; i < obligation.shown.size() && i < outcome.values.size(); ++i) {
    const Obligation::Shown& it = obligation.shown[i];
    if (it.is_label || it.is_node || it.name.empty()) continue;
    // Of a local variable that a front end made the user knows only what it was made for: a value that was read or computed.
    const bool is_unknown = it.is_local && !names.empty() && engine::is_made(it.name, names);
    if (is_unknown && it.name.starts_with("this_")) continue;
    const std::string name = is_unknown ? "value" : it.name;
    const std::string value = words(outcome.values[i]);
    const std::string key = (it.is_before ? "b " : "n ") + name;
    if (std::find(said.begin(), said.end(), key) != said.end()) continue;
    said.push_back(key);
    (it.is_before ? values_before : values_now).emplace(name, outcome.values[i]);
    (it.is_before ? example.before : example.after).emplace_back(name, value);
  }
  const std::string before = joined(example.before);
  const std::string now = joined(example.after);
  std::string text;
  if (!before.empty()) text = "for instance, before the step " + before;
  if (!now.empty()) text += (before.empty() ? "for instance, " : "; after it ") + now;
  if (!text.empty()) out.push_back({obligation.at, text});
  for (const auto& [name, value] : values_before) {
    const auto after = values_now.find(name);
    if (after == values_now.end() || !wraps_around(value, after->second)) continue;
    out.push_back({obligation.at, name + " overflows: it has 32 bits and wraps around (`--int math`: without bounds)"});
  }
  result.counterexample = std::move(example);
}

std::vector<engine::Question> questions(const base::SourceMap& sources, const std::string& part,
                                        const Simulation& simulation, const sequential::Verification& verification,
                                        engine::SolverChoice solver) {
  const auto id = [&](const Claim& it) { return engine::property_id(sources, it.kind, it.range); };
  std::vector<engine::Question> out;
  for (std::size_t i = 0; i < simulation.obligations.size() && i < verification.obligations.size(); ++i) {
    const Obligation& obligation = simulation.obligations[i];
    const Outcome& outcome = verification.obligations[i];
    engine::Question& made = out.emplace_back();
    made.part = part;
    for (const Claim& it : obligation.claims) made.properties.push_back(id(it));
    made.at = obligation.at;
    made.may_fail = obligation.message;
    made.status = static_cast<engine::Question::Status>(outcome.status);
    made.solver = solver_name(solver);
    made.time_ms = outcome.time_ms;
    std::set<std::string> core;
    for (const Claim& it : obligation.leans_on) core.insert(id(it));
    for (const int it : outcome.premises) core.insert(id(simulation.premises[static_cast<std::size_t>(it)]));
    made.core.assign(core.begin(), core.end());
  }
  return out;
}

void suggest_ints(const sequential::Verification& verification, const engine::Settings& settings,
                  std::set<std::int64_t>& found) {
  constexpr std::size_t kMost = 8;
  for (const sequential::Outcome& outcome : verification.obligations) {
    if (outcome.status != sequential::Outcome::Status::kFailed) continue;
    for (const std::string& value : outcome.values) {
      std::int64_t number = 0;
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
      const bool is_number = error == std::errc() && end == value.data() + value.size();
      const bool is_tried = settings.int_low <= number && number <= settings.int_high;
      if (is_number && !is_tried && found.size() < kMost) found.insert(number);
    }
  }
}

}  // namespace concord::simulation
