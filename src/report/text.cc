#include "report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "diag/diagnostic.h"
#include "diag/kinds.h"
#include "report/interleaving.h"
#include "report/wording.h"

namespace concord::report {

using engine::PropertyResult;
using engine::Verdict;

namespace {

constexpr std::size_t kMostAssumptions = 10;  // shown without -v
constexpr std::size_t kMostUnknownPlaces = 3;

class TextReport {
 public:
  TextReport(const base::SourceMap& sources, const check::CheckResult& result, const TextOptions& options)
      : sources_(sources), result_(result), options_(options) {}

  std::string make() {
    if (options_.quiet) return summary_line();
    for (const PropertyResult& one : result_.results) {
      if (one.depends_on.empty() || options_.verbose) add_property(one);
    }
    if (!options_.verbose) add_dependent();
    add_explain_hint();
    text_ += summary_line();
    add_unknown_reasons();
    add_assumptions();
    for (const diag::Kind kind : result_.not_checked) {
      text_ += fmt::format("{0}: not checked (--property {0})\n", diag::name(kind));
    }
    if (!result_.patch.empty()) text_ += "\n" + result_.patch;
    return text_;
  }

 private:
  std::string styled(std::string_view text, const char* style) const {
    return options_.color ? fmt::format("\033[{}m{}\033[0m", style, text) : std::string(text);
  }

  std::string styled(Verdict verdict) const {
    switch (verdict) {
      case Verdict::kVerified: return styled(engine::name(verdict), "1;32");
      case Verdict::kUnknown: return styled(engine::name(verdict), "1;33");
      case Verdict::kUnproved: return styled(engine::name(verdict), "1;35");
      case Verdict::kViolated: return styled(engine::name(verdict), "1;31");
    }
    return {};
  }

  void add_property(const PropertyResult& one) {
    const bool is_finding = one.verdict == Verdict::kViolated || one.verdict == Verdict::kUnproved;
    if (!is_finding && !options_.verbose) return;
    text_ += fmt::format("{}: {}: {} [{}]\n", styled(sources_.place(one.location), "1"), styled(one.verdict),
                         message(one), diag::name(one.property.kind));
    if (!one.uses.empty()) text_ += fmt::format("  uses {}\n", fmt::join(one.uses, ", "));
    if (!is_finding) return;
    text_ += diag::snippet(sources_, one.location);
    add_notes(one);
    text_ += interleaving(sources_, one.trace, options_.width, options_.lines) + "\n";
  }

  // One cause may leave many proofs without ground; without -v they are told together, behind the causes.
  void add_dependent() {
    std::vector<std::string> causes;
    std::map<std::string, std::vector<std::string>> ids;
    for (const PropertyResult& one : result_.results) {
      if (one.depends_on.empty()) continue;
      if (ids[one.depends_on].empty()) causes.push_back(one.depends_on);
      ids[one.depends_on].push_back(one.property.id);
    }
    for (const std::string& cause : causes) {
      const std::vector<std::string>& all = ids[cause];
      const std::string who = all.size() > kMostUnknownPlaces ? fmt::format("{} properties (-v lists them)", all.size())
                                                              : fmt::format("{}", fmt::join(all, ", "));
      const bool vacuous = cause.starts_with(diag::name(diag::Kind::kVacuity));
      const char* what = vacuous ? "proved only because nothing can happen: see" : "proved, but the proof depends on";
      text_ += fmt::format("{}: {} {}: {}\n\n", styled(Verdict::kUnproved), what, cause, who);
    }
  }

  void add_notes(const PropertyResult& one) {
    const base::SourceRange claim = one.property.claim;
    const bool claim_is_told = claim == one.location || std::any_of(one.related.begin(), one.related.end(),
                                                                    [&](const auto& r) { return r.location == claim; });
    if (!claim_is_told) add_note(claim, "this is what does not hold");
    for (const engine::Related& related : one.related) add_note(related.location, related.message);
  }

  void add_note(base::SourceRange location, const std::string& message) {
    text_ += fmt::format("{}: {}: {}\n", sources_.place(location), styled("note", "1;36"), message);
    text_ += diag::snippet(sources_, location);
  }

  std::size_t count(Verdict verdict) const {
    const auto& all = result_.results;
    return static_cast<std::size_t>(
        std::count_if(all.begin(), all.end(), [&](const PropertyResult& one) { return one.verdict == verdict; }));
  }

  std::string summary_line() const {
    const std::string interrupted = result_.interrupted ? " (interrupted)" : "";
    if (!result_.nothing_checked.empty()) {
      return fmt::format("{}{}: {}\n", styled(result_.verdict), interrupted, result_.nothing_checked);
    }
    std::string effort = fmt::format("{:.2f} s", result_.time_ms / 1000.0);
    if (const auto states = result_.statistics.find("states"); states != result_.statistics.end()) {
      effort += fmt::format(", {} state{}", states->second, states->second == 1 ? "" : "s");
    }
    return fmt::format("{}{}: {} verified, {} violated, {} unproved, {} unknown, in {}\n", styled(result_.verdict),
                       interrupted, count(Verdict::kVerified), count(Verdict::kViolated), count(Verdict::kUnproved),
                       count(Verdict::kUnknown), effort);
  }

