// What names and sets stand for: the parameters of actions and the words of `foreach` are replaced as text.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "diag/diagnostic.h"
#include "engine/shape/tvla/syntax.h"

namespace concord::engine::shape::tvla {

// Thrown when there are too many errors, or too much to do.
struct GiveUp {};

// An action is expanded for each use, so a mistake in it is met several times; it is reported once.
class Errors {
 public:
  explicit Errors(diag::Sink& sink) : sink_(sink) {}
  bool are_there() const { return sink_.has_errors(); }
  void report(base::SourceRange range, std::string message, std::string hint = "",
              const std::optional<diag::Note>& note = std::nullopt);
  bool is_reported(base::SourceRange range, const std::string& message) const;
  // Where the action that we are in is used.
  void set_use(std::optional<diag::Note> use) { use_ = std::move(use); }

 private:
  diag::Sink& sink_;
  std::set<std::pair<std::pair<std::uint32_t, std::uint32_t>, std::string>> reported_;
  std::optional<diag::Note> use_;
};

class Expansion {
 public:
  explicit Expansion(Errors& errors) : errors_(errors) {}

  // As it is called in the system: "r[n[x],y]".
  std::string name(const Name& name);
  // In order, each once.
  std::vector<std::string> members(const SetExpr& set);
  // Adds to what the set has already.
  void define_set(const std::string& name, const std::vector<std::string>& more);
  // Does it with the word standing for each member of the set; likewise for nested loops.
  void each(const Loop& loop, const std::function<void()>& body);
  void each(const Loops& loops, const std::function<void()>& body) { each_from(loops, 0, body); }
  // Does it with the words standing for these names.
  void with(const std::vector<Word>& words, const std::vector<std::string>& names, const std::function<void()>& body);
  // Everything that is made costs; the sum is limited.
  void spend(std::size_t cost, base::SourceRange at);

  static constexpr std::size_t kMostCost = 500'000;
  static constexpr std::size_t kLongestName = 500;

 private:
  using Members = std::vector<std::string>;
  const std::string* bound(const std::string& word) const;
  Members named(const SetExpr& set);
  Members listed(const SetExpr& set);
  Members sum(const SetExpr& set);
  Members intersection(const SetExpr& set);
  void each_from(const Loops& loops, std::size_t first, const std::function<void()>& body);

  Errors& errors_;
  std::unordered_map<std::string, Members> sets_;
  std::vector<std::pair<std::string, std::string>> bindings_;  // the last one counts
  std::size_t cost_ = 0;
};

}  // namespace concord::engine::shape::tvla