  // Often one reason makes many properties unknown; without -v it is said once.
  void add_unknown_reasons() {
    std::vector<std::string> reasons;
    std::map<std::string, std::vector<std::string>> ids;
    for (const PropertyResult& one : result_.results) {
      if (one.verdict != Verdict::kUnknown) continue;
      if (ids[message(one)].empty()) reasons.push_back(message(one));
      ids[message(one)].push_back(one.property.id);
    }
    for (const std::string& reason : reasons) {
      const std::vector<std::string>& all = ids[reason];
      std::string who = fmt::format("{}", fmt::join(all, ", "));
      if (all.size() > kMostUnknownPlaces) {
        who = fmt::format("{} properties{}", all.size(), options_.verbose ? "" : "; -v lists them");
      }
      text_ += fmt::format("unknown because {} ({})\n", reason, who);
    }
  }

  void add_assumptions() {
    if (!result_.engine.empty()) text_ += fmt::format("engine: {}\n", result_.engine);
    for (std::size_t i = 0; options_.verbose && i < result_.why.size(); ++i)
      text_ += fmt::format("chosen: {}\n", result_.why[i]);
    add_remembered();
    const std::vector<std::string>& all = result_.assumptions;
    const std::size_t shown = options_.verbose || all.size() <= kMostAssumptions ? all.size() : kMostAssumptions;
    for (std::size_t i = 0; i < shown; ++i) text_ += fmt::format("assuming: {}\n", all[i]);
    if (shown < all.size()) text_ += fmt::format("assuming: {} more (-v lists them)\n", all.size() - shown);
    for (const std::string& note : result_.notes) text_ += fmt::format("note: {}\n", note);
    const std::vector<std::string>& inferred = result_.inferred;
    if (options_.verbose) {
      for (const std::string& one : inferred) text_ += fmt::format("inferred: {}\n", one);
    } else if (!inferred.empty()) {
      const bool has_others = std::any_of(inferred.begin(), inferred.end(), [](const std::string& it) {
        return it.find(": guarded_by ") != std::string::npos || it.find(": env_assumption ") != std::string::npos ||
               it.find(": elems_unwritable_by_env_if") != std::string::npos ||
               it.find(": abstract thread ") != std::string::npos;
      });
      text_ += fmt::format("inferred: {} {}{} (-v lists them)\n", inferred.size(),
                           has_others ? "annotation" : "invariant", inferred.size() == 1 ? "" : "s");
    }
    for (const std::string& one : result_.superfluous)
      text_ += fmt::format("superfluous: no other proof uses {}\n", one);
    const std::vector<std::string>& left = result_.left_unchecked;
    if (options_.verbose) {
      for (const std::string& one : left) text_ += fmt::format("assuming: {}\n", one);
    } else if (!left.empty()) {
      text_ += fmt::format("assuming: {} {} left unchecked by --only {} (-v lists them)\n", left.size(),
                           left.size() == 1 ? "property" : "properties", result_.only);
    }
  }

  void add_remembered() {
    const auto statistic = [&](const char* name) {
      const auto found = result_.statistics.find(name);
      return found == result_.statistics.end() ? 0 : found->second;
    };
    if (result_.is_remembered) {
      text_ += "remembered: all of this; nothing has changed since (--no-cache works it out again)\n";
    } else if (const std::int64_t count = statistic("obligations_remembered"); count > 0) {
      text_ += fmt::format("remembered: {} of {} obligations (--no-cache proves them again)\n", count,
                           statistic("obligations"));
    }
  }

  void add_explain_hint() {
    std::vector<std::string> kinds;
    for (const PropertyResult& one : result_.results) {
      const std::string kind(diag::name(one.property.kind));
      const bool is_finding =
          one.verdict == Verdict::kViolated || (one.verdict == Verdict::kUnproved && one.depends_on.empty());
      if (is_finding && std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
    }
    if (kinds.size() == 1) text_ += fmt::format("`concord explain {}` tells more\n", kinds.front());
    if (kinds.size() > 1) text_ += fmt::format("`concord explain KIND` tells more about {}\n", fmt::join(kinds, ", "));
  }

  const base::SourceMap& sources_;
  const check::CheckResult& result_;
  const TextOptions& options_;
  std::string text_;
};

}  // namespace

std::string text(const base::SourceMap& sources, const check::CheckResult& result, const TextOptions& options) {
  return TextReport(sources, result, options).make();
}

}  // namespace concord::report
